# The Barbarian phase of the base game: every outcome with its chance, exactly.
#
# Step 1 is in spread.pxi, step 2 in activity.pxi, step 3 in advance.pxi; here they are put together, for each set of Emperors that
# step 1 can remove.

cdef enum:
    STEP_TICKS = 30        # for all that follows from one position of step 2


cdef int emperors_on(const Position* P, Mask where) noexcept nogil:
    """The set of Emperors who stand there, bit i for Emperor i."""
    cdef int i
    cdef int found = 0
    for i in range(4):
        found |= (where >> P.emperor[i] & 1) << i
    return found


cdef int catch_fire(Sweep* S, const Board* B, const Position* position) noexcept nogil:
    """Step 1: every way it can go, each once. Returns the sets of Emperors it can remove: bit e for set e."""
    cdef int sets = 0
    cdef size_t i
    S.board = B
    spread(B, &S.spread, position.revolts, position.unrest)
    spread_merge(&S.spread)
    for i in range(S.spread.count):
        sets |= 1 << emperors_on(position, S.spread.rows[i].revolts)
    return sets


cdef void after_removal(Sweep* S, const Position* position, int removed) noexcept nogil:
    """Sets up steps 2 and 3 for the outcomes that remove this set of Emperors."""
    cdef int i
    S.start = position[0]
    begin_turn(S.board, &S.start)
    for i in range(4):
        if removed >> i & 1:
            take_off(&S.start, i)
    S.leaf = S.start
    S.removed = off_board(&S.start)
    S.army_left = popcount(S.start.armies) < MOST_ARMIES
    S.closed = closed_regions(S.board, &S.start)
    for i in range(7):
        S.marches[i].ready = False
    echoes_clear(&S.echoes)


cdef void sweep(Sweep* S, const Board* B, const Position* position) noexcept nogil:
    """Adds all outcomes of the phase to the figures of `S`, and to its book if it gathers."""
    cdef const SpreadOutcome* outcome
    cdef const Echo* echo
    cdef Mask revolts
    cdef uint32_t row
    cdef size_t i
    cdef int removed, size
    cdef int sets = catch_fire(S, B, position)
    cdef double unit = spread_unit(B)
    for removed in range(16):
        if not sets >> removed & 1:
            continue
        after_removal(S, position, removed)
        for i in range(S.spread.count):
            outcome = &S.spread.rows[i]
            if emperors_on(position, outcome.revolts) != removed:
                continue
            if spend(&S.watch, STEP_TICKS):
                return
            if not falls_in_spread(S, position, outcome.revolts, outcome.weight * unit):
                first_activity(S, outcome.revolts, outcome.weight * unit)
        for size in range(MOST_DISCS + 1):
            row = S.echoes.first[size]
            while row:
                echo = &S.echoes.rows[row - 1]
                if spend(&S.watch, STEP_TICKS):
                    return
                revolts = echo.revolts
                row = echo.next                      # read now: the rows may move when others join them
                echo_activity(S, revolts, times_met(S, revolts, echo.inflow))
