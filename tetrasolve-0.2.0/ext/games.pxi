# The same rules rolled: step 1 of a Barbarian phase, whole games. The rest is in rolled.pxi.

cdef Mask spread_rolled(const Board* B, Mask revolts, Mask unrest, Dice* dice) noexcept nogil:
    """Step 1: the revolts after it."""
    cdef Mask fresh = revolts
    cdef Mask todo, source, burning
    cdef int p, links
    if B.reading[I_CHECK]:
        if link_holds(dice):
            return revolts | caught(B.linked, unrest, revolts)
        return revolts | caught(B.normal, unrest, revolts)
    fresh |= caught(B.normal, unrest, revolts)
    revolts = fresh
    unrest &= ~revolts
    while fresh and unrest:                          # waves, as in spread_in_waves
        source = fresh
        fresh = 0
        todo = beyond_broken(B, unrest, source)
        while todo:
            p = lowest(todo)
            todo ^= bit(p)
            links = popcount(B.broken[p] & source)
            if random_bits(dice) >> (64 - links):    # not all of them failed
                burning = bit(p) | caught(B.normal, unrest ^ bit(p), bit(p))
                revolts |= burning
                unrest &= ~burning
                fresh |= burning
                todo &= ~burning
    return revolts


cdef inline int nth_bit(Mask mask, int n) noexcept nogil:
    """The n-th province of a set, counted from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return lowest(mask)


cdef struct Tally:
    int64_t turns
    int64_t plies          # actions, ends of turns and Barbarian phases


cdef void random_game(
    const Board* B, Position* P, int policy, Dice* dice, int64_t max_turns, Tally* tally, Watch* watch,
) noexcept nogil:
    """Random actions until the game is over, or for so many turns; leaves the last position in `P`."""
    cdef Position Q
    cdef int64_t last = tally.turns + max_turns
    cdef Action action
    while P.mark < RESULT_WON and tally.turns < last and not spend(watch, 2):
        while P.mark == ROMAN_OPEN:
            random_action(B, P, dice, &action)       # no action at all: the turn ends
            play(B, P, action, &Q)
            P[0] = Q
            tally.plies += 1
        tally.turns += 1
        if P.mark == PHASE_BARBARIAN:
            phase_rolled(B, P, policy, dice)
            tally.plies += 1
