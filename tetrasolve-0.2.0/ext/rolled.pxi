# The game rolled: one Barbarian phase, a set-up.
#
# `policy` says how decisions in the phase are made, see barbaria.pxi; in the base game there is nothing to decide. What can be
# decided about, a policy can change in the functions `..._under`.

cdef bint rise_rolled(const Board* B, Position* P, int p, int policy, Dice* dice) noexcept nogil:
    """An uprising in `p`; False when the Empire falls."""
    cdef Mask before = P.revolts
    cdef Mask reach = uprising_reach(B, P.revolts)
    cdef Mask fresh = B.normal[p] & reach
    cdef Mask doubtful = B.broken[p] & reach
    if doubtful:
        if B.reading[I_CHECK]:
            fresh |= doubtful if link_holds_under(B, P, BLOCKED, policy, dice) else 0
        else:
            fresh |= links_hold_under(B, P, p, doubtful, policy, dice)
    if not place_revolts(B, P, fresh):
        return False
    pirates_come(B, P, p)
    risen_rolled(B, P, before, policy, dice)
    return True


cdef bint activity_rolled(const Board* B, Position* P, int p, int policy, Dice* dice) noexcept nogil:
    """Step 2, the first roll having named province `p`, with all its echoes; False when the Empire falls."""
    cdef Mask before
    cdef int region
    while P.revolts >> p & 1:
        if not rise_rolled(B, P, p, policy, dice):
            return False
        if popcount(P.armies) == most_armies(B):
            return True
        region = region_under(B, P, policy, dice)
        if is_open(B, P, region):
            arrive(B, P, region)
            return True
        p = province_under(B, P, region, policy, dice)
    if P.unrest >> p & 1:
        before = P.revolts
        if not place_revolts(B, P, bit(p)):
            return False
        usurpers_rolled(B, P, before, policy, dice)
    elif not protected(B, P) >> p & 1:
        if not unrest_in_reserve(B, P):
            return False
        P.unrest |= bit(p)
    return True


cdef bint advance_rolled(const Board* B, Position* P, Mask movers, int policy, Dice* dice) noexcept nogil:
    """Step 3 for these armies; False when the Empire falls."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask before
    cdef int count = in_order(B, movers, order)
    cdef int i, p, q, leader, outcome
    for i in range(count):
        p = order[i]
        q = way_under(B, P, p, policy, dice)
        if not is_free(P.armies, q):
            continue
        q = passed_under(B, P, p, q, policy, dice)
        if q < 0:
            continue
        leader = leader_at(P, q)
        if leader >= 0:
            outcome = battle_under(B, P, p, q, leader, policy, dice)
            if outcome == VICTORY:
                remove_army(P, p)
                defence_won(B, P, leader)
            if outcome != DEFEAT:
                continue
            take_off(P, leader)
            defence_lost(B, P, leader)
        before = P.revolts
        if q == B.roma or not enter(B, P, p, q):
            return False
        entered_rolled(B, P, before, policy, dice)
    late_usurpers_rolled(B, P, policy, dice)
    return True


cdef inline int battle_rolled(const Board* B, const Position* P, int p, int leader, Dice* dice) noexcept nogil:
    """The outcome of a battle against the army in `p`."""
    cdef Odds odds = odds_of(B, P, leader, p)
    cdef int roll = random_below(dice, 36)
    return VICTORY if roll < odds.victory else DRAW if roll < odds.victory + odds.draw else DEFEAT


cdef void phase_rolled(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """The whole phase; a fallen Empire leaves the position as it was before."""
    cdef Position Q = P[0]
    cdef Mask before
    cdef bint stands
    begin_turn(B, P)
    begin_turn(B, &Q)
    black_disc_under(B, &Q, True, policy, dice)
    before = Q.revolts
    spread_under(B, &Q, policy, dice)
    stands = popcount(Q.revolts) <= most_revolts(B, &Q)
    if stands:
        after_spread(B, &Q)
        usurpers_rolled(B, &Q, before, policy, dice)
        if WHOLE and B.reading[I_USURPER_EMPERORS]:
            remove_burnt(&Q)
        black_disc_under(B, &Q, False, policy, dice)
        stands = activity_rolled(B, &Q, province_under(B, &Q, -1, policy, dice), policy, dice)
    if stands:
        late_usurpers_rolled(B, &Q, policy, dice)
        black_disc_under(B, &Q, False, policy, dice)
        stands = advance_rolled(B, &Q, movers_after(B, &Q, P.armies), policy, dice)
    if stands:
        end_phase(B, &Q)
        P[0] = Q
        if CHECKED_BUILD:
            check_position(B, P)
    else:
        P.mark = RESULT_FALLEN


cdef void set_up(const Board* B, Position* P, int revolts, int fleets, int armies, Dice* dice) noexcept nogil:
    """Rules, section 2; the fleets on zones of chance."""
    cdef Mask occupied
    cdef int i, p, left
    memset(P, 0, sizeof(Position))
    P.ip = full_ip(B)
    for i in range(4):
        P.emperor[i] = OFF_BOARD
    set_figures(B, P)
    for i in range(6):                               # in each region one of the provinces after the first
        left = first_revolts(B)
        while left:
            p = B.place[6 * i + FIRST_PROVINCE + random_below(dice, 6 - FIRST_PROVINCE)]
            left -= not P.revolts >> p & 1
            P.revolts |= bit(p)
    while revolts:
        occupied = P.revolts | (B.printed_any if B.reading[I_SETUP_CAPITAL] else 0)
        i = random_below(dice, 36)
        while B.reading[I_SETUP_REROLL] and occupied >> B.place[i] & 1:
            i += random_below(dice, 6) - i % 6       # the other die stands
        p = B.place[i]
        if not occupied >> p & 1:
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
