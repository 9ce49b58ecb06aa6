# The best policy of the rest of a turn: every decision is taken for the highest expected worth of the state after the turn.
#
# A player who decides sees the cards that are out, so the hands of a campaign are followed one by one, as sets. What makes this
# quick is the invasion, in which nothing is decided (a Tribune's apart): the worth of all sets of its cards is tallied once for a
# map, and summed over the sets that contain given cards. The sum over the sets of any deck follows by inclusion and exclusion.
#
# Worths are whole numbers: of a state with n cards in the deck they are scaled by unit[n], and unit[n] is n * unit[n - 1].

cdef enum:
    SUBSETS = 12951           # of at most four of 24 cards
    MOST_MAPS = 160           # kept at a time: 33 MB, of which only those in use are touched
    SLOTS = 512               # a power of two, more than twice as many
    MOST_WEIGHT = 500
    MOST_SUM = 10_000


cdef struct Weights:
    # What a state after the turn is worth; a game that is over is worth `won` or `lost`
    int64_t constant
    int64_t won
    int64_t lost
    int64_t outbreaks
    int64_t decline
    int64_t[4] die
    int64_t[4] pacified
    int64_t[4] cubes


cdef struct Worth:
    int64_t sum               # without what an invasion does not change
    int64_t on                # sequences after which the game goes on


cdef struct Map:
    # A map, what can come on it, and the worth of invasions with `left` cards
    uint64_t[4] cubes
    uint8_t outbreaks
    uint8_t away
    uint8_t spared
    uint8_t wins              # who comes through the invasion wins [E-WIN]
    uint8_t left
    Worth[12951] having       # of all sets that contain these cards, see `place_of`


cdef struct Best:
    Walk walk                 # rules, watch, and the deck at the beginning
    Weights weights
    Root root                 # of the map that is filled
    Tally tally               # of one set of cards
    Wide[25] unit
    Wide known                # of what is asked, as far as it was followed
    Map* maps
    int used
    int16_t[512] slot         # the number of a map + 1, or 0
    int stopped


cdef inline int place_of(const int* cards, int k) noexcept nogil:
    """The number of a set of at most four cards in rising order."""
    cdef int place
    if k == 0:
        return 0
    if k == 1:
        return 1 + cards[0]
    place = choose(cards[1], 2) + cards[0]
    if k == 2:
        return 25 + place
    place += choose(cards[2], 3)
    if k == 3:
        return 301 + place
    return 2325 + place + cards[3] * (cards[3] - 1) * (cards[3] - 2) * (cards[3] - 3) // 24


cdef int64_t lasting_worth(const Best* B, const Table* S) noexcept nogil:
    """What an invasion does not change in a game that goes on."""
    cdef const Weights* X = &B.weights
    cdef int64_t worth = X.constant + X.decline * S.decline
    cdef int tribe
    for tribe in range(TRIBES):
        worth += X.die[tribe] * S.dice[tribe] + X.pacified[tribe] * (S.pacified >> tribe & 1)
    return worth


cdef int64_t worth_of_table(const Best* B, const Table* S) noexcept nogil:
    """What a state at the end of a turn is worth."""
    cdef int64_t worth = lasting_worth(B, S) + B.weights.outbreaks * S.outbreaks
    cdef int tribe
    for tribe in range(TRIBES):
        worth += B.weights.cubes[tribe] * on_map(S, tribe)
    return worth


# -- the invasions of a map ----------------------------------------------------------------------------------------------

cdef Worth worth_of_set(Best* B, Filling* X, uint32_t set) noexcept nogil:
    """All orders of a set of cards."""
    cdef Tally* tally = &B.tally
    cdef Worth found
    cdef int64_t calm = 0
    cdef int tribe, i
    memset(tally, 0, sizeof(Tally))
    tally_set(X, tally, set)
    found.on = tally.on + tally.calm
    found.sum = B.weights.outbreaks * X.root.outbreaks * <int64_t> tally.calm
    for tribe in range(TRIBES):
        calm += B.weights.cubes[tribe] * (X.on_map[tribe] + (0 if X.root.away >> tribe & 1 else X.of_suit[tribe]))
        for i in range(RESERVE + 1):
            found.sum += B.weights.cubes[tribe] * i * <int64_t> tally.cubes[13 * tribe + i]
    found.sum += calm * <int64_t> tally.calm
    for i in range(4):
        found.sum += B.weights.outbreaks * i * <int64_t> tally.outbreaks[i]
    if X.root.wins:
        found.sum = B.weights.won * found.on
    for i in range(LOST_OUTBREAKS, ENDS):
        found.sum += B.weights.lost * <int64_t> tally.ends[i]
    return found


cdef int worth_of_sets(Best* B, Filling* X, Map* map, uint32_t deck, int chosen_cards, uint32_t set) noexcept nogil:
    """Adds cards of `deck`, in their order, to the set until it is complete; 1 after a stop."""
    cdef int[4] some
    cdef Worth worth
    cdef int card, subset, i, k
    if chosen_cards == X.root.left:
        worth = worth_of_set(B, X, set)
        for subset in range(1 << X.root.left):
            k = 0
            for i in range(X.root.left):
                if subset >> i & 1:
                    some[k] = X.set[i]
                    k += 1
            i = place_of(some, k)
            map.having[i].sum += worth.sum
            map.having[i].on += worth.on
        return spend(B.walk.watch, 1)
    while deck:
        card = lowest(deck)
        deck &= deck - 1
        X.set[chosen_cards] = card
        X.of_suit[suit_of(card)] += 1
        if worth_of_sets(B, X, map, deck, chosen_cards + 1, set | <uint32_t> 1 << card):
            return 1
        X.of_suit[suit_of(card)] -= 1
    return 0


cdef inline uint32_t slot_of(const Table* S) noexcept nogil:
    cdef uint64_t h = S.cubes[0] * <uint64_t> 0x9E3779B97F4A7C15
    h = (h ^ h >> 29 ^ S.cubes[1]) * <uint64_t> 0xBF58476D1CE4E5B9
    h = (h ^ h >> 32 ^ S.cubes[2]) * <uint64_t> 0x94D049BB133111EB
    h = (h ^ h >> 29 ^ S.cubes[3]) * <uint64_t> 0x9E3779B97F4A7C15
    return <uint32_t> (h >> 40) & (SLOTS - 1)


cdef Map* map_of(Best* B, const Table* S) noexcept nogil:
    """The worth of the invasions that can follow a state; NULL after a stop."""
    cdef Filling X
    cdef Map* map
    cdef int tribe, away = 0
    cdef bint wins = wins_after(B.walk.rules, S)
    cdef int spared = S.shield if B.walk.rules.reading[E_PROTECT] else 0
    cdef uint32_t at = slot_of(S)
    for tribe in range(TRIBES):
        away |= is_away(S, tribe) << tribe
    while B.slot[at]:
        map = &B.maps[B.slot[at] - 1]
        if (map.left == S.left and map.away == away and map.outbreaks == S.outbreaks and map.spared == spared
                and map.wins == wins and memcmp(map.cubes, S.cubes, sizeof(map.cubes)) == 0):
            return map
        at = (at + 1) & (SLOTS - 1)
    if B.used == MOST_MAPS:
        memset(B.slot, 0, sizeof(B.slot))
        B.used = 0
        at = slot_of(S)
    map = &B.maps[B.used]
    memset(map, 0, sizeof(Map))
    memcpy(map.cubes, S.cubes, sizeof(map.cubes))
    map.outbreaks = B.root.outbreaks = S.outbreaks
    map.away = B.root.away = away
    map.spared = spared
    map.wins = B.root.wins = wins
    map.left = B.root.left = S.left
    begin_filling(&X, &B.walk, &B.root, S)
    if worth_of_sets(B, &X, map, B.walk.deck, 0, 0):
        return NULL
    B.used += 1
    B.slot[at] = B.used
    return map


cdef Wide invasion_worth(Best* B, const Table* S, int n) noexcept nogil:
    """An invasion that draws S.left of n cards: the sets of the first deck without those that contain a card that is out."""
    cdef uint32_t deck = ALL_CARDS & ~S.out
    cdef uint32_t gone
    cdef int[24] lack
    cdef int[4] some
    cdef int64_t sum, on
    cdef uint64_t sequences
    cdef const Worth* one
    cdef const Map* map
    cdef int i, j, k, number = 0, left = S.left, others = n
    if S.shield and deck >> (S.shield - 1) & 1:      # it is as good as put away
        deck &= ~(<uint32_t> 1 << (S.shield - 1))
        others = n - 1
    map = map_of(B, S)
    if map == NULL:
        B.stopped = 1
        return 0
    gone = B.walk.deck & ~deck
    while gone:
        lack[number] = lowest(gone)
        gone &= gone - 1
        number += 1
    sum = map.having[0].sum
    on = map.having[0].on
    for i in range(number):
        one = &map.having[1 + lack[i]]
        sum -= one.sum
        on -= one.on
    if left > 1:
        for j in range(number):
            some[1] = lack[j]
            for i in range(j):
                some[0] = lack[i]
                one = &map.having[place_of(some, 2)]
                sum += one.sum
                on += one.on
    if left > 2:
        for k in range(number):
            some[2] = lack[k]
            for j in range(k):
                some[1] = lack[j]
                for i in range(j):
                    some[0] = lack[i]
                    one = &map.having[place_of(some, 3)]
                    sum -= one.sum
                    on -= one.on
    if left > 3:
        sum += worth_of_fours(map, lack, number, &on)
    sequences = falling(others, left)
    CHECK(B.unit[n] % <Wide> sequences == 0)
    if not map.wins:
        sum += lasting_worth(B, S) * on
    return <Wide> sum * (B.unit[n] // <Wide> sequences)


cdef int64_t worth_of_fours(const Map* map, const int* lack, int number, int64_t* on) noexcept nogil:
    """The sets of four cards that are out."""
    cdef int[4] some
    cdef int64_t sum = 0
    cdef const Worth* one
    cdef int h, i, j, k
    for k in range(number):
        some[3] = lack[k]
        for j in range(k):
            some[2] = lack[j]
            for i in range(j):
                some[1] = lack[i]
                for h in range(i):
                    some[0] = lack[h]
                    one = &map.having[place_of(some, 4)]
                    sum += one.sum
                    on[0] += one.on
    return sum


# -- cards and decisions -------------------------------------------------------------------------------------------------

cdef inline bint is_tallied(const Best* B, const Table* S) noexcept nogil:
    """Whether what follows is an invasion in which nothing is decided."""
    return S.step == S_INVADE and not collects(B.walk.rules, S)


cdef Wide hands_worth(Best* B, const Table* S, uint32_t deck, int n, int times, Wide* each) noexcept nogil:
    """The hands that become complete with cards of `deck`; each stands for `times` sequences. `each`: by card, or NULL."""
    cdef Table T
    cdef Wide worth, sum = 0
    cdef int card
    while deck and not B.stopped:
        card = lowest(deck)
        deck &= deck - 1
        T = S[0]
        T.out |= <uint32_t> 1 << card
        insert_card(B.walk.rules, &T, card)
        if T.held < HAND:
            worth = hands_worth(B, &T, deck, n - 1, times, each)
        else:
            hand_is_full(B.walk.rules, &T)
            worth = <Wide> times * best_worth(B, &T, n - 1)
            if each != NULL and not B.stopped:
                B.known += <Wide> times * B.unit[n - 1]
        if B.stopped and T.held == HAND:
            break
        sum += worth
        if each != NULL:
            each[card] += worth
    return sum


cdef Wide crisis_worth(Best* B, const Table* S, int n, uint32_t blank) noexcept nogil:
    """A crisis that draws another card for one of an eradicated tribe: all these are alike, so the first of them come first."""
    cdef uint32_t rest = ALL_CARDS & ~S.out & blank
    cdef uint32_t live
    cdef int m, card, blanks = popcount(rest)
    cdef int most = max(1, n - SPARED_CARDS)
    cdef Table before = S[0]
    cdef Table T
    cdef Wide orders = 1, worth = 0
    for m in range(most + 1):            # so many blank cards have come
        live = ALL_CARDS & ~S.out & ~blank if m < most else 0
        while live and not B.stopped:
            card = lowest(live)
            live &= live - 1
            T = before
            draw_card(B.walk.rules, &T, card)
            worth += orders * best_worth(B, &T, n - m - 1)
        if not rest or m == most or B.stopped:
            break
        orders *= blanks - m
        draw_card(B.walk.rules, &before, lowest(rest))
        rest &= rest - 1
    if m == most:                        # the last one was carried out, and did nothing
        worth += orders * best_worth(B, &before, n - most)
    return worth


cdef bint order_matters(const Table* S) noexcept nogil:
    """Whether orders of a Tribune's cards can come to worths that differ: by an outbreak, or a tribe without enough cubes."""
    cdef int i, tribe
    cdef uint8_t[4] cards
    memset(cards, 0, sizeof(cards))
    for i in range(S.held):
        tribe = suit_of(S.hand[i])
        cards[tribe] += 1
        if not is_away(S, tribe) and (cubes_at(S, tribe, S.hand[i]) == FULL or on_map(S, tribe) + cards[tribe] > RESERVE):
            return True
    return False


cdef Wide best_worth(Best* B, const Table* S, int n) noexcept nogil:
    """The worth of a state with n cards in the deck, scaled by unit[n]; of no use after a stop. At most some 16 levels deep."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef Wide worth, best = 0
    cdef uint32_t blank
    cdef int i, number
    if B.stopped or spend(B.walk.watch, 1):
        B.stopped = 1
        return 0
    if S.end:
        return B.unit[n] * <Wide> (B.weights.won if S.end == WON else B.weights.lost)
    if S.step == S_ROLE or S.step == S_APPOINT:
        return B.unit[n] * <Wide> worth_of_table(B, S)
    if S.step == S_DRAW and S.held < HAND and B.walk.rules.reading[E_LIMIT_ORDER] != LIMIT_ORDER_DRAWN:
        return hands_worth(B, S, ALL_CARDS & ~S.out, n, falling(HAND - S.held, HAND - S.held), NULL)
    if is_tallied(B, S):
        return invasion_worth(B, S, n)
    if S.step == S_CRISIS:
        blank = blank_cards(B.walk.rules, S)
        if blank:
            return crisis_worth(B, S, n, blank)
    if S.step == S_TRAVEL:               # where the pawn goes changes nothing in this turn
        T = S[0]
        decide(B.walk.rules, &T, option_of(O_STAY, 0))
        return best_worth(B, &T, n)
    number = list_options(B.walk.rules, S, list)
    if S.step == S_ORDER and not order_matters(S):
        number = 1                       # the region last invaded alone depends on it, which has no worth
    for i in range(number):
        T = S[0]
        apply(B.walk.rules, &T, list[i])
        worth = best_worth(B, &T, n - 1 if is_chance(S.step) else n)
        if is_chance(S.step):
            best += worth
        elif i == 0 or worth > best:
            best = worth
    return best


cdef Wide best_at(Best* B, const Table* S, int n, Wide* each) noexcept nogil:
    """As `best_worth`, with the worth of each option in the order of `list_options`: of cards scaled by unit[n - 1].

    After a stop it is the sum of the cards that were followed, whose weight is B.known; of a decision nothing is known then.
    """
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef Wide best = 0
    cdef Wide[24] by_card
    cdef int i, number, missing = HAND - S.held
    cdef bint drawn = is_chance(S.step)
    number = list_options(B.walk.rules, S, list)
    if S.step == S_DRAW and missing > 0 and B.walk.rules.reading[E_LIMIT_ORDER] != LIMIT_ORDER_DRAWN:
        memset(by_card, 0, sizeof(by_card))
        best = hands_worth(B, S, ALL_CARDS & ~S.out, n, falling(missing, missing), by_card)
        for i in range(number):
            each[i] = by_card[list[i]] // <Wide> missing
        return best
    for i in range(number):
        T = S[0]
        apply(B.walk.rules, &T, list[i])
        each[i] = best_worth(B, &T, n - 1 if drawn else n)
        if B.stopped:
            return best if drawn else 0
        if drawn:
            best += each[i]
            B.known += B.unit[n - 1]
        elif i == 0 or each[i] > best:
            best = each[i]
    B.known = B.unit[n]
    return best


cdef void begin_best(Best* B, const Rules* K, const Table* S, Watch* watch, Map* maps) noexcept nogil:
    cdef int n, cards = popcount(ALL_CARDS & ~S.out)
    cdef int rest = max(0, cards - DRAWN_PLAINLY)
    if K.reading[E_CRISIS_GONE] == CRISIS_GONE_AGAIN:
        rest = 0
    B.walk.rules = K
    B.walk.watch = watch
    B.walk.deck = ALL_CARDS & ~S.out
    B.maps = maps
    B.used = 0
    memset(B.slot, 0, sizeof(B.slot))
    B.known = 0
    B.stopped = 0
    for n in range(25):
        B.unit[n] = 0
        if rest <= n <= cards:
            B.unit[n] = wide_falling(n, n - rest)
