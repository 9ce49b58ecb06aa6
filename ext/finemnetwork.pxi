# The evaluation: features, one hidden layer, one chance to win. There is a network for each moment at which it is asked.

cdef extern from "<math.h>" nogil:
    double exp(double x)

cdef enum:
    WIDTH = 32                # of the hidden layer
    N_TURN = 0                # networks: before the actions of a turn,
    N_ACTED = 1               # after them,
    N_DRAWN = 2               # and later in the turn
    NETWORKS = 3


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
    N = &networks[network_at(S)]
    role_features(K, S, &threats, S.role, f)
    memcpy(sums, N.bias, sizeof(sums))
    add_features(N, f, 0, FEATURES, sums)
    return chance_from(N, sums)
