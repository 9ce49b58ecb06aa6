# Networks and Player, the Python classes of who plays whole games.

@cython.final
cdef class Networks:
    """The weights of the evaluation: three networks, each of 32-bit floats in the order of `Network`. They do not change."""

    cdef Network[3] network

    def __init__(self, turn, acted, drawn):
        cdef bytes numbers
        for i, (name, part) in enumerate((("turn", turn), ("acted", acted), ("drawn", drawn))):
            numbers = bytes(part)
            if len(numbers) != sizeof(Network):
                raise KernelError(f"{name}: expected {sizeof(Network)} bytes, got {len(numbers)}")
            memcpy(&self.network[i], <const unsigned char*> numbers, sizeof(Network))


cdef int take_effort(Effort* effort, object given) except -1:
    """The effort of a search from its tuple: candidates, samples, rounds, horizon, margin, prior."""
    row = tuple(given)
    if len(row) != 6:
        raise KernelError(f"effort: expected 6 numbers, got {len(row)}")
    effort.candidates = whole_in(row[0], "effort: candidates", 1, MOST_BEST)
    effort.samples = whole_in(row[1], "effort: samples", 1, 1_000_000)
    effort.rounds = whole_in(row[2], "effort: rounds", 1, 6)
    effort.horizon = whole_in(row[3], "effort: horizon", 0, MOST_TURNS)
    for i, name, most in ((4, "margin", 1), (5, "prior", 1_000_000)):
        if isinstance(row[i], bool) or not isinstance(row[i], (int, float)) or not 0 <= row[i] <= most:
            raise KernelError(f"effort: {name}: expected a number from 0 to {most}, got {row[i]!r:.40}")
    effort.margin = row[4]
    effort.prior = row[5]
    return 0


@cython.final
cdef class Player:
    """Who plays whole games by an evaluation. It has scratch memory, so it serves one call at a time."""

    cdef Kernel kernel
    cdef Networks networks
    cdef Mind* mind
    cdef int busy

    def __cinit__(self, Kernel kernel not None, Networks networks not None):
        self.kernel = kernel
        self.networks = networks
        self.mind = <Mind*> calloc(1, sizeof(Mind))
        if self.mind == NULL:
            raise MemoryError("no memory for a player")
        self.mind.rules = &kernel.rules
        self.mind.networks = &networks.network[0]

    def __dealloc__(self):
        free(self.mind)

    cdef int begin(self, Stop stop) except -1:
        take_object(&self.busy, "player")
        watch_open(&self.mind.watch, stop)
        return 0

    cdef int finish(self) except -1:
        GIVE_BACK(&self.busy)
        if self.mind.watch.stopped:
            raise_stopped(&self.mind.watch, None)
        return 0

    cdef int require_choice(self, State state) except -1:
        if state.table.end or is_chance(state.table.step) or not self.kernel.options(state):
            raise KernelError(f"state: nothing is decided at step {state.table.step}")
        return 0

    def features(self, State state not None):
        """The features of a state of a game that is not over."""
        cdef Threats threats
        cdef float[105] f
        cdef int i
        if state.table.end:
            raise KernelError("state: the game is over")
        features_of(&self.kernel.rules, &state.table, &threats, f)
        role_features(&self.kernel.rules, &state.table, &threats, state.table.role, f)
        return [f[i] for i in range(FEATURES)]

    def value(self, State state not None):
        """The chance to win that the evaluation gives."""
        return value_of(&self.kernel.rules, &self.networks.network[0], &state.table)

    def ends(self, State state not None, most=MOST_BEST, *, Stop stop=None):
        """What the player can choose at a state, the best by the evaluation first: options, the state after them, its value."""
        cdef Mind* M = self.mind
        cdef Table S = state.table
        cdef State after
        cdef int number = whole_in(most, "most", 1, MOST_BEST)
        self.require_choice(state)
        self.begin(stop)
        with nogil:
            think(M, &S, number)
        found = []
        for i in range(M.kept):
            after = State.__new__(State)
            after.table = M.best[i].state
            found.append(([M.best[i].path[j] for j in range(M.best[i].length)], after, M.best[i].value))
        self.finish()
        return found

    def choose(self, State state not None, policy, seed=0, *, effort=(), Stop stop=None):
        """The options that a policy takes at a state, one after the other as far as nothing comes between."""
        cdef Mind* M = self.mind
        cdef Table S = state.table
        cdef Effort wanted
        cdef Luck luck
        cdef End end
        cdef int player = player_number(policy)
        memset(&wanted, 0, sizeof(Effort))
        if player == BY_SEARCH:
            take_effort(&wanted, effort)
        self.require_choice(state)
        luck.seed = <uint64_t> (int(seed) & 0xFFFFFFFFFFFFFFFF)
        luck.spread = False
        luck.game = 0
        begin_luck(&luck, 1)
        self.begin(stop)
        with nogil:
            choose_by(M, &S, player, &wanted, &luck, &end)
        self.finish()
        taken = 1 if S.role == DICTATOR and S.step == S_ACT else end.length
        return [end.path[i] for i in range(taken)]

    def play_out(self, State state not None, seed, first, number, horizon, *, spread=False, Stop stop=None):
        """The values that a state leads to with so many lucks from `first` on; after a stop `Stopped` has those known.

        With `spread` each card comes once at each place of a turn in 24 lucks from a multiple of 24 on, and each role four times.
        """
        cdef Mind* M = self.mind
        cdef Luck luck
        cdef double value
        cdef int turns = whole_in(horizon, "horizon", 0, MOST_TURNS)
        cdef uint64_t begin = number_of_game(first)
        count = whole_in(number, "number", 0, 10**9)
        luck.seed = <uint64_t> (int(seed) & 0xFFFFFFFFFFFFFFFF)
        luck.spread = bool(spread)
        self.begin(stop)
        found = []
        for i in range(count):
            luck.game = begin + <uint64_t> i
            with nogil:
                begin_luck(&luck, 1)
                value = play_out(M, &state.table, &luck, turns)
            if M.watch.stopped:
                break
            found.append(value)
        GIVE_BACK(&self.busy)
        if M.watch.stopped:
            raise_stopped(&M.watch, found)
        return found

    def games(self, policy, seed, first, number, *, effort=(), State start=None, Stop stop=None):
        """Plays games, from a start or from set-ups: how each ended, and its turns; after a stop `Stopped` has those known."""
        cdef Mind* M = self.mind
        cdef Effort wanted
        cdef Table S
        cdef Luck luck
        cdef int turns = 0
        cdef int player = player_number(policy)
        cdef uint64_t begin = number_of_game(first)
        count = whole_in(number, "number", 0, 10**9)
        memset(&wanted, 0, sizeof(Effort))
        if player == BY_SEARCH:
            take_effort(&wanted, effort)
        luck.seed = <uint64_t> (int(seed) & 0xFFFFFFFFFFFFFFFF)
        luck.spread = False
        self.begin(stop)
        found = []
        for i in range(count):
            luck.game = begin + <uint64_t> i
            with nogil:
                set_up_by_luck(&self.kernel.rules, &S, &luck)
                if start is not None:
                    S = start.table
                turns = play_game(M, &S, player, &wanted, &luck)
            if M.watch.stopped:
                break
            found.append((RESULTS[S.end], turns))
        GIVE_BACK(&self.busy)
        if M.watch.stopped:
            raise_stopped(&M.watch, found)
        return found

    def lessons(self, policy, seed, first, number, strays=0, looks=0, *, Stop stop=None):
        """Plays games and notes their states: features, kinds, values, numbers of games, all as bytes, and how each game ended."""
        cdef Mind* M = self.mind
        cdef Notes notes
        cdef Table S
        cdef Luck luck
        cdef int player = player_number(policy)
        cdef int stray = whole_in(strays, "strays", 0, 1000)
        cdef int look = whole_in(looks, "looks", 0, 10_000)
        cdef uint64_t begin = whole_in(first, "first", 0, 2**30)
        cdef bint fits = True
        count = whole_in(number, "number", 0, 100_000)
        if player == BY_SEARCH:
            raise KernelError("policy: no lessons are noted of a search")
        memset(&notes, 0, sizeof(Notes))
        luck.seed = <uint64_t> (int(seed) & 0xFFFFFFFFFFFFFFFF)
        luck.spread = False
        self.begin(stop)
        ends = []
        for i in range(count):
            luck.game = begin + <uint64_t> i
            with nogil:
                set_up_by_luck(&self.kernel.rules, &S, &luck)
                fits = play_lesson(M, &S, player, stray, look, &luck, &notes)
            if M.watch.stopped or not fits:
                break
            ends.append(RESULTS[S.end])
        try:
            found = (
                (<char*> notes.rows)[:notes.number * FEATURES * sizeof(float)], (<char*> notes.kinds)[:notes.number],
                (<char*> notes.values)[:notes.number * sizeof(double)],
                (<char*> notes.games)[:notes.number * sizeof(int32_t)], ends)
        finally:
            free(notes.rows)
            free(notes.kinds)
            free(notes.values)
            free(notes.games)
            GIVE_BACK(&self.busy)
        if not fits:
            raise MemoryError("no memory for the lessons")
        if M.watch.stopped:
            raise_stopped(&M.watch, None)
        return found


cdef object number_of_game(object first):
    """The number of the first game or sample."""
    if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < 1 << 62:
        raise KernelError(f"first: expected a whole number from 0 to 2**62, got {first!r:.40}")
    return first


cdef int player_number(object policy) except -1:
    if policy not in PLAYER_NAMES:
        raise KernelError(f"policy: expected one of {', '.join(PLAYER_NAMES)}, got {policy!r:.40}")
    return PLAYER_NAMES.index(policy)
