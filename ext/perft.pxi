# Counting sequences of actions in one Roman phase, a known way to hold two move generators against each other.
#
# Every action but the entry costs at least 1 IP, so no sequence is longer than the IP left. The last action is counted
# without being played; the last but one is not played either where it only takes the Emperor or a fleet elsewhere.

cdef inline bint too_deep(const Position* P, int depth) noexcept nogil:
    return P.mark != ROMAN_OPEN or (P.emperor[P.mover] != OFF_BOARD and depth > P.ip)


cdef int64_t count_last_two(const Board* B, const Position* P) noexcept nogil:
    """Sequences of two actions of an Emperor on the board."""
    cdef Action[MOST_ACTIONS] list
    cdef Scene V
    cdef Ways ways
    cdef Mask moves, rest
    cdef Position Q
    cdef int64_t count = 0
    cdef int p = P.emperor[P.mover]
    cdef int fleets = P.fleets
    cdef int ip = P.ip
    cdef int i
    look(B, P, &V)
    ways = ways_from(B, P, p, fleets)
    moves = affordable(&ways, ip)
    if moves & V.others:
        moves = without_traps(B, &V, p, fleets, ip, moves)
    rest = moves & ways.one
    while rest:
        count += count_actions_at(B, &V, lowest(rest), fleets, ip - 1)
        rest &= rest - 1
    if ip > 2:
        rest = moves & ways.two
        while rest:
            count += count_actions_at(B, &V, lowest(rest), fleets, ip - 2)
            rest &= rest - 1
    if ip > 3:
        rest = moves & ways.three
        while rest:
            count += count_actions_at(B, &V, lowest(rest), fleets, ip - 3)
            rest &= rest - 1
    if V.others & bit(p):
        return count
    for i in range(B.sails[fleets]):
        count += count_actions_at(
            B, &V, p, fleets ^ (1 << B.sail_from[fleets][i] >> 1) ^ (1 << B.sail_to[fleets][i] >> 1), ip - 1)
    if V.discs & bit(p) or can_secure(B, &V, p, ip) or P.armies & B.linked[p]:
        for i in range(list_actions(B, P, list)):     # discs change: these few are played
            if kind_of(list[i].code) > ACT_SAIL:
                play(B, P, list[i], &Q)
                count += count_actions(B, &Q)
    return count


cdef int64_t perft_bulk(const Board* B, const Position* P, int depth) except -1 nogil:
    """Sequences of `depth` actions, at least one; the last ones counted, not played."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int i
    if depth == 1:
        return count_actions(B, P)
    if too_deep(P, depth):
        return 0
    if depth == 2 and P.emperor[P.mover] != OFF_BOARD:
        return count_last_two(B, P)
    if depth == 5:
        heed_signals()
    for i in range(list_actions(B, P, list)):
        play(B, P, list[i], &Q)
        count += perft_bulk(B, &Q, depth - 1)
    return count


cdef int64_t perft_played(const Board* B, const Position* P, int depth) except -1 nogil:
    """Sequences of `depth` actions, each played to its end."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int i
    if depth == 0:
        really_made(P)
        return 1
    if too_deep(P, depth):
        return 0
    if depth == 5:
        heed_signals()
    for i in range(list_actions(B, P, list)):
        play(B, P, list[i], &Q)
        count += perft_played(B, &Q, depth - 1)
    return count
