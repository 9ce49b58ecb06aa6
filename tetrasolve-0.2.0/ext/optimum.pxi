# The Barbarian phase with decisions, under best play: its value by recursion, in doubles.
#
# It goes through the phase as decided.pxi does, die by die and check by check, but follows every option, and takes the one that
# is best for its player. Every disc that is spent is missing from the position, so the play ends. What a position is worth before
# step 2, after an uprising, before step 3 and before each army is kept, and looked up when it comes again.
#
# Only one way leads back to a position: an uprising that changes nothing, after which the echo is rolled again (activity.pxi). So
# the value x of a position after an uprising is a function of itself, made of straight pieces: one for each way to decide. It is
# solved by Newton's method, which finds the piece. For that each value is a pair, with its slope in x.

cdef enum:                 # what is wanted
    AIM_LOST               # chance that the Empire falls
    AIM_UPRISING           # chance of at least one uprising
    AIM_REVOLTS            # chance times revolts on the board, summed over the results that are not lost
    AIM_WORTH              # expected worth of the position, or of a fallen Empire
    MOST_KEPT = 1 << 20    # positions whose values are kept: 110 MB
    FIRST_ARMY = 1 + PROVINCES    # of the options of the black disc: none, a revolt in each province, an army in each region
    BLACK_OPTIONS = FIRST_ARMY + 6
    MOST_STEPS = 100       # of Newton's method: there are few pieces

cdef struct Value:
    double at
    double slope           # how much of the value of the position `head` is in it

cdef struct Optimum:
    const Board* board
    int aim
    int barbarian          # 1 where the Barbarian player aims at most, -1 where at the least
    int rome               # the same for the Emperors
    double price           # that a disc costs who spends it
    int gray_kept          # gray discs that are not spent
    bint black_kept        # nor the black one
    Worth worth
    const Position* head   # the position after an uprising whose value is being solved; or NULL
    double guess           # of its value
    Book calm              # values of positions before step 2,
    Book risen             # after an uprising,
    Book arrayed           # before step 3,
    Book marching          # and before the next army: `still` are those that have not moved
    bint failed            # no memory
    Watch watch
    uint64_t rolls         # looked at
    bint asks_black        # whether the phase begins with that choice,
    double[BLACK_OPTIONS] black    # and the value of each option; -1e300 where there is none
    bint begins_with_activity      # whether its dice are the first, and the black disc is kept up to there,
    double[PROVINCES] named        # then the value of each province that they name,
    double again                    # and of rolling them again, if that is possible
    bint may_again


cdef inline Value fixed(double at) noexcept nogil:
    cdef Value value
    value.at = at
    value.slope = 0
    return value


cdef inline void add_share(Value* total, Value part, double share) noexcept nogil:
    total.at += part.at * share
    total.slope += part.slope * share


cdef inline Value best_of(int direction, Value a, Value b) noexcept nogil:
    """The better one for who aims at most (1) or least (-1); the first where they are equal."""
    return b if direction * b.at > direction * a.at else a


cdef inline Value after_paying(const Optimum* O, int direction, Value value) noexcept nogil:
    """Less one disc of his."""
    value.at -= direction * O.price
    return value


cdef inline bint may_spend_gray(const Optimum* O, const Position* P) noexcept nogil:
    return gray_of(P) > O.gray_kept


cdef inline bint may_roll_once_more(const Optimum* O, const Position* P, bint rerolled) noexcept nogil:
    return may_spend_gray(O, P) and may_reroll(O.board, P, rerolled)


# Values that are kept

cdef inline bint is_kept(const Book* book, const Position* P, Value* value) noexcept nogil:
    cdef int64_t row = book_find(book, P)
    if row < 0:
        return False
    value[0] = fixed(book.notes[row])
    return True


cdef void keep(Optimum* O, Book* book, const Position* P, Value value) noexcept nogil:
    cdef int64_t row
    if O.watch.stopped or O.calm.count + O.risen.count + O.arrayed.count + O.marching.count >= MOST_KEPT:
        return
    CHECK(value.slope == 0)
    row = book_put(book, P)
    if row == NO_MEMORY:
        O.failed = O.watch.stopped = True
    else:
        book.notes[row] = value.at


# Ends

cdef Value value_of_end(const Optimum* O, const Position* P) noexcept nogil:
    if O.aim == AIM_REVOLTS:
        return fixed(popcount(P.revolts))
    return fixed(worth_of(&O.worth, P) if O.aim == AIM_WORTH else 0)


cdef Value value_of_fall(const Optimum* O) noexcept nogil:
    return fixed(O.worth.fallen if O.aim == AIM_WORTH else O.aim == AIM_LOST)


# Between the steps

cdef Value value_from(Optimum* O, const Position* P, int at, const March* march) noexcept nogil:
    cdef Position Q
    if at == AT_SPREAD:
        return value_of_spread(O, P, P.revolts, 0)
    if at == AT_BLACK:
        Q = P[0]
        remove_burnt(&Q)                             # [I-USURPER-EMPERORS] now, or before the usurpers
        return value_of_black(O, &Q, AT_ACTIVITY, False)
    if at == AT_ACTIVITY:
        return value_before_activity(O, P)
    if at == AT_ECHO:
        return value_after_uprising(O, P)
    if at == AT_ADVANCE:
        return value_before_advance(O, P)
    if at == AT_MARCH:
        return value_of_march(O, P)
    if at == AT_END:
        return value_of_end(O, P)
    return value_of_army(O, P, march)


cdef Value value_of_revolts(
    Optimum* O, const Position* P, Mask before, int region, int at, const March* march, bint rerolled,
) noexcept nogil:
    """After revolts have been placed: usurpers in the regions from `region` on; `rerolled` is about the first of their dice."""
    cdef Position Q
    cdef Mask free
    cdef Value total, again
    cdef bint may
    cdef double share
    if spend(&O.watch, 1):
        return fixed(0)
    for region in range(region, 6):
        free = usurper_places(O.board, P, before, region)
        if free:
            O.rolls += 1
            may = may_roll_once_more(O, P, rerolled)
            again = total = fixed(0)
            if may:
                Q = P[0]
                spend_gray(&Q)
                again = after_paying(O, O.barbarian, value_of_revolts(O, &Q, before, region, at, march, True))
            share = 1.0 / popcount(free)
            while free:
                Q = P[0]
                place_usurper(&Q, lowest(free))
                free &= free - 1
                add_share(&total, rolled_or(
                    O, value_of_revolts(O, &Q, before, region + 1, at, march, False), may, again), share)
            return total
    return value_from(O, P, at, march)


cdef inline Value rolled_or(const Optimum* O, Value rolled, bint may, Value again) noexcept nogil:
    """What faces are worth that the Barbarian player may roll again."""
    return best_of(O.barbarian, rolled, again) if may else rolled


cdef Value value_of_black(Optimum* O, const Position* P, int at, bint first) noexcept nogil:
    """The black disc, before `at`."""
    cdef const Board* B = O.board
    cdef Value best = value_from(O, P, at, NULL)
    cdef Mask places
    cdef Position Q
    cdef Value here
    cdef int regions, p
    if O.black_kept or not may_place_black(B, P, first):
        return best
    regions = black_regions(B, P)
    places = black_places(B, P)
    if first:
        O.asks_black = regions or places
        O.black[0] = best.at
    while places and not O.watch.stopped:
        Q = P[0]
        p = lowest(places)
        black_revolt(B, &Q, p)
        places &= places - 1
        here = after_paying(O, O.barbarian, value_of_revolts(O, &Q, P.revolts, 0, at, NULL, False))
        best = best_of(O.barbarian, best, here)
        if first:
            O.black[1 + p] = here.at
    while regions and not O.watch.stopped:
        Q = P[0]
        p = lowest(regions)
        black_army(B, &Q, p)
        regions &= regions - 1
        here = after_paying(O, O.barbarian, value_from(O, &Q, at, NULL))
        best = best_of(O.barbarian, best, here)
        if first:
            O.black[FIRST_ARMY + p] = here.at
    return best


# Step 1

cdef Value value_of_spread(Optimum* O, const Position* P, Mask before, Mask checked) noexcept nogil:
    """As `spread_on`."""
    cdef const Board* B = O.board
    cdef Position Q = P[0]
    cdef Mask burning = caught(B.normal, Q.unrest, Q.revolts)
    cdef Mask rest
    cdef int p, i, n
    if spend(&O.watch, 1):
        return fixed(0)
    Q.revolts |= burning
    Q.unrest &= ~burning
    if popcount(Q.revolts) > most_revolts(B, &Q):
        return value_of_fall(O)
    if B.reading[I_CHECK]:
        burning = caught(B.linked, Q.unrest, Q.revolts)
        if burning and not checked:
            return value_of_fire(O, &Q, before, 1, burning, False)
    else:
        rest = beyond_broken(B, Q.unrest, Q.revolts)
        while rest:
            p = next_checked(B, rest)
            rest ^= bit(p)
            for n in range(B.checks[p]):
                i = check_number(B, p, n)
                if Q.revolts >> B.check_to[p][i] & 1 and not checked >> B.check_of[p][i] & 1:
                    return value_of_fire(O, &Q, before, checked | bit(B.check_of[p][i]), bit(p), False)
    after_spread(B, &Q)
    return value_of_revolts(O, &Q, before, 0, AT_BLACK, NULL, False)


cdef Value value_of_fire(
    Optimum* O, const Position* P, Mask before, Mask checked, Mask burning, bint rerolled,
) noexcept nogil:
    """The check after which these unrests burn, or not."""
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef Position Q = P[0]
    O.rolls += 1
    if may:
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_fire(O, &Q, before, checked, burning, True))
        Q = P[0]
    add_share(&total, rolled_or(O, value_of_spread(O, &Q, before, checked), may, again), 0.5)
    Q.revolts |= burning
    Q.unrest &= ~burning
    add_share(&total, rolled_or(O, value_of_spread(O, &Q, before, checked), may, again), 0.5)
    return total


# Step 2

cdef Value value_before_activity(Optimum* O, const Position* P) noexcept nogil:
    cdef Value value
    if not is_kept(&O.calm, P, &value):
        value = value_of_activity(O, P, O.board.numbered, False)
        keep(O, &O.calm, P, value)
    return value


cdef Value value_of_activity(Optimum* O, const Position* P, Mask rolled, bint rerolled) noexcept nogil:
    """A roll that names each province of `rolled` with the same chance."""
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef Value calm = total
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef Mask safe = protected(O.board, P) & rolled & ~(P.revolts | P.unrest)
    cdef Mask rest = rolled & ~safe
    cdef double share = 1.0 / popcount(rolled)
    cdef bint first = O.rolls == 0
    cdef Position Q
    cdef Value here
    cdef int p
    if spend(&O.watch, 1):
        return total
    O.rolls += 1
    if may:
        Q = P[0]
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_activity(O, &Q, rolled, True))
    if first:
        O.begins_with_activity = True
        O.may_again = may
        O.again = again.at
    if safe:
        calm = fixed(0) if O.aim == AIM_UPRISING else value_before_advance(O, P)
        add_share(&total, rolled_or(O, calm, may, again), share * popcount(safe))
    while rest and not O.watch.stopped:
        p = lowest(rest)
        here = value_in(O, P, p)
        add_share(&total, rolled_or(O, here, may, again), share)
        rest &= rest - 1
        if first:
            O.named[p] = here.at
    while first and safe:
        O.named[lowest(safe)] = calm.at
        safe &= safe - 1
    return total


cdef Value value_in(Optimum* O, const Position* P, int p) noexcept nogil:
    """The activity in a province that is not protected."""
    cdef Position Q = P[0]
    if O.aim == AIM_UPRISING:
        return fixed(P.revolts >> p & 1)
    if P.revolts >> p & 1:
        return value_of_uprising(O, P, p)
    if P.unrest >> p & 1:
        if not place_revolts(O.board, &Q, bit(p)):
            return value_of_fall(O)
        return value_of_revolts(O, &Q, P.revolts, 0, AT_ADVANCE, NULL, False)
    if not unrest_in_reserve(O.board, P):
        return value_of_fall(O)
    Q.unrest |= bit(p)
    return value_before_advance(O, &Q)


cdef Value value_of_uprising(Optimum* O, const Position* P, int p) noexcept nogil:
    cdef const Board* B = O.board
    cdef Mask reach = uprising_reach(B, P.revolts)
    cdef int zone = pirates_land(B, P, p)
    cdef Position Q = P[0]
    if zone:
        Q.pirates = zone
    if not place_revolts(B, &Q, B.normal[p] & reach):
        return value_of_fall(O)
    return value_of_links(O, &Q, P.revolts, p, B.broken[p] & reach, 0, False)


cdef Value value_of_links(
    Optimum* O, const Position* P, Mask before, int p, Mask doubtful, int first, bint rerolled,
) noexcept nogil:
    """The checks of an uprising from link number `first` on, or all together; `rerolled` is about the first one."""
    cdef const Board* B = O.board
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef Mask fresh = doubtful
    cdef Position Q
    if spend(&O.watch, 1):
        return total
    if B.reading[I_CHECK]:
        first = B.checks[p] if not doubtful or first else first
    else:
        while first < B.checks[p] and not doubtful >> B.check_to[p][check_number(B, p, first)] & 1:
            first += 1
    if first == B.checks[p] and usurpers_wait_for_echo(B):
        Q = P[0]
        put_usurpers_off(B, &Q, before)
        return value_from(O, &Q, AT_ECHO, NULL)
    if first == B.checks[p]:
        return value_of_revolts(O, P, before, 0, AT_ECHO, NULL, False)
    if not B.reading[I_CHECK]:
        fresh = bit(B.check_to[p][check_number(B, p, first)])
    O.rolls += 1
    Q = P[0]
    if may:
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_links(O, &Q, before, p, doubtful, first, True))
        Q = P[0]
    add_share(&total, rolled_or(O, value_of_links(O, &Q, before, p, doubtful, first + 1, False), may, again), 0.5)
    if place_revolts(B, &Q, fresh):
        add_share(&total, rolled_or(O, value_of_links(O, &Q, before, p, doubtful, first + 1, False), may, again), 0.5)
    else:
        add_share(&total, rolled_or(O, value_of_fall(O), may, again), 0.5)
    return total


cdef Value value_after_uprising(Optimum* O, const Position* P) noexcept nogil:
    """The echo: the value of a position that can come back to itself."""
    cdef const Position* outer = O.head
    cdef double guess = O.guess
    cdef double before
    cdef Value value
    cdef int i
    if outer != NULL and same_position(P, outer):
        value.at = guess
        value.slope = 1
        return value
    if is_kept(&O.risen, P, &value):
        return value
    O.head = P
    O.guess = 0
    for i in range(MOST_STEPS):
        value = value_of_echo(O, P, False)
        if O.watch.stopped:
            break
        before = O.guess
        O.guess = (value.at - value.slope * before) / (1 - value.slope)
        if abs_of(O.guess - before) <= 1e-15 * abs_of(before):
            break
    value = fixed(O.guess)
    O.head = outer
    O.guess = guess
    keep(O, &O.risen, P, value)
    return value


cdef inline double abs_of(double x) noexcept nogil:
    return x if x > 0 else -x


cdef Value value_of_echo(Optimum* O, const Position* P, bint rerolled) noexcept nogil:
    """The roll of the region to which an uprising spreads."""
    cdef const Board* B = O.board
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef Value here
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef Position Q
    cdef int i
    if popcount(P.armies) == most_armies(B):            # no echo
        return value_before_advance(O, P)
    if spend(&O.watch, 1):
        return total
    O.rolls += 1
    if may:
        Q = P[0]
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_echo(O, &Q, True))
    for i in range(6):
        if is_open(B, P, i):
            Q = P[0]
            arrive(B, &Q, i)
            here = value_before_advance(O, &Q)
        else:
            here = value_of_activity(O, P, B.region[i], False)
        add_share(&total, rolled_or(O, here, may, again), 1.0 / 6)
    return total


# Step 3

cdef Value value_before_advance(Optimum* O, const Position* P) noexcept nogil:
    cdef Value value
    cdef Position Q
    cdef Mask before
    if O.aim == AIM_UPRISING:
        return fixed(0)
    if has_late_usurpers(P):
        Q = P[0]
        before = recall_usurpers(O.board, &Q)
        return value_of_revolts(O, &Q, before, 0, AT_ADVANCE, NULL, False)
    if not is_kept(&O.arrayed, P, &value):
        value = value_of_black(O, P, AT_MARCH, False)
        keep(O, &O.arrayed, P, value)
    return value


cdef Value value_of_march(Optimum* O, const Position* P) noexcept nogil:
    cdef March march
    line_up(O.board, movers(P), &march)
    return value_of_army(O, P, &march)


cdef Value value_of_army(Optimum* O, const Position* P, const March* march) noexcept nogil:
    cdef Position key = P[0]
    cdef Mask before
    cdef Value value
    cdef int i
    if march.next == march.count:
        if not has_late_usurpers(P):
            return value_of_end(O, P)
        before = recall_usurpers(O.board, &key)
        return value_of_revolts(O, &key, before, 0, AT_END, NULL, False)
    key.still &= ~(bit(FIRST_LATE) - 1)
    for i in range(march.next, march.count):
        key.still |= bit(march.order[i])
    if not is_kept(&O.marching, &key, &value):
        value = value_of_way(O, P, march)
        keep(O, &O.marching, &key, value)
    return value


cdef Value value_of_way(Optimum* O, const Position* P, const March* march) noexcept nogil:
    """The choice about the advance of the next army."""
    cdef const Board* B = O.board
    cdef March rest = march[0]
    cdef int p = rest.order[rest.next]
    cdef int q = B.way[p]
    cdef bint goes = is_free(P.armies, q)
    cdef Mask ways = ways_to_turn(B, P, p, q)
    cdef Position Q = P[0]
    cdef Value best
    if spend(&O.watch, 1):
        return fixed(0)
    rest.next += 1
    best = value_towards(O, P, p, q, &rest) if goes else value_of_army(O, P, &rest)
    if not may_spend_gray(O, P):
        return best
    spend_gray(&Q)
    if goes:
        best = best_of(O.barbarian, best, after_paying(O, O.barbarian, value_of_army(O, &Q, &rest)))
    while ways and not O.watch.stopped:
        best = best_of(O.barbarian, best, after_paying(
            O, O.barbarian, value_towards(O, &Q, p, lowest(ways), &rest)))
        ways &= ways - 1
    return best


cdef Value value_towards(Optimum* O, const Position* P, int p, int q, const March* march) noexcept nogil:
    """The army in `p` goes to `q`, where a broken link may stop it."""
    cdef Value value
    if not O.board.broken[p] >> q & 1:
        return value_of_coming(O, P, p, q, march)
    value = value_of_check(O, P, p, q, march, False)
    return value_of_block(O, P, q, march, value) if blocks_before_check(O.board, p, q) else value


cdef Value value_of_stop(Optimum* O, const Position* P, int p, int q, const March* march) noexcept nogil:
    """A broken link has stopped the army in `p`: as `stopped`."""
    cdef const Board* B = O.board
    cdef Position Q = P[0]
    if q != B.way[p] and B.reading[I_TURN_DISC]:
        take_gray_back(&Q)
    if q != B.way[p] and B.reading[I_TURN_STOPPED] and is_free(Q.armies, B.way[p]):
        return value_towards(O, &Q, p, B.way[p], march)
    return value_of_army(O, &Q, march)


cdef Value value_of_pass(Optimum* O, const Position* P, int p, int q, const March* march) noexcept nogil:
    """The army in `p` has passed a broken link: [I-CANCEL-WHEN] it can be stopped all the same, or not."""
    cdef Value value = value_of_coming(O, P, p, q, march)
    cdef Position Q
    if not O.board.reading[I_CANCEL_WHEN] or not may_spend_gray(O, P):
        return value
    Q = P[0]
    spend_gray(&Q)
    return best_of(O.barbarian, value, after_paying(O, O.barbarian, value_of_army(O, &Q, march)))


cdef Value value_of_check(
    Optimum* O, const Position* P, int p, int q, const March* march, bint rerolled,
) noexcept nogil:
    """The check of the broken link from `p` to `q`."""
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef double stays
    cdef Position Q
    if spend(&O.watch, 1):
        return total
    O.rolls += 1
    stays = <double> blocking_faces(P, p) / DIE
    if may:
        Q = P[0]
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_check(O, &Q, p, q, march, True))
    add_share(&total, rolled_or(O, value_of_stop(O, P, p, q, march), may, again), stays)
    add_share(&total, rolled_or(O, value_of_pass(O, P, p, q, march), may, again), 1 - stays)
    return total


cdef Value value_of_coming(Optimum* O, const Position* P, int p, int q, const March* march) noexcept nogil:
    """The army in `p` comes to `q`: Constantius may stop it there."""
    cdef int leader = leader_at(P, q)
    cdef Value value
    if leader < 0:
        return value_of_entry(O, P, p, q, march)
    value = value_of_fight(O, P, p, q, leader, march, False)
    return value if blocks_before_check(O.board, p, q) else value_of_block(O, P, q, march, value)


cdef Value value_of_block(Optimum* O, const Position* P, int q, const March* march, Value best) noexcept nogil:
    """Constantius may stop an army on its way to `q`, with each disc that he can pay; `best` if he does not."""
    cdef const Board* B = O.board
    cdef int leader = leader_at(P, q)
    cdef Mask discs
    cdef Position Q
    if leader < 0 or not may_block(B, P, leader):
        return best
    if garrisons_left(B, P, CONSTANTIUS) > 0:
        Q = P[0]
        pay(&Q, CONSTANTIUS, 1, 0)
        best = best_of(O.rome, best, after_paying(O, O.rome, value_of_army(O, &Q, march)))
    discs = payable_discs(B, P, CONSTANTIUS)
    while discs and not O.watch.stopped:
        Q = P[0]
        pay(&Q, CONSTANTIUS, 0, discs & (<Mask> 0 - discs))
        discs &= discs - 1
        best = best_of(O.rome, best, after_paying(O, O.rome, value_of_army(O, &Q, march)))
    return best


cdef Value value_of_entry(Optimum* O, const Position* P, int p, int q, const March* march) noexcept nogil:
    cdef Position Q = P[0]
    if q == O.board.roma or not enter(O.board, &Q, p, q):
        return value_of_fall(O)
    if usurpers_wait(O.board):
        put_usurpers_off(O.board, &Q, P.revolts)
        return value_of_army(O, &Q, march)
    return value_of_revolts(O, &Q, P.revolts, 0, AT_ARMY, march, False)


cdef Value value_of_fight(
    Optimum* O, const Position* P, int p, int q, int leader, const March* march, bint rerolled,
) noexcept nogil:
    """The dice, which the Barbarian player may roll again before Galerius adds to his."""
    cdef const Board* B = O.board
    cdef Battle battle = battle_of(B, P, leader, p)
    cdef int g = battle.g + roman_bonus(B)
    cdef int r = battle.r + goths_bonus(B, P, p, B.battle[q]) + barbarian_bonus(B)
    cdef int most = most_boosts(B, P, leader)
    cdef Value total = fixed(0)
    cdef Value again = total
    cdef bint may = may_roll_once_more(O, P, rerolled)
    cdef int roman, barbarian
    cdef Position Q
    if spend(&O.watch, 1):
        return total
    O.rolls += 1
    if may:
        Q = P[0]
        spend_gray(&Q)
        again = after_paying(O, O.barbarian, value_of_fight(O, &Q, p, q, leader, march, True))
    for roman in range(g + 1, g + 7):
        for barbarian in range(r + 1, r + 7):
            add_share(&total, rolled_or(
                O, value_of_boost(O, P, p, q, leader, march, roman, barbarian, battle.e - battle.a, most), may, again),
                1.0 / 36)
            if O.watch.stopped:
                return total
    return total


cdef Value value_of_boost(
    Optimum* O, const Position* P, int p, int q, int leader, const March* march, int roman, int barbarian, int support, int most,
) noexcept nogil:
    """What faces are worth to which Galerius can add up to `most`, while it is no victory: with each set of his discs."""
    cdef const Board* B = O.board
    cdef int outcome = outcome_of(B, roman, barbarian, support)
    cdef Value best = value_of_outcome(O, P, p, q, leader, march, outcome)
    cdef Value here
    cdef Mask discs, part
    cdef int reserve, paid
    cdef Position Q
    if outcome == VICTORY or not most:
        return best
    discs = payable_discs(B, P, GALERIUS)
    part = discs
    while True:                                      # each part of his discs on the board, down to none
        for reserve in range(max(0, garrisons_left(B, P, GALERIUS)) + 1):
            paid = reserve + popcount(part)
            if O.watch.stopped:
                return best
            if not paid or outcome_of(B, roman + paid - 1, barbarian, support) == VICTORY:
                continue                             # he is not asked for the last one
            Q = P[0]
            pay(&Q, GALERIUS, reserve, part)
            here = value_of_outcome(O, &Q, p, q, leader, march, outcome_of(B, roman + paid, barbarian, support))
            here.at -= O.rome * O.price * paid
            best = best_of(O.rome, best, here)
        if not part:
            return best
        part = (part - 1) & discs


cdef Value value_of_outcome(
    Optimum* O, const Position* P, int p, int q, int leader, const March* march, int outcome,
) noexcept nogil:
    cdef Position Q = P[0]
    if outcome == VICTORY:
        remove_army(&Q, p)
        defence_won(O.board, &Q, leader)
    elif outcome == DEFEAT:
        take_off(&Q, leader)
        defence_lost(O.board, &Q, leader)
        return value_of_entry(O, &Q, p, q, march)
    return value_of_army(O, &Q, march)


cdef Value value_of_phase(Optimum* O, const Position* position) noexcept nogil:
    """Of the whole phase, from a position as it lies before it."""
    cdef Position Q = position[0]
    begin_turn(O.board, &Q)
    return value_of_black(O, &Q, AT_SPREAD, True)


# The Python face

cdef int optimum_open(Optimum* O) except -1:
    memset(O, 0, sizeof(Optimum))
    try:
        book_open(&O.calm, True)
        book_open(&O.risen, True)
        book_open(&O.arrayed, True)
        book_open(&O.marching, True)
    except MemoryError:
        optimum_close(O)
        raise
    return 0


cdef void optimum_close(Optimum* O) noexcept nogil:
    book_close(&O.calm)
    book_close(&O.risen)
    book_close(&O.arrayed)
    book_close(&O.marching)


@cython.final
cdef class _Optimum:
    """The memory of one call."""

    cdef Optimum optimum

    def __cinit__(self):
        optimum_open(&self.optimum)

    def __dealloc__(self):
        optimum_close(&self.optimum)


cdef double NO_OPTION = -1e300

AIMS = ("p_lost", "p_uprising", "e_revolts", "worth")


cdef int take_direction(object value, str field) except 0:
    cdef int direction = take_int(value, field, -1, 1)
    if not direction:
        raise KernelError(f"{field}: expected 1 for most or -1 for least, got 0")
    return direction


def best_phase(
    Kernel kernel not None, State state not None, aim, barbarian, rome, price=0.0, gray_kept=0, black_kept=False, weights=None,
    *, Stop stop=None,
):
    """
    The Barbarian phase of the position as it lies under best play. `aim` is one of `AIMS`; `barbarian` and `rome` are 1 for
    who aims at most of it, -1 for least. See whole.pyi.
    """
    cdef _Optimum memory = _Optimum()
    cdef Optimum* asked = &memory.optimum
    cdef Value value
    if aim not in AIMS:
        raise KernelError(f"aim: expected one of {', '.join(AIMS)}, got {aim!r}")
    asked.board = &kernel.tables.board
    asked.aim = AIMS.index(aim)
    asked.barbarian = take_direction(barbarian, "barbarian")
    asked.rome = take_direction(rome, "rome")
    asked.price = price
    if not 0 <= asked.price <= 10**9:
        raise KernelError(f"price: expected a number from 0 to {10**9}, got {price!r}")
    asked.gray_kept = take_int(gray_kept, "gray_kept", 0, MOST_GRAY)
    asked.black_kept = black_kept
    if asked.aim == AIM_WORTH:
        if weights is None:
            raise KernelError("weights: expected a row of 8, got None")
        take_worth(&asked.worth, weights)
        weigh_whole_bytes(&asked.worth)
    kernel.check_before_phase(state)
    for i in range(BLACK_OPTIONS):
        asked.black[i] = NO_OPTION
    watch_open(&asked.watch, stop)
    with nogil:
        value = value_of_phase(asked, &state.position)
    if asked.failed:
        raise MemoryError("no memory for the Barbarian phase")
    if asked.watch.stopped:
        raise_stopped(&asked.watch, asked.rolls)
    found = {"value": value.at, "rolls": asked.rolls, "black": None, "activity": None, "again": None}
    if asked.may_again:
        found["again"] = asked.again
    if asked.asks_black:
        found["black"] = [None if asked.black[i] == NO_OPTION else asked.black[i] for i in range(BLACK_OPTIONS)]
    if asked.begins_with_activity:
        found["activity"] = [asked.named[p] if asked.board.numbered >> p & 1 else None for p in range(PROVINCES)]
    return found
