# The ends of one turn evaluated, sharing what they have in common.
#
# Most ends differ only in where the active Emperor stands. Away from armies and their ways he changes nothing but his own
# feature and how far he is from borders, so the sums of the hidden layer are kept for the position without him, and his row of
# weights and what is left to do are added.

#
# The walk through the turn has a number for the position without him, its *ground*.

cdef struct Kept:
    float* sums            # of each ground a row of MOST_WIDTH, without his feature
    Afar* others           # how soon the other Emperors can secure borders
    Mask* near             # where he would change more than his own feature
    uint8_t* known         # whether these three have been worked out
    uint32_t capacity
    bint failed            # no memory


cdef void kept_close(Kept* K) noexcept nogil:
    free(K.sums)
    free(K.others)
    free(K.near)
    free(K.known)
    memset(K, 0, sizeof(Kept))


cdef bint kept_clear(Kept* K, uint32_t grounds) noexcept nogil:
    """Nothing is known of so many grounds; False when there is no memory for them."""
    cdef void* rows
    if K.capacity < grounds:
        rows = realloc(K.sums, 2 * <size_t> grounds * MOST_WIDTH * sizeof(float))
        if rows:
            K.sums = <float*> rows
            rows = realloc(K.others, 2 * <size_t> grounds * sizeof(Afar))
        if rows:
            K.others = <Afar*> rows
            rows = realloc(K.near, 2 * <size_t> grounds * sizeof(Mask))
        if rows:
            K.near = <Mask*> rows
            rows = realloc(K.known, 2 * <size_t> grounds)
        if not rows:
            K.failed = True
            return False
        K.known = <uint8_t*> rows
        K.capacity = 2 * grounds
    memset(K.known, 0, grounds)
    return True


cdef double end_value(
    const Board* B, Recall* R, const Network* N, Kept* K, uint32_t ground, const Position* end,
) noexcept nogil:
    """`value_of` the position at the end of the turn of its active Emperor; N is the network of ends."""
    cdef float[MOST_WIDTH] sums
    cdef float* kept = K.sums + <size_t> ground * MOST_WIDTH
    cdef Position rest = end[0]
    cdef Left left
    cdef int place = end.emperor[end.mover]
    rest.ip = 0
    rest.mark = PHASE_BARBARIAN
    if not K.known[ground]:
        soonest_of_others(B, R, &rest, &K.others[ground])
        rest.emperor[end.mover] = OFF_BOARD
        K.near[ground] = sum_up(B, R, N, &rest, kept)
        add_times(kept, N.first + (AT_EMPERORS + 49 * 3 + 48) * N.width, -1, N.width)
        K.known[ground] = True
        rest.emperor[end.mover] = place
    left = left_with(B, R, &rest, &K.others[ground])
    if place == OFF_BOARD or K.near[ground] >> place & 1:
        sum_up(B, R, N, &rest, sums)
        add_left(N, &left, sums, N.width)
        return chance_from(N, sums, N.width)
    if N.width == 4:
        return chance_at(N, kept, place, &left, 4)
    return chance_at(N, kept, place, &left, N.width)


cdef inline double chance_at(const Network* N, const float* kept, int place, const Left* left, int width) noexcept nogil:
    """With his own feature and what is left to do added to the sums of a ground."""
    cdef float[MOST_WIDTH] sums
    cdef int i
    for i in range(width):
        sums[i] = kept[i]
    add_row(sums, N.first + (AT_EMPERORS + 49 * 3 + place) * width, width)
    add_left(N, left, sums, width)
    return chance_from(N, sums, width)
