# A turn exactly, for a stated policy: the tree from the campaign to the end of the invasion.
#
# The cards of a turn are drawn without putting back, so every order of them is equally likely, and draws can be grouped:
#
# - A campaign asks for the suits of its cards only. They are drawn unseen: a *way* knows how many there are of each suit, and is
#   weighed by the hands that fit, given the cards that came later.
# - The cards of an invasion are taken as a set. All orders of a set lead to the same cubes, but for tribes with an outbreak or with
#   their last cube in it: only the orders of these tribes' cards are played.
# - What the invasion of one map leads to is tallied once, by the suits of its cards (a *root*), and weighed by all ways there.
# - Where a crisis draws another card for one of an eradicated tribe [E-CRISIS-GONE], such cards are *blank*: they change nothing in
#   the crisis or after it. Only the card that is carried out is followed. How many blanks came before it is summed over in the
#   weight of what follows, which depends on how many blanks the invasion has. Up to 18 cards are drawn there, so weights are wide.
#
# `walk_plainly` is the same tree card by card: slow, and good to compare with.

cdef enum:
    DRAWN = 9                 # most cards that a turn draws by its policies: campaign 3, event 2, invasion 4
    DRAWN_PLAINLY = 11        # with a card that is replaced, and one exchanged
    BY_LIVE_CARD = 1          # a crisis that a card of a tribe on the map has ended
    BY_FEW_CARDS = 2          # or a blank one, since the deck has as many cards left as an invasion can need
    VECTORS = 35              # ways to be four cards of four suits
    MOST_ROOTS = 256          # kept at a time: 8 MB


cdef struct Figures:
    # What is known of a turn, in units of which the whole has `unit`
    Wide unit
    Wide known
    Wide[8] ends
    Wide[4] outbreaks     # where the game goes on, as all that follows but `by_card`
    Wide[13] decline
    Wide[28] dice         # 7 * tribe + die
    Wide[52] cubes        # 13 * tribe + cubes on the map
    Wide[4] pacified
    Wide[24] region       # sums of cubes
    Wide[24] by_card      # the game is lost by this card


cdef struct Tally:
    # What the invasions by cards of given suits lead to: numbers of sequences of cards
    uint64_t calm             # all cubes are put; counted elsewhere only in the end
    uint64_t on
    uint64_t[8] ends
    uint64_t[4] outbreaks
    uint64_t[52] cubes
    uint64_t[24] region
    uint64_t[24] by_card


cdef struct Root:
    # An invasion about to begin: a map, the cards that can come, and how many do
    uint64_t[4] cubes
    uint32_t deck
    uint8_t outbreaks
    uint8_t away              # eradicated tribes
    uint8_t spared            # the protected region + 1, where chains spare it [E-PROTECT]
    uint8_t left
    uint8_t wins              # who comes through the invasion wins [E-WIN]
    uint8_t vectors
    Wide[35] weight           # of all ways that lead here, by the suits of the invasion's cards
    Tally[35] tally


cdef struct Way:
    # What is known of the cards that have been drawn
    uint32_t gone             # seen, or lifted
    uint32_t held             # seen to be among those drawn unseen
    uint8_t[4] unseen         # cards of the campaign drawn unseen, by suit
    uint8_t[4] of_held        # how many of them are known
    uint8_t draws
    uint8_t lifted            # the protected card is in the deck: as good as put away
    uint8_t crisis            # how it was ended where cards are drawn again: 0 if no such crisis came
    uint8_t there             # cards in the deck when it began
    uint8_t blanks            # of these
    uint32_t blank            # the cards of tribes that were eradicated by then


cdef struct Walk:
    const Rules* rules
    int policy
    uint32_t deck             # at the beginning
    int cards                 # in it
    int drawn                 # draws that the unit counts
    Watch* watch
    Figures* figures
    Root* roots
    int used                  # roots
    uint8_t[625] vector       # the number of a vector of suits, see `packed_suits`


cdef inline uint64_t falling(int n, int k) noexcept nogil:
    """n (n - 1) ... with k factors."""
    cdef uint64_t product = 1
    while k > 0:
        product *= n
        n -= 1
        k -= 1
    return product


cdef inline Wide wide_falling(int n, int k) noexcept nogil:
    """As `falling`, up to 24 factorial."""
    cdef Wide product = 1
    while k > 0:
        product *= n
        n -= 1
        k -= 1
    return product


cdef inline uint64_t choose(int n, int k) noexcept nogil:
    """Small binomials; 0 outside of the triangle. At most three are chosen here."""
    if k < 0 or n < k:
        return 0
    if k == 0:
        return 1
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    return n * (n - 1) * (n - 2) // 6


cdef inline int packed_suits(int o, int c, int e, int b) noexcept nogil:
    return o + 5 * (c + 5 * (e + 5 * b))


cdef inline uint32_t suit_cards(int tribe) noexcept nogil:
    return <uint32_t> 0x3F << RANKS * tribe


# -- figures -------------------------------------------------------------------------------------------------------------

cdef void figure_end(Figures* F, const Table* S, Wide weight) noexcept nogil:
    F.known += weight
    F.ends[S.end] += weight
    if S.by:
        F.by_card[S.by - 1] += weight


cdef void figure_tribes(Figures* F, const Table* S, Wide weight) noexcept nogil:
    """What an invasion does not change."""
    cdef int tribe
    F.decline[S.decline] += weight
    for tribe in range(TRIBES):
        F.dice[7 * tribe + S.dice[tribe]] += weight
        if S.pacified >> tribe & 1:
            F.pacified[tribe] += weight


cdef void figure_table(Figures* F, const Table* S, Wide weight) noexcept nogil:
    """A state at the end of the turn."""
    cdef int tribe, region
    F.known += weight
    F.outbreaks[S.outbreaks] += weight
    figure_tribes(F, S, weight)
    for tribe in range(TRIBES):
        F.cubes[13 * tribe + on_map(S, tribe)] += weight
        for region in range(REGIONS):
            F.region[region] += weight * cubes_at(S, tribe, region)


# -- card by card --------------------------------------------------------------------------------------------------------

cdef int walk_plainly(Walk* W, const Table* S, Wide weight) noexcept nogil:
    """Follows all cards that can come; 1 after a stop. At most some 24 levels of cards and as many decisions deep."""
    cdef Table T
    cdef uint32_t deck
    if spend(W.watch, 1):
        return 1
    if S.end:
        figure_end(W.figures, S, weight)
        return 0
    if S.step == S_ROLE or S.step == S_APPOINT:
        figure_table(W.figures, S, weight)
        return 0
    if not is_chance(S.step):
        T = S[0]
        apply(W.rules, &T, chosen(W.rules, S, W.policy))
        return walk_plainly(W, &T, weight)
    deck = ALL_CARDS & ~S.out
    weight //= popcount(deck)
    while deck:
        T = S[0]
        apply(W.rules, &T, option_of(O_CARD, lowest(deck)))
        deck &= deck - 1
        if walk_plainly(W, &T, weight):
            return 1
    return 0


# -- the invasions of a root ---------------------------------------------------------------------------------------------

cdef struct Filling:
    # The sets of cards of an invasion, one after the other
    Walk* walk
    Root* root
    Table table
    uint32_t hot              # cards whose region has three cubes of its suit
    uint64_t orders           # of a set
    uint8_t[4] on_map
    uint8_t[4] of_suit        # cards of the set, by suit
    uint8_t[4] set            # its cards
    uint8_t[4] rough          # those whose order may matter


cdef void tally_table(Filling* X, Tally* tally, const Table* S, uint64_t orders) noexcept nogil:
    cdef uint64_t changed
    cdef int tribe, region
    tally.on += orders
    tally.outbreaks[S.outbreaks] += orders
    for tribe in range(TRIBES):
        tally.cubes[13 * tribe + on_map(S, tribe)] += orders
        changed = S.cubes[tribe] ^ X.table.cubes[tribe]
        while changed:
            region = lowest(changed) >> 1
            changed &= ~(<uint64_t> 3 << 2 * region)
            tally.region[region] += orders * (cubes_at(S, tribe, region) - cubes_at(&X.table, tribe, region))


cdef void play_orders(Filling* X, Tally* tally, const Table* S, int rest, uint64_t orders) noexcept nogil:
    """Plays the first `rest` cards of X.rough in each order; `orders`: how many orders of the whole set each stands for."""
    cdef Table T
    cdef int i, card
    if rest == 0:
        tally_table(X, tally, S, orders)
        return
    for i in range(rest):
        card = X.rough[i]
        T = S[0]
        invade(X.walk.rules, &T, card)
        if T.end:
            tally.ends[T.end] += orders * falling(rest - 1, rest - 1)
            tally.by_card[card] += orders * falling(rest - 1, rest - 1)
            continue
        X.rough[i] = X.rough[rest - 1]
        X.rough[rest - 1] = card
        play_orders(X, tally, &T, rest - 1, orders)
        X.rough[rest - 1] = X.rough[i]
        X.rough[i] = card


cdef void tally_set(Filling* X, Tally* tally, uint32_t set) noexcept nogil:
    """Adds what all orders of a set of cards lead to."""
    cdef Root* root = X.root
    cdef Table T
    cdef int i, tribe, rough = 0, number = 0
    cdef uint32_t hot = set & X.hot
    for tribe in range(TRIBES):
        if hot & suit_cards(tribe) or (X.on_map[tribe] + X.of_suit[tribe] > RESERVE and not root.away >> tribe & 1):
            rough |= 1 << tribe
    if not rough:
        tally.calm += X.orders
        for i in range(root.left):
            if not root.away >> suit_of(X.set[i]) & 1:
                tally.region[X.set[i]] += X.orders
        return
    T = X.table
    for i in range(root.left):
        tribe = suit_of(X.set[i])
        if rough >> tribe & 1:
            X.rough[number] = X.set[i]
            number += 1
        elif not root.away >> tribe & 1:
            T.cubes[tribe] += <uint64_t> 1 << 2 * X.set[i]
    play_orders(X, tally, &T, number, X.orders // falling(number, number))


cdef int tally_sets(Filling* X, uint32_t deck, int chosen_cards, uint32_t set) noexcept nogil:
    """Adds cards of `deck`, in their order, to the set until it is complete; 1 after a stop."""
    cdef int card, vector
    if chosen_cards == X.root.left:
        vector = X.walk.vector[packed_suits(X.of_suit[0], X.of_suit[1], X.of_suit[2], X.of_suit[3])]
        tally_set(X, &X.root.tally[vector], set)
        return spend(X.walk.watch, 1)
    while deck:
        card = lowest(deck)
        deck &= deck - 1
        X.set[chosen_cards] = card
        X.of_suit[suit_of(card)] += 1
        if tally_sets(X, deck, chosen_cards + 1, set | <uint32_t> 1 << card):
            return 1
        X.of_suit[suit_of(card)] -= 1
    return 0


cdef void finish_tally(Filling* X, Tally* tally, const uint8_t* of_suit) noexcept nogil:
    """Counts calm sets in all figures, and adds the cubes that lay there before."""
    cdef int tribe, region, more
    tally.on += tally.calm
    tally.outbreaks[X.root.outbreaks] += tally.calm
    for tribe in range(TRIBES):
        more = 0 if X.root.away >> tribe & 1 else of_suit[tribe]
        if tally.calm:                   # else there may be more cubes than there are
            tally.cubes[13 * tribe + X.on_map[tribe] + more] += tally.calm
        for region in range(REGIONS):
            tally.region[region] += tally.on * cubes_at(&X.table, tribe, region)


cdef void begin_filling(Filling* X, Walk* W, Root* root, const Table* S) noexcept nogil:
    """Makes ready to tally the invasions of a state."""
    cdef int region, tribe
    X.walk = W
    X.root = root
    X.table = S[0]
    X.hot = 0
    X.orders = falling(root.left, root.left)
    for tribe in range(TRIBES):
        X.of_suit[tribe] = 0
        X.on_map[tribe] = on_map(S, tribe)
    for region in range(REGIONS):
        if cubes_at(S, suit_of(region), region) == FULL and not is_away(S, suit_of(region)):
            X.hot |= <uint32_t> 1 << region


cdef int fill_root(Walk* W, Root* root, const Table* S) noexcept nogil:
    """Tallies all invasions of a root; 1 after a stop."""
    cdef Filling X
    cdef uint8_t[4] of_suit
    cdef int o, c, e, b
    begin_filling(&X, W, root, S)
    if tally_sets(&X, root.deck, 0, 0):
        return 1
    for b in range(root.left + 1):
        for e in range(root.left + 1 - b):
            for c in range(root.left + 1 - b - e):
                o = root.left - b - e - c
                of_suit[0], of_suit[1], of_suit[2], of_suit[3] = o, c, e, b
                finish_tally(&X, &root.tally[W.vector[packed_suits(o, c, e, b)]], of_suit)
    return 0


cdef void settle_roots(Walk* W) noexcept nogil:
    """Adds what all ways to all roots came to to the figures, and forgets the roots."""
    cdef Figures* F = W.figures
    cdef Tally* tally
    cdef Wide weight
    cdef int r, v, i
    for r in range(W.used):
        for v in range(W.roots[r].vectors):
            weight = W.roots[r].weight[v]
            if not weight:
                continue
            tally = &W.roots[r].tally[v]
            for i in range(ENDS):
                F.ends[i] += weight * <Wide> tally.ends[i]
            for i in range(REGIONS):
                F.by_card[i] += weight * <Wide> tally.by_card[i]
            if W.roots[r].wins:
                F.ends[WON] += weight * <Wide> tally.on
                continue
            for i in range(4):
                F.outbreaks[i] += weight * <Wide> tally.outbreaks[i]
            for i in range(52):
                F.cubes[i] += weight * <Wide> tally.cubes[i]
            for i in range(REGIONS):
                F.region[i] += weight * <Wide> tally.region[i]
    W.used = 0


cdef Root* root_of(Walk* W, const Table* S, uint32_t deck, int left) noexcept nogil:
    """The root of a state and its cards, filled; NULL after a stop."""
    cdef Root* root
    cdef int i, tribe, away = 0
    cdef bint wins = wins_after(W.rules, S)
    cdef int spared = S.shield if W.rules.reading[E_PROTECT] else 0
    for tribe in range(TRIBES):
        away |= is_away(S, tribe) << tribe
    for i in range(W.used - 1, -1, -1):
        root = &W.roots[i]
        if (root.deck == deck and root.left == left and root.away == away and root.outbreaks == S.outbreaks
                and root.spared == spared and root.wins == wins and memcmp(root.cubes, S.cubes, sizeof(root.cubes)) == 0):
            return root
    if W.used == MOST_ROOTS:
        settle_roots(W)
    root = &W.roots[W.used]
    memset(root, 0, sizeof(Root))
    memcpy(root.cubes, S.cubes, sizeof(root.cubes))
    root.deck = deck
    root.outbreaks = S.outbreaks
    root.away = away
    root.spared = spared
    root.wins = wins
    root.left = left
    root.vectors = (left + 1) * (left + 2) * (left + 3) // 6
    if fill_root(W, root, S):
        return NULL
    W.used += 1
    return root


# -- the ways to them ----------------------------------------------------------------------------------------------------

cdef uint64_t hands_of(const Walk* W, const Way* way, const uint8_t* of_suit) noexcept nogil:
    """The sequences of unseen cards that fit what is known, without so many cards of each suit that come later.

    Where their order counts [E-LIMIT-ORDER] a way has one order of suits, in which the cards of each suit come in any order.
    """
    cdef uint64_t hands = 1
    cdef int tribe, cards, unseen = 0
    for tribe in range(TRIBES):
        cards = popcount(W.deck & ~way.gone & ~way.held & suit_cards(tribe)) - of_suit[tribe]
        hands *= choose(cards, way.unseen[tribe] - way.of_held[tribe])
        if W.rules.reading[E_LIMIT_ORDER] == LIMIT_ORDER_DRAWN:
            hands *= falling(way.unseen[tribe], way.unseen[tribe])
        else:
            unseen += way.unseen[tribe]
    return hands * falling(unseen, unseen)


cdef Wide draws_after(const Walk* W, const Way* way, int left, int blanks) noexcept nogil:
    """The orders of the cards that come after those of the way, the `left` of an invasion apart, `blanks` of which are blank."""
    cdef Wide orders = 0
    cdef int m, n = W.cards - way.draws
    cdef int most = max(1, way.there - SPARED_CARDS)
    if way.crisis == BY_FEW_CARDS:
        return wide_falling(way.blanks - blanks, most) * wide_falling(n - most - left, n - most - left)
    if way.crisis:
        for m in range(most):            # so many blank cards, then the one that is carried out
            orders += wide_falling(way.blanks - blanks, m) * wide_falling(n - m - 1 - left, n - m - 1 - left)
        return orders
    if way.lifted:
        return <Wide> n * wide_falling(n - 1 - left, W.drawn - 1 - way.draws - left)
    return wide_falling(n - left, W.drawn - way.draws - left)


cdef void way_ends(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """The turn ends without an invasion."""
    cdef uint8_t[4] none
    cdef Wide weight
    memset(none, 0, sizeof(none))
    weight = <Wide> hands_of(W, way, none) * draws_after(W, way, 0, 0)
    if S.end:
        figure_end(W.figures, S, weight)
    else:
        figure_table(W.figures, S, weight)


cdef int way_invaded(Walk* W, Way way, const Table* S) noexcept nogil:
    """The ways on through an invasion; 1 after a stop."""
    cdef Table T = S[0]
    cdef Way other
    cdef Root* root
    cdef uint8_t[4] of_suit
    cdef Wide[5] tail
    cdef Wide weight, on = 0
    cdef uint64_t ended
    cdef int i, card, tribe, o, c, e, b, v, left, blanks
    if S.shield and (W.deck & ~way.gone & ~way.held) >> (S.shield - 1) & 1:
        card = S.shield - 1              # either drawn unseen, or in the deck and as good as put away
        if way.of_held[suit_of(card)] < way.unseen[suit_of(card)]:
            other = way
            other.held |= <uint32_t> 1 << card
            other.of_held[suit_of(card)] += 1
            if way_invaded(W, other, S):
                return 1
        way.gone |= <uint32_t> 1 << card
        way.lifted = 1
    for i in range(S.held):              # cards that a Tribune has collected
        invade(W.rules, &T, S.hand[i])
        if T.end:
            way_ends(W, &way, &T)
            return 0
    left = S.left
    root = root_of(W, &T, W.deck & ~way.gone & ~way.held, left)
    if root == NULL:
        return 1
    for i in range(left + 1 if way.crisis else 1):
        tail[i] = draws_after(W, &way, left, i)
    for b in range(left + 1):
        for e in range(left + 1 - b):
            for c in range(left + 1 - b - e):
                o = left - b - e - c
                of_suit[0], of_suit[1], of_suit[2], of_suit[3] = o, c, e, b
                blanks = 0
                for tribe in range(TRIBES):
                    if way.blank & suit_cards(tribe):
                        blanks += of_suit[tribe]
                weight = <Wide> hands_of(W, &way, of_suit) * tail[blanks]
                if not weight:
                    continue
                v = W.vector[packed_suits(o, c, e, b)]
                root.weight[v] += weight
                on += weight * <Wide> root.tally[v].on
                ended = 0
                for i in range(ENDS):
                    ended += root.tally[v].ends[i]
                W.figures.known += weight * <Wide> (root.tally[v].on + ended)
    if not root.wins:
        figure_tribes(W.figures, &T, on)
    return 0


cdef int walk_in_order(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """The suit of the next card of a campaign, where their order counts [E-LIMIT-ORDER]."""
    cdef Table T
    cdef Way other
    cdef int tribe
    for tribe in range(TRIBES):
        T = S[0]
        other = way[0]
        other.draws += 1
        other.unseen[tribe] += 1
        insert_card(W.rules, &T, tribe * RANKS)
        if T.held < HAND:
            if walk_in_order(W, &other, &T):
                return 1
            continue
        hand_is_full(W.rules, &T)
        if walk_on(W, &other, &T):
            return 1
    return 0


cdef int walk_campaign(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """All suits of the cards of a campaign that are not drawn yet."""
    cdef Table T
    cdef Way other
    cdef int missing = HAND - S.held
    cdef int o, c, e, b, tribe, i
    cdef uint8_t[4] of_suit
    for b in range(missing + 1):
        for e in range(missing + 1 - b):
            for c in range(missing + 1 - b - e):
                o = missing - b - e - c
                of_suit[0], of_suit[1], of_suit[2], of_suit[3] = o, c, e, b
                T = S[0]
                other = way[0]
                other.draws += missing
                for tribe in range(TRIBES):
                    other.unseen[tribe] = of_suit[tribe]
                    for i in range(of_suit[tribe]):
                        insert_card(W.rules, &T, tribe * RANKS)    # its suit counts, and that suits are in order [E-LIMIT]
                hand_is_full(W.rules, &T)
                if walk_on(W, &other, &T):
                    return 1
    return 0


cdef int walk_cards(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """Each card of an event, a civil war or a crisis."""
    cdef uint32_t deck = W.deck & ~way.gone & ~way.held
    cdef Table T
    cdef Way other
    cdef int card
    while deck:
        card = lowest(deck)
        deck &= deck - 1
        T = S[0]
        other = way[0]
        other.draws += 1
        other.gone |= <uint32_t> 1 << card
        draw_card(W.rules, &T, card)
        if walk_on(W, &other, &T):
            return 1
    return 0


cdef int walk_crisis(Walk* W, const Way* way, const Table* S, uint32_t blank) noexcept nogil:
    """Each card that a crisis carries out, where it draws another one for a blank card [E-CRISIS-GONE]."""
    cdef uint32_t deck = W.deck & ~way.gone & ~way.held
    cdef uint32_t own
    cdef Table T
    cdef Way other = way[0]
    cdef int tribe, card
    other.blank = blank
    other.there = W.cards - way.draws
    other.blanks = 0
    for tribe in range(TRIBES):
        own = suit_cards(tribe)
        if blank & own:
            other.blanks += popcount(deck & own) - (way.unseen[tribe] - way.of_held[tribe])
    other.crisis = BY_FEW_CARDS
    if other.blanks >= max(1, other.there - SPARED_CARDS):
        T = S[0]
        T.out = ALL_CARDS                # so that no other card is drawn
        draw_card(W.rules, &T, lowest(blank))
        if walk_on(W, &other, &T):
            return 1
    other.crisis = BY_LIVE_CARD
    deck &= ~blank
    while deck:
        card = lowest(deck)
        deck &= deck - 1
        T = S[0]
        other.gone = way.gone | <uint32_t> 1 << card
        draw_card(W.rules, &T, card)
        if walk_on(W, &other, &T):
            return 1
    return 0


cdef int walk_protecting(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """A player protects the region he prefers among those in the deck: he sees which cards were drawn.

    A careful one prefers the most cubes; the first in their order is the other's, where he must name one in the deck
    [E-PROTECT-OUT].
    """
    cdef Way known = way[0]
    cdef Way other
    cdef Table T
    cdef uint32_t asked
    cdef int i, region, best
    while True:
        asked = W.deck & ~known.gone & ~known.held
        best = -1
        for region in range(REGIONS):
            if asked >> region & 1 and (
                best < 0 or (W.policy == BY_CARE and cubes_at(S, suit_of(region), region) > cubes_at(S, suit_of(best), best))
            ):
                best = region
        CHECK(best >= 0)
        other = known
        other.gone |= <uint32_t> 1 << best
        other.lifted = 1
        T = S[0]
        decide(W.rules, &T, option_of(O_PROTECT, best))
        if walk_on(W, &other, &T):
            return 1
        i = suit_of(best)
        if known.of_held[i] == known.unseen[i]:
            return 0                     # it cannot have been drawn
        known.held |= <uint32_t> 1 << best
        known.of_held[i] += 1


cdef int walk_on(Walk* W, const Way* way, const Table* S) noexcept nogil:
    """Follows a way to the end of the turn; 1 after a stop."""
    cdef Table T = S[0]
    cdef bint in_order
    while True:
        if spend(W.watch, 1):
            return 1
        if T.end or T.step == S_ROLE or T.step == S_APPOINT:
            way_ends(W, way, &T)
            return 0
        if T.step == S_DRAW and T.held < HAND:
            in_order = W.rules.reading[E_LIMIT_ORDER] == LIMIT_ORDER_DRAWN
            return walk_in_order(W, way, &T) if in_order else walk_campaign(W, way, &T)
        if T.step == S_INVADE and not waits(W.rules, &T) and not T.card:
            return way_invaded(W, way[0], &T)
        if T.step == S_CRISIS and blank_cards(W.rules, &T):
            return walk_crisis(W, way, &T, blank_cards(W.rules, &T))
        if is_chance(T.step):
            return walk_cards(W, way, &T)
        if T.step == S_PROTECT and (W.policy == BY_CARE or W.rules.reading[E_PROTECT_OUT]):
            return walk_protecting(W, way, &T)
        decide(W.rules, &T, chosen(W.rules, &T, W.policy))


cdef void number_vectors(Walk* W) noexcept nogil:
    """Numbers the vectors of suits with one sum after the other from 0."""
    cdef int left, o, c, e, b, n
    for left in range(CARDS_KEPT + 1):
        n = 0
        for b in range(left + 1):
            for e in range(left + 1 - b):
                for c in range(left + 1 - b - e):
                    o = left - b - e - c
                    W.vector[packed_suits(o, c, e, b)] = n
                    n += 1


cdef int turn_figures(
    const Rules* K, const Table* S, int policy, bint plainly, Root* roots, Figures* F, Watch* watch
) noexcept nogil:
    """The figures of the turn from a state on, see `Figures`; 1 after a stop, with what was known by then."""
    cdef Walk W
    cdef Way way
    cdef Table T = S[0]
    cdef int stopped
    memset(F, 0, sizeof(Figures))
    memset(&way, 0, sizeof(Way))
    W.rules = K
    W.policy = policy
    W.deck = ALL_CARDS & ~S.out
    W.cards = popcount(W.deck)
    W.watch = watch
    W.figures = F
    W.roots = roots
    W.used = 0
    T.by = 0
    W.drawn = min(W.cards, DRAWN_PLAINLY if plainly else DRAWN)
    if K.reading[E_CRISIS_GONE] == CRISIS_GONE_AGAIN:
        W.drawn = W.cards
    F.unit = wide_falling(W.cards, W.drawn)
    if plainly:
        return walk_plainly(&W, &T, F.unit)
    number_vectors(&W)
    stopped = walk_on(&W, &way, &T)
    settle_roots(&W)
    return stopped
