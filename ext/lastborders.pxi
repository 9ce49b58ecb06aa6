# What is left to do for the victory: how soon the borders that are not secured can be.
#
# Where nobody is in danger only this distinguishes positions. Revolts and armies in the way are not looked at, nor
# that fleets may sail; an Emperor who has no garrison left secures nothing.

cdef enum:
    MOST_LEFT = 3          # borders that are not secured, counted up to here
    AT_LAST = 545          # LAST_FEATURES for each number of borders that are left: one, two, or more
    MOST_SOON = 11         # turns before the one in which the last of them can be secured, one feature each, up to this
    LAST_FEATURES = MOST_SOON + 3   # and for the border farthest off, and for all, how far it is
    FEATURES = AT_LAST + MOST_LEFT * LAST_FEATURES
    SECURE_FROM = 4        # IP that a move may cost if a border is to be secured in the same turn
    NO_WAY = 24            # turns: there is nobody who could


cdef inline int acts_in(const Position* P, int emperor) noexcept nogil:
    """How many Emperors act before this one."""
    return (emperor - P.mover - (P.mark != ROMAN_OPEN)) & 3


cdef struct Left:          # the features of one position, all others 0
    int one                # the one that is 1; -1 where no border is left
    int farthest
    float far              # of the feature `farthest`
    float all              # of the one after it


cdef void afar_open(const Board* B, Recall* R) noexcept nogil:
    """The ways from each province to each border, whatever fleets there are, over quiet ground."""
    cdef Mask[64] fresh
    cdef Mask seen, front
    cdef Afar* afar
    cdef int fleets, p, cost, i, ip
    for fleets in range(8):
        for p in range(PROVINCES):
            memset(fresh, 0, sizeof(fresh))
            fresh[0] = bit(p)
            afar = &R.afar[fleets][p]
            for i in range(6):
                afar.part[i] = afar.whole[i] = NO_WAY
            seen = 0
            for cost in range(60):                   # no way is as long as that
                front = fresh[cost] & ~seen
                seen |= front
                ip = cost - SECURE_FROM if cost > SECURE_FROM else 0
                for i in range(6):
                    if front >> B.border[i] & 1:
                        afar.part[i] = ip * <float> (4.0 / FULL_IP)
                        afar.whole[i] = (ip + FULL_IP - 1) / FULL_IP * 4
                while front:
                    fresh[cost + 1] |= B.normal[lowest(front)] | B.sea[lowest(front)][fleets]
                    fresh[cost + 2] |= B.broken[lowest(front)]
                    front &= front - 1


cdef inline void take_afar(const Afar* afar, int when, float* off, int32_t* soon) noexcept nogil:
    """Takes what is sooner."""
    cdef float part
    cdef int32_t whole
    cdef int i
    for i in range(6):
        part = when + afar.part[i]
        off[i] = part if part < off[i] else off[i]
        whole = when + afar.whole[i]
        soon[i] = whole if whole < soon[i] else soon[i]


cdef Left what_is_left(const Board* B, const Recall* R, const Position* P) noexcept nogil:
    """How soon the last borders can be secured."""
    cdef float[6] off
    cdef int32_t[6] soon
    cdef Mask discs = garrison_discs(P)
    cdef Left left
    cdef int count = 0
    cdef int latest = 0
    cdef int e, i, when
    for i in range(6):
        off[i] = NO_WAY
        soon[i] = NO_WAY
    for e in range(4):
        if popcount(P.garrison[e]) >= B.garrisons:
            continue
        when = acts_in(P, e)
        if P.emperor[e] == OFF_BOARD:
            take_afar(&R.afar[P.fleets][B.roma], when, off, soon)
            take_afar(&R.afar[P.fleets][B.capital[e]], when, off, soon)
        else:
            take_afar(&R.afar[P.fleets][P.emperor[e]], when, off, soon)
    left.far = left.all = 0
    for i in range(6):
        if discs >> B.border[i] & 1:
            continue
        count += 1
        left.all += off[i]
        if off[i] > left.far:
            left.far = off[i]
        if soon[i] > latest:
            latest = soon[i]
    left.far /= 12
    left.all /= 36
    left.one = left.farthest = -1
    if count:
        count = AT_LAST + ((count if count < MOST_LEFT else MOST_LEFT) - 1) * LAST_FEATURES
        left.one = count + (latest if latest < MOST_SOON else MOST_SOON)
        left.farthest = count + MOST_SOON + 1
    return left
