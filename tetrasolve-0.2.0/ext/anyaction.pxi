# An action drawn at random, counted rather than listed. wholeanyaction.pxi lists them.

cdef bint random_action(const Board* B, const Position* P, Dice* dice, Action* action) noexcept nogil:
    """
    Chooses one legal action, all equally likely, the end of the turn among them; an attack is then rolled. False if
    there is none. The actions are counted, not listed, and the one whose number was drawn is named.
    """
    cdef Scene V
    cdef Ways ways
    cdef Removals legal
    cdef Odds odds
    cdef Mask moves, attacks
    cdef int p = P.emperor[P.mover]
    cdef int fleets = P.fleets
    cdef int steps, n, roll, q
    cdef int here = 0      # actions in his province
    cdef int sails = 0
    cdef bint secure = False
    action.code = ACT_END
    action.cost = 0
    action.chance = 36
    if p == OFF_BOARD:
        moves = legal_entries(B, P)
        steps = popcount(moves)
        n = random_below(dice, steps + (not steps or B.reading[I_ENTRY] != 0))
        if n < steps:
            action.code = code_of(ACT_ENTER, nth_bit(moves, n), 0)
        return True
    look(B, P, &V)
    ways = ways_from(B, P, EMPEROR, p, fleets)
    moves = legal_moves(B, &V, EMPEROR, p, fleets, P.ip, &ways)
    steps = popcount(moves)
    attacks = legal_attacks(B, P, p, P.ip)
    if V.others & bit(p):
        if not steps:
            return False
        n = random_below(dice, steps)
    else:
        if P.ip:
            sails = B.sails[fleets]
            secure = can_secure(B, &V, p, P.ip)
            legal = legal_removals(B, &V, p, P.ip)
            here = legal.remove + legal.reduce
        n = random_below(dice, steps + sails + secure + here + popcount(attacks) + 1)
    if n < steps:
        q = nth_bit(moves, n)
        action.code = code_of(ACT_MOVE, q, 0)
        action.cost = move_cost(B, P, p, fleets, q)
        return True
    n -= steps
    if n < sails:
        action.code = code_of(ACT_SAIL, B.sail_from[fleets][n], B.sail_to[fleets][n])
        action.cost = sail_cost(B)
        return True
    n -= sails
    if n < secure:
        action.code = ACT_SECURE
        action.cost = B.secure_cost[p]
        return True
    n -= secure
    if n < here:
        if n == here - 1 and legal.reduce:
            action.code = ACT_REDUCE
            action.cost = reduce_cost(B)
        else:
            action.code = ACT_REMOVE
            action.cost = removal_cost(B, P, p)
        return True
    n -= here
    if n < popcount(attacks):
        q = nth_bit(attacks, n)
        odds = odds_of(B, P, P.mover, q)
        roll = random_below(dice, 36)
        action.code = code_of(
            ACT_ATTACK, q, VICTORY if roll < odds.victory else DRAW if roll < odds.victory + odds.draw else DEFEAT)
        action.cost = attack_cost(B, P, p, q)
    return True                                      # the last number is the end of the turn
