# The whole game rolled: one Barbarian phase, one action, a set-up.

cdef void usurpers_rolled(const Board* B, Position* P, Mask before, Dice* dice) noexcept nogil:
    cdef Mask free
    cdef int region
    for region in range(6):
        free = usurper_places(B, P, before, region)
        if free:
            place_usurper(P, nth_bit(free, random_below(dice, popcount(free))))


cdef bint rise_rolled(const Board* B, Position* P, int p, Dice* dice) noexcept nogil:
    """An uprising in `p`; False when the Empire falls."""
    cdef Mask before = P.revolts
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask fresh = B.normal[p] & reach
    cdef Mask doubtful = B.broken[p] & reach
    cdef int zone = pirates_land(B, P, p)
    if doubtful:
        if B.one_roll:
            fresh |= doubtful if link_holds(dice) else 0
        else:
            fresh |= doubtful & random_bits(dice)    # a fair bit for each link
    if not place_revolts(P, fresh):
        return False
    if zone:
        P.pirates = zone
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


cdef inline bint army_crosses(const Position* P, int p, Dice* dice) noexcept nogil:
    """A broken link holds on 4 to 6, for the Goths on 3 to 6."""
    return random_below(dice, 3) > 0 if P.goths == p else link_holds(dice)


cdef bint advance_rolled(const Board* B, Position* P, Dice* dice) noexcept nogil:
    """Step 3; False when the Empire falls."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask before
    cdef Odds odds
    cdef int count = in_order(B, movers(P), order)
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
        stands = activity_rolled(B, &Q, B.place[random_below(dice, 36)], dice) and advance_rolled(B, &Q, dice)
    if stands:
        end_phase(B, &Q)
        P[0] = Q
        if CHECKED_BUILD:
            check_position(B, P)
    else:
        P.mark = RESULT_FALLEN


cdef bint random_action(const Board* B, const Position* P, Dice* dice, Action* action) noexcept nogil:
    """
    Chooses one legal action, all equally likely, the end of the turn among them; an attack is one action, and is then
    rolled. False if there is none.
    """
    cdef Action[MOST_ACTIONS] list
    cdef int[MOST_ACTIONS] first                     # of each action: where its outcomes begin
    cdef int count = list_actions(B, P, list)
    cdef int choices = 0
    cdef int i, n, roll
    for i in range(count):
        if i == 0 or not is_attack(list[i].code) or without_outcome(list[i].code) != without_outcome(list[i - 1].code):
            first[choices] = i
            choices += 1
    action.code = ACT_END
    action.cost = 0
    action.chance = 36
    n = choices + may_end(B, P)
    if n == 0:
        return False
    n = random_below(dice, n)
    if n < choices:
        i = first[n]
        if list[i].chance < 36:
            roll = random_below(dice, 36)
            while roll >= list[i].chance:
                roll -= list[i].chance
                i += 1
        action[0] = list[i]
    return True


cdef void set_up(const Board* B, Position* P, int revolts, int fleets, int armies, Dice* dice) noexcept nogil:
    """Rules, section 2; the Pirates before the fleets, which lie on zones of chance."""
    cdef int i, p
    memset(P, 0, sizeof(Position))
    P.ip = FULL_IP
    for i in range(4):
        P.emperor[i] = OFF_BOARD
    P.dux = NOT_IN_PLAY if B.modules.dux else OFF_BOARD
    P.vicarius = NOT_IN_PLAY if B.modules.vicarius else OFF_BOARD
    P.goths = NOT_IN_PLAY if B.modules.goths else OFF_BOARD
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
    P.still = 0
    if B.modules.barbaria:
        P.barbarian = MOST_GRAY + 8
    if B.modules.pirates:
        P.pirates = 2 + random_below(dice, 2)
    while fleets:
        p = random_below(dice, 3)
        if not P.fleets >> p & 1 and p != P.pirates - 1:
            P.fleets |= 1 << p
            fleets -= 1
