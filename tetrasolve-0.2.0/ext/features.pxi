# What an evaluation looks at: a position as a row of numbers.
#
# A position is looked at in one of two moments: at the start of a Roman phase (the mark is open), or at the end of a turn,
# before the Barbarian phase (any other mark). Emperors are numbered by who acts next: 0 acts first. The first features
# are of what lies where, each 0 or 1; the others are counts, and what the next three Emperors could do if until then
# the Barbarians did no more than they are sure to do (`project`). All is described in words in hint/features.py, which works
# the same row out of a Position.

cdef enum:
    AT_REVOLTS = 0
    AT_UNREST = 48
    AT_GARRISONS = 96
    AT_ARMIES = 144
    AT_EMPERORS = 192      # 49 for each Emperor, the last one for off the board
    AT_FLEETS = 388
    AT_LEVEL = 396         # garrisons of an Emperor, 3 to 5
    AT_RESERVES = 399      # 6 for each Emperor
    AT_BORDERS = 423       # 5 for each border: secured, or by the revolts behind it
    AT_SECURED = 453       # how many
    AT_SPARE = 460         # garrisons in the reserves beyond those that the other borders need, -1 to 4
    MOST_SPARE = 4
    AT_COUNTS = 466
    COUNTS = 12
    AT_ACTORS = 478        # 14 for each of the next three Emperors
    ACTORS = 3
    ACTOR_FEATURES = 14
    WITHOUT_ARMIES = 5     # the first of these: those that are not of armies
    AT_ARMY_WAYS = 520     # 7 for each army, in the order of their advance
    WAY_FEATURES = 7
    AT_FALLS = 541         # the Empire falls in the first, ..., fourth phase from now
    FALLS = 4
    MOST_SITES = 12        # from which an army can be attacked; where there are more, see `Ahead.ways`
    MOST_WIDTH = 64        # of the hidden layer
    MOST_DIVIDED = 64      # above what is divided,
    MOST_DIVISORS = 49     # and by what, see `divided`

cdef float[MOST_DIVISORS][MOST_DIVIDED] QUOTIENTS


cdef int divide_beforehand() except -1:
    cdef int parts, n
    for parts in range(1, MOST_DIVISORS):
        for n in range(MOST_DIVIDED):
            QUOTIENTS[parts][n] = <float> (n / <double> parts)
    return 0


divide_beforehand()


cdef inline float divided(int n, int parts) noexcept nogil:
    CHECK(0 <= n < MOST_DIVIDED and 0 < parts < MOST_DIVISORS)
    return QUOTIENTS[parts][n]


cdef struct Projected:     # positions to come
    const Position* at[5]  # now, after one phase, and so on: the position itself, or one of these
    Position[4] position
    int fall               # the phase in which an army enters Roma, 0 for none of them


cdef bint project_phase(const Board* B, const Position* P, Position* Q, Mask* calm) noexcept nogil:
    """
    A phase in which only what is sure to burn burns, no die hits, and all broken links hold. True if Rome falls. `calm` are
    revolts beside which nothing burns any more, 0 where that is not known: before and after the phase.
    """
    cdef uint8_t[MOST_ARMIES] order
    cdef Mask burning, leaders
    cdef bint falls = False
    cdef int count, i, p, q
    Q[0] = P[0]
    if Q.unrest and Q.revolts != calm[0]:
        burning = caught(B.normal, Q.unrest, Q.revolts)
        if popcount(Q.revolts | burning) > most_revolts(B, Q):
            falls = True
            calm[0] = 0
        else:
            Q.revolts |= burning
            Q.unrest &= ~burning
            calm[0] = Q.revolts
    remove_burnt(Q)
    if not Q.armies:
        return falls
    leaders = all_leaders(Q)
    count = in_order(B, movers(Q), order)
    for i in range(count):
        p = order[i]
        q = B.way[p]
        if q < 0 or (Q.armies | leaders) >> q & 1:
            continue
        Q.armies ^= bit(p)
        if q == B.roma:
            figure_follows(Q, p, NOT_IN_PLAY)
            falls = True
            continue
        Q.armies |= bit(q)
        figure_follows(Q, p, q)
        lift_discs(Q, bit(q))
        if not place_revolts(B, Q, bit(q)):
            falls = True
    return falls


cdef void project(const Board* B, const Position* P, Projected* T) noexcept nogil:
    cdef Mask calm = 0
    cdef int i
    T.at[0] = P
    T.fall = 0
    for i in range(4):
        if i and not T.at[i].armies and (not T.at[i].unrest or T.at[i].revolts == calm):
            T.at[i + 1] = T.at[i]                    # nothing changes any more
            continue
        if project_phase(B, T.at[i], &T.position[i], &calm) and not T.fall:
            T.fall = i + 1
        T.at[i + 1] = &T.position[i]


cdef struct Target:        # an army that one of the next Emperors can attack
    Mask beside            # where another Emperor would support him
    uint8_t actor
    uint8_t feature        # the first of the three
    uint8_t revolts        # that help the army
    int8_t support         # Emperors who help him
    uint8_t sites
    uint8_t[MOST_SITES] site     # where he can attack from,
    uint8_t[MOST_SITES] group    # the size of his group there,
    uint8_t[MOST_SITES] armies   # and the armies that support the one attacked

cdef struct Ahead:         # features from AT_ACTORS on, and what another Emperor on the board would change
    float[AT_FALLS + FALLS - AT_ACTORS] f
    Mask near              # nowhere else anything
    Mask ways              # here all of it, else what he changes in attacks
    Mask[ACTORS] burning   # he is gone before the turn of each actor if he stands there
    int targets
    Target[ACTORS * MOST_ARMIES] target


cdef inline float odds_of_victory(Odds odds) noexcept nogil:
    return divided(odds.victory, 36)


cdef inline float odds_of_defeat(Odds odds) noexcept nogil:
    return divided(36 - odds.victory - odds.draw, 36)


cdef inline Mask actor_start(const Board* B, const Position* P, int emperor) noexcept nogil:
    """Where his turn would begin."""
    if P.emperor[emperor] == OFF_BOARD:
        return bit(B.roma) | (bit(B.capital[emperor]) & ~all_discs(P))
    return bit(P.emperor[emperor])


cdef inline void note_site(Target* target, int site, const Battle* battle) noexcept nogil:
    if target.sites < MOST_SITES:
        target.site[target.sites] = site
        target.group[target.sites] = battle.g
        target.armies[target.sites] = battle.a
        target.support = battle.e
    target.sites += 1


cdef void actor_features(
    const Board* B, const Reach* reach, const Position* P, int emperor, float* f, Ahead* ahead, int actor,
) noexcept nogil:
    """
    What an Emperor can do on a position, were it his turn; `reach` is where he can go. If wanted, adds to `ahead` what another
    Emperor would change: he supports attacks beside the army, and is in the way there.
    """
    cdef Target* target = NULL
    cdef Position there
    cdef uint8_t[MOST_ARMIES] order
    cdef Battle battle
    cdef Odds odds, best
    cdef Mask sites, others, rest
    cdef int count, i, k, q, s, cost, securable
    cdef int revolts = 0
    if P.emperor[emperor] == OFF_BOARD:
        f[0] = 1
    if garrisons_left(B, P, emperor) > 0:
        securable = 0
        cost = 7
        for i in range(6):
            rest = bit(B.border[i])
            if rest & (all_discs(P) | P.armies) or P.revolts & B.region[i] or not rest & reach.within[full_ip(B) - 2]:
                continue
            securable += 1
            for k in range(5):
                if rest & reach.within[k]:
                    if k < cost:
                        cost = k
                    break
        f[1] = divided(securable, 2)
        if securable:
            f[2] = divided(6 - cost, 6)
    f[3] = divided(popcount(P.revolts & B.numbered & reach.within[full_ip(B) - 2]), 6)
    f[4] = divided(popcount(reach.within[full_ip(B)]), 48)
    if not P.armies:
        return
    there = P[0]
    there.mover = emperor
    others = other_figures(&there, EMPEROR)
    if ahead:
        ahead.burning[actor] = P.revolts
    count = in_order(B, P.armies, order)
    for i in range(count):
        q = order[i]
        best.victory = best.draw = 0
        k = -1
        sites = B.linked[q] & reach.within[full_ip(B) - 1] & ~(P.armies | others) if may_be_attacked(P, q) else 0
        if ahead:
            target = &ahead.target[ahead.targets]
            target.sites = 0
        while sites:
            s = lowest(sites)
            sites &= sites - 1
            cost = attack_cost(B, &there, s, q)
            if (WHOLE and cost > full_ip(B)) or not reach.within[full_ip(B) - cost] >> s & 1:
                continue
            there.emperor[emperor] = s
            if k < 0:
                revolts = revolt_group(B, P, q)
            battle = battle_against(B, &there, emperor, q, revolts)
            odds = odds_in(B, &there, &battle, s, q)
            if ahead:
                note_site(target, s, &battle)
            if k < 0 or odds.victory > best.victory or (odds.victory == best.victory and odds.draw > best.draw):
                best = odds
                k = s
        there.emperor[emperor] = P.emperor[emperor]
        if k >= 0:
            f[5 + 3 * i] = 1
            f[6 + 3 * i] = odds_of_victory(best)
            f[7 + 3 * i] = odds_of_defeat(best)
            if ahead:
                ahead.near |= B.battle[q] | B.linked[q]
                if WHOLE or target.sites > MOST_SITES:
                    ahead.ways |= B.battle[q] | B.linked[q]
                target.beside = B.battle[q]
                target.actor = actor
                target.feature = actor * ACTOR_FEATURES + 5 + 3 * i
                target.revolts = revolts
                ahead.targets += 1


cdef void way_features(const Board* B, const Position* P, float* f, Ahead* ahead) noexcept nogil:
    """What is in the way of each army. If wanted, adds to `ahead` where another Emperor would support one who is."""
    cdef uint8_t[MOST_ARMIES] order
    cdef Odds odds
    cdef int count = in_order(B, P.armies, order)
    cdef int i, p, q, far, emperor
    for i in range(count):
        p = order[i]
        q = B.way[p] if movers(P) >> p & 1 else -1
        f[0] = 1
        far = 0
        while B.way[p] >= 0 and far < 12:
            far += 1
            p = B.way[p]
        p = order[i]
        f[1] = divided(far, 12)
        if q >= 0:
            if P.armies >> q & 1:
                f[2] = 1
            emperor = leader_at(P, q)
            if emperor >= 0:
                if ahead:
                    ahead.near |= B.battle[p]
                    ahead.ways |= B.battle[p]
                odds = odds_of(B, P, emperor, p)
                f[3] = odds_of_victory(odds)
                f[4] = odds_of_defeat(odds)
            if B.broken[p] >> q & 1:
                f[5] = 1
        if P.revolts >> p & 1 or not B.reading[I_REVOLT_GROUP]:
            f[6] = divided(group_size(B, P.revolts, p), 10)
        f += WAY_FEATURES


cdef void count_features(const Board* B, Recall* R, const Position* P, float* f) noexcept nogil:
    """How many discs there are, and what becomes of them."""
    cdef Mask burning = caught(B.normal, P.unrest, P.revolts)
    cdef Mask revolts = P.revolts | burning
    cdef Mask doubtful = caught(B.linked, P.unrest & ~burning, revolts)
    cdef const Ground* ground = ground_of(B, R, revolts)
    cdef int n = popcount(revolts)
    f[0] = divided(popcount(P.revolts), 21)
    f[1] = divided(n - 8 if n > 8 else 0, 13)
    f[2] = divided(n - 13 if n > 13 else 0, 8)
    f[3] = divided(n - 17 if n > 17 else 0, 4)
    f[4] = divided(n, 21)
    f[5] = divided(popcount(P.unrest), 21)
    f[6] = divided(popcount(burning), 5)
    f[7] = divided(popcount(doubtful), 5)
    f[8] = <float> (ground.growth / 72.0)
    f[9] = divided(ground.largest, 21)
    f[10] = divided(popcount(B.numbered & ~(all_discs(P) | B.printed_any)), 36)
    f[11] = divided(popcount(P.armies), 3)


cdef Mask around_armies(const Board* B, const Projected* T) noexcept nogil:
    """
    Where armies are or arrive in the projected phases, and where they go next, where an Emperor would be in the way; with modules
    all that is linked to it.
    """
    cdef Mask places = 0
    cdef Mask near
    cdef int i, p
    for i in range(5):
        places |= T.at[i].armies
    near = places
    while places:
        p = lowest(places)
        near |= B.linked[p] if WHOLE else bit(B.way[p]) if B.way[p] >= 0 else 0
        places &= places - 1
    return near


cdef void look_ahead(const Board* B, Recall* R, const Position* P, float* f, Ahead* ahead) noexcept nogil:
    """
    The features from AT_ACTORS on; `f` begins there and is all 0. Sets `ahead`, if wanted, but for its features: what the Emperor
    whose turn ends, off the board in `P`, would change.
    """
    cdef Projected T
    cdef ReachKept* kept[ACTORS]
    cdef const Position* table[ACTORS]
    cdef Mask[ACTORS] start
    cdef int[ACTORS] actor
    cdef int first = P.mark != ROMAN_OPEN
    cdef int j
    if ahead:
        ahead.near = ahead.ways = 0
        ahead.targets = 0
    project(B, P, &T)
    for j in range(ACTORS):
        table[j] = T.at[j + first]
        actor[j] = (P.mover + j + first) & 3
        start[j] = actor_start(B, table[j], actor[j])
        kept[j] = reach_kept(R, table[j], start[j])
        FETCH(kept[j])
        FETCH(<char*> kept[j] + CACHE_LINE)
    for j in range(ACTORS):
        actor_features(
            B, reach_at(B, kept[j], table[j], start[j]), table[j], actor[j], f + j * ACTOR_FEATURES, ahead, j)
    if P.armies:
        way_features(B, P, f + (AT_ARMY_WAYS - AT_ACTORS), ahead)
        if ahead:
            ahead.ways |= around_armies(B, &T)
            ahead.near |= ahead.ways
    if T.fall:
        f[AT_FALLS - AT_ACTORS + T.fall - 1] = 1


cdef void beside_armies(const Board* B, const Ahead* ahead, int place, float* f) noexcept nogil:
    """The features of `ahead` where the Emperor stands in this place, in the way of no army."""
    cdef const Target* target
    cdef Odds odds, best
    cdef int i, k, support
    cdef bint found
    memcpy(f, ahead.f, sizeof(ahead.f))
    for i in range(ahead.targets):
        target = &ahead.target[i]
        if ahead.burning[target.actor] >> place & 1:
            continue
        support = target.support + (target.beside >> place & 1)
        found = False
        best.victory = best.draw = 0
        for k in range(target.sites):
            if target.site[k] == place:
                continue
            odds = B.odds[target.group[k]][target.revolts][support - target.armies[k] + LEAST_SUPPORT]
            if not found or odds.victory > best.victory or (odds.victory == best.victory and odds.draw > best.draw):
                best = odds
                found = True
        f[target.feature] = found
        f[target.feature + 1] = odds_of_victory(best) if found else 0
        f[target.feature + 2] = odds_of_defeat(best) if found else 0


cdef void worked_out(const Board* B, Recall* R, const Position* P, float* f, Ahead* ahead) noexcept nogil:
    """The features from AT_COUNTS on, likewise."""
    count_features(B, R, P, f)
    look_ahead(B, R, P, f + (AT_ACTORS - AT_COUNTS), ahead)


cdef int list_places(const Board* B, const Position* P, uint16_t* list) noexcept nogil:
    """Writes the features from AT_EMPERORS up to AT_COUNTS that are 1, and returns how many."""
    cdef int count = 0
    cdef int i, j, p, n
    cdef int secured = 0
    cdef int spare = -6
    cdef Mask discs = garrison_discs(P)
    for i in range(4):
        j = acts_in(P, i)
        p = P.emperor[i]
        list[count] = AT_EMPERORS + 49 * j + (48 if p == OFF_BOARD else p)
        n = garrisons_left(B, P, i)
        spare += n
        list[count + 1] = AT_RESERVES + 6 * j + (n if n < 5 else 5)
        count += 2
    list[count] = AT_FLEETS + P.fleets
    count += 1
    if 3 <= B.garrisons <= 5:
        list[count] = AT_LEVEL + B.garrisons - 3
        count += 1
    for i in range(6):
        if discs >> B.border[i] & 1:
            n = 0
            secured += 1
        else:
            n = popcount(P.revolts & B.region[i])
            n = 1 + (n if n < 3 else 3)
        list[count] = AT_BORDERS + 5 * i + n
        count += 1
    spare += secured
    list[count] = AT_SECURED + secured
    list[count + 1] = AT_SPARE + 1 + (-1 if spare < 0 else spare if spare < MOST_SPARE else MOST_SPARE)
    return count + 2


cdef inline int list_provinces(int at, Mask rest, uint16_t* list, int count) noexcept nogil:
    while rest:
        list[count] = at + lowest(rest)
        rest &= rest - 1
        count += 1
    return count


cdef int list_set(const Board* B, const Position* P, uint16_t* list) noexcept nogil:
    """Writes the features before AT_COUNTS that are 1, and returns how many."""
    cdef int count = list_provinces(AT_REVOLTS, P.revolts, list, 0)
    count = list_provinces(AT_UNREST, P.unrest, list, count)
    count = list_provinces(AT_GARRISONS, garrison_discs(P), list, count)
    count = list_provinces(AT_ARMIES, P.armies, list, count)
    return count + list_places(B, P, list + count)


cdef enum:
    MOST_PLACES = 18       # 8 + 1 + 1 + 6 + 2
    MOST_SET = 160         # above 2 * 21 + 40 + 3 + MOST_PLACES


cdef void all_features(const Board* B, Recall* R, const Position* P, float* f) noexcept nogil:
    """The whole row."""
    cdef uint16_t[MOST_SET] list
    cdef Left left
    cdef int i
    memset(f, 0, FEATURES * sizeof(float))
    for i in range(list_set(B, P, list)):
        f[list[i]] = 1
    worked_out(B, R, P, f + AT_COUNTS, NULL)
    left = what_is_left(B, R, P)
    if left.one >= 0:
        f[left.one] = 1
        f[left.farthest] = left.far
        f[left.farthest + 1] = left.all
    module_features(B, R, P, f + AT_MODULES)
