# The chain of step 2 in the base game: what activity.pxi and advance.pxi leave to each kernel.
#
# Until the chain ends discs come in one way only: an uprising adds revolts, which replace what lay there. So after an uprising
# the revolts determine the whole position, and positions can be taken in order of the number of their revolts, equal ones merged.
# wholechain.pxi replaces this file where modules are played.

ctypedef Mask ChainKey     # the revolts


cdef inline Mask chain_revolts(ChainKey key) noexcept nogil:
    return key


cdef inline Mask chain_unrest(const Sweep* S, ChainKey key) noexcept nogil:
    return S.start.unrest & ~key


cdef inline Mask chain_protected(const Sweep* S, ChainKey key) noexcept nogil:
    return shielded(S.board, garrison_discs(&S.start) & ~key, key | S.start.unrest)


cdef inline int chain_most_revolts(const Sweep* S, ChainKey key) noexcept nogil:
    return most_revolts(S.board, NULL)


cdef inline bint chain_unrest_left(const Sweep* S, ChainKey key, Mask unrest) noexcept nogil:
    return popcount(unrest) < MOST_DISCS


cdef inline bint chain_army_left(const Sweep* S, ChainKey key) noexcept nogil:
    return S.army_left


cdef inline Mask chain_closed(const Sweep* S, ChainKey key) noexcept nogil:
    return S.closed


cdef inline bint chain_pirates(const Board* B, ChainKey key, int p) noexcept nogil:
    """Whether an uprising in `p` brings Pirates."""
    return False


cdef inline void chain_rise(Sweep* S, ChainKey key, Mask revolts, int p, double chance) noexcept nogil:
    """An uprising in `p` has left these revolts."""
    echo_put(&S.echoes, revolts, chance)


cdef inline void chain_advance(Sweep* S, ChainKey key, Mask unrest, double chance) noexcept nogil:
    """The activity is over: step 3 from the position as it is; `unrest` is that of the key, as in the next functions."""
    advance(S, key, unrest, NO_FRESH_ARMY, chance)


cdef inline void chain_new_unrest(Sweep* S, ChainKey key, Mask unrest, Mask struck, double chance) noexcept nogil:
    advance(S, key, unrest | struck, NO_FRESH_ARMY, chance)


cdef inline void chain_new_revolt(Sweep* S, ChainKey key, Mask unrest, Mask struck, double chance) noexcept nogil:
    advance(S, key | struck, unrest ^ struck, NO_FRESH_ARMY, chance)


cdef inline void chain_arrival(Sweep* S, ChainKey key, Mask unrest, int region, double chance) noexcept nogil:
    """The echo brings an army to the border of a region."""
    advance(S, key, unrest, region, chance)


# Step 3 from a position of the chain. Which armies can go where, and where an Emperor is in the way, is the same for all discs and
# is worked out once, see `Stage`. Only the odds of a battle depend on discs.

cdef void all_advances(
    const Board* B, Marches* M, Mask armies, Mask entered, const uint8_t* order, int count, double chance,
) noexcept nogil:
    """All the ways the armies in `order` can go, no Emperor being in the way: as `march_on`."""
    cdef double stays
    cdef int q
    if count == 0:
        M.way[M.count].armies = armies
        M.way[M.count].entered = entered
        M.way[M.count].chance = chance
        M.way[M.count].packed = NULL
        M.count += 1
        return
    q = B.way[order[0]]
    if not is_free(armies, q):
        all_advances(B, M, armies, entered, order + 1, count - 1, chance)
        return
    if B.broken[order[0]] & bit(q):
        stays = blocked_share(NULL, order[0], chance)
        chance -= stays
        all_advances(B, M, armies, entered, order + 1, count - 1, stays)
    if q == B.roma:
        M.fall += chance
    else:
        all_advances(B, M, armies ^ bit(order[0]) ^ bit(q), entered | bit(q), order + 1, count - 1, chance)


cdef int add_stages(
    Sweep* S, Marches* M, Mask armies, Mask entered, Mask cleared, int removed, int next,
) noexcept nogil:
    """What has come of the armies before number `next`, and all that can come of the others: as `march_on`. The first stage."""
    cdef const Board* B = S.board
    cdef const March* march = &M.march
    cdef Stage* stage
    cdef int number = M.stages
    cdef int p, q
    CHECK(number < MOST_STAGES)
    M.stages += 1
    stage = &M.stage[number]
    stage.armies = armies
    stage.entered = entered
    stage.cleared = cleared
    stage.removed = removed
    stage.packed = NULL
    stage.fought = False
    stage.army = stage.leader = -1
    stage.beaten = stage.gone = stage.stays = NO_STAGE
    while next < march.count and not is_free(armies, B.way[march.order[next]]):
        next += 1
    if next == march.count:
        return number
    p = march.order[next]
    q = B.way[p]
    stage.army = p
    stage.leader = leader_at(&S.start, q)
    if stage.leader >= 0 and removed >> stage.leader & 1:
        stage.leader = -1
    if stage.leader >= 0:
        stage.beaten = add_stages(S, M, armies ^ bit(p), entered & ~bit(p), cleared | bit(p), removed, next + 1)
        removed |= 1 << stage.leader
    if q != B.roma:
        stage.gone = add_stages(
            S, M, armies ^ bit(p) ^ bit(q), entered | bit(q), cleared & ~bit(q), removed, next + 1)
    stage.stays = add_stages(S, M, armies, entered, cleared, stage.removed, next + 1)
    return number


cdef Marches* marches_with(Sweep* S, int fresh) noexcept nogil:
    """The advance when a fresh army stands on the border of region `fresh`, or none; worked out when first needed."""
    cdef const Board* B = S.board
    cdef Marches* M = &S.marches[fresh]
    cdef Position P
    cdef March* march = &M.march
    cdef int i
    if M.ready:
        return M
    P.armies = S.start.armies
    if fresh != NO_FRESH_ARMY:
        arrive(B, &P, fresh)
    line_up(B, movers_after(B, &P, S.start.armies), march)
    M.ready = True
    M.count = 0
    M.fall = 0
    M.battle = False
    for i in range(march.count):
        if B.way[march.order[i]] >= 0 and all_emperors(&S.start) & bit(B.way[march.order[i]]):
            M.battle = True
    if M.battle:
        M.stages = 0
        add_stages(S, M, P.armies, 0, 0, S.removed, 0)
    else:
        all_advances(B, M, P.armies, 0, march.order, march.count, 1)
    return M


cdef struct Advancing:     # an advance under way
    const Position* P      # at the start of the phase
    Marches* marches
    Stage* stage           # that it has come to
    Mask revolts           # before the advance,
    Mask unrest            # likewise


cdef inline Mask revolts_at(const Advancing* at) noexcept nogil:
    return (at.revolts & ~at.stage.cleared) | at.stage.entered


cdef inline Mask unrest_at(const Advancing* at) noexcept nogil:
    return at.unrest & ~(at.stage.entered | at.stage.cleared)


cdef void position_at(const Sweep* S, const Advancing* at, Position* P) noexcept nogil:
    cdef Mask lost = at.revolts | at.stage.entered | at.stage.cleared
    cdef int i
    P[0] = S.start
    P.revolts = revolts_at(at)
    P.unrest = unrest_at(at)
    P.armies = at.stage.armies
    for i in range(4):
        P.garrison[i] &= ~lost
        if at.stage.removed >> i & 1:
            P.emperor[i] = OFF_BOARD


cdef inline void visit_stage(Sweep* S, const Advancing* at, double chance) noexcept nogil:
    """The outcome of the phase at the last stage of an advance."""
    cdef Stage* stage = at.stage
    cdef Mask after = revolts_at(at)
    cdef Mask changed = changed_unrest(&S.start, after, unrest_at(at))
    cdef Position* leaf
    # a garrison that a revolt replaced is not back once that revolt is gone
    if S.counting and not changed & (changed - 1) and not stage.cleared & garrison_discs(&S.start):
        if visit_packed(
                S, packed_word(after, changed, stage.removed), stage.armies, &stage.packed, popcount(after), chance):
            return
    leaf = next_leaf(S)
    position_at(S, at, leaf)
    visit_leaf(S, leaf, popcount(after), chance)


cdef inline void march_over(Sweep* S, const Advancing* at, double chance) noexcept nogil:
    """All armies have advanced."""
    visit_stage(S, at, chance)


cdef inline int army_ahead(const Sweep* S, Advancing* at) noexcept nogil:
    """The next army that is free to go; -1 if there is none."""
    return at.stage.army


cdef inline int leader_in_way(const Advancing* at, int q) noexcept nogil:
    return at.stage.leader


cdef inline Odds odds_at_stage(const Sweep* S, Advancing* at, int leader, int p) noexcept nogil:
    """The odds of the battle there. Most advances of a phase come to it with the same groups as the one before."""
    cdef Stage* stage = at.stage
    cdef Position P
    cdef Mask members
    position_at(S, at, &P)
    members = own_group_members(S.board, &P, leader)
    if not stage.fought or stage.revolts != P.revolts or stage.members != members:
        stage.fought = True
        stage.revolts = P.revolts
        stage.members = members
        stage.odds = odds_of(S.board, &P, leader, p)
    CHECK(stage.odds.victory == odds_of(S.board, &P, leader, p).victory)
    CHECK(stage.odds.draw == odds_of(S.board, &P, leader, p).draw)
    return stage.odds


cdef inline Odds odds_in_way(const Sweep* S, Advancing* at, int leader, int p) noexcept nogil:
    return odds_at_stage(S, at, leader, p)


cdef inline void march_from_stage(Sweep* S, Advancing* at, int number, double chance) noexcept nogil:
    """Continues from a stage after this one, and comes back to it."""
    cdef Stage* stage = at.stage
    at.stage = &at.marches.stage[number]
    march_on(S, at, chance)
    at.stage = stage


cdef inline void army_beaten(Sweep* S, Advancing* at, int p, int leader, double chance) noexcept nogil:
    march_from_stage(S, at, at.stage.beaten, chance)


cdef inline bint army_goes(Sweep* S, Advancing* at, int p, int q, int leader, double chance) noexcept nogil:
    """False when no revolt is left for the province `q`."""
    if popcount(revolts_at(at) | bit(q)) > MOST_DISCS:
        return False
    march_from_stage(S, at, at.stage.gone, chance)
    return True


cdef inline void army_stays(Sweep* S, Advancing* at, double chance) noexcept nogil:
    march_from_stage(S, at, at.stage.stays, chance)


cdef inline void advance(Sweep* S, Mask revolts, Mask unrest, int fresh, double chance) noexcept nogil:
    """Step 3 from a position with these revolts and this unrest, and with the garrisons that no revolt has replaced."""
    cdef Position* leaf
    cdef Marches* M = marches_with(S, fresh)
    cdef Advancing at
    cdef Mask after
    cdef int i, count
    if M.battle:
        at.P = &S.start
        at.marches = M
        at.stage = &M.stage[0]
        at.revolts = revolts
        at.unrest = unrest
        march_on(S, &at, chance)
        return
    for i in range(M.count):
        after = revolts | M.way[i].entered
        count = popcount(after)
        if count > MOST_DISCS:
            visit_fall(S, NO_REVOLT_LEFT, chance * M.way[i].chance)
            continue
        if S.counting and visit_packed(
                S, packed_word(after, changed_unrest(&S.start, after, unrest), S.removed), M.way[i].armies,
                &M.way[i].packed, count, chance * M.way[i].chance):
            continue
        leaf = next_leaf(S)
        copy_last_word(leaf, &S.start)
        leaf.revolts = after
        leaf.unrest = unrest & ~after
        leaf.garrison[0] = S.start.garrison[0] & ~after
        leaf.garrison[1] = S.start.garrison[1] & ~after
        leaf.garrison[2] = S.start.garrison[2] & ~after
        leaf.garrison[3] = S.start.garrison[3] & ~after
        leaf.armies = M.way[i].armies
        visit_leaf(S, leaf, count, chance * M.way[i].chance)
    if M.fall > 0:
        visit_fall(S, ARMY_IN_ROMA, chance * M.fall)
