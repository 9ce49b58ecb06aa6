# Barbarian phase, step 3 (rules, section 5): each army moves one arrow, in an order fixed at the start.

cdef inline bint is_free(Mask armies, int q) noexcept nogil:
    """Whether `q`, where an army is to go, is a province (-1: there is no way) without another army."""
    return q >= 0 and not armies >> q & 1


cdef inline double blocked_share(const Position* P, int p, double chance) noexcept nogil:
    """Of the chance that the army in `p` reaches a broken link, the part in which its check fails."""
    return chance / (DIE / blocking_faces(P, p))


cdef inline double share_of_outcome(Odds odds, int outcome, double chance) noexcept nogil:
    return chance * chance_of(odds, outcome) / 36


cdef inline bint enter(const Board* B, Position* P, int p, int q) noexcept nogil:
    """An army goes from `p` to `q`; False when no revolt is left to be placed there, in a Roman province."""
    P.armies ^= bit(p) | bit(q)
    figure_follows(P, p, q)
    if WHOLE and B.borders >> q & 1:
        enter_border(P, p, q)
        return True
    lift_discs(P, bit(q))
    return place_revolts(B, P, bit(q))


cdef void march_on(Sweep* S, const Position* P, const March* march, double chance) noexcept nogil:
    """The armies from `march.next` on are still to move."""
    cdef const Board* B = S.board
    cdef March rest = march[0]
    cdef Position Q
    cdef Odds odds
    cdef double stays = 0
    cdef double* battle
    cdef int p, q, leader
    while rest.next < rest.count and not is_free(P.armies, B.way[rest.order[rest.next]]):
        rest.next += 1
    if rest.next == rest.count:
        march_over(S, P, chance)
        return
    p = rest.order[rest.next]
    q = B.way[p]
    rest.next += 1
    if B.broken[p] >> q & 1:
        stays = blocked_share(P, p, chance)
        chance -= stays
    leader = leader_at(P, q)
    if leader >= 0:
        odds = odds_of(B, P, leader, p)
        battle = S.figures.battle[p][leader]
        battle[VICTORY] += share_of_outcome(odds, VICTORY, chance)
        battle[DRAW] += share_of_outcome(odds, DRAW, chance)
        battle[DEFEAT] += share_of_outcome(odds, DEFEAT, chance)
        stays += share_of_outcome(odds, DRAW, chance)
        if odds.victory:                             # the army and any disc of its province are removed
            Q = P[0]
            remove_army(&Q, p)
            defence_won(B, &Q, leader)
            march_on(S, &Q, &rest, share_of_outcome(odds, VICTORY, chance))
        chance = share_of_outcome(odds, DEFEAT, chance)
    if chance > 0:
        Q = P[0]
        if leader >= 0:
            take_off(&Q, leader)
            defence_lost(B, &Q, leader)
        if q == B.roma:
            visit_fall(S, ARMY_IN_ROMA, chance)
        elif enter(B, &Q, p, q):
            army_entered(S, &Q, P.revolts, &rest, chance)
        else:
            visit_fall(S, NO_REVOLT_LEFT, chance)
    if stays > 0:
        march_on(S, P, &rest, stays)
