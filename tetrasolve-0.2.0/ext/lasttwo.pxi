# Counting actions, and sequences of two of them, without listing or playing more than need be. wholeroman.pxi lists and plays.

cdef Odds odds_from(const Board* B, const Position* P, int p, int army) noexcept nogil:
    """Odds of the active Emperor, were he in province `p`."""
    cdef Position there
    if p == P.emperor[P.mover]:
        return odds_of(B, P, P.mover, army)
    there = P[0]
    there.emperor[P.mover] = p
    return odds_of(B, &there, P.mover, army)


cdef inline int count_actions_at(const Board* B, const Scene* V, int p, int fleets, int ip) noexcept nogil:
    """How many actions `list_actions` would list were the Emperor on province `p` with `ip` IP."""
    cdef const Position* P = V.position
    cdef Ways ways
    cdef Removals legal
    cdef Mask rest
    cdef int count
    if ip <= 0:
        return 0
    ways = ways_from(B, P, EMPEROR, p, fleets)
    count = popcount(legal_moves(B, V, EMPEROR, p, fleets, ip, &ways))
    if V.others & bit(p):
        return count
    legal = legal_removals(B, V, p, ip)
    count += B.sails[fleets] + can_secure(B, V, p, ip) + legal.remove + legal.reduce
    if P.armies & B.linked[p]:
        rest = legal_attacks(B, P, p, ip)
        while rest:
            count += outcomes_of(odds_from(B, P, p, lowest(rest)))
            rest &= rest - 1
    return count


cdef int count_actions(const Board* B, const Position* P) noexcept nogil:
    cdef Scene V
    if P.mark != ROMAN_OPEN:
        return 0
    if P.emperor[P.mover] == OFF_BOARD:
        return popcount(legal_entries(B, P))
    look(B, P, &V)
    return count_actions_at(B, &V, P.emperor[P.mover], P.fleets, P.ip)


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
    ways = ways_from(B, P, EMPEROR, p, fleets)
    moves = legal_moves(B, &V, EMPEROR, p, fleets, ip, &ways)
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
