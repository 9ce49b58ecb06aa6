# Barbarian phase: how likely each thing is to lie where when it is over.
#
# Where outcomes are weighed province by province nobody needs the outcomes themselves: it is enough to know how often a
# revolt, an unrest, an army arrives in each province, and what lay there before is gone. These *marginals* are
# summed up over the positions of step 2 (see activity.pxi), and from each position the 36 provinces of a roll and the ways to
# march are taken together: from a position on, nothing is as large as the number of outcomes.
#
# Garrisons do not change what revolts do: a revolt replaces whatever lies there. They only keep an unrest away, and they
# are lost where a revolt comes. So the marginals of a position are the same for all garrisons, and one calculation serves
# all of them. Two things break that: a battle, whose odds count garrisons (see skirmish.pxi), and a roll when the last
# unrest lies on the board.
#
# Only positive numbers are added and multiplied here, so what cannot happen is exactly 0, and rounding is bounded by the
# number of roundings alone.

cdef struct Marginals:     # chances, the Empire standing at the end
    double stands
    double[PROVINCES] taken      # what lay there is gone: a revolt came, or a victory over an army has cleared it
    double[PROVINCES] freed      # of this, where no revolt lies at the end
    double[PROVINCES] struck     # neither revolt nor unrest lay there, the activity hit it and nothing came later
    double[PROVINCES] army
    double[4] gone               # Emperors removed
    double[3] fallen             # chances of a fall, by cause

cdef struct ChainPosition:  # after step 1, or after an uprising
    Mask revolts
    double met             # expected number of times

cdef struct Chain:         # steps 1 and 2, for all positions with the same revolts, unrest and closed borders
    Mask unrest
    Mask closed            # numbered provinces of the regions whose border is not empty
    Mask armies
    Mask shield            # protected provinces, where it matters that they are
    int open               # bit i: the border of region i is empty; 0 if no army is left
    bint army_left
    size_t first           # its positions: row of the first,
    size_t firsts          # number of those after step 1,
    size_t count           # number of all
    double fallen          # in steps 1 and 2 before the last roll: no revolt left
    double p_uprising
    double e_uprisings
    double p_new_army

cdef struct Pool:          # several ways to march together, where no reserve can run out
    double stands
    double roma            # an army enters Roma
    Mask touched           # provinces that may be entered
    int most               # provinces entered at most
    double[PROVINCES] entered
    double[PROVINCES] missed     # the Empire stands and it is not entered
    double[PROVINCES] army

cdef enum:
    WITHOUT_FRESH = 1 << NO_FRESH_ARMY    # among kinds of advances: bit i for a fresh army on border i, this for none


cdef inline void add_to(double* row, Mask where, double chance) noexcept nogil:
    while where:
        row[lowest(where)] += chance
        where &= where - 1


cdef void marginals_add(Marginals* X, const Marginals* other) noexcept nogil:
    cdef double* row = &X.stands
    cdef const double* more = &other.stands
    cdef size_t i
    for i in range(sizeof(Marginals) / sizeof(double)):
        row[i] += more[i]


cdef void pool_marches(Pool* pool, const Marches* M) noexcept nogil:
    """Adds one set of ways."""
    cdef const Advance* way
    cdef int i, p
    pool.roma += M.fall
    for i in range(M.count):
        way = &M.way[i]
        pool.stands += way.chance
        pool.touched |= way.entered
        pool.most = max(pool.most, popcount(way.entered))
        add_to(pool.entered, way.entered, way.chance)
        add_to(pool.army, way.armies, way.chance)
        for p in range(PROVINCES):
            if not way.entered >> p & 1:
                pool.missed[p] += way.chance


cdef double march_tight(Marginals* X, const Marches* M, Mask revolts, Mask calm, double each, double times) noexcept nogil:
    """All ways from a position with few revolts left, `times` as likely as `each`; returns the chance to stand after `each`."""
    cdef const Advance* way
    cdef double chance
    cdef double stands = 0
    cdef int i
    X.fallen[ARMY_IN_ROMA] += each * times * M.fall
    for i in range(M.count):
        way = &M.way[i]
        chance = each * way.chance
        if popcount(revolts | way.entered) > MOST_DISCS:
            X.fallen[NO_REVOLT_LEFT] += chance * times
            continue
        stands += chance
        add_to(X.taken, way.entered & ~revolts, chance * times)
        add_to(X.army, way.armies, chance * times)
        add_to(X.struck, calm & ~way.entered, chance)
    X.stands += stands * times
    add_to(X.taken, revolts, stands * times)
    return stands


cdef struct Rolls:         # what the last roll of a phase can hit
    Mask calm              # nothing changes but for a new unrest where the province is empty
    Mask turning           # unrest that becomes a revolt


cdef inline Rolls rolls_on(const Chain* C, Marginals* X, Mask revolts, Mask rolled, double each) noexcept nogil:
    """What a roll of each province in `rolled` can hit where no reserve is empty; the falls are noted."""
    cdef Rolls rolls
    cdef Mask empty
    rolls.calm = rolled & ~(revolts | C.unrest)
    rolls.turning = rolled & C.unrest & ~revolts
    if popcount(C.unrest & ~revolts) == MOST_DISCS:
        empty = rolls.calm & ~C.shield
        X.fallen[NO_UNREST_LEFT] += each * popcount(empty)
        rolls.calm ^= empty
    if popcount(revolts) == MOST_DISCS:
        X.fallen[NO_REVOLT_LEFT] += each * popcount(rolls.turning)
        rolls.turning = 0
    return rolls


cdef void settle_tight(
    const Chain* C, Marginals* X, const Marches* marches, int kinds, Mask revolts, Mask rolled, double each, double straight,
    double fresh,
) noexcept nogil:
    """What follows from a position where a reserve may run out; see `settle`."""
    cdef Rolls rolls
    cdef Mask struck
    cdef int i
    if each > 0:
        rolls = rolls_on(C, X, revolts, rolled, each)
        if rolls.calm:
            march_tight(X, &marches[NO_FRESH_ARMY], revolts, rolls.calm, each, popcount(rolls.calm))
        while rolls.turning:
            struck = rolls.turning & (<Mask> 0 - rolls.turning)
            march_tight(X, &marches[NO_FRESH_ARMY], revolts | struck, 0, each, 1)
            rolls.turning ^= struck
    if straight > 0:
        march_tight(X, &marches[NO_FRESH_ARMY], revolts, 0, straight, 1)
    if fresh > 0:
        for i in range(6):
            if kinds >> i & 1:
                march_tight(X, &marches[i], revolts, 0, fresh, 1)


cdef void settle(
    const Board* B, const Chain* C, const ChainPosition* positions, size_t firsts, size_t count, const Marches* marches, int kinds,
    const Pool* calm, const Pool* landing, Marginals* X, Watch* watch,
) noexcept nogil:
    """
    Adds what follows from these positions, the first `firsts` of them after step 1, by the given kinds of advances, in none
    of which an Emperor is in the way; `calm` are those without a fresh army, `landing` all others.
    """
    cdef double[PROVINCES] hit
    cdef Mask revolts, rolled, ground, rest
    cdef double met, each, straight, fresh, quiet, stands
    cdef double all_quiet = 0
    cdef double all_fresh = 0
    cdef bint crowded = popcount(C.unrest) == MOST_DISCS
    cdef int spare
    cdef size_t i
    cdef int p, n
    memset(hit, 0, sizeof(hit))
    spare = MOST_DISCS - max(calm.most + 1, landing.most)
    for i in range(count):
        if not i & 15 and spend(watch, 20):          # after a stop the marginals are of no use
            return
        revolts = positions[i].revolts
        met = positions[i].met
        each = straight = fresh = 0
        rolled = B.numbered if i < firsts else C.closed
        if i >= firsts and not C.army_left:
            straight = met                           # no echo
        elif kinds & WITHOUT_FRESH:
            each = met / 36
        if i >= firsts and landing.stands + landing.roma > 0:
            fresh = met / 6
        if not kinds & WITHOUT_FRESH:
            straight = 0
        if crowded or popcount(revolts) > spare:
            settle_tight(C, X, marches, kinds, revolts, rolled, each, straight, fresh)
            continue
        ground = rolled & ~revolts
        n = popcount(ground)
        quiet = each * n + straight
        stands = quiet * calm.stands + fresh * landing.stands
        X.stands += stands
        add_to(X.taken, revolts, stands)
        if each > 0:
            add_to(hit, ground, each)
        rest = calm.touched & ~revolts
        while rest:
            p = lowest(rest)
            rest &= rest - 1
            X.taken[p] += (each * (n - ((ground & C.unrest) >> p & 1)) + straight) * calm.entered[p]
        if fresh > 0:
            rest = landing.touched & ~revolts
            while rest:
                p = lowest(rest)
                rest &= rest - 1
                X.taken[p] += fresh * landing.entered[p]
        all_quiet += quiet
        all_fresh += fresh
    X.fallen[ARMY_IN_ROMA] += all_quiet * calm.roma + all_fresh * landing.roma
    for p in range(PROVINCES):
        X.army[p] += all_quiet * calm.army[p] + all_fresh * landing.army[p]
        if C.unrest >> p & 1:
            X.taken[p] += hit[p] * calm.stands
        else:
            X.struck[p] += hit[p] * calm.missed[p]
