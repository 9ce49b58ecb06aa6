# The Barbarian phase (rules, section 5): every outcome with its chance, exactly.
#
# Step 1 is spread.pxi, step 3 is advance.pxi. Step 2, the activity, is a chain: an uprising may be followed by another
# roll (its *echo*). Until the chain ends discs come in one way only: an uprising adds revolts, which replace what lay
# there. So after an uprising the revolts tell the whole table, and tables can be taken in order of the number of their
# revolts, equal ones merged. The only way back is an uprising that changes nothing: it repeats the same echo roll, and
# a table that is reached f times from others and repeats with chance s is met f / (1 - s) times in all, exactly.

cdef inline Mask unrest_left_by(const Sweep* S, Mask revolts) noexcept nogil:
    return S.start.unrest & ~revolts


cdef inline Mask protected_from(const Sweep* S, Mask revolts) noexcept nogil:
    """Provinces with a garrison or an uncovered printed disc."""
    cdef Mask garrisons = garrison_discs(&S.start) & ~revolts
    return garrisons | (S.board.printed_any & ~(revolts | S.start.unrest))


cdef inline void rise(Sweep* S, Mask revolts, int p, double chance, bint repeats) noexcept nogil:
    """
    An uprising in `p` and all it can leave behind: a revolt in every Roman province linked to it. Where nothing changes
    it is left out if `repeats`, since the caller has closed that loop.
    """
    cdef const Board* B = S.board
    cdef Mask reach = ~(B.borders | revolts)
    cdef Mask doubtful = B.broken[p] & reach
    cdef Mask part = doubtful
    cdef Mask after
    revolts |= B.normal[p] & reach
    chance /= 2 if B.one_roll and doubtful else 1 << popcount(doubtful)
    repeats = repeats and not B.normal[p] & reach
    while True:                                      # each set of broken links that hold, down to the empty one
        after = revolts | part
        if not (repeats and not part):
            if popcount(after) > MOST_DISCS:
                visit_fall(S, chance)
            else:
                echo_put(S, after, chance)
        if not part:
            return
        part = 0 if B.one_roll else (part - 1) & doubtful


cdef inline void quiet_activity(Sweep* S, Mask revolts, Mask rolled, double chance) noexcept nogil:
    """A roll of each province in `rolled` where no revolt lies; `chance` is that of one province."""
    cdef Mask unrest = unrest_left_by(S, revolts)
    cdef Mask safe = protected_from(S, revolts) & rolled
    cdef Mask rest = rolled & ~(revolts | unrest | safe)
    cdef bint unrest_full = popcount(unrest) == MOST_DISCS
    cdef bint revolts_full = popcount(revolts) == MOST_DISCS
    cdef Mask struck
    if safe:
        advance(S, revolts, unrest, NO_FRESH_ARMY, chance * popcount(safe))
    if unrest_full and rest:
        visit_fall(S, chance * popcount(rest))
        rest = 0
    while rest:                                      # no disc: unrest
        struck = rest & (<Mask> 0 - rest)
        advance(S, revolts, unrest | struck, NO_FRESH_ARMY, chance)
        rest ^= struck
    rest = unrest & rolled
    if revolts_full and rest:
        visit_fall(S, chance * popcount(rest))
        rest = 0
    while rest:                                      # unrest: revolt
        struck = rest & (<Mask> 0 - rest)
        advance(S, revolts | struck, unrest ^ struck, NO_FRESH_ARMY, chance)
        rest ^= struck


cdef inline void first_activity(Sweep* S, Mask revolts, double chance) noexcept nogil:
    cdef Mask hits = revolts & S.board.numbered
    quiet_activity(S, revolts, S.board.numbered, chance / 36)
    S.p_uprising += chance * popcount(hits) / 36
    S.e_uprisings += chance * popcount(hits) / 36
    while hits:
        rise(S, revolts, lowest(hits), chance / 36, False)
        hits &= hits - 1


cdef inline void echo_activity(Sweep* S, Mask revolts, double inflow) noexcept nogil:
    """What follows the uprisings that have left these revolts."""
    cdef const Board* B = S.board
    cdef Mask hits = revolts & S.closed
    cdef Mask reach = ~(B.borders | revolts)
    cdef Mask rest, doubtful
    cdef double repeats = 0
    cdef double met
    cdef int i, p
    if not S.army_left:                              # no echo
        advance(S, revolts, unrest_left_by(S, revolts), NO_FRESH_ARMY, inflow)
        return
    rest = hits
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if not B.normal[p] & reach:
            doubtful = B.broken[p] & reach
            repeats += 1.0 / (2 if B.one_roll and doubtful else 1 << popcount(doubtful))
    met = inflow / (1 - repeats / 36)
    S.e_uprisings += met * popcount(hits) / 36
    for i in range(6):
        if not S.closed & B.region[i]:               # the border is empty: an army
            S.p_new_army += met / 6
            advance(S, revolts, unrest_left_by(S, revolts), i, met / 6)
    quiet_activity(S, revolts, S.closed, met / 36)
    while hits:
        rise(S, revolts, lowest(hits), met / 36, True)
        hits &= hits - 1


cdef int by_revolts(const void* a, const void* b) noexcept nogil:
    cdef Mask x = (<const Blaze*> a).revolts
    cdef Mask y = (<const Blaze*> b).revolts
    return (x > y) - (x < y)


cdef int emperors_on(const Position* P, Mask where) noexcept nogil:
    """The set of Emperors who stand there, bit i for Emperor i."""
    cdef int i
    cdef int found = 0
    for i in range(4):
        found |= (where >> P.emperor[i] & 1) << i
    return found


cdef void after_removal(Sweep* S, const Position* table, int removed) noexcept nogil:
    """Sets up steps 2 and 3 for the branches of step 1 that remove this set of Emperors."""
    cdef const Board* B = S.board
    cdef Mask taken
    cdef int i
    S.start = table[0]
    for i in range(4):
        if removed >> i & 1:
            S.start.emperor[i] = OFF_BOARD
    S.start.mover = (table.mover + 1) & 3
    S.start.ip = FULL_IP
    S.start.mark = ROMAN_OPEN
    S.leaf = S.start
    S.army_left = popcount(S.start.armies) < MOST_ARMIES
    S.closed = 0
    taken = S.start.armies | all_emperors(&S.start) | all_discs(&S.start)
    for i in range(6):
        if taken & bit(B.border[i]):
            S.closed |= B.region[i]
    for i in range(7):
        S.marches[i].ready = False


cdef void sweep(Sweep* S, const Board* B, const Position* table) noexcept nogil:
    """Adds all outcomes of the phase to the figures of `S`, and to its book if it gathers."""
    cdef Blaze* blaze
    cdef double unit = 1.0 / (<uint64_t> 1 << B.broken_links)
    cdef int groups = 0
    cdef size_t i
    cdef int removed, size
    cdef uint32_t echo
    cdef uint64_t weight
    S.board = B
    spread(B, &S.blazes, table.revolts, table.unrest)
    if S.blazes.failed:
        S.failed = True
        return
    if S.blazes.count > 2:
        qsort(S.blazes.rows, S.blazes.count, sizeof(Blaze), by_revolts)
    for i in range(S.blazes.count):
        groups |= 1 << emperors_on(table, S.blazes.rows[i].revolts)
    for removed in range(16):
        if not groups >> removed & 1:
            continue
        after_removal(S, table, removed)
        if S.echoes:
            echo_clear(S)
        weight = 0
        for i in range(S.blazes.count):
            blaze = &S.blazes.rows[i]
            if emperors_on(table, blaze.revolts) != removed:
                continue
            weight += blaze.weight                   # equal revolts are neighbours: taken together
            if i + 1 < S.blazes.count and blaze.revolts == (blaze + 1).revolts:
                continue
            if popcount(blaze.revolts) > MOST_DISCS:
                visit_fall(S, weight * unit)
            else:
                first_activity(S, blaze.revolts, weight * unit)
            weight = 0
        for size in range(MOST_DISCS + 1):
            echo = S.first[size]
            while echo:
                echo_activity(S, S.echo[echo - 1].revolts, S.echo[echo - 1].inflow)
                echo = S.echo[echo - 1].next


cdef void sweep_restart(Sweep* S, bint gather) noexcept nogil:
    """Figures at zero, the book empty."""
    S.gather = gather
    S.visits = 0
    S.p_uprising = S.e_uprisings = S.p_lost = S.p_new_army = S.e_revolts = 0
    S.failed = S.blazes.failed = False
    if S.book.count:
        book_clear(&S.book)


@cython.final
cdef class _Scratch:
    """The memory of a sweep, kept by a kernel from one call to the next."""

    cdef Sweep sweep

    def __cinit__(self):
        sweep_open(&self.sweep)

    def __dealloc__(self):
        sweep_close(&self.sweep)
