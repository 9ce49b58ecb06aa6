# The Roman phase of the whole rulebook: the active Emperor, the Dux and the Vicarius share the IP.
#
# It stands in the place of roman.pxi. Legality, cost and effect of every action are here and nowhere else.

cdef struct Scene:
    Mask discs
    Mask figures           # where anybody stands
    bint garrison_left     # in the reserve of the active Emperor
    bint unrest_left


cdef inline void look(const Board* B, const Position* P, Scene* V) noexcept nogil:
    V.discs = all_discs(P)
    V.figures = P.armies | roman_figures(P)
    V.garrison_left = garrisons_left(B, P, P.mover) > 0
    V.unrest_left = B.reserve_falls or unrest_in_reserve(P) > 0


# Move: 1 IP by a normal link, 2 by a broken link, 1 by sea for each zone crossed, 1 more where a revolt lies; never to an army,
# the Vicarius never to a revolt.

cdef struct Ways:          # provinces a figure can move to, by cost
    Mask[5] cost


cdef inline Ways ways_from(const Board* B, const Position* P, int figure, int p) noexcept nogil:
    cdef Mask near = B.normal[p] | B.sea[p][P.fleets]
    cdef Mask middle = (B.broken[p] | B.voyage[0][p][P.fleets]) & ~near
    cdef Mask far = B.voyage[1][p][P.fleets] & ~(near | middle)
    cdef Mask calm = ~(P.revolts | P.armies)
    cdef Mask wild = P.revolts & ~P.armies if figure != VICARIUS else 0
    cdef Ways ways
    ways.cost[1] = near & calm
    ways.cost[2] = (near & wild) | (middle & calm)
    ways.cost[3] = (middle & wild) | (far & calm)
    ways.cost[4] = far & wild
    return ways


cdef bint can_leave(const Board* B, const Position* P, Mask others, int figure, int p, int ip) noexcept nogil:
    """[I-PASS] Whether a figure that shares province `p` can still get out, through other shared provinces if need be."""
    cdef Ways ways = ways_from(B, P, figure, p)
    cdef Mask rest
    cdef int cost
    for cost in range(1, min(ip, 4) + 1):
        if ways.cost[cost] & ~others:
            return True
    if B.pass_single:
        return False
    for cost in range(1, min(ip, 4) + 1):
        rest = ways.cost[cost]
        while rest:
            if can_leave(B, P, others, figure, lowest(rest), ip - cost):
                return True
            rest &= rest - 1
    return False


cdef Mask without_traps(
    const Board* B, const Position* P, Mask others, int figure, int ip, int cost, Mask moves,
) noexcept nogil:
    """`moves` at this cost without those into a shared province from which no way out is left."""
    cdef Mask shared = moves & others
    if B.pass_single and P.passing:
        return moves & ~shared
    while shared:
        if not can_leave(B, P, others, figure, lowest(shared), ip - cost):
            moves ^= bit(lowest(shared))
        shared &= shared - 1
    return moves


cdef void put_moves(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    cdef int p = figure_place(P, figure)
    cdef Mask others = other_figures(P, figure)
    cdef Ways ways = ways_from(B, P, figure, p)
    cdef int cost
    for cost in range(1, min(<int> P.ip, 4) + 1):
        put_steps(
            list, count, ACT_MOVE | figure << 12,
            without_traps(B, P, others, figure, P.ip, cost, ways.cost[cost]), cost)


# Entry: Roma, or his capital if no disc lies on it; free, and the first thing of his turn.

cdef Mask legal_entries(const Board* B, const Position* P) noexcept nogil:
    cdef Mask others = other_figures(P, EMPEROR)
    cdef Mask entries = (bit(B.roma) | (bit(B.capital[P.mover]) & ~all_discs(P))) & ~P.armies
    cdef Mask shared = entries & others
    if P.ip < FULL_IP:
        return 0
    entries &= ~shared
    while shared and not B.entry_free_only:
        if can_leave(B, P, others, EMPEROR, lowest(shared), P.ip):
            entries |= shared & (<Mask> 0 - shared)
        shared &= shared - 1
    return entries


# What Emperor and Dux do where they stand.

cdef void put_subdue(const Board* B, const Position* P, const Scene* V, int figure, Action* list, int* count) noexcept nogil:
    cdef int p = figure_place(P, figure)
    if P.revolts >> p & 1:
        if P.ip >= 2:
            put_action(list, count, ACT_REMOVE | figure << 12, 2, 36)
        if V.unrest_left:
            put_action(list, count, ACT_REDUCE | figure << 12, 1, 36)
    elif P.unrest >> p & 1:
        put_action(list, count, ACT_REMOVE | figure << 12, 1, 36)


cdef inline void put_outcomes(Action* list, int* count, Code code, int cost, Odds odds) noexcept nogil:
    cdef int i
    for i in range(3):
        if chance_of(odds, i):
            put_action(list, count, code | i << 10, cost, chance_of(odds, i))


cdef void put_boosted(
    const Board* B, const Position* P, Code code, int cost, const Odds* odds, Action* list, int* count,
) noexcept nogil:
    """
    Imperium: the same attack of Galerius for each set of discs that he may pay once the dice have fallen; `odds` by
    their number.
    """
    cdef Mask discs = payable_discs(B, P, GALERIUS)
    cdef Mask part = discs
    cdef int reserve
    while True:                                      # each set of his discs on the board, down to the empty one
        for reserve in range(garrisons_left(B, P, GALERIUS) + 1):
            if reserve or part:
                put_outcomes(list, count, code | payment_of(reserve, part), cost, odds[reserve + popcount(part)])
        if not part:
            return
        part = (part - 1) & discs


cdef inline int leader_of(const Position* P, int figure) noexcept nogil:
    return DUX_LEADS if figure == DUX else P.mover


cdef void put_attacks(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    """On armies through a link, and on the Pirates from their coast."""
    cdef int p = figure_place(P, figure)
    cdef int leader = leader_of(P, figure)
    cdef Mask rest = P.armies & B.linked[p]
    cdef Odds[MOST_PAID + 1] odds
    cdef int most = 0
    cdef int q, paid
    if B.modules.imperium and leader == GALERIUS:
        most = garrisons_left(B, P, GALERIUS) + popcount(payable_discs(B, P, GALERIUS))
    while rest:
        q = lowest(rest)
        rest &= rest - 1
        if attack_cost(B, P, p, q) <= P.ip and may_be_attacked(P, q):
            for paid in range(most + 1):
                odds[paid] = boosted_odds(B, P, leader, q, paid)
            put_outcomes(list, count, code_of(ACT_ATTACK, q, 0) | figure << 12, attack_cost(B, P, p, q), odds[0])
            if most:
                put_boosted(B, P, code_of(ACT_ATTACK, q, 0), attack_cost(B, P, p, q), odds, list, count)
    if P.pirates and P.ip >= 2 and B.coast[P.pirates - 1] >> p & 1:
        for paid in range(most + 1):
            odds[paid] = pirates_odds(B, P, leader, paid)
        put_outcomes(list, count, ACT_PIRATES | figure << 12, 2, odds[0])
        if most:
            put_boosted(B, P, ACT_PIRATES, 2, odds, list, count)


# What the Emperor alone does.

cdef inline bint can_secure(const Board* B, const Position* P, const Scene* V, int p) noexcept nogil:
    return V.garrison_left and P.ip >= B.secure_cost[p] and not V.discs >> p & 1 and not P.revolts & B.back[p]


cdef void put_sails(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    cdef int i
    for i in range(B.sails[P.fleets]):
        if B.sail_to[P.fleets][i] != P.pirates:
            put_action(list, count, code_of(ACT_SAIL, B.sail_from[P.fleets][i], B.sail_to[P.fleets][i]), 1, 36)


cdef void put_transfers(const Board* B, const Position* P, const Scene* V, Action* list, int* count) noexcept nogil:
    """Via Romana: the garrison under him goes to a linked Roman province without disc, [I-VIA-EMPTY] and without figure."""
    cdef int p = P.emperor[P.mover]
    cdef Mask free = ~(V.discs | B.borders)
    if not P.garrison[P.mover] >> p & 1 or (B.borders >> p & 1 and not B.modules.via_border_moves):
        return
    if not B.modules.via_no_disc:
        free &= ~V.figures
    put_steps(list, count, ACT_TRANSFER, B.normal[p] & free, 1)
    if P.ip >= 2:
        put_steps(list, count, ACT_TRANSFER, B.broken[p] & free, 2)


cdef void put_deployments(const Board* B, const Position* P, const Scene* V, Action* list, int* count) noexcept nogil:
    cdef Mask free = (bit(PROVINCES) - 1) & ~(V.figures | B.borders)
    if P.ip < 2:
        return
    if P.dux == NOT_IN_PLAY:
        put_steps(
            list, count, ACT_DEPLOY | DUX << 12,
            B.linked[P.emperor[P.mover]] & free & ~(P.revolts if B.modules.dux_no_revolt else 0), 2)
    if P.vicarius == NOT_IN_PLAY:
        put_steps(list, count, ACT_DEPLOY | VICARIUS << 12, free & ~P.revolts, 2)


cdef void put_payments(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    """Imperium: ways to pay for the power of Diocletian or Maximian."""
    if garrisons_left(B, P, P.mover) > 0:
        put_action(list, count, code_of(ACT_IMPERIUM, NOT_IN_PLAY, 0), 0, 36)
    put_steps(list, count, ACT_IMPERIUM, payable_discs(B, P, P.mover), 0)


# All actions together.

cdef int list_actions(const Board* B, const Position* P, Action* list) noexcept nogil:
    """Writes the legal actions, in no order but each outcome of an attack after the other, and tells how many."""
    cdef Scene V
    cdef int p = P.emperor[P.mover]
    cdef int count = 0
    cdef int i
    if P.mark != ROMAN_OPEN:
        return 0
    if p == OFF_BOARD:                        # nobody acts without the active Emperor
        put_steps(list, &count, ACT_ENTER, legal_entries(B, P), 0)
        return count
    if P.passing:                             # he who shares a province must move on
        put_moves(B, P, P.passing - 1, list, &count)
        return count
    if power_open(B, P):
        put_payments(B, P, list, &count)
    if P.ip == 0:
        return count
    look(B, P, &V)
    put_moves(B, P, EMPEROR, list, &count)
    put_sails(B, P, list, &count)
    if can_secure(B, P, &V, p):
        put_action(list, &count, ACT_SECURE, B.secure_cost[p], 36)
    put_subdue(B, P, &V, EMPEROR, list, &count)
    put_attacks(B, P, EMPEROR, list, &count)
    if B.modules.via_romana:
        put_transfers(B, P, &V, list, &count)
    put_deployments(B, P, &V, list, &count)
    if P.dux < PROVINCES:
        put_moves(B, P, DUX, list, &count)
        put_subdue(B, P, &V, DUX, list, &count)
        put_attacks(B, P, DUX, list, &count)
    if P.vicarius < PROVINCES:
        put_moves(B, P, VICARIUS, list, &count)
    if P.power and P.mover == DIOCLETIAN:
        for i in range(1, 4):
            if P.emperor[i] != OFF_BOARD:
                put_moves(B, P, VICARIUS + i, list, &count)
    CHECK(count <= MOST_ACTIONS)
    return count


cdef int count_actions(const Board* B, const Position* P) noexcept nogil:
    cdef Action[MOST_ACTIONS] list
    return list_actions(B, P, list)


cdef int64_t count_last_two(const Board* B, const Position* P) noexcept nogil:
    """Sequences of two actions: the first one is played."""
    cdef Action[MOST_ACTIONS] list
    cdef Position Q
    cdef int64_t count = 0
    cdef int i
    for i in range(list_actions(B, P, list)):
        play(B, P, list[i], &Q)
        count += count_actions(B, &Q)
    return count


cdef bint may_end(const Board* B, const Position* P) noexcept nogil:
    """He may stop at any time, but not while anybody passes, and [I-ENTRY] not off the board if he can enter."""
    if P.mark != ROMAN_OPEN:
        return False
    if P.emperor[P.mover] == OFF_BOARD:
        return B.entry_may or not legal_entries(B, P)
    return not P.passing


# What actions do.

cdef inline void go_to(Position* Q, int figure, int q) noexcept nogil:
    """A figure comes to `q`, and passes there if it is not alone; the Vicarius brings peace."""
    if figure == EMPEROR:
        Q.emperor[Q.mover] = q
    elif figure > VICARIUS:
        Q.emperor[figure - VICARIUS] = q
    elif figure == DUX:
        Q.dux = q
    else:
        Q.vicarius = q
        Q.unrest &= ~bit(q)
    Q.passing = figure + 1 if other_figures(Q, figure) >> q & 1 else 0


cdef inline void subdue(Position* Q, int kind, int p) noexcept nogil:
    if kind == ACT_REMOVE:
        Q.revolts &= ~bit(p)
        Q.unrest &= ~bit(p)
    elif unrest_in_reserve(Q) > 0:
        Q.revolts ^= bit(p)
        Q.unrest |= bit(p)
    else:
        Q.mark = RESULT_FALLEN                # [I-RESERVE], legal in one reading only


cdef inline void end_turn(Position* Q) noexcept nogil:
    Q.mark = PHASE_BARBARIAN
    Q.ip = 0
    Q.power = 0


cdef inline void lose_leader(const Board* B, Position* Q, int leader) noexcept nogil:
    """A lost attack: the leader goes, and the turn ends; [I-DUX-DEFEAT] or not, if it was the Dux."""
    take_off(Q, leader)
    battle_lost(Q, leader)
    if leader != DUX_LEADS or not B.modules.dux_only:
        end_turn(Q)


cdef inline void play_battle(const Board* B, Position* Q, int figure, int army, int outcome) noexcept nogil:
    cdef int p = figure_place(Q, figure)
    cdef int leader = leader_of(Q, figure)
    if outcome == VICTORY:                    # the army and any disc of its province go, he comes
        remove_army(Q, army)
        go_to(Q, figure, army)
        battle_won(B, Q, leader)
    elif outcome == DEFEAT:                   # he and any garrison of his province go
        if B.border_defeat_removes or not B.borders >> p & 1:     # [I-BORDER-DEFEAT] a secured border stays secured
            lift_discs(Q, bit(p) & garrison_discs(Q))
        lose_leader(B, Q, leader)


cdef inline void play(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """The position `Q` after a legal action of `P`."""
    cdef int kind = kind_of(action.code)
    cdef int figure = figure_of(action.code)
    cdef int q = a_of(action.code)
    Q[0] = P[0]
    Q.ip = ip_after(P, action)
    if action.code >> 15:                            # discs are paid before anything else happens
        pay(Q, GALERIUS, paid_of_reserve(action.code), paid_on_board(action.code))
    if kind <= ACT_MOVE or kind == ACT_DEPLOY:
        go_to(Q, figure, q)
    elif kind == ACT_SAIL:
        Q.fleets ^= bit(q - 1) | bit(b_of(action.code) - 1)
    elif kind == ACT_SECURE:
        Q.garrison[P.mover] |= bit(P.emperor[P.mover])
        if not B.borders & ~garrison_discs(Q):
            Q.mark = RESULT_WON               # the sixth border wins at once
    elif kind == ACT_TRANSFER:
        Q.garrison[P.mover] ^= bit(P.emperor[P.mover]) | bit(q)
    elif kind == ACT_ATTACK:
        play_battle(B, Q, figure, q, b_of(action.code))
    elif kind == ACT_PIRATES:
        play_pirates(B, Q, leader_of(P, figure), b_of(action.code))
    elif kind == ACT_IMPERIUM:
        Q.power = 1
        pay(Q, P.mover, q == NOT_IN_PLAY, bit(q) if q != NOT_IN_PLAY else 0)
    elif kind == ACT_END:
        end_turn(Q)
    else:
        subdue(Q, kind, figure_place(P, figure))
    if CHECKED_BUILD:
        check_position(B, Q)
