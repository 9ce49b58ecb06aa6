# The Roman phase: what modules and variants add to roman.pxi.

cdef inline Mask across_two_zones(const Board* B, int p, int fleets) noexcept nogil:
    """Provinces that are reached across two zones and not across one."""
    return B.voyage[0][p][fleets]


cdef inline Mask across_three_zones(const Board* B, int p, int fleets) noexcept nogil:
    return B.voyage[1][p][fleets]


cdef inline bint sea_is_open(const Position* P, int zone) noexcept nogil:
    """Whether a fleet can sail there."""
    return zone != P.pirates


cdef inline bint ends_the_turn(const Board* B, int leader) noexcept nogil:
    """Whether his defeat ends the turn: [I-DUX-DEFEAT] or not, if it is the Dux."""
    return leader != DUX_LEADS or not B.reading[I_DUX_DEFEAT]


# Attacks of Emperor and Dux.

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


cdef inline int paid_for(Code code) noexcept nogil:
    """How many discs the code of an attack names."""
    return paid_of_reserve(code) + popcount(paid_on_board(code))


cdef int without_overpaid(const Board* B, const Position* P, Action* list, int count) noexcept nogil:
    """
    Leaves out the victories of Galerius that need no disc so many, since he stops when he has won [I-GALERIUS-WON]; returns how
    many actions are left.
    """
    cdef int[MOST_PAID + 1] won                      # the chance of a victory by the number of discs, of one attack
    cdef int kept = 0
    cdef int i, paid
    cdef Code attack = 0
    if not most_paid(B, P, EMPEROR):
        return count
    for i in range(count):
        if is_attack(list[i].code) and figure_of(list[i].code) == EMPEROR and b_of(list[i].code) == VICTORY:
            if plain_attack(list[i].code) != attack:
                attack = plain_attack(list[i].code)
                odds_by_payment(B, P, attack, won)
            paid = paid_for(list[i].code)
            if paid and won[paid] == won[paid - 1]:
                continue
        list[kept] = list[i]
        kept += 1
    return kept


cdef inline Code plain_attack(Code code) noexcept nogil:
    """Kind and army of an attack."""
    return code & ((<Code> 1 << 10) - 1)


cdef void odds_by_payment(const Board* B, const Position* P, Code attack, int* won) noexcept nogil:
    """In how many of 36 pairs of faces Galerius wins with 0, 1, ... discs."""
    cdef int paid
    for paid in range(most_paid(B, P, EMPEROR) + 1):
        if kind_of(attack) == ACT_PIRATES:
            won[paid] = pirates_odds(B, P, GALERIUS, paid).victory
        else:
            won[paid] = boosted_odds(B, P, GALERIUS, a_of(attack), paid).victory


cdef inline void give_back_unneeded(
    const Board* B, const Position* before, Code code, int rank, Position* P,
) noexcept nogil:
    """
    Galerius pays what his attack names, one disc after the other, until he has won: those named last come back that he did not
    need with the dice of this rank among 36.
    """
    cdef int[MOST_PAID + 1] won
    cdef int needed = 0
    cdef int unneeded
    cdef Mask discs
    if not code >> 15 or b_of(code) != VICTORY:
        return
    odds_by_payment(B, before, plain_attack(code), won)
    while won[needed] <= rank:
        needed += 1
    unneeded = paid_for(code) - needed
    CHECK(unneeded >= 0)
    P.removed -= unneeded << 4 * GALERIUS
    discs = paid_on_board(code)
    while unneeded and discs:                        # those of provinces are named after those of the reserve, lowest first
        P.garrison[GALERIUS] |= bit(highest(discs))
        discs ^= bit(highest(discs))
        unneeded -= 1


cdef inline int most_paid(const Board* B, const Position* P, int figure) noexcept nogil:
    """Discs that the one who attacks can pay for his die."""
    if not B.modules.imperium or leader_of(P, figure) != GALERIUS:
        return 0
    return garrisons_left(B, P, GALERIUS) + popcount(payable_discs(B, P, GALERIUS))


cdef void put_boosted_attacks(
    const Board* B, const Position* P, int figure, int army, int cost, Action* list, int* count,
) noexcept nogil:
    """The attack on an army with discs that are paid."""
    cdef Odds[MOST_PAID + 1] odds
    cdef int most = most_paid(B, P, figure)
    cdef int paid
    if most:
        for paid in range(most + 1):
            odds[paid] = boosted_odds(B, P, leader_of(P, figure), army, paid)
        put_boosted(B, P, code_of(ACT_ATTACK, army, 0), cost, odds, list, count)


cdef void put_attacks_at_sea(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    """On the Pirates, from their coast."""
    cdef Odds[MOST_PAID + 1] odds
    cdef int most = 0 if B.reading[I_GALERIUS_SEA] else most_paid(B, P, figure)
    cdef int paid
    if P.pirates and P.ip >= B.house.attack_pirates and B.coast[P.pirates - 1] >> figure_place(P, figure) & 1:
        for paid in range(most + 1):
            odds[paid] = pirates_odds(B, P, leader_of(P, figure), paid)
        put_outcomes(list, count, by_figure(ACT_PIRATES, figure), B.house.attack_pirates, odds[0])
        if most:
            put_boosted(B, P, ACT_PIRATES, B.house.attack_pirates, odds, list, count)


# What the Emperor alone does.

cdef void put_transfers(const Board* B, const Position* P, const Scene* V, Action* list, int* count) noexcept nogil:
    """Via Romana: the garrison under him goes to a linked Roman province without disc, [I-VIA-EMPTY] and without figure."""
    cdef int p = P.emperor[P.mover]
    cdef Mask free = ~(V.discs | B.borders | B.no_transfer[P.mover])
    if not P.garrison[P.mover] >> p & 1 or (B.borders >> p & 1 and not B.reading[I_VIA_BORDER]):
        return
    if not B.reading[I_VIA_EMPTY]:
        free &= ~(P.armies | roman_figures(P))
    put_steps(list, count, ACT_TRANSFER, B.normal[p] & free, TRANSFER_IP)
    if P.ip >= FAR_TRANSFER_IP:
        put_steps(list, count, ACT_TRANSFER, B.broken[p] & free, FAR_TRANSFER_IP)


cdef void put_deployments(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    cdef Mask free = (bit(PROVINCES) - 1) & ~(P.armies | roman_figures(P) | B.borders)
    cdef Mask near
    if P.dux == NOT_IN_PLAY and P.ip >= B.house.deploy_dux:
        near = B.linked[P.emperor[P.mover]]
        if B.reading[I_DUX_BROKEN]:
            near = B.normal[P.emperor[P.mover]]
        put_steps(
            list, count, ACT_DEPLOY | DUX << 12, near & free & ~(P.revolts if B.reading[I_DUX_REVOLT] else 0),
            B.house.deploy_dux)
    if P.vicarius == NOT_IN_PLAY and P.ip >= B.house.deploy_vicarius:
        put_steps(list, count, ACT_DEPLOY | VICARIUS << 12, free & ~P.revolts, B.house.deploy_vicarius)


cdef void put_powers(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    """Imperium: ways to pay for the power of Diocletian or Maximian."""
    if not power_open(B, P):
        return
    if garrisons_left(B, P, P.mover) > 0:
        put_action(list, count, code_of(ACT_IMPERIUM, NOT_IN_PLAY, 0), POWER_IP, 36)
    put_steps(list, count, ACT_IMPERIUM, payable_discs(B, P, P.mover), POWER_IP)


# All actions together.

cdef void put_actions_of_modules(
    const Board* B, const Position* P, const Scene* V, Action* list, int* count,
) noexcept nogil:
    cdef int i
    if B.modules.via_romana:
        put_transfers(B, P, V, list, count)
    put_deployments(B, P, list, count)
    if P.dux < PROVINCES:
        put_moves(B, P, DUX, list, count)
        put_subdue(B, P, V, DUX, list, count)
        put_attacks(B, P, DUX, list, count)
    if P.vicarius < PROVINCES:
        put_moves(B, P, VICARIUS, list, count)
    if P.power and P.mover == DIOCLETIAN:
        for i in range(1, 4):
            if P.emperor[i] != OFF_BOARD:
                put_moves(B, P, VICARIUS + i, list, count)


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


# What actions do.

cdef inline void go_to(Position* Q, int figure, int q) noexcept nogil:
    """A figure moves to `q`, and passes there if it is not alone; the Vicarius brings peace."""
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


cdef inline void pay_for_attack(Position* P, Code code) noexcept nogil:
    """The discs that the code of an attack names."""
    if code >> 15:
        pay(P, GALERIUS, paid_of_reserve(code), paid_on_board(code))


cdef inline void play_module(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """An action that the base game does not know."""
    cdef int kind = kind_of(action.code)
    cdef int figure = figure_of(action.code)
    cdef int q = a_of(action.code)
    if kind == ACT_DEPLOY:
        go_to(Q, figure, q)
        if figure == VICARIUS and B.reading[I_VICARIUS_UNREST]:
            Q.unrest |= P.unrest & bit(q)            # he removes it only where he moves
    elif kind == ACT_TRANSFER:
        Q.garrison[P.mover] ^= bit(P.emperor[P.mover]) | bit(q)
    elif kind == ACT_PIRATES:
        play_pirates(B, Q, leader_of(P, figure), b_of(action.code))
    else:                                            # ACT_IMPERIUM
        Q.power = 1
        pay(Q, P.mover, q == NOT_IN_PLAY, bit(q) if q != NOT_IN_PLAY else 0)
