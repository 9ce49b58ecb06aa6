# How an Emperor may decide: at random, by looking at the ends of his turn, at the phase after them, at the turn after that.

cdef enum:                 # kinds of policies
    BY_CHANCE
    GREEDY                 # the end of greatest value
    EXPECTIMAX             # the best ends valued again after sampled phases
    SEARCH                 # the best of those by the best end of the turn that follows
    MOST_ENDS = 4096       # looked at more closely
    MOST_FATES = 3600

cdef struct Manner:
    int kind
    int ends               # EXPECTIMAX: ways to play the turn that are looked at more closely
    int samples            # phases sampled after each end
    int deep_ends          # SEARCH: ways to play the turn that are looked at more closely still
    int deep_samples       # turns after them

cdef struct Intent:        # a way to play the turn up to its end or to an attack
    double value
    int32_t table
    int32_t assault        # NOWHERE: to end the turn

cdef struct Mind:          # what thinking needs
    const Board* B
    const Network* networks
    Walk walk
    Kept kept
    Walk next_walk         # of the turn that follows
    Kept next_kept
    Intent* choices
    int choice_count
    Fate* fates
    int64_t turns          # that were looked through: the nodes of a budget
    int64_t phases         # that were sampled
    double luck            # what the dice of attacks have added to the value
    bint failed


cdef int mind_open(Mind* M, const Board* B, const Network* networks) except -1:
    memset(M, 0, sizeof(Mind))
    M.B = B
    M.networks = networks
    walk_open(&M.walk)
    walk_open(&M.next_walk)
    kept_open(&M.kept)
    kept_open(&M.next_kept)
    M.choices = <Intent*> malloc(MOST_ENDS * sizeof(Intent))
    M.fates = <Fate*> malloc(MOST_FATES * sizeof(Fate))
    if not M.choices or not M.fates:
        raise MemoryError("no room to think")
    return 0


cdef void mind_close(Mind* M) noexcept nogil:
    walk_close(&M.walk)
    walk_close(&M.next_walk)
    kept_close(&M.kept)
    kept_close(&M.next_kept)
    free(M.choices)
    free(M.fates)
    memset(M, 0, sizeof(Mind))


cdef bint look_through(Mind* M, Walk* W, Kept* K, const Position* P) noexcept nogil:
    """All ends of a turn with their values at first sight."""
    cdef uint32_t row
    cdef Position* table
    M.turns += 1
    kept_clear(K)
    if not walk(M.B, W, P):
        M.failed = True
        return False
    for row in range(W.tables.count):
        if not W.ends[row]:
            continue
        table = &W.tables.rows[row]
        W.looked[row] = 1
        if table.mark & RESULT_WON:
            W.tables.notes[row] = 1
            W.looked[row] = 3
        elif table.mark & RESULT_FALLEN:
            W.tables.notes[row] = 0
            W.looked[row] = 3
        else:
            W.tables.notes[row] = end_value(M.B, &M.networks[1], K, table)
    if K.failed:
        M.failed = True
    return not M.failed


cdef Intent best_choice(const Walk* W, int least) noexcept nogil:
    """The best way to play, after `solve_walk`; with more IP left where values are equal."""
    cdef Intent best
    cdef uint32_t i
    best.value = OUT_OF_SIGHT
    best.table = best.assault = NOWHERE
    for i in range(W.tables.count):
        if W.ends[i] and W.most[i] != NOWHERE and W.looked[i] >= least and W.tables.notes[i] > best.value:
            best.value = W.tables.notes[i]
            best.table = <int32_t> i
    for i in range(W.assaults):
        if W.assault[i].value > best.value:
            best.value = W.assault[i].value
            best.table = <int32_t> W.assault[i].table
            best.assault = <int32_t> i
    return best


cdef inline void sift_down(Intent* heap, int count, int i) noexcept nogil:
    """A heap with the worst choice on top."""
    cdef Intent moved = heap[i]
    cdef int child
    while 2 * i + 1 < count:
        child = 2 * i + 1
        if child + 1 < count and heap[child + 1].value < heap[child].value:
            child += 1
        if heap[child].value >= moved.value:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = moved


cdef inline void offer_choice(Mind* M, int most, double value, int32_t table, int32_t assault) noexcept nogil:
    cdef Intent* heap = M.choices
    cdef int i
    if M.choice_count < most:
        heap[M.choice_count].value = value
        heap[M.choice_count].table = table
        heap[M.choice_count].assault = assault
        M.choice_count += 1
        if M.choice_count == most:
            for i in range(most / 2, -1, -1):
                sift_down(heap, most, i)
    elif value > heap[0].value:
        heap[0].value = value
        heap[0].table = table
        heap[0].assault = assault
        sift_down(heap, most, 0)


cdef int by_value(const void* a, const void* b) noexcept nogil:
    cdef const Intent* x = <const Intent*> a
    cdef const Intent* y = <const Intent*> b
    if x.value != y.value:
        return 1 if x.value < y.value else -1
    if x.assault != y.assault:
        return 1 if x.assault > y.assault else -1
    return (x.table > y.table) - (x.table < y.table)


cdef void best_choices(Mind* M, int most, int least) noexcept nogil:
    """So many of the best ways to play, the best first, after `solve_walk`."""
    cdef const Walk* W = &M.walk
    cdef uint32_t i
    M.choice_count = 0
    for i in range(W.tables.count):
        if W.ends[i] and W.most[i] != NOWHERE and W.looked[i] >= least:
            offer_choice(M, most, W.tables.notes[i], <int32_t> i, NOWHERE)
    for i in range(W.assaults):
        if W.assault[i].value >= 0:
            offer_choice(M, most, W.assault[i].value, <int32_t> W.assault[i].table, <int32_t> i)
    qsort(M.choices, M.choice_count, sizeof(Intent), by_value)


cdef struct Sample:        # sums over phases
    double total
    double squares


cdef inline void add_sample(Sample* sample, double value) noexcept nogil:
    sample.total += value
    sample.squares += value * value


cdef void after_phases(Mind* M, const Position* end, int samples, Sample* found) noexcept nogil:
    """The values at the start of the next turn, over the first of the fates."""
    cdef Position P
    cdef int k
    for k in range(samples):
        P = end[0]
        phase_fated(M.B, &P, &M.fates[k])
        add_sample(found, value_of(M.B, M.networks, &P))
    M.phases += samples


cdef double after_next_turn(Mind* M, const Position* start) noexcept nogil:
    """The best value at the end of the turn that begins here."""
    if start.mark != ROMAN_OPEN:
        return 0
    if not look_through(M, &M.next_walk, &M.next_kept, start):
        return 0
    solve_walk(&M.next_walk, 1)
    return best_choice(&M.next_walk, 1).value


cdef void after_turns(Mind* M, const Position* end, int samples, Sample* found) noexcept nogil:
    """The best values at the end of the next turn, over the first of the fates."""
    cdef Position P
    cdef int k
    for k in range(samples):
        P = end[0]
        phase_fated(M.B, &P, &M.fates[k])
        add_sample(found, after_next_turn(M, &P))


cdef void look_closer(Mind* M, uint32_t table, int closeness, int samples) noexcept nogil:
    """Values a table by samples; its doubt is that of independent ones, and more than that of stratified ones."""
    cdef Walk* W = &M.walk
    cdef Sample found
    cdef double mean
    if W.looked[table] >= closeness:
        return
    found.total = found.squares = 0
    if closeness == 2:
        after_phases(M, &W.tables.rows[table], samples, &found)
    else:
        after_turns(M, &W.tables.rows[table], samples, &found)
    mean = found.total / samples
    W.looked[table] = closeness
    W.tables.notes[table] = mean
    if samples > 1:
        W.doubt[table] = <float> ((found.squares - found.total * mean) / (samples - 1) / samples)


cdef void look_on(Mind* M, uint32_t first, uint32_t stop, int closeness, int samples) noexcept nogil:
    """Looks closer at all ends of the best way to go on after each outcome of an attack."""
    cdef Walk* W = &M.walk
    cdef Step* step
    cdef int32_t node, chosen
    cdef uint32_t k = first
    while k < stop and without_outcome(W.steps.rows[k].code) == without_outcome(W.steps.rows[first].code):
        step = &W.steps.rows[k]
        k += 1
        node = step.target
        while node >= 0:
            chosen = W.onward[node].chosen
            if chosen == NOWHERE:
                look_closer(M, W.onward[node].table, closeness, samples)
                break
            step = &W.steps.rows[chosen]
            if is_attack(step.code):
                look_on(M, chosen, W.onward[node].first + W.onward[node].steps, closeness, samples)
                break
            node = step.target
        if node < 0:
            look_closer(M, -2 - node, closeness, samples)


cdef Intent look_closer_at_best(Mind* M, int ends, int closeness, int samples) noexcept nogil:
    """The best of so many of the best ways to play, all looked at so closely."""
    cdef Walk* W = &M.walk
    cdef Intent choice
    cdef int i
    best_choices(M, ends, closeness - 1)
    for i in range(M.choice_count):
        choice = M.choices[i]
        if choice.assault == NOWHERE:
            look_closer(M, choice.table, closeness, samples)
        else:
            look_on(
                M, W.assault[choice.assault].first, W.assault[choice.assault].first + W.assault[choice.assault].steps,
                closeness, samples)
    solve_walk(W, closeness)
    return best_choice(W, closeness)


cdef Intent think(Mind* M, const Manner* manner, const Position* P, uint64_t seed) noexcept nogil:
    """What to do next in this Roman phase."""
    cdef Intent choice
    choice.value = choice.table = choice.assault = NOWHERE
    if not look_through(M, &M.walk, &M.kept, P):
        return choice
    solve_walk(&M.walk, 1)
    if manner.kind == GREEDY:
        return best_choice(&M.walk, 1)
    make_fates(M.fates, 0, manner.samples, seed)
    choice = look_closer_at_best(M, manner.ends, 2, manner.samples)
    if manner.kind == EXPECTIMAX or choice.value >= 1:
        return choice
    make_fates(M.fates, 0, manner.deep_samples, mixed(seed, 2))
    return look_closer_at_best(M, manner.deep_ends, 3, manner.deep_samples)


cdef void roll_assault(Mind* M, const Intent* choice, Position* P, Dice* dice) noexcept nogil:
    """The position after the chosen attack."""
    cdef Walk* W = &M.walk
    cdef const Assault* assault = &W.assault[choice.assault]
    cdef const Step* step = W.steps.rows + assault.first
    cdef int roll = random_below(dice, 36)
    while roll >= step.chance:
        roll -= step.chance
        step += 1
    M.luck += step_value(W, step, 0) - choice.value
    P[0] = W.nodes.rows[step.target] if step.target >= 0 else W.tables.rows[-2 - step.target]


cdef void random_turn(const Board* B, Position* P, Dice* dice) noexcept nogil:
    cdef Position Q
    cdef Action action
    while P.mark == ROMAN_OPEN:
        random_action(B, P, dice, &action)
        play(B, P, action, &Q)
        P[0] = Q


cdef void carry_out(Mind* M, const Manner* manner, Position* P, Intent choice, Dice* dice, uint64_t seed) noexcept nogil:
    """The turn to its end, from what `think` has just chosen: after each attack it is thought about anew."""
    cdef int attacks = 0
    while not M.failed:
        if choice.table == NOWHERE:
            M.failed = True
            return
        if choice.assault == NOWHERE:
            P[0] = M.walk.tables.rows[choice.table]
            if P.mark == ROMAN_OPEN:
                P.mark = PHASE_BARBARIAN
        else:
            roll_assault(M, &choice, P, dice)
            attacks += 1
        if P.mark != ROMAN_OPEN:
            P.ip = 0
            return
        choice = think(M, manner, P, mixed(seed, 2 + attacks))


cdef void play_turn(Mind* M, const Manner* manner, Position* P, uint64_t seed) noexcept nogil:
    """The turn to its end: the Barbarian phase is next, or the game is over."""
    cdef Dice dice
    cdef Intent choice
    seed_dice(&dice, mixed(seed, 1))
    if manner.kind == BY_CHANCE:
        random_turn(M.B, P, &dice)
        P.ip = 0
        return
    choice = think(M, manner, P, mixed(seed, 2))
    carry_out(M, manner, P, choice, &dice, seed)
