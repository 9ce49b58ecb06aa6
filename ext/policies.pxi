# How an Emperor may decide: at random, by looking at the ends of his turn, at the phase after them, at the turn after that.

cdef enum:                 # kinds of policies
    BY_CHANCE
    GREEDY                 # the end of greatest value
    EXPECTIMAX             # the best ends valued again after sampled phases
    SEARCH                 # the best of those by the best end of the turn that follows
    MOST_ENDS = 4096       # looked at more closely
    MOST_PHASES = 3600
    MOST_ROUNDS = 6
    NEXT_ENDS = 16         # SEARCH: how closely the turn that follows is looked at
    NEXT_SAMPLES = 9
    NEXT_ROUNDS = 3
    VALUED = 1 << 12       # positions after sampled phases whose values are kept

cdef enum:                 # how closely the value of an end has been looked at
    UNSEEN
    FIRST_SIGHT            # the evaluation of ends
    SAMPLED                # sampled phases; one more for each further round
    DEEP = SAMPLED + MOST_ROUNDS    # and the turns after some of them
    OVER                   # nothing is left to look at

cdef struct Manner:
    int kind
    int ends               # EXPECTIMAX: ways to play the turn that are looked at more closely, in the first round
    int samples            # phases sampled after each end, likewise
    int rounds             # each round has half as many ways left to play as the one before, and twice as many samples
    int deep_ends          # SEARCH: ways to play the turn that are looked at more closely still
    int deep_samples       # turns after them

cdef struct Intent:        # a way to play the turn up to its end or to an attack
    double value
    int32_t position
    int32_t assault        # NOWHERE: to end the turn

cdef struct Valued:
    Position position
    double value
    uint64_t call          # in which it was valued

cdef struct Closer:        # an end that was looked at more closely than at first sight, or where the game is over
    uint32_t position
    double first           # its value at first sight

cdef struct Mind           # see below

cdef struct Mind:          # what thinking about a turn needs
    const Board* B
    const Network* networks
    Recall recall
    Walk walk
    Kept kept
    Mind* next             # for the turn that follows; NULL where nothing does
    Watch* watch           # of the call that thinks
    Valued* valued         # values of positions, each at the index that its hash gives
    uint64_t call          # number of the call that thinks, above 0: values of earlier ones are not looked at
    int policy             # by which Barbarian phases are decided
    int opponent           # in games: who plays the Barbarians
    Intent* choices
    int choice_count
    Closer* closer         # in the order of their positions up to `closer_sorted`
    uint32_t closer_count
    uint32_t closer_sorted
    uint32_t closer_capacity
    Position* starts       # of turns that follow,
    double* gains          # by how much the best way to play each is worth more than its start,
    uint8_t* gained        # and whether that is known
    PhaseDice* dice
    int64_t turns          # that were looked through: the nodes of a budget
    int64_t phases         # that were sampled
    double luck            # what the dice of attacks have added to the value
    bint complete          # all ends of the turn last looked through have a value
    bint failed


cdef int mind_open(Mind* M, const Board* B, const Network* networks, Mind* next, Watch* watch, int policy) except -1:
    memset(M, 0, sizeof(Mind))
    M.policy = policy
    M.watch = watch
    M.B = B
    M.networks = networks
    M.next = next
    recall_open(&M.recall)
    if next:
        memcpy(M.recall.afar, next.recall.afar, sizeof(next.recall.afar))
    else:
        afar_open(B, &M.recall)
    walk_open(&M.walk)
    M.walk.most_rows = MOST_ROWS_OF_A_TURN if next else MOST_ROWS_OF_A_NEXT_TURN
    M.choices = <Intent*> malloc(MOST_ENDS * sizeof(Intent))
    M.dice = <PhaseDice*> malloc(MOST_PHASES * sizeof(PhaseDice))
    M.valued = <Valued*> calloc(VALUED, sizeof(Valued))
    M.starts = <Position*> malloc(MOST_PHASES * sizeof(Position))
    M.gains = <double*> malloc(MOST_PHASES * sizeof(double))
    M.gained = <uint8_t*> malloc(MOST_PHASES)
    if not M.choices or not M.dice or not M.valued or not M.starts or not M.gains or not M.gained:
        raise MemoryError("no memory to think")
    return 0


cdef void mind_close(Mind* M) noexcept nogil:
    recall_close(&M.recall)
    walk_close(&M.walk)
    kept_close(&M.kept)
    free(M.choices)
    free(M.dice)
    free(M.valued)
    free(M.closer)
    free(M.starts)
    free(M.gains)
    free(M.gained)
    memset(M, 0, sizeof(Mind))


cdef bint note_closer(Mind* M, uint32_t position) noexcept nogil:
    """Notes that an end is looked at more closely; False when there is no memory."""
    cdef Closer* rows
    if M.closer_count == M.closer_capacity:
        rows = <Closer*> realloc(M.closer, (2 * <size_t> M.closer_capacity + 256) * sizeof(Closer))
        if not rows:
            M.failed = True
            return False
        M.closer = rows
        M.closer_capacity = 2 * M.closer_capacity + 256
    M.closer[M.closer_count].position = position
    M.closer[M.closer_count].first = M.walk.positions.notes[position]
    M.closer_count += 1
    return True


cdef int by_position(const void* a, const void* b) noexcept nogil:
    cdef uint32_t x = (<const Closer*> a).position
    cdef uint32_t y = (<const Closer*> b).position
    return (x > y) - (x < y)


cdef void sort_closer(Mind* M) noexcept nogil:
    if M.closer_sorted < M.closer_count:
        qsort(M.closer, M.closer_count, sizeof(Closer), by_position)
        M.closer_sorted = M.closer_count


cdef void forget_closer(Mind* M) noexcept nogil:
    """All ends of the turn last looked through as at first sight."""
    cdef Walk* W = &M.walk
    cdef uint32_t kept = 0
    cdef uint32_t i, position
    for i in range(M.closer_count):
        position = M.closer[i].position
        if W.looked[position] == OVER:
            M.closer[kept] = M.closer[i]
            kept += 1
            continue
        W.looked[position] = FIRST_SIGHT
        W.positions.notes[position] = M.closer[i].first
        W.doubt[position] = 0
    M.closer_count = kept
    M.closer_sorted = 0


cdef bint look_through(Mind* M, const Position* P) noexcept nogil:
    """All ends of a turn with their values at first sight. False when there is no memory, or when it was stopped."""
    cdef Walk* W = &M.walk
    cdef Kept* K = &M.kept
    cdef uint32_t row
    cdef Position* position
    M.turns += 1
    M.complete = False
    M.closer_count = M.closer_sorted = 0
    if not walk(M.B, W, P, M.watch):
        M.failed |= W.failed
        return False
    if not kept_clear(K, W.grounds.count, &M.networks[1]):
        M.failed = True
        return False
    for row in range(W.positions.count):
        if spend(M.watch, 1):
            return False
        if not W.ends[row]:
            continue
        position = &W.positions.rows[row]
        W.looked[row] = FIRST_SIGHT
        if position.mark & (RESULT_WON | RESULT_FALLEN):
            W.positions.notes[row] = 1 if position.mark & RESULT_WON else 0
            W.looked[row] = OVER
            if not note_closer(M, row):
                return False
        else:
            W.positions.notes[row] = end_value(M.B, &M.recall, &M.networks[1], K, W.ground[row], position)
    if K.failed:
        M.failed = True
    M.complete = not M.failed
    return M.complete


cdef inline bint is_choice(const Walk* W, uint32_t position, int least) noexcept nogil:
    """Whether the turn can end there without an attack, and that was looked at at least so closely."""
    return W.ends[position] and W.most[position] != NOWHERE and W.looked[position] >= least


cdef Intent best_choice(Mind* M, int least) noexcept nogil:
    """The best way to play, after `solve_walk`; with more IP left where values are equal."""
    cdef const Walk* W = &M.walk
    cdef Intent best
    cdef uint32_t i, position
    best.value = OUT_OF_SIGHT
    best.position = best.assault = NOWHERE
    sort_closer(M)
    for i in range(M.closer_count if least > FIRST_SIGHT else W.positions.count):
        position = M.closer[i].position if least > FIRST_SIGHT else i
        if is_choice(W, position, least) and W.positions.notes[position] > best.value:
            best.value = W.positions.notes[position]
            best.position = <int32_t> position
    for i in range(W.assaults):
        if W.assault[i].value > best.value:
            best.value = W.assault[i].value
            best.position = <int32_t> W.assault[i].position
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


cdef inline void offer_choice(Mind* M, int most, double value, int32_t position, int32_t assault) noexcept nogil:
    cdef Intent* heap = M.choices
    cdef int i
    if M.choice_count < most:
        heap[M.choice_count].value = value
        heap[M.choice_count].position = position
        heap[M.choice_count].assault = assault
        M.choice_count += 1
        if M.choice_count == most:
            for i in range(most / 2, -1, -1):
                sift_down(heap, most, i)
    elif value > heap[0].value:
        heap[0].value = value
        heap[0].position = position
        heap[0].assault = assault
        sift_down(heap, most, 0)


cdef int by_value(const void* a, const void* b) noexcept nogil:
    cdef const Intent* x = <const Intent*> a
    cdef const Intent* y = <const Intent*> b
    if x.value != y.value:
        return 1 if x.value < y.value else -1
    if x.assault != y.assault:
        return 1 if x.assault > y.assault else -1
    return (x.position > y.position) - (x.position < y.position)


cdef void best_choices(Mind* M, int most, int least) noexcept nogil:
    """So many of the best ways to play, the best first, after `solve_walk`."""
    cdef const Walk* W = &M.walk
    cdef uint32_t i, position
    M.choice_count = 0
    sort_closer(M)
    for i in range(M.closer_count if least > FIRST_SIGHT else W.positions.count):
        position = M.closer[i].position if least > FIRST_SIGHT else i
        if is_choice(W, position, least):
            offer_choice(M, most, W.positions.notes[position], <int32_t> position, NOWHERE)
    for i in range(W.assaults):
        if W.assault[i].value >= 0:
            offer_choice(M, most, W.assault[i].value, <int32_t> W.assault[i].position, <int32_t> i)
    qsort(M.choices, M.choice_count, sizeof(Intent), by_value)


cdef struct Sample:        # sums over phases
    double total
    double squares


cdef inline void add_sample(Sample* sample, double value) noexcept nogil:
    sample.total += value
    sample.squares += value * value


cdef double value_after(Mind* M, const Position* P) noexcept nogil:
    """`value_of` a position after a sampled phase: half of them are like one before."""
    cdef uint64_t hash = hash_of(P)
    cdef Valued* valued = &M.valued[hash >> 52]
    if valued.call != M.call or not same_position(&valued.position, P):
        valued.position = P[0]
        valued.call = M.call
        valued.value = value_of(M.B, &M.recall, M.networks, P)
    return valued.value


cdef void after_phases(Mind* M, const Position* end, int first, int stop, Sample* found) noexcept nogil:
    """The values at the start of the next turn, over these of the sampled phases."""
    cdef Position P
    cdef int k
    for k in range(first, stop):
        P = end[0]
        phase_by_dice(M.B, &P, &M.dice[k], M.policy)
        add_sample(found, value_after(M, &P))
    M.phases += stop - first


cdef double after_next_turn(Mind* M, const Position* start, uint64_t seed, bint again) noexcept nogil:
    """The value of the best way to play the turn that begins here; `again`: it is the one last looked through."""
    cdef Manner manner
    cdef Intent choice
    if start.mark != ROMAN_OPEN:
        return 0
    manner.kind = EXPECTIMAX
    manner.ends = NEXT_ENDS
    manner.samples = NEXT_SAMPLES
    manner.rounds = NEXT_ROUNDS
    choice = think_again(M.next, &manner, seed) if again else think(M.next, &manner, start, seed)
    M.failed |= M.next.failed
    return choice.value


cdef void after_turns(Mind* M, const Position* end, int samples, uint64_t seed, Sample* found) noexcept nogil:
    """
    By how much the best way to play the next turn is worth more than its start, over the first of the sampled phases. Turns that
    begin alike are looked through once.
    """
    cdef double value
    cdef int i, k
    for k in range(samples):
        M.starts[k] = end[0]
        phase_by_dice(M.B, &M.starts[k], &M.dice[k], M.policy)
        M.gained[k] = False
    for k in range(samples):
        if M.gained[k]:
            continue
        value = value_of(M.B, &M.recall, M.networks, &M.starts[k])
        for i in range(k, samples):
            if i > k and (M.gained[i] or not same_position(&M.starts[i], &M.starts[k])):
                continue
            if spend(M.watch, 1):
                return
            M.gains[i] = after_next_turn(M, &M.starts[i], mixed(seed, i), i > k) - value
            M.gained[i] = True
    for k in range(samples):
        add_sample(found, M.gains[k])


cdef inline double doubt_of(const Sample* found, int samples) noexcept nogil:
    """The variance of the mean of independent samples, which is more than that of stratified ones."""
    return (found.squares - found.total * found.total / samples) / (samples - 1) / samples if samples > 1 else 0


cdef void sample_more(Mind* M, uint32_t position, int closeness, int samples) noexcept nogil:
    """Values a position by so many samples, of which it has had half if it was in the round before."""
    cdef Walk* W = &M.walk
    cdef Sample found
    cdef int known = 0
    found.total = found.squares = 0
    if closeness > SAMPLED and W.looked[position] == closeness - 1:
        known = samples / 2
        found.total = W.positions.notes[position] * known
        found.squares = W.doubt[position] * known * (known - 1) + found.total * found.total / known
    after_phases(M, &W.positions.rows[position], known, samples, &found)
    W.positions.notes[position] = found.total / samples
    W.doubt[position] = <float> doubt_of(&found, samples)


cdef void look_closer(Mind* M, uint32_t position, int closeness, int samples, uint64_t seed) noexcept nogil:
    """
    Values a position more closely. Few turns can be looked through after it: they mend the value that many samples gave it,
    by what the best way to play the turn is worth more than its start, which varies far less than either.
    """
    cdef Walk* W = &M.walk
    cdef Sample found
    if W.looked[position] >= closeness or spend(M.watch, 2 * samples):
        return
    if W.looked[position] == FIRST_SIGHT and not note_closer(M, position):
        return
    if closeness < DEEP:
        sample_more(M, position, closeness, samples)
    else:
        found.total = found.squares = 0
        after_turns(M, &W.positions.rows[position], samples, seed, &found)
        if M.watch.stopped:                          # some of the turns are missing
            return
        W.positions.notes[position] += found.total / samples
        W.doubt[position] += <float> doubt_of(&found, samples)
    W.looked[position] = closeness


cdef void look_on(
    Mind* M, uint32_t first, uint32_t stop, int closeness, int samples, uint64_t seed,
) noexcept nogil:
    """Looks closer at all ends of the best continuation after each outcome of an attack."""
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
                look_closer(M, W.onward[node].position, closeness, samples, seed)
                break
            step = &W.steps.rows[chosen]
            if is_attack(step.code):
                look_on(M, chosen, W.onward[node].first + W.onward[node].steps, closeness, samples, seed)
                break
            node = step.target
        if node < 0:
            look_closer(M, -2 - node, closeness, samples, seed)


cdef Intent look_closer_at_best(
    Mind* M, int ends, int before, int closeness, int samples, uint64_t seed,
) noexcept nogil:
    """The best of so many of the ways to play that were best `before`, all looked at so closely."""
    cdef Walk* W = &M.walk
    cdef Intent choice
    cdef int i
    best_choices(M, ends, before)
    for i in range(M.choice_count):
        choice = M.choices[i]
        if M.watch.stopped:
            break
        if choice.assault == NOWHERE:
            look_closer(M, choice.position, closeness, samples, seed)
        else:
            look_on(
                M, W.assault[choice.assault].first, W.assault[choice.assault].first + W.assault[choice.assault].steps,
                closeness, samples, seed)
    solve_walk(W, closeness)
    return best_choice(M, closeness)


cdef Intent think(Mind* M, const Manner* manner, const Position* P, uint64_t seed) noexcept nogil:
    """What to do next in this Roman phase. After a stop: the best that has been seen, NOWHERE if nothing has."""
    cdef Intent choice
    choice.value = choice.position = choice.assault = NOWHERE
    if not look_through(M, P):
        return choice
    return think_on(M, manner, seed)


cdef Intent think_again(Mind* M, const Manner* manner, uint64_t seed) noexcept nogil:
    """The same for the turn last looked through, with other dice."""
    cdef Intent choice
    choice.value = choice.position = choice.assault = NOWHERE
    M.turns += 1
    if not M.complete:
        return choice
    forget_closer(M)
    return think_on(M, manner, seed)


cdef Intent think_on(Mind* M, const Manner* manner, uint64_t seed) noexcept nogil:
    """What to do next in the turn that was looked through."""
    cdef Intent choice
    cdef int closeness = FIRST_SIGHT
    cdef int k
    solve_walk(&M.walk, FIRST_SIGHT)
    if manner.kind == GREEDY:
        return best_choice(M, FIRST_SIGHT)
    seed_phases(M.dice, 0, manner.samples << manner.rounds - 1, seed)
    for k in range(manner.rounds):
        choice = look_closer_at_best(
            M, manner.ends >> k if manner.ends >> k else 1, closeness, SAMPLED + k, manner.samples << k, seed)
        closeness = SAMPLED + k
        if M.watch.stopped:
            return choice
    if manner.kind == EXPECTIMAX or choice.value >= 1:
        return choice
    seed_phases(M.dice, 0, manner.deep_samples, mixed(seed, 2))
    return look_closer_at_best(M, manner.deep_ends, closeness, DEEP, manner.deep_samples, mixed(seed, 3))


cdef void roll_assault(Mind* M, const Intent* choice, Position* P, Dice* dice) noexcept nogil:
    """The position after the chosen attack."""
    cdef Walk* W = &M.walk
    cdef const Assault* assault = &W.assault[choice.assault]
    cdef const Step* step = W.steps.rows + assault.first
    cdef int roll = random_below(dice, 36)
    cdef int rank = roll                             # the best first, since victories are
    while roll >= step.chance:
        roll -= step.chance
        step += 1
    M.luck += step_value(W, step, 0) - choice.value
    P[0] = W.nodes.rows[step.target] if step.target >= 0 else W.positions.rows[-2 - step.target]
    give_back_unneeded(M.B, &W.positions.rows[choice.position], step.code, rank, P)


cdef void random_turn(const Board* B, Position* P, Dice* dice) noexcept nogil:
    cdef Position Q
    cdef Action action
    while P.mark == ROMAN_OPEN:
        random_action(B, P, dice, &action)
        play(B, P, action, &Q)
        P[0] = Q


cdef void carry_out(Mind* M, const Manner* manner, Position* P, Intent choice, Dice* dice, uint64_t seed) noexcept nogil:
    """The turn to its end, from what `think` has just chosen: after each attack it is evaluated again."""
    cdef int attacks = 0
    while not M.failed and not M.watch.stopped:
        if choice.position == NOWHERE:
            M.failed = True
            return
        if choice.assault == NOWHERE:
            P[0] = M.walk.positions.rows[choice.position]
            if P.mark == ROMAN_OPEN:
                end_turn(P)
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
