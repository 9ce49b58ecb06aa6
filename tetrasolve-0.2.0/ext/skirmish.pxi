# Barbarian phase: marginals of an advance with an Emperor in the way of an army.
#
# The odds of a battle depend on the revolts and on his garrisons, so each position is gone through, and each unrest that
# becomes a revolt makes another one. A new unrest changes nothing in a battle: it comes where no disc is printed. What
# the armies do is what `march_on` says; here is noted which provinces they touch.

cdef struct Skirmish:
    const Board* board
    Marginals* marginals
    const uint8_t* order
    int count
    Mask revolts           # before the advance
    Mask calm              # provinces that the roll may have hit
    Mask near              # provinces that the advance can touch
    double times           # rolls with the same position
    double stands          # chance of one roll, the Empire standing at the end


cdef void skirmish_ends(Skirmish* K, const Position* P, Mask touched, int removed, double chance) noexcept nogil:
    cdef Marginals* X = K.marginals
    cdef double all_rolls = chance * K.times
    cdef int i
    K.stands += chance
    add_to(X.taken, touched & ~K.revolts, all_rolls)
    add_to(X.freed, touched & ~P.revolts, all_rolls)
    add_to(X.army, P.armies, all_rolls)
    add_to(X.struck, K.calm & K.near & ~touched, chance)
    for i in range(4):
        if removed >> i & 1:
            X.gone[i] += all_rolls


cdef void skirmish(Skirmish* K, const Position* P, int i, Mask touched, int removed, double chance) noexcept nogil:
    """The armies from `order[i]` on are still to move."""
    cdef const Board* B = K.board
    cdef Position Q
    cdef Odds odds
    cdef double stays = 0
    cdef int p, q, emperor
    while i < K.count and not is_free(P.armies, B.way[K.order[i]]):
        i += 1
    if i == K.count:
        skirmish_ends(K, P, touched, removed, chance)
        return
    p = K.order[i]
    q = B.way[p]
    if B.broken[p] & bit(q):
        stays = blocked_share(P, p, chance)
        chance -= stays
    emperor = leader_at(P, q)
    if emperor >= 0:
        odds = odds_of(B, P, emperor, p)
        stays += share_of_outcome(odds, DRAW, chance)
        if odds.victory:
            Q = P[0]
            remove_army(&Q, p)
            skirmish(K, &Q, i + 1, touched | bit(p), removed, share_of_outcome(odds, VICTORY, chance))
        chance = share_of_outcome(odds, DEFEAT, chance)
    if chance > 0:
        Q = P[0]
        if emperor >= 0:
            take_off(&Q, emperor)
        if q == B.roma:
            K.marginals.fallen[ARMY_IN_ROMA] += chance * K.times
        elif enter(B, &Q, p, q):
            skirmish(K, &Q, i + 1, touched | bit(q), removed | (1 << emperor if emperor >= 0 else 0), chance)
        else:
            K.marginals.fallen[NO_REVOLT_LEFT] += chance * K.times
    if stays > 0:
        skirmish(K, P, i + 1, touched, removed, stays)


cdef void skirmish_from(
    Skirmish* K, const Position* scene, Mask unrest, Mask revolts, Mask calm, double each, double times,
) noexcept nogil:
    """All that can come of one position, `times` as likely as `each`."""
    cdef Position P = scene[0]
    cdef int i
    P.revolts = revolts
    P.unrest = unrest & ~revolts
    for i in range(4):
        P.garrison[i] &= ~revolts
    K.revolts = revolts
    K.calm = calm
    K.times = times
    K.stands = 0
    skirmish(K, &P, 0, 0, 0, each)
    K.marginals.stands += K.stands * times
    add_to(K.marginals.taken, revolts, K.stands * times)
    add_to(K.marginals.struck, calm & ~K.near, K.stands)


cdef void settle_battles(
    const Board* B, const Chain* C, const ChainPosition* positions, size_t firsts, size_t count, const Position* scene, int fresh,
    Marginals* X, Watch* watch,
) noexcept nogil:
    """
    Adds what follows from these positions, see `settle`, by advances with a fresh army on border `fresh`, or without one.
    `scene`: the Emperors who matter in it, their garrisons, and the armies on the board.
    """
    cdef uint8_t[MOST_ARMIES] order
    cdef Skirmish K
    cdef Rolls rolls
    cdef Position P = scene[0]
    cdef Mask struck
    cdef size_t i
    cdef int k
    K.board = B
    K.marginals = X
    K.order = order
    if fresh != NO_FRESH_ARMY:
        arrive(B, &P, fresh)
    K.count = in_order(B, movers_after(B, &P, scene.armies), order)
    K.near = P.armies
    for k in range(K.count):
        if B.arrow[order[k]] >= 0:
            K.near |= bit(B.arrow[order[k]])
    for i in range(count):
        if spend(watch, 40):
            return
        if fresh != NO_FRESH_ARMY:
            if i >= firsts:
                skirmish_from(&K, &P, C.unrest, positions[i].revolts, 0, positions[i].met / 6, 1)
        elif i >= firsts and not C.army_left:        # no echo
            skirmish_from(&K, &P, C.unrest, positions[i].revolts, 0, positions[i].met, 1)
        else:
            rolls = rolls_on(C, X, positions[i].revolts, B.numbered if i < firsts else C.closed, positions[i].met / 36)
            if rolls.calm:
                skirmish_from(&K, &P, C.unrest, positions[i].revolts, rolls.calm, positions[i].met / 36, popcount(rolls.calm))
            while rolls.turning:
                struck = rolls.turning & (<Mask> 0 - rolls.turning)
                skirmish_from(&K, &P, C.unrest, positions[i].revolts | struck, 0, positions[i].met / 36, 1)
                rolls.turning ^= struck
