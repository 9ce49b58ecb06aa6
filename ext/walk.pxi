# The rest of a turn as a policy sees it.
#
# What the active Emperor can reach without an attack is looked at once, with the most IP he can have left there, as in
# ends.pxi. What he can reach after an attack, with so many IP left, is a node of a graph, as in turn.pxi. Both share the
# list of positions, where a value is kept for ending there. A `Line` of play from the start leads to a position, and there he
# ends his turn or attacks an army; then the graph says how each outcome continues.

cdef enum:
    NOWHERE = -1

cdef struct Step:          # in the graph: an action, or one outcome of an attack
    int32_t target         # a node; or where the turn is over, -2 - the position
    Code code
    uint8_t chance         # in 36ths

cdef struct Onward:        # a node of the graph
    uint32_t position
    uint32_t first         # of its steps
    int32_t chosen         # the first step of the best thing to do; NOWHERE to end the turn
    uint16_t steps
    double best

cdef struct Assault:       # an attack on the way without one
    uint32_t position      # where he comes from
    uint32_t first         # of its steps
    uint16_t steps
    double value

cdef struct Steps:
    Step* rows
    uint32_t count
    uint32_t capacity

cdef struct Sites:         # of a position without the active Emperor; a row is NOWHERE if it was not met or asked
    int32_t[64] position   # the position with him in each province or off the board
    Mask[MOST_IP + 1] had  # provinces reached without an attack with at least so many IP
    int32_t[16] sailed     # the sites after a fleet has sailed from zone i // 4 to zone i % 4
    int32_t[2] passing     # the sites where he does not share his province and must move on, and those where he does
    int32_t[OTHERS] family    # by each other figure that can make a step

cdef struct Family:        # grounds that differ only in where one other figure stands
    int32_t[2][PROVINCES] ground    # after its step to each province; in the second row it must move on from there

cdef struct AfterAttacks:  # the nodes of a position, by the IP left; NOWHERE where there is none
    int32_t[MOST_IP + 1] at

cdef struct Walk:
    Book positions         # IP 0; the note is the value of ending the turn there. They are found by their sites, not by slots
    Book grounds           # the positions without the active Emperor
    Sites* sites           # of each of these
    uint32_t site_capacity
    Book families          # the grounds without one other figure
    Family* family         # of each of these
    uint32_t family_capacity
    uint32_t* ground       # of each position
    AfterAttacks* node     # of each position
    float* doubt           # the variance of that value as an estimate
    int8_t* most           # IP left there if reached without an attack, NOWHERE where it is not
    uint8_t* ends          # whether the turn can end there
    uint8_t* looked        # how closely that value has been looked at
    int32_t* parent        # the position before, without an attack
    Code* code             # and the action that leads here
    uint32_t capacity
    Level[LEVELS] level
    Book nodes             # after attacks, with the IP left
    Onward* onward
    uint32_t onward_capacity
    Level[LEVELS] after
    Steps steps
    Assault* assault
    uint32_t assaults
    uint32_t assault_capacity
    uint32_t most_rows     # positions and nodes, if the turn can be narrowed: see `scope_without`
    int scope              # how far it is narrowed
    int next_scope         # the first one that is without an action which was met
    bint overfull          # it had more rows
    bint failed            # no memory


cdef int walk_open(Walk* W) except -1:
    memset(W, 0, sizeof(Walk))
    book_open(&W.positions, True)
    book_open(&W.grounds, False)
    if WHOLE:
        book_open(&W.families, False)
    book_open(&W.nodes, False)
    return 0


cdef void walk_close(Walk* W) noexcept nogil:
    cdef int i
    book_close(&W.positions)
    book_close(&W.grounds)
    book_close(&W.families)
    book_close(&W.nodes)
    free(W.sites)
    free(W.family)
    free(W.ground)
    free(W.node)
    for i in range(LEVELS):
        free(W.level[i].rows)
        free(W.after[i].rows)
    free(W.doubt)
    free(W.most)
    free(W.ends)
    free(W.looked)
    free(W.parent)
    free(W.code)
    free(W.onward)
    free(W.steps.rows)
    free(W.assault)
    memset(W, 0, sizeof(Walk))


cdef bint walk_capacity(Walk* W) noexcept nogil:
    """The arrays beside the positions grow with them."""
    cdef uint32_t capacity = W.positions.capacity
    cdef void* rows
    if W.capacity >= capacity:
        return True
    rows = realloc(W.ground, capacity * sizeof(uint32_t))
    if rows:
        W.ground = <uint32_t*> rows
        rows = realloc(W.node, capacity * sizeof(AfterAttacks))
    if rows:
        W.node = <AfterAttacks*> rows
        rows = realloc(W.doubt, capacity * sizeof(float))
    if rows:
        W.doubt = <float*> rows
        rows = realloc(W.most, capacity)
    if rows:
        W.most = <int8_t*> rows
        rows = realloc(W.ends, capacity)
    if rows:
        W.ends = <uint8_t*> rows
        rows = realloc(W.looked, capacity)
    if rows:
        W.looked = <uint8_t*> rows
        rows = realloc(W.parent, capacity * sizeof(int32_t))
    if rows:
        W.parent = <int32_t*> rows
        rows = realloc(W.code, capacity * sizeof(Code))
    if not rows:
        return False
    W.code = <Code*> rows
    W.capacity = capacity
    return True


cdef int64_t walk_ground(Walk* W, const Position* P) noexcept nogil:
    """The row of a position without its active Emperor, a new one if it was not met before."""
    cdef Position key = P[0]
    cdef uint32_t known = W.grounds.count
    cdef int64_t row
    cdef Sites* sites
    key.ip = 0
    key.emperor[P.mover] = OFF_BOARD
    row = book_put(&W.grounds, &key)
    if row == NO_MEMORY:
        W.failed = True
        return NO_MEMORY
    if W.grounds.count > known:
        if W.site_capacity < W.grounds.capacity:
            sites = <Sites*> realloc(W.sites, W.grounds.capacity * sizeof(Sites))
            if not sites:
                W.failed = True
                return NO_MEMORY
            W.sites = sites
            W.site_capacity = W.grounds.capacity
        memset(&W.sites[row], 0xff, sizeof(Sites))    # NOWHERE
        memset(W.sites[row].had, 0, sizeof(W.sites[row].had))
    return row


cdef bint walk_family(Walk* W, uint32_t ground, int figure) noexcept nogil:
    """Finds the family of a ground by another figure, a new one if it was not met before; False without memory."""
    cdef Position key = W.grounds.rows[ground]
    cdef uint32_t known = W.families.count
    cdef int64_t row
    cdef Family* families
    if W.sites[ground].family[figure - 1] != NOWHERE:
        return True
    leave_out(&key, figure)
    row = book_put(&W.families, &key)
    if row != NO_MEMORY and W.family_capacity < W.families.capacity:
        families = <Family*> realloc(W.family, W.families.capacity * sizeof(Family))
        if families:
            W.family = families
            W.family_capacity = W.families.capacity
        else:
            row = NO_MEMORY
    if row == NO_MEMORY:
        W.failed = True
        return False
    if W.families.count > known:
        memset(&W.family[row], 0xff, sizeof(Family))    # NOWHERE
    W.sites[ground].family[figure - 1] = <int32_t> row
    return True


cdef inline bint is_noted(Code code) noexcept nogil:
    """Whether the ground after such an action is noted: an entry, a move, a sail, or a step of another figure."""
    return kind_of(code) <= ACT_MOVE or kind_of(code) == ACT_SAIL or (WHOLE and is_deployment(code))


cdef inline int32_t* noted_ground(const Walk* W, uint32_t before, Code code, bint passes) noexcept nogil:
    """Where it is noted, with whether the figure must move on after it; NULL where its family is not known."""
    if kind_of(code) == ACT_SAIL:
        return &W.sites[before].sailed[4 * a_of(code) + b_of(code)]
    if not WHOLE or figure_of(code) == EMPEROR:
        return &W.sites[before].passing[passes]
    if W.sites[before].family[figure_of(code) - 1] == NOWHERE:
        return NULL
    return &W.family[W.sites[before].family[figure_of(code) - 1]].ground[passes][a_of(code)]


cdef inline bint moves_emperor(Code code) noexcept nogil:
    """Whether it is an entry or a move of the active Emperor."""
    return kind_of(code) <= ACT_MOVE and (not WHOLE or figure_of(code) == EMPEROR)


cdef int64_t walk_ground_after(Walk* W, uint32_t before, const Position* P, Code code) noexcept nogil:
    """The same for a position after an action from one with another ground."""
    cdef bint passes = must_go_on(P)
    cdef int64_t row
    if moves_emperor(code) and passes == must_go_on(&W.grounds.rows[before]):
        return before
    if not is_noted(code):
        return walk_ground(W, P)
    if WHOLE and figure_of(code) != EMPEROR and not walk_family(W, before, figure_of(code)):
        return NO_MEMORY
    if noted_ground(W, before, code, passes)[0] == NOWHERE:
        row = walk_ground(W, P)
        if row == NO_MEMORY:
            return NO_MEMORY
        noted_ground(W, before, code, passes)[0] = <int32_t> row    # asked again: the sites may have moved
    if CHECKED_BUILD:
        CHECK(noted_ground(W, before, code, passes)[0] == walk_ground(W, P))
    return noted_ground(W, before, code, passes)[0]


cdef inline int32_t known_ground(const Walk* W, uint32_t before, const Position* P, Code code) noexcept nogil:
    """The ground after an action on a position with this one, without the action; NOWHERE if it was not met before."""
    cdef bint passes
    cdef const int32_t* row
    if not is_noted(code):
        return NOWHERE
    passes = will_go_on(P, code)
    if moves_emperor(code) and passes == must_go_on(P):
        return <int32_t> before
    row = noted_ground(W, before, code, passes)
    return row[0] if row else NOWHERE


cdef int64_t walk_position(const Board* B, Walk* W, uint32_t ground, const Position* P) noexcept nogil:
    """The row of a position on this ground, a new one if it was not met before."""
    cdef int32_t* site = &W.sites[ground].position[P.emperor[P.mover]]
    cdef int64_t row = site[0]
    if row != NOWHERE:
        return row
    row = book_append(&W.positions, P)
    if row == NO_MEMORY or not walk_capacity(W):
        W.failed = True
        return NO_MEMORY
    site[0] = <int32_t> row
    W.positions.rows[row].ip = 0
    W.ground[row] = ground
    memset(&W.node[row], 0xff, sizeof(AfterAttacks))    # NOWHERE
    W.most[row] = NOWHERE
    W.looked[row] = 0
    W.doubt[row] = 0
    W.parent[row] = NOWHERE
    # whether he may end depends on his IP only where he has not entered yet
    W.ends[row] = P.mark != ROMAN_OPEN or (
        may_end(B, P) if P.emperor[P.mover] == OFF_BOARD else not somebody_passes(P))
    return row


cdef bint walk_meet(const Board* B, Walk* W, int64_t ground, const Position* P, int32_t parent, Code code) noexcept nogil:
    """A position reached without an attack: it waits for its turn if it has more IP left than before."""
    cdef int ip
    cdef int64_t row
    if ground == NO_MEMORY:
        return False
    row = walk_position(B, W, <uint32_t> ground, P)
    if row == NO_MEMORY:
        return False
    if W.most[row] < P.ip:
        for ip in range(W.most[row] + 1, P.ip + 1):
            W.sites[ground].had[ip] |= bit(P.emperor[P.mover])
        W.most[row] = P.ip
        W.parent[row] = parent
        W.code[row] = code
        if not level_put(&W.level[level_of(B, P)], <uint32_t> row):
            W.failed = True
            return False
    return True


cdef int64_t walk_node(const Board* B, Walk* W, int64_t ground, const Position* P) noexcept nogil:
    """The node of a position after an attack; where the turn is over, -2 - its row."""
    cdef int64_t position, row
    cdef Onward* onward
    if ground == NO_MEMORY:
        return NO_MEMORY
    position = walk_position(B, W, <uint32_t> ground, P)
    if position == NO_MEMORY:
        return NO_MEMORY
    if P.mark != ROMAN_OPEN:
        return -2 - position
    row = W.node[position].at[P.ip]
    if row != NOWHERE:
        return row
    row = book_append(&W.nodes, P)
    if row == NO_MEMORY:
        W.failed = True
        return NO_MEMORY
    W.node[position].at[P.ip] = <int32_t> row
    if W.onward_capacity < W.nodes.capacity:
        onward = <Onward*> realloc(W.onward, W.nodes.capacity * sizeof(Onward))
        if not onward:
            W.failed = True
            return NO_MEMORY
        W.onward = onward
        W.onward_capacity = W.nodes.capacity
    W.onward[row].position = <uint32_t> position
    if not level_put(&W.after[level_of(B, P)], <uint32_t> row):
        W.failed = True
        return NO_MEMORY
    return row


cdef inline int32_t known_node(const Walk* W, uint32_t ground, const Position* P, Action action) noexcept nogil:
    """The node after an action, if it was met before; else NOWHERE."""
    cdef int place = a_of(action.code) if moves_emperor(action.code) else P.emperor[P.mover]
    cdef int32_t row = known_ground(W, ground, P, action.code)
    if row == NOWHERE:
        return NOWHERE
    row = W.sites[row].position[place]
    return NOWHERE if row == NOWHERE else W.node[row].at[ip_after(P, action)]


cdef inline bint leaves_out(Walk* W, const Position* P, Code code) noexcept nogil:
    """Whether the turn is narrowed so far that it is without this action."""
    cdef int scope = scope_without(P, code)
    if W.scope < scope < W.next_scope:
        W.next_scope = scope
    return W.scope >= scope


cdef bint walk_step(const Board* B, Walk* W, uint32_t ground, const Position* P, Action action) noexcept nogil:
    """Writes one more step, from a position on this ground."""
    cdef Steps* S = &W.steps
    cdef Step* rows
    cdef Position Q
    cdef int64_t target
    if S.count == S.capacity:
        S.capacity = 2 * S.capacity + 4096
        rows = <Step*> realloc(S.rows, S.capacity * sizeof(Step))
        if not rows:
            W.failed = True
            return False
        S.rows = rows
    target = known_node(W, ground, P, action)
    if target == NOWHERE:
        play(B, P, action, &Q)
        target = walk_node(B, W, walk_ground_after(W, ground, &Q, action.code), &Q)
        if target == NO_MEMORY:
            return False
    S.rows[S.count].target = <int32_t> target
    S.rows[S.count].code = action.code
    S.rows[S.count].chance = action.chance
    S.count += 1
    return True


cdef bint walk_assault(Walk* W, uint32_t position) noexcept nogil:
    """One more attack, whose steps begin here."""
    cdef Assault* rows
    if W.assaults == W.assault_capacity:
        W.assault_capacity = 2 * W.assault_capacity + 64
        rows = <Assault*> realloc(W.assault, W.assault_capacity * sizeof(Assault))
        if not rows:
            W.failed = True
            return False
        W.assault = rows
    W.assault[W.assaults].position = position
    W.assault[W.assaults].first = W.steps.count
    W.assault[W.assaults].steps = 0
    W.assaults += 1
    return True


cdef bint walk_from(const Board* B, Walk* W, uint32_t position, int ip) noexcept nogil:
    """All that can be done on a position reached without an attack, with its most IP."""
    cdef Action[MOST_ACTIONS] list
    cdef Position P = W.positions.rows[position]
    cdef Scene V
    cdef int count = 0
    P.ip = ip
    if WHOLE or P.emperor[P.mover] == OFF_BOARD:
        return walk_actions(B, W, position, &P, list, list_named(B, &P, list))
    if P.mark != ROMAN_OPEN or not ip:
        return True
    look(B, &P, &V)
    if not walk_moves(B, W, position, &P, &V):
        return False
    if somebody_passes(&P):
        return True
    put_other_actions(B, &P, &V, list, &count)
    return walk_actions(B, W, position, &P, list, count)


cdef bint walk_moves(const Board* B, Walk* W, uint32_t position, const Position* P, const Scene* V) noexcept nogil:
    """The moves to provinces where he has not been with as many IP, in the order in which they are listed."""
    cdef Action[MOST_ACTIONS] list
    cdef uint32_t ground = W.ground[position]
    cdef const Mask* had = W.sites[ground].had
    cdef int p = P.emperor[P.mover]
    cdef Ways ways = ways_from(B, P, EMPEROR, p, P.fleets)
    cdef Mask moves
    cdef int count = 0
    ways.one &= ~had[P.ip - 1]
    ways.two &= ~had[P.ip - 2 if P.ip > 2 else 0]
    ways.three &= ~had[P.ip - 3 if P.ip > 3 else 0]
    moves = legal_moves(B, V, EMPEROR, p, P.fleets, P.ip, &ways)
    put_steps(list, &count, ACT_MOVE, moves & ways.one, 1)
    put_steps(list, &count, ACT_MOVE, moves & ways.two, 2)
    put_steps(list, &count, ACT_MOVE, moves & ways.three, 3)
    return walk_actions(B, W, position, P, list, count)


cdef bint walk_actions(
    const Board* B, Walk* W, uint32_t position, const Position* P, const Action* list, int count,
) noexcept nogil:
    """These actions on a position reached without an attack."""
    cdef Position Q
    cdef Code last = NO_CODE
    cdef int k
    for k in range(count):
        if WHOLE and leaves_out(W, P, list[k].code):
            continue
        if not is_attack(list[k].code):
            if has_been(W, W.ground[position], P, list[k]):
                continue
            play(B, P, list[k], &Q)
            if not walk_meet(
                    B, W, walk_ground_after(W, W.ground[position], &Q, list[k].code), &Q, <int32_t> position, list[k].code):
                return False
            continue
        if without_outcome(list[k].code) != last:
            last = without_outcome(list[k].code)
            if not walk_assault(W, position):
                return False
        if not walk_step(B, W, W.ground[position], P, list[k]):
            return False
        W.assault[W.assaults - 1].steps += 1
    return True


cdef inline bint has_been(const Walk* W, uint32_t ground, const Position* P, Action action) noexcept nogil:
    """Whether it leads to where he has been with as many IP; `walk_moves` has left such moves of the base game out."""
    cdef int place = a_of(action.code) if moves_emperor(action.code) else P.emperor[P.mover]
    cdef int32_t after
    if not WHOLE and kind_of(action.code) <= ACT_MOVE:
        return False
    after = known_ground(W, ground, P, action.code)
    return after != NOWHERE and W.sites[after].had[ip_after(P, action)] >> place & 1


cdef bint walk_on(const Board* B, Walk* W, uint32_t node) noexcept nogil:
    """All that can be done at a node after an attack."""
    cdef Action[MOST_ACTIONS] list
    cdef Position P = W.nodes.rows[node]
    cdef int count = list_named(B, &P, list)
    cdef uint32_t first = W.steps.count
    cdef int k
    for k in range(count):
        if not (WHOLE and leaves_out(W, &P, list[k].code)) and not walk_step(B, W, W.ground[W.onward[node].position], &P, list[k]):
            return False
    W.onward[node].first = first
    W.onward[node].steps = W.steps.count - first
    return True


cdef bint walk(const Board* B, Walk* W, const Position* start, Watch* watch) noexcept nogil:
    """All of a turn, narrowed if it is too large. False when there is no memory, or when it was stopped."""
    W.scope = 0
    while not walk_within(B, W, start, watch):
        if not W.overfull:
            return False
        W.scope = W.next_scope                       # any in between would go the same way
    return True


cdef inline bint grows_too_large(Walk* W) noexcept nogil:
    W.overfull = W.most_rows and W.scope < NARROWEST and W.positions.count + W.nodes.count > W.most_rows
    return W.overfull


cdef bint walk_within(const Board* B, Walk* W, const Position* start, Watch* watch) noexcept nogil:
    """A turn with this scope. False, too, when it is `overfull`."""
    cdef size_t i
    cdef int level
    cdef uint32_t row
    cdef Position P
    book_clear(&W.grounds)
    if WHOLE:
        book_clear(&W.families)
    W.positions.count = W.nodes.count = 0
    for level in range(LEVELS):
        W.level[level].count = 0
        W.after[level].count = 0
    W.steps.count = 0
    W.assaults = 0
    W.next_scope = NARROWEST
    W.failed = W.overfull = False
    if not walk_meet(B, W, walk_ground(W, start), start, NOWHERE, ACT_END):
        return False
    for level in range(LEVELS - 1, -1, -1):
        i = 0
        while i < W.level[level].count:              # an entry adds to the list that is being emptied
            if spend(watch, NODE_TICKS) or grows_too_large(W):
                return False
            row = W.level[level].rows[i]
            P = W.positions.rows[row]
            P.ip = W.most[row]
            if level_of(B, &P) == level and not walk_from(B, W, row, P.ip):
                return False
            i += 1
    for level in range(LEVELS - 1, -1, -1):
        for i in range(W.after[level].count):
            if spend(watch, NODE_TICKS) or grows_too_large(W) or not walk_on(B, W, W.after[level].rows[i]):
                return False
    return True


cdef enum:
    OUT_OF_SIGHT = -100    # worse than any mean with a value of an end in it


cdef inline double step_value(const Walk* W, const Step* step, int least) noexcept nogil:
    if step.target >= 0:
        return W.onward[step.target].best
    if W.looked[-2 - step.target] < least:
        return OUT_OF_SIGHT
    return W.positions.notes[-2 - step.target]


cdef double attack_value(const Walk* W, uint32_t first, uint32_t stop, int least, uint32_t* after) noexcept nogil:
    """The mean over the outcomes of the attack whose steps begin at `first`; `after`: the step behind them."""
    cdef const Step* step = W.steps.rows
    cdef double total = 0
    cdef uint32_t k = first
    while k < stop and without_outcome(step[k].code) == without_outcome(step[first].code):
        total += step[k].chance * step_value(W, &step[k], least)
        k += 1
    after[0] = k
    return total / 36


cdef void solve_walk(Walk* W, int least) noexcept nogil:
    """
    The best thing to do at each node, and what each attack is worth, by the values of ending. Only ends that have been
    looked at at least so closely count; where none can be reached the value is below 0.
    """
    cdef Onward* onward
    cdef double value
    cdef uint32_t k, after, stop
    cdef size_t i
    cdef int level
    for level in range(LEVELS):
        for i in range(W.after[level].count):
            onward = &W.onward[W.after[level].rows[i]]
            onward.best = OUT_OF_SIGHT
            onward.chosen = NOWHERE
            if W.ends[onward.position] and W.looked[onward.position] >= least:
                onward.best = W.positions.notes[onward.position]
            k = onward.first
            stop = k + onward.steps
            while k < stop:
                if is_attack(W.steps.rows[k].code):
                    value = attack_value(W, k, stop, least, &after)
                else:
                    value = step_value(W, &W.steps.rows[k], least)
                    after = k + 1
                if value > onward.best:
                    onward.best = value
                    onward.chosen = <int32_t> k
                k = after
    for i in range(W.assaults):
        W.assault[i].value = attack_value(
            W, W.assault[i].first, W.assault[i].first + W.assault[i].steps, least, &after)
