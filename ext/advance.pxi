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


cdef void march_on(Sweep* S, Advancing* at, double chance) noexcept nogil:
    """
    What the armies do that are still to move. basechain.pxi and wholechain.pxi have the other functions: how an `Advancing` goes on
    when an army is beaten, goes or stays, and what is noted when all have moved.
    """
    cdef const Board* B = S.board
    cdef Odds odds
    cdef double stays = 0
    cdef double* battle
    cdef int p = army_ahead(S, at)
    cdef int q, leader
    if p < 0:
        march_over(S, at, chance)
        return
    q = B.way[p]
    if B.broken[p] >> q & 1:
        stays = blocked_share(at.P, p, chance)
        chance -= stays
    leader = leader_in_way(at, q)
    if leader >= 0:
        odds = odds_in_way(S, at, leader, p)
        battle = S.figures.battle[p][leader]
        battle[VICTORY] += share_of_outcome(odds, VICTORY, chance)
        battle[DRAW] += share_of_outcome(odds, DRAW, chance)
        battle[DEFEAT] += share_of_outcome(odds, DEFEAT, chance)
        stays += share_of_outcome(odds, DRAW, chance)
        if odds.victory:
            army_beaten(S, at, p, leader, share_of_outcome(odds, VICTORY, chance))
        chance = share_of_outcome(odds, DEFEAT, chance)
    if chance > 0:
        if q == B.roma:
            visit_fall(S, ARMY_IN_ROMA, chance)
        elif not army_goes(S, at, p, q, leader, chance):
            visit_fall(S, NO_REVOLT_LEFT, chance)
    if stays > 0:
        army_stays(S, at, stays)
