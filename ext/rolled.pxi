# The game rolled: one Barbarian phase, a set-up.

cdef bint rise_rolled(const Board* B, Position* P, int p, Dice* dice) noexcept nogil:
    """An uprising in `p`; False when the Empire falls."""
    cdef Mask before = P.revolts
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask fresh = B.normal[p] & reach
    cdef Mask doubtful = B.broken[p] & reach
    if doubtful:
        if B.one_roll:
            fresh |= doubtful if link_holds(dice) else 0
        else:
            fresh |= doubtful & random_bits(dice)    # a fair bit for each link
    if not place_revolts(P, fresh):
        return False
    pirates_come(B, P, p)
    usurpers_rolled(B, P, before, dice)
    return True


cdef bint activity_rolled(const Board* B, Position* P, int p, Dice* dice) noexcept nogil:
    """Step 2, the first roll having named province `p`, with all its echoes; False when the Empire falls."""
    cdef Mask before
    cdef int region
    while P.revolts >> p & 1:
        if not rise_rolled(B, P, p, dice):
            return False
        if popcount(P.armies) == MOST_ARMIES:
            return True
        region = random_below(dice, 6)
        if is_open(B, P, region):
            arrive(B, P, region)
            return True
        p = B.place[6 * region + random_below(dice, 6)]
    if P.unrest >> p & 1:
        before = P.revolts
        if not place_revolts(P, bit(p)):
            return False
        usurpers_rolled(B, P, before, dice)
    elif not protected(B, P) >> p & 1:
        if not unrest_in_reserve(P):
            return False
        P.unrest |= bit(p)
    return True


cdef bint advance_rolled(const Board* B, Position* P, Mask movers, Dice* dice) noexcept nogil:
    """Step 3 for these armies; False when the Empire falls."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask before
    cdef Odds odds
    cdef int count = in_order(B, movers, order)
    cdef int i, p, q, leader, roll
    for i in range(count):
        p = order[i]
        q = B.way[p]
        if q < 0 or P.armies >> q & 1 or (B.broken[p] >> q & 1 and not army_crosses(P, p, dice)):
            continue
        leader = leader_at(P, q)
        if leader >= 0:
            odds = odds_of(B, P, leader, p)
            roll = random_below(dice, 36)
            if roll < odds.victory:
                remove_army(P, p)
                battle_won(B, P, leader)
                continue
            if roll < odds.victory + odds.draw:
                continue
            take_off(P, leader)
            battle_lost(P, leader)
        before = P.revolts
        if q == B.roma or not enter(P, p, q):
            return False
        usurpers_rolled(B, P, before, dice)
    return True


cdef void phase_rolled(const Board* B, Position* P, Dice* dice) noexcept nogil:
    """The whole phase; a fallen Empire leaves the table as it was before."""
    cdef Position Q = P[0]
    cdef bint stands
    begin_turn(P)
    begin_turn(&Q)
    Q.revolts = spread_rolled(B, P.revolts, P.unrest, dice)
    Q.unrest &= ~Q.revolts
    stands = popcount(Q.revolts) <= most_revolts(&Q)
    if stands:
        remove_burnt(&Q)
        usurpers_rolled(B, &Q, P.revolts, dice)
        stands = activity_rolled(B, &Q, B.place[random_below(dice, 36)], dice)
    if stands:
        stands = advance_rolled(B, &Q, movers_after(B, &Q, P.armies), dice)
    if stands:
        end_phase(B, &Q)
        P[0] = Q
        if CHECKED_BUILD:
            check_position(B, P)
    else:
        P.mark = RESULT_FALLEN


cdef void set_up(const Board* B, Position* P, int revolts, int fleets, int armies, Dice* dice) noexcept nogil:
    """Rules, section 2; the fleets on zones of chance."""
    cdef int i, p
    memset(P, 0, sizeof(Position))
    P.ip = FULL_IP
    for i in range(4):
        P.emperor[i] = OFF_BOARD
    set_figures(B, P)
    for i in range(6):                               # in each region 2 to 6: a 1 is rolled again
        P.revolts |= bit(B.place[6 * i + 1 + random_below(dice, 5)])
    while revolts:
        p = B.place[random_below(dice, 36)]
        if not P.revolts >> p & 1:
            P.revolts |= bit(p)
            revolts -= 1
    while armies:
        i = random_below(dice, 6)
        if not P.armies >> B.border[i] & 1:
            arrive(B, P, i)
            armies -= 1
    set_barbarians(B, P, dice)
    while fleets:
        p = random_below(dice, 3)
        if not P.fleets >> p & 1 and sea_is_open(P, p + 1):
            P.fleets |= 1 << p
            fleets -= 1
