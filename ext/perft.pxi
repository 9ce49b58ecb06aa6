# Counting sequences of actions in one Roman phase, a known way to hold two move generators against each other.
#
# Every action but the entry leads to a lower level, so no sequence is longer than that, see `level_of`. The last action is counted
# without being played; the last but one is not played either where it only takes the Emperor or a fleet elsewhere.

cdef inline bint too_deep(const Board* B, const Position* P, int depth) noexcept nogil:
    return P.mark != ROMAN_OPEN or (P.emperor[P.mover] != OFF_BOARD and depth > level_of(B, P))


cdef enum:
    LAST_TWO_TICKS = 1 + 99 * WHOLE    # for sequences of two actions


cdef int64_t perft_bulk(const Board* B, const Position* P, int depth, Watch* watch) noexcept nogil:
    """Sequences of `depth` actions, at least one; the last ones counted, not played. Of no use after a stop."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int i
    if depth == 1:
        return count_actions(B, P)
    if too_deep(B, P, depth):
        return 0
    if depth == 2 and P.emperor[P.mover] != OFF_BOARD:
        if WHOLE and spend(watch, LAST_TWO_TICKS):
            return 0
        return count_last_two(B, P)
    if spend(watch, 40 * LAST_TWO_TICKS if depth == 3 and not WHOLE else 1):
        return 0
    for i in range(list_actions(B, P, list)):
        play(B, P, list[i], &Q)
        count += perft_bulk(B, &Q, depth - 1, watch)
    return count


cdef int64_t perft_played(const Board* B, const Position* P, int depth, Watch* watch) noexcept nogil:
    """Sequences of `depth` actions, at least one, each played to its end. Of no use after a stop."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int actions, i
    if too_deep(B, P, depth):
        return 0
    if depth > 1 and spend(watch, 20 * LAST_TWO_TICKS):
        return 0
    actions = list_actions(B, P, list)
    if depth == 1:
        for i in range(actions):
            play(B, P, list[i], &Q)
            really_made(&Q)
        return actions
    for i in range(actions):
        play(B, P, list[i], &Q)
        count += perft_played(B, &Q, depth - 1, watch)
    return count
