# Counting sequences: the last two actions of an Emperor on the board, neither of them played where it only takes him or a
# fleet elsewhere.

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
