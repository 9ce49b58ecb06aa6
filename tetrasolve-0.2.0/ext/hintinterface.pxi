# Evaluations and policies as Python classes.

FEATURES_OF_A_POSITION = FEATURES
POLICIES = ("random", "greedy", "expectimax", "search")
OPPONENTS = ("random", "greedy", "best")    # who plays the Barbarians, from 1 on


cdef Manner take_manner(policy, ends, samples, rounds, deep_ends, deep_samples) except *:
    cdef Manner manner
    if policy not in POLICIES:
        raise KernelError(f"policy: expected one of {', '.join(POLICIES)}, got {policy!r}")
    manner.kind = POLICIES.index(policy)
    manner.ends = take_int(ends, "ends", 1, MOST_ENDS)
    manner.rounds = take_int(rounds, "rounds", 1, MOST_ROUNDS)
    manner.samples = take_int(samples, "samples", 1, MOST_PHASES >> manner.rounds - 1)
    manner.deep_ends = take_int(deep_ends, "deep_ends", 1, MOST_ENDS)
    manner.deep_samples = take_int(deep_samples, "deep_samples", 1, MOST_PHASES)
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
    """Evaluates positions and plays, by the weights of `Networks`; a policy is deterministic for its seed."""

    cdef Kernel kernel
    cdef Networks networks
    cdef Mind mind
    cdef Mind mind_after       # for the turn that follows
    cdef int open              # how many of the two
    cdef Watch watch           # of the call that thinks with them
    cdef int busy              # a call does

    def __cinit__(self, Kernel kernel not None, Networks networks not None, decide=POLICY_EAGER):
        cdef int policy = take_int(decide, "decide", POLICY_DECLINE, POLICY_RANDOM)
        self.kernel = kernel
        self.networks = networks
        mind_open(&self.mind_after, &kernel.tables.board, networks.network, NULL, &self.watch, policy)
        self.open = 1
        mind_open(&self.mind, &kernel.tables.board, networks.network, &self.mind_after, &self.watch, policy)
        self.open = 2

    cdef int begin(self, Stop stop) except -1:
        """Reserves the memory of thinking for the calling method."""
        take_object(&self.busy, "player")
        self.mind.call += 1
        self.mind_after.call += 1
        watch_open(&self.watch, stop)
        return 0

    cdef int finish(self) except -1:
        """Others may think; raises where there was no memory."""
        cdef bint failed = self.mind.failed or self.mind_after.failed
        self.mind.failed = self.mind_after.failed = False
        watch_open(&self.watch, None)                 # the flag may go
        GIVE_BACK(&self.busy)
        if failed:
            raise MemoryError("no memory to think")
        return 0

    def __dealloc__(self):
        if self.open > 0:
            mind_close(&self.mind_after)
        if self.open > 1:
            mind_close(&self.mind)

    def features(self, State state not None):
        """The row of features of a position."""
        cdef float[FEATURES] row
        self.kernel.check_state(state)
        self.begin(None)
        all_features(&self.kernel.tables.board, &self.mind.recall, &state.position, row)
        self.finish()
        return [row[i] for i in range(FEATURES)]

    def value(self, State state not None):
        """The chance that Rome wins, as the evaluation sees it."""
        cdef double value
        self.kernel.check_state(state)
        self.begin(None)
        value = value_of(&self.kernel.tables.board, &self.mind.recall, self.networks.network, &state.position)
        self.finish()
        return value

    def features_of_many(self, data, *, Stop stop=None):
        """The rows of features of positions given as their bytes, as bytes of 32-bit floats."""
        raw = bytes(data)
        cdef const unsigned char* start = raw
        cdef int64_t count = len(raw) // sizeof(Position)
        cdef int64_t i
        cdef Position P
        cdef Watch watch
        if len(raw) % sizeof(Position):
            raise KernelError(f"data: expected a multiple of {sizeof(Position)} bytes, got {len(raw)}")
        found = PyByteArray_FromStringAndSize(NULL, count * FEATURES * sizeof(float))    # not written to before the loop
        cdef unsigned char* rows = <unsigned char*> PyByteArray_AS_STRING(found)
        ask_for_large_pages(rows, count * FEATURES * sizeof(float))
        self.begin(stop)
        with nogil:
            for i in range(count):
                if spend(&self.watch, 2):
                    break
                memcpy(&P, start + i * sizeof(Position), sizeof(Position))
                all_features(&self.kernel.tables.board, &self.mind.recall, &P, <float*> rows + i * FEATURES)
        watch = self.watch
        self.finish()
        if watch.stopped:
            raise_stopped(&watch, None)
        return found

    def think(
        self, State state not None, seed=0, *, top=10, policy="search", ends=24, samples=36, rounds=1, deep_ends=4,
        deep_samples=12, Stop stop=None,
    ):
        """
        The best ways to play the rest of the turn, best first: (value, how closely it was looked at, variance of the value
        as an estimate, plan as `Solution.plan` writes it). After a stop, `Stopped.partial` is the same of what has been
        looked at until then: empty where that is not the whole turn at first sight.
        """
        cdef Manner manner = take_manner(policy, ends, samples, rounds, deep_ends, deep_samples)
        cdef int most = take_int(top, "top", 1, MOST_ENDS)
        cdef uint64_t own = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef Watch watch
        if manner.kind == BY_CHANCE:
            raise KernelError("policy: expected one that thinks, got 'random'")
        self.kernel.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        found = []
        self.begin(stop)
        try:
            with nogil:
                think(&self.mind, &manner, &state.position, own)
            if self.mind.complete and not self.mind.failed:
                found = self.best_ways(&manner, most)
        finally:
            watch = self.watch
            self.finish()
        if watch.stopped:
            raise_stopped(&watch, found)
        return found

    cdef list best_ways(self, const Manner* manner, int most):
        """After `think`: so many of the best ways to play, those that were looked at most closely first."""
        cdef int closeness, i
        found = []
        seen = set()
        for closeness in closenesses(manner):
            solve_walk(&self.mind.walk, closeness)
            best_choices(&self.mind, most, closeness)
            for i in range(self.mind.choice_count):
                key = (self.mind.choices[i].position, self.mind.choices[i].assault)
                if key not in seen and len(found) < most:
                    seen.add(key)
                    found.append(self.way_to_play(&self.mind.choices[i]))
        return found

    cdef tuple way_to_play(self, const Intent* choice):
        """A way to play, in Python's numbers."""
        cdef const Walk* W = &self.mind.walk
        cdef const Assault* assault
        cdef int looked
        cdef double doubt
        cdef int32_t row = choice.position
        codes = []
        while W.parent[row] != NOWHERE:
            codes.append(W.code[row])
            row = W.parent[row]
        codes.reverse()
        if choice.assault == NOWHERE:
            return (choice.value, seen_as(W.looked[choice.position]), W.doubt[choice.position], (tuple(codes), None))
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
        return (branch_name(W.steps.rows[first].code), branches), looked, doubt

    cdef tuple tree_from(self, int32_t target):
        """What to do at a node after an attack, likewise."""
        cdef const Walk* W = &self.mind.walk
        cdef const Onward* onward
        codes = []
        while target >= 0:
            onward = &W.onward[target]
            if onward.chosen == NOWHERE:
                return (tuple(codes), None), seen_as(W.looked[onward.position]), W.doubt[onward.position]
            if is_attack(W.steps.rows[onward.chosen].code):
                fork, looked, doubt = self.fork_from(onward.chosen, onward.first + onward.steps)
                return (tuple(codes), fork), looked, doubt
            codes.append(W.steps.rows[onward.chosen].code)
            target = W.steps.rows[onward.chosen].target
        return (tuple(codes), None), seen_as(W.looked[-2 - target]), W.doubt[-2 - target]

    def games(
        self, count, revolts, fleets, armies, seed, *, first=0, policy="greedy", ends=24, samples=36, rounds=1,
        deep_ends=4, deep_samples=12, most_turns=MOST_TURNS, State start=None, opponent=None, Stop stop=None,
    ):
        """
        Games number `first` and so on of this seed: (result, turns, step of the phase in which the Empire fell) of each; from
        `start`, a Roman phase, or else each from a set-up of its own. `opponent` plays the Barbarians of Barbaria, or else the
        policy of this player does. After a stop `Stopped.partial` is the list of those that are over.
        """
        return self.played(
            count, revolts, fleets, armies, seed, first,
            take_manner(policy, ends, samples, rounds, deep_ends, deep_samples),
            take_int(most_turns, "most_turns", 1, 10**6), -1, 0, start, self.taken_opponent(opponent), stop)[0]

    def lessons(
        self, count, revolts, fleets, armies, seed, *, first=0, strays=250, most_turns=MOST_TURNS, ends=8, others=6, samples=36,
        rounds=1, State start=None, Stop stop=None,
    ):
        """
        Games by expectimax over so many ends to learn from: (results as of `games`, positions, kinds, worth). The positions are
        bytes, in the order of play: the start of a turn (kind 0; 1 where it strayed from the policy), so many other
        ends that the turn might have had (3), and its end (2). The worth of a start is that of the best way to play the turn,
        that of an end the mean after as many phases as the last round samples. Of 1000 turns so many stray: to any end, or to
        one of the best.
        """
        return self.played(
            count, revolts, fleets, armies, seed, first, take_manner("expectimax", ends, samples, rounds, 1, 1),
            take_int(most_turns, "most_turns", 1, 10**6), take_int(others, "others", 0, 1000),
            take_int(strays, "strays", 0, 1000), start, 0, stop)

    cdef tuple played(
        self, count, revolts, fleets, armies, seed, first, Manner manner, int most_turns, int others, int strays,
        State start, int opponent, Stop stop,
    ):
        """`lessons`, or `games` where `others` is below 0."""
        cdef int64_t games = take_int(count, "count", 0, 10**9)
        cdef int64_t lowest_number = take_int(first, "first", 0, 2 * 10**9)
        cdef int additional = take_int(revolts, "revolts", 0, most_additional(&self.kernel.tables.board))
        cdef int ships = take_int(fleets, "fleets", 0, most_fleets(&self.kernel.tables.board))
        cdef int barbarians = take_int(armies, "armies", 0, most_armies(&self.kernel.tables.board))
        cdef uint64_t base = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef Notes notes
        cdef Course course
        cdef Position P
        cdef uint64_t own
        cdef int64_t noted = 0         # by the games that are over
        cdef int64_t i
        cdef Watch watch
        memset(&notes, 0, sizeof(Notes))
        notes.others = others
        notes.samples = manner.samples << manner.rounds - 1
        notes.strays = strays
        if start is not None:
            self.kernel.check_state(start)
            if start.position.mark != ROMAN_OPEN:
                raise KernelError("start: expected an open game in the Roman phase")
        found = []
        self.begin(stop)
        self.mind.opponent = opponent
        try:
            for i in range(lowest_number, lowest_number + games):
                own = mixed(base, i)
                if start is not None:
                    P = start.position
                with nogil:
                    if start is None:
                        begin_game(&self.mind, &manner, &P, additional, ships, barbarians, own)
                    play_on(&self.mind, &manner, &P, own, most_turns, &course, &notes if others >= 0 else NULL)
                if self.mind.failed or notes.failed or self.watch.stopped:
                    self.mind.failed |= notes.failed
                    break
                found.append((P.mark >> 1, course.turns, course.fell_in))
                noted = notes.count
            positions = b"".join([(<const unsigned char*> &notes.rows[i].position)[:sizeof(Position)] for i in range(noted)])
            kinds = bytes([notes.rows[i].kind for i in range(noted)])
            worth = [notes.rows[i].worth for i in range(noted)]
        finally:
            free(notes.rows)
            self.mind.opponent = 0
            watch = self.watch
            self.finish()
        if watch.stopped:
            raise_stopped(&watch, found if others < 0 else (found, positions, kinds, worth))
        return found, positions, kinds, worth

    cdef int taken_opponent(self, object opponent) except -1:
        """The number of who plays the Barbarians; 0 for the policy of this player."""
        if opponent is None:
            return 0
        if not has_opponent(&self.kernel.tables.board):
            raise KernelError("opponent: nobody plays the Barbarians without Barbaria")
        if opponent not in OPPONENTS:
            raise KernelError(f"opponent: expected one of {', '.join(OPPONENTS)}, got {opponent!r}")
        if self.mind.policy == POLICY_DECLINE:
            raise KernelError("opponent: expected a player who does not decline all choices")
        return 1 + OPPONENTS.index(opponent)

    def phase(self, State state not None, seed=0, *, opponent=None, Stop stop=None):
        """The Barbarian phase of a game, rolled from the seed; a fallen Empire leaves the position as it was before."""
        cdef Position P = state.position
        cdef uint64_t own = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef int who = self.taken_opponent(opponent)
        cdef PhaseDice phase
        cdef Watch watch
        self.kernel.check_before_phase(state)
        self.begin(stop)
        self.mind.opponent = who
        with nogil:
            seed_phase(&phase, mixed(own, 2))
            opposed_phase(&self.mind, &P, &phase, mixed(own, 3))
        self.mind.opponent = 0
        watch = self.watch
        self.finish()
        if watch.stopped:
            raise_stopped(&watch, None)
        return state_of(&P)

    def rollouts(
        self, State state not None, count, seed, *, first=0, policy="greedy", ends=24, samples=36, most_turns=MOST_TURNS,
        others=36, Stop stop=None,
    ):
        """
        Games from here to their end, number `first` and so on of this seed: (result, 1 for a victory, 0 for a fall, what the
        evaluation says where it is open, less the luck of the dice) of each. The luck of a phase is estimated from so many
        `others` like it. After a stop `Stopped.partial` is the list of those that are over.
        """
        cdef Manner manner = take_manner(policy, ends, samples, 1, 1, 1)
        cdef int64_t games = take_int(count, "count", 0, 10**9)
        cdef int start = take_int(first, "first", 0, 10**9)
        cdef int most = take_int(most_turns, "most_turns", 1, 10**6)
        cdef int phases = take_int(others, "others", 1, MOST_PHASES)
        cdef uint64_t base = int(seed) & 0xFFFFFFFFFFFFFFFF
        cdef double adjusted
        cdef int result, i
        cdef Watch watch
        self.kernel.check_state(state)
        if state.position.mark == PHASE_BARBARIAN:
            self.kernel.check_before_phase(state)
        found = []
        self.begin(stop)
        try:
            for i in range(start, start + games):
                with nogil:
                    adjusted = played_out(&self.mind, &manner, state.position, base, i, most, phases, &result)
                if self.mind.failed or self.watch.stopped:
                    break
                found.append((result, adjusted))
        finally:
            watch = self.watch
            self.finish()
        if watch.stopped:
            raise_stopped(&watch, found)
        return found

    def counters(self):
        """Turns looked through and phases sampled so far."""
        take_object(&self.busy, "player")
        counts = (self.mind.turns + self.mind_after.turns, self.mind.phases + self.mind_after.phases)
        GIVE_BACK(&self.busy)
        return counts

    def scope(self):
        """How far the turn last looked through was narrowed, since it was too large: 0 not at all."""
        take_object(&self.busy, "player")
        scope = self.mind.walk.scope
        GIVE_BACK(&self.busy)
        return scope
