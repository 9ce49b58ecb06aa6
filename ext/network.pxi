# The evaluation: features, one hidden layer, one chance of winning.
#
# The first unit of the hidden layer is passed on as it is, the others where they are positive. There are two networks of
# the same shape, one for each moment a position is looked at.

cdef extern from "<math.h>" nogil:
    double exp(double x)


cdef struct Network:
    int width              # of the hidden layer, a multiple of 4
    float* first           # FEATURES rows of `width` weights
    float* bias            # `width` of them
    float* second          # and again
    double constant


cdef inline void add_row(float* sums, const float* row, int width) noexcept nogil:
    cdef int i
    for i in range(width):
        sums[i] += row[i]


cdef inline void add_times(float* sums, const float* row, float times, int width) noexcept nogil:
    cdef int i
    for i in range(width):
        sums[i] += times * row[i]


cdef void add_four(
    const float* first, const uint16_t* list, int count, const float* f, int at, int stop, float* sums,
) noexcept nogil:
    """`add_rows` of four columns, which wait in registers: sums in memory would have to wait for one another."""
    cdef float a = sums[0]
    cdef float b = sums[1]
    cdef float c = sums[2]
    cdef float d = sums[3]
    cdef const float* row
    cdef int i
    for i in range(count):
        row = first + 4 * list[i]
        a += row[0]
        b += row[1]
        c += row[2]
        d += row[3]
    for i in range(stop - at):
        if f[i] != 0:
            row = first + 4 * (at + i)
            a += f[i] * row[0]
            b += f[i] * row[1]
            c += f[i] * row[2]
            d += f[i] * row[3]
    sums[0] = a
    sums[1] = b
    sums[2] = c
    sums[3] = d


cdef inline void add_rows(
    const Network* N, const uint16_t* list, int count, const float* f, int at, int stop, float* sums,
) noexcept nogil:
    """Adds the rows of a list, and those of the features from `at` up to `stop`, whose values are `f`, so many times."""
    cdef int i
    if N.width == 4:
        add_four(N.first, list, count, f, at, stop, sums)
        return
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


cdef Mask sum_up(const Board* B, Recall* R, const Network* N, const Position* P, float* sums) noexcept nogil:
    """The sums of the hidden layer but for what `add_left` adds. Returns what lies around the armies."""
    cdef uint16_t[MOST_SET] list
    cdef float[AT_LAST - AT_COUNTS] f
    cdef int count = list_set(B, P, list)
    cdef Mask near
    memset(f, 0, sizeof(f))
    near = worked_out(B, R, P, f)
    memcpy(sums, N.bias, N.width * sizeof(float))
    add_rows(N, list, count, f, AT_COUNTS, AT_LAST, sums)
    return near


@cython.final
cdef class Networks:
    """The weights of the two networks: for the start of a Roman phase, and for the end of a turn."""

    cdef Network[2] network
    cdef object bytes_kept     # the weights are read from these

    def __cinit__(self, width, start, end):
        cdef int columns = take_int(width, "width", 4, MOST_WIDTH)
        cdef int i
        cdef const float* weights
        if columns % 4:
            raise KernelError(f"width: expected a multiple of 4, got {columns}")
        self.bytes_kept = (bytes(start), bytes(end))
        numbers = (FEATURES + 2) * columns + 1
        for i, name in enumerate(("start", "end")):
            if len(self.bytes_kept[i]) != 4 * numbers:
                raise KernelError(f"{name}: expected {4 * numbers} bytes, got {len(self.bytes_kept[i])}")
            weights = <const float*> <const unsigned char*> (<bytes> self.bytes_kept[i])
            self.network[i].width = columns
            self.network[i].first = <float*> weights
            self.network[i].bias = <float*> weights + FEATURES * columns
            self.network[i].second = <float*> weights + (FEATURES + 1) * columns
            self.network[i].constant = weights[(FEATURES + 2) * columns]

    @property
    def width(self):
        """Units of the hidden layer."""
        return self.network[0].width


cdef inline double value_of(const Board* B, Recall* R, const Network* networks, const Position* P) noexcept nogil:
    """The chance that Rome wins from here."""
    cdef float[MOST_WIDTH] sums
    cdef const Network* N = &networks[P.mark != ROMAN_OPEN]
    cdef Left left
    if P.mark & RESULT_WON:
        return 1
    if P.mark & RESULT_FALLEN:
        return 0
    sum_up(B, R, N, P, sums)
    left = what_is_left(B, R, P)
    add_left(N, &left, sums, N.width)
    return chance_from(N, sums, N.width)
