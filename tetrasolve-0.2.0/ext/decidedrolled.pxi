# The Barbarian phase with decisions, rolled: under the eager policy, or with every answer as likely as the others. What rolled.pxi
# asks of a policy. A player who gives his answers one by one (opponent.pxi) is asked in place of the policy.

cdef inline bint is_eager(int policy, const Dice* dice) noexcept nogil:
    """Whether the Barbarian player answers by the eager policy."""
    return policy == POLICY_EAGER and not dice.answers


cdef inline int any_answer(Dice* dice, int options) noexcept nogil:
    """One that is given, or each is as likely; 0 is to do nothing."""
    return next_answer(dice, options) if dice.answers else random_below(dice, options)


cdef inline bint may_roll_again(const Position* P, int policy) noexcept nogil:
    return policy != POLICY_DECLINE and gray_of(P) > 0


cdef inline bint roll_again(
    const Board* B, Position* P, int policy, Dice* dice, bint wanted, bint* rerolled,
) noexcept nogil:
    """
    Whether the Barbarian player spends a gray disc on the dice just rolled; `wanted` is what an eager one does. Sets
    `rerolled`, which is False before the first time.
    """
    if not may_roll_again(P, policy) or not may_reroll(B, P, rerolled[0]):
        return False
    if not is_eager(policy, dice):
        wanted = any_answer(dice, 2) > 0
    if wanted:
        spend_gray(P)
        rerolled[0] = True
    return wanted


cdef bint link_holds_under(const Board* B, Position* P, int faces, int policy, Dice* dice) noexcept nogil:
    """The check of a broken link that so many faces block."""
    cdef bint holds
    cdef bint rerolled = False
    while True:
        holds = link_holds(dice) if faces == BLOCKED else random_below(dice, DIE / faces) > 0
        if not roll_again(B, P, policy, dice, not holds, &rerolled):
            return holds


cdef inline Mask links_hold_under(
    const Board* B, Position* P, int p, Mask doubtful, int policy, Dice* dice,
) noexcept nogil:
    """Of the provinces `doubtful`, one broken link away from `p`, those whose link holds."""
    cdef Mask fresh = 0
    cdef int i, n
    if not may_roll_again(P, policy):
        return doubtful & random_bits(dice)          # a fair bit for each link
    for n in range(B.checks[p]):
        i = check_number(B, p, n)
        if doubtful >> B.check_to[p][i] & 1 and link_holds_under(B, P, BLOCKED, policy, dice):
            fresh |= bit(B.check_to[p][i])
    return fresh


cdef inline int region_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """The region that an echo names, from 0."""
    cdef int region = random_below(dice, 6)
    cdef bint rerolled = False
    while roll_again(B, P, policy, dice, False, &rerolled):
        region = random_below(dice, 6)
    return region


cdef inline int province_from(const Board* B, Position* P, int p, int region, int policy, Dice* dice) noexcept nogil:
    """The same, `p` having been rolled first."""
    cdef bint rerolled = False
    while roll_again(B, P, policy, dice, protected(B, P) >> p & 1, &rerolled):
        p = B.place[random_below(dice, 36) if region < 0 else 6 * region + random_below(dice, 6)]
    return p


cdef inline int province_under(const Board* B, Position* P, int region, int policy, Dice* dice) noexcept nogil:
    """The province that is rolled: by both dice, or (`region` not below 0) by the second one."""
    return province_from(
        B, P, B.place[random_below(dice, 36) if region < 0 else 6 * region + random_below(dice, 6)], region, policy, dice)


cdef void usurpers_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    cdef Mask free
    cdef int region, p
    cdef bint rerolled
    for region in range(6):
        free = usurper_places(B, P, before, region)
        if free:
            p = nth_bit(free, random_below(dice, popcount(free)))
            rerolled = False
            while roll_again(B, P, policy, dice, False, &rerolled):
                p = nth_bit(free, random_below(dice, popcount(free)))
            place_usurper(P, p)


cdef inline void entered_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    """An army has entered a province: its usurper comes now or [I-USURPER-ADVANCE] when all armies have advanced."""
    if usurpers_wait(B):
        put_usurpers_off(B, P, before)
    else:
        usurpers_rolled(B, P, before, policy, dice)


cdef inline void risen_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    """An uprising has placed revolts: its usurpers come now or [I-USURPER-ECHO] when the activity is over."""
    if usurpers_wait_for_echo(B):
        put_usurpers_off(B, P, before)
    else:
        usurpers_rolled(B, P, before, policy, dice)


cdef inline void late_usurpers_rolled(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Those that have waited, when the activity is over or all armies have advanced."""
    cdef Mask before
    if has_late_usurpers(P):
        before = recall_usurpers(B, P)
        usurpers_rolled(B, P, before, policy, dice)


cdef void black_disc_under(const Board* B, Position* P, bint first, int policy, Dice* dice) noexcept nogil:
    cdef Mask before = P.revolts
    cdef Mask places
    cdef int regions, n
    if policy == POLICY_DECLINE or not may_place_black(B, P, first):
        return
    regions = black_regions(B, P)
    places = black_places(B, P)
    if is_eager(policy, dice):
        n = 0 if regions or places else -1
    else:
        n = any_answer(dice, 1 + popcount(regions) + popcount(places)) - 1
    if n < 0:
        return
    if n < popcount(regions):
        black_army(B, P, nth_bit(regions, n))
    else:
        black_revolt(B, P, nth_bit(places, n - popcount(regions)))
        usurpers_rolled(B, P, before, policy, dice)


cdef void spread_decided(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 1, link by link; may leave more revolts than there are."""
    cdef Mask checked = 0
    cdef Mask burning = caught(B.normal, P.unrest, P.revolts)
    cdef Mask rest
    cdef int p, i, n
    while True:
        P.revolts |= burning
        P.unrest &= ~burning
        burning = 0
        if B.reading[I_CHECK]:
            burning = caught(B.linked, P.unrest, P.revolts)
            if burning and link_holds_under(B, P, BLOCKED, policy, dice):
                P.revolts |= burning
                P.unrest &= ~burning
            return
        rest = beyond_broken(B, P.unrest, P.revolts)
        while rest and not burning:
            p = next_checked(B, rest)
            rest ^= bit(p)
            for n in range(B.checks[p]):
                i = check_number(B, p, n)
                if P.revolts >> B.check_to[p][i] & 1 and not checked >> B.check_of[p][i] & 1:
                    checked |= bit(B.check_of[p][i])
                    if link_holds_under(B, P, BLOCKED, policy, dice):
                        burning = bit(p) | caught(B.normal, P.unrest ^ bit(p), bit(p))
                        break
        if not burning:
            return


cdef inline void spread_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 1; may leave more revolts than there are."""
    if may_roll_again(P, policy):
        spread_decided(B, P, policy, dice)
    else:
        P.revolts = spread_rolled(B, P.revolts, P.unrest, dice)
        P.unrest &= ~P.revolts


cdef int advance_answer(const Board* B, const Position* P, int p, int q, int policy, Dice* dice) noexcept nogil:
    """AS_EVER, CANCELLED, or the province that the army is turned to."""
    cdef Mask ways
    cdef int n
    if policy == POLICY_DECLINE or not gray_of(P):
        return AS_EVER
    if is_eager(policy, dice):
        return eager_advance(B, P, p, q)
    ways = ways_to_turn(B, P, p, q)
    if not is_free(P.armies, q):                     # it stays anyway
        n = any_answer(dice, 1 + popcount(ways))
        return nth_bit(ways, n - 1) if n else AS_EVER
    n = any_answer(dice, 2 + popcount(ways))
    return AS_EVER if n == 0 else CANCELLED if n == 1 else nth_bit(ways, n - 2)


cdef inline int way_under(const Board* B, Position* P, int p, int policy, Dice* dice) noexcept nogil:
    """Where the army in `p` is to go, or a negative number."""
    cdef int answer = advance_answer(B, P, p, B.way[p], policy, dice)
    if answer == AS_EVER:
        return B.way[p]
    spend_gray(P)
    return answer


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
    cdef bint rerolled = False
    while True:
        roman = battle.g + roman_bonus(B) + 1 + random_below(dice, 6)
        barbarian = battle.r + bonus + barbarian_bonus(B) + 1 + random_below(dice, 6)
        outcome = outcome_of(B, roman, barbarian, support)
        if not roll_again(B, P, policy, dice, outcome == VICTORY, &rerolled):
            break
    while outcome != VICTORY and most_boosts(B, P, leader):
        better = outcome_of(B, roman + most_boosts(B, P, leader), barbarian, support) < outcome
        if not pays_one(B, P, GALERIUS, better, policy, dice):
            break
        roman += 1
        outcome = outcome_of(B, roman, barbarian, support)
    return outcome


cdef int passed_under(const Board* B, Position* P, int p, int q, int policy, Dice* dice) noexcept nogil:
    """Where the army in `p` comes to that is on its way to `q`; -1 where it is stopped."""
    cdef int leader
    while B.broken[p] >> q & 1:
        leader = leader_at(P, q)
        if leader >= 0 and blocks_before_check(B, p, q) and blocks_under(B, P, p, leader, policy, dice):
            return -1
        if link_holds_under(B, P, blocking_faces(P, p), policy, dice):
            if cancels_late(B, P, policy, dice):
                return -1
            return q
        if q == B.way[p]:
            return -1
        if B.reading[I_TURN_DISC]:                   # it had been turned
            take_gray_back(P)
        if not B.reading[I_TURN_STOPPED] or not is_free(P.armies, B.way[p]):
            return -1
        q = B.way[p]
    return q


cdef inline bint cancels_late(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """[I-CANCEL-WHEN] Whether an army that has passed its check is stopped all the same; an eager player does not."""
    if policy == POLICY_DECLINE or is_eager(policy, dice):
        return False
    if not B.reading[I_CANCEL_WHEN] or not gray_of(P) or not any_answer(dice, 2):
        return False
    spend_gray(P)
    return True


cdef inline bint blocks_under(const Board* B, Position* P, int p, int leader, int policy, Dice* dice) noexcept nogil:
    """Whether Constantius stops the army in `p`."""
    if not is_decided(B, policy) or not may_block(B, P, leader):
        return False
    return pays_one(B, P, CONSTANTIUS, eager_block(odds_of(B, P, leader, p)), policy, dice)


cdef inline int battle_under(
    const Board* B, Position* P, int p, int q, int leader, int policy, Dice* dice,
) noexcept nogil:
    """The outcome of the battle of the army in `p` for `q`; a draw where Constantius stops it."""
    if not is_decided(B, policy):
        return battle_rolled(B, P, p, leader, dice)
    if not blocks_before_check(B, p, q) and blocks_under(B, P, p, leader, policy, dice):
        return DRAW
    return fight_rolled(B, P, p, q, leader, policy, dice)
