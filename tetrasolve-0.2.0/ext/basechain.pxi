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


# Step 3 from a position of the chain. Where no Emperor is in the way of an army the ways to advance are the same for all discs.

cdef inline void march_over(Sweep* S, const Position* P, double chance) noexcept nogil:
    """All armies have advanced."""
    visit(S, P, chance)


cdef inline void army_entered(Sweep* S, const Position* P, Mask before, const March* march, double chance) noexcept nogil:
    """Continues after an army has entered a province; `before` are the revolts before that."""
    march_on(S, P, march, chance)


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
    if not M.battle:
        all_advances(B, M, P.armies, 0, march.order, march.count, 1)
    return M


cdef inline void advance(Sweep* S, Mask revolts, Mask unrest, int fresh, double chance) noexcept nogil:
    """Step 3 from a position with these revolts and this unrest, and with the garrisons that no revolt has replaced."""
    cdef const Board* B = S.board
    cdef Position* leaf = &S.leaf
    cdef Marches* M = marches_with(S, fresh)
    cdef Mask after
    cdef int i, count
    if M.battle:
        leaf.revolts = revolts
        leaf.unrest = unrest
        leaf.armies = S.start.armies
        for i in range(4):
            leaf.garrison[i] = S.start.garrison[i] & ~revolts
        if fresh != NO_FRESH_ARMY:
            arrive(B, leaf, fresh)
        march_on(S, leaf, &M.march, chance)
        return
    for i in range(M.count):
        after = revolts | M.way[i].entered
        count = popcount(after)
        if count > MOST_DISCS:
            visit_fall(S, NO_REVOLT_LEFT, chance * M.way[i].chance)
            continue
        if S.counting and visit_packed(
                S, packed_word(after, changed_unrest(&S.start, after, unrest), S.removed), M.way[i].armies, count,
                chance * M.way[i].chance):
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
