# The evaluation: features, one hidden layer, one chance of winning.
#
# The first unit of the hidden layer is passed on as it is, the others where they are positive. There are two networks of
# the same shape, one for each moment a position is looked at. Units whose weight in the second layer is 0 are left out when
# the weights are read. Where the first one is left alone the evaluation is *linear*: then what a position is worth is a sum of
# double precision with tables for whole bytes of masks, of which parts are kept from one position to the next.

cdef extern from "<math.h>" nogil:
    double exp(double x)


cdef struct Linear:        # an evaluation by the first unit alone
    double[6 * 256] revolts    # see `fill_bytes`
    double[6 * 256] unrests
    double[6 * 256] garrisons
    double[FEATURES] weight
    double bias

cdef struct Network:
    int width              # of the hidden layer without units of no weight: 1, or a multiple of 4
    float* first           # FEATURES rows of `width` weights
    float* bias            # `width` of them
    float* second          # and again
    double constant
    Linear* linear         # where the width is 1, else NULL


cdef inline void add_row(float* sums, const float* row, int width) noexcept nogil:
    cdef int i
    for i in range(width):
        sums[i] += row[i]


cdef inline void add_times(float* sums, const float* row, float times, int width) noexcept nogil:
    cdef int i
    for i in range(width):
        sums[i] += times * row[i]


cdef inline void add_rows(
    const Network* N, const uint16_t* list, int count, const float* f, int at, int stop, float* sums,
) noexcept nogil:
    """Adds the rows of a list, and those of the features from `at` up to `stop`, whose values are `f`, so many times."""
    cdef int i
    for i in range(count):
        add_row(sums, N.first + list[i] * N.width, N.width)
    for i in range(stop - at):
        if f[i] != 0:
            add_times(sums, N.first + (at + i) * N.width, f[i], N.width)


cdef inline double chance_from(const Network* N, const float* sums, int width) noexcept nogil:
    """The chance of winning from the sums of the hidden layer. The compiler writes out its loops where it knows the width."""
    cdef double total = N.constant + sums[0] * N.second[0]
    cdef float part = 0
    cdef int i
    for i in range(1, width):
        part += (sums[i] if sums[i] > 0 else 0) * N.second[i]
    total += part
    return 1 / (1 + exp(-total))


cdef inline void add_left(const Network* N, const Left* left, float* sums, int width) noexcept nogil:
    """Adds what is left to do."""
    if left.one >= 0:
        add_row(sums, N.first + left.one * width, width)
        add_times(sums, N.first + left.farthest * width, left.far, width)
        add_times(sums, N.first + (left.farthest + 1) * width, left.all, width)


cdef inline Mask add_modules(const Board* B, Recall* R, const Network* N, const Position* P, float* sums) noexcept nogil:
    """Adds the features of modules and rebels. Returns where an Emperor would change more of them."""
    cdef float[MODULE_FEATURES + 1 - WHOLE] f
    cdef Mask near
    if not WHOLE or not has_modules(B, P):
        return 0
    memset(f, 0, sizeof(f))
    near = module_features(B, R, P, f)
    add_rows(N, NULL, 0, f, AT_MODULES, FEATURES, sums)
    return near


cdef Mask sum_up(const Board* B, Recall* R, const Network* N, const Position* P, float* sums) noexcept nogil:
    """
    The sums of the hidden layer but for what `add_left` adds. Returns where the Emperor whose turn ends, off the board in `P`,
    would change more than his own feature and what is left to do.
    """
    cdef Ahead ahead
    cdef uint16_t[MOST_SET] list
    cdef float[AT_LAST - AT_COUNTS] f
    cdef int count = list_set(B, P, list)
    memset(f, 0, sizeof(f))
    worked_out(B, R, P, f, &ahead)
    memcpy(sums, N.bias, N.width * sizeof(float))
    add_rows(N, list, count, f, AT_COUNTS, AT_LAST, sums)
    return ahead.near | add_modules(B, R, N, P, sums)


# A linear evaluation

cdef void linear_open(Linear* L, const Network* N) noexcept nogil:
    """From a network of width 1."""
    cdef int i
    for i in range(FEATURES):
        L.weight[i] = N.first[i]
    L.bias = N.bias[0]
    fill_bytes(L.revolts, L.weight + AT_REVOLTS)
    fill_bytes(L.unrests, L.weight + AT_UNREST)
    fill_bytes(L.garrisons, L.weight + AT_GARRISONS)


cdef inline double weigh_row(const double* weight, const float* f, int count) noexcept nogil:
    cdef double total = 0
    cdef int i
    for i in range(count):
        total += weight[i] * f[i]
    return total


cdef double linear_flat(const Board* B, Recall* R, const Linear* L, const Position* P) noexcept nogil:
    """The sum of the features before AT_ACTORS."""
    cdef uint16_t[MOST_PLACES] list
    cdef float[COUNTS] f
    cdef double total = (
        L.bias + weigh_bytes(L.revolts, P.revolts) + weigh_bytes(L.unrests, P.unrest)
        + weigh_bytes(L.garrisons, garrison_discs(P)) + weigh_bits(L.weight + AT_ARMIES, P.armies))
    cdef int i
    for i in range(list_places(B, P, list)):
        total += L.weight[list[i]]
    count_features(B, R, P, f)
    return total + weigh_row(L.weight + AT_COUNTS, f, COUNTS)


cdef double linear_modules(const Board* B, Recall* R, const Linear* L, const Position* P, Mask* near) noexcept nogil:
    """The sum of the features of modules and rebels; adds to `near` where an Emperor would change more of them."""
    cdef float[MODULE_FEATURES + 1 - WHOLE] f
    if not has_modules(B, P):
        return 0
    memset(f, 0, sizeof(f))
    near[0] |= module_features(B, R, P, f)
    return weigh_row(L.weight + AT_MODULES, f, MODULE_FEATURES)


cdef double linear_ahead(const Board* B, Recall* R, const Linear* L, const Position* P, Ahead* ahead) noexcept nogil:
    """The sum of the features from AT_ACTORS up to AT_LAST; sets `ahead`, if wanted: see `look_ahead`."""
    cdef float[AT_LAST - AT_ACTORS] row
    cdef float* f = row
    cdef Mask near = 0
    cdef double total = 0
    if ahead:
        f = ahead.f
    memset(f, 0, sizeof(row))
    look_ahead(B, R, P, f, ahead)
    if WHOLE:
        total = linear_modules(B, R, L, P, &near)
        if ahead:
            ahead.near |= near
            ahead.ways |= near
    return weigh_ahead(L, f, P.armies != 0, total)


cdef inline double weigh_ahead(const Linear* L, const float* f, bint armies, double total) noexcept nogil:
    """Adds to a total the features from AT_ACTORS up to AT_LAST, on a board with armies or without."""
    cdef int i
    if armies:
        return total + weigh_row(L.weight + AT_ACTORS, f, AT_LAST - AT_ACTORS)
    for i in range(ACTORS):
        total += weigh_row(L.weight + AT_ACTORS + i * ACTOR_FEATURES, f + i * ACTOR_FEATURES, WITHOUT_ARMIES)
    return total + weigh_row(L.weight + AT_FALLS, f + (AT_FALLS - AT_ACTORS), FALLS)


cdef uint64_t key_of_left(const Board* B, const Position* P) noexcept nogil:
    """What `what_is_left` depends on but for the place of the active Emperor; not 0. Bit 0: at the end of a turn."""
    cdef Mask discs = garrison_discs(P)
    cdef uint64_t key = 1
    cdef int i
    for i in range(6):
        key = key << 1 | (discs >> B.border[i] & 1)
    for i in range(4):
        key = key << 1 | (garrisons_left(B, P, i) <= 0)
    for i in range(1, 4):
        key = key << 6 | P.emperor[(P.mover + i) & 3]
    return key << 6 | P.fleets << 3 | P.mover << 1 | (P.mark != ROMAN_OPEN)


cdef inline double linear_left(
    const Board* B, Recall* R, const Linear* L, const Position* P, uint64_t key, int place,
) noexcept nogil:
    """The sum of the features from AT_LAST on, with the active Emperor in `place`; `key` is that of the position."""
    cdef LeftKept* kept = &R.lefts[stirred(key) >> 58]
    if kept.key != key or not kept.known >> place & 1:
        keep_left(B, R, L, P, key, place, kept)
    return kept.sum[place]


cdef void keep_left(
    const Board* B, Recall* R, const Linear* L, const Position* P, uint64_t key, int place, LeftKept* kept,
) noexcept nogil:
    cdef Position there = P[0]
    cdef Left left
    there.emperor[P.mover] = place
    there.mark = PHASE_BARBARIAN if key & 1 else ROMAN_OPEN
    if kept.key != key:
        kept.key = key
        kept.known = 0
        soonest_of_others(B, R, &there, &kept.others)
    left = left_with(B, R, &there, &kept.others)
    kept.known |= bit(place)
    kept.sum[place] = 0
    if left.one >= 0:
        kept.sum[place] = (
            L.weight[left.one] + L.weight[left.farthest] * left.far + L.weight[left.farthest + 1] * left.all)


cdef inline double linear_chance(const Network* N, double sum) noexcept nogil:
    return 1 / (1 + exp(-(N.constant + sum * N.second[0])))


@cython.final
cdef class Networks:
    """The weights of the two networks: for the start of a Roman phase, and for the end of a turn."""

    cdef Network[2] network
    cdef readonly int width    # units of the hidden layer, those of no weight among them

    def __cinit__(self, width, start, end):
        cdef bytes numbers
        self.width = take_int(width, "width", 4, MOST_WIDTH)
        if self.width % 4:
            raise KernelError(f"width: expected a multiple of 4, got {self.width}")
        size = 4 * ((FEATURES + 2) * self.width + 1)
        for i, (name, part) in enumerate((("start", start), ("end", end))):
            numbers = bytes(part)
            if len(numbers) != size:
                raise KernelError(f"{name}: expected {size} bytes, got {len(numbers)}")
            network_open(&self.network[i], <const float*> <const unsigned char*> numbers, self.width)

    def __dealloc__(self):
        for i in range(2):
            free(self.network[i].first)
            free(self.network[i].linear)


cdef int network_open(Network* N, const float* numbers, int columns) except -1:
    """Takes the weights of the units that count: the first, and those that have a weight in the second layer."""
    cdef const float* second = numbers + (FEATURES + 1) * columns
    cdef int[MOST_WIDTH] units
    cdef int count = 0
    cdef int i, k
    for i in range(columns):
        if i == 0 or second[i] != 0:
            units[count] = i
            count += 1
    N.width = 1 if count == 1 else (count + 3) / 4 * 4
    N.first = <float*> calloc((FEATURES + 2) * N.width, sizeof(float))
    if not N.first:
        raise MemoryError("no memory for networks")
    for i in range(FEATURES + 2):
        for k in range(count):
            N.first[i * N.width + k] = numbers[i * columns + units[k]]
    N.bias = N.first + FEATURES * N.width
    N.second = N.first + (FEATURES + 1) * N.width
    N.constant = numbers[(FEATURES + 2) * columns]
    if N.width == 1:
        N.linear = <Linear*> malloc(sizeof(Linear))
        if not N.linear:
            raise MemoryError("no memory for networks")
        linear_open(N.linear, N)
    return 0


cdef inline double value_of(const Board* B, Recall* R, const Network* networks, const Position* P) noexcept nogil:
    """The chance that Rome wins from here."""
    cdef float[MOST_WIDTH] sums
    cdef const Network* N = &networks[P.mark != ROMAN_OPEN]
    cdef Left left
    cdef double sum
    if P.mark & RESULT_WON:
        return 1
    if P.mark & RESULT_FALLEN:
        return 0
    if N.linear:
        sum = linear_flat(B, R, N.linear, P) + linear_ahead(B, R, N.linear, P, NULL)
        sum += linear_left(B, R, N.linear, P, key_of_left(B, P), P.emperor[P.mover])
        return linear_chance(N, sum)
    sum_up(B, R, N, P, sums)
    left = what_is_left(B, R, P)
    add_left(N, &left, sums, N.width)
    return chance_from(N, sums, N.width)
