# Barbarian phase, step 1 (rules, section 5): unrest linked to a revolt becomes a revolt, and so on.
#
# Each broken link is checked at most once, so every way it can go has a chance of so many 2^-k, where k is the number
# of broken links of the board: whole numbers all through.

cdef struct SpreadOutcome:         # one way step 1 can go
    Mask revolts
    uint64_t weight        # chance times 2^broken_links

cdef struct SpreadOutcomes:
    SpreadOutcome* rows
    size_t count
    size_t capacity
    bint failed            # no memory
    Watch* watch           # of the call that they are made for


cdef void spread_put(SpreadOutcomes* outcomes, Mask revolts, uint64_t weight) noexcept nogil:
    cdef SpreadOutcome* rows
    if outcomes.count == outcomes.capacity:
        rows = <SpreadOutcome*> realloc(outcomes.rows, (2 * outcomes.capacity + 64) * sizeof(SpreadOutcome))
        if not rows:
            outcomes.failed = True
            return
        outcomes.rows = rows
        outcomes.capacity = 2 * outcomes.capacity + 64
    outcomes.rows[outcomes.count].revolts = revolts
    outcomes.rows[outcomes.count].weight = weight
    outcomes.count += 1


cdef inline Mask caught(const Mask* links, Mask unrest, Mask front) noexcept nogil:
    """The unrest that is reached from `front` through `links` and through unrest reached before."""
    cdef Mask found = 0
    cdef Mask todo = unrest
    cdef Mask near
    while todo:                                      # mostly less unrest than revolts, so it is gone through
        near = links[lowest(todo)]
        if near & (front | found):
            found |= todo & (<Mask> 0 - todo)
            todo = (todo & (todo - 1)) | (near & unrest & ~found)
        else:
            todo &= todo - 1
    return found


cdef inline Mask beyond_broken(const Board* B, Mask unrest, Mask front) noexcept nogil:
    """The unrest one broken link away from `front`."""
    cdef Mask found = 0
    while front:
        found |= B.broken[lowest(front)]
        front &= front - 1
    return found & unrest


cdef void spread_in_waves(
    const Board* B, SpreadOutcomes* outcomes, Mask revolts, Mask unrest, Mask source, Mask todo, Mask fresh, uint64_t weight,
) noexcept nogil:
    """
    `source` are the revolts whose broken links are being checked, `todo` the unrest behind these links that is still
    to be decided, `fresh` what has become revolt meanwhile: the source of the next wave. All other broken links from
    revolts to unrest have failed their check already.
    """
    cdef uint64_t stays
    cdef Mask burning
    cdef int p
    if spend(outcomes.watch, 1):
        return
    while not todo:
        if not fresh:
            spread_put(outcomes, revolts, weight)
            return
        source = fresh
        fresh = 0
        todo = beyond_broken(B, unrest, source)
    p = lowest(todo)
    todo ^= bit(p)
    stays = weight >> popcount(B.broken[p] & source)      # every one of these links fails
    spread_in_waves(B, outcomes, revolts, unrest, source, todo, fresh, stays)
    burning = bit(p) | caught(B.normal, unrest ^ bit(p), bit(p))
    spread_in_waves(
        B, outcomes, revolts | burning, unrest & ~burning, source, todo & ~burning, fresh | burning, weight - stays)


cdef void spread(const Board* B, SpreadOutcomes* outcomes, Mask revolts, Mask unrest) noexcept nogil:
    """All the ways step 1 can go; the same revolts may come more than once."""
    cdef uint64_t whole = <uint64_t> 1 << B.broken_links
    cdef Mask burning = caught(B.normal, unrest, revolts) if unrest else 0
    outcomes.count = 0
    revolts |= burning
    unrest &= ~burning
    if not B.reading[I_CHECK]:
        spread_in_waves(B, outcomes, revolts, unrest, revolts, beyond_broken(B, unrest, revolts), 0, whole)
        return
    burning = caught(B.linked, unrest, revolts)           # [I-CHECK] one die for all
    if burning:
        spread_put(outcomes, revolts, whole >> 1)
        spread_put(outcomes, revolts | burning, whole >> 1)
    else:
        spread_put(outcomes, revolts, whole)


cdef int by_revolts(const void* a, const void* b) noexcept nogil:
    cdef Mask x = (<const SpreadOutcome*> a).revolts
    cdef Mask y = (<const SpreadOutcome*> b).revolts
    return (x > y) - (x < y)


cdef void spread_merge(SpreadOutcomes* outcomes) noexcept nogil:
    """Equal revolts made one, all in the order of their masks."""
    cdef size_t i
    cdef size_t last = 0
    if outcomes.count < 2:
        return
    qsort(outcomes.rows, outcomes.count, sizeof(SpreadOutcome), by_revolts)
    for i in range(1, outcomes.count):
        if outcomes.rows[i].revolts == outcomes.rows[last].revolts:
            outcomes.rows[last].weight += outcomes.rows[i].weight
        else:
            last += 1
            outcomes.rows[last] = outcomes.rows[i]
    outcomes.count = last + 1


cdef inline double spread_unit(const Board* B) noexcept nogil:
    """The chance of an outcome of weight 1."""
    return 1.0 / (<uint64_t> 1 << B.broken_links)


cdef inline void remove_burnt(Position* P) noexcept nogil:
    """Who stands on a revolt is removed."""
    cdef int i
    for i in range(4):
        if P.revolts >> P.emperor[i] & 1:
            P.emperor[i] = OFF_BOARD
    remove_burnt_figures(P)


cdef uint64_t uprising_weight(const Board* B, SpreadOutcomes* outcomes, const Position* P) noexcept nogil:
    """The chance that the activity roll after step 1 hits a revolt, times 36 * 2^broken_links (no fall in step 1)."""
    cdef uint64_t total = 0
    cdef size_t i
    spread(B, outcomes, P.revolts, P.unrest)
    for i in range(outcomes.count):
        if popcount(outcomes.rows[i].revolts) <= most_revolts(B, P):
            total += outcomes.rows[i].weight * popcount(outcomes.rows[i].revolts & B.numbered)
    return total
