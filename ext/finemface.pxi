# State and Kernel, the Python classes.

RESULTS = ("", "won", "lost: outbreaks", "lost: decline", *(f"lost: no cube of {tribe} left" for tribe in "OCEB"))


cdef object whole_in(object value, str name, int least, int most):
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise KernelError(f"{name}: expected a whole number from {least} to {most}, got {value!r:.40}")
    return value


cdef tuple wholes_in(object values, str name, int least_number, int most_number, int least, int most):
    """A row of whole numbers within bounds."""
    row = tuple(values)
    if not least_number <= len(row) <= most_number:
        raise KernelError(f"{name}: expected {least_number} to {most_number} numbers, got {len(row)}")
    for value in row:
        whole_in(value, name, least, most)
    return row


@cython.final
cdef class State:
    """A state of the game, or how it ended; it does not change."""

    cdef Table table

    def __init__(
        self, cubes, *, dice, pacified, decline, outbreaks, role, pawn, start, last, step, left=0, out=0, card=0, shield=0,
        is_quiet=False, has_exchanged=False, has_travel=False, hand=()
    ):
        cdef Table* S = &self.table
        cdef int region, tribe
        memset(S, 0, sizeof(Table))
        rows = wholes_in([number for row in cubes for number in row], "cubes", REGIONS * TRIBES, REGIONS * TRIBES, 0, FULL)
        for region in range(REGIONS):
            for tribe in range(TRIBES):
                S.cubes[tribe] |= <uint64_t> <int> rows[TRIBES * region + tribe] << 2 * region
        faces = wholes_in(dice, "dice", TRIBES, TRIBES, 0, DIE_TOP)
        for tribe in range(TRIBES):
            if on_map(S, tribe) > RESERVE:
                raise KernelError(f"cubes: {on_map(S, tribe)} of tribe {tribe}, expected at most {RESERVE}")
            S.dice[tribe] = faces[tribe]
        S.out = whole_in(out, "out", 0, ALL_CARDS)
        S.pacified = whole_in(pacified, "pacified", 0, ALL_TRIBES)
        S.decline = whole_in(decline, "decline", 1, 12)
        S.outbreaks = whole_in(outbreaks, "outbreaks", 1, LAST_OUTBREAK - 1)
        S.role = whole_in(role, "role", NOBODY, EMPEROR)
        S.pawn = whole_in(pawn, "pawn", 0, REGIONS - 1)
        S.start = whole_in(start, "start", 0, REGIONS - 1)
        S.last = whole_in(last, "last", 0, REGIONS - 1)
        S.step = whole_in(step, "step", 0, STEPS - 1)
        S.card = whole_in(card, "card", 0, REGIONS)
        S.shield = whole_in(shield, "shield", 0, REGIONS)
        S.marks = (QUIET if is_quiet else 0) | (EXCHANGED if has_exchanged else 0) | (TRAVELS if has_travel else 0)
        cards = wholes_in(hand, "hand", 0, CARDS_KEPT, 0, REGIONS - 1)
        S.held = len(cards)
        for tribe in range(len(cards)):
            S.hand[tribe] = cards[tribe]
        if len(set(cards)) < len(cards):
            raise KernelError(f"hand: a card occurs twice in {cards}")
        S.left = whole_in(left, "left", 0, EACH_ACTIONS)
        require_step(S)

    def fields(self):
        """All fields by name, as the class takes them."""
        cdef const Table* S = &self.table
        cdef int region, tribe
        return {
            "cubes": tuple([tuple([cubes_at(S, tribe, region) for tribe in range(TRIBES)]) for region in range(REGIONS)]),
            "out": S.out,
            "dice": tuple([S.dice[tribe] for tribe in range(TRIBES)]),
            "pacified": S.pacified,
            "decline": S.decline,
            "outbreaks": S.outbreaks,
            "role": S.role,
            "pawn": S.pawn,
            "start": S.start,
            "last": S.last,
            "step": S.step,
            "left": S.left,
            "card": S.card,
            "shield": S.shield,
            "is_quiet": bool(S.marks & QUIET),
            "has_exchanged": bool(S.marks & EXCHANGED),
            "has_travel": bool(S.marks & TRAVELS),
            "hand": tuple([S.hand[tribe] for tribe in range(S.held)]),
        }

    @property
    def result(self):
        """How the game ended, in words; empty while it goes on."""
        return RESULTS[self.table.end]

    @property
    def step(self):
        """The number of the step."""
        return self.table.step

    @property
    def lost_by(self):
        """The region whose card lost the game, or -1."""
        return self.table.by - 1

    def __eq__(self, other):
        return isinstance(other, State) and memcmp(&self.table, &(<State> other).table, sizeof(Table)) == 0

    def __hash__(self):
        return hash((<const char*> &self.table)[:sizeof(Table)])


cdef int require_step(const Table* S) except -1:
    """Refuses what the rules could not carry on with: a step whose cards or numbers are missing."""
    cdef int step = S.step, held = S.held, left = S.left
    cdef int least = 0, most = 0, fewest = 0, cards = 0
    if step == S_ACT:
        least, most = 1, EACH_ACTIONS
    elif step == S_DISCARD:
        most, fewest, cards = HAND - 1, HAND, HAND
    elif step == S_DICTATOR or step == S_RIDE:
        most = EACH_ACTIONS - 1
    elif step == S_DRAW:
        cards = HAND                     # all of them where the Tribune sees one more
    elif step == S_INVADE:
        least, most, cards = 1, CARDS_KEPT, CARDS_KEPT - left + (left == 1)
    elif step == S_SWAP or step == S_ORDER:
        fewest, cards = 2, CARDS_KEPT
    elif S_EXCHANGE <= step <= S_DISCARD or step == S_CHOOSE:
        fewest = cards = HAND
    if not least <= left <= most:
        raise KernelError(f"left: expected {least} to {most} at step {step}, got {left}")
    if not fewest <= held <= cards:
        raise KernelError(f"hand: expected {fewest} to {cards} cards at step {step}, got {held}")
    if (step == S_RIDE) != (S.card > 0) and not (step in (S_EXCHANGE, S_INVADE, S_SWAP) and S.marks & EXCHANGED):
        raise KernelError(f"card: expected one for the Dictator's move or the Tribune's exchange, got {S.card} at step {step}")
    most = REGIONS - cards_needed(S)
    if popcount(S.out) > most:
        raise KernelError(f"out: {popcount(S.out)} cards, expected at most {most} at step {step}")
    return 0


cdef int cards_needed(const Table* S) noexcept:
    """The most cards that a turn can still draw; a crisis that draws others [E-CRISIS-GONE] leaves as many as follow it."""
    cdef bint exchanges = not S.marks & EXCHANGED
    if S.step == S_CRISIS:
        return SPARED_CARDS + 1
    if S.step == S_DISCARD:
        return SPARED_CARDS
    if S.step == S_ORDER:
        return 0
    if S.step == S_SWAP:
        return exchanges
    if S.step == S_INVADE:               # besides the protected card, for which another one is drawn
        return S.left + exchanges + (S.shield > 0 and not S.out >> (S.shield - 1) & 1)
    return DRAWN_PLAINLY


@cython.final
cdef class Kernel:
    """The rules of one ruleset on one map; it does not change."""

    cdef Rules rules

    def __init__(self, *, level, options=(), readings=None, rows, starts, table_start=None):
        cdef Rules* K = &self.rules
        cdef int i
        memset(K, 0, sizeof(Rules))
        if level not in LEVELS:
            raise KernelError(f"level: expected one of {', '.join(LEVELS)}, got {level!r:.40}")
        chosen_options = set(options)
        if not chosen_options <= {"corner", "sphere", "cap3"}:
            raise KernelError(f"options: expected some of corner, sphere, cap3, got {sorted(map(str, chosen_options))!r:.80}")
        values = dict(readings or {})
        for name in values:
            if name not in READINGS:
                raise KernelError(f"readings: the kernel does not know {name!r:.40}")
            if values[name] not in READINGS[name]:
                raise KernelError(f"reading {name}: expected one of {', '.join(READINGS[name])}, got {values[name]!r:.40}")
        for i, name in enumerate(READINGS):  # READING_COUNT of them
            K.reading[i] = READINGS[name].index(values[name]) if name in values else 0
        K.introductory = level == "introductory"
        K.card_decline = 3 if "cap3" in chosen_options else 4
        K.last_decline = 3 * K.card_decline + (1 if "cap3" in chosen_options and K.reading[E_CAP3_END] else 0)
        K.border = (SKIP if K.reading[E_SPHERE] else GAP) if "sphere" in chosen_options else FLAT
        places = wholes_in(starts, "starts", 1, MOST_STARTS, 0, REGIONS - 1)
        K.starts = len(places)
        for i in range(MOST_STARTS):
            K.start[i] = places[min(i, len(places) - 1)]
        K.table_start = whole_in(places[0] if table_start is None else table_start, "table_start", 0, REGIONS - 1)
        order_parts(K)
        self.lay_map(rows)

    cdef int lay_map(self, rows) except -1:
        """Makes the table of adjacent regions; each row lists regions, -1 where there is none."""
        cdef Rules* K = &self.rules
        grid = [wholes_in(row, "rows", 1, MOST_ROWS, -1, REGIONS - 1) for row in rows]
        if len({len(row) for row in grid}) != 1 or len(grid) > MOST_ROWS:
            raise KernelError(f"rows: expected 1 to {MOST_ROWS} of one length, got lengths {[len(row) for row in grid]!r:.80}")
        cards = sorted(region for row in grid for region in row if region >= 0)
        if cards != list(range(REGIONS)):
            raise KernelError(f"rows: expected each region from 0 to {REGIONS - 1} once, got {cards!r:.80}")
        for line in (*grid, *zip(*grid)):
            join_line(K, line)
        measure_map(K)
        return 0

    @property
    def neighbours(self):
        """For each region the mask of the adjacent ones."""
        return tuple(self.rules.near[region] for region in range(REGIONS))

    def options(self, State state not None):
        """What can come at a state: codes, in a fixed order; none where the game is over."""
        cdef uint16_t[MOST_OPTIONS] list
        cdef int i, n = 0
        if not state.table.end:
            n = list_options(&self.rules, &state.table, list)
        return [list[i] for i in range(n)]

    def take(self, State state not None, option):
        """The state after one of its options."""
        cdef State after = State.__new__(State)
        code = whole_in(option, "option", 0, 0xFFFF)
        if code not in self.options(state):
            raise KernelError(f"option {code}: it cannot come at step {state.table.step}")
        after.table = state.table
        apply(&self.rules, &after.table, code)
        return after

    def set_up(self, cards, start):
        """The first state of a game whose set-up draws these cards, in order."""
        cdef State state = State.__new__(State)
        cdef uint8_t[24] drawn
        cdef int i
        number = cards_of_set_up(&self.rules)
        row = wholes_in(cards, "cards", number, number, 0, REGIONS - 1)
        if len(set(row)) < number:
            raise KernelError(f"cards: one occurs twice in {row}")
        for i in range(number):
            drawn[i] = row[i]
        deal(&self.rules, &state.table, drawn, whole_in(start, "start", 0, REGIONS - 1))
        return state

    def perft(self, State state not None, depth=99, *, Stop stop=None):
        """Sequences of options in the phase of actions, each to its end or of `depth` options."""
        cdef int levels = whole_in(depth, "depth", 0, 99)
        cdef uint64_t count
        cdef Watch watch
        watch_open(&watch, stop)
        with nogil:
            count = count_sequences(&self.rules, &state.table, levels, &watch)
        if watch.stopped:
            raise_stopped(&watch, None)
        return count

    def random_turns(self, number, Rng rng not None, *, Stop stop=None):
        """Plays whole turns of random games from set-ups: how many, how many games ended, and how."""
        cdef uint64_t turns = whole_in(number, "number", 0, 2**31 - 1)
        cdef Played played
        cdef Watch watch
        memset(&played, 0, sizeof(Played))
        take_object(&rng.busy, "rng")
        watch_open(&watch, stop)
        try:
            with nogil:
                play_random(&self.rules, &played, turns, &rng.dice, &watch)
        finally:
            GIVE_BACK(&rng.busy)
        found = {
            "turns": played.turns, "games": played.games,
            "ends": {RESULTS[i]: played.ends[i] for i in range(1, ENDS) if played.ends[i]}}
        if watch.stopped:
            raise_stopped(&watch, found)
        return found

    def random_state(self, steps, Rng rng not None):
        """A state some random steps after a set-up; of a game that is over by then, its end."""
        cdef State state = State.__new__(State)
        cdef int i, most = whole_in(steps, "steps", 0, 10_000)
        take_object(&rng.busy, "rng")
        deal_random(&self.rules, &state.table, &rng.dice)
        for i in range(most):
            if state.table.end:
                break
            apply(&self.rules, &state.table, random_option(&self.rules, &state.table, &rng.dice))
        GIVE_BACK(&rng.busy)
        return state

    def decide(self, State state not None, policy):
        """The option that a policy takes at a decision."""
        if state.table.end or is_chance(state.table.step) or not self.options(state):
            raise KernelError(f"state: nothing is decided at step {state.table.step}")
        return chosen(&self.rules, &state.table, policy_number(policy))

    def turn(self, State state not None, policy="careful", *, plainly=False, Stop stop=None):
        """The figures of the rest of a turn, in whole numbers of which the whole has `unit`."""
        cdef int number = policy_number(policy)
        cdef bint slowly = plainly
        cdef Table S = state.table
        cdef Root* roots = NULL
        cdef Figures figures
        cdef Watch watch
        if S.step in (S_DICTATOR, S_RIDE):
            raise KernelError("state: the Dictator's action is not finished")
        if not S.end and not self.options(state):
            raise KernelError(f"state: nothing can come at step {S.step}")
        if not slowly:
            roots = <Root*> PyMem_RawMalloc(MOST_ROOTS * sizeof(Root))
            if roots == NULL:
                raise MemoryError
        watch_open(&watch, stop)
        with nogil:
            if not S.end and S.step == S_ACT:
                end_actions(&self.rules, &S)
            turn_figures(&self.rules, &S, number, slowly, roots, &figures, &watch)
        PyMem_RawFree(roots)
        found = dict_of_figures(&figures)
        if watch.stopped:
            raise_stopped(&watch, found)
        return found

    def best(self, State state not None, weights, *, Stop stop=None):
        """The best policy of the rest of a turn: its worth and that of each option, in whole numbers."""
        cdef Table S = state.table
        cdef Best* B
        cdef Map* maps
        cdef Wide[MOST_OPTIONS] each
        cdef Wide worth
        cdef int n, i
        cdef bint drawn, stopped
        cdef Watch watch
        cdef Weights asked
        fill_weights(&asked, weights)
        if S.end:
            raise KernelError("state: the game is over")
        if S.step in (S_DICTATOR, S_RIDE):
            raise KernelError("state: the Dictator's action is not finished")
        if S.step == S_ACT:
            end_actions(&self.rules, &S)
        if S.end or S.step in (S_ROLE, S_APPOINT):
            raise KernelError(f"state: nothing is drawn or decided any more in this turn at step {state.table.step}")
        if not self.options(state):
            raise KernelError(f"state: nothing can come at step {S.step}")
        B = <Best*> PyMem_RawMalloc(sizeof(Best))
        maps = <Map*> PyMem_RawMalloc(MOST_MAPS * sizeof(Map))
        if B == NULL or maps == NULL:
            PyMem_RawFree(B)
            PyMem_RawFree(maps)
            raise MemoryError
        n = popcount(ALL_CARDS & ~S.out)
        drawn = is_chance(S.step)
        watch_open(&watch, stop)
        with nogil:
            begin_best(B, &self.rules, &S, &watch, maps)
            B.weights = asked
            worth = best_at(B, &S, n, each)
        found = {
            "unit": wide_to_int(B.unit[n]), "known": wide_to_int(B.known), "worth": wide_to_int(worth),
            "unit_of_each": wide_to_int(B.unit[n - 1 if drawn else n]), "each": {}}
        stopped = B.stopped
        PyMem_RawFree(B)
        PyMem_RawFree(maps)
        if stopped:
            raise_stopped(&watch, found)
        after = State.__new__(State)
        (<State> after).table = S
        found["each"] = {option: wide_to_int(each[i]) for i, option in enumerate(self.options(after))}
        return found


cdef int fill_weights(Weights* asked, object weights) except -1:
    """Weights in the order of `Weights`; they are bounded, so that all sums fit into 64 bits."""
    cdef int tribe
    row = tuple(weights)
    if len(row) != 17:
        raise KernelError(f"weights: expected 17 numbers, got {len(row)}")
    for i, weight in enumerate(row):
        most = MOST_SUM if i < 3 else MOST_WEIGHT
        whole_in(weight, f"weights[{i}]", -most, most)
    asked.constant, asked.won, asked.lost, asked.outbreaks, asked.decline = row[:5]
    for tribe in range(TRIBES):
        asked.die[tribe] = row[5 + tribe]
        asked.pacified[tribe] = row[9 + tribe]
        asked.cubes[tribe] = row[13 + tribe]
    return 0


cdef int policy_number(object policy) except -1:
    if policy not in POLICIES:
        raise KernelError(f"policy: expected one of {', '.join(POLICIES)}, got {policy!r:.40}")
    return POLICIES.index(policy)


cdef dict wide_row(const Wide* row, int number):
    """Those numbers of a row that are not 0, by their place."""
    cdef int i
    return {i: wide_to_int(row[i]) for i in range(number) if row[i] != 0}


cdef dict dict_of_figures(const Figures* F):
    cdef int tribe
    return {
        "unit": wide_to_int(F.unit),
        "known": wide_to_int(F.known),
        "ends": {RESULTS[i]: weight for i, weight in wide_row(F.ends, ENDS).items()},
        "outbreaks": wide_row(F.outbreaks, 4),
        "decline": wide_row(F.decline, 13),
        "dice": [wide_row(&F.dice[7 * tribe], 7) for tribe in range(TRIBES)],
        "cubes": [wide_row(&F.cubes[13 * tribe], 13) for tribe in range(TRIBES)],
        "pacified": [wide_to_int(F.pacified[tribe]) for tribe in range(TRIBES)],
        "region": [wide_to_int(F.region[tribe]) for tribe in range(REGIONS)],
        "by_card": wide_row(F.by_card, REGIONS),
    }


cdef void order_parts(Rules* K) noexcept:
    """The parts of a campaign in their order [E-ORDER, E-WHEN]."""
    parts = [P_DECLINE, P_EVENT, P_CRISIS, P_DICE]
    if K.reading[E_ORDER] == ORDER_DICE_FIRST:
        parts = [P_DICE, P_DECLINE, P_EVENT, P_CRISIS]
    elif K.reading[E_ORDER] == ORDER_CRISIS_LAST:
        parts = [P_DECLINE, P_DICE, P_EVENT, P_CRISIS] if K.reading[E_WHEN] else [P_DECLINE, P_EVENT, P_DICE, P_CRISIS]
    elif K.reading[E_WHEN]:
        parts = [P_DECLINE, P_CRISIS, P_DICE, P_EVENT]
    for i in range(PARTS):
        K.parts[i] = parts[i]


cdef void measure_map(Rules* K) noexcept:
    """The distances between regions."""
    cdef uint32_t seen, edge, wider
    cdef int region, other, far
    for region in range(REGIONS):
        seen = edge = <uint32_t> 1 << region
        far = 0
        while edge:
            wider = 0
            K.ring[region][min(far, RINGS)] |= edge
            while edge:
                other = lowest(edge)
                edge &= edge - 1
                K.moves[region][other] = far
                wider |= K.near[other]
            edge = wider & ~seen
            seen |= edge
            far += 1
        for other in range(REGIONS):
            if K.near[region] >> other & 1:
                K.wide[region] |= <uint64_t> 1 << 2 * other


cdef void join(Rules* K, int one, int other) noexcept:
    if one != other:
        K.near[one] |= <uint32_t> 1 << other
        K.near[other] |= <uint32_t> 1 << one


cdef void join_line(Rules* K, object line) noexcept:
    """Joins the regions of a row or a column that lie side by side, and across the border [E-SPHERE]."""
    cdef int i
    for i in range(len(line) - 1):
        if line[i] >= 0 and line[i + 1] >= 0:
            join(K, line[i], line[i + 1])
    if K.border == FLAT:
        return
    there = [region for region in line if region >= 0]
    first, last = line[0], line[len(line) - 1]
    if K.border == GAP and first >= 0 and last >= 0:
        join(K, first, last)
    if K.border == SKIP and first >= 0:
        join(K, first, there[len(there) - 1])
    if K.border == SKIP and last >= 0:
        join(K, last, there[0])
