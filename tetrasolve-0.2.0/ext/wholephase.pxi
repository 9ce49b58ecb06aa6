# The Barbarian phase of the whole rulebook: every outcome with its chance, exactly.
#
# Step 1 is in spread.pxi, step 2 in activity.pxi, step 3 in advance.pxi; here they are put together, as barbarian.pxi and
# uprisings.pxi do for the base game.

cdef void catch_fire(Sweep* S, const Board* B, const Position* position, double unit) noexcept nogil:
    """Step 1: gathers the positions after it; `unit` is the chance of an outcome of weight 1."""
    cdef const SpreadOutcome* outcome
    cdef Position Q
    cdef size_t i
    S.board = B
    sweep_clear(S)
    spread(B, &S.spread, position.revolts, position.unrest)
    spread_merge(&S.spread)
    for i in range(S.spread.count):
        if spend(&S.watch, 1):
            return
        outcome = &S.spread.rows[i]
        if falls_in_spread(S, position, outcome.revolts, outcome.weight * unit):
            continue
        Q = position[0]
        begin_turn(B, &Q)
        Q.revolts = outcome.revolts
        Q.unrest &= ~outcome.revolts
        after_spread(B, &Q)
        revolts_placed(S, &Q, position.revolts, 0, outcome.weight * unit, THEN_ACTIVITY, NULL)


# All together

cdef void sweep(Sweep* S, const Board* B, const Position* position) noexcept nogil:
    """Adds all outcomes of the phase to the figures of `S`, and to its book if it gathers."""
    cdef Position P
    cdef uint32_t row, i
    cdef int stage
    catch_fire(S, B, position, spread_unit(B))
    for i in range(S.calm.count):
        if spend(&S.watch, 1):
            return
        first_activity(S, &S.calm.rows[i], S.calm.notes[i])
    for stage in range(STAGES):
        for i in range(S.stage[stage].count):        # each leads to later stages only
            if spend(&S.watch, 1):
                return
            row = S.stage[stage].rows[i]
            P = S.risen.rows[row]                    # the rows move when others join them
            echo_activity(S, &P, times_met(S, &P, S.risen.notes[row]))


# How many uprisings: followed one by one, those that change nothing among them, so that no loop needs to be closed.

cdef void first_uprising(Sweep* S, double* at_least_one) noexcept nogil:
    cdef uint32_t i
    for i in range(S.calm.count):
        if spend(&S.watch, 1):
            return
        at_least_one[0] += first_uprisings(S, &S.calm.rows[i], S.calm.notes[i])


cdef void next_uprising(Sweep* S, double* at_least_one_more) noexcept nogil:
    """From the positions after an uprising; those after the next one take their place."""
    cdef Book after = S.before
    cdef const Position* P
    cdef uint32_t i
    S.before = S.risen
    S.risen = after
    book_clear(&S.risen)
    for i in range(<uint32_t> STAGES):
        S.stage[i].count = 0
    for i in range(S.before.count):
        if spend(&S.watch, 1):
            return
        P = &S.before.rows[i]
        if chain_army_left(S, P):
            at_least_one_more[0] += echo_uprisings(S, P, chain_closed(S, P), S.before.notes[i], False)


cdef void count_uprisings(Sweep* S, const Board* B, const Position* position, int most, double* at_least) noexcept nogil:
    """Writes the chances of at least 0, 1, ..., `most` + 1 uprisings. The figures of `S` are of no use afterwards."""
    cdef int number
    memset(at_least, 0, (most + 2) * sizeof(double))
    at_least[0] = 1
    catch_fire(S, B, position, spread_unit(B))
    first_uprising(S, at_least + 1)
    for number in range(2, most + 2):
        next_uprising(S, at_least + number)
