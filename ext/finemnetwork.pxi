# The evaluation: features, one hidden layer, one chance to win. There is a network for each moment at which it is asked.

cdef extern from "<math.h>" nogil:
    double exp(double x)

cdef enum:
    WIDTH = 32                # of the hidden layer
    N_TURN = 0                # networks: before the actions of a turn,
    N_ACTED = 1               # after them,
    N_DRAWN = 2               # and later in the turn
    NETWORKS = 3

cdef double MOVES = 1160.0 / 2024        # the chance that three cards are not of three suits, so that the decline moves,
cdef double MOVES_FAR = 80.0 / 2024      # and that they are of one suit
cdef double MOST_LATER = 0.98            # what a tribe that is not pacified yet leaves at most of the chance to win later


cdef struct Network:
    float[105][32] first      # FEATURES rows of WIDTH weights
    float[32] bias
    float[32] second
    float constant


cdef inline void add_times(float* sums, const float* row, float times) noexcept nogil:
    cdef int i
    for i in range(WIDTH):
        sums[i] += times * row[i]


cdef inline double chance_from(const Network* N, const float* sums) noexcept nogil:
    cdef double total = N.constant
    cdef int i
    for i in range(WIDTH):
        total += (sums[i] if sums[i] > 0 else 0) * N.second[i]
    return 1 / (1 + exp(-total))


cdef inline void add_features(const Network* N, const float* f, int at, int end, float* sums) noexcept nogil:
    cdef int i
    for i in range(at, end):
        if f[i] != 0:
            add_times(sums, &N.first[i][0], f[i])


cdef inline int network_at(const Table* S) noexcept nogil:
    """Which network looks at a state."""
    if S.step == S_ACT:
        return N_TURN
    return N_ACTED if S.step == S_DRAW and S.held == 0 else N_DRAWN


cdef double chance_to_last(const Rules* K, const Table* S, const Threats* threats) noexcept nogil:
    """Where the end of the turn wins [E-WIN]: about the chance that nothing loses before.

    The cards that are not out are equally likely, also after a campaign that is to come. It can move the decline to its end, and
    bring a crisis. Cards with an outbreak bring as many as they do on the mean, and threaten as they do now; events are left out.
    """
    cdef double[LAST_OUTBREAK + 1] broken    # the chance of so many cards with an outbreak, none of which has lost
    cdef int deck = REGIONS - popcount(S.out)
    cdef int losing = popcount(threats.losing)
    cdef int breaking = popcount(threats.breaking)
    cdef int cards = cards_of_invasion(K, S.decline)
    cdef int most = LAST_OUTBREAK - 1 - S.outbreaks      # outbreaks that do not lose
    cdef double lasts = 1, crisis = 1 if S.step == S_CRISIS else 0, total = 0
    cdef int i, j, missing
    if S.step == S_INVADE or S.step == S_SWAP or S.step == S_ORDER:
        cards = S.left + S.held
    elif S.marks & QUIET:
        cards = 0
    if S.step <= S_DRAW:
        missing = K.last_decline - S.decline
        lasts = 1 - (MOVES if missing == 1 else MOVES_FAR if missing <= 3 else 0)
        crisis = MOVES if S.decline % 3 == 2 else MOVES_FAR
    lasts *= 1 - crisis * min(1.0, threats.crises_losing / <double> max(deck, 1))
    if breaking and threats.outbreaks > breaking:
        most = most * breaking // threats.outbreaks
    memset(broken, 0, sizeof(broken))
    broken[0] = 1
    for i in range(min(cards, deck)):
        for j in range(most, -1, -1):
            broken[j] *= <double> max(0, deck - i - losing - max(0, breaking - j)) / (deck - i)
            if j:
                broken[j] += broken[j - 1] * max(0, breaking - j + 1) / (deck - i)
    for j in range(most + 1):
        total += broken[j]
    return lasts * min(1.0, total)


cdef double chance_of_dice(const Rules* K, const Table* S) noexcept nogil:
    """The chance that the cards of the campaign to come pacify every tribe that is left."""
    cdef int[4] deck
    cdef int[4] need
    cdef int tribe, i, o, c, e, b, missing = HAND - S.held
    cdef int top = DIE_PREFECT if points_pacify_at_5(K, S) else DIE_TOP
    cdef double found = 0
    if S.step > S_DRAW or K.reading[E_PACIFY] == PACIFY_ACTION:
        return 0
    if S.step != S_DRAW:
        missing = HAND
    for tribe in range(TRIBES):
        deck[tribe] = popcount(~S.out >> RANKS * tribe & 0x3F)
        need[tribe] = 0 if S.pacified >> tribe & 1 else max(0, top - S.dice[tribe])
        if S.step == S_DRAW:
            for i in range(S.held):
                need[tribe] -= suit_of(S.hand[i]) == tribe
    for o in range(max(0, need[0]), missing + 1):
        for c in range(max(0, need[1]), missing - o + 1):
            for e in range(max(0, need[2]), missing - o - c + 1):
                b = missing - o - c - e
                if b >= need[3]:
                    found += choose(deck[0], o) * choose(deck[1], c) * choose(deck[2], e) * choose(deck[3], b)
    return found / max(1.0, choose(popcount(ALL_CARDS & ~S.out), missing))


cdef inline double value_in_turn(
    const Rules* K, const Network* networks, const Table* S, const Threats* threats, float* f
) noexcept nogil:
    """What the networks give for a state within a turn, with its features but for those of the role."""
    cdef const Network* N = &networks[network_at(S)]
    cdef float[32] sums
    role_features(K, S, threats, S.role, f)
    memcpy(sums, N.bias, sizeof(sums))
    add_features(N, f, 0, FEATURES, sums)
    return chance_from(N, sums)


cdef double value_of_turn(
    const Rules* K, const Network* networks, const Table* S, const Threats* threats, float* f
) noexcept nogil:
    """The chance to win where the end of the turn wins [E-WIN].

    The networks learned that the last pacification wins at once. Where the campaign to come may bring it, with chance p, they leave
    out that the invasion still can lose: their value is p + (1 - p) l w, if l is the chance to last and w that to win later.
    It is to be l (p + (1 - p) w), with w short of 1: who has pacified all tribes needs no more luck than who has not. So it is at
    most that where p is 0, too, as for a die of 6 that waits for the action Pacify.
    """
    cdef Table T = S[0]
    cdef double lasts = chance_to_last(K, S, threats)
    cdef double value, by_dice
    if dice_wait(K, S):
        dice_rise(K, &T)
    if wins_after(K, &T):
        return lasts
    value = value_in_turn(K, networks, S, threats, f)
    by_dice = chance_of_dice(K, S)
    return min(lasts * (by_dice + (1 - by_dice) * MOST_LATER), max(0.0, value - by_dice * (1 - lasts)))


cdef double value_of(const Rules* K, const Network* networks, const Table* S) noexcept nogil:
    """The chance to win that the networks give; between two turns the mean over the roles, or the best for the Emperor."""
    cdef const Network* N
    cdef Threats threats
    cdef float[105] f
    cdef float[32] base
    cdef float[32] sums
    cdef double value, total = 0, best = -1
    cdef int role
    if S.end:
        return S.end == WON
    features_of(K, S, &threats, f)
    if K.reading[E_WIN] == WIN_TURN and S.step != S_ROLE and S.step != S_APPOINT:
        return value_of_turn(K, networks, S, &threats, f)
    if S.step == S_ROLE or S.step == S_APPOINT:
        N = &networks[N_TURN]
        f[F_PENDING] = <float> cards_of_invasion(K, S.decline) / 2     # of the turn to come
        f[F_PENDING + 1] = 0
        memcpy(base, N.bias, sizeof(base))
        add_features(N, f, 0, F_ROLE, base)
        for role in range(TRIBUNE, EMPEROR + 1):
            if S.step == S_APPOINT and role == EMPEROR and K.reading[E_EMPEROR]:
                continue
            role_features(K, S, &threats, role, f)
            memcpy(sums, base, sizeof(sums))
            add_features(N, f, F_ROLE, FEATURES, sums)
            value = chance_from(N, sums)
            if S.step == S_ROLE and role == EMPEROR and K.reading[E_EMPEROR_WHEN]:
                if K.reading[E_EMPEROR] or value < best:
                    value = best         # the card lets the player name the best of the roles
            total += value
            best = value if value > best else best
        return best if S.step == S_APPOINT else total / ROLES
    return value_in_turn(K, networks, S, &threats, f)
