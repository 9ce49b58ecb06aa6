# Who decides inside the phases: policies of tetrasolve/finem/policies.py, written again, but the one that plays whole games.

cdef enum:
    BY_CARE                   # against the nearest loss
    BY_ORDER                  # the first option

POLICIES = ("careful", "first")


cdef int worth_of(const Table* S, int option, int step) noexcept nogil:
    """How good a careful player finds an option of a decision with several kinds; more is better."""
    cdef int details = option & 0xFFF
    cdef int tribe, region, cubes, worth = 0
    if option >> KIND == O_KEEP and (step == S_RESIST or step == S_RAISE):
        return -1
    if step == S_RESIST:
        tribe = details >> 5 & 3
        region = details & 31
        cubes = cubes_at(S, tribe, region)
        if option >> KIND == O_REMOVE_BESIDE:
            return 4 * (cubes + (details >> 7 != region)) + cubes
        return 4 * (cubes if details >> 7 else 1) + cubes
    if step == S_RAISE:
        return (16 if S.dice[details] < DIE_TOP else 0) + (0 if S.pacified >> details & 1 else 8) + S.dice[details]
    if step == S_PROTECT:
        return -1 if S.out >> details & 1 else cubes_at(S, suit_of(details), details)
    if step == S_DISCARD or step == S_DISCARD_EVENT:
        for tribe in range(TRIBES):                   # an octal digit for each die, the one to be lowered first in front
            worth |= (details >> 3 * tribe & 7) << 3 * (TRIBES - 1 - dice_before(S, tribe))
        return worth
    return option >> KIND in (O_PASS, O_KEEP, O_STAY)


cdef int dice_before(const Table* S, int tribe) noexcept nogil:
    """How many dice a careful player lowers before that of this tribe: of pacified tribes, then the lowest, then the first."""
    cdef int other, order, count = 0
    cdef int own = (0 if S.pacified >> tribe & 1 else 8) + S.dice[tribe]
    for other in range(TRIBES):
        order = (0 if S.pacified >> other & 1 else 8) + S.dice[other]
        count += order < own or (order == own and other < tribe)
    return count


cdef int pacified_by(const Rules* K, const Table* S, int option) noexcept nogil:
    """How many tribes are pacified after an order of the cards, when a careful player has taken off what is above the limit."""
    cdef Table T = S[0]
    choose_way(K, &T, option & 0xFFF)
    while not T.end and T.step == S_DISCARD:
        decide(K, &T, chosen(K, &T, BY_CARE))
    return TRIBES if T.end == WON else popcount(T.pacified)


cdef int chosen(const Rules* K, const Table* S, int policy) noexcept nogil:
    """The option that a policy takes: of those that it finds best the first."""
    cdef uint16_t[MOST_OPTIONS] list
    cdef int i, value, best = 0, most
    cdef int n = list_options(K, S, list)
    if policy == BY_ORDER or (S.step == S_CHOOSE and not list[0] & AN_ORDER):
        return list[0]                   # of two ways of the decline the shorter one
    most = -1
    for i in range(n):
        value = pacified_by(K, S, list[i]) if S.step == S_CHOOSE else worth_of(S, list[i], S.step)
        if value > most:
            most = value
            best = i
    return list[best]
