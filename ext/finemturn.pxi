# The phases of actions, invasion and role; what can come at each step, and what follows.

cdef inline bint may_pacify(const Rules* K, const Table* S, int tribe) noexcept nogil:
    if is_away(S, tribe) or is_settled(K, S, tribe):
        return False
    if K.reading[E_PACIFY] == PACIFY_FREE:
        return True
    return S.dice[tribe] >= (DIE_PREFECT if S.role == PREFECT else DIE_TOP)


cdef inline bint collects(const Rules* K, const Table* S) noexcept nogil:
    """Whether all cards of the invasion are drawn before cubes are put: for the Tribune [E-TRIBUNE]."""
    if S.role != TRIBUNE or K.reading[E_TRIBUNE] == TRIBUNE_CAMPAIGN:
        return False
    # once a turn: an exchange before the first card of the invasion was one of the campaign
    return K.reading[E_TRIBUNE] == TRIBUNE_INVASION or not S.marks & EXCHANGED or S.held > 0


cdef void invade_by_hand(const Rules* K, Table* S) noexcept nogil:
    """The Tribune's cards in the order drawn, or in that which he chooses [E-INVASION-ORDER]."""
    cdef int i
    if K.reading[E_INVASION_ORDER] and S.held > 1:
        go_to(S, S_ORDER)
        return
    for i in range(S.held):
        invade(K, S, S.hand[i])
        if S.end:
            return
    begin_role(K, S)


cdef void carry_out(const Rules* K, Table* S, int card) noexcept nogil:
    """The card of the Tribune's invasion that he names; the last one follows by itself."""
    put_away(S, card)
    invade(K, S, card)
    if not S.end:
        invade_by_hand(K, S)


cdef inline bint waits(const Rules* K, const Table* S) noexcept nogil:
    """Whether the card comes that the Tribune sees before he exchanges one in the invasion [E-EXCHANGE]."""
    return S.step == S_INVADE and S.marks & EXCHANGED and K.reading[E_EXCHANGE] != EXCHANGE_BLIND and collects(K, S)


cdef void take_place(Table* S, int away, int card) noexcept nogil:
    """Puts a card in the place of another of the hand."""
    cdef int i = 0
    while i < S.held - 1 and S.hand[i] != away:
        i += 1
    S.hand[i] = card


cdef void invasion_card(const Rules* K, Table* S, int card) noexcept nogil:
    if S.shield == card + 1:
        return                           # another one is drawn in its place
    if waits(K, S):
        S.left = 0
        S.card = card + 1
        go_to(S, S_SWAP)
        return
    S.left -= 1
    if S.card:                           # it takes the place of the card that is put away [E-SWAP]
        take_place(S, S.card - 1, card)
        S.card = 0
        invade_by_hand(K, S)
        return
    if collects(K, S):
        S.hand[S.held] = card
        S.held += 1
        if not S.left:
            if S.marks & EXCHANGED:
                invade_by_hand(K, S)
            else:
                go_to(S, S_SWAP)
        return
    invade(K, S, card)
    if not S.end and not S.left:
        begin_role(K, S)


cdef void end_actions(const Rules* K, Table* S) noexcept nogil:
    end_phase(K, S)
    S.marks &= ~TRAVELS
    S.left = 0
    S.held = 0
    go_to(S, S_DRAW)


cdef inline void action_done(const Rules* K, Table* S) noexcept nogil:
    if S.end:
        return
    if S.left:
        go_to(S, S_ACT)
    else:
        end_actions(K, S)


cdef void act(const Rules* K, Table* S, int option) noexcept nogil:
    cdef int kind = option >> KIND
    cdef int tribe = option & 3
    if kind == O_PASS:
        end_actions(K, S)
        return
    S.left -= 1
    if kind == O_RIDE:
        go_to(S, S_DICTATOR)
        return
    if kind == O_CONFRONT:
        take_cubes(K, S, tribe, S.pawn, cubes_at(S, tribe, S.pawn) if option & 4 else 1)
    elif kind == O_MOVE:
        S.pawn = option & 31
    else:
        pacify(K, S, tribe)
    action_done(K, S)


cdef inline bint begins_turn(const Table* S) noexcept nogil:
    """Whether no action of a turn is taken yet, nor a card drawn by a Dictator who stays for nothing [E-DICTATOR-STAY]."""
    return S.step == S_ACT and S.left == EACH_ACTIONS and not S.out


cdef inline bint is_chance(int step) noexcept nogil:
    return step in (S_DICTATOR, S_DRAW, S_EVENT, S_WAR, S_CRISIS, S_INVADE, S_ROLE)


cdef bint has_raised(const Rules* K, const Table* S, int tribe) noexcept nogil:
    """Whether points may be taken off the die of a tribe: off any, or off those that have just risen [E-LIMIT-DICE]."""
    cdef int i
    if K.reading[E_LIMIT_DICE] != LIMIT_DICE_RAISED:
        return True
    if K.reading[E_LIMIT]:
        return S.held > S.left and suit_of(S.hand[S.held - 1 - S.left]) == tribe
    for i in range(S.held):
        if suit_of(S.hand[i]) == tribe:
            return True
    return False


cdef int list_discards(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    """All ways to take exactly the points above the limit off dice."""
    cdef int[4] spare
    cdef int tribe, o, c, e, b, n = 0
    cdef int above = points_above(K, S)
    cdef int open_spare = 0              # points of tribes not yet pacified
    for tribe in range(TRIBES):
        spare[tribe] = min(S.dice[tribe] - 1, above)
        if S.dice[tribe] == 0 or (K.reading[E_ELEVEN] and S.pacified >> tribe & 1) or not has_raised(K, S, tribe):
            spare[tribe] = 0
        if not S.pacified >> tribe & 1:
            open_spare += spare[tribe]
    if K.reading[E_LIMIT_DICE] == LIMIT_DICE_OPEN and open_spare >= above:
        for tribe in range(TRIBES):
            if S.pacified >> tribe & 1:
                spare[tribe] = 0
    for o in range(spare[0], -1, -1):
        for c in range(min(spare[1], above - o), -1, -1):
            for e in range(min(spare[2], above - o - c), -1, -1):
                b = above - o - c - e
                if b <= spare[3]:
                    list[n] = option_of(O_DISCARD, o | c << 3 | e << 6 | b << 9)
                    n += 1
    return n


cdef inline bint may_ride(const Rules* K, const Table* S) noexcept nogil:
    """Whether the Dictator may draw: where a stay uses no action, no more cards than there are actions [E-DICTATOR-STAY]."""
    return not K.reading[E_DICTATOR_STAY] or popcount(S.out) < EACH_ACTIONS


cdef inline bint can_travel(const Table* S) noexcept nogil:
    """Whether an action can take the pawn to the region of the start or to the one last invaded."""
    return S.role == CONSUL or S.role == EMPEROR or S.marks & TRAVELS


cdef int list_actions(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    cdef uint32_t targets = K.near[S.pawn]
    cdef int tribe, count, n = 0
    for tribe in range(TRIBES):
        count = cubes_at(S, tribe, S.pawn)
        if count:
            list[n] = option_of(O_CONFRONT, tribe)
            n += 1
        if count > 1 and S.role == MAGISTER:
            list[n] = option_of(O_CONFRONT, tribe | 4)
            n += 1
    if can_travel(S):
        targets |= <uint32_t> 1 << S.start | <uint32_t> 1 << S.last
    targets &= ~(<uint32_t> 1 << S.pawn)
    while targets:
        list[n] = option_of(O_MOVE, lowest(targets))
        n += 1
        targets &= targets - 1
    for tribe in range(TRIBES):
        if may_pacify(K, S, tribe):
            list[n] = option_of(O_PACIFY, tribe)
            n += 1
    if S.role == DICTATOR and may_ride(K, S):
        list[n] = option_of(O_RIDE, 0)
        n += 1
    list[n] = option_of(O_PASS, 0)
    return n + 1


cdef int list_removals(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    cdef int region, other, tribe, count, n = 0
    for region in range(REGIONS):
        for tribe in range(TRIBES):
            count = cubes_at(S, tribe, region)
            if count:
                list[n] = option_of(O_REMOVE, region | tribe << 5)
                n += 1
            if K.reading[E_RESIST_ALL]:
                for other in range(REGIONS if count and S.pacified >> tribe & 1 else 0):
                    if cubes_at(S, tribe, other):
                        list[n] = option_of(O_REMOVE_BESIDE, region | tribe << 5 | other << 7)
                        n += 1
            elif count > 1 and S.pacified >> tribe & 1:
                list[n] = option_of(O_REMOVE, region | tribe << 5 | 1 << 7)
                n += 1
    if K.reading[E_RESIST]:
        list[n] = option_of(O_KEEP, 0)
        n += 1
    return n


cdef int list_hand(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    """What the Tribune can do [E-EXCHANGE]; the fourth card of an invasion may have to stay [E-FOURTH]."""
    cdef int reading = K.reading[E_EXCHANGE]
    cdef int i, n = 0
    if reading == EXCHANGE_BY_PHASE:
        reading = EXCHANGE_BLIND if S.step == S_EXCHANGE else EXCHANGE_MUST
    if reading == EXCHANGE_BLIND or reading == EXCHANGE_MAY or not S.card:
        list[n] = option_of(O_KEEP, 0)
        n += 1
    if reading != EXCHANGE_BLIND and not S.card:
        list[n] = option_of(O_EXCHANGE, UNSEEN)
        return n + 1
    for i in range(min(S.held, HAND) if K.reading[E_FOURTH] else S.held):
        list[n] = option_of(O_EXCHANGE, S.hand[i])
        n += 1
    return n


cdef int list_options(const Rules* K, const Table* S, uint16_t* list) noexcept nogil:
    """What can come at a state whose game is not over; `list` has room for MOST_OPTIONS."""
    cdef uint32_t deck
    cdef int i, n = 0
    cdef int step = S.step
    if step == S_ACT:
        return list_actions(K, S, list)
    if step == S_EXCHANGE or step == S_SWAP:
        return list_hand(K, S, list)
    if step == S_ORDER:
        for i in range(S.held):
            list[i] = option_of(O_CARD, S.hand[i] | IN_HAND)
        return S.held
    if step == S_RESIST:
        return list_removals(K, S, list)
    if step == S_DISCARD or step == S_DISCARD_EVENT:
        return list_discards(K, S, list)
    if step == S_CHOOSE:
        return list_choices(K, S, list)
    if step == S_ROLE or step == S_APPOINT:
        for i in range(TRIBUNE, EMPEROR + 1):
            if not (step == S_APPOINT and i == EMPEROR and K.reading[E_EMPEROR]):
                list[n] = option_of(O_NAME, i)
                n += 1
        return n
    if step == S_RAISE:
        for i in range(TRIBES):
            if may_name(K, S, i):
                list[n] = option_of(O_RAISE, i)
                n += 1
        if K.reading[E_RAISE]:
            list[n] = option_of(O_KEEP, 0)
            n += 1
        return n
    if step == S_RIDE or step == S_TRAVEL or step == S_PROTECT:
        for i in range(REGIONS):
            if step == S_PROTECT:
                if K.reading[E_PROTECT_OUT] and S.out >> i & 1:
                    continue
                list[n] = option_of(O_PROTECT, i)
                n += 1
            elif step == S_RIDE and rank_of(i) != rank_of(S.card - 1):
                continue
            elif i != S.pawn or (step == S_RIDE and K.reading[E_DICTATOR] == DICTATOR_THERE):
                list[n] = option_of(O_MOVE, i)
                n += 1
        if (step == S_TRAVEL and not K.reading[E_TRAVEL]) or (step == S_RIDE and K.reading[E_DICTATOR] == DICTATOR_MAY):
            list[n] = option_of(O_STAY, 0)
            n += 1
        return n
    deck = ALL_CARDS & ~S.out
    while deck:
        list[n] = option_of(O_CARD, lowest(deck))
        n += 1
        deck &= deck - 1
    return n


cdef void draw_card(const Rules* K, Table* S, int card) noexcept nogil:
    cdef int step = S.step
    S.out |= <uint32_t> 1 << card
    if step == S_INVADE:
        invasion_card(K, S, card)
    elif step == S_DRAW:
        campaign_card(K, S, card)
    elif step == S_EVENT:
        event_card(K, S, card)
    elif step == S_WAR:
        war_card(K, S, card)
    elif step == S_CRISIS:
        crisis_card(K, S, card)
    else:
        S.card = card + 1
        go_to(S, S_RIDE)


cdef void decide(const Rules* K, Table* S, int option) noexcept nogil:
    """A decision inside the phases of campaign and invasion."""
    cdef int step = S.step
    cdef int kind = option >> KIND
    cdef int tribe, over = 0
    if step == S_ORDER:
        carry_out(K, S, option & 31)
    elif step == S_TRAVEL:
        if kind == O_MOVE:
            S.pawn = option & 31
        go_on(K, S, P_EVENT)
    elif kind == O_KEEP and (step == S_RESIST or step == S_RAISE):
        go_on(K, S, P_EVENT)
    elif step == S_RESIST:
        tribe = option >> 5 & 3
        if kind == O_REMOVE_BESIDE:      # the one cube goes first
            take_cubes(K, S, tribe, option >> 7 & 31, 1)
            if cubes_at(S, tribe, option & 31):
                take_cubes(K, S, tribe, option & 31, cubes_at(S, tribe, option & 31))
            go_on(K, S, P_EVENT)
            return
        take_cubes(K, S, tribe, option & 31, cubes_at(S, tribe, option & 31) if option >> 7 & 1 else 1)
        go_on(K, S, P_EVENT)
    elif step == S_RAISE:
        raise_die(K, S, option & 3, 1)
        if S.end:
            return
        if points_above(K, S) and K.reading[E_LIMIT_DICE] != LIMIT_DICE_RAISED:
            if K.reading[E_LIMIT_EVENT]:
                go_on(K, S, P_EVENT)     # it is taken off after the dice
            else:
                go_to(S, S_DISCARD_EVENT)
            return
        if points_above(K, S):           # no other die may pay for it
            S.dice[option & 3] -= 1
        go_on(K, S, P_EVENT)
    elif step == S_PROTECT:
        S.shield = (option & 31) + 1
        go_on(K, S, P_EVENT)
    elif step == S_DISCARD or step == S_DISCARD_EVENT:
        for tribe in range(TRIBES):
            S.dice[tribe] -= option >> 3 * tribe & 7
        for tribe in range(TRIBES if limit_precedes_six(K) else 0):
            if S.dice[tribe] == DIE_TOP:             # the point came off another die
                pacify(K, S, tribe)
                if S.end:
                    return
                over = K.reading[E_OVER] << tribe
        if step == S_DISCARD and S.left:
            tribe = S.held - S.left
            S.left = 0
            dice_rise_singly(K, S, tribe, over)
            if S.end or points_above(K, S):
                return
        if step == S_DISCARD and K.reading[E_LIMIT_ORDER] == LIMIT_ORDER_CHOSEN:
            sort_hand(S)
        go_on(K, S, P_DICE if step == S_DISCARD else P_EVENT)
    elif step == S_CHOOSE:
        choose_way(K, S, option & 0xFFF)
    elif kind == O_EXCHANGE and not S.card:
        if step == S_SWAP and K.reading[E_SWAP] and option & 31 != UNSEEN:
            S.card = (option & 31) + 1   # it keeps its place until the other is drawn
        elif option & 31 != UNSEEN:
            put_away(S, option & 31)
        S.marks |= EXCHANGED
        S.left = 1 if step == S_SWAP else 0
        go_to(S, S_INVADE if step == S_SWAP else S_DRAW)
    else:
        if kind == O_EXCHANGE:
            if step == S_SWAP and K.reading[E_SWAP]:
                take_place(S, option & 31, S.card - 1)
            else:
                put_away(S, option & 31)
            if step == S_SWAP and K.reading[E_SWAP]:
                pass
            elif step == S_SWAP:         # it is carried out last
                S.hand[S.held] = S.card - 1
                S.held += 1
            else:
                insert_card(K, S, S.card - 1)
        S.card = 0
        if step == S_SWAP:
            invade_by_hand(K, S)
        else:
            go_on(K, S, -1)


cdef void take_role(const Rules* K, Table* S, int role) noexcept nogil:
    """The next turn begins; a Prefect may pacify at once [E-PREFECT]."""
    cdef int tribe
    if role == EMPEROR and S.step == S_ROLE and K.reading[E_EMPEROR_WHEN]:
        S.role = role                    # the card names no role: the player does, at once
        go_to(S, S_APPOINT)
        return
    if S.step == S_APPOINT and K.reading[E_EMPEROR_WHEN] and K.reading[E_EMPEROR_TRAVEL]:
        if role != CONSUL and role != EMPEROR:
            S.marks |= TRAVELS           # his card brings it besides the role
    S.role = role
    S.left = EACH_ACTIONS
    go_to(S, S_ACT)
    if role != PREFECT or K.reading[E_PREFECT] not in (PREFECT_STANDING, PREFECT_FOUND):
        return
    for tribe in range(TRIBES):
        if S.dice[tribe] >= DIE_PREFECT:
            pacify(K, S, tribe)
            if S.end:
                return
    end_phase(K, S)


cdef void apply(const Rules* K, Table* S, int option) noexcept nogil:
    """What follows an option that `list_options` has listed."""
    cdef int kind = option >> KIND
    if kind == O_CARD and S.step != S_ORDER:
        draw_card(K, S, option & 31)
    elif kind == O_NAME:
        take_role(K, S, option & 7)
    elif S.step == S_ACT:
        act(K, S, option)
    elif S.step == S_RIDE:
        if kind == O_MOVE:
            S.pawn = option & 31
        elif K.reading[E_DICTATOR_STAY]:
            S.left += 1                  # a stay uses no action
        S.card = 0
        action_done(K, S)
    else:
        decide(K, S, option)
