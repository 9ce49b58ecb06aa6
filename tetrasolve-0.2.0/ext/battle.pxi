# Battle (rules, section 4).

cdef struct Battle:
    int g                  # the Emperor's group
    int e                  # Emperors who support him
    int r                  # the army's group of revolts
    int a                  # armies that support it


cdef Mask connected(const Board* B, Mask members, Mask seed) noexcept nogil:
    """`seed` and the members joined to it through members."""
    cdef Mask group = seed
    cdef Mask front = seed
    cdef Mask fresh
    while front:
        fresh = B.battle[lowest(front)] & members & ~group
        front = (front & (front - 1)) | fresh
        group |= fresh
    return group


cdef int group_size(const Board* B, Mask members, int p) noexcept nogil:
    """Size of the group that contains province `p`, or else of the largest one linked to it."""
    cdef Mask rest, group
    cdef int size
    cdef int best = 0
    if members & bit(p):
        return popcount(connected(B, members, bit(p)))
    rest = members & B.battle[p]
    while rest:
        group = connected(B, members, rest & (<Mask> 0 - rest))
        rest &= ~group
        size = popcount(group)
        if size > best:
            best = size
    return best


cdef inline Mask own_group_members(const Board* B, const Position* P, int emperor) noexcept nogil:
    """His discs, and his printed discs while no disc lies on them, or [I-ROMA-COVERED] no other one than a garrison in Roma."""
    cdef Mask covers = P.revolts | P.unrest | (garrison_discs(P) & ~B.seen_through)
    return P.garrison[emperor] | (B.printed[emperor] & ~covers) if not WHOLE or emperor < 4 else 0


cdef inline int revolt_group(const Board* B, const Position* P, int army) noexcept nogil:
    """The revolts that help an army."""
    if B.reading[I_REVOLT_GROUP] and not P.revolts & bit(army):
        return 0
    return group_size(B, P.revolts, army)


cdef Battle battle_against(const Board* B, const Position* P, int leader, int army, int revolts) noexcept nogil:
    """`battle_of`, with the army's `revolt_group` known."""
    cdef Battle battle
    cdef int p = place_of(P, leader)
    CHECK(p < PROVINCES and P.armies & bit(army))
    battle.g = group_size(B, own_group_members(B, P, leader), p)
    battle.r = revolts
    battle.e = popcount(supporters(P, leader) & ~bit(p) & B.battle[army])
    battle.a = popcount(P.armies & ~bit(army) & B.battle[p])
    CHECK(battle.g < MOST_GROUP and battle.r <= MOST_DISCS and battle.e < LEADERS and battle.a <= 2)
    return battle


cdef inline Battle battle_of(const Board* B, const Position* P, int leader, int army) noexcept nogil:
    """The numbers of a battle, whichever side attacks: support is counted at the opponent."""
    return battle_against(B, P, leader, army, revolt_group(B, P, army))


cdef inline Odds odds_in(const Board* B, const Position* P, const Battle* battle, int place, int army) noexcept nogil:
    """The odds of a battle whose leader stands in `place`."""
    return B.odds[battle.g][battle.r + goths_bonus(B, P, army, B.battle[place])][battle.e - battle.a + LEAST_SUPPORT]


cdef inline Odds odds_against(const Board* B, const Position* P, int leader, int army, int revolts) noexcept nogil:
    """`odds_of`, with the army's `revolt_group` known."""
    cdef Battle battle = battle_against(B, P, leader, army, revolts)
    return odds_in(B, P, &battle, place_of(P, leader), army)


cdef inline Odds odds_of(const Board* B, const Position* P, int leader, int army) noexcept nogil:
    return odds_against(B, P, leader, army, revolt_group(B, P, army))
