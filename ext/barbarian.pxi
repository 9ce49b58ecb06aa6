# The Barbarian phase (rules, section 5): every outcome with its chance, exactly.
#
# Step 1 is spread.pxi, step 3 is advance.pxi. Step 2, the activity, is a chain: an uprising may be followed by another
# roll (its *echo*). Until the chain ends discs come in one way only: an uprising adds revolts, which replace what lay
# there. So after an uprising the revolts tell the whole table, and tables can be taken in order of the number of their
# revolts, equal ones merged. The only way back is an uprising that changes nothing: it repeats the same echo roll, and
# a table that is reached f times from others and repeats with chance s is met f / (1 - s) times in all, exactly.

cdef enum:
    STEP_TICKS = 30        # for all that follows from one table of step 2


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
                visit_fall(S, NO_REVOLT_LEFT, chance)
            else:
                echo_put(&S.echoes, after, chance)
        if not part:
            return
        part = 0 if B.one_roll else (part - 1) & doubtful


cdef inline void rise_in_each(Sweep* S, Mask revolts, Mask hits, double chance, bint repeats) noexcept nogil:
    """An uprising in each of the provinces `hits`; `chance` is that of one."""
    while hits:
        rise(S, revolts, lowest(hits), chance, repeats)
        hits &= hits - 1


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
        visit_fall(S, NO_UNREST_LEFT, chance * popcount(rest))
        rest = 0
    while rest:                                      # no disc: unrest
        struck = rest & (<Mask> 0 - rest)
        advance(S, revolts, unrest | struck, NO_FRESH_ARMY, chance)
        rest ^= struck
    rest = unrest & rolled
    if revolts_full and rest:
        visit_fall(S, NO_REVOLT_LEFT, chance * popcount(rest))
        rest = 0
    while rest:                                      # unrest: revolt
        struck = rest & (<Mask> 0 - rest)
        advance(S, revolts | struck, unrest ^ struck, NO_FRESH_ARMY, chance)
        rest ^= struck


cdef inline void first_activity(Sweep* S, Mask revolts, double chance) noexcept nogil:
    cdef Mask hits = revolts & S.board.numbered
    quiet_activity(S, revolts, S.board.numbered, chance / 36)
    S.figures.p_uprising += chance * popcount(hits) / 36
    S.figures.e_uprisings += chance * popcount(hits) / 36
    rise_in_each(S, revolts, hits, chance / 36, False)


cdef inline double repeats_of(const Sweep* S, Mask revolts) noexcept nogil:
    """The chance, in 36ths, that the echo roll leads to an uprising that changes nothing."""
    cdef const Board* B = S.board
    cdef Mask reach = ~(B.borders | revolts)
    cdef Mask rest = revolts & S.closed
    cdef Mask doubtful
    cdef double repeats = 0
    cdef int p
    if not S.army_left:                              # no echo
        return 0
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if not B.normal[p] & reach:
            doubtful = B.broken[p] & reach
            repeats += 1.0 / (2 if B.one_roll and doubtful else 1 << popcount(doubtful))
    return repeats


cdef inline void echo_activity(Sweep* S, Mask revolts, double met) noexcept nogil:
    """What follows the uprisings that have left these revolts, `met` so often, repeats counted."""
    cdef const Board* B = S.board
    cdef Mask hits = revolts & S.closed
    cdef int i
    if not S.army_left:                              # no echo
        advance(S, revolts, unrest_left_by(S, revolts), NO_FRESH_ARMY, met)
        return
    S.figures.e_uprisings += met * popcount(hits) / 36
    for i in range(6):
        if not S.closed & B.region[i]:               # the border is empty: an army
            S.figures.arrival[i] += met / 6
            advance(S, revolts, unrest_left_by(S, revolts), i, met / 6)
    quiet_activity(S, revolts, S.closed, met / 36)
    rise_in_each(S, revolts, hits, met / 36, True)


cdef int emperors_on(const Position* P, Mask where) noexcept nogil:
    """The set of Emperors who stand there, bit i for Emperor i."""
    cdef int i
    cdef int found = 0
    for i in range(4):
        found |= (where >> P.emperor[i] & 1) << i
    return found


cdef int catch_fire(Sweep* S, const Board* B, const Position* table) noexcept nogil:
    """Step 1: every way it can go, each once. Returns the sets of Emperors it can remove: bit e for set e."""
    cdef int sets = 0
    cdef size_t i
    S.board = B
    spread(B, &S.blazes, table.revolts, table.unrest)
    blazes_merge(&S.blazes)
    for i in range(S.blazes.count):
        sets |= 1 << emperors_on(table, S.blazes.rows[i].revolts)
    return sets


cdef inline double blaze_unit(const Board* B) noexcept nogil:
    """The chance of a blaze of weight 1."""
    return 1.0 / (<uint64_t> 1 << B.broken_links)


cdef void after_removal(Sweep* S, const Position* table, int removed) noexcept nogil:
    """Sets up steps 2 and 3 for the blazes that remove this set of Emperors."""
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
    echoes_clear(&S.echoes)


cdef void sweep(Sweep* S, const Board* B, const Position* table) noexcept nogil:
    """Adds all outcomes of the phase to the figures of `S`, and to its book if it gathers."""
    cdef const Blaze* blaze
    cdef const Echo* echo
    cdef Mask revolts
    cdef uint32_t row
    cdef size_t i
    cdef int removed, size
    cdef int sets = catch_fire(S, B, table)
    cdef double unit = blaze_unit(B)
    for removed in range(16):
        if not sets >> removed & 1:
            continue
        after_removal(S, table, removed)
        for i in range(S.blazes.count):
            blaze = &S.blazes.rows[i]
            if emperors_on(table, blaze.revolts) != removed:
                continue
            if spend(&S.watch, STEP_TICKS):
                return
            if popcount(blaze.revolts) > MOST_DISCS:
                visit_fall(S, NO_REVOLT_LEFT, blaze.weight * unit)
            else:
                first_activity(S, blaze.revolts, blaze.weight * unit)
        for size in range(MOST_DISCS + 1):
            row = S.echoes.first[size]
            while row:
                echo = &S.echoes.rows[row - 1]
                if spend(&S.watch, STEP_TICKS):
                    return
                revolts = echo.revolts
                row = echo.next                      # read now: the rows may move when others join them
                echo_activity(S, revolts, echo.inflow / (1 - repeats_of(S, revolts) / 36))
