# Barbarian phase, step 3 (rules, section 5): each army moves one arrow, in an order fixed at the start.

cdef inline bint enter(Position* P, int p, int q) noexcept nogil:
    """An army goes from `p` to the Roman province `q`; False when no revolt is left to be placed there."""
    P.armies ^= bit(p) | bit(q)
    lift_discs(P, bit(q))
    if popcount(P.revolts) == MOST_DISCS:
        return False
    P.revolts |= bit(q)
    return True


cdef void advance_with_discs(
    Sweep* S, const Position* P, const uint8_t* order, int count, int i, double chance,
) noexcept nogil:
    """The armies `order[i:count]` are still to move; for tables with an Emperor in the way of one."""
    cdef const Board* B = S.board
    cdef Position Q
    cdef Odds odds
    cdef double stays = 0
    cdef double* battle
    cdef int p, q, emperor
    while i < count and (B.arrow[order[i]] < 0 or P.armies & bit(B.arrow[order[i]])):
        i += 1                                       # no way, or another army in it
    if i == count:
        visit(S, P, chance)
        return
    p = order[i]
    q = B.arrow[p]
    if B.broken[p] & bit(q):
        stays = chance = chance / 2
    emperor = leader_at(P, q)
    if emperor >= 0:
        odds = odds_of(B, P, emperor, p)
        battle = S.figures.battle[p][emperor]
        battle[VICTORY] += chance * odds.victory / 36
        battle[DRAW] += chance * odds.draw / 36
        battle[DEFEAT] += chance * (36 - odds.victory - odds.draw) / 36
        stays += chance * odds.draw / 36
        if odds.victory:                             # the army and any disc of its province are removed
            Q = P[0]
            Q.armies ^= bit(p)
            lift_discs(&Q, bit(p))
            advance_with_discs(S, &Q, order, count, i + 1, chance * odds.victory / 36)
        chance = chance * (36 - odds.victory - odds.draw) / 36
    if chance > 0:
        Q = P[0]
        if emperor >= 0:
            Q.emperor[emperor] = OFF_BOARD
        if q == B.roma:
            visit_fall(S, ARMY_IN_ROMA, chance)
        elif enter(&Q, p, q):
            advance_with_discs(S, &Q, order, count, i + 1, chance)
        else:
            visit_fall(S, NO_REVOLT_LEFT, chance)
    if stays > 0:
        advance_with_discs(S, P, order, count, i + 1, stays)


cdef void march(
    const Board* B, Marches* M, Mask armies, Mask entered, const uint8_t* order, int count, double chance,
) noexcept nogil:
    """All the ways the armies in `order` can go, no Emperor being in the way."""
    cdef int p, q
    if count == 0:
        M.way[M.count].armies = armies
        M.way[M.count].entered = entered
        M.way[M.count].chance = chance
        M.count += 1
        return
    p = order[0]
    q = B.arrow[p]
    if q < 0 or armies & bit(q):
        march(B, M, armies, entered, order + 1, count - 1, chance)
        return
    if B.broken[p] & bit(q):
        chance /= 2
        march(B, M, armies, entered, order + 1, count - 1, chance)
    if q == B.roma:
        M.fall += chance
    else:
        march(B, M, armies ^ bit(p) ^ bit(q), entered | bit(q), order + 1, count - 1, chance)


cdef Marches* marches_with(Sweep* S, int fresh) noexcept nogil:
    """The advance when a fresh army stands on the border of region `fresh`, or none; worked out when first needed."""
    cdef const Board* B = S.board
    cdef Marches* M = &S.marches[fresh]
    cdef Mask armies = S.start.armies
    cdef uint8_t[MOST_ARMIES] order
    cdef int count, i
    if M.ready:
        return M
    if fresh != NO_FRESH_ARMY:
        armies |= bit(B.border[fresh])
    count = in_order(B, S.start.armies if B.fresh_wait else armies, order)
    M.ready = True
    M.count = 0
    M.fall = 0
    M.battle = False
    for i in range(count):
        if B.arrow[order[i]] >= 0 and all_emperors(&S.start) & bit(B.arrow[order[i]]):
            M.battle = True
    if not M.battle:
        march(B, M, armies, 0, order, count, 1)
    return M


cdef inline void advance(Sweep* S, Mask revolts, Mask unrest, int fresh, double chance) noexcept nogil:
    """Step 3 from a table with these revolts and this unrest, and with the garrisons that no revolt has replaced."""
    cdef const Board* B = S.board
    cdef Position* leaf = &S.leaf
    cdef Marches* M = marches_with(S, fresh)
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask after
    cdef int i
    if M.battle:
        leaf.revolts = revolts
        leaf.unrest = unrest
        leaf.armies = S.start.armies
        for i in range(4):
            leaf.garrison[i] = S.start.garrison[i] & ~revolts
        i = in_order(B, S.start.armies, order)
        if fresh != NO_FRESH_ARMY:
            leaf.armies |= bit(B.border[fresh])
            if not B.fresh_wait:
                i = in_order(B, leaf.armies, order)
        advance_with_discs(S, leaf, order, i, 0, chance)
        return
    for i in range(M.count):
        after = revolts | M.way[i].entered
        if popcount(after) > MOST_DISCS:
            visit_fall(S, NO_REVOLT_LEFT, chance * M.way[i].chance)
            continue
        leaf.revolts = after
        leaf.unrest = unrest & ~after
        leaf.garrison[0] = S.start.garrison[0] & ~after
        leaf.garrison[1] = S.start.garrison[1] & ~after
        leaf.garrison[2] = S.start.garrison[2] & ~after
        leaf.garrison[3] = S.start.garrison[3] & ~after
        leaf.armies = M.way[i].armies
        visit(S, leaf, chance * M.way[i].chance)
    if M.fall > 0:
        visit_fall(S, ARMY_IN_ROMA, chance * M.fall)
