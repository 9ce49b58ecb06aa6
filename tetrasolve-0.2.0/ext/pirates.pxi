# The Pirates: the battle against them, and how they come back.

cdef Battle pirates_battle(const Board* B, const Position* P, int leader) noexcept nogil:
    """
    All provinces on their coast count as linked. Several allies double the value each, [I-PIRATES-EMPERORS] or [I-PIRATES-ARMIES]
    once; [I-GOTHS-SEA] the Goths add to the die, which is among the revolts, or not.
    """
    cdef Mask coast = B.coast[P.pirates - 1]
    cdef Mask own = 0
    cdef Battle battle
    if leader != DUX_LEADS:
        own = P.garrison[leader] if B.reading[I_PIRATES_PRINTED] else own_group_members(B, P, leader)
    battle.g = popcount(own & coast)
    battle.r = popcount(P.revolts & coast)
    battle.e = popcount(supporters(P, leader) & coast)
    battle.a = popcount(P.armies & coast)
    if B.reading[I_PIRATES_EMPERORS]:
        battle.e = min(battle.e, 1)
    if B.reading[I_PIRATES_ARMIES]:
        battle.a = min(battle.a, 1)
    if not B.reading[I_GOTHS_SUPPORT] and not B.reading[I_GOTHS_SEA] and P.goths < PROVINCES:
        battle.r += GOTHS_IN_BATTLE * (coast >> P.goths & 1)
    CHECK(battle.g < MOST_GROUP and battle.r <= MOST_REVOLTS and battle.e < LEADERS and battle.a <= LEAST_SUPPORT)
    return battle


cdef inline Odds pirates_odds(const Board* B, const Position* P, int leader, int boost) noexcept nogil:
    """`boost` is added to the Roman die."""
    cdef Battle battle = pirates_battle(B, P, leader)
    CHECK(battle.g + boost < MOST_GROUP)
    return B.odds[battle.g + boost][battle.r][battle.e - battle.a + LEAST_SUPPORT]


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
