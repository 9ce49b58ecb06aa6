# The Barbarian phase with decisions, rolled: under the eager policy, or with every answer as likely as the others.

cdef inline bint roll_again(Position* P, int policy, Dice* dice, bint wanted) noexcept nogil:
    """Whether the Barbarian player spends a gray disc on the dice just rolled; `wanted` is what an eager one does."""
    if not gray_of(P):
        return False
    if policy == POLICY_RANDOM:
        wanted = random_below(dice, 2) > 0
    if wanted:
        spend_gray(P)
    return wanted


cdef bint link_decided(Position* P, int faces, int policy, Dice* dice) noexcept nogil:
    """The check of a link that holds on so many faces of its die."""
    cdef bint holds
    while True:
        holds = random_below(dice, 6) < faces
        if not roll_again(P, policy, dice, not holds):
            return holds


cdef void usurpers_decided(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    cdef Mask free
    cdef int region, p
    for region in range(6):
        free = usurper_places(B, P, before, region)
        if free:
            p = nth_bit(free, random_below(dice, popcount(free)))
            while roll_again(P, policy, dice, False):
                p = nth_bit(free, random_below(dice, popcount(free)))
            place_usurper(P, p)


cdef void black_rolled(const Board* B, Position* P, bint first, int policy, Dice* dice) noexcept nogil:
    cdef Mask before = P.revolts
    cdef Mask places
    cdef int regions, n
    if not may_place_black(B, P, first):
        return
    regions = black_regions(B, P)
    places = black_places(B, P)
    if policy == POLICY_RANDOM:
        n = random_below(dice, 1 + popcount(regions) + popcount(places)) - 1
    else:
        n = 0 if regions or places else -1
    if n < 0:
        return
    if n < popcount(regions):
        black_army(B, P, nth_bit(regions, n))
    else:
        black_revolt(P, nth_bit(places, n - popcount(regions)))
        usurpers_decided(B, P, before, policy, dice)


cdef void spread_decided(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 1, link by link; may leave more revolts than there are."""
    cdef Mask checked = 0
    cdef Mask burning = caught(B.normal, P.unrest, P.revolts)
    cdef Mask rest
    cdef int p, i
    while True:
        P.revolts |= burning
        P.unrest &= ~burning
        burning = 0
        if B.one_roll:
            burning = caught(B.linked, P.unrest, P.revolts)
            if burning and link_decided(P, 3, policy, dice):
                P.revolts |= burning
                P.unrest &= ~burning
            return
        rest = beyond_broken(B, P.unrest, P.revolts)
        while rest and not burning:
            p = lowest(rest)
            rest &= rest - 1
            for i in range(B.checks[p]):
                if P.revolts >> B.check_to[p][i] & 1 and not checked >> B.check_of[p][i] & 1:
                    checked |= bit(B.check_of[p][i])
                    if link_decided(P, 3, policy, dice):
                        burning = bit(p) | caught(B.normal, P.unrest ^ bit(p), bit(p))
                        break
        if not burning:
            return


cdef bint rise_decided(const Board* B, Position* P, int p, int policy, Dice* dice) noexcept nogil:
    """An uprising in `p`; False when the Empire falls."""
    cdef Mask before = P.revolts
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask doubtful = B.broken[p] & reach
    cdef Mask fresh = 0
    cdef int zone = pirates_land(B, P, p)
    cdef int i
    if zone:
        P.pirates = zone
    if not place_revolts(P, B.normal[p] & reach):
        return False
    if B.one_roll and doubtful:
        fresh = doubtful if link_decided(P, 3, policy, dice) else 0
    elif doubtful:
        for i in range(B.checks[p]):
            if doubtful >> B.check_to[p][i] & 1 and link_decided(P, 3, policy, dice):
                fresh |= bit(B.check_to[p][i])
    if not place_revolts(P, fresh):
        return False
    usurpers_decided(B, P, before, policy, dice)
    return True


cdef int province_rolled(const Board* B, Position* P, int region, int policy, Dice* dice) noexcept nogil:
    """The province that is named: by both dice, or (`region` not below 0) by the second one."""
    cdef int p
    while True:
        p = B.place[random_below(dice, 36) if region < 0 else 6 * region + random_below(dice, 6)]
        if not roll_again(P, policy, dice, protected(B, P) >> p & 1):
            return p


cdef bint activity_decided(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 2 with all its echoes; False when the Empire falls."""
    cdef Mask before
    cdef int region
    cdef int p = province_rolled(B, P, -1, policy, dice)
    while P.revolts >> p & 1:
        if not rise_decided(B, P, p, policy, dice):
            return False
        if popcount(P.armies) == MOST_ARMIES:
            return True
        region = random_below(dice, 6)
        while roll_again(P, policy, dice, False):
            region = random_below(dice, 6)
        if is_open(B, P, region):
            arrive(B, P, region)
            return True
        p = province_rolled(B, P, region, policy, dice)
    if P.unrest >> p & 1:
        before = P.revolts
        if not place_revolts(P, bit(p)):
            return False
        usurpers_decided(B, P, before, policy, dice)
    elif not protected(B, P) >> p & 1:
        if not unrest_in_reserve(P):
            return False
        P.unrest |= bit(p)
    return True


cdef int advance_answer(const Board* B, const Position* P, int p, int q, int policy, Dice* dice) noexcept nogil:
    """AS_EVER, CANCELLED, or the province that the army is turned to."""
    cdef Mask ways
    cdef int n
    if not gray_of(P):
        return AS_EVER
    if policy == POLICY_EAGER:
        return eager_advance(B, P, p, q)
    ways = ways_to_turn(B, P, p, q)
    if q < 0 or P.armies >> q & 1:                   # it stays anyway
        n = random_below(dice, 1 + popcount(ways))
        return nth_bit(ways, n - 1) if n else AS_EVER
    n = random_below(dice, 2 + popcount(ways))
    return AS_EVER if n == 0 else CANCELLED if n == 1 else nth_bit(ways, n - 2)


cdef bint pays_one(const Board* B, Position* P, int emperor, bint wanted, int policy, Dice* dice) noexcept nogil:
    """Whether an Emperor who can pay does, once: the first disc if he is eager, or else any."""
    cdef Mask discs = payable_discs(B, P, emperor)
    cdef int n
    if policy == POLICY_EAGER:
        if wanted:
            pay_first(B, P, emperor)
        return wanted
    n = random_below(dice, 1 + (garrisons_left(B, P, emperor) > 0) + popcount(discs))
    if n == 0:
        return False
    if n <= popcount(discs):
        pay(P, emperor, 0, bit(nth_bit(discs, n - 1)))
    else:
        pay(P, emperor, 1, 0)
    return True


cdef int fight_rolled(const Board* B, Position* P, int p, int q, int leader, int policy, Dice* dice) noexcept nogil:
    """The outcome of a battle, after all that is spent on it."""
    cdef Battle battle = battle_of(B, P, leader, p)
    cdef int support = battle.e - battle.a
    cdef int bonus = goths_bonus(B, P, p, B.battle[q])
    cdef int roman, barbarian, outcome
    cdef bint better
    while True:
        roman = battle.g + 1 + random_below(dice, 6)
        barbarian = battle.r + bonus + 1 + random_below(dice, 6)
        outcome = outcome_of(roman, barbarian, support)
        if not roll_again(P, policy, dice, outcome == VICTORY):
            break
    while outcome != VICTORY and most_boosts(B, P, leader):
        better = outcome_of(roman + most_boosts(B, P, leader), barbarian, support) < outcome
        if not pays_one(B, P, GALERIUS, better, policy, dice):
            break
        roman += 1
        outcome = outcome_of(roman, barbarian, support)
    return outcome


cdef bint advance_decided(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 3; False when the Empire falls."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask before
    cdef int count = in_order(B, movers(P), order)
    cdef int i, p, q, leader, answer, outcome
    for i in range(count):
        p = order[i]
        q = B.way[p]
        answer = advance_answer(B, P, p, q, policy, dice)
        if answer != AS_EVER:
            spend_gray(P)
            q = answer
        if q < 0 or P.armies >> q & 1:
            continue
        if B.broken[p] >> q & 1 and not link_decided(P, 4 if P.goths == p else 3, policy, dice):
            continue
        leader = leader_at(P, q)
        if leader >= 0:
            if may_block(B, P, leader) and pays_one(
                    B, P, CONSTANTIUS, eager_block(odds_of(B, P, leader, p)), policy, dice):
                continue
            outcome = fight_rolled(B, P, p, q, leader, policy, dice)
            if outcome == VICTORY:
                remove_army(P, p)
                battle_won(B, P, leader)
            if outcome != DEFEAT:
                continue
            take_off(P, leader)
            battle_lost(P, leader)
        before = P.revolts
        if q == B.roma or not enter(P, p, q):
            return False
        usurpers_decided(B, P, before, policy, dice)
    return True


cdef bint stands_after(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """The whole phase; False when the Empire falls."""
    cdef Mask before
    black_rolled(B, P, True, policy, dice)
    before = P.revolts
    spread_decided(B, P, policy, dice)
    if popcount(P.revolts) > most_revolts(P):
        return False
    remove_burnt(P)
    usurpers_decided(B, P, before, policy, dice)
    black_rolled(B, P, False, policy, dice)
    if not activity_decided(B, P, policy, dice):
        return False
    black_rolled(B, P, False, policy, dice)
    return advance_decided(B, P, policy, dice)


cdef void phase_rolled_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """As `phase_rolled`; a fallen Empire leaves the table as it was before."""
    cdef Position Q = P[0]
    if not is_decided(B, policy):
        phase_rolled(B, P, dice)
        return
    begin_turn(P)
    begin_turn(&Q)
    if stands_after(B, &Q, policy, dice):
        end_phase(B, &Q)
        P[0] = Q
        if CHECKED_BUILD:
            check_position(B, P)
    else:
        P.mark = RESULT_FALLEN
