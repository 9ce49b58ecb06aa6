# Set-up, random games, counting actions.

cdef inline int cards_of_set_up(const Rules* K) noexcept nogil:
    return 12 if K.reading[E_SETUP] else 9


cdef inline int cubes_of_card(const Rules* K, int number) noexcept nogil:
    """The cubes that a card of the set-up puts, the first being number 0 [E-SETUP]."""
    if K.reading[E_SETUP] == SETUP_THREE_THREE_SIX:
        return max(1, 3 - number // 3)
    return 3 - number // (cards_of_set_up(K) // 3)


cdef void keep_cards(const Rules* K, uint8_t* cards) noexcept nogil:
    """Leaves out of a whole deck each card that would need a thirteenth cube: the next one takes its place [E-FULL]."""
    cdef uint8_t[4] cubes
    cdef int i, tribe, kept = 0
    memset(cubes, 0, sizeof(cubes))
    for i in range(REGIONS):
        tribe = suit_of(cards[i])
        if kept < cards_of_set_up(K) and cubes[tribe] + cubes_of_card(K, kept) <= RESERVE:
            cubes[tribe] += cubes_of_card(K, kept)
            cards[kept] = cards[i]
            kept += 1


cdef void deal(const Rules* K, Table* S, const uint8_t* cards, int start) noexcept nogil:
    """The first state of a game; where it needs a thirteenth cube of a tribe, it is lost."""
    cdef int number = cards_of_set_up(K)
    cdef int i, tribe
    memset(S, 0, sizeof(Table))
    for i in range(number):
        S.cubes[suit_of(cards[i])] |= <uint64_t> cubes_of_card(K, i) << 2 * cards[i]
    for tribe in range(TRIBES):
        S.dice[tribe] = 1
        if not S.end and on_map(S, tribe) > RESERVE:
            S.end = LOST_RESERVE + tribe
    S.decline = 1
    S.outbreaks = 1
    S.pawn = start
    S.start = K.table_start if K.reading[E_CORNER_START] else start
    S.last = S.start if K.reading[E_FIRST_LAST] else cards[number - 1]
    S.step = S_ACT
    S.left = EACH_ACTIONS


cdef void deal_random(const Rules* K, Table* S, Dice* dice) noexcept nogil:
    """A set-up with its chances [E-FULL]: it can be lost only where it is not drawn again."""
    cdef uint8_t[24] cards
    cdef int i, j, start
    while True:
        for i in range(REGIONS):
            cards[i] = i
        for i in range(REGIONS if K.reading[E_FULL] == FULL_CARD else 12):
            j = i + random_below(dice, REGIONS - i)
            cards[i], cards[j] = cards[j], cards[i]
        if K.reading[E_FULL] == FULL_CARD:
            keep_cards(K, cards)
        start = K.start[random_below(dice, K.starts)]
        deal(K, S, cards, start)
        if not S.end or K.reading[E_FULL]:
            return


cdef inline int random_option(const Rules* K, const Table* S, Dice* dice) noexcept nogil:
    """One of the options, each with the same chance; 0 where there is none, which `list_options` never lists first alone."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef int n
    cdef uint32_t deck
    if is_chance(S.step) and S.step != S_ROLE:
        deck = ALL_CARDS & ~S.out
        n = random_below(dice, popcount(deck))
        while n:
            deck &= deck - 1
            n -= 1
        return option_of(O_CARD, lowest(deck))
    n = list_options(K, S, list)
    return list[random_below(dice, n)]


cdef struct Played:
    # What random games have come to
    uint64_t turns
    uint64_t games
    uint64_t[8] ends


cdef void play_random(const Rules* K, Played* played, uint64_t turns, Dice* dice, Watch* watch) noexcept nogil:
    """Whole turns of games from set-ups, one game after the other; the last one is left where it is."""
    cdef Table S
    S.end = WON
    while played.turns < turns:
        if S.end:
            deal_random(K, &S, dice)
            if S.end:
                played.games += 1
                played.ends[S.end] += 1
                if spend(watch, 1):
                    return
                continue
        while not S.end:
            apply(K, &S, random_option(K, &S, dice))
            if begins_turn(&S):
                break
        played.turns += 1
        if S.end:
            played.games += 1
            played.ends[S.end] += 1
        if spend(watch, 2):
            return


cdef uint64_t count_sequences(const Rules* K, const Table* S, int depth, Watch* watch) noexcept nogil:
    """Sequences of options in the phase of actions, each up to its end or `depth` long. Of no use after a stop."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef uint64_t count = 0
    cdef int i, n
    if S.end or depth == 0 or S.step > S_RIDE:
        return 1
    if spend(watch, 1):
        return 0
    n = list_options(K, S, list)
    for i in range(n):
        T = S[0]
        apply(K, &T, list[i])
        count += count_sequences(K, &T, depth - 1, watch)
    return count
