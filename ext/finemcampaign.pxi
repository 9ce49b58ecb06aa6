# The phase of the campaign: three cards, the decline, the crisis, the event, the dice and their limit.

cdef inline void go_to(Table* S, int step) noexcept nogil:
    S.step = step


cdef void begin_role(const Rules* K, Table* S) noexcept nogil:
    """The phase of the role: the deck is whole again, so nothing of the turn is kept. The end of the turn may win [E-WIN]."""
    if wins_after(K, S):
        S.end = WON
    S.out = 0
    S.left = 0
    S.held = 0
    memset(S.hand, 0, sizeof(S.hand))
    S.shield = 0
    S.marks = 0
    go_to(S, S_APPOINT if S.role == EMPEROR and not K.reading[E_EMPEROR_WHEN] else S_ROLE)


cdef inline int cards_of_invasion(const Rules* K, int decline) noexcept nogil:
    return 2 + min(2, (decline - 1) // K.card_decline)


cdef void begin_invasion(const Rules* K, Table* S) noexcept nogil:
    S.held = 0
    memset(S.hand, 0, sizeof(S.hand))
    S.left = cards_of_invasion(K, S.decline)
    go_to(S, S_INVADE)


cdef inline int suits_of_hand(const Rules* K, const Table* S) noexcept nogil:
    """How many suits three cards have; 0 for less than two of a suit and less than three suits [E-GONE-SUITS]."""
    cdef int i, tribe, seen = 0, twice = 0, counted = 0
    for i in range(S.held):
        tribe = suit_of(S.hand[i])
        if K.reading[E_GONE_SUITS] and is_away(S, tribe):
            continue
        counted += 1
        twice |= seen & 1 << tribe
        seen |= 1 << tribe
    if counted < HAND:
        return 2 if twice else 0
    return popcount(seen)


cdef int ways_of_decline(const Rules* K, const Table* S, int* ways) noexcept nogil:
    """How far these cards move the decline [E-THREE]: one way, or two of which the player chooses; their number."""
    cdef int suits = suits_of_hand(K, S)
    cdef int missing = 3 - S.decline % 3
    cdef int most = K.last_decline - S.decline           # behind the last place there is none
    ways[0] = 0
    if suits == 2:
        ways[0] = 1
    elif suits == 1:
        ways[0] = 2
        if K.reading[E_THREE] == THREE_CRISIS:
            ways[0] = max(2, missing)
        elif K.reading[E_THREE] == THREE_STOP:
            ways[0] = min(2, missing)
        elif K.reading[E_THREE] == THREE_NEED:
            ways[0] = missing
        elif K.reading[E_THREE] == THREE_EITHER:
            ways[0] = min(most, min(2, missing))
            ways[1] = min(most, max(2, missing))
            return 2 if ways[0] < ways[1] else 1
    return 1


cdef bint move_decline(const Rules* K, Table* S, int by) noexcept nogil:
    """Moves the decline; whether a crisis is due [E-CRISIS]. At its last place the game is lost."""
    cdef int before = S.decline
    if before + by >= K.last_decline:
        S.end = LOST_DECLINE
        return False
    S.decline = before + by
    if K.reading[E_CRISIS]:
        return by and S.decline % 3 == 0
    return before // 3 < S.decline // 3


cdef bint crisis_is_due(const Rules* K, const Table* S) noexcept nogil:
    """Whether these cards, which have moved the decline where it stands, have brought a crisis [E-ORDER crisis-last].

    On a multiple of three each move does. Behind it stands only who went two places from one before it.
    """
    cdef int suits = suits_of_hand(K, S)
    if suits != 1 and suits != 2:
        return False
    if S.decline % 3 == 0:
        return True
    if suits == 2 or S.decline % 3 != 1 or K.reading[E_CRISIS]:
        return False
    return K.reading[E_THREE] in (THREE_CRISIS, THREE_TWO, THREE_EITHER)


cdef void dice_rise_singly(const Rules* K, Table* S, int first, int over) noexcept nogil:
    """The points of the cards from a place of the hand on, until one of them is above the limit [E-LIMIT].

    `over`: tribes whose further points are lost, a bit each [E-OVER].
    """
    cdef int tribe, i, before
    for i in range(first, S.held):
        tribe = suit_of(S.hand[i])
        if over >> tribe & 1:
            continue
        before = S.dice[tribe]
        raise_die(K, S, tribe, 1)
        if S.end:
            return
        if S.dice[tribe] < before and K.reading[E_OVER]:
            over |= 1 << tribe
        if points_above(K, S):
            S.left = S.held - 1 - i
            return


cdef void dice_rise(const Rules* K, Table* S) noexcept nogil:
    cdef int tribe, i, points
    if K.reading[E_LIMIT]:
        dice_rise_singly(K, S, 0, 0)
        return
    for tribe in range(TRIBES):
        points = 0
        for i in range(S.held):
            points += suit_of(S.hand[i]) == tribe
        raise_die(K, S, tribe, points)
        if S.end:
            return


# -- the order that the player chooses [E-LIMIT-ORDER] -------------------------------------------------------------------

cdef void sort_hand(Table* S) noexcept nogil:
    cdef int i, j
    for i in range(1, S.held):
        for j in range(i, 0, -1):
            if S.hand[j] < S.hand[j - 1]:
                S.hand[j], S.hand[j - 1] = S.hand[j - 1], S.hand[j]


cdef void lay_hand(Table* S, int suits) noexcept nogil:
    """Brings the cards into an order of their suits, two bits each; those of one suit stay in the order of their regions."""
    cdef int i, j, card
    sort_hand(S)
    for i in range(S.held):
        j = i
        while suit_of(S.hand[j]) != suits >> 2 * i & 3:
            j += 1
        card = S.hand[j]
        while j > i:
            S.hand[j] = S.hand[j - 1]
            j -= 1
        S.hand[i] = card


cdef void dice_rise_in_order(const Rules* K, Table* S, int suits) noexcept nogil:
    """The points of the cards in an order of their suits; they lie in it as long as points are to be taken off."""
    lay_hand(S, suits)
    dice_rise_singly(K, S, 0, 0)
    if S.end:
        return
    if points_above(K, S):
        go_to(S, S_DISCARD)
    else:
        sort_hand(S)


cdef inline bint are_alike(const Table* S, const Table* T) noexcept nogil:
    """Whether two games go on alike: of those that are over only the end counts."""
    return S.end == T.end and (S.end or memcmp(S, T, sizeof(Table)) == 0)


cdef int list_orders(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    """The orders of suits that lead to different states; of those that lead to the same the first."""
    cdef Table[6] after                  # ORDERS
    cdef int i, j, first, second, third, suits, n = 0
    for i in range(ORDERS):
        first = i // 2
        second = i % 2 if first > i % 2 else i % 2 + 1   # of the other two the lower one or the higher one
        third = 3 - first - second
        suits = suit_of(S.hand[first]) | suit_of(S.hand[second]) << 2 | suit_of(S.hand[third]) << 4
        after[n] = S[0]
        dice_rise_in_order(K, &after[n], suits)
        j = 0
        while not are_alike(&after[j], &after[n]):       # itself at the latest
            j += 1
        if j == n:
            list[n] = option_of(O_CHOOSE, AN_ORDER | suits)
            n += 1
    return n


cdef inline bint orders_differ(const Rules* K, const Table* S) noexcept nogil:
    cdef uint16_t[6] list
    return K.reading[E_LIMIT_ORDER] == LIMIT_ORDER_CHOSEN and K.reading[E_LIMIT] and list_orders(K, S, list) > 1


cdef int list_choices(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    """The ways of the decline from the shorter one on, or the orders in which the cards can count."""
    cdef int[2] ways
    if ways_of_decline(K, S, ways) == 2:
        list[0] = option_of(O_CHOOSE, ways[0])
        list[1] = option_of(O_CHOOSE, ways[1])
        return 2
    return list_orders(K, S, list) if orders_differ(K, S) else 0


cdef void choose_way(const Rules* K, Table* S, int details) noexcept nogil:
    """After the player's choice."""
    if details & AN_ORDER:
        dice_rise_in_order(K, S, details & 0x3F)
        if not S.end and S.step != S_DISCARD:
            go_on(K, S, P_DICE)
    elif move_decline(K, S, details) and K.reading[E_ORDER] != ORDER_CRISIS_LAST:
        go_to(S, S_CRISIS)
    elif not S.end:
        go_on(K, S, P_DECLINE)


cdef void go_on(const Rules* K, Table* S, int done) noexcept nogil:
    """Carries out the parts of the campaign after the part `done` (-1: from the beginning) until a card or a decision comes."""
    cdef int i = 0
    cdef int[2] ways
    cdef bint waits = K.reading[E_ORDER] == ORDER_CRISIS_LAST
    cdef bint due = False                # only where the crisis comes after the dice, which may take suits away [E-GONE-SUITS]
    if done >= 0:
        while K.parts[i] != done:
            i += 1
        i += 1
        due = waits and crisis_is_due(K, S)
    while i < PARTS:
        if K.parts[i] == P_DECLINE:
            if ways_of_decline(K, S, ways) == 2:
                go_to(S, S_CHOOSE)
                return
            due = move_decline(K, S, ways[0])
            if due and not waits:
                go_to(S, S_CRISIS)
                return
        elif K.parts[i] == P_CRISIS:
            if due and waits:
                go_to(S, S_CRISIS)
                return
        elif K.parts[i] == P_EVENT:
            if suits_of_hand(K, S) == HAND and not K.reading[E_EVENT]:
                go_to(S, S_EVENT)
                return
        elif K.parts[i] == P_DICE:
            if orders_differ(K, S):
                go_to(S, S_CHOOSE)
                return
            dice_rise(K, S)
            if not S.end and points_above(K, S):
                go_to(S, S_DISCARD)
                return
        if S.end:
            return
        i += 1
    end_phase(K, S)
    if S.end:
        return
    if S.marks & QUIET:
        begin_role(K, S)
    else:
        begin_invasion(K, S)


cdef void hand_is_full(const Rules* K, Table* S) noexcept nogil:
    """After the third card of a campaign [E-TRIBUNE]."""
    if S.role == TRIBUNE and K.reading[E_TRIBUNE] != TRIBUNE_INVASION and not S.marks & EXCHANGED:
        go_to(S, S_EXCHANGE)
    else:
        go_on(K, S, -1)


cdef inline void insert_card(const Rules* K, Table* S, int card) noexcept nogil:
    """Adds a card to the hand of a campaign, which is kept sorted, or as it was drawn [E-LIMIT-ORDER]."""
    cdef int i = S.held
    while i > 0 and S.hand[i - 1] > card and K.reading[E_LIMIT_ORDER] != LIMIT_ORDER_DRAWN:
        S.hand[i] = S.hand[i - 1]
        i -= 1
    S.hand[i] = card
    S.held += 1


cdef void campaign_card(const Rules* K, Table* S, int card) noexcept nogil:
    """A card of the campaign is drawn; beside three it is the one that the Tribune sees first [E-EXCHANGE]."""
    if S.held >= HAND:
        S.card = card + 1
        go_to(S, S_EXCHANGE)
        return
    insert_card(K, S, card)
    if S.held >= HAND:
        hand_is_full(K, S)


cdef void put_away(Table* S, int card) noexcept nogil:
    """Takes a card out of the hand, in which it is."""
    cdef int i = 0
    while S.hand[i] != card:
        i += 1
    S.held -= 1
    while i < S.held:
        S.hand[i] = S.hand[i + 1]
        i += 1
    S.hand[S.held] = 0


cdef inline uint32_t blank_cards(const Rules* K, const Table* S) noexcept nogil:
    """Cards of eradicated tribes, if a crisis draws another card for one of them [E-CRISIS-GONE]."""
    cdef uint32_t blank = 0
    cdef int tribe
    if K.reading[E_CRISIS_GONE] == CRISIS_GONE_AGAIN:
        for tribe in range(TRIBES):
            if is_away(S, tribe):
                blank |= <uint32_t> 0x3F << RANKS * tribe
    return blank


cdef void crisis_card(const Rules* K, Table* S, int card) noexcept nogil:
    cdef int tribe = suit_of(card)
    cdef int before = cubes_at(S, tribe, card)
    if is_away(S, tribe):
        if K.reading[E_CRISIS_GONE] == CRISIS_GONE_AGAIN and popcount(ALL_CARDS & ~S.out) > SPARED_CARDS:
            return                       # another one is drawn in its place
        if K.reading[E_CRISIS_GONE] == CRISIS_GONE_RETURN:
            S.dice[tribe] = 1
    note_invaded(K, S, card, before < FULL)
    if not is_away(S, tribe):
        if K.reading[E_FILL] and on_map(S, tribe) + FULL > RESERVE:
            lose(S, LOST_RESERVE + tribe, card)
        elif before < FULL:
            add_cubes(S, tribe, card, FULL - before, card)
        if before and not S.end:
            break_out(K, S, tribe, card, card)
            if K.reading[E_FILL] == FILL_HELD and not S.end and on_map(S, tribe) + before > RESERVE:
                lose(S, LOST_RESERVE + tribe, card)      # what did not fit was not there when the outbreak spread
    if not S.end:
        go_on(K, S, P_CRISIS)


cdef inline bint may_name(const Rules* K, const Table* S, int tribe) noexcept nogil:
    """Whether event S can name the die of a tribe: not one that is put away, perhaps none that cannot rise [E-RAISE-STUCK]."""
    cdef Table tried
    if is_away(S, tribe):
        return False
    if not K.reading[E_RAISE_STUCK]:
        return True
    if S.dice[tribe] >= DIE_TOP or is_settled(K, S, tribe):
        return False
    if K.reading[E_LIMIT] != LIMIT_LOST:
        return True
    tried = S[0]
    tried.dice[tribe] += 1
    return not points_above(K, &tried)


cdef bint may_name_some(const Rules* K, const Table* S) noexcept nogil:
    cdef int tribe
    for tribe in range(TRIBES):
        if may_name(K, S, tribe):
            return True
    return False


cdef void event_card(const Rules* K, Table* S, int card) noexcept nogil:
    cdef int rank = rank_of(card)
    if rank == EV_TRAVEL:
        go_to(S, S_TRAVEL)
    elif rank == EV_PROTECT:
        go_to(S, S_PROTECT)
    elif rank == EV_WAR:
        go_to(S, S_WAR)
    elif rank == EV_RESIST and (S.cubes[0] | S.cubes[1] | S.cubes[2] | S.cubes[3]):
        go_to(S, S_RESIST)
    elif rank == EV_RAISE and may_name_some(K, S):
        go_to(S, S_RAISE)
    else:
        if rank == EV_QUIET:
            S.marks |= QUIET
        go_on(K, S, P_EVENT)


cdef void war_card(const Rules* K, Table* S, int card) noexcept nogil:
    """Civil war [E-CIVIL, E-WAR, E-WAR-ORDER, E-WAR-LAST]."""
    cdef int tribe, region, end = RUNNING
    cdef int reading = K.reading[E_WAR_LAST]
    cdef bint card_is_put = cubes_at(S, suit_of(card), card) < FULL
    cdef int gone = 0                    # eradicated tribes, a bit each
    for tribe in range(TRIBES):
        region = tribe * RANKS + rank_of(card)
        gone |= is_away(S, tribe) << tribe
        if is_away(S, tribe) and K.reading[E_CIVIL] == CIVIL_RETURN:
            S.dice[tribe] = 1
        if reading and reading != WAR_LAST_CARD_ONLY and not (reading == WAR_LAST_CARD and region == card):
            note_invaded(K, S, region, cubes_at(S, tribe, region) < FULL)
        if is_away(S, tribe):
            continue
        if cubes_at(S, tribe, region) < FULL:
            add_cubes(S, tribe, region, 1, card)
        elif not K.reading[E_WAR]:
            break_out(K, S, tribe, region, card)
        if S.end:
            if not K.reading[E_WAR_ORDER]:
                return
            end = end if end else S.end
            S.end = RUNNING
    if end:                              # all four regions come first, then outbreaks lose before the reserve
        lose(S, LOST_OUTBREAKS if S.outbreaks >= LAST_OUTBREAK else end, card)
        return
    if reading == WAR_LAST_CARD or reading == WAR_LAST_CARD_ONLY:
        note_invaded(K, S, card, card_is_put)
    for tribe in range(TRIBES):
        if gone >> tribe & 1 and K.reading[E_CIVIL] == CIVIL_DIE:
            S.dice[tribe] = 1            # it got no cube, so its region was not invaded
    go_on(K, S, P_EVENT)
