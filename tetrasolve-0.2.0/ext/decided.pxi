# The Barbarian phase with decisions, exactly: every outcome with its chance under the eager policy.
#
# Each die and each check is followed by itself, in the order of the rulebook, since a disc that is spent on one is missing
# at the next. Between the steps of the phase, and after each uprising, positions are gathered and equal ones merged, as in
# wholechain.pxi. What leads from one such position to the next ones is a tree, see tree.pxi.

cdef void go_on(Tree* T, const Position* P, Wide weight, int at, const March* march) noexcept nogil:
    cdef Position Q
    cdef Mask late
    if at == AT_SPREAD:
        spread_on(T, P, P.revolts, 0, weight)
    elif at == AT_BLACK:
        Q = P[0]
        remove_burnt(&Q)                             # [I-USURPER-EMPERORS] now, or before the usurpers
        black_disc(T, &Q, weight, AT_ACTIVITY, False)
    elif at == AT_MARCH:
        march_out(T, P, weight)
    elif at == AT_ARMY:
        next_army(T, P, march, weight)
    elif at == AT_ADVANCE and has_late_usurpers(P):
        Q = P[0]
        late = recall_usurpers(T.board, &Q)
        after_revolts(T, &Q, late, 0, weight, AT_ADVANCE, NULL)
    elif at != AT_ECHO or T.head == NULL or not same_position(P, T.head):
        leaf_put(T, P, weight, at, 0)


cdef void after_revolts(
    Tree* T, const Position* P, Mask before, int region, Wide weight, int at, const March* march,
) noexcept nogil:
    """Continues after revolts have been placed, with usurpers if need be: see `revolts_placed`."""
    cdef Position Q
    cdef Mask free
    cdef int ways
    if spend(T.watch, 1):
        return
    for region in range(region, 6):
        free = usurper_places(T.board, P, before, region)
        if free:
            ways = popcount(free)
            while free:
                Q = P[0]
                place_usurper(&Q, lowest(free))
                free &= free - 1
                after_revolts(T, &Q, before, region + 1, weight / ways, at, march)
            return
    go_on(T, P, weight, at, march)


cdef void black_disc(Tree* T, const Position* P, Wide weight, int at, bint first) noexcept nogil:
    """The first army that the black disc can bring, or else the first revolt."""
    cdef int regions
    cdef Mask places
    cdef Position Q = P[0]
    if may_place_black(T.board, P, first):
        regions = black_regions(T.board, P)
        places = black_places(T.board, P)
        if regions:
            black_army(T.board, &Q, lowest(regions))
        elif places:
            black_revolt(T.board, &Q, lowest(places))
    after_revolts(T, &Q, P.revolts, 0, weight, at, NULL)


# Step 1

cdef void spread_on(Tree* T, const Position* P, Mask before, Mask checked, Wide weight) noexcept nogil:
    """
    Through normal links first, then one broken link is checked: of the first unrest beside a revolt, in the order of the
    board file. `checked` are the numbers of those that have been.
    """
    cdef const Board* B = T.board
    cdef Position Q = P[0]
    cdef Mask burning = caught(B.normal, Q.unrest, Q.revolts)
    cdef Mask rest
    cdef int p, i, n
    if spend(T.watch, 1):
        return
    Q.revolts |= burning
    Q.unrest &= ~burning
    if popcount(Q.revolts) > most_revolts(B, &Q):
        fall_put(T, &Q, weight, NO_REVOLT_LEFT)
        return
    if B.reading[I_CHECK]:
        burning = caught(B.linked, Q.unrest, Q.revolts)
        if burning and not checked:
            check_fire(T, &Q, before, 1, burning, weight)
            return
    else:
        rest = beyond_broken(B, Q.unrest, Q.revolts)
        while rest:
            p = next_checked(B, rest)
            rest ^= bit(p)
            for n in range(B.checks[p]):
                i = check_number(B, p, n)
                if Q.revolts >> B.check_to[p][i] & 1 and not checked >> B.check_of[p][i] & 1:
                    check_fire(T, &Q, before, checked | bit(B.check_of[p][i]), bit(p), weight)
                    return
    after_spread(B, &Q)
    after_revolts(T, &Q, before, 0, weight, AT_BLACK, NULL)


cdef void check_fire(
    Tree* T, const Position* P, Mask before, Mask checked, Mask burning, Wide weight,
) noexcept nogil:
    """The check after which these unrests burn, or not."""
    cdef Position Q = P[0]
    cdef Position R
    cdef bint rerolled = False
    while True:
        weight /= 2
        R = Q
        R.revolts |= burning
        R.unrest &= ~burning
        spread_on(T, &R, before, checked, weight)
        if not may_reroll(T.board, &Q, rerolled):
            spread_on(T, &Q, before, checked, weight)
            return
        spend_gray(&Q)                               # blocked: rolled again
        rerolled = True


# Step 2

cdef void activity_of(Tree* T, const Position* P, Mask rolled, Wide weight, bint rerolled) noexcept nogil:
    """A roll that names each province of `rolled` with the same chance, `weight` in all; made again if `rerolled`."""
    cdef const Board* B = T.board
    cdef Mask safe = protected(B, P) & rolled
    cdef Mask rest = rolled & ~safe
    cdef Mask here
    cdef Wide each = weight / popcount(rolled)
    cdef Position Q
    if safe:
        Q = P[0]
        if may_reroll(B, P, rerolled):               # nothing would happen there: rolled again
            spend_gray(&Q)
            activity_of(T, &Q, rolled, each * popcount(safe), True)
        else:
            go_on(T, P, each * popcount(safe), AT_ADVANCE, NULL)
    while rest:
        here = rest & (<Mask> 0 - rest)
        rest ^= here
        Q = P[0]
        if P.revolts & here:
            T.uprisings += each
            rise_at(T, P, lowest(here), each)
        elif P.unrest & here:
            if place_revolts(B, &Q, here):
                after_revolts(T, &Q, P.revolts, 0, each, AT_ADVANCE, NULL)
            else:
                fall_put(T, P, each, NO_REVOLT_LEFT)
        elif unrest_in_reserve(B, P):
            Q.unrest |= here
            go_on(T, &Q, each, AT_ADVANCE, NULL)
        else:
            fall_put(T, P, each, NO_UNREST_LEFT)


cdef void rise_at(Tree* T, const Position* P, int p, Wide weight) noexcept nogil:
    """An uprising: through normal links at once, through broken ones check by check."""
    cdef const Board* B = T.board
    cdef Mask reach = uprising_reach(B, P.revolts)
    cdef int zone = pirates_land(B, P, p)
    cdef Position Q = P[0]
    if zone:
        Q.pirates = zone
    if place_revolts(B, &Q, B.normal[p] & reach):
        rise_on(T, &Q, P.revolts, p, B.broken[p] & reach, 0, weight)
    else:
        fall_put(T, P, weight, NO_REVOLT_LEFT)


cdef void rise_on(
    Tree* T, const Position* P, Mask before, int p, Mask doubtful, int first, Wide weight,
) noexcept nogil:
    """The checks of the links from the one with number `first` in its row on, or all of them together."""
    cdef const Board* B = T.board
    cdef Position Q = P[0]
    cdef Position R
    cdef Mask fresh = doubtful
    cdef bint rerolled = False
    if spend(T.watch, 1):
        return
    if B.reading[I_CHECK]:
        first = B.checks[p] if not doubtful or first else first
    else:
        while first < B.checks[p] and not doubtful >> B.check_to[p][check_number(B, p, first)] & 1:
            first += 1
    if first == B.checks[p]:
        if usurpers_wait_for_echo(B):
            put_usurpers_off(B, &Q, before)
            go_on(T, &Q, weight, AT_ECHO, NULL)
        else:
            after_revolts(T, P, before, 0, weight, AT_ECHO, NULL)
        return
    if not B.reading[I_CHECK]:
        fresh = bit(B.check_to[p][check_number(B, p, first)])
    while True:
        weight /= 2
        R = Q
        if place_revolts(B, &R, fresh):
            rise_on(T, &R, before, p, doubtful, first + 1, weight)
        else:
            fall_put(T, &Q, weight, NO_REVOLT_LEFT)
        if not may_reroll(B, &Q, rerolled):
            rise_on(T, &Q, before, p, doubtful, first + 1, weight)
            return
        spend_gray(&Q)                               # blocked: rolled again
        rerolled = True


cdef void echo_of(Tree* T, const Position* P, Wide weight) noexcept nogil:
    """What follows an uprising that has left this position."""
    cdef const Board* B = T.board
    cdef Position Q
    cdef int i
    if popcount(P.armies) == most_armies(B):            # no echo
        go_on(T, P, weight, AT_ADVANCE, NULL)
        return
    for i in range(6):
        if is_open(B, P, i):
            T.arrivals += weight / 6
            T.figures.arrival[i] += T.flow * tree_chance(weight / 6)
            Q = P[0]
            arrive(B, &Q, i)
            go_on(T, &Q, weight / 6, AT_ADVANCE, NULL)
        else:
            activity_of(T, P, B.region[i], weight / 6, False)


cdef double repeats_decided(const Sweep* S, const Position* P) noexcept nogil:
    """The chance, in 36ths, that the echo roll leads to an uprising that changes nothing and for which nothing is spent."""
    cdef const Board* B = S.board
    cdef Mask reach = uprising_reach(B, P.revolts)
    cdef Mask rest = P.revolts & closed_regions(B, P)
    cdef int repeats = 0
    if not gray_of(P):
        return repeats_of(S, P)
    if not chain_army_left(S, P):
        return 0
    while rest:
        repeats += not B.linked[lowest(rest)] & reach and not pirates_land(B, P, lowest(rest))
        rest &= rest - 1
    return repeats


# Step 3

cdef void march_out(Tree* T, const Position* P, Wide weight) noexcept nogil:
    cdef March march
    line_up(T.board, movers(P), &march)
    next_army(T, P, &march, weight)


cdef void next_army(Tree* T, const Position* P, const March* march, Wide weight) noexcept nogil:
    """The choice about its advance."""
    cdef const Board* B = T.board
    cdef March rest = march[0]
    cdef Position Q = P[0]
    cdef Mask late
    cdef int p, q
    cdef int answer = AS_EVER
    if spend(T.watch, 1):
        return
    if rest.next == rest.count:
        if has_late_usurpers(P):
            late = recall_usurpers(B, &Q)
            after_revolts(T, &Q, late, 0, weight, AT_END, NULL)
        else:
            leaf_put(T, P, weight, AT_END, 0)
        return
    p = rest.order[rest.next]
    q = B.way[p]
    rest.next += 1
    if gray_of(P):
        answer = eager_advance(B, P, p, q)
    if answer != AS_EVER:
        spend_gray(&Q)
        q = answer
    set_off(T, &Q, p, q, &rest, weight)


cdef void set_off(Tree* T, const Position* P, int p, int q, const March* march, Wide weight) noexcept nogil:
    """The army in `p` goes to `q`: the check of its link."""
    cdef const Board* B = T.board
    cdef Position Q = P[0]
    cdef Wide stays
    cdef bint rerolled = False
    if not is_free(Q.armies, q):                     # or cancelled
        next_army(T, &Q, march, weight)
        return
    if not B.broken[p] >> q & 1:
        come(T, &Q, p, q, march, weight)
        return
    if blocks_before_check(B, p, q) and is_blocked(B, &Q, p, q):
        next_army(T, &Q, march, weight)
        return
    while True:
        stays = weight / (DIE / blocking_faces(&Q, p))
        come(T, &Q, p, q, march, weight - stays)
        weight = stays
        if not may_reroll(B, &Q, rerolled):
            stopped(T, &Q, p, q, march, weight)
            return
        spend_gray(&Q)                               # blocked: rolled again
        rerolled = True


cdef void stopped(Tree* T, const Position* P, int p, int q, const March* march, Wide weight) noexcept nogil:
    """A broken link has stopped the army: one that was turned [I-TURN-DISC, I-TURN-STOPPED]."""
    cdef const Board* B = T.board
    cdef Position Q = P[0]
    if q != B.way[p] and B.reading[I_TURN_DISC]:
        take_gray_back(&Q)
    if q != B.way[p] and B.reading[I_TURN_STOPPED]:
        set_off(T, &Q, p, B.way[p], march, weight)
    else:
        next_army(T, &Q, march, weight)


cdef bint is_blocked(const Board* B, Position* P, int p, int q) noexcept nogil:
    """Whether Constantius stops the army in `p` before `q`; then he has paid."""
    cdef int leader = leader_at(P, q)
    if leader < 0 or not may_block(B, P, leader) or not eager_block(odds_of(B, P, leader, p)):
        return False
    pay_first(B, P, CONSTANTIUS)
    return True


cdef void come(Tree* T, const Position* P, int p, int q, const March* march, Wide weight) noexcept nogil:
    """The army in `p` reaches `q`: Constantius may stop it there."""
    cdef int leader = leader_at(P, q)
    cdef Position Q = P[0]
    if leader < 0:
        march_in(T, P, p, q, march, weight)
    elif not blocks_before_check(T.board, p, q) and is_blocked(T.board, &Q, p, q):
        next_army(T, &Q, march, weight)
    else:
        fight(T, P, p, q, leader, march, weight, False)


cdef void march_in(Tree* T, const Position* P, int p, int q, const March* march, Wide weight) noexcept nogil:
    cdef Position Q = P[0]
    if q == T.board.roma:
        fall_put(T, P, weight, ARMY_IN_ROMA)
    elif enter(T.board, &Q, p, q):
        if usurpers_wait(T.board):
            put_usurpers_off(T.board, &Q, P.revolts)
            next_army(T, &Q, march, weight)
        else:
            after_revolts(T, &Q, P.revolts, 0, weight, AT_ARMY, march)
    else:
        fall_put(T, P, weight, NO_REVOLT_LEFT)


cdef void fight(
    Tree* T, const Position* P, int p, int q, int leader, const March* march, Wide weight, bint rerolled,
) noexcept nogil:
    """The dice: a Roman victory is rolled again, and Galerius pays for what is more than he has."""
    cdef const Board* B = T.board
    cdef Battle battle = battle_of(B, P, leader, p)
    cdef int g = battle.g + roman_bonus(B)
    cdef int r = battle.r + goths_bonus(B, P, p, B.battle[q]) + barbarian_bonus(B)
    cdef int most = most_boosts(B, P, leader)
    cdef int[3][MOST_PAID + 1] faces                 # by outcome and discs paid
    cdef int again = 0
    cdef int roman, barbarian, outcome, best, paid
    cdef Position Q
    memset(faces, 0, sizeof(faces))
    for roman in range(g + 1, g + 7):
        for barbarian in range(r + 1, r + 7):
            outcome = outcome_of(B, roman, barbarian, battle.e - battle.a)
            if outcome == VICTORY and may_reroll(B, P, rerolled):
                again += 1
                continue
            best = outcome_of(B, roman + most, barbarian, battle.e - battle.a)
            paid = 0
            while best < outcome:
                paid += 1
                outcome = outcome_of(B, roman + paid, barbarian, battle.e - battle.a)
            faces[outcome][paid] += 1
    for outcome in range(3):
        for paid in range(most + 1):
            if faces[outcome][paid]:
                Q = P[0]
                for roman in range(paid):
                    pay_first(B, &Q, GALERIUS)
                fought(T, &Q, p, q, leader, march, weight / 36 * faces[outcome][paid], outcome)
    if again:
        Q = P[0]
        spend_gray(&Q)
        fight(T, &Q, p, q, leader, march, weight / 36 * again, True)


cdef void fought(
    Tree* T, Position* P, int p, int q, int leader, const March* march, Wide weight, int outcome,
) noexcept nogil:
    """What comes of it; changes `P`."""
    T.figures.battle[p][leader][outcome] += T.flow * tree_chance(weight)
    if outcome == VICTORY:
        remove_army(P, p)
        defence_won(T.board, P, leader)
    elif outcome == DEFEAT:
        take_off(P, leader)
        defence_lost(T.board, P, leader)
        march_in(T, P, p, q, march, weight)
        return
    next_army(T, P, march, weight)


# Trees from each kind of position, one unit of chance at the root

cdef void grow(Tree* T, const Position* P, int at) noexcept nogil:
    """AT_SPREAD: the whole phase up to step 2, from a position before it."""
    cdef Position Q = P[0]
    if at == AT_SPREAD:
        begin_turn(T.board, &Q)
        black_disc(T, &Q, TREE_UNIT, AT_SPREAD, True)
    elif at == AT_ACTIVITY:
        activity_of(T, P, T.board.numbered, TREE_UNIT, False)
    elif at == AT_ECHO:
        echo_of(T, P, TREE_UNIT)
    else:
        black_disc(T, P, TREE_UNIT, AT_MARCH, False)


# All together

cdef void gather_leaves(Sweep* S) noexcept nogil:
    cdef const Tree* T = &S.tree
    cdef const Leaf* leaf
    cdef double chance
    cdef size_t i
    for i in range(T.count):
        if spend(&S.watch, 1):
            return
        leaf = &T.leaves[i]
        chance = T.flow * tree_chance(leaf.weight)
        if leaf.at == AT_ACTIVITY:
            note(S, &S.calm, &leaf.position, chance)
        elif leaf.at == AT_ECHO:
            wait_for_echo(S, &leaf.position, chance)
        elif leaf.at == AT_ADVANCE:
            note(S, &S.before, &leaf.position, chance)
        elif leaf.at == AT_END:
            visit(S, &leaf.position, chance)
        else:
            visit_fall(S, leaf.cause, chance)


cdef void grow_and_gather(Sweep* S, const Board* B, const Position* P, int at, double flow) noexcept nogil:
    tree_start(&S.tree, B, &S.figures, flow)
    if at == AT_ECHO:
        S.tree.head = P
    grow(&S.tree, P, at)
    if S.watch.stopped:
        return
    S.figures.p_uprising += flow * tree_chance(S.tree.uprisings) if at == AT_ACTIVITY else 0
    S.figures.e_uprisings += flow * tree_chance(S.tree.uprisings)
    gather_leaves(S)


cdef void sweep_decided(Sweep* S, const Board* B, const Position* position) noexcept nogil:
    """As `sweep`, under the eager policy."""
    cdef Position P
    cdef uint32_t row, i
    cdef int stage
    S.board = B
    sweep_clear(S)
    grow_and_gather(S, B, position, AT_SPREAD, 1)
    for i in range(S.calm.count):
        if spend(&S.watch, 1):
            return
        grow_and_gather(S, B, &S.calm.rows[i], AT_ACTIVITY, S.calm.notes[i])
    for stage in range(STAGES):
        for i in range(S.stage[stage].count):        # each leads to later stages only
            if spend(&S.watch, 1):
                return
            row = S.stage[stage].rows[i]
            P = S.risen.rows[row]                    # the rows move when others join them
            grow_and_gather(S, B, &P, AT_ECHO, S.risen.notes[row] / (1 - repeats_decided(S, &P) / 36))
    for i in range(S.before.count):
        if spend(&S.watch, 1):
            return
        grow_and_gather(S, B, &S.before.rows[i], AT_ADVANCE, S.before.notes[i])


cdef void count_decided(Sweep* S, const Board* B, const Position* position, int most, double* at_least) noexcept nogil:
    """As `count_uprisings`: those that change nothing are followed too, so that no loop needs to be closed."""
    cdef Book positions
    cdef uint32_t i
    cdef int stage, number
    memset(at_least, 0, (most + 2) * sizeof(double))
    at_least[0] = 1
    S.board = B
    sweep_clear(S)
    grow_and_gather(S, B, position, AT_SPREAD, 1)
    for number in range(1, most + 2):
        if number > 1:                               # from the positions after an uprising; those after the next take their place
            positions = S.calm
            S.calm = S.risen
            S.risen = positions
            book_clear(&S.risen)
            for stage in range(STAGES):
                S.stage[stage].count = 0
        for i in range(S.calm.count):
            if spend(&S.watch, 1):
                return
            tree_start(&S.tree, B, &S.figures, S.calm.notes[i])
            grow(&S.tree, &S.calm.rows[i], AT_ACTIVITY if number == 1 else AT_ECHO)
            at_least[number] += S.tree.flow * tree_chance(S.tree.uprisings)
            gather_leaves(S)


# Whether there is something to decide or not

cdef void sweep_under(Sweep* S, const Board* B, const Position* position, int policy) noexcept nogil:
    if is_decided(B, policy):
        sweep_decided(S, B, position)
    else:
        sweep(S, B, position)


cdef void count_under(
    Sweep* S, const Board* B, const Position* position, int policy, int most, double* at_least,
) noexcept nogil:
    if is_decided(B, policy):
        count_decided(S, B, position, most, at_least)
    else:
        count_uprisings(S, B, position, most, at_least)
