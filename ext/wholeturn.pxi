# A turn as a graph: what modules and variants add to configurations.pxi and solve.pxi.

# Imperium: Galerius sees the dice of his attack before he pays. What they show is how many discs he has to pay for a draw, and
# how many for a victory: that is all that the dice mean to him. Between the dice and what he pays `Position.still` is the code of
# the attack, with `DICE_LIE` in place of its outcome and these two numbers from bits 15 and 18 on.

cdef enum:
    NEVER = 7              # no number of discs is enough


cdef inline Code dice_have_fallen(const Position* P) noexcept nogil:
    """The code of an attack whose dice have fallen, and that can still be paid for; else 0."""
    return P.still if P.mark == ROMAN_OPEN else 0


cdef inline void forget_dice(Position* P) noexcept nogil:
    P.still = 0


cdef inline int outcome_for(Code dice, int paid) noexcept nogil:
    """Of an attack whose dice have fallen, when so many discs are paid."""
    if paid >= <int> (dice >> 18 & 7):
        return VICTORY
    return DRAW if paid >= <int> (dice >> 15 & 7) else DEFEAT


cdef inline Code shown(const Board* B, int roman, int barbarian, int support, int most) noexcept nogil:
    """What dice show: `roman` and `barbarian` with all that is added to them, `most` discs to pay."""
    cdef int draw = NEVER
    cdef int victory = NEVER
    cdef int paid
    for paid in range(most, -1, -1):
        if outcome_of(B, roman + paid, barbarian, support) != DEFEAT:
            draw = paid
        if outcome_of(B, roman + paid, barbarian, support) == VICTORY:
            victory = paid
    return <Code> draw << 15 | <Code> victory << 18


cdef void put_dice(const Board* B, const Position* P, Code code, Action* list, int* count) noexcept nogil:
    """An attack of Galerius, once for each thing that its dice can show."""
    cdef Battle battle
    cdef int most = most_paid(B, P, EMPEROR)
    cdef int first = count[0]
    cdef int roman, barbarian, i
    cdef Code dice
    if kind_of(code) == ACT_PIRATES:
        battle = pirates_battle(B, P, GALERIUS)
    else:
        battle = battle_of(B, P, GALERIUS, a_of(code))
        battle.r += goths_bonus(B, P, a_of(code), B.battle[place_of(P, GALERIUS)])
    battle.g += roman_bonus(B)
    battle.r += barbarian_bonus(B)
    for roman in range(battle.g + 1, battle.g + DIE + 1):
        for barbarian in range(battle.r + 1, battle.r + DIE + 1):
            dice = without_outcome(code) | <Code> DICE_LIE << 10 | shown(B, roman, barbarian, battle.e - battle.a, most)
            i = first
            while i < count[0] and list[i].code != dice:
                i += 1
            if i < count[0]:
                list[i].chance += 1
            else:
                put_action(list, count, dice, 0, 1)


cdef int let_dice_fall(const Board* B, const Position* P, Action* list, int count) noexcept nogil:
    """Puts dice in the place of the outcomes of attacks that can be paid for when they have fallen; returns how many actions."""
    cdef Code[MOST_ARMIES + 1] attack
    cdef int attacks = 0
    cdef int kept = 0
    cdef int i
    if not most_paid(B, P, EMPEROR):
        return count
    for i in range(count):
        if not is_attack(list[i].code) or figure_of(list[i].code) != EMPEROR:
            list[kept] = list[i]
            kept += 1
        elif kind_of(list[i].code) == ACT_PIRATES and B.reading[I_GALERIUS_SEA]:
            list[kept] = list[i]                     # his power does not reach the sea
            kept += 1
        elif not list[i].code >> 15 and (not attacks or not same_attack(attack[attacks - 1], list[i].code)):
            attack[attacks] = list[i].code
            attacks += 1
    for i in range(attacks):
        put_dice(B, P, attack[i], list, &kept)
    return kept


cdef int after_dice(const Board* B, Position* P, Action* list) noexcept nogil:
    """The ways to pay, none among them; takes the dice up from `P`."""
    cdef Code dice = dice_have_fallen(P)
    cdef int kept = 0
    cdef int i, paid, count
    forget_dice(P)
    count = list_actions(B, P, list)
    for i in range(count):
        if (is_attack(list[i].code) and figure_of(list[i].code) == EMPEROR
                and kind_of(list[i].code) == kind_of(dice) and a_of(list[i].code) == a_of(dice)):
            paid = paid_of_reserve(list[i].code) + popcount(paid_on_board(list[i].code))
            if paid and outcome_for(dice, paid - 1) == VICTORY:
                continue                             # he stops when he has won [I-GALERIUS-WON]
            if outcome_for(dice, paid) == b_of(list[i].code):
                list[kept] = list[i]
                list[kept].chance = 36
                kept += 1
    return kept


cdef inline void play_or_roll(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    if is_attack(action.code) and b_of(action.code) == DICE_LIE:
        Q[0] = P[0]
        Q.still = action.code
    else:
        play(B, P, action, Q)


# Criteria: what is wanted of the figures of modules and variants.

cdef enum:                 # of a goal
    DUX_STANDS = 1
    VICARIUS_STANDS = 2
    PIRATES_BEATEN = 4


cdef int take_module_goals(Criterion* C, tuple more, str field) except -1:
    """What only the whole rulebook knows of a criterion."""
    cdef int i, p
    if C.kind == BY_GOAL:
        take_row(more, f"{field}: figures and glory", 2)
        C.figures = take_int(more[0], f"{field}: figures", 0, 7)
        C.glory = take_int(more[1], f"{field}: glory", 0, 99)
    elif C.kind == BY_LIMITS:
        take_row(more, f"{field}: discs", 1)
        C.discs = take_int(more[0], f"{field}: discs", 0, 99)
    else:
        take_row(more, f"{field}: dux, vicarius, glory, pirates", 4)
        for i, name in enumerate(("dux", "vicarius")):
            if more[i] is not None:
                for p, weight in enumerate(take_row(more[i], f"{field}: {name}", PROVINCES)):
                    C.helper[i][p] = take_int(weight, f"{field}: {name}[{p}]", -10**6, 10**6)
        C.glory_weight = take_int(more[2], f"{field}: glory", -10**6, 10**6)
        C.pirates_weight = take_int(more[3], f"{field}: pirates", -10**6, 10**6)
    return 0


cdef inline bint meets_modules(const Board* B, const Criterion* C, const Position* P) noexcept nogil:
    """Whether an end meets what a goal asks of figures, or leaves so many discs with which he can pay for his power."""
    if C.figures & DUX_STANDS and P.dux >= PROVINCES:
        return False
    if C.figures & VICARIUS_STANDS and P.vicarius >= PROVINCES:
        return False
    if C.figures & PIRATES_BEATEN and P.pirates:
        return False
    if P.glory[P.mover] < C.glory:
        return False
    return not C.discs or garrisons_left(B, P, P.mover) + popcount(payable_discs(B, P, P.mover)) >= C.discs


cdef inline int64_t worth_of_figures(const Criterion* C, const Position* P) noexcept nogil:
    cdef int64_t worth = C.glory_weight * P.glory[P.mover] + C.pirates_weight * (P.pirates != 0)
    if P.dux < PROVINCES:
        worth += C.helper[0][P.dux]
    if P.vicarius < PROVINCES:
        worth += C.helper[1][P.vicarius]
    return worth
