# A plain greedy policy: tetrasolve/finem/greedy.py says what it does. It looks at no evaluation.

cdef struct Gain:
    double danger
    int order


cdef double danger_of(int cubes) noexcept nogil:
    if cubes == 0:
        return 0
    return 1 if cubes == 1 else 2.5 if cubes == 2 else 6.5


cdef Gain gain_at(const Table* S, int region, int steps, const double* weights) noexcept nogil:
    """What the actions left remove in a region."""
    cdef int[4] order
    cdef int i, j, tribe, count, removed, left = S.left - steps
    cdef Gain gain
    order[0], order[1], order[2], order[3] = 0, 2, 1, 3  # O E C B: of equal numbers the later letter comes first
    for i in range(1, TRIBES):
        for j in range(i, 0, -1):
            if cubes_at(S, order[j], region) > cubes_at(S, order[j - 1], region):
                order[j], order[j - 1] = order[j - 1], order[j]
    gain.danger = 0
    for i in range(TRIBES):
        tribe = order[i]
        count = cubes_at(S, tribe, region)
        if left <= 0 or not count:
            break
        removed = count if S.role == MAGISTER else min(count, left)
        gain.danger += (danger_of(count) - danger_of(count - removed)) * weights[tribe]
        left -= 1 if S.role == MAGISTER else removed
    gain.order = -steps
    if gain.danger == 0:
        gain.order += REGIONS * cubes_at(S, order[0], region)
    return gain


cdef int action_by_discs(const Rules* K, const Table* S) noexcept nogil:
    cdef uint16_t[MOST_OPTIONS] list
    cdef double[4] weights
    cdef Gain gain, most
    cdef int i, tribe, region, steps, there, target = 0, best = -1, worth, top = -1
    cdef int n = list_options(K, S, list)
    for i in range(n):
        if list[i] >> KIND == O_PACIFY and not S.pacified >> (list[i] & 3) & 1:
            return list[i]
    for tribe in range(TRIBES):
        weights[tribe] = 1 + 0.3 * max(0, on_map(S, tribe) - 6)
    for region in range(REGIONS):
        steps = K.moves[S.pawn][region]
        if can_travel(S) and (region == S.start or region == S.last):
            steps = min(1, steps)
        gain = gain_at(S, region, steps, weights)
        if region == 0 or gain.danger > most.danger or (gain.danger == most.danger and gain.order > most.order):
            most = gain
            target = region
    there = K.moves[target][S.pawn]
    for i in range(n):
        if target == S.pawn and list[i] >> KIND == O_CONFRONT:
            worth = 2 * cubes_at(S, list[i] & 3, S.pawn) + (list[i] >> 2 & 1)
            if worth > top:
                top = worth
                best = list[i]
    if best >= 0:
        return best
    for i in range(n):
        if list[i] >> KIND == O_MOVE and (best < 0 or K.moves[target][list[i] & 31] < K.moves[target][best & 31]):
            best = list[i]
    return best if K.moves[target][best & 31] < there else option_of(O_PASS, 0)


cdef int chosen_by_discs(const Rules* K, const Table* S) noexcept nogil:
    """The option that it takes at a decision."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef int i, j, tribe, sum, region, top = -1, best = -1, twice = -1
    cdef int n
    if S.step == S_ACT:
        return action_by_discs(K, S)
    n = list_options(K, S, list)
    if S.step == S_TRAVEL:
        for i in range(n):
            region = S.pawn if list[i] >> KIND == O_STAY else list[i] & 31
            sum = list[i] >> KIND == O_STAY
            for tribe in range(TRIBES):
                sum += 2 * cubes_at(S, tribe, region)
            if sum > top:
                top = sum
                best = list[i]
        return best
    if S.step == S_EXCHANGE and not S.card:
        for i in range(S.held - 1, -1, -1):
            for j in range(S.held):
                if i != j and suit_of(S.hand[i]) == suit_of(S.hand[j]):
                    twice = S.hand[i]
        for i in range(n):
            if twice >= 0 and (list[i] == option_of(O_EXCHANGE, UNSEEN) or list[i] == option_of(O_EXCHANGE, twice)):
                return list[i]
    return chosen(K, S, BY_CARE)
