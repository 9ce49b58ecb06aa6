# The base game rolled: one Barbarian phase, one action, a set-up.

cdef bint rise_rolled(const Board* B, Position* P, int p, Dice* dice) noexcept nogil:
    """An uprising in `p`; False when the Empire falls."""
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask fresh = B.normal[p] & reach
    cdef Mask doubtful = B.broken[p] & reach
    if doubtful:
        if B.one_roll:
            fresh |= doubtful if link_holds(dice) else 0
        else:
            fresh |= doubtful & random_bits(dice)    # a fair bit for each link
    if popcount(P.revolts | fresh) > MOST_DISCS:
        return False
    lift_discs(P, fresh)
    P.revolts |= fresh
    return True


cdef bint activity_rolled(const Board* B, Position* P, int p, Dice* dice) noexcept nogil:
    """Step 2, the first roll having named province `p`, with all its echoes; False when the Empire falls."""
    cdef Mask discs
    cdef int region
    while True:
        discs = all_discs(P)
        if P.revolts & bit(p):
            if not rise_rolled(B, P, p, dice):
                return False
            if popcount(P.armies) == MOST_ARMIES:
                return True
            region = random_below(dice, 6)
            if not (P.armies | all_emperors(P) | all_discs(P)) & bit(B.border[region]):
                P.armies |= bit(B.border[region])
                return True
            p = B.place[6 * region + random_below(dice, 6)]
            continue
        if P.unrest & bit(p):
            if popcount(P.revolts) == MOST_DISCS:
                return False
            P.unrest ^= bit(p)
            P.revolts |= bit(p)
        elif not (discs | B.printed_any) & bit(p):
            if popcount(P.unrest) == MOST_DISCS:
                return False
            P.unrest |= bit(p)
        return True


cdef bint advance_rolled(const Board* B, Position* P, Mask movers, Dice* dice) noexcept nogil:
    """Step 3; False when the Empire falls."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Odds odds
    cdef int count = in_order(B, movers, order)
    cdef int i, p, q, emperor, roll
    for i in range(count):
        p = order[i]
        q = B.arrow[p]
        if q < 0 or P.armies & bit(q) or (B.broken[p] & bit(q) and not link_holds(dice)):
            continue
        emperor = emperor_at(P, q)
        if emperor >= 0:
            odds = odds_of(B, P, emperor, p)
            roll = random_below(dice, 36)
            if roll < odds.victory:
                P.armies ^= bit(p)
                lift_discs(P, bit(p))
                continue
            if roll < odds.victory + odds.draw:
                continue
            P.emperor[emperor] = OFF_BOARD
        if q == B.roma or not enter(P, p, q):
            return False
    return True


cdef void phase_rolled(const Board* B, Position* P, Dice* dice) noexcept nogil:
    """The whole phase; a fallen Empire leaves the table as it was before."""
    cdef Position Q = P[0]
    cdef Mask before = P.armies
    cdef bint stands
    cdef int i
    begin_turn(P)
    begin_turn(&Q)
    Q.revolts = spread_rolled(B, P.revolts, P.unrest, dice)
    Q.unrest &= ~Q.revolts
    stands = popcount(Q.revolts) <= MOST_DISCS
    if stands:
        for i in range(4):
            if Q.revolts >> Q.emperor[i] & 1:
                Q.emperor[i] = OFF_BOARD
        stands = activity_rolled(B, &Q, B.place[random_below(dice, 36)], dice)
    if stands:
        stands = advance_rolled(B, &Q, before if B.fresh_wait else Q.armies, dice)
    if stands:
        P[0] = Q
        if CHECKED_BUILD:
            check_position(B, P)
    else:
        P.mark = RESULT_FALLEN


cdef bint random_action(const Board* B, const Position* P, Dice* dice, Action* action) noexcept nogil:
    """
    Chooses one legal action, all equally likely, the end of the turn among them; an attack is then rolled. False if
    there is none. The actions are counted, not listed, and the one whose number was drawn is named.
    """
    cdef Scene V
    cdef Ways ways
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
    look(B, P, &V)
    if p == OFF_BOARD:
        moves = legal_entries(B, &V)
        steps = popcount(moves)
        n = random_below(dice, steps + (B.entry_may or not steps))
        if n < steps:
            action.code = code_of(ACT_ENTER, nth_bit(moves, n), 0)
        return True
    ways = ways_from(B, P, p, fleets)
    moves = affordable(&ways, P.ip)
    if moves & V.others:
        moves = without_traps(B, &V, p, fleets, P.ip, moves)
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
            if P.revolts & bit(p):
                here = (P.ip >= 2) + V.unrest_left
            else:
                here = P.unrest >> p & 1
        n = random_below(dice, steps + sails + secure + here + popcount(attacks) + 1)
    if n < steps:
        q = nth_bit(moves, n)
        action.code = code_of(ACT_MOVE, q, 0)
        action.cost = 1 if ways.one & bit(q) else 2 if ways.two & bit(q) else 3
        return True
    n -= steps
    if n < sails:
        action.code = code_of(ACT_SAIL, B.sail_from[fleets][n], B.sail_to[fleets][n])
        action.cost = 1
        return True
    n -= sails
    if n < secure:
        action.code = ACT_SECURE
        action.cost = B.secure_cost[p]
        return True
    n -= secure
    if n < here:
        if P.revolts & bit(p) and n == here - 1 and V.unrest_left:
            action.code = ACT_REDUCE
            action.cost = 1
        else:
            action.code = ACT_REMOVE
            action.cost = 2 if P.revolts & bit(p) else 1
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


cdef void set_up(const Board* B, Position* P, int revolts, int fleets, int armies, Dice* dice) noexcept nogil:
    """Rules, section 2; the fleets on zones of chance."""
    cdef int i, p
    memset(P, 0, sizeof(Position))
    P.ip = FULL_IP
    for i in range(4):
        P.emperor[i] = OFF_BOARD
    for i in range(6):                               # in each region 2 to 6: a 1 is rolled again
        P.revolts |= bit(B.place[6 * i + 1 + random_below(dice, 5)])
    while revolts:
        p = B.place[random_below(dice, 36)]
        if not P.revolts & bit(p):
            P.revolts |= bit(p)
            revolts -= 1
    while armies:
        p = B.border[random_below(dice, 6)]
        if not P.armies & bit(p):
            P.armies |= bit(p)
            armies -= 1
    while fleets:
        p = random_below(dice, 3)
        if not P.fleets >> p & 1:
            P.fleets |= 1 << p
            fleets -= 1
