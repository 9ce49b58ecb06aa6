# Actions of the Roman phase: what the kernels share.

cdef inline int attack_cost(const Board* B, const Position* P, int p, int q) noexcept nogil:
    """An attack goes through a link, at what a move through it would cost, and by a house rule more."""
    cdef int way = LINK_IP + (BROKEN_LINK_IP - LINK_IP) * (B.broken[p] >> q & 1)
    return way + REVOLT_IP * (P.revolts >> q & 1) + more_for_attack(B)


cdef inline int outcomes_of(Odds odds) noexcept nogil:
    """How many outcomes are possible."""
    return (odds.victory > 0) + (odds.draw > 0) + (odds.victory + odds.draw < 36)


cdef inline int chance_of(Odds odds, int outcome) noexcept nogil:
    """In 36ths."""
    return odds.victory if outcome == VICTORY else odds.draw if outcome == DRAW else 36 - odds.victory - odds.draw


cdef inline void put_action(Action* list, int* count, Code code, int cost, int chance) noexcept nogil:
    list[count[0]].code = code
    list[count[0]].cost = cost
    list[count[0]].chance = chance
    count[0] += 1


cdef inline void put_steps(Action* list, int* count, int kind, Mask targets, int cost) noexcept nogil:
    """An entry or a move to each of these provinces."""
    while targets:
        put_action(list, count, code_of(kind, lowest(targets), 0), cost, 36)
        targets &= targets - 1


cdef bint find_action(const Board* B, const Position* P, Code code, Action* action) noexcept nogil:
    """The legal action with this code; False if there is none."""
    cdef Action[MOST_ACTIONS] list
    cdef int i
    if code == ACT_END:
        action.code = ACT_END
        action.cost = 0
        action.chance = 36
        return may_end(B, P)
    for i in range(list_actions(B, P, list)):
        if list[i].code == code:
            action[0] = list[i]
            return True
    return False
