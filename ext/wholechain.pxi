# The chain of step 2 with modules: what activity.pxi and advance.pxi leave to each kernel, and what the modules add to them.
#
# It replaces basechain.pxi. There the revolts of a position after an uprising determine the rest. Here they do not:
# usurpers may have come, Pirates, and the Vicarius may have died. So whole positions are kept, and equal ones merged: those after
# step 1, those after an uprising, those at the end. An uprising that changes anything adds revolts, armies or the Pirates, or a
# gray disc is spent in it (decided.pxi), so positions can be taken in order of how many of these there are (`stage_of`).

ctypedef const Position* ChainKey

cdef enum:                 # what follows when all usurpers are placed
    THEN_ACTIVITY          # after step 1
    THEN_ECHO              # after an uprising
    THEN_ADVANCE           # after the activity
    THEN_MARCH             # after an army's entry: the next army
    THEN_END               # when all armies have advanced [I-USURPER-ADVANCE]
    FIRST_LATE = 56        # bits of `still` from here on: full regions whose usurpers wait

cdef inline int stage_of(const Position* P) noexcept nogil:
    return popcount(P.revolts) + popcount(P.armies) + (P.pirates != 0) + MOST_GRAY - gray_of(P)


cdef inline void wait_for_echo(Sweep* S, const Position* P, double chance) noexcept nogil:
    """An uprising has led to this position, this often."""
    cdef uint32_t known = S.risen.count
    note(S, &S.risen, P, chance)
    if S.risen.count > known and not level_put(&S.stage[stage_of(P)], known):
        S.failed = True


# Usurpers: an army in a region with a secured border that has become full of revolts.

cdef inline Mask usurper_places(const Board* B, const Position* P, Mask before, int region) noexcept nogil:
    """Where one may come up in a region [I-USURPER-ORDER], `before` being the revolts before the last ones were placed."""
    cdef Mask all_six
    if not B.modules.usurpator:
        return 0
    if B.reading[I_USURPER_ORDER]:                   # the higher region first, or the lower one
        region = 5 - region
    all_six = B.region[region]
    if all_six & ~P.revolts or not all_six & ~before:
        return 0
    if popcount(P.armies) == most_armies(B) or not garrison_discs(P) >> B.border[region] & 1:
        return 0
    if all_six & ~(P.armies | roman_figures(P)):
        return all_six & ~(P.armies | roman_figures(P))
    return all_six & ~P.armies if B.reading[I_USURPER_ROOM] else 0    # [I-USURPER-ROOM] a figure of Rome gives way, or none comes


cdef inline void place_usurper(Position* P, int p) noexcept nogil:
    if leader_at(P, p) >= 0:
        take_off(P, leader_at(P, p))
    P.armies |= bit(p)
    P.still |= bit(p)                                # it goes its way in the next phase


cdef inline bint usurpers_wait(const Board* B) noexcept nogil:
    """[I-USURPER-ADVANCE] Whether those whose region an army fills come when all armies have advanced."""
    return B.reading[I_USURPER_ADVANCE] != 0


cdef inline bint usurpers_wait_for_echo(const Board* B) noexcept nogil:
    """[I-USURPER-ECHO] Whether those whose region an uprising fills come when the activity is over."""
    return B.reading[I_USURPER_ECHO] != 0


cdef inline void put_usurpers_off(const Board* B, Position* P, Mask before) noexcept nogil:
    """Notes the regions that have become full."""
    cdef int region
    for region in range(6):
        if not B.region[region] & ~P.revolts and B.region[region] & ~before:
            P.still |= bit(FIRST_LATE + region)


cdef inline bint has_late_usurpers(const Position* P) noexcept nogil:
    return P.still >> FIRST_LATE != 0


cdef inline Mask recall_usurpers(const Board* B, Position* P) noexcept nogil:
    """Forgets these regions; returns the revolts without those in them, as if they had just been placed."""
    cdef Mask before = P.revolts
    cdef int region
    for region in range(6):
        if P.still >> (FIRST_LATE + region) & 1:
            before &= ~B.region[region]
    P.still &= bit(FIRST_LATE) - 1
    return before


cdef void revolts_placed(
    Sweep* S, const Position* P, Mask before, int region, double chance, int then, const March* march,
) noexcept nogil:
    """Continues after revolts have been placed, each way usurpers can come up in the regions from `region` on."""
    cdef Position Q
    cdef Mask free
    cdef int ways
    for region in range(region, 6):
        free = usurper_places(S.board, P, before, region)
        if free:
            ways = popcount(free)
            while free:
                Q = P[0]
                place_usurper(&Q, lowest(free))
                free &= free - 1
                revolts_placed(S, &Q, before, region + 1, chance / ways, then, march)
            return
    if then == THEN_ACTIVITY:
        Q = P[0]
        remove_burnt(&Q)                             # [I-USURPER-EMPERORS] now, or before the usurpers
        note(S, &S.calm, &Q, chance)
    elif then == THEN_ECHO:
        wait_for_echo(S, P, chance)
    elif then == THEN_ADVANCE:
        advance(S, P, chance)
    elif then == THEN_END:
        visit(S, P, chance)
    else:
        march_from(S, P, march, chance)


# Step 1

cdef inline void remove_burnt_figures(Position* P) noexcept nogil:
    """The Dux and the Vicarius, where they stand on a revolt."""
    if P.revolts >> P.dux & 1:
        P.dux = OFF_BOARD
    if P.revolts >> P.vicarius & 1:                  # [I-VICARIUS-UNREST] he can have been on an unrest
        P.vicarius = OFF_BOARD


cdef inline void after_spread(const Board* B, Position* P) noexcept nogil:
    """Figures on the revolts of step 1: the Vicarius dies, others are removed now or [I-USURPER-EMPERORS] after the usurpers."""
    if P.revolts >> P.vicarius & 1:                  # [I-VICARIUS-UNREST] he can be on an unrest
        P.vicarius = OFF_BOARD
    if not B.reading[I_USURPER_EMPERORS]:
        remove_burnt(P)


# Step 2

cdef inline bint goths_come(const Board* B, const Position* P, int region) noexcept nogil:
    """To borders III and IV, whatever stands there but [I-GOTHS-REBELS] a rebel, and [I-GOTHS-ARMY] but another army."""
    cdef Mask blocked = P.armies & ~P.rebels if B.reading[I_GOTHS_ARMY] else 0
    if not B.reading[I_GOTHS_REBELS]:
        blocked |= P.rebels
    return (
        P.goths == NOT_IN_PLAY and (region + 1 == FIRST_GOTHS or region + 1 == LAST_GOTHS)
        and not blocked >> B.border[region] & 1)


cdef inline Mask figures_on_borders(const Board* B, const Position* P) noexcept nogil:
    """Figures of Rome that keep armies away: [I-VICARIUS-BORDER] the Vicarius, too, or not."""
    cdef Mask figures = all_emperors(P) | bit(P.dux)
    return figures if B.reading[I_VICARIUS_BORDER] else figures | bit(P.vicarius)


cdef inline bint is_open(const Board* B, const Position* P, int region) noexcept nogil:
    """Whether an army can be placed on the border of a region; else the echo rolls for a province."""
    return (
        not (P.armies | figures_on_borders(B, P) | all_discs(P)) >> B.border[region] & 1 or goths_come(B, P, region))


cdef inline void arrive(const Board* B, Position* P, int region) noexcept nogil:
    """
    An army is placed on the border of a region; the Goths, if it is they, in the place of all that is there, but
    [I-GOTHS-BORDER] the garrison, or [I-GOTHS-BOTH] the garrison under a figure.
    """
    cdef int p = B.border[region]
    cdef int i
    if goths_come(B, P, region):
        if P.armies >> p & 1:
            P.armies ^= bit(p)
            P.still &= ~bit(p)
        if P.rebels >> p & 1:
            forget_rebel(P, p)
        if B.reading[I_GOTHS_BORDER] or (B.reading[I_GOTHS_BOTH] and roman_figures(P) >> p & 1):
            lift_discs(P, bit(p) & ~garrison_discs(P))
        else:
            lift_discs(P, bit(p))
        for i in range(4):
            if P.emperor[i] == p:
                P.emperor[i] = OFF_BOARD
        if P.dux == p:
            P.dux = OFF_BOARD
        P.goths = p
    if P.vicarius == p:
        P.vicarius = OFF_BOARD
    P.armies |= bit(p)
    if B.reading[I_FRESH]:
        P.still |= bit(p)


cdef inline Mask protected(const Board* B, const Position* P) noexcept nogil:
    """Provinces where an activity does nothing unless a revolt or unrest lies there: the Vicarius protects his own."""
    cdef Mask discs = all_discs(P)
    return shielded(B, garrison_discs(P), discs) | (bit(P.vicarius) & ~discs)


cdef inline Mask chain_revolts(ChainKey key) noexcept nogil:
    return key.revolts


cdef inline Mask chain_unrest(const Sweep* S, ChainKey key) noexcept nogil:
    return key.unrest


cdef inline Mask chain_protected(const Sweep* S, ChainKey key) noexcept nogil:
    return protected(S.board, key)


cdef inline int chain_most_revolts(const Sweep* S, ChainKey key) noexcept nogil:
    return most_revolts(S.board, key)


cdef inline bint chain_unrest_left(const Sweep* S, ChainKey key, Mask unrest) noexcept nogil:
    return unrest_in_reserve(S.board, key) > 0


cdef inline bint chain_army_left(const Sweep* S, ChainKey key) noexcept nogil:
    return popcount(key.armies) < most_armies(S.board)


cdef inline Mask chain_closed(const Sweep* S, ChainKey key) noexcept nogil:
    return closed_regions(S.board, key)


cdef inline bint chain_pirates(const Board* B, ChainKey key, int p) noexcept nogil:
    """Whether an uprising in `p` brings Pirates."""
    return pirates_land(B, key, p) != 0


cdef inline void chain_rise(Sweep* S, ChainKey key, Mask revolts, int p, double chance) noexcept nogil:
    """An uprising in `p` has left these revolts."""
    cdef Position Q = key[0]
    pirates_come(S.board, &Q, p)
    place_revolts(S.board, &Q, revolts & ~key.revolts)
    if usurpers_wait_for_echo(S.board):
        put_usurpers_off(S.board, &Q, key.revolts)
        wait_for_echo(S, &Q, chance)
    else:
        revolts_placed(S, &Q, key.revolts, 0, chance, THEN_ECHO, NULL)


cdef inline void chain_advance(Sweep* S, ChainKey key, Mask unrest, double chance) noexcept nogil:
    """The activity is over: step 3 from the position as it is; `unrest` is that of the key, as in the next functions."""
    advance(S, key, chance)


cdef inline void chain_new_unrest(Sweep* S, ChainKey key, Mask unrest, Mask struck, double chance) noexcept nogil:
    cdef Position Q = key[0]
    Q.unrest |= struck
    advance(S, &Q, chance)


cdef inline void chain_new_revolt(Sweep* S, ChainKey key, Mask unrest, Mask struck, double chance) noexcept nogil:
    cdef Position Q = key[0]
    place_revolts(S.board, &Q, struck)
    revolts_placed(S, &Q, key.revolts, 0, chance, THEN_ADVANCE, NULL)


cdef inline void chain_arrival(Sweep* S, ChainKey key, Mask unrest, int region, double chance) noexcept nogil:
    """The echo brings an army to the border of a region."""
    cdef Position Q = key[0]
    arrive(S.board, &Q, region)
    advance(S, &Q, chance)


# Step 3

cdef inline Mask movers(const Position* P) noexcept nogil:
    """Armies that advance: no rebels, none that was placed too late."""
    return P.armies & ~(P.rebels | P.still)


cdef inline int blocking_faces(const Position* P, int p) noexcept nogil:
    """Faces of the die by which a broken link blocks the army in `p`: one less for the Goths."""
    return BLOCKED - GOTHS_AT_A_CHECK if P.goths == p else BLOCKED


cdef inline void figure_follows(Position* P, int p, int q) noexcept nogil:
    """The Goths go with their army from `p` to `q`."""
    if P.goths == p:
        P.goths = q


cdef inline void enter_border(Position* P, int p, int q) noexcept nogil:
    """[I-TURN-BORDERS] An army has been turned to the border `q`: no revolt is placed, and the Vicarius dies."""
    if P.vicarius == q:
        P.vicarius = OFF_BOARD


# Step 3, see `march_on`.

cdef struct Advancing:     # an advance under way
    const Position* P
    March march            # with the armies that are still to move


cdef inline void march_from(Sweep* S, const Position* P, const March* march, double chance) noexcept nogil:
    cdef Advancing at
    at.P = P
    at.march = march[0]
    march_on(S, &at, chance)


cdef inline int army_ahead(const Sweep* S, Advancing* at) noexcept nogil:
    """The next army that is free to go, which is not to move any more; -1 if there is none."""
    cdef March* march = &at.march
    while march.next < march.count:
        march.next += 1
        if is_free(at.P.armies, S.board.way[march.order[march.next - 1]]):
            return march.order[march.next - 1]
    return -1


cdef inline int leader_in_way(const Advancing* at, int q) noexcept nogil:
    return leader_at(at.P, q)


cdef inline Odds odds_in_way(const Sweep* S, Advancing* at, int leader, int p) noexcept nogil:
    return odds_of(S.board, at.P, leader, p)


cdef inline void army_beaten(Sweep* S, Advancing* at, int p, int leader, double chance) noexcept nogil:
    """The army and any disc of its province are removed."""
    cdef Position Q = at.P[0]
    remove_army(&Q, p)
    defence_won(S.board, &Q, leader)
    march_from(S, &Q, &at.march, chance)


cdef inline bint army_goes(Sweep* S, Advancing* at, int p, int q, int leader, double chance) noexcept nogil:
    """An army goes from `p` to `q`, where it has beaten the leader, if there is one; False when no revolt is left."""
    cdef Position Q = at.P[0]
    if leader >= 0:
        take_off(&Q, leader)
        defence_lost(S.board, &Q, leader)
    if not enter(S.board, &Q, p, q):
        return False
    if usurpers_wait(S.board):
        put_usurpers_off(S.board, &Q, at.P.revolts)
        march_from(S, &Q, &at.march, chance)
    else:
        revolts_placed(S, &Q, at.P.revolts, 0, chance, THEN_MARCH, &at.march)
    return True


cdef inline void army_stays(Sweep* S, Advancing* at, double chance) noexcept nogil:
    march_on(S, at, chance)


cdef inline void march_over(Sweep* S, const Advancing* at, double chance) noexcept nogil:
    """All armies have advanced."""
    cdef Position Q
    cdef Mask before
    if has_late_usurpers(at.P):
        Q = at.P[0]
        before = recall_usurpers(S.board, &Q)
        revolts_placed(S, &Q, before, 0, chance, THEN_END, NULL)
    else:
        visit(S, at.P, chance)


cdef inline void advance(Sweep* S, const Position* P, double chance) noexcept nogil:
    """Step 3, and the end of the phase; before it the usurpers that [I-USURPER-ECHO] wait for the end of the echo."""
    cdef Position Q
    cdef Mask before
    cdef March march
    if has_late_usurpers(P):
        Q = P[0]
        before = recall_usurpers(S.board, &Q)
        revolts_placed(S, &Q, before, 0, chance, THEN_ADVANCE, NULL)
        return
    line_up(S.board, movers(P), &march)
    march_from(S, P, &march, chance)
