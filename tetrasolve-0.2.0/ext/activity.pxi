# Barbarian phase, step 2 (rules, section 5): the activity, with all its uprisings and echoes, exactly.
#
# It is a chain of positions: an uprising may be followed by another roll (its *echo*). A position of the chain, after step 1 or
# after an uprising, is known by its `ChainKey`: in the base game its revolts determine the rest of it, with modules it is a whole
# position.
# The functions `chain_...` of basechain.pxi and wholechain.pxi look a key up and keep what follows from it; the rules are here.
#
# The only way back to a position is an uprising that changes nothing: it repeats the same echo roll, and a position that is reached
# f times from others and repeats with chance s is met f / (1 - s) times in all, exactly.

cdef enum:
    RISE_TICKS = 10 * WHOLE    # for an uprising in one province
    ROLL_TICKS = 10 * WHOLE    # for a roll that changes the position


cdef inline void visit_fall(Sweep* S, int cause, double chance) noexcept nogil:
    S.figures.visits += 1
    S.figures.fallen[cause] += chance


cdef inline bint falls_in_spread(Sweep* S, const Position* position, Mask revolts, double chance) noexcept nogil:
    """Whether step 1 has led to more revolts than there are; then it is noted as a fall."""
    if popcount(revolts) <= most_revolts(S.board, position):
        return False
    visit_fall(S, NO_REVOLT_LEFT, chance)
    return True


cdef inline Mask closed_regions(const Board* B, const Position* P) noexcept nogil:
    """Numbered provinces of the regions whose border is not open: the echo rolls for them."""
    cdef Mask closed = 0
    cdef int i
    for i in range(6):
        if not is_open(B, P, i):
            closed |= B.region[i]
    return closed


cdef inline Mask uprising_reach(const Board* B, Mask revolts) noexcept nogil:
    """Where an uprising can place revolts: Roman provinces without one."""
    return ~(B.borders | revolts)


cdef inline double each_outcome(const Board* B, Mask doubtful) noexcept nogil:
    """By what the chance of an uprising is divided: 2 for each broken link, [I-CHECK] or for all of them together."""
    return 2 if B.reading[I_CHECK] and doubtful else 1 << popcount(doubtful)


cdef inline bint may_repeat(const Board* B, ChainKey key, Mask reach, int p) noexcept nogil:
    """Whether an uprising in `p` changes nothing if no broken link holds."""
    return not B.normal[p] & reach and not chain_pirates(B, key, p)


cdef inline void rise(Sweep* S, ChainKey key, int p, double chance, bint repeats) noexcept nogil:
    """
    An uprising in `p` and all it can leave behind: a revolt in every Roman province linked to it. Where nothing changes
    it is left out if `repeats`, since the caller has closed that loop.
    """
    cdef const Board* B = S.board
    cdef Mask revolts = chain_revolts(key)
    cdef Mask reach = uprising_reach(B, revolts)
    cdef Mask doubtful = B.broken[p] & reach
    cdef Mask part = doubtful
    cdef Mask after
    repeats = repeats and may_repeat(B, key, reach, p)
    revolts |= B.normal[p] & reach
    chance /= each_outcome(B, doubtful)
    while True:                                      # each set of broken links that hold, down to the empty one
        after = revolts | part
        if not (repeats and not part):
            if popcount(after) > chain_most_revolts(S, key):
                visit_fall(S, NO_REVOLT_LEFT, chance)
            else:
                chain_rise(S, key, after, p, chance)
        if not part:
            return
        part = 0 if B.reading[I_CHECK] else (part - 1) & doubtful


cdef inline void rise_in_each(Sweep* S, ChainKey key, Mask hits, double chance, bint repeats) noexcept nogil:
    """An uprising in each of the provinces `hits`; `chance` is that of one."""
    while hits:
        if WHOLE and spend(&S.watch, RISE_TICKS):
            return
        rise(S, key, lowest(hits), chance, repeats)
        hits &= hits - 1


cdef inline void quiet_activity(Sweep* S, ChainKey key, Mask rolled, double chance) noexcept nogil:
    """A roll of each province in `rolled` where no revolt lies; `chance` is that of one province."""
    cdef Mask revolts = chain_revolts(key)
    cdef Mask unrest = chain_unrest(S, key)
    cdef Mask safe = chain_protected(S, key) & rolled
    cdef Mask rest = rolled & ~(revolts | unrest | safe)
    cdef bint unrest_full = not chain_unrest_left(S, key, unrest)
    cdef bint revolts_full = popcount(revolts) == chain_most_revolts(S, key)
    if safe:
        chain_advance(S, key, unrest, chance * popcount(safe))
    if unrest_full and rest:
        visit_fall(S, NO_UNREST_LEFT, chance * popcount(rest))
        rest = 0
    while rest:                                      # no disc: unrest
        if WHOLE and spend(&S.watch, ROLL_TICKS):
            return
        chain_new_unrest(S, key, unrest, rest & (<Mask> 0 - rest), chance)
        rest &= rest - 1
    rest = unrest & rolled
    if revolts_full and rest:
        visit_fall(S, NO_REVOLT_LEFT, chance * popcount(rest))
        rest = 0
    while rest:                                      # unrest: revolt
        if WHOLE and spend(&S.watch, ROLL_TICKS):
            return
        chain_new_revolt(S, key, unrest, rest & (<Mask> 0 - rest), chance)
        rest &= rest - 1


cdef inline double first_uprisings(Sweep* S, ChainKey key, double chance) noexcept nogil:
    """The uprisings that the first roll can bring; returns their chance."""
    cdef Mask hits = chain_revolts(key) & S.board.numbered
    rise_in_each(S, key, hits, chance / 36, False)
    return chance * popcount(hits) / 36


cdef inline void first_activity(Sweep* S, ChainKey key, double chance) noexcept nogil:
    """What follows from a position after step 1."""
    cdef double uprising
    quiet_activity(S, key, S.board.numbered, chance / 36)
    uprising = first_uprisings(S, key, chance)
    S.figures.p_uprising += uprising
    S.figures.e_uprisings += uprising


cdef inline double repeats_of(const Sweep* S, ChainKey key) noexcept nogil:
    """The chance, in 36ths, that the echo roll leads to an uprising that changes nothing."""
    cdef const Board* B = S.board
    cdef Mask reach = uprising_reach(B, chain_revolts(key))
    cdef Mask rest
    cdef double repeats = 0
    cdef int p
    if not chain_army_left(S, key):                  # no echo
        return 0
    rest = chain_revolts(key) & chain_closed(S, key)
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if may_repeat(B, key, reach, p):
            repeats += 1.0 / each_outcome(B, B.broken[p] & reach)
    return repeats


cdef inline double times_met(const Sweep* S, ChainKey key, double inflow) noexcept nogil:
    """How often a position is met that is reached so often from others."""
    return inflow / (1 - repeats_of(S, key) / 36)


cdef inline double echo_uprisings(Sweep* S, ChainKey key, Mask closed, double met, bint repeats) noexcept nogil:
    """The uprisings that the echo rolls can bring; returns their expected number. `repeats` as in `rise`."""
    cdef Mask hits = chain_revolts(key) & closed
    rise_in_each(S, key, hits, met / 36, repeats)
    return met * popcount(hits) / 36


cdef inline void echo_activity(Sweep* S, ChainKey key, double met) noexcept nogil:
    """What follows the uprisings that have left this position, `met` so often, repeats counted."""
    cdef Mask unrest = chain_unrest(S, key)
    cdef Mask closed
    cdef int i
    if not chain_army_left(S, key):                  # no echo
        chain_advance(S, key, unrest, met)
        return
    closed = chain_closed(S, key)
    for i in range(6):
        if not closed & S.board.region[i]:           # the border is empty: an army
            S.figures.arrival[i] += met / 6
            chain_arrival(S, key, unrest, i, met / 6)
    quiet_activity(S, key, closed, met / 36)
    S.figures.e_uprisings += echo_uprisings(S, key, closed, met, True)
