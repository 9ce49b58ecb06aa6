# The ends of one turn evaluated, sharing what they have in common.
#
# Most ends differ only in where the active Emperor stands. Away from armies and their ways he changes nothing but his own
# feature and how far he is from borders, so the sums of the hidden layer are kept for the table without him, and his row of
# weights and what is left to do are added.

cdef struct Kept:
    Book rests             # tables without the active Emperor
    float* sums            # a row of MOST_WIDTH for each
    Mask* near             # where he would change more than his own feature
    uint32_t capacity
    uint32_t known
    bint failed            # no memory


cdef int kept_open(Kept* K) except -1:
    memset(K, 0, sizeof(Kept))
    book_open(&K.rests, False)
    return 0


cdef void kept_close(Kept* K) noexcept nogil:
    book_close(&K.rests)
    free(K.sums)
    free(K.near)
    memset(K, 0, sizeof(Kept))


cdef void kept_clear(Kept* K) noexcept nogil:
    book_clear(&K.rests)
    K.known = 0


cdef bint kept_capacity(Kept* K) noexcept nogil:
    cdef float* sums
    cdef Mask* near
    if K.capacity >= K.rests.capacity:
        return True
    sums = <float*> realloc(K.sums, <size_t> K.rests.capacity * MOST_WIDTH * sizeof(float))
    if sums:
        K.sums = sums
    near = <Mask*> realloc(K.near, <size_t> K.rests.capacity * sizeof(Mask))
    if near:
        K.near = near
    if not sums or not near:
        return False
    K.capacity = K.rests.capacity
    return True


cdef double end_value(const Board* B, Recall* R, const Network* N, Kept* K, const Position* end) noexcept nogil:
    """`value_of` the table as it lies at the end of the turn of its active Emperor; N is the network of ends."""
    cdef float[MOST_WIDTH] sums
    cdef Position rest = end[0]
    cdef int place = end.emperor[end.mover]
    cdef uint32_t known = K.rests.count
    cdef int64_t row
    rest.ip = 0
    rest.mark = PHASE_BARBARIAN
    rest.emperor[end.mover] = OFF_BOARD
    row = book_put(&K.rests, &rest)
    if row == NO_MEMORY or not kept_capacity(K):
        K.failed = True
        return 0
    if K.rests.count > known:
        K.near[row] = sum_up(B, R, N, &rest, K.sums + row * MOST_WIDTH)
    if place != OFF_BOARD and K.near[row] >> place & 1:
        rest.emperor[end.mover] = place
        sum_up(B, R, N, &rest, sums)
    else:
        memcpy(sums, K.sums + row * MOST_WIDTH, N.width * sizeof(float))
        if place != OFF_BOARD:
            add_times(sums, N.first + (AT_EMPERORS + 49 * 3 + 48) * N.width, -1, N.width)
            add_row(sums, N.first + (AT_EMPERORS + 49 * 3 + place) * N.width, N.width)
            rest.emperor[end.mover] = place
    add_left(B, R, N, &rest, sums)
    return chance_from(N, sums)
