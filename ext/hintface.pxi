# What Python sees of evaluations and policies.

FEATURES_OF_A_TABLE = FEATURES
POLICIES = ("random", "greedy", "expectimax", "search")


cdef Manner take_manner(policy, ends, samples, rounds, deep_ends, deep_samples) except *:
    cdef Manner manner
    if policy not in POLICIES:
        raise KernelError(f"policy: expected one of {', '.join(POLICIES)}, got {policy!r}")
    manner.kind = POLICIES.index(policy)
    manner.ends = take_int(ends, "ends", 1, MOST_ENDS)
    manner.rounds = take_int(rounds, "rounds", 1, MOST_ROUNDS)
    manner.samples = take_int(samples, "samples", 1, MOST_FATES >> manner.rounds - 1)
    manner.deep_ends = take_int(deep_ends, "deep_ends", 1, MOST_ENDS)
    manner.deep_samples = take_int(deep_samples, "deep_samples", 1, MOST_FATES)
    return manner


cdef list closenesses(const Manner* manner):
    """How closely ends are looked at, the closest first."""
    found = [FIRST_SIGHT]
    if manner.kind >= EXPECTIMAX:
        found += [SAMPLED + k for k in range(manner.rounds)]
    if manner.kind == SEARCH:
        found.append(DEEP)
    return found[::-1]


cdef int seen_as(int closeness) noexcept:
    """1 at first sight, 2 after sampled phases, 3 after the turns that follow or where the game is over."""
    return 1 if closeness == FIRST_SIGHT else 2 if closeness < DEEP else 3


@cython.final
cdef class Player:
    """Evaluates tables and plays, by the weights of `Networks`; a policy is deterministic for its seed."""

    cdef Kernel kernel
    cdef Networks networks
    cdef Mind mind
    cdef Mind mind_after       # for the turn that follows
    cdef int open              # how many of the two

    def __cinit__(self, Kernel kernel not None, Networks networks not None):
        self.kernel = kernel
        self.networks = networks
        mind_open(&self.mind_after, &kernel.tables.board, networks.network, NULL)
        self.open = 1
        mind_open(&self.mind, &kernel.tables.board, networks.network, &self.mind_after)
        self.open = 2

    def __dealloc__(self):
        if self.open > 0:
            mind_close(&self.mind_after)
        if self.open > 1:
            mind_close(&self.mind)

    def features(self, State state not None):
        """The row of features of a table."""
        cdef float[FEATURES] row
        self.kernel.check_state(state)
        all_features(&self.kernel.tables.board, &self.mind.recall, &state.position, row)
        return [row[i] for i in range(FEATURES)]

    def value(self, State state not None):
        """The chance that Rome wins, as the evaluation sees it."""
        self.kernel.check_state(state)
        return value_of(&self.kernel.tables.board, &self.mind.recall, self.networks.network, &state.position)

    def features_of_many(self, data):
        """The rows of features of tables given as their bytes, 64 each, as bytes of 32-bit floats."""
        raw = bytes(data)
        cdef const unsigned char* start = raw
        cdef int64_t count = len(raw) // sizeof(Position)
        cdef int64_t i
        cdef Position P
        if len(raw) % sizeof(Position):
            raise KernelError(f"data: expected a multiple of {sizeof(Position)} bytes, got {len(raw)}")
        found = bytearray(count * FEATURES * sizeof(float))
        cdef unsigned char* rows = found
        with nogil:
            for i in range(count):
                memcpy(&P, start + i * sizeof(Position), sizeof(Position))
                all_features(&self.kernel.tables.board, &self.mind.recall, &P, <float*> rows + i * FEATURES)
        return found

    def think(
        self, State state not None, seed=0, *, top=10, policy="search", ends=24, samples=36, rounds=1, deep_ends=4,
        deep_samples=12,
    ):
        """
        The best ways to play the rest of the turn, best first: (value, how closely it was looked at, variance of the value
        as an estimate, plan as `Solution.plan` writes it).
        """
        cdef Manner manner = take_manner(policy, ends, samples, rounds, deep_ends, deep_samples)
        cdef int most = take_int(top, "top", 1, MOST_ENDS)
        cdef uint64_t own = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef Walk* W = &self.mind.walk
        cdef int closest, closeness, i
        if manner.kind == BY_CHANCE:
            raise KernelError("policy: expected one that thinks, got 'random'")
        self.kernel.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        with nogil:
            think(&self.mind, &manner, &state.position, own)
        if self.mind.failed:
            self.mind.failed = self.mind_after.failed = False
            raise MemoryError("no room to think")
        found = []
        seen = set()
        for closeness in closenesses(&manner):
            solve_walk(W, closeness)
            best_choices(&self.mind, most, closeness)
            for i in range(self.mind.choice_count):
                key = (self.mind.choices[i].table, self.mind.choices[i].assault)
                if key not in seen and len(found) < most:
                    seen.add(key)
                    found.append(self.told(&self.mind.choices[i]))
        return found

    cdef tuple told(self, const Intent* choice):
        """A way to play, in Python's numbers."""
        cdef const Walk* W = &self.mind.walk
        cdef const Assault* assault
        cdef int looked
        cdef double doubt
        cdef int32_t row = choice.table
        codes = []
        while W.parent[row] != NOWHERE:
            codes.append(W.code[row])
            row = W.parent[row]
        codes.reverse()
        if choice.assault == NOWHERE:
            return (choice.value, seen_as(W.looked[choice.table]), W.doubt[choice.table], (tuple(codes), None))
        assault = &W.assault[choice.assault]
        fork, looked, doubt = self.fork_from(assault.first, assault.first + assault.steps)
        return (choice.value, looked, doubt, (tuple(codes), fork))

    cdef tuple fork_from(self, uint32_t first, uint32_t stop):
        """An attack with what follows each outcome; how closely all of it was looked at, and the doubt of its value."""
        cdef const Walk* W = &self.mind.walk
        cdef const Step* step
        cdef uint32_t k = first
        branches = {}
        looked = seen_as(OVER)
        doubt = 0.0
        while k < stop and without_outcome(W.steps.rows[k].code) == without_outcome(W.steps.rows[first].code):
            step = &W.steps.rows[k]
            tree, closeness, variance = self.tree_from(step.target)
            branches[b_of(step.code)] = (step.chance, tree)
            looked = min(looked, closeness)
            doubt += variance * (step.chance / 36.0) ** 2
            k += 1
        return (a_of(W.steps.rows[first].code), branches), looked, doubt

    cdef tuple tree_from(self, int32_t target):
        """What to do at a node after an attack, likewise."""
        cdef const Walk* W = &self.mind.walk
        cdef const Onward* onward
        codes = []
        while target >= 0:
            onward = &W.onward[target]
            if onward.chosen == NOWHERE:
                return (tuple(codes), None), seen_as(W.looked[onward.table]), W.doubt[onward.table]
            if is_attack(W.steps.rows[onward.chosen].code):
                fork, looked, doubt = self.fork_from(onward.chosen, onward.first + onward.steps)
                return (tuple(codes), fork), looked, doubt
            codes.append(W.steps.rows[onward.chosen].code)
            target = W.steps.rows[onward.chosen].target
        return (tuple(codes), None), seen_as(W.looked[-2 - target]), W.doubt[-2 - target]

    def games(
        self, count, revolts, fleets, armies, seed, *, first=0, policy="greedy", ends=24, samples=36, rounds=1,
        deep_ends=4, deep_samples=12, most_turns=MOST_TURNS,
    ):
        """Games number `first` and so on of this seed: (result, turns, step of the phase in which the Empire fell) of each."""
        return self.played(
            count, revolts, fleets, armies, seed, first,
            take_manner(policy, ends, samples, rounds, deep_ends, deep_samples),
            take_int(most_turns, "most_turns", 1, 10**6), -1, 0)[0]

    def lessons(
        self, count, revolts, fleets, armies, seed, *, first=0, strays=250, most_turns=MOST_TURNS, ends=8, others=6, samples=36,
        rounds=1,
    ):
        """
        Games by expectimax over so many ends to learn from: (results as of `games`, tables, kinds, worth). The tables are
        bytes, 64 each, in the order of play: the start of a turn (kind 0; 1 where it strayed from the policy), so many other
        ends that the turn might have had (3), and its end (2). The worth of a start is that of the best way to play the turn,
        that of an end the mean after as many phases as the last round samples. Of 1000 turns so many stray: to any end, or to
        one of the best.
        """
        return self.played(
            count, revolts, fleets, armies, seed, first, take_manner("expectimax", ends, samples, rounds, 1, 1),
            take_int(most_turns, "most_turns", 1, 10**6), take_int(others, "others", 0, 1000),
            take_int(strays, "strays", 0, 1000))

    cdef tuple played(
        self, count, revolts, fleets, armies, seed, first, Manner manner, int most_turns, int others, int strays,
    ):
        """`lessons`, or `games` where `others` is below 0."""
        cdef int64_t games = take_int(count, "count", 0, 10**9)
        cdef int64_t start = take_int(first, "first", 0, 2 * 10**9)
        cdef int additional = take_int(revolts, "revolts", 0, MOST_DISCS - 6)
        cdef int ships = take_int(fleets, "fleets", 0, most_fleets(&self.kernel.tables.board))
        cdef int barbarians = take_int(armies, "armies", 0, MOST_ARMIES)
        cdef uint64_t base = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef Notes notes
        cdef Course course
        cdef Position P
        cdef uint64_t own
        cdef int64_t i
        memset(&notes, 0, sizeof(Notes))
        notes.others = others
        notes.samples = manner.samples << manner.rounds - 1
        notes.strays = strays
        found = []
        try:
            for i in range(start, start + games):
                own = mixed(base, i)
                with nogil:
                    begin_game(&self.mind, &manner, &P, additional, ships, barbarians, own)
                    play_on(&self.mind, &manner, &P, own, most_turns, &course, &notes if others >= 0 else NULL)
                    heed_signals()
                if self.mind.failed or notes.failed:
                    self.mind.failed = self.mind_after.failed = False
                    raise MemoryError("no room to think")
                found.append((P.mark >> 1, course.turns, course.fell_in))
            tables = b"".join([
                (<const unsigned char*> &notes.rows[i].table)[:sizeof(Position)] for i in range(notes.count)])
            kinds = bytes([notes.rows[i].kind for i in range(notes.count)])
            worth = [notes.rows[i].worth for i in range(notes.count)]
        finally:
            free(notes.rows)
        return found, tables, kinds, worth

    def rollouts(
        self, State state not None, count, seed, *, first=0, policy="greedy", ends=24, samples=36, most_turns=MOST_TURNS,
        others=36,
    ):
        """
        Games from here to their end, number `first` and so on of this seed: (result, 1 for a victory, 0 for a fall, what the
        evaluation says where it is open, less the luck of the dice) of each. The luck of a phase is told from so many
        `others` like it.
        """
        cdef Manner manner = take_manner(policy, ends, samples, 1, 1, 1)
        cdef int64_t games = take_int(count, "count", 0, 10**9)
        cdef int start = take_int(first, "first", 0, 10**9)
        cdef int most = take_int(most_turns, "most_turns", 1, 10**6)
        cdef int fates = take_int(others, "others", 1, MOST_FATES)
        cdef uint64_t base = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef double adjusted
        cdef int result, i
        self.kernel.check_state(state)
        if state.position.mark == PHASE_BARBARIAN:
            self.kernel.check_table(state)
        found = []
        for i in range(start, start + games):
            with nogil:
                adjusted = played_out(&self.mind, &manner, state.position, base, i, most, fates, &result)
                heed_signals()
            if self.mind.failed:
                self.mind.failed = self.mind_after.failed = False
                raise MemoryError("no room to think")
            found.append((result, adjusted))
        return found

    def counters(self):
        """Turns looked through and phases sampled so far."""
        return self.mind.turns + self.mind_after.turns, self.mind.phases + self.mind_after.phases
