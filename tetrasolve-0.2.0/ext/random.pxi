# Dice: xoshiro256** (Blackman and Vigna, public domain), seeded by splitmix64.

cdef struct Answers        # see opponent.pxi

cdef struct Dice:
    uint64_t word[4]
    Answers* answers       # of the Barbarian player, where somebody gives them; NULL: as the policy says


cdef inline uint64_t turn_left(uint64_t x, int k) noexcept nogil:
    return x << k | x >> (64 - k)


cdef inline uint64_t random_bits(Dice* dice) noexcept nogil:
    cdef uint64_t* s = dice.word
    cdef uint64_t result = turn_left(s[1] * 5, 7) * 9
    cdef uint64_t t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = turn_left(s[3], 45)
    return result


cdef inline int random_below(Dice* dice, uint64_t n) noexcept nogil:
    """0 to n - 1, exactly uniform: the high half of bits * n; where the low half would favour some, once more."""
    cdef uint64_t bits = random_bits(dice)
    cdef uint64_t unfair = 0
    if bits * n < n:
        unfair = (<uint64_t> 0 - n) % n
        while bits * n < unfair:
            bits = random_bits(dice)
    return <int> high_half(bits, n)


cdef inline bint link_holds(Dice* dice) noexcept nogil:
    """The check of a broken link: 4 to 6 on d6 is one half."""
    return random_bits(dice) >> 63


cdef void seed_dice(Dice* dice, uint64_t seed) noexcept nogil:
    cdef int i
    cdef uint64_t z
    dice.answers = NULL
    for i in range(4):
        seed += 0x9E3779B97F4A7C15u
        z = seed
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
        dice.word[i] = z ^ (z >> 31)


@cython.final
cdef class Rng:
    """xoshiro256** seeded by splitmix64; the whole state can be saved and restored."""

    cdef Dice dice
    cdef int busy          # a call uses it

    def __init__(self, seed=0):
        seed_dice(&self.dice, <uint64_t> (int(seed) & 0xFFFFFFFFFFFFFFFF))

    @property
    def words(self):
        """The four words of its state."""
        take_object(&self.busy, "rng")
        words = (self.dice.word[0], self.dice.word[1], self.dice.word[2], self.dice.word[3])
        GIVE_BACK(&self.busy)
        return words

    @words.setter
    def words(self, value):
        new = tuple(value)
        if len(new) != 4 or not all(isinstance(word, int) and 0 <= word < 1 << 64 for word in new) or not any(new):
            raise KernelError(f"words: expected four integers of 64 bits, not all 0, got {value!r}")
        take_object(&self.busy, "rng")
        for i in range(4):
            self.dice.word[i] = new[i]
        GIVE_BACK(&self.busy)

    def next(self):
        """64 random bits."""
        take_object(&self.busy, "rng")
        bits = random_bits(&self.dice)
        GIVE_BACK(&self.busy)
        return bits

    def d6(self):
        """1 to 6, exactly uniform."""
        take_object(&self.busy, "rng")
        face = 1 + random_below(&self.dice, 6)
        GIVE_BACK(&self.busy)
        return face

    def __reduce__(self):
        return (_rng_from_words, (self.words,))


def _rng_from_words(words):
    rng = Rng()
    rng.words = words
    return rng
