# The ends of one turn evaluated, sharing what they have in common.
#
# Most ends differ only in where the active Emperor stands. Where he is in the way of no army, and beside none that others can
# attack, he changes nothing but his own feature and how far he is from borders, so the sums of the hidden layer are kept for the
# position without him, and his row of weights and what is left to do are added. Elsewhere the features up to AT_ACTORS are still
# shared.
#
# The walk through the turn has a number for the position without him, its *ground*.

cdef struct KeptGround:
    Mask near              # where he would change more than his own feature,
    Mask ways              # and where also more than what `beside_armies` changes
    bint known             # whether the rest has been worked out
    Afar others            # how soon the other Emperors can secure borders,
    uint64_t key           # or where the evaluation is linear, see `key_of_left`,
    double flat            # and the sums without his feature: up to AT_ACTORS
    double sum             # and up to AT_LAST

cdef struct Kept:
    KeptGround* ground
    float* sums            # of each ground a row without his feature; not where the evaluation is linear,
    Ahead* ahead           # but there this
    uint32_t capacity
    bint failed            # no memory


cdef void kept_close(Kept* K) noexcept nogil:
    free(K.ground)
    free(K.sums)
    free(K.ahead)
    memset(K, 0, sizeof(Kept))


cdef bint kept_clear(Kept* K, uint32_t grounds, const Network* N) noexcept nogil:
    """Nothing is known of so many grounds; False when there is no memory for them."""
    cdef void* rows
    cdef uint32_t i
    if K.capacity < grounds:
        rows = realloc(K.ground, 2 * <size_t> grounds * sizeof(KeptGround))
        if rows:
            K.ground = <KeptGround*> rows
            if N.linear:
                rows = realloc(K.ahead, 2 * <size_t> grounds * sizeof(Ahead))
            else:
                rows = realloc(K.sums, 2 * <size_t> grounds * N.width * sizeof(float))
        if not rows:
            K.failed = True
            return False
        if N.linear:
            K.ahead = <Ahead*> rows
        else:
            K.sums = <float*> rows
        K.capacity = 2 * grounds
    for i in range(grounds):
        K.ground[i].known = False
    return True


cdef inline double end_value(
    const Board* B, Recall* R, const Network* N, Kept* K, uint32_t ground, const Position* end,
) noexcept nogil:
    """`value_of` the position at the end of the turn of its active Emperor; N is the network of ends."""
    cdef KeptGround* kept = &K.ground[ground]
    cdef int place = end.emperor[end.mover]
    cdef double sum
    if not N.linear:
        return end_by_layer(B, R, N, kept, K.sums + <size_t> ground * N.width, end)
    if not kept.known:
        keep_ground(B, R, N.linear, kept, &K.ahead[ground], end)
    if place == OFF_BOARD or not kept.near >> place & 1:
        sum = kept.sum
    elif kept.ways >> place & 1:
        sum = end_near(B, R, N.linear, kept, end)
    else:
        sum = end_beside(B, N.linear, kept, &K.ahead[ground], place)
    sum += N.linear.weight[AT_EMPERORS + 49 * 3 + (48 if place == OFF_BOARD else place)]
    return linear_chance(N, sum + linear_left(B, R, N.linear, end, kept.key, place))


cdef inline void as_end(Position* rest, const Position* end) noexcept nogil:
    """At the end of the turn, whether it has been ended or not."""
    rest[0] = end[0]
    end_turn(rest)


cdef void keep_ground(
    const Board* B, Recall* R, const Linear* L, KeptGround* kept, Ahead* ahead, const Position* end,
) noexcept nogil:
    """What its ends have in common; the active Emperor of `end` may stand anywhere."""
    cdef Position rest
    as_end(&rest, end)
    rest.emperor[end.mover] = OFF_BOARD
    kept.key = key_of_left(B, &rest)
    kept.flat = linear_flat(B, R, L, &rest) - L.weight[AT_EMPERORS + 49 * 3 + 48]
    kept.sum = kept.flat + linear_ahead(B, R, L, &rest, ahead)
    kept.near = ahead.near
    kept.ways = ahead.ways
    kept.known = True


cdef double end_near(const Board* B, Recall* R, const Linear* L, KeptGround* kept, const Position* end) noexcept nogil:
    """The sum without his feature where he stands in the way of an army."""
    cdef Position rest
    as_end(&rest, end)
    return kept.flat + linear_ahead(B, R, L, &rest, NULL)


cdef double end_beside(const Board* B, const Linear* L, const KeptGround* kept, const Ahead* ahead, int place) noexcept nogil:
    """The sum without his feature where he stands beside armies."""
    cdef float[AT_LAST - AT_ACTORS] f
    beside_armies(B, ahead, place, f)
    return kept.flat + weigh_ahead(L, f, True, 0)


cdef double end_by_layer(
    const Board* B, Recall* R, const Network* N, KeptGround* kept, float* shared, const Position* end,
) noexcept nogil:
    """The value with all units; `shared` are the sums of the ground."""
    cdef float[MOST_WIDTH] sums
    cdef Position rest
    cdef Left left
    cdef int place = end.emperor[end.mover]
    as_end(&rest, end)
    if not kept.known:
        soonest_of_others(B, R, &rest, &kept.others)
        rest.emperor[end.mover] = OFF_BOARD
        kept.near = sum_up(B, R, N, &rest, shared)
        add_times(shared, N.first + (AT_EMPERORS + 49 * 3 + 48) * N.width, -1, N.width)
        kept.known = True
        rest.emperor[end.mover] = place
    left = left_with(B, R, &rest, &kept.others)
    if place == OFF_BOARD or kept.near >> place & 1:
        sum_up(B, R, N, &rest, sums)
    else:
        memcpy(sums, shared, N.width * sizeof(float))
        add_row(sums, N.first + (AT_EMPERORS + 49 * 3 + place) * N.width, N.width)
    add_left(N, &left, sums, N.width)
    return chance_from(N, sums, N.width)
