# The Roman phase (rules, section 3).
#
# Legality, cost and effect of every action are here and nowhere else. What can be done depends on the table, which a
# `Scene` sums up once, and on the place `p` and the IP left of the active Emperor, which vary while he walks.

cdef struct Scene:
    const Position* position
    Mask others            # where the other Emperors stand
    Mask discs
    bint garrison_left     # in the reserves
    bint unrest_left


cdef inline void look(const Board* B, const Position* P, Scene* V) noexcept nogil:
    V.position = P
    V.others = other_emperors(P, P.mover)
    V.discs = all_discs(P)
    V.garrison_left = popcount(P.garrison[P.mover]) < B.garrisons
    V.unrest_left = B.reserve_falls or popcount(P.unrest) < MOST_DISCS


# Move: 1 IP by a normal link or by sea, 2 by a broken link, 1 more where a revolt lies; never to an army.

cdef struct Ways:          # provinces he can move to, by cost
    Mask one
    Mask two
    Mask three


cdef inline Ways ways_from(const Board* B, const Position* P, int p, int fleets) noexcept nogil:
    cdef Mask near = B.normal[p] | B.sea[p][fleets]
    cdef Mask far = B.broken[p] & ~near
    cdef Ways ways
    ways.one = near & ~(P.revolts | P.armies)
    ways.two = ((near & P.revolts) | (far & ~P.revolts)) & ~P.armies
    ways.three = far & P.revolts & ~P.armies
    return ways


cdef inline Mask affordable(const Ways* ways, int ip) noexcept nogil:
    if ip >= 3:
        return ways.one | ways.two | ways.three
    if ip == 2:
        return ways.one | ways.two
    return ways.one if ip == 1 else 0


cdef inline int move_cost(const Board* B, const Position* P, int p, int fleets, int q) noexcept nogil:
    return 2 - ((B.normal[p] | B.sea[p][fleets]) >> q & 1) + (P.revolts >> q & 1)


cdef bint can_leave(const Board* B, const Scene* V, int p, int fleets, int ip) noexcept nogil:
    """[I-PASS] Whether he who shares province `p` can still get out, through other shared provinces if need be."""
    cdef Ways ways = ways_from(B, V.position, p, fleets)
    cdef Mask rest = affordable(&ways, ip)
    cdef int q
    if rest & ~V.others:
        return True
    if B.pass_single:
        return False
    while rest:
        q = lowest(rest)
        rest &= rest - 1
        if can_leave(B, V, q, fleets, ip - move_cost(B, V.position, p, fleets, q)):
            return True
    return False


cdef Mask without_traps(const Board* B, const Scene* V, int p, int fleets, int ip, Mask moves) noexcept nogil:
    """`moves` without those into a shared province from which no way out is left."""
    cdef Mask shared = moves & V.others
    cdef int q
    if B.pass_single and V.others & bit(p):
        return moves & ~shared
    while shared:
        q = lowest(shared)
        shared &= shared - 1
        if not can_leave(B, V, q, fleets, ip - move_cost(B, V.position, p, fleets, q)):
            moves ^= bit(q)
    return moves


cdef inline Mask legal_moves(const Board* B, const Scene* V, int p, int fleets, int ip) noexcept nogil:
    cdef Ways ways = ways_from(B, V.position, p, fleets)
    cdef Mask moves = affordable(&ways, ip)
    if moves & V.others:
        moves = without_traps(B, V, p, fleets, ip, moves)
    return moves


# Entry: Roma, or his capital if no disc lies on it; free, and the first thing of his turn.

cdef Mask legal_entries(const Board* B, const Scene* V) noexcept nogil:
    cdef const Position* P = V.position
    cdef Mask entries = bit(B.roma) | (bit(B.capital[P.mover]) & ~V.discs)
    cdef Mask shared
    if P.ip < FULL_IP:
        return 0
    entries &= ~P.armies
    shared = entries & V.others
    entries &= ~shared
    while shared and not B.entry_free_only:
        if can_leave(B, V, lowest(shared), P.fleets, P.ip):
            entries |= shared & (<Mask> 0 - shared)
        shared &= shared - 1
    return entries


# Secure: a garrison on a province without a disc; on a border 2 IP, and no revolt in the region behind it.

cdef inline bint can_secure(const Board* B, const Scene* V, int p, int ip) noexcept nogil:
    return (V.garrison_left and ip >= B.secure_cost[p] and not V.discs & bit(p) and not V.position.revolts & B.back[p])


# Attack: through a link.

cdef inline Mask legal_attacks(const Board* B, const Position* P, int p, int ip) noexcept nogil:
    cdef Mask attacks = P.armies & B.linked[p]
    cdef Mask rest = attacks
    while rest:
        if attack_cost(B, P, p, lowest(rest)) > ip:
            attacks ^= rest & (<Mask> 0 - rest)
        rest &= rest - 1
    return attacks


cdef Odds attack_odds(const Board* B, const Position* P, int p, int army) noexcept nogil:
    """Odds of the active Emperor, were he in province `p`."""
    cdef Position there
    if p == P.emperor[P.mover]:
        return odds_of(B, P, P.mover, army)
    there = P[0]
    there.emperor[P.mover] = p
    return odds_of(B, &there, P.mover, army)


# All actions together.

cdef int list_actions(const Board* B, const Position* P, Action* list) noexcept nogil:
    """Writes the legal actions, in no order but each outcome of an attack after the other, and tells how many."""
    cdef Scene V
    cdef Ways ways
    cdef Mask moves, rest
    cdef Odds odds
    cdef int p = P.emperor[P.mover]
    cdef int fleets = P.fleets
    cdef int ip = P.ip
    cdef int count = 0
    cdef int i, q
    if P.mark != ROMAN_OPEN:
        return 0
    look(B, P, &V)
    if p == OFF_BOARD:
        put_steps(list, &count, ACT_ENTER, legal_entries(B, &V), 0)
        return count
    ways = ways_from(B, P, p, fleets)
    moves = affordable(&ways, ip)
    if moves & V.others:
        moves = without_traps(B, &V, p, fleets, ip, moves)
    put_steps(list, &count, ACT_MOVE, moves & ways.one, 1)
    put_steps(list, &count, ACT_MOVE, moves & ways.two, 2)
    put_steps(list, &count, ACT_MOVE, moves & ways.three, 3)
    if V.others & bit(p) or ip == 0:          # he who shares a province must move on
        return count
    for i in range(B.sails[fleets]):
        put_action(list, &count, code_of(ACT_SAIL, B.sail_from[fleets][i], B.sail_to[fleets][i]), 1, 36)
    if can_secure(B, &V, p, ip):
        put_action(list, &count, ACT_SECURE, B.secure_cost[p], 36)
    if P.revolts & bit(p):
        if ip >= 2:
            put_action(list, &count, ACT_REMOVE, 2, 36)
        if V.unrest_left:
            put_action(list, &count, ACT_REDUCE, 1, 36)
    elif P.unrest & bit(p):
        put_action(list, &count, ACT_REMOVE, 1, 36)
    rest = P.armies & B.linked[p]
    while rest:
        q = lowest(rest)
        rest &= rest - 1
        if attack_cost(B, P, p, q) <= ip:
            odds = odds_of(B, P, P.mover, q)
            for i in range(3):
                if chance_of(odds, i):
                    put_action(list, &count, code_of(ACT_ATTACK, q, i), attack_cost(B, P, p, q), chance_of(odds, i))
    CHECK(count <= MOST_ACTIONS)
    return count


cdef inline int count_actions_at(const Board* B, const Scene* V, int p, int fleets, int ip) noexcept nogil:
    """How many actions `list_actions` would list were the Emperor on province `p` with `ip` IP."""
    cdef const Position* P = V.position
    cdef Mask rest
    cdef int count
    if ip == 0:
        return 0
    count = popcount(legal_moves(B, V, p, fleets, ip))
    if V.others & bit(p):
        return count
    count += B.sails[fleets] + can_secure(B, V, p, ip)
    if P.revolts & bit(p):
        count += (ip >= 2) + V.unrest_left
    else:
        count += P.unrest >> p & 1
    if P.armies & B.linked[p]:
        rest = legal_attacks(B, P, p, ip)
        while rest:
            count += outcomes_of(attack_odds(B, P, p, lowest(rest)))
            rest &= rest - 1
    return count


cdef int count_actions(const Board* B, const Position* P) noexcept nogil:
    cdef Scene V
    if P.mark != ROMAN_OPEN:
        return 0
    look(B, P, &V)
    if P.emperor[P.mover] == OFF_BOARD:
        return popcount(legal_entries(B, &V))
    return count_actions_at(B, &V, P.emperor[P.mover], P.fleets, P.ip)


cdef bint may_end(const Board* B, const Position* P) noexcept nogil:
    """He may stop at any time, but not on another Emperor, and [I-ENTRY] not off the board if he can enter."""
    cdef Scene V
    if P.mark != ROMAN_OPEN:
        return False
    look(B, P, &V)
    if P.emperor[P.mover] == OFF_BOARD:
        return B.entry_may or not legal_entries(B, &V)
    return not V.others & bit(P.emperor[P.mover])


cdef inline void play(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """The position `Q` after a legal action of `P`."""
    cdef int kind = kind_of(action.code)
    cdef int q = a_of(action.code)
    cdef Mask here
    Q[0] = P[0]
    Q.ip = P.ip - action.cost
    if kind <= ACT_MOVE:                      # or ACT_ENTER
        Q.emperor[P.mover] = q
    elif kind == ACT_SAIL:
        Q.fleets ^= bit(q - 1) | bit(b_of(action.code) - 1)
    elif kind == ACT_ATTACK:
        play_battle(B, Q, q, b_of(action.code))
    elif kind == ACT_END:
        Q.mark = PHASE_BARBARIAN
        Q.ip = 0
    else:
        here = bit(P.emperor[P.mover])
        if kind == ACT_SECURE:
            Q.garrison[P.mover] |= here
            if not B.borders & ~garrison_discs(Q):
                Q.mark = RESULT_WON           # the sixth border wins at once
        elif kind == ACT_REMOVE:
            Q.revolts &= ~here
            Q.unrest &= ~here
        elif popcount(P.unrest) < MOST_DISCS:  # ACT_REDUCE
            Q.revolts ^= here
            Q.unrest |= here
        else:
            Q.mark = RESULT_FALLEN            # [I-RESERVE], legal in one reading only
    if CHECKED_BUILD:
        check_position(B, Q)


cdef inline void play_battle(const Board* B, Position* Q, int army, int outcome) noexcept nogil:
    """What an attack of the active Emperor leads to."""
    cdef int p = Q.emperor[Q.mover]
    if outcome == VICTORY:                    # the army and any disc of its province go, he comes
        Q.armies ^= bit(army)
        lift_discs(Q, bit(army))
        Q.emperor[Q.mover] = army
    elif outcome == DEFEAT:                   # he and any garrison of his province go, and his turn is over
        Q.emperor[Q.mover] = OFF_BOARD
        if B.border_defeat_removes or not B.borders & bit(p):     # [I-BORDER-DEFEAT] a secured border stays secured
            lift_discs(Q, bit(p) & ~Q.revolts & ~Q.unrest)
        Q.mark = PHASE_BARBARIAN
        Q.ip = 0
