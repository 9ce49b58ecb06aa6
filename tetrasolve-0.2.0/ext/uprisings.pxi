# Barbarian phase: how many uprisings it brings.
#
# The sweep closes the loops of its chain and knows how often a position is met, but not after which uprising. Here the chain
# is followed uprising by uprising instead, those that change nothing among them, so that nothing needs to be closed.

cdef void first_uprising(Sweep* S, const Position* position, int removed, double* at_least_one) noexcept nogil:
    """From the outcomes that remove these Emperors."""
    cdef const SpreadOutcome* outcome
    cdef size_t i
    for i in range(S.spread.count):
        outcome = &S.spread.rows[i]
        if spend(&S.watch, 5):
            return
        if emperors_on(position, outcome.revolts) == removed and popcount(outcome.revolts) <= MOST_DISCS:
            at_least_one[0] += first_uprisings(S, outcome.revolts, outcome.weight * spread_unit(S.board))


cdef void next_uprising(Sweep* S, double* at_least_one_more) noexcept nogil:
    """From the positions after an uprising; those after the next one take their place."""
    cdef Echoes after = S.before
    cdef const Echo* echo
    cdef uint32_t i
    S.before = S.echoes
    S.echoes = after
    echoes_clear(&S.echoes)
    for i in range(S.before.count):
        echo = &S.before.rows[i]
        if spend(&S.watch, 5):
            return
        at_least_one_more[0] += echo_uprisings(S, echo.revolts, S.closed, echo.inflow, False)


cdef void count_uprisings(Sweep* S, const Board* B, const Position* position, int most, double* at_least) noexcept nogil:
    """Writes the chances of at least 0, 1, ..., `most` + 1 uprisings. The figures of `S` are of no use afterwards."""
    cdef int removed, number
    cdef int sets = catch_fire(S, B, position)
    memset(at_least, 0, (most + 2) * sizeof(double))
    at_least[0] = 1
    for removed in range(16):
        if not sets >> removed & 1:
            continue
        after_removal(S, position, removed)
        first_uprising(S, position, removed, at_least + 1)
        if S.army_left:                              # else no echo
            for number in range(2, most + 2):
                next_uprising(S, at_least + number)
