# The Barbarian phase of the whole rulebook: every outcome with its chance, exactly.
#
# It stands in the place of echoes.pxi, sweep.pxi, advance.pxi and barbarian.pxi. There the revolts of a table after an uprising
# tell the rest of it. Here they do not: usurpers may have come, Pirates, and the Vicarius may have died. So whole tables are
# kept, and equal ones merged: those after step 1, those after an uprising, those at the end. An uprising that changes anything
# adds revolts, armies or the Pirates, or a gray disc is spent in it (decided.pxi), so tables can be taken in order of how many
# of these there are (`stage_of`). The only way back is an uprising that changes nothing: a table that is reached f times from
# others and repeats with chance s is met f / (1 - s) times in all.

cdef enum:
    STAGES = MOST_DISCS + MOST_ARMIES + MOST_GRAY + 2
    RISE_TICKS = 10        # for an uprising in one province

cdef enum:                 # what follows when all usurpers are placed
    THEN_ACTIVITY          # after step 1
    THEN_ECHO              # after an uprising
    THEN_ADVANCE           # after the activity
    THEN_MARCH             # after an army's entry: the next army

cdef struct March:         # an advance under way
    uint8_t[MOST_ARMIES] order
    int count
    int next

cdef struct Sweep:
    const Board* board
    Blazes blazes
    Book calm              # tables after step 1, with their chances
    Book risen             # tables after an uprising, each with the expected number of times it is reached from others
    Book before            # those after the uprising before this one, where uprisings are counted
    Level[STAGES] stage    # rows of `risen` that wait
    bint gather            # keep distinct outcomes in the book
    bint failed            # no memory
    Watch watch            # of the call that it is used by
    Book book
    Figures figures
    Tree tree              # of a phase with decisions, where `before` are the tables before step 3


cdef int sweep_open(Sweep* S) except -1:
    memset(S, 0, sizeof(Sweep))
    S.blazes.watch = S.tree.watch = &S.watch
    try:
        book_open(&S.calm, True)
        book_open(&S.risen, True)
        book_open(&S.before, True)
        book_open(&S.book, True)
    except MemoryError:
        sweep_close(S)
        raise
    return 0


cdef void sweep_close(Sweep* S) noexcept nogil:
    cdef int i
    free(S.blazes.rows)
    free(S.tree.leaves)
    book_close(&S.calm)
    book_close(&S.risen)
    book_close(&S.before)
    book_close(&S.book)
    for i in range(STAGES):
        free(S.stage[i].rows)


cdef size_t sweep_size(const Sweep* S) noexcept nogil:
    """Bytes it takes."""
    return (
        sizeof(Sweep) + S.blazes.room * sizeof(Blaze) + S.tree.room * sizeof(Leaf)
        + book_size(&S.calm) + book_size(&S.risen) + book_size(&S.before) + book_size(&S.book))


cdef void sweep_clear(Sweep* S) noexcept nogil:
    """No table left but the outcomes."""
    cdef int i
    book_clear(&S.calm)
    book_clear(&S.risen)
    book_clear(&S.before)
    for i in range(STAGES):
        S.stage[i].count = 0


cdef void sweep_restart(Sweep* S, bint gather) noexcept nogil:
    """All empty, all figures at zero."""
    S.gather = gather
    S.failed = S.blazes.failed = S.tree.failed = False
    memset(&S.figures, 0, sizeof(Figures))
    sweep_clear(S)
    book_clear(&S.book)


cdef inline bint sweep_failed(const Sweep* S) noexcept nogil:
    return S.failed or S.blazes.failed or S.tree.failed


cdef inline void note(Sweep* S, Book* book, const Position* P, double chance) noexcept nogil:
    cdef int64_t row = book_put(book, P)
    if row == NO_ROOM:
        S.failed = True
    else:
        book.notes[row] += chance


cdef inline void visit(Sweep* S, const Position* P, double chance) noexcept nogil:
    """One outcome of the phase in which the Empire stands."""
    cdef Position outcome
    S.figures.visits += 1
    S.figures.e_revolts += chance * popcount(P.revolts)
    if S.gather or CHECKED_BUILD:
        outcome = P[0]
        end_phase(S.board, &outcome)
        if CHECKED_BUILD:
            check_position(S.board, &outcome)
        if S.gather:
            note(S, &S.book, &outcome, chance)


cdef inline void visit_fall(Sweep* S, int cause, double chance) noexcept nogil:
    S.figures.visits += 1
    S.figures.fallen[cause] += chance


cdef inline int stage_of(const Position* P) noexcept nogil:
    return popcount(P.revolts) + popcount(P.armies) + (P.pirates != 0) + MOST_GRAY - gray_of(P)


cdef inline void wait_for_echo(Sweep* S, const Position* P, double chance) noexcept nogil:
    """An uprising has led to this table, this often."""
    cdef uint32_t known = S.risen.count
    note(S, &S.risen, P, chance)
    if S.risen.count > known and not level_put(&S.stage[stage_of(P)], known):
        S.failed = True


# Usurpers: an army in a region with a secured border that has become full of revolts.

cdef inline Mask usurper_places(const Board* B, const Position* P, Mask before, int region) noexcept nogil:
    """Where one may come up in a region, `before` being the revolts before the last ones were placed."""
    cdef Mask all_six = B.region[region]
    if not B.modules.usurpator or all_six & ~P.revolts or not all_six & ~before:
        return 0
    if popcount(P.armies) == MOST_ARMIES or not garrison_discs(P) >> B.border[region] & 1:
        return 0
    return all_six & ~(P.armies | roman_figures(P))


cdef inline void place_usurper(Position* P, int p) noexcept nogil:
    P.armies |= bit(p)
    P.still |= bit(p)                                # it goes its way in the next phase


cdef void revolts_placed(
    Sweep* S, const Position* P, Mask before, int region, double chance, int then, const March* march,
) noexcept nogil:
    """Goes on after revolts have been placed, each way usurpers can come up in the regions from `region` on."""
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
        note(S, &S.calm, P, chance)
    elif then == THEN_ECHO:
        wait_for_echo(S, P, chance)
    elif then == THEN_ADVANCE:
        advance(S, P, chance)
    else:
        march_on(S, P, march, chance)


# Step 1

cdef inline void remove_burnt(Position* P) noexcept nogil:
    """Who stands on a revolt is removed."""
    cdef int i
    for i in range(4):
        if P.revolts >> P.emperor[i] & 1:
            P.emperor[i] = OFF_BOARD
    if P.revolts >> P.dux & 1:
        P.dux = OFF_BOARD
    CHECK(not P.revolts >> P.vicarius & 1)


cdef void catch_fire(Sweep* S, const Board* B, const Position* table, double unit) noexcept nogil:
    """Step 1: gathers the tables after it; `unit` is the chance of a blaze of weight 1."""
    cdef const Blaze* blaze
    cdef Position Q
    cdef size_t i
    S.board = B
    sweep_clear(S)
    spread(B, &S.blazes, table.revolts, table.unrest)
    blazes_merge(&S.blazes)
    for i in range(S.blazes.count):
        if spend(&S.watch, 1):
            return
        blaze = &S.blazes.rows[i]
        if popcount(blaze.revolts) > most_revolts(table):
            visit_fall(S, NO_REVOLT_LEFT, blaze.weight * unit)
            continue
        Q = table[0]
        begin_turn(&Q)
        Q.revolts = blaze.revolts
        Q.unrest &= ~blaze.revolts
        remove_burnt(&Q)
        revolts_placed(S, &Q, table.revolts, 0, blaze.weight * unit, THEN_ACTIVITY, NULL)


cdef inline double blaze_unit(const Board* B) noexcept nogil:
    """The chance of a blaze of weight 1."""
    return 1.0 / (<uint64_t> 1 << B.broken_links)


# Step 2

cdef inline bint goths_come(const Board* B, const Position* P, int region) noexcept nogil:
    """To borders III and IV, whatever stands there but a rebel, and [I-GOTHS-ARMY] but another army."""
    return (
        P.goths == NOT_IN_PLAY and (region == 2 or region == 3)
        and not (P.armies if B.modules.goths_block else P.rebels) >> B.border[region] & 1)


cdef inline bint is_open(const Board* B, const Position* P, int region) noexcept nogil:
    """Whether an army can be placed on the border of a region; else the echo rolls for a province."""
    return (
        not (P.armies | roman_figures(P) | all_discs(P)) >> B.border[region] & 1 or goths_come(B, P, region))


cdef inline void arrive(const Board* B, Position* P, int region) noexcept nogil:
    """An army is placed on the border of a region; the Goths, if it is they, in the place of all that is there."""
    cdef int p = B.border[region]
    cdef int i
    if goths_come(B, P, region):
        if P.armies >> p & 1:
            P.armies ^= bit(p)
        lift_discs(P, bit(p))
        for i in range(4):
            if P.emperor[i] == p:
                P.emperor[i] = OFF_BOARD
        if P.dux == p:
            P.dux = OFF_BOARD
        if P.vicarius == p:
            P.vicarius = OFF_BOARD
        P.goths = p
    P.armies |= bit(p)
    if B.fresh_wait:
        P.still |= bit(p)


cdef inline Mask closed_regions(const Board* B, const Position* P) noexcept nogil:
    """Numbered provinces of the regions for which the echo rolls."""
    cdef Mask closed = 0
    cdef int i
    for i in range(6):
        if not is_open(B, P, i):
            closed |= B.region[i]
    return closed


cdef inline Mask protected(const Board* B, const Position* P) noexcept nogil:
    """Provinces where an activity without disc does nothing: by a garrison, an uncovered printed disc, or the Vicarius."""
    cdef Mask discs = all_discs(P)
    return garrison_discs(P) | (B.printed_any & ~discs) | (bit(P.vicarius) & ~discs)


cdef void rise(Sweep* S, const Position* P, int p, double chance, bint repeats) noexcept nogil:
    """
    An uprising in `p` and all it can leave behind: a revolt in every Roman province linked to it, and Pirates. Where
    nothing changes it is left out if `repeats`, since the caller has closed that loop.
    """
    cdef const Board* B = S.board
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask doubtful = B.broken[p] & reach
    cdef Mask part = doubtful
    cdef int zone = pirates_land(B, P, p)
    cdef Position Q
    chance /= 2 if B.one_roll and doubtful else 1 << popcount(doubtful)
    repeats = repeats and not B.normal[p] & reach and not zone
    while True:                                      # each set of broken links that hold, down to the empty one
        if not (repeats and not part):
            Q = P[0]
            if zone:
                Q.pirates = zone
            if place_revolts(&Q, (B.normal[p] & reach) | part):
                revolts_placed(S, &Q, P.revolts, 0, chance, THEN_ECHO, NULL)
            else:
                visit_fall(S, NO_REVOLT_LEFT, chance)
        if not part:
            return
        part = 0 if B.one_roll else (part - 1) & doubtful


cdef void rise_in_each(Sweep* S, const Position* P, Mask hits, double chance, bint repeats) noexcept nogil:
    """An uprising in each of the provinces `hits`; `chance` is that of one."""
    while hits and not spend(&S.watch, RISE_TICKS):
        rise(S, P, lowest(hits), chance, repeats)
        hits &= hits - 1


cdef void quiet_activity(Sweep* S, const Position* P, Mask rolled, double chance) noexcept nogil:
    """A roll of each province in `rolled` where no revolt lies; `chance` is that of one province."""
    cdef const Board* B = S.board
    cdef Mask safe = protected(B, P) & rolled
    cdef Mask rest = P.unrest & rolled
    cdef Position Q
    if safe:
        advance(S, P, chance * popcount(safe))
    while rest and not spend(&S.watch, 10):          # unrest: revolt
        Q = P[0]
        if place_revolts(&Q, rest & (<Mask> 0 - rest)):
            revolts_placed(S, &Q, P.revolts, 0, chance, THEN_ADVANCE, NULL)
        else:
            visit_fall(S, NO_REVOLT_LEFT, chance)
        rest &= rest - 1
    rest = rolled & ~(P.revolts | P.unrest | safe)
    while rest and not spend(&S.watch, 10):          # no disc: unrest
        if unrest_in_reserve(P):
            Q = P[0]
            Q.unrest |= rest & (<Mask> 0 - rest)
            advance(S, &Q, chance)
        else:
            visit_fall(S, NO_UNREST_LEFT, chance)
        rest &= rest - 1


cdef void first_activity(Sweep* S, const Position* P, double chance) noexcept nogil:
    cdef Mask hits = P.revolts & S.board.numbered
    quiet_activity(S, P, S.board.numbered, chance / 36)
    S.figures.p_uprising += chance * popcount(hits) / 36
    S.figures.e_uprisings += chance * popcount(hits) / 36
    rise_in_each(S, P, hits, chance / 36, False)


cdef double repeats_of(const Board* B, const Position* P) noexcept nogil:
    """The chance, in 36ths, that the echo roll leads to an uprising that changes nothing."""
    cdef Mask reach = ~(B.borders | P.revolts)
    cdef Mask rest, doubtful
    cdef double repeats = 0
    cdef int p
    if popcount(P.armies) == MOST_ARMIES:            # no echo
        return 0
    rest = P.revolts & closed_regions(B, P)
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if not B.normal[p] & reach and not pirates_land(B, P, p):
            doubtful = B.broken[p] & reach
            repeats += 1.0 / (2 if B.one_roll and doubtful else 1 << popcount(doubtful))
    return repeats


cdef void echo_activity(Sweep* S, const Position* P, double met) noexcept nogil:
    """What follows the uprisings that have left this table, `met` so often, repeats counted."""
    cdef const Board* B = S.board
    cdef Mask closed
    cdef Position Q
    cdef int i
    if popcount(P.armies) == MOST_ARMIES:            # no echo
        advance(S, P, met)
        return
    closed = closed_regions(B, P)
    for i in range(6):
        if not closed & B.region[i]:
            S.figures.arrival[i] += met / 6
            Q = P[0]
            arrive(B, &Q, i)
            advance(S, &Q, met / 6)
    S.figures.e_uprisings += met * popcount(P.revolts & closed) / 36
    quiet_activity(S, P, closed, met / 36)
    rise_in_each(S, P, P.revolts & closed, met / 36, True)


# Step 3

cdef inline Mask movers(const Position* P) noexcept nogil:
    """Armies that advance: no rebels, none that was placed too late."""
    return P.armies & ~(P.rebels | P.still)


cdef inline bint enter(Position* P, int p, int q) noexcept nogil:
    """An army goes from `p` to the Roman province `q`; False when no revolt is left to be placed there."""
    P.armies ^= bit(p) | bit(q)
    if P.goths == p:
        P.goths = q
    lift_discs(P, bit(q))
    return place_revolts(P, bit(q))


cdef void advance(Sweep* S, const Position* P, double chance) noexcept nogil:
    """Step 3, and the end of the phase."""
    cdef March march
    march.next = 0
    march.count = in_order(S.board, movers(P), march.order)
    march_on(S, P, &march, chance)


cdef void march_on(Sweep* S, const Position* P, const March* march, double chance) noexcept nogil:
    """The armies from `march.next` on are still to move."""
    cdef const Board* B = S.board
    cdef March rest = march[0]
    cdef Position Q
    cdef Odds odds
    cdef double stays = 0
    cdef double* battle
    cdef int p, q, leader
    while rest.next < rest.count and (
            B.way[rest.order[rest.next]] < 0 or P.armies >> B.way[rest.order[rest.next]] & 1):
        rest.next += 1                               # no way, or another army in it
    if rest.next == rest.count:
        visit(S, P, chance)
        return
    p = rest.order[rest.next]
    q = B.way[p]
    rest.next += 1
    if B.broken[p] >> q & 1:                         # it holds on 4 to 6, for the Goths on 3 to 6
        stays = chance / 3 if P.goths == p else chance / 2
        chance -= stays
    leader = leader_at(P, q)
    if leader >= 0:
        odds = odds_of(B, P, leader, p)
        battle = S.figures.battle[p][leader]
        battle[VICTORY] += chance * odds.victory / 36
        battle[DRAW] += chance * odds.draw / 36
        battle[DEFEAT] += chance * chance_of(odds, DEFEAT) / 36
        stays += chance * odds.draw / 36
        if odds.victory:
            Q = P[0]
            remove_army(&Q, p)
            battle_won(B, &Q, leader)
            march_on(S, &Q, &rest, chance * odds.victory / 36)
        chance = chance * chance_of(odds, DEFEAT) / 36
    if chance > 0:
        Q = P[0]
        if leader >= 0:
            take_off(&Q, leader)
            battle_lost(&Q, leader)
        if q == B.roma:
            visit_fall(S, ARMY_IN_ROMA, chance)
        elif enter(&Q, p, q):
            revolts_placed(S, &Q, P.revolts, 0, chance, THEN_MARCH, &rest)
        else:
            visit_fall(S, NO_REVOLT_LEFT, chance)
    if stays > 0:
        march_on(S, P, &rest, stays)


# All together

cdef void sweep(Sweep* S, const Board* B, const Position* table) noexcept nogil:
    """Adds all outcomes of the phase to the figures of `S`, and to its book if it gathers."""
    cdef Position P
    cdef uint32_t row, i
    cdef int stage
    catch_fire(S, B, table, blaze_unit(B))
    for i in range(S.calm.count):
        if spend(&S.watch, 1):
            return
        first_activity(S, &S.calm.rows[i], S.calm.notes[i])
    for stage in range(STAGES):
        for i in range(S.stage[stage].count):        # each leads to later stages only
            if spend(&S.watch, 1):
                return
            row = S.stage[stage].rows[i]
            P = S.risen.rows[row]                    # the rows move when others join them
            echo_activity(S, &P, S.risen.notes[row] / (1 - repeats_of(B, &P) / 36))


# How many uprisings: followed one by one, those that change nothing among them, so that no loop needs to be closed.

cdef enum:
    MOST_UPRISINGS = 64    # that are counted one by one


cdef void first_uprising(Sweep* S, double* at_least_one) noexcept nogil:
    cdef Mask hits
    cdef uint32_t i
    for i in range(S.calm.count):
        if spend(&S.watch, 1):
            return
        hits = S.calm.rows[i].revolts & S.board.numbered
        at_least_one[0] += S.calm.notes[i] * popcount(hits) / 36
        rise_in_each(S, &S.calm.rows[i], hits, S.calm.notes[i] / 36, False)


cdef void next_uprising(Sweep* S, double* at_least_one_more) noexcept nogil:
    """From the tables after an uprising; those after the next one take their place."""
    cdef Book after = S.before
    cdef const Position* P
    cdef Mask hits
    cdef uint32_t i
    S.before = S.risen
    S.risen = after
    book_clear(&S.risen)
    for i in range(STAGES):
        S.stage[i].count = 0
    for i in range(S.before.count):
        if spend(&S.watch, 1):
            return
        P = &S.before.rows[i]
        if popcount(P.armies) < MOST_ARMIES:
            hits = P.revolts & closed_regions(S.board, P)
            at_least_one_more[0] += S.before.notes[i] * popcount(hits) / 36
            rise_in_each(S, P, hits, S.before.notes[i] / 36, False)


cdef void count_uprisings(Sweep* S, const Board* B, const Position* table, int most, double* at_least) noexcept nogil:
    """Writes the chances of at least 0, 1, ..., `most` + 1 uprisings. The figures of `S` are of no use afterwards."""
    cdef int number
    memset(at_least, 0, (most + 2) * sizeof(double))
    at_least[0] = 1
    catch_fire(S, B, table, blaze_unit(B))
    first_uprising(S, at_least + 1)
    for number in range(2, most + 2):
        next_uprising(S, at_least + number)
