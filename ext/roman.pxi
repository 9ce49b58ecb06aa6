# The Roman phase (rules, section 3).
#
# Legality, cost and effect of every action of the base game are here and nowhere else. Where a module changes one of them, a
# function is called that figures.pxi or wholeroman.pxi defines; bare.pxi has its simplest form, which the compiler removes. What
# can be done depends on the position, which a `Scene` sums up once, and on the place `p` and the IP left of the one who acts, which
# vary while he walks.

cdef struct Scene:
    const Position* position
    Mask others            # where other figures stand than the active Emperor, or than the one who moves
    Mask discs             # from here on not set by `look_around`
    bint garrison_left     # in the reserve of the active Emperor
    bint unrest_left


cdef inline void look_around(const Position* P, int figure, Scene* V) noexcept nogil:
    """Sets what the moves and entries of a figure depend on."""
    V.position = P
    V.others = other_figures(P, figure)


cdef inline void look(const Board* B, const Position* P, Scene* V) noexcept nogil:
    look_around(P, EMPEROR, V)
    V.discs = all_discs(P)
    V.garrison_left = garrisons_left(B, P, P.mover) > 0
    V.unrest_left = B.reading[I_RESERVE] or unrest_in_reserve(B, P) > 0


# Move: LINK_IP by a normal link or by sea, BROKEN_LINK_IP by a broken link, an IP more for each further zone, REVOLT_IP more
# where a revolt lies; never to an army.

cdef struct Ways:          # provinces a figure can move to, by cost
    Mask one
    Mask two
    Mask three
    Mask four              # with modules only


cdef inline Mask near_to(const Board* B, int p, int fleets) noexcept nogil:
    """Provinces a link away, or across one sea zone."""
    return B.normal[p] | B.sea[p][fleets]


cdef inline Mask middle_to(const Board* B, int p, int fleets) noexcept nogil:
    """Provinces an IP further away."""
    return (B.broken[p] | across_two_zones(B, p, fleets)) & ~near_to(B, p, fleets)


cdef inline Mask far_to(const Board* B, int p, int fleets) noexcept nogil:
    """And two IP further."""
    return across_three_zones(B, p, fleets) & ~(near_to(B, p, fleets) | middle_to(B, p, fleets))


cdef inline Ways ways_over(const Position* P, int figure, Mask near, Mask middle, Mask far) noexcept nogil:
    """Over these distances, from one province or from any of several."""
    cdef Mask calm = ~(P.revolts | P.armies)
    cdef Mask wild = P.revolts & ~P.armies if enters_revolts(figure) else 0
    cdef Ways ways
    ways.one = near & calm
    ways.two = (near & wild) | (middle & calm)
    ways.three = (middle & wild) | (far & calm)
    ways.four = far & wild
    return ways


cdef inline Ways ways_from(const Board* B, const Position* P, int figure, int p, int fleets) noexcept nogil:
    cdef Mask open_to = ~closed_to(B, P, figure)
    return ways_over(
        P, figure, near_to(B, p, fleets) & open_to, middle_to(B, p, fleets) & open_to, far_to(B, p, fleets) & open_to)


# The same for sets of provinces at once: distances are kept for every six neighbouring bits of a mask. Each distance is the same
# in both directions.

cdef enum:
    BITS = 6               # of a mask, looked up together
    PARTS = PROVINCES / BITS

cdef struct Distances:     # with one set of fleets
    Mask[PARTS << BITS] near
    Mask[PARTS << BITS] middle
    Mask[PARTS << BITS] far


cdef void measure(const Board* B, int fleets, Distances* D) noexcept nogil:
    cdef int part, bits, p, i, before
    memset(D, 0, sizeof(Distances))
    for part in range(PARTS):
        for bits in range(1, 1 << BITS):
            p = BITS * part + lowest(bits)
            i = part << BITS | bits
            before = part << BITS | (bits & (bits - 1))
            D.near[i] = D.near[before] | near_to(B, p, fleets)
            D.middle[i] = D.middle[before] | middle_to(B, p, fleets)
            if WHOLE:
                D.far[i] = D.far[before] | far_to(B, p, fleets)


cdef inline Mask over(const Mask* distance, Mask where) noexcept nogil:
    """Provinces at a distance from any of these."""
    cdef Mask found = 0
    cdef int part
    for part in range(PARTS):
        found |= distance[part << BITS | (where >> BITS * part & ((1 << BITS) - 1))]
    return found


cdef inline Ways ways_from_any(const Distances* D, const Position* P, Mask where) noexcept nogil:
    """Where the active Emperor can move to from any of these provinces."""
    return ways_over(P, EMPEROR, over(D.near, where), over(D.middle, where), over(D.far, where) if WHOLE else 0)


cdef inline Mask ways_to_any(const Distances* D, const Position* P, Mask where, int cost) noexcept nogil:
    """From where he can move to any of these provinces at this cost; as in `ways_over`."""
    cdef Mask calm = where & ~(P.revolts | P.armies)
    cdef Mask wild = where & P.revolts & ~P.armies
    cdef Mask found = 0
    if cost <= 2:
        found = over(D.near, calm if cost == 1 else wild)
    if 2 <= cost <= 3:
        found |= over(D.middle, calm if cost == 2 else wild)
    if WHOLE and cost >= 3:
        found |= over(D.far, calm if cost == 3 else wild)
    return found


cdef inline Mask at_cost(const Ways* ways, int cost) noexcept nogil:
    if cost <= 2:
        return ways.one if cost == 1 else ways.two
    return ways.three if cost == 3 else ways.four


cdef inline Mask affordable(const Ways* ways, int ip) noexcept nogil:
    if ip >= 3:
        return ways.one | ways.two | ways.three | (ways.four if ip > 3 else 0)
    if ip == 2:
        return ways.one | ways.two
    return ways.one if ip == 1 else 0


cdef inline int move_cost(const Board* B, const Position* P, int p, int fleets, int q) noexcept nogil:
    """Of a legal move from `p` to `q`; the same as `ways_from` says, for one province."""
    cdef Mask near = B.normal[p] | B.sea[p][fleets]
    cdef int cost = BROKEN_LINK_IP - (BROKEN_LINK_IP - LINK_IP) * (near >> q & 1) + REVOLT_IP * (P.revolts >> q & 1)
    if WHOLE:
        cost += not (near | B.broken[p] | across_two_zones(B, p, fleets)) >> q & 1
    return cost


# In the base build `figure` is a constant; each of these two takes at most six other arguments, which fit in registers.

cdef bint can_leave(const Board* B, const Scene* V, int figure, int p, int fleets, int ip) noexcept nogil:
    """[I-PASS] Whether a figure that shares province `p` can still get out, through other shared provinces if need be."""
    cdef Ways ways = ways_from(B, V.position, figure, p, fleets)
    cdef Mask rest = affordable(&ways, ip)
    cdef int q
    if rest & ~V.others:
        return True
    if B.reading[I_PASS]:
        return False
    while rest:
        q = lowest(rest)
        rest &= rest - 1
        if can_leave(B, V, figure, q, fleets, ip - move_cost(B, V.position, p, fleets, q)):
            return True
    return False


cdef Mask without_traps(
    const Board* B, const Scene* V, int figure, int p, int fleets, int ip, Mask moves,
) noexcept nogil:
    """`moves` without those into a shared province from which no way out is left."""
    cdef Mask shared = moves & V.others
    cdef int q
    if B.reading[I_PASS] and V.others & bit(p):
        return moves & ~shared
    while shared:
        q = lowest(shared)
        shared &= shared - 1
        if not can_leave(B, V, figure, q, fleets, ip - move_cost(B, V.position, p, fleets, q)):
            moves ^= bit(q)
    return moves


cdef inline Mask legal_moves(
    const Board* B, const Scene* V, int figure, int p, int fleets, int ip, const Ways* ways,
) noexcept nogil:
    """Where a figure can move, were it in `p` with so many IP left; `ways` are those from there."""
    cdef Mask moves = affordable(ways, ip)
    if moves & V.others:
        moves = without_traps(B, V, figure, p, fleets, ip, moves)
    return moves


cdef inline void put_moves(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    cdef Scene V
    cdef int p = figure_place(P, figure)
    cdef Ways ways = ways_from(B, P, figure, p, P.fleets)
    cdef Mask moves
    look_around(P, figure, &V)
    moves = legal_moves(B, &V, figure, p, P.fleets, P.ip, &ways)
    put_steps(list, count, by_figure(ACT_MOVE, figure), moves & ways.one, 1)
    put_steps(list, count, by_figure(ACT_MOVE, figure), moves & ways.two, 2)
    put_steps(list, count, by_figure(ACT_MOVE, figure), moves & ways.three, 3)
    if WHOLE:
        put_steps(list, count, by_figure(ACT_MOVE, figure), moves & ways.four, 4)


# Entry: Roma, or his capital if no disc lies on it; free, and the first thing of his turn.

cdef inline Mask open_entries(const Board* B, const Position* P, int emperor) noexcept nogil:
    """Roma, [I-ENTRY-ROMA] covered or not, and his capital while nothing covers it; armies, and who stands there, left aside."""
    cdef Mask discs = all_discs(P)
    cdef Mask entries = bit(B.roma) | (bit(B.capital[emperor]) & ~discs)
    if B.reading[I_ENTRY_ROMA]:
        entries &= ~(bit(B.roma) & (P.revolts if B.reading[I_ENTRY_ROMA] == 1 else discs))
    return entries


cdef Mask legal_entries(const Board* B, const Position* P) noexcept nogil:
    cdef Scene V
    cdef Mask entries = open_entries(B, P, P.mover) & ~(P.armies | closed_entries(B, P))
    cdef Mask shared
    if P.ip < full_ip(B):
        return 0
    look_around(P, EMPEROR, &V)
    shared = entries & V.others
    entries &= ~shared
    while shared and not B.reading[I_ENTRY_SHARED]:
        if can_leave(B, &V, EMPEROR, lowest(shared), P.fleets, P.ip):
            entries |= shared & (<Mask> 0 - shared)
        shared &= shared - 1
    return entries


# Sail: a fleet to an adjacent zone without one.

cdef inline void put_sails(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    cdef int i
    if WHOLE and P.ip < sail_cost(B):
        return
    for i in range(B.sails[P.fleets]):
        if sea_is_open(P, B.sail_to[P.fleets][i]):
            put_action(list, count, code_of(ACT_SAIL, B.sail_from[P.fleets][i], B.sail_to[P.fleets][i]), sail_cost(B), 36)


# Secure: a garrison on a province without a disc; on a border 2 IP, and no revolt in the region behind it.

cdef inline bint can_secure(const Board* B, const Scene* V, int p, int ip) noexcept nogil:
    return (
        V.garrison_left and ip >= B.secure_cost[p] and not (V.discs | B.no_garrison[V.position.mover]) & bit(p)
        and not V.position.revolts & B.back[p])


# Remove a revolt or an unrest, or reduce a revolt to an unrest.

cdef struct Removals:      # what can be done to the disc in a province
    bint remove
    bint reduce            # a revolt to an unrest


cdef inline int removal_cost(const Board* B, const Position* P, int p) noexcept nogil:
    """Of the disc in `p`, a revolt or an unrest."""
    return remove_revolt_cost(B) if P.revolts >> p & 1 else remove_unrest_cost(B)


cdef inline Removals legal_removals(const Board* B, const Scene* V, int p, int ip) noexcept nogil:
    cdef Removals legal
    if V.position.revolts >> p & 1:
        legal.remove = ip >= remove_revolt_cost(B)
        legal.reduce = ip >= reduce_cost(B) and V.unrest_left
    else:
        legal.remove = ip >= remove_unrest_cost(B) and V.position.unrest >> p & 1
        legal.reduce = False
    return legal


cdef inline void put_subdue(
    const Board* B, const Position* P, const Scene* V, int figure, Action* list, int* count,
) noexcept nogil:
    cdef int p = figure_place(P, figure)
    cdef Removals legal = legal_removals(B, V, p, P.ip)
    if legal.remove:
        put_action(list, count, by_figure(ACT_REMOVE, figure), removal_cost(B, P, p), 36)
    if legal.reduce:
        put_action(list, count, by_figure(ACT_REDUCE, figure), reduce_cost(B), 36)


# Attack: through a link.

cdef inline void put_outcomes(Action* list, int* count, Code code, int cost, Odds odds) noexcept nogil:
    cdef int i
    for i in range(3):
        if chance_of(odds, i):
            put_action(list, count, code | i << 10, cost, chance_of(odds, i))


cdef inline Mask legal_attacks(const Board* B, const Position* P, int p, int ip) noexcept nogil:
    """Provinces of the armies that can be attacked from `p` with so many IP."""
    cdef Mask attacks = P.armies & B.linked[p]
    cdef Mask rest = attacks
    while rest:
        if attack_cost(B, P, p, lowest(rest)) > ip or not may_be_attacked(P, lowest(rest)):
            attacks ^= rest & (<Mask> 0 - rest)
        rest &= rest - 1
    return attacks


cdef inline void put_attacks(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    cdef int p = figure_place(P, figure)
    cdef Mask rest = legal_attacks(B, P, p, P.ip)
    cdef int q, cost
    while rest:
        q = lowest(rest)
        rest &= rest - 1
        cost = attack_cost(B, P, p, q)
        put_outcomes(
            list, count, by_figure(code_of(ACT_ATTACK, q, 0), figure), cost, odds_of(B, P, leader_of(P, figure), q))
        put_boosted_attacks(B, P, figure, q, cost, list, count)
    put_attacks_at_sea(B, P, figure, list, count)


# All actions together.

cdef inline void put_other_actions(
    const Board* B, const Position* P, const Scene* V, Action* list, int* count,
) noexcept nogil:
    """All that costs IP, but the moves of the active Emperor, who is on the board and shares no province."""
    cdef int p = P.emperor[P.mover]
    put_sails(B, P, list, count)
    if can_secure(B, V, p, P.ip):
        put_action(list, count, ACT_SECURE, B.secure_cost[p], 36)
    put_subdue(B, P, V, EMPEROR, list, count)
    put_attacks(B, P, EMPEROR, list, count)
    put_actions_of_modules(B, P, V, list, count)


cdef int list_actions(const Board* B, const Position* P, Action* list) noexcept nogil:
    """Writes the legal actions, in no order but each outcome of an attack after the other, and returns how many."""
    return without_overpaid(B, P, list, list_named(B, P, list))


cdef int list_named(const Board* B, const Position* P, Action* list) noexcept nogil:
    """The same before the dice, when it is not known how many of the discs that an attack names have to be paid."""
    cdef Scene V
    cdef int count = 0
    if P.mark != ROMAN_OPEN:
        return 0
    if P.emperor[P.mover] == OFF_BOARD:       # nobody acts without the active Emperor
        put_steps(list, &count, ACT_ENTER, legal_entries(B, P), 0)
        return count
    if somebody_passes(P):                    # he who shares a province must move on
        put_moves(B, P, passing_figure(P), list, &count)
        return count
    put_powers(B, P, list, &count)
    if P.ip == 0:
        return count
    look(B, P, &V)
    put_moves(B, P, EMPEROR, list, &count)
    put_other_actions(B, P, &V, list, &count)
    CHECK(count <= MOST_ACTIONS)
    return count


cdef bint may_end(const Board* B, const Position* P) noexcept nogil:
    """He may stop at any time, but not while anybody passes, and [I-ENTRY] not off the board if he can enter."""
    if P.mark != ROMAN_OPEN:
        return False
    if P.emperor[P.mover] == OFF_BOARD:
        return B.reading[I_ENTRY] != 0 or not legal_entries(B, P)
    return not somebody_passes(P)


# What actions do.

cdef inline void begin_turn(const Board* B, Position* P) noexcept nogil:
    """Of the next Emperor, as soon as the Barbarian phase is over."""
    P.mover = (P.mover + 1) & 3
    P.ip = full_ip(B)
    P.mark = ROMAN_OPEN
    forget_power(P)


cdef inline void end_turn(Position* Q) noexcept nogil:
    Q.mark = PHASE_BARBARIAN
    Q.ip = 0
    forget_power(Q)


cdef inline void subdue(const Board* B, Position* Q, int kind, int p) noexcept nogil:
    if kind == ACT_REMOVE:
        Q.revolts &= ~bit(p)
        Q.unrest &= ~bit(p)
    elif unrest_in_reserve(B, Q) > 0:
        Q.revolts ^= bit(p)
        Q.unrest |= bit(p)
    else:
        Q.mark = RESULT_FALLEN                # [I-RESERVE], legal in one reading only


cdef inline void lose_leader(const Board* B, Position* Q, int leader) noexcept nogil:
    """A lost attack: the leader goes, and the turn ends; [I-DUX-DEFEAT] or not, if it was the Dux."""
    take_off(Q, leader)
    battle_lost(B, Q, leader)
    if ends_the_turn(B, leader):
        end_turn(Q)


cdef inline void play_battle(const Board* B, Position* Q, int figure, int army, int outcome) noexcept nogil:
    cdef int p = figure_place(Q, figure)
    cdef int leader = leader_of(Q, figure)
    if outcome == VICTORY:                    # the army and any disc of its province go, he comes
        remove_army(Q, army)
        go_to(Q, figure, army)
        battle_won(B, Q, leader)
    elif outcome == DEFEAT:                   # he and any garrison of his province go
        if B.reading[I_BORDER_DEFEAT] or not B.borders >> p & 1:     # [I-BORDER-DEFEAT] a secured border stays secured
            lift_discs(Q, bit(p) & ~(Q.revolts | Q.unrest))
        lose_leader(B, Q, leader)


cdef inline void play_step(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """`play`, for an entry or a move."""
    Q[0] = P[0]
    Q.ip = ip_after(P, action)
    go_to(Q, figure_of(action.code), a_of(action.code))
    if CHECKED_BUILD:
        check_position(B, Q)


cdef inline void play(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """The position `Q` after a legal action of `P`."""
    cdef int kind = kind_of(action.code)
    cdef int figure = figure_of(action.code)
    cdef int q = a_of(action.code)
    if kind <= ACT_MOVE:                      # or ACT_ENTER
        play_step(B, P, action, Q)
        return
    Q[0] = P[0]
    Q.ip = ip_after(P, action)
    pay_for_attack(Q, action.code)            # before anything else happens
    if kind == ACT_SAIL:
        Q.fleets ^= bit(q - 1) | bit(b_of(action.code) - 1)
    elif kind == ACT_ATTACK:
        play_battle(B, Q, figure, q, b_of(action.code))
    elif kind == ACT_END:
        end_turn(Q)
    elif kind == ACT_SECURE:
        Q.garrison[P.mover] |= bit(P.emperor[P.mover])
        if has_won(B, garrison_discs(Q)):
            Q.mark = RESULT_WON               # the last border that is needed wins at once
    elif WHOLE and kind > ACT_END:
        play_module(B, P, action, Q)
    else:
        subdue(B, Q, kind, figure_place(P, figure))
    if CHECKED_BUILD:
        check_position(B, Q)
