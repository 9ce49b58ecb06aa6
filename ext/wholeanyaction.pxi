# An action drawn at random.

cdef inline Code unrolled(Code code) noexcept nogil:
    """An attack without its outcome, or what its dice show: equal for all that can come of it."""
    return without_outcome(code & ~(<Code> 0x3F << 15) if b_of(code) == DICE_LIE else code)


cdef bint random_action(const Board* B, const Position* P, Dice* dice, Action* action) noexcept nogil:
    """
    Chooses one legal action, all equally likely, the end of the turn among them; an attack is one action, and is then
    rolled. Where discs can be paid after the dice, all that can be paid is equally likely then. False if there is none.
    """
    cdef Action[MOST_ACTIONS] list
    cdef int[MOST_ACTIONS] first                     # of each action: where its outcomes begin
    cdef Position Q
    cdef int count = let_dice_fall(B, P, list, list_actions(B, P, list))
    cdef int choices = 0
    cdef int i, n, roll
    for i in range(count):
        if i == 0 or not is_attack(list[i].code) or unrolled(list[i].code) != unrolled(list[i - 1].code):
            first[choices] = i
            choices += 1
    action.code = ACT_END
    action.cost = 0
    action.chance = 36
    n = choices + may_end(B, P)
    if n == 0:
        return False
    n = random_below(dice, n)
    if n < choices:
        i = first[n]
        if list[i].chance < 36:
            roll = random_below(dice, 36)
            while roll >= list[i].chance:
                roll -= list[i].chance
                i += 1
        action[0] = list[i]
    if is_attack(action.code) and b_of(action.code) == DICE_LIE:
        Q = P[0]
        Q.still = action.code
        i = random_below(dice, after_dice(B, &Q, list))
        action[0] = list[i]
    return True
