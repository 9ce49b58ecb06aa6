# The best actions and decisions by the evaluation: all sequences of actions, each looked at once; one card ahead where one comes.

cdef enum:
    SEEN = 8192               # a power of two: places for states that were looked at
    MOST_SEEN = 6144          # beyond these states are looked at again, which costs time only
    MOST_BEST = 64            # ends of the actions that are kept


cdef struct End:
    # A state after a player's choice, and how it is reached
    Table state
    double value
    uint16_t[8] path
    int length


cdef struct Mind:
    # Who plays: rules, evaluation, and memory for one decision
    const Rules* rules
    const Network* networks
    Watch watch
    uint64_t[8192] seen
    int number_seen
    End[64] best              # from the best on
    int kept
    int most                  # to be kept
    uint16_t[8] path
    End[65] candidates        # of a search, which looks at other decisions meanwhile
    double[65] sums


cdef inline uint64_t key_of(const Table* S) noexcept nogil:
    """A hash of a state; never 0."""
    cdef const uint64_t* words = <const uint64_t*> S
    cdef uint64_t h = 0x9E3779B97F4A7C15u
    cdef int i
    for i in range(<int> (sizeof(Table) // 8)):
        h = (h ^ words[i]) * <uint64_t> 0xBF58476D1CE4E5B9u
        h ^= h >> 29
    return h | 1


cdef bint is_new(Mind* M, const Table* S) noexcept nogil:
    """Whether a state is seen for the first time in this decision."""
    cdef uint64_t key = key_of(S)
    cdef uint32_t at = <uint32_t> (key >> 40) & (SEEN - 1)
    while M.seen[at]:
        if M.seen[at] == key:
            return False
        at = (at + 1) & (SEEN - 1)
    if M.number_seen < MOST_SEEN:
        M.seen[at] = key
        M.number_seen += 1
    return True


cdef inline void begin_choice(Mind* M, int most) noexcept nogil:
    if M.number_seen:
        memset(M.seen, 0, sizeof(M.seen))
    M.number_seen = 0
    M.kept = 0
    M.most = most


cdef void keep(Mind* M, const Table* S, double value, int length) noexcept nogil:
    """Keeps an end if it is among the best; of equal ones the first that came."""
    cdef int i = M.kept
    if i == M.most:
        if value <= M.best[i - 1].value:
            return
        i -= 1
    else:
        M.kept += 1
    while i > 0 and M.best[i - 1].value < value:
        M.best[i] = M.best[i - 1]
        i -= 1
    M.best[i].state = S[0]
    M.best[i].value = value
    M.best[i].length = length
    memcpy(M.best[i].path, M.path, sizeof(M.path))


cdef void look_through(Mind* M, const Table* S, int length) noexcept nogil:
    """All ends of the actions from a state, without the Dictator's ride."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef int i, n
    if not is_new(M, S):
        return
    if S.end or S.step != S_ACT:
        keep(M, S, value_of(M.rules, M.networks, S), length)
        spend(&M.watch, 1)
        return
    n = list_options(M.rules, S, list)
    for i in range(n):
        if list[i] >> KIND == O_RIDE:
            continue
        T = S[0]
        apply(M.rules, &T, list[i])
        M.path[length] = list[i]
        look_through(M, &T, length + 1)
        if M.watch.stopped:
            return


cdef double best_from(Mind* M, const Table* S) noexcept nogil:
    """The best value that the actions from a state reach, without a ride. Forgets the choice before."""
    begin_choice(M, 1)
    look_through(M, S, 0)
    return M.best[0].value if M.kept else 0


cdef double value_of_ride(Mind* M, const Table* S) noexcept nogil:
    """The Dictator's ride: the mean over the ranks, each with the best region of it. No second ride is looked at."""
    cdef double[24] value
    cdef Table T
    cdef uint32_t deck = ALL_CARDS & ~S.out
    cdef double total = 0, best, stay = -1
    cdef int region, rank, tribe, number, all_cards = popcount(deck)
    for region in range(REGIONS):
        T = S[0]
        T.pawn = region
        T.left -= 1
        action_done(M.rules, &T)
        value[region] = best_from(M, &T)
        if M.watch.stopped:
            return 0
    if M.rules.reading[E_DICTATOR_STAY]:
        stay = best_from(M, S)           # all actions are left
    elif M.rules.reading[E_DICTATOR] == DICTATOR_MAY:
        stay = value[S.pawn]
    for rank in range(RANKS):
        best = stay
        number = 0
        for tribe in range(TRIBES):
            region = RANKS * tribe + rank
            number += deck >> region & 1
            if (region != S.pawn or M.rules.reading[E_DICTATOR] == DICTATOR_THERE) and value[region] > best:
                best = value[region]
        total += best * number
    return total / all_cards


cdef double value_ahead(Mind* M, const Table* S) noexcept nogil:
    """The value of a state after a decision: card by card where the Tribune waits for one or orders them, then by evaluation."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef double value, total = 0, best = -1
    cdef bint is_card
    cdef int i, n
    if S.end:
        return S.end == WON
    is_card = (S.step == S_DRAW and S.held > 0) or (S.step == S_INVADE and S.held > 0 and S.left == 1)
    if not is_card and S.step != S_ORDER and not (S.card and (S.step == S_EXCHANGE or S.step == S_SWAP)):
        spend(&M.watch, 1)
        return value_of(M.rules, M.networks, S)
    n = list_options(M.rules, S, list)
    for i in range(n):
        T = S[0]
        apply(M.rules, &T, list[i])
        value = value_ahead(M, &T)
        total += value
        best = value if value > best else best
        if M.watch.stopped:
            return 0
    return total / n if is_card else best


cdef void look_at_decision(Mind* M, const Table* S) noexcept nogil:
    """The options of a decision outside the actions, each with its value."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef double value
    cdef int i
    cdef int n = list_options(M.rules, S, list)
    for i in range(n):
        T = S[0]
        apply(M.rules, &T, list[i])
        if S.step == S_APPOINT:          # the turn begins: what its best actions reach is not looked at
            value = value_of(M.rules, M.networks, &T)
        else:
            value = value_ahead(M, &T)
        M.path[0] = list[i]
        keep(M, &T, value, 1)
        if M.watch.stopped:
            return


cdef void look_at_ride(Mind* M, const Table* S) noexcept nogil:
    """Where the Dictator goes, and what he does then, but for another ride."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef Table T
    cdef int i
    cdef int n = list_options(M.rules, S, list)
    for i in range(n):
        T = S[0]
        apply(M.rules, &T, list[i])
        M.path[0] = list[i]
        look_through(M, &T, 1)
        if M.watch.stopped:
            return


cdef void think(Mind* M, const Table* S, int most) noexcept nogil:
    """Fills `best` for the player's choice at a state. A ride's end is the state in which the card is drawn."""
    cdef Table T
    cdef double ride = -1
    if S.step == S_ACT and S.role == DICTATOR:
        ride = value_of_ride(M, S)
    begin_choice(M, most)
    memset(M.path, 0, sizeof(M.path))
    if S.step == S_ACT:
        look_through(M, S, 0)
    elif S.step == S_RIDE:
        look_at_ride(M, S)
    else:
        look_at_decision(M, S)
    if ride >= 0 and not M.watch.stopped:
        T = S[0]
        M.path[0] = option_of(O_RIDE, 0)
        apply(M.rules, &T, M.path[0])
        keep(M, &T, ride, 1)
