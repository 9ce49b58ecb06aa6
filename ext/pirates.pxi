# The Pirates: the battle against them, and how they come back.

cdef Odds pirates_odds(const Board* B, const Position* P, int leader, int boost) noexcept nogil:
    """
    All provinces on their coast count as linked; `boost` is added to the Roman die. Several allies double the value each,
    [I-PIRATES-EMPERORS] or [I-PIRATES-ARMIES] once; [I-GOTHS-SEA] the Goths add to the die or not.
    """
    cdef Mask coast = B.coast[P.pirates - 1]
    cdef Mask own = 0
    cdef int g, r, e, a
    if leader != DUX_LEADS:
        own = P.garrison[leader] if B.reading[I_PIRATES_PRINTED] else own_group_members(B, P, leader)
    g = popcount(own & coast)
    r = popcount(P.revolts & coast)
    e = popcount(supporters(P, leader) & coast)
    a = popcount(P.armies & coast)
    if B.reading[I_PIRATES_EMPERORS]:
        e = min(e, 1)
    if B.reading[I_PIRATES_ARMIES]:
        a = min(a, 1)
    if not B.reading[I_GOTHS_SUPPORT] and not B.reading[I_GOTHS_SEA] and P.goths < PROVINCES:
        r += GOTHS_IN_BATTLE * (coast >> P.goths & 1)
    g += boost
    CHECK(g < MOST_GROUP and r <= MOST_REVOLTS and e < LEADERS and a <= LEAST_SUPPORT)
    return B.odds[g][r][e - a + LEAST_SUPPORT]


cdef inline void play_pirates(const Board* B, Position* Q, int leader, int outcome) noexcept nogil:
    """What an attack on them leads to."""
    cdef Mask lost
    if outcome == VICTORY:
        Q.pirates = 0
        if not B.reading[I_GLORY_SEA]:
            battle_won(B, Q, leader)
    elif outcome == DEFEAT:                   # the leader goes, and every garrison on that coast
        lost = B.coast[Q.pirates - 1] & garrison_discs(Q)
        if not B.reading[I_BORDER_DEFEAT]:
            lost &= ~B.borders
        lift_discs(Q, lost)
        take_off(Q, leader)
        if not B.reading[I_SHAME_SEA]:
            battle_lost(B, Q, leader)
        if ends_the_turn(B, leader):
            end_turn(Q)


cdef inline int pirates_land(const Board* B, const Position* P, int p) noexcept nogil:
    """
    The zone in which an uprising in `p` brings defeated Pirates back, or 0; [I-PIRATES-RETURN] if it is on the coast, or one
    normal link away from it.
    """
    cdef Mask risen = bit(p) | (B.normal[p] & ~B.borders if B.reading[I_PIRATES_RETURN] else 0)
    cdef int z
    cdef int found = 0
    if not B.modules.pirates or P.pirates:
        return 0
    for z in range(3):
        if B.coast[z] & risen and not P.fleets >> z & 1 and (not found or B.reading[I_PIRATES_ZONE]):
            found = z + 1
    return found
