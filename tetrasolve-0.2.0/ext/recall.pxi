# What was worked out for one position and holds for others: small direct-mapped caches.
#
# Thousands of positions are valued in a turn, and few of them differ in where revolts lie. Where an Emperor can go depends on the
# revolts, the armies and the fleets alone, and how far revolts can grow on the revolts alone.

cdef enum:
    REACHES = 1 << 12      # places in the stores, each at the index that its hash gives
    GROUNDS = 1 << 10
    LEFTS = 1 << 6

cdef struct Reach:
    Mask within[MOST_IP + 1]    # provinces that he can come to for so many IP

cdef struct ReachKept:
    Mask start             # what it was worked out for; 0 where there is nothing
    Mask revolts
    Mask armies
    uint64_t fleets
    Reach reach

cdef struct Ground:        # of a set of revolts
    Mask revolts
    int growth             # links to provinces that an uprising would burn, normal ones twice
    int largest            # revolts of the largest group

cdef enum:
    BORDERS = 8            # there are six; the machine takes eight numbers at once

cdef struct Afar:          # to each border, in turns of all four Emperors: with a part of a turn for a part, and whole ones
    float[BORDERS] part
    int16_t[BORDERS] whole

cdef struct LeftKept:      # what is left to do, by the place of the active Emperor
    uint64_t key           # all else that it depends on: see `key_of_left`; 0 where there is nothing
    Mask known             # places
    Afar others
    double[64] sum         # of the weights, see `linear_left`

cdef struct Recall:
    ReachKept* reaches
    Ground* grounds
    LeftKept* lefts
    Afar[8][48] afar       # by the fleets and the province: see lastborders.pxi


cdef int recall_open(Recall* R) except -1:
    R.reaches = <ReachKept*> calloc(REACHES, sizeof(ReachKept))
    R.grounds = <Ground*> calloc(GROUNDS, sizeof(Ground))
    R.lefts = <LeftKept*> calloc(LEFTS, sizeof(LeftKept))
    if not R.reaches or not R.grounds or not R.lefts:
        raise MemoryError("no capacity to think")
    return 0


cdef void recall_close(Recall* R) noexcept nogil:
    free(R.reaches)
    free(R.grounds)
    free(R.lefts)


cdef void reach_from(const Board* B, const Position* P, Mask start, Reach* reach) noexcept nogil:
    """Where one can go from these provinces, the fleets staying where they are."""
    cdef Mask[MOST_IP + 5] fresh
    cdef Mask seen = 0
    cdef Mask front, near, far, farthest
    cdef int cost, p
    memset(fresh, 0, sizeof(fresh))
    fresh[0] = start & ~P.armies
    for cost in range(full_ip(B) + 1):
        front = fresh[cost] & ~seen
        seen |= front
        reach.within[cost] = seen
        while front:
            p = lowest(front)
            front &= front - 1
            near = near_to(B, p, P.fleets) & ~P.armies
            far = (B.broken[p] | across_two_zones(B, p, P.fleets)) & ~P.armies
            fresh[cost + 1] |= near & ~P.revolts
            fresh[cost + 2] |= (near & P.revolts) | (far & ~P.revolts)
            fresh[cost + 3] |= far & P.revolts
            if WHOLE:
                farthest = across_three_zones(B, p, P.fleets) & ~P.armies
                fresh[cost + 3] |= farthest & ~P.revolts
                fresh[cost + 4] |= farthest & P.revolts


cdef inline uint64_t stirred(uint64_t word) noexcept nogil:
    """The high bits depend on all bits of the word."""
    word *= 0x9E3779B97F4A7C15u
    word ^= word >> 32
    return word * 0xD6E8FEB86659FD93u


cdef inline ReachKept* reach_kept(Recall* R, const Position* P, Mask start) noexcept nogil:
    """Where it is kept if it is known."""
    cdef uint64_t place = stirred(P.revolts * 5 + start * 0xBF58476D1CE4E5B9u + P.armies * 0x94D049BB133111EBu + P.fleets)
    return &R.reaches[place >> 52]


cdef inline const Reach* reach_at(const Board* B, ReachKept* kept, const Position* P, Mask start) noexcept nogil:
    if kept.start != start or kept.revolts != P.revolts or kept.armies != P.armies or kept.fleets != P.fleets:
        kept.start = start
        kept.revolts = P.revolts
        kept.armies = P.armies
        kept.fleets = P.fleets
        reach_from(B, P, start, &kept.reach)
    return &kept.reach


cdef inline const Reach* reach_of(const Board* B, Recall* R, const Position* P, Mask start) noexcept nogil:
    """`reach_from`, worked out or known; good until the next call."""
    return reach_at(B, reach_kept(R, P, start), P, start)


cdef inline const Ground* ground_of(const Board* B, Recall* R, Mask revolts) noexcept nogil:
    """How far these revolts can grow; good until the next call."""
    cdef Ground* ground = &R.grounds[stirred(revolts) >> 54]
    cdef Mask reach = ~(B.borders | revolts)
    cdef Mask rest = revolts & B.numbered
    cdef Mask group
    cdef int p
    if ground.revolts == revolts and revolts:
        return ground
    ground.revolts = revolts
    ground.growth = ground.largest = 0
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        ground.growth += 2 * popcount(B.normal[p] & reach) + popcount(B.broken[p] & reach)
    rest = revolts
    while rest:
        group = connected(B, revolts, rest & (<Mask> 0 - rest))
        rest &= ~group
        if popcount(group) > ground.largest:
            ground.largest = popcount(group)
    return ground
