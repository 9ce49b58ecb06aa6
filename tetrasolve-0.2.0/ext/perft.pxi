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


cdef inline int play_moves(const Board* B, const Position* P, Mask targets, int cost) noexcept nogil:
    """Plays a move of the active Emperor to each of these provinces, and returns how many they are."""
    cdef Action action
    cdef Position Q
    cdef Mask rest = targets
    action.cost = cost
    action.chance = 36
    while rest:
        action.code = code_of(ACT_MOVE, lowest(rest), 0)
        rest &= rest - 1
        play_step(B, P, action, &Q)
        really_made(&Q)
    return popcount(targets)


cdef int play_all(const Board* B, const Position* P) noexcept nogil:
    """Plays each action, and returns how many they are. Moves, which are most of them, are played without being listed."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef Scene V
    cdef Ways ways
    cdef Mask moves
    cdef int count = 0
    cdef int p = P.emperor[P.mover]
    cdef int i
    if WHOLE or P.mark != ROMAN_OPEN or p == OFF_BOARD:
        count = list_actions(B, P, list)
        for i in range(count):
            play(B, P, list[i], &Q)
            really_made(&Q)
        return count
    if P.ip == 0:
        return 0
    look(B, P, &V)
    if not V.others >> p & 1:
        put_other_actions(B, P, &V, list, &count)
    for i in range(count):
        play(B, P, list[i], &Q)
        really_made(&Q)
    ways = ways_from(B, P, EMPEROR, p, P.fleets)
    moves = legal_moves(B, &V, EMPEROR, p, P.fleets, P.ip, &ways)
    count += play_moves(B, P, moves & ways.one, 1)
    count += play_moves(B, P, moves & ways.two, 2)
    return count + play_moves(B, P, moves & ways.three, 3)


cdef int64_t perft_played(const Board* B, const Position* P, int depth, Watch* watch) noexcept nogil:
    """Sequences of `depth` actions, at least one, each played to its end. Of no use after a stop."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int i
    if depth == 1:
        return play_all(B, P)
    if too_deep(B, P, depth) or spend(watch, 20 * LAST_TWO_TICKS):
        return 0
    for i in range(list_actions(B, P, list)):
        play(B, P, list[i], &Q)
        count += perft_played(B, &Q, depth - 1, watch)
    return count
