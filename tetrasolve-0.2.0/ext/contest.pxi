# Whole games by a policy, all dice drawn from the seed of the game: another policy meets the same set-up, and in each
# phase the same dice as far as its position lets it.

cdef enum:
    MOST_TURNS = 400       # a game that is not over then is called open: Rome can hold out, and win no more
    RIVALS = 40            # the best ends, of which some are noted

cdef struct Course:        # of one game
    int turns
    int fell_in            # the step of the phase in which the Empire fell, 0 if it did not

cdef enum:                 # kinds of positions to learn from
    START_KEPT             # the start of a turn,
    START_LEFT             # and of one that was then played in some other way than the best
    END_COME_TO
    END_OTHER

cdef struct Note:
    Position position
    double worth           # as one step shows: the best end of the turn, or the mean after sampled phases
    int kind

cdef struct Notes:         # positions of games to learn from, if wanted
    Note* rows
    int64_t count
    int64_t capacity
    int others             # of each turn so many ends are noted that were not
    int samples
    int strays             # of 1000 turns so many are played in some other way than the best
    bint failed


cdef void note_down(Notes* notes, const Position* P, double worth, int kind) noexcept nogil:
    cdef Note* rows
    if notes.count == notes.capacity:
        notes.capacity = 2 * notes.capacity + 4096
        rows = <Note*> realloc(notes.rows, notes.capacity * sizeof(Note))
        if not rows:
            notes.failed = True
            return
        notes.rows = rows
    notes.rows[notes.count].position = P[0]
    notes.rows[notes.count].worth = worth
    notes.rows[notes.count].kind = kind
    notes.count += 1


cdef void note_end(Mind* M, Notes* notes, const Position* P, int kind) noexcept nogil:
    """An end of a turn with what it is worth after the first of the sampled phases; nothing where the game is over."""
    cdef Position end = P[0]
    cdef Sample found
    if end.mark >= RESULT_WON:
        return
    end_turn(&end)
    found.total = found.squares = 0
    after_phases(M, &end, 0, notes.samples, &found)
    note_down(notes, &end, found.total / notes.samples, kind)


cdef void noted_turn(Mind* M, const Manner* manner, Notes* notes, Position* P, uint64_t seed) noexcept nogil:
    """
    A turn by the policy, or now and then some other way to play it: any end, or one of the best. What there was to be
    learned is noted: its start, its end, and other ends, half of them among the best.
    """
    cdef Walk* W = &M.walk
    cdef Dice dice, stray_dice
    cdef Intent choice, other
    cdef int32_t row
    cdef bint strays
    cdef int i
    seed_dice(&dice, mixed(seed, 1))
    seed_dice(&stray_dice, mixed(seed, 1 << 20))
    strays = random_below(&stray_dice, 1000) < notes.strays
    choice = think(M, manner, P, mixed(seed, 2))
    if M.failed or M.watch.stopped:
        return
    note_down(notes, P, choice.value, START_LEFT if strays else START_KEPT)
    solve_walk(W, FIRST_SIGHT)
    best_choices(M, RIVALS, FIRST_SIGHT)
    seed_phases(M.dice, 0, notes.samples, mixed(seed, 1 << 21))
    for i in range(notes.others + 1):
        row = random_below(&stray_dice, W.positions.count)
        if i & 1 and M.choice_count:
            other = M.choices[random_below(&stray_dice, M.choice_count)]
            row = other.position
        if not W.ends[row]:
            continue
        if i < notes.others:
            note_end(M, notes, &W.positions.rows[row], END_OTHER)
        elif strays and W.most[row] != NOWHERE:
            P[0] = W.positions.rows[row]
            if P.mark == ROMAN_OPEN:
                end_turn(P)
    if P.mark == ROMAN_OPEN:
        carry_out(M, manner, P, choice, &dice, seed)
        if M.watch.stopped:
            return
    seed_phases(M.dice, 0, notes.samples, mixed(seed, 1 << 22))
    note_end(M, notes, P, END_COME_TO)


cdef inline bint fleets_fit(const Position* P, int zones) noexcept nogil:
    cdef int zone
    for zone in range(1, 4):
        if zones >> (zone - 1) & 1 and not sea_is_open(P, zone):
            return False
    return True


cdef void choose_zones(Mind* M, Position* P) noexcept nogil:
    """The fleets where the start looks best."""
    cdef int ships = popcount(P.fleets)
    cdef double best = -1
    cdef double value
    cdef int chosen = P.fleets
    cdef int zones
    for zones in range(1, 8):
        if popcount(zones) == ships and fleets_fit(P, zones):
            P.fleets = zones
            value = value_of(M.B, &M.recall, M.networks, P)
            if value > best:
                best = value
                chosen = zones
    P.fleets = chosen


cdef void begin_game(
    Mind* M, const Manner* manner, Position* P, int revolts, int fleets, int armies, uint64_t seed,
) noexcept nogil:
    """A set-up; the zones of the fleets are the policy's choice."""
    cdef Dice dice
    seed_dice(&dice, mixed(seed, 0))
    set_up(M.B, P, revolts, fleets, armies, &dice)
    if manner.kind != BY_CHANCE:
        choose_zones(M, P)


cdef void play_on(
    Mind* M, const Manner* manner, Position* P, uint64_t seed, int most_turns, Course* course, Notes* notes,
) noexcept nogil:
    """The game to its end; or up to somewhere, when it is stopped."""
    cdef PhaseDice phase
    course.turns = 0
    course.fell_in = 0
    while P.mark < RESULT_WON and course.turns < most_turns and not M.failed and not spend(M.watch, 2):
        if notes:
            noted_turn(M, manner, notes, P, mixed(seed, 4 * course.turns + 1))
        else:
            play_turn(M, manner, P, mixed(seed, 4 * course.turns + 1))
        course.turns += 1
        if P.mark == PHASE_BARBARIAN:
            seed_phase(&phase, mixed(seed, 4 * course.turns + 2))
            course.fell_in = opposed_phase(M, P, &phase, mixed(seed, 4 * course.turns + 3))


cdef double mean_after(Mind* M, const Position* end, int samples, uint64_t seed) noexcept nogil:
    """What the phase after this position leads to, in the mean over so many phases."""
    cdef Sample found
    seed_phases(M.dice, 0, samples, seed)
    found.total = found.squares = 0
    after_phases(M, end, 0, samples, &found)
    return found.total / samples


cdef double played_out(
    Mind* M, const Manner* manner, Position P, uint64_t seed, int number, int most_turns, int samples, int* result,
) noexcept nogil:
    """
    Game number so and so of a rollout: its result less the luck of its dice, the result itself in `result`. A game that is
    not over after its most turns has the value that the evaluation sees.

    The luck of a phase is the value after it less the mean value after other phases from the same position, drawn alike: its
    mean is 0 whatever the evaluation says, so that the result less the luck has the mean of the result, and a smaller
    spread the better the evaluation is. Among 36 games that follow one another the first roll of the first phase names
    each province once.
    """
    cdef PhaseDice phase
    cdef uint64_t own = mixed(seed, number)
    cdef int turns = 0
    cdef double luck = 0
    cdef double expected
    M.luck = 0
    while P.mark < RESULT_WON and turns < most_turns and not M.failed and not spend(M.watch, 2):
        if P.mark == ROMAN_OPEN:
            play_turn(M, manner, &P, mixed(own, 4 * turns + 1))
            if P.mark >= RESULT_WON or M.watch.stopped:
                break
        expected = mean_after(M, &P, samples, mixed(own, 4 * turns + 3))
        if turns:
            seed_phase(&phase, mixed(own, 4 * turns + 2))
        else:
            seed_phases(&phase, number, 1, seed)
        phase_by_dice(M.B, &P, &phase, M.policy)
        luck += value_of(M.B, &M.recall, M.networks, &P) - expected
        turns += 1
    result[0] = P.mark >> 1
    return value_of(M.B, &M.recall, M.networks, &P) - luck - M.luck
