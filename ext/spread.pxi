# Barbarian phase, step 1 (rules, section 5): unrest linked to a revolt becomes a revolt, and so on.
#
# Each broken link is checked at most once, so every way it can go has a chance of so many 2^-k, where k is the number
# of broken links of the board: whole numbers all through.

cdef struct Blaze:         # one way step 1 can go
    Mask revolts
    uint64_t weight        # chance times 2^broken_links

cdef struct Blazes:
    Blaze* rows
    size_t count
    size_t room
    bint failed            # no memory
    Watch* watch           # of the call that they are made for


cdef void blaze_put(Blazes* blazes, Mask revolts, uint64_t weight) noexcept nogil:
    cdef Blaze* rows
    if blazes.count == blazes.room:
        rows = <Blaze*> realloc(blazes.rows, (2 * blazes.room + 64) * sizeof(Blaze))
        if not rows:
            blazes.failed = True
            return
        blazes.rows = rows
        blazes.room = 2 * blazes.room + 64
    blazes.rows[blazes.count].revolts = revolts
    blazes.rows[blazes.count].weight = weight
    blazes.count += 1


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
    const Board* B, Blazes* blazes, Mask revolts, Mask unrest, Mask source, Mask todo, Mask fresh, uint64_t weight,
) noexcept nogil:
    """
    `source` are the revolts whose broken links are being checked, `todo` the unrest behind these links that is still
    to be decided, `fresh` what has become revolt meanwhile: the source of the next wave. All other broken links from
    revolts to unrest have failed their check already.
    """
    cdef uint64_t stays
    cdef Mask burning
    cdef int p
    if spend(blazes.watch, 1):
        return
    while not todo:
        if not fresh:
            blaze_put(blazes, revolts, weight)
            return
        source = fresh
        fresh = 0
        todo = beyond_broken(B, unrest, source)
    p = lowest(todo)
    todo ^= bit(p)
    stays = weight >> popcount(B.broken[p] & source)      # every one of these links fails
    spread_in_waves(B, blazes, revolts, unrest, source, todo, fresh, stays)
    burning = bit(p) | caught(B.normal, unrest ^ bit(p), bit(p))
    spread_in_waves(
        B, blazes, revolts | burning, unrest & ~burning, source, todo & ~burning, fresh | burning, weight - stays)


cdef void spread(const Board* B, Blazes* blazes, Mask revolts, Mask unrest) noexcept nogil:
    """All the ways step 1 can go; the same revolts may come more than once."""
    cdef uint64_t whole = <uint64_t> 1 << B.broken_links
    cdef Mask burning = caught(B.normal, unrest, revolts) if unrest else 0
    blazes.count = 0
    revolts |= burning
    unrest &= ~burning
    if not B.one_roll:
        spread_in_waves(B, blazes, revolts, unrest, revolts, beyond_broken(B, unrest, revolts), 0, whole)
        return
    burning = caught(B.linked, unrest, revolts)           # [I-CHECK] one die for all
    if burning:
        blaze_put(blazes, revolts, whole >> 1)
        blaze_put(blazes, revolts | burning, whole >> 1)
    else:
        blaze_put(blazes, revolts, whole)


cdef int by_revolts(const void* a, const void* b) noexcept nogil:
    cdef Mask x = (<const Blaze*> a).revolts
    cdef Mask y = (<const Blaze*> b).revolts
    return (x > y) - (x < y)


cdef void blazes_merge(Blazes* blazes) noexcept nogil:
    """Equal revolts made one, all in the order of their masks."""
    cdef size_t i
    cdef size_t last = 0
    if blazes.count < 2:
        return
    qsort(blazes.rows, blazes.count, sizeof(Blaze), by_revolts)
    for i in range(1, blazes.count):
        if blazes.rows[i].revolts == blazes.rows[last].revolts:
            blazes.rows[last].weight += blazes.rows[i].weight
        else:
            last += 1
            blazes.rows[last] = blazes.rows[i]
    blazes.count = last + 1


cdef uint64_t uprising_weight(const Board* B, Blazes* blazes, const Position* P) noexcept nogil:
    """The chance that the activity roll after step 1 hits a revolt, times 36 * 2^broken_links (no fall in step 1)."""
    cdef uint64_t total = 0
    cdef size_t i
    spread(B, blazes, P.revolts, P.unrest)
    for i in range(blazes.count):
        if popcount(blazes.rows[i].revolts) <= most_revolts(P):
            total += blazes.rows[i].weight * popcount(blazes.rows[i].revolts & B.numbered)
    return total
