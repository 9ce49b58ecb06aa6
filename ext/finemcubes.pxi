# What changes on the table: cubes, dice, pacified and eradicated tribes, outbreaks.

cdef inline int cubes_at(const Table* S, int tribe, int region) noexcept nogil:
    return <int> (S.cubes[tribe] >> 2 * region) & 3


cdef inline int on_map(const Table* S, int tribe) noexcept nogil:
    cdef uint64_t all = S.cubes[tribe]
    return popcount(all & LOW_BITS) + 2 * popcount(all >> 1 & LOW_BITS)


cdef inline bint is_away(const Table* S, int tribe) noexcept nogil:
    """Whether a tribe is eradicated: its die is put away."""
    return S.dice[tribe] == 0


cdef inline void lose(Table* S, int end, int card) noexcept nogil:
    S.end = end
    S.by = card + 1


cdef inline void add_cubes(Table* S, int tribe, int region, int number, int card) noexcept nogil:
    """Puts cubes that come by a card; without enough of them the game is lost."""
    if on_map(S, tribe) + number > RESERVE:
        lose(S, LOST_RESERVE + tribe, card)
    else:
        CHECK(cubes_at(S, tribe, region) + number <= FULL)
        S.cubes[tribe] += <uint64_t> number << 2 * region


cdef inline void eradicate_if_gone(const Rules* K, Table* S, int tribe) noexcept nogil:
    """Only at the introductory level."""
    if K.introductory and S.pacified >> tribe & 1 and S.cubes[tribe] == 0:
        S.dice[tribe] = 0


cdef inline void look_at_tribes(const Rules* K, Table* S) noexcept nogil:
    cdef int tribe
    for tribe in range(TRIBES):
        eradicate_if_gone(K, S, tribe)


cdef inline void take_cubes(const Rules* K, Table* S, int tribe, int region, int number) noexcept nogil:
    CHECK(0 < number <= cubes_at(S, tribe, region))
    S.cubes[tribe] -= <uint64_t> number << 2 * region
    if K.reading[E_ERADICATE] == ERADICATE_OWN:
        eradicate_if_gone(K, S, tribe)
    else:
        look_at_tribes(K, S)


cdef void break_out(const Rules* K, Table* S, int tribe, int region, int card) noexcept nogil:
    """The chain that begins in a region with three cubes, carried out to its end; it comes by a card."""
    cdef uint32_t waiting = <uint32_t> 1 << region
    cdef uint32_t chain = waiting        # the regions that have had an outbreak of the chain
    cdef uint32_t others, spared = 0
    cdef int here, other
    if K.reading[E_PROTECT] and S.shield:
        spared = <uint32_t> 1 << (S.shield - 1)
    if K.reading[E_CHAIN_FIRST]:         # the first outbreak is none of the chain, which can come back to its region
        chain = 0
        S.outbreaks += 1
    while waiting:
        here = lowest(waiting)
        waiting &= waiting - 1
        others = K.near[here] & ~chain & ~spared
        while others:
            other = lowest(others)
            others &= others - 1
            if cubes_at(S, tribe, other) == FULL:
                chain |= <uint32_t> 1 << other
                waiting |= <uint32_t> 1 << other
            else:
                S.cubes[tribe] += <uint64_t> 1 << 2 * other
    S.outbreaks += popcount(chain)
    if S.outbreaks >= LAST_OUTBREAK:
        lose(S, LOST_OUTBREAKS, card)
    elif on_map(S, tribe) > RESERVE:
        lose(S, LOST_RESERVE + tribe, card)


cdef inline void add_or_break(const Rules* K, Table* S, int tribe, int region, int card) noexcept nogil:
    if cubes_at(S, tribe, region) == FULL:
        break_out(K, S, tribe, region, card)
    else:
        add_cubes(S, tribe, region, 1, card)


cdef inline void win_if_all(Table* S) noexcept nogil:
    if S.pacified == ALL_TRIBES:
        S.end = WON


cdef inline void end_phase(const Rules* K, Table* S) noexcept nogil:
    """The end of a phase wins, if not that of the turn alone [E-WIN]."""
    if K.reading[E_WIN] != WIN_TURN:
        win_if_all(S)


cdef inline bint wins_after(const Rules* K, const Table* S) noexcept nogil:
    """Whether the end of the turn will win, if nothing loses before [E-WIN]."""
    return K.reading[E_WIN] == WIN_TURN and S.pacified == ALL_TRIBES


cdef void pacify(const Rules* K, Table* S, int tribe) noexcept nogil:
    """The die goes to 1; the game may be won [E-WIN], the tribe eradicated [E-ERADICATE]."""
    S.dice[tribe] = 1
    S.pacified |= 1 << tribe
    if K.reading[E_ERADICATE] == ERADICATE_ALWAYS:
        eradicate_if_gone(K, S, tribe)
    if not K.reading[E_WIN]:
        win_if_all(S)


cdef inline bint is_settled(const Rules* K, const Table* S, int tribe) noexcept nogil:
    """Whether the die of a pacified tribe stays at 1 [E-AGAIN]."""
    return K.reading[E_AGAIN] and S.pacified >> tribe & 1


cdef inline int points_above(const Rules* K, const Table* S) noexcept nogil:
    """The points above the limit of eleven [E-ELEVEN]; none at the introductory level."""
    cdef int tribe, points = 0
    if K.introductory:
        return 0
    for tribe in range(TRIBES):
        if not (K.reading[E_ELEVEN] and S.pacified >> tribe & 1):
            points += S.dice[tribe]
    return max(0, points - POINTS_LIMIT)


cdef inline bint points_pacify_at_5(const Rules* K, const Table* S) noexcept nogil:
    """Whether a point that takes a die to 5 pacifies: in a Prefect's turn, without his action [E-PREFECT]."""
    return S.role == PREFECT and K.reading[E_PREFECT] in (PREFECT_TURN, PREFECT_STANDING)


cdef inline bint limit_precedes_six(const Rules* K) noexcept nogil:
    """Whether a point above the limit is taken off before a die that has come to 6 pacifies [E-LIMIT]."""
    return K.reading[E_LIMIT] == LIMIT_BEFORE_SIX and K.reading[E_PACIFY] != PACIFY_ACTION


cdef void raise_die(const Rules* K, Table* S, int tribe, int points) noexcept nogil:
    """Points of a campaign or an event, one after the other [E-PACIFY, E-PREFECT, E-OVER, E-LIMIT]."""
    cdef int point, threshold = DIE_TOP
    if points_pacify_at_5(K, S):
        threshold = DIE_PREFECT
    elif K.reading[E_PACIFY] == PACIFY_ACTION:
        threshold = DIE_TOP + 1          # no die reaches it: points do not pacify
    for point in range(points):
        if is_away(S, tribe) or S.dice[tribe] >= DIE_TOP or is_settled(K, S, tribe):
            return
        S.dice[tribe] += 1
        if K.reading[E_LIMIT] == LIMIT_LOST and points_above(K, S):
            S.dice[tribe] -= 1           # the point is lost, even one that would pacify
            return
        if S.dice[tribe] == DIE_TOP and limit_precedes_six(K) and points_above(K, S):
            return                       # it stands at 6 until a point is taken off, perhaps its own
        if S.dice[tribe] >= threshold:
            pacify(K, S, tribe)
            if S.end or K.reading[E_OVER]:
                return


cdef inline void note_invaded(const Rules* K, Table* S, int region, bint is_put) noexcept nogil:
    """The region last invaded [E-LAST]; `is_put`: a cube is put on the region itself."""
    cdef int reading = K.reading[E_LAST]
    cdef bint away = is_away(S, suit_of(region))
    if reading == LAST_DRAWN or (not away and (reading == LAST_INVADED or is_put)):
        S.last = region


cdef void invade(const Rules* K, Table* S, int region) noexcept nogil:
    """The invasion of a region by its card."""
    cdef int tribe = suit_of(region)
    note_invaded(K, S, region, cubes_at(S, tribe, region) < FULL)
    if not is_away(S, tribe):
        add_or_break(K, S, tribe, region, region)
