# A state as a row of numbers: what the evaluation looks at.
#
# A row has counts of what threatens (cards that lose the game or bring an outbreak, chains carried out), what is on the map, how
# far the dice are, what lies within the pawn's reach, and what is to come in this turn. Tribes are not distinguished by name, and
# regions only by their distance from the pawn, so that any map can be looked at.

cdef enum:                    # where each group begins
    F_OUTBREAKS = 0           # two, three on the track
    F_DECLINE = 2             # its place; one, two, three short of the loss
    F_CRISIS = 6              # one, two short of the next multiple of three
    F_INVASIONS = 8           # three cards, four cards
    F_LOSING = 10             # cards whose invasion loses: their number; at least 1, 2, 4
    F_BREAKING = 14           # cards whose invasion brings an outbreak: their number, outbreaks, cubes that they put
    F_CRISIS_LOSING = 17      # the same of a crisis: cards that lose; at least 1
    F_CRISIS_BREAKING = 19    # cards with an outbreak, outbreaks
    F_OWN = 21                # regions with 3, 2, 1 cubes of their own suit
    F_FOREIGN = 24            # 3, 2, 1 cubes of another tribe, summed over the tribes
    F_MAP = 27                # tribes with at least 6, 7, 8, 9, 10, 11, 12 cubes on the map; cubes of all
    F_OPEN = 35               # one-hot: tribes not yet pacified, 1 to 4
    F_FACES = 39              # of these the dice that show 1 to 6
    F_NEED = 45               # points that they need: sum, most; sum at most 1, 2, 3, 5, 7, 9
    F_MOST_NEED = 53          # one-hot: the most of a tribe, 0 to 5
    F_SPARE = 59              # points below eleven; points of pacified tribes; points above eleven; tribes put away
    F_NEAR_3 = 63             # regions with three cubes of their suit at distance 0, 1, 2, 3 from the pawn
    F_NEAR_2 = 67
    F_NEAR_1 = 71             # distance 0, 1
    F_NEAR_LOSING = 73        # losing cards at distance 0, 1, 2, 3
    F_NEAR_BREAKING = 77
    F_NEAR_FOREIGN = 81       # three cubes of another tribe at distance 0, 1
    F_PLACE = 83              # regions within one, two moves
    F_PENDING = 85            # cards of the invasion left to come; none; crisis, event, civil war to come
    F_RULES = 90              # introductory, E-PACIFY=action, sphere, cap3
    F_ROLE = 94               # one-hot: none, then the six roles; from here on what depends on the role
    F_PREFECT = 101           # dice that the Prefect can pacify
    F_MAGISTER = 102          # stacks of three within 0 or 1 moves of the Magister
    F_TRAVEL = 103            # losing cards, and stacks of three, at the start and the region last invaded of those who go there
    FEATURES = 105

FEATURE_GROUPS = (
    ("outbreaks", 2), ("decline", 4), ("crisis due", 2), ("invasion cards", 2), ("losing cards", 4), ("outbreak cards", 3),
    ("losing crises", 2), ("outbreak crises", 2), ("own stacks", 3), ("foreign stacks", 3), ("cubes", 8), ("open tribes", 4),
    ("open dice", 6), ("points needed", 8), ("most needed", 6), ("spare points", 4), ("own 3 near", 4), ("own 2 near", 4),
    ("own 1 near", 2), ("losing near", 4), ("outbreak near", 4), ("foreign 3 near", 2), ("place", 2), ("pending", 5), ("rules", 4),
    ("role", 7), ("prefect", 1), ("magister", 1), ("travel", 2),
)
FEATURE_NAMES = tuple(f"{name} {i}" for name, number in FEATURE_GROUPS for i in range(number))
if len(FEATURE_NAMES) != FEATURES:
    raise AssertionError(f"{len(FEATURE_NAMES)} names of {FEATURES} features")


cdef struct Threats:
    # What the next card can do
    uint32_t losing           # regions whose invasion loses the game
    uint32_t breaking         # regions whose invasion brings an outbreak, but does not lose
    uint32_t[4] own           # regions with so many cubes of their own suit
    int outbreaks             # summed over the breaking regions
    int put                   # cubes, summed over them
    int crises_losing
    int crises_breaking
    int crises_outbreaks


cdef inline int chain_of(const Rules* K, const Table* S, int tribe, int region, int total, bint* loses, int* put) noexcept nogil:
    """The outbreaks of the chain from a region that has, or has just got, three cubes; `total` cubes are on the map then."""
    cdef uint64_t cubes = S.cubes[tribe]
    cdef Table T
    cdef int number = 1
    if not (cubes & cubes >> 1 & LOW_BITS & K.wide[region] or S.shield):
        put[0] = popcount(K.near[region])
        loses[0] = S.outbreaks + 1 >= LAST_OUTBREAK or total + put[0] > RESERVE
        return 1
    T = S[0]
    T.cubes[tribe] |= <uint64_t> FULL << 2 * region
    break_out(K, &T, tribe, region, region)
    number = T.outbreaks - S.outbreaks
    put[0] = on_map(&T, tribe) - total
    loses[0] = T.end != RUNNING
    return number


cdef void see_threats(const Rules* K, const Table* S, Threats* threats) noexcept nogil:
    """Every card of the deck, as the next one of an invasion or of a crisis."""
    cdef uint32_t deck = ALL_CARDS & ~S.out
    cdef int tribe, region, count, total, put, number
    cdef bint loses = False
    memset(threats, 0, sizeof(Threats))
    if S.shield:
        deck &= ~(<uint32_t> 1 << (S.shield - 1))
    for tribe in range(TRIBES):
        total = on_map(S, tribe)
        for region in range(RANKS * tribe, RANKS * tribe + RANKS):
            count = cubes_at(S, tribe, region)
            threats.own[count] |= <uint32_t> 1 << region
            if is_away(S, tribe) or not deck >> region & 1:
                continue
            if total + FULL - count > RESERVE:
                threats.crises_losing += 1
                if total + 1 > RESERVE and count < FULL:
                    threats.losing |= <uint32_t> 1 << region
                    continue
            if not count:
                continue
            number = chain_of(K, S, tribe, region, total + FULL - count, &loses, &put)
            if total + FULL - count <= RESERVE:
                if loses:
                    threats.crises_losing += 1
                else:
                    threats.crises_breaking += 1
                    threats.crises_outbreaks += number
            if count == FULL:
                if loses:
                    threats.losing |= <uint32_t> 1 << region
                else:
                    threats.breaking |= <uint32_t> 1 << region
                    threats.outbreaks += number
                    threats.put += put


cdef inline bint dice_wait(const Rules* K, const Table* S) noexcept nogil:
    """Whether the three cards of the campaign have still to raise the dice."""
    if S.step == S_CHOOSE:
        return suits_of_hand(K, S) != 1 or K.reading[E_ORDER] != ORDER_DICE_FIRST
    if S.step < S_EVENT or S.step > S_CRISIS or K.reading[E_ORDER] == ORDER_DICE_FIRST:
        return False
    if K.reading[E_ORDER] == ORDER_CRISIS_LAST:
        return S.step != S_CRISIS and not K.reading[E_WHEN]
    return S.step == S_CRISIS or not K.reading[E_WHEN]


cdef inline int number_at(uint32_t regions, uint32_t ring) noexcept nogil:
    return popcount(regions & ring)


cdef void features_of(const Rules* K, const Table* state, Threats* threats, float* f) noexcept nogil:
    """All features but those that depend on the role; `f` has FEATURES places. The game is not over."""
    cdef Table T = state[0]
    cdef const Table* S = &T
    cdef int tribe, total, i, need, sum_need = 0, most = 0, open_tribes = 0, points = 0, all_cubes = 0, missing, pending
    cdef uint64_t cubes, full, own
    cdef uint32_t foreign = 0
    cdef const uint32_t* ring = &K.ring[S.pawn][0]
    memset(f, 0, FEATURES * sizeof(float))
    if dice_wait(K, S):
        dice_rise(K, &T)
        T.end = RUNNING                  # what comes before can still lose
    see_threats(K, S, threats)
    f[F_OUTBREAKS] = S.outbreaks >= 2
    f[F_OUTBREAKS + 1] = S.outbreaks >= 3
    f[F_DECLINE] = <float> S.decline / 4
    missing = K.last_decline - S.decline
    for i in range(3):
        f[F_DECLINE + 1 + i] = missing <= i + 1
    missing = 3 - S.decline % 3
    if missing < 3:
        f[F_CRISIS + missing - 1] = 1
    i = cards_of_invasion(K, S.decline)
    if i > 2:
        f[F_INVASIONS + i - 3] = 1
    i = popcount(threats.losing)
    f[F_LOSING] = <float> i / 2
    f[F_LOSING + 1] = i >= 1
    f[F_LOSING + 2] = i >= 2
    f[F_LOSING + 3] = i >= 4
    f[F_BREAKING] = popcount(threats.breaking)
    f[F_BREAKING + 1] = threats.outbreaks
    f[F_BREAKING + 2] = <float> threats.put / 4
    f[F_CRISIS_LOSING] = <float> threats.crises_losing / 4
    f[F_CRISIS_LOSING + 1] = threats.crises_losing > 0
    f[F_CRISIS_BREAKING] = <float> threats.crises_breaking / 4
    f[F_CRISIS_BREAKING + 1] = <float> threats.crises_outbreaks / 4
    for i in range(3):
        f[F_OWN + i] = popcount(threats.own[3 - i])
    for tribe in range(TRIBES):
        cubes = S.cubes[tribe]
        own = <uint64_t> 0xFFF << 2 * RANKS * tribe
        full = cubes & cubes >> 1 & LOW_BITS & ~own
        f[F_FOREIGN] += popcount(full)
        while full:
            foreign |= <uint32_t> 1 << (lowest(full) >> 1)
            full &= full - 1
        f[F_FOREIGN + 1] += popcount(cubes >> 1 & ~cubes & LOW_BITS & ~own)
        f[F_FOREIGN + 2] += popcount(cubes & ~(cubes >> 1) & LOW_BITS & ~own)
        total = on_map(S, tribe)
        all_cubes += total
        for i in range(6, min(total, RESERVE) + 1):
            f[F_MAP + i - 6] += 1
        if is_away(S, tribe):
            f[F_SPARE + 3] += 1
        elif S.pacified >> tribe & 1:
            points += S.dice[tribe]
        else:
            open_tribes += 1
            f[F_FACES + S.dice[tribe] - 1] += 1
            need = DIE_TOP - S.dice[tribe]
            sum_need += need
            most = max(most, need)
    f[F_MAP + 7] = <float> all_cubes / 8
    if open_tribes:
        f[F_OPEN + open_tribes - 1] = 1
    f[F_NEED] = <float> sum_need / 4
    f[F_NEED + 1] = <float> most / 2
    for i in range(3):
        f[F_NEED + 2 + i] = sum_need <= i + 1
        f[F_NEED + 5 + i] = sum_need <= 2 * i + 5
    f[F_MOST_NEED + most] = 1
    need = 0
    for tribe in range(TRIBES):
        need += S.dice[tribe]
    f[F_SPARE] = <float> max(0, POINTS_LIMIT - need) / 4
    f[F_SPARE + 1] = <float> points / 4
    f[F_SPARE + 2] = points_above(K, S)
    for i in range(4):
        f[F_NEAR_3 + i] = number_at(threats.own[3], ring[i])
        f[F_NEAR_2 + i] = number_at(threats.own[2], ring[i])
        f[F_NEAR_LOSING + i] = number_at(threats.losing, ring[i])
        f[F_NEAR_BREAKING + i] = number_at(threats.breaking, ring[i])
    for i in range(2):
        f[F_NEAR_1 + i] = number_at(threats.own[1], ring[i])
        f[F_NEAR_FOREIGN + i] = number_at(foreign, ring[i])
    f[F_PLACE] = <float> popcount(ring[1]) / 4
    f[F_PLACE + 1] = <float> popcount(ring[1] | ring[2]) / 8
    pending = cards_of_invasion(K, S.decline)
    if S.step == S_INVADE or S.step == S_SWAP or S.step == S_ORDER:
        pending = S.left + S.held
    elif S.marks & QUIET or S.step == S_ROLE or S.step == S_APPOINT:
        pending = 0
    f[F_PENDING] = <float> pending / 2
    f[F_PENDING + 1] = pending == 0
    f[F_PENDING + 2] = S.step == S_CRISIS
    f[F_PENDING + 3] = S.step == S_EVENT
    f[F_PENDING + 4] = S.step == S_WAR
    f[F_RULES] = K.introductory
    f[F_RULES + 1] = K.reading[E_PACIFY] == PACIFY_ACTION
    f[F_RULES + 2] = K.border != FLAT
    f[F_RULES + 3] = K.card_decline == 3


cdef void role_features(const Rules* K, const Table* S, const Threats* threats, int role, float* f) noexcept nogil:
    """The features that depend on the role, which need not be that of the state."""
    cdef uint32_t there
    cdef int tribe
    f += F_ROLE
    memset(f, 0, (FEATURES - F_ROLE) * sizeof(float))
    f[role] = 1
    if role == PREFECT:
        for tribe in range(TRIBES):
            f[F_PREFECT - F_ROLE] += not S.pacified >> tribe & 1 and S.dice[tribe] == DIE_PREFECT
    elif role == MAGISTER:
        f[F_MAGISTER - F_ROLE] = number_at(threats.own[3], K.ring[S.pawn][0] | K.ring[S.pawn][1])
    elif role == CONSUL or role == EMPEROR:
        there = <uint32_t> 1 << S.start | <uint32_t> 1 << S.last
        f[F_TRAVEL - F_ROLE] = number_at(threats.losing, there)
        f[F_TRAVEL - F_ROLE + 1] = number_at(threats.own[3], there)
