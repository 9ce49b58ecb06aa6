# Weights of what lies where: a position's worth is their sum.

cdef struct Worth:         # weights of what lies or stands in each province
    double[PROVINCES] revolt
    double[PROVINCES] unrest
    double[4][PROVINCES] garrison
    double[PROVINCES] army
    double[4][PROVINCES] emperor
    double constant        # of a game that is not over
    double won
    double fallen
    double size            # more than the weights of all terms of an expectation together, without their signs
    double[6 * 256] revolts    # see `weigh_whole_bytes`: of a byte of a mask, 256 for the lowest byte, and so on
    double[6 * 256] unrests


cdef inline double largest(double a, double b) noexcept nogil:
    return a if a > b else b


cdef inline double size_of(double a) noexcept nogil:
    return a if a > 0 else -a


cdef int take_weights(double* row, object values, str field) except -1:
    if values is not None:
        for p, weight in enumerate(take_row(values, field, PROVINCES)):
            row[p] = take_int(weight, f"{field}[{p}]", -10**6, 10**6)
    return 0


cdef void fill_bytes(double* sums, const double* weight) noexcept nogil:
    cdef int i, k
    for i in range(6 * 256):
        sums[i] = 0
        for k in range(8):
            if i >> k & 1:
                sums[i] += weight[8 * (i >> 8) + k]


cdef void weigh_whole_bytes(Worth* W) noexcept nogil:
    """Makes ready for `worth_of`."""
    fill_bytes(W.revolts, W.revolt)
    fill_bytes(W.unrests, W.unrest)


cdef int take_worth(Worth* W, object given) except -1:
    """Weights from their tuple, see `Kernel.expect_values`."""
    cdef double most
    cdef int e, p
    memset(W, 0, sizeof(Worth))
    revolt, unrest, garrison, army, emperor, constant, won, fallen = take_row(given, "weights", 8)
    take_weights(W.revolt, revolt, "weights: revolt")
    take_weights(W.unrest, unrest, "weights: unrest")
    take_weights(W.army, army, "weights: army")
    garrison = take_row((None,) * 4 if garrison is None else garrison, "weights: garrison", 4)
    emperor = take_row((None,) * 4 if emperor is None else emperor, "weights: emperor", 4)
    for e in range(4):
        take_weights(W.garrison[e], garrison[e], f"weights: garrison[{e}]")
        take_weights(W.emperor[e], emperor[e], f"weights: emperor[{e}]")
    W.constant = take_int(constant, "weights: constant", -10**9, 10**9)
    W.won = take_int(won, "weights: won", -10**9, 10**9)
    W.fallen = take_int(fallen, "weights: fallen", -10**9, 10**9)
    W.size = size_of(W.constant) + size_of(W.won) + size_of(W.fallen)
    for p in range(PROVINCES):
        most = 0
        for e in range(4):
            most = largest(most, size_of(W.garrison[e][p]))
            W.size += 2 * size_of(W.emperor[e][p])
        W.size += 2 * (size_of(W.revolt[p]) + size_of(W.unrest[p]) + most) + size_of(W.army[p])
    return 0


cdef inline double weigh_bits(const double* weight, Mask where) noexcept nogil:
    cdef double total = 0
    while where:
        total += weight[lowest(where)]
        where &= where - 1
    return total


cdef inline double weigh_bytes(const double* sums, Mask where) noexcept nogil:
    return (
        sums[where & 255] + sums[256 + (where >> 8 & 255)] + sums[512 + (where >> 16 & 255)]
        + sums[768 + (where >> 24 & 255)] + sums[1024 + (where >> 32 & 255)] + sums[1280 + (where >> 40 & 255)])


cdef inline double worth_of(const Worth* W, const Position* P) noexcept nogil:
    """Of an open game."""
    cdef double worth = W.constant + weigh_bytes(W.revolts, P.revolts) + weigh_bytes(W.unrests, P.unrest)
    cdef int e
    worth += weigh_bits(W.army, P.armies)
    for e in range(4):
        worth += weigh_bits(W.garrison[e], P.garrison[e])
        if P.emperor[e] != OFF_BOARD:
            worth += W.emperor[e][P.emperor[e]]
    return worth
