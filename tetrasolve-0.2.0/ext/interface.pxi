# The Python classes: arguments are checked here, the work is done above.

ENTER = ACT_ENTER
MOVE = ACT_MOVE
SAIL = ACT_SAIL
SECURE = ACT_SECURE
REMOVE = ACT_REMOVE
REDUCE = ACT_REDUCE
ATTACK = ACT_ATTACK
END = ACT_END

OFF = OFF_BOARD

ROMAN = 0
BARBARIAN = PHASE_BARBARIAN

# Numbers of the rulebook, by the names that the reference rules have for them in numbers.py
NUMBERS = {
    "ARMIES": MOST_ARMIES,
    "REVOLTS": MOST_DISCS,
    "UNREST": MOST_DISCS,
    "FIRST_PROVINCE": FIRST_PROVINCE,
    "IP_A_TURN": FULL_IP,
    "NORMAL_LINK": LINK_IP,
    "BROKEN_LINK": BROKEN_LINK_IP,
    "BY_SEA": SEA_IP,
    "INTO_A_REVOLT": REVOLT_IP,
    "SAIL_COST": SAIL_IP,
    "SECURE_PROVINCE": SECURE_IP,
    "SECURE_BORDER": SECURE_BORDER_IP,
    "REMOVE_REVOLT": REMOVE_REVOLT_IP,
    "REMOVE_UNREST": REMOVE_UNREST_IP,
    "REDUCE_REVOLT": REDUCE_IP,
    "DIE": DIE,
    "BLOCKED": BLOCKED,
    "SUPPORT_FACTOR": SUPPORT_FACTOR,
    "ATTACK": ATTACK_IP,
    "ROMAN_BONUS": ROMAN_BONUS,
    "BARBARIAN_BONUS": BARBARIAN_BONUS,
    "BORDERS_TO_WIN": BORDERS_TO_WIN,
    "FIRST_REVOLTS": FIRST_REVOLTS,
}

_FIGURES = ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts")

OPEN = 0
WON = RESULT_WON >> 1
FALLEN = RESULT_FALLEN >> 1

DECLINE = POLICY_DECLINE
EAGER = POLICY_EAGER
AT_RANDOM = POLICY_RANDOM


@cython.final
cdef class Kernel:
    """The rules on one set of `Tables`."""

    cdef Tables tables

    def __cinit__(self, Tables tables not None):
        self.tables = tables

    cdef int check_state(self, State state) except -1:
        """What a state must keep to on this board."""
        for i in range(4):
            count = popcount(state.position.garrison[i])
            if count > self.tables.board.garrisons:
                raise KernelError(f"garrisons[{i}]: expected at most {self.tables.board.garrisons}, got {count}")
        return check_figures_of_board(&self.tables.board, &state.position)

    cdef Action check_code(self, State state, object code) except *:
        """The action of a code, if it is legal."""
        cdef Action action
        cdef bint found = False
        self.check_state(state)
        if isinstance(code, int) and 0 <= code <= LAST_CODE:
            found = find_action(&self.tables.board, &state.position, code, &action)
        if not found:
            raise KernelError(f"code: expected a legal action, got {code!r}")
        return action

    cdef int check_before_phase(self, State state) except -1:
        """What a position must keep to before a Barbarian phase."""
        cdef const Position* P = &state.position
        self.check_state(state)
        if P.mark >= RESULT_WON:
            raise KernelError(f"result: expected an open game, got {P.mark >> 1}")
        if somebody_passes(P):
            raise KernelError(f"emperors: expected no shared province at the end of a turn, got {P.emperor[P.mover]}")
        return 0

    def legal(self, State state not None):
        """The sorted codes of the legal actions, one ATTACK code for each possible outcome; END is not among them."""
        cdef Action[MOST_ACTIONS] list
        self.check_state(state)
        cdef int count = list_actions(&self.tables.board, &state.position, list)
        return sorted([list[i].code for i in range(count)])

    def may_end(self, State state not None):
        """Whether the active Emperor may end his turn here."""
        self.check_state(state)
        return bool(may_end(&self.tables.board, &state.position))

    def cost(self, State state not None, code):
        """The IP that a legal action costs."""
        return self.check_code(state, code).cost

    def odds(self, State state not None, province):
        """Chances of victory, draw and defeat, in 36ths, of the active Emperor's attack on the army of a province."""
        cdef const Position* P = &state.position
        cdef int army = take_int(province, "province", 0, PROVINCES - 1)
        self.check_state(state)
        if not P.armies & self.tables.board.linked[P.emperor[P.mover]] & bit(army):
            raise KernelError(f"province: expected one with an army, linked to the active Emperor, got {army}")
        cdef Odds odds = odds_of(&self.tables.board, P, P.mover, army)
        return (chance_of(odds, VICTORY), chance_of(odds, DRAW), chance_of(odds, DEFEAT))

    def play(self, State state not None, code):
        """The state after a legal action, or after END: then the Barbarian phase is next."""
        cdef Position after
        cdef Action action = self.check_code(state, code)
        play(&self.tables.board, &state.position, action, &after)
        return state_of(&after)

    def perft(self, State state not None, depth, bulk=True, *, Stop stop=None):
        """Sequences of exactly `depth` actions in this phase; the last ones are counted if `bulk`, played if not."""
        cdef int levels = take_int(depth, "depth", 0, 99)
        cdef bint counted = bulk
        cdef int64_t count
        cdef Watch watch
        self.check_state(state)
        if levels == 0:
            return 1
        watch_open(&watch, stop)
        with nogil:
            if counted:
                count = perft_bulk(&self.tables.board, &state.position, levels, &watch)
            else:
                count = perft_played(&self.tables.board, &state.position, levels, &watch)
        if watch.stopped:
            raise_stopped(&watch, None)
        return count

    def divide(self, State state not None, depth, *, Stop stop=None):
        """`perft` by the first action: sorted pairs of its code and the count behind it."""
        levels = take_int(depth, "depth", 1, 99)
        return [(code, self.perft(self.play(state, code), levels - 1, stop=stop)) for code in self.legal(state)]

    cdef _Reach reach(self, State state, Watch* watch):
        cdef _Reach reach = _Reach()
        self.check_state(state)
        with nogil:
            reach.explore(&self.tables.board, &state.position, watch)
        return reach

    cdef _Configurations configurations(self, State state, Watch* watch):
        cdef _Configurations found = _Configurations()
        self.check_state(state)
        found.most_only = True
        with nogil:
            found.explore(&self.tables.board, &state.position, MOST_NODES, watch)
        return found

    cdef bint has_configurations(self, State state) noexcept:
        return state.position.mark == ROMAN_OPEN and acts_alone(&self.tables.board, &state.position)

    def ends(self, State state not None, *, by_position=False, Stop stop=None):
        """
        Distinct positions (IP left not counted) reached without an attack where he may end his turn or has won. `by_position`: one
        position after the other, as wherever he does not act alone; else by configurations of discs, which is faster.
        """
        cdef Watch watch
        cdef _Reach reach
        cdef Position P
        cdef int64_t count = 0
        cdef uint32_t row
        watch_open(&watch, stop)
        if not by_position and self.has_configurations(state):
            return self.configurations(state, &watch).count()
        reach = self.reach(state, &watch)
        with nogil:
            for row in range(reach.book.count):
                check_stop(&watch, 1)
                P = reached(reach, row)
                count += is_end(&self.tables.board, &P)
        return count

    def end_states(self, State state not None, *, by_position=False, Stop stop=None):
        """The positions that `ends` counts, each with the most IP left."""
        cdef Watch watch
        cdef _Reach reach
        cdef Position P
        cdef uint32_t row
        watch_open(&watch, stop)
        if not by_position and self.has_configurations(state):
            return self.configurations(state, &watch).states(&watch)
        reach = self.reach(state, &watch)
        found = []
        for row in range(reach.book.count):
            check_stop(&watch, 1)
            P = reached(reach, row)
            if is_end(&self.tables.board, &P):
                found.append(state_of(&P))
        return found

    cdef _Scratch swept(self, State state, object policy, Stop stop, bint counting=False):
        """
        A scratch with the phase of this position in it; `counting`: of its outcomes only their number. Where its watch has
        stopped, raises with the figures of a part of it.
        """
        cdef _Scratch scratch
        cdef int decides = take_int(policy, "policy", POLICY_DECLINE, POLICY_EAGER)
        self.check_before_phase(state)
        scratch = take_scratch(True, stop)
        if counting:
            only_count(&scratch.sweep)
        with nogil:
            sweep_under(&scratch.sweep, &self.tables.board, &state.position, decides)
            scratch.sweep.failed |= not sweep_settle(&scratch.sweep)
        if scratch.sweep.watch.stopped:
            self.stop_sweep(scratch)
        if sweep_failed(&scratch.sweep):
            raise MemoryError("no memory for the Barbarian phase")
        return scratch

    cdef int stop_sweep(self, _Scratch scratch) except -1:
        """Raises `Stopped` with the figures of the outcomes found so far."""
        cdef Watch watch = scratch.sweep.watch
        partial = dict(figures_of_sweep(&scratch.sweep), mass=mass_of(&scratch.sweep))
        give_back(scratch)
        raise_stopped(&watch, partial)

    def phase(self, State state not None, policy=POLICY_DECLINE, *, Stop stop=None):
        """
        Figures of the Barbarian phase of the position: p_uprising (at least one), e_uprisings (their expected
        number), p_lost, p_new_army (an army appears on a border), e_revolts (chance times revolts, summed over the
        outcomes that are not lost), outcomes (distinct, all falls one), visits (outcomes before equal ones are merged).
        """
        cdef _Scratch scratch = self.swept(state, policy, stop, True)
        figures = figures_of_sweep(&scratch.sweep)
        give_back(scratch)
        return figures

    def phase_exact(self, State state not None, policy=POLICY_DECLINE, *, Stop stop=None):
        """The figures of `phase` as (numerator, denominator) in lowest terms; outcomes as an integer, no visits."""
        cdef _Scratch scratch = self.swept(state, policy, stop, True)
        outcomes = number_gathered(&scratch.sweep) + (p_lost(&scratch.sweep.figures) > 0)
        known = dict(figures_of_sweep(&scratch.sweep), mass=1.0)
        sweep_restart(&scratch.sweep, False)
        try:
            figures = exact_under(&scratch.sweep, &self.tables.board, &state.position, policy)
        except Stopped as stopped:
            stopped.partial = known
            raise
        give_back(scratch)
        names = ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts")
        return dict(zip(names, figures, strict=True)) | {"outcomes": outcomes}

    cdef list at_least(self, State state, int most, int policy, Stop stop):
        """The chances of at least 0, 1, ..., `most` + 1 uprisings."""
        cdef double[MOST_UPRISINGS + 2] chances
        cdef _Scratch scratch = take_scratch(False, stop)
        with nogil:
            count_under(&scratch.sweep, &self.tables.board, &state.position, policy, most, chances)
        if scratch.sweep.watch.stopped:
            raise_stopped(&scratch.sweep.watch, None)
        if sweep_failed(&scratch.sweep):
            raise MemoryError("no memory for the Barbarian phase")
        give_back(scratch)
        return row_of(chances, most + 2)

    def events(self, State state not None, most_uprisings=8, policy=POLICY_DECLINE, *, Stop stop=None):
        """
        What the Barbarian phase of the position can do, in chances: uprisings (of exactly 0, 1, ... of them) and
        more_uprisings, arrivals (of an army, by region), battles, falls (an army in Roma, no revolt, no unrest left);
        and, the Empire standing: removed (by Emperor), new_revolts, new_unrest, garrisons_lost (by how many, the last
        number for all above it too), turned (by province that revolts).
        """
        cdef int most = take_int(most_uprisings, "most_uprisings", 0, MOST_UPRISINGS)
        cdef _Scratch scratch = self.swept(state, policy, stop)
        cdef const Figures* found = &scratch.sweep.figures
        cdef Changes changes
        with nogil:
            read_changes(&scratch.sweep.book, &state.position, &changes, &scratch.sweep.watch)
        if scratch.sweep.watch.stopped:
            self.stop_sweep(scratch)
        at_least = self.at_least(state, most, policy, stop)
        events = {
            "uprisings": [max(at_least[i] - at_least[i + 1], 0.0) for i in range(most + 1)],
            "more_uprisings": at_least[most + 1],
            "arrivals": row_of(found.arrival, 6),
            "battles": battles_of(found),
            "falls": tuple(row_of(found.fallen, 3)),
            "removed": row_of(changes.removed, 4),
            "new_revolts": row_of(changes.new_revolts, MOST_DISCS + 1),
            "new_unrest": row_of(changes.new_unrest, MOST_DISCS + 1),
            "garrisons_lost": row_of(changes.garrisons_lost, MOST_DISCS + 1),
            "turned": row_of(changes.turned, PROVINCES),
        }
        give_back(scratch)
        return events

    def outcomes(self, State state not None, policy=POLICY_DECLINE, *, Stop stop=None):
        """Every state the Barbarian phase can lead to, with its chance, sorted by bytes; all falls are one state."""
        cdef _Scratch scratch = self.swept(state, policy, stop)
        cdef Sweep* S = &scratch.sweep
        cdef uint32_t* order
        cdef Position fallen = state.position
        cdef bint falls = p_lost(&S.figures) > 0     # and is not in the list yet
        cdef size_t i
        begin_turn(&self.tables.board, &fallen)
        fallen.mark = RESULT_FALLEN
        with nogil:
            order = book_order(&S.book, &S.watch)
        found = []
        try:
            if order == NULL and not S.watch.stopped:
                raise MemoryError("no memory for the Barbarian phase")
            for i in range(S.book.count):
                if spend(&S.watch, 1):
                    self.stop_sweep(scratch)
                if falls and memcmp(&S.book.rows[order[i]], &fallen, sizeof(Position)) > 0:
                    found.append((state_of(&fallen), p_lost(&S.figures)))
                    falls = False
                found.append((state_of(&S.book.rows[order[i]]), S.book.notes[order[i]]))
        finally:
            free(order)
        if falls:
            found.append((state_of(&fallen), p_lost(&S.figures)))
        give_back(scratch)
        return found

    def sample(self, State state not None, Rng rng not None, policy=POLICY_DECLINE):
        """One Barbarian phase, rolled. A fallen Empire leaves the position as it was."""
        cdef Position P = state.position
        cdef int decides = take_int(policy, "policy", POLICY_DECLINE, POLICY_RANDOM)
        self.check_before_phase(state)
        take_object(&rng.busy, "rng")
        phase_rolled(&self.tables.board, &P, decides, &rng.dice)
        GIVE_BACK(&rng.busy)
        return state_of(&P)

    def battle(self, State state not None, army, emperor):
        """The numbers g, e, r, a of a battle between the army of a province and an Emperor, whichever side attacks."""
        cdef const Position* P = &state.position
        cdef int province = take_int(army, "army", 0, PROVINCES - 1)
        cdef int who = take_int(emperor, "emperor", 0, LEADERS - 1)
        self.check_state(state)
        if not P.armies & bit(province):
            raise KernelError(f"army: expected a province with an army, got {province}")
        if place_of(P, who) >= PROVINCES:
            raise KernelError(f"emperor: expected one on the board, got {who}")
        cdef Battle battle = battle_of(&self.tables.board, P, who, province)
        return (battle.g, battle.e, battle.r, battle.a)

    def bench_phase(self, states, repeats, *, Stop stop=None):
        """(phases, outcome visits) of sweeping each state's phase so often, without gathering the outcomes."""
        cdef _Scratch scratch = take_scratch(False, stop)
        cdef Sweep* S = &scratch.sweep
        cdef const Board* B = &self.tables.board
        cdef int64_t times = take_int(repeats, "repeats", 0, 10**9)
        cdef int64_t done
        cdef int64_t phases = 0
        cdef State state
        row = list(states)
        for item in row:
            if not isinstance(item, State):
                raise KernelError(f"states: expected State objects, got {item!r}")
            state = item
            self.check_before_phase(state)
            with nogil:
                for done in range(times):
                    if spend(&S.watch, 1):
                        break
                    sweep(S, B, &state.position)
            if S.watch.stopped:
                raise_stopped(&S.watch, (phases, S.figures.visits))
            phases += times
        if sweep_failed(S):
            raise MemoryError("no memory for the Barbarian phase")
        visits = S.figures.visits
        give_back(scratch)
        return (phases, visits)

    def setup(self, revolts, fleets, armies, Rng rng not None):
        """A random set-up with so many additional revolts, fleets (on random zones) and armies; Diocletian to move."""
        cdef Position P
        cdef int additional = take_int(revolts, "revolts", 0, most_additional(&self.tables.board))
        cdef int ships = take_int(fleets, "fleets", 0, most_fleets(&self.tables.board))
        cdef int barbarians = take_int(armies, "armies", 0, most_armies(&self.tables.board))
        take_object(&rng.busy, "rng")
        set_up(&self.tables.board, &P, additional, ships, barbarians, &rng.dice)
        GIVE_BACK(&rng.busy)
        return state_of(&P)

    def random_turn(self, State state not None, Rng rng not None):
        """The state after one legal action, all equally likely, END among them; an attack is then rolled."""
        cdef Position after
        cdef Action action
        cdef bint found
        self.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        take_object(&rng.busy, "rng")
        found = random_action(&self.tables.board, &state.position, &rng.dice, &action)
        GIVE_BACK(&rng.busy)
        if not found:
            raise KernelError("state: expected one with a legal action or end")
        play(&self.tables.board, &state.position, action, &after)
        return state_of(&after)

    def random_game(self, State state not None, Rng rng not None, max_turns=10_000, policy=POLICY_DECLINE, *, Stop stop=None):
        """A game of random actions: result (OPEN if stopped at `max_turns`), turns, and actions and phases played."""
        cdef Position P = state.position
        cdef Tally tally
        cdef Watch watch
        cdef int64_t most = take_int(max_turns, "max_turns", 0, 10**9)
        cdef int decides = take_int(policy, "policy", POLICY_DECLINE, POLICY_RANDOM)
        self.check_state(state)
        if P.mark == PHASE_BARBARIAN:
            self.check_before_phase(state)
        tally.turns = tally.plies = 0
        watch_open(&watch, stop)
        take_object(&rng.busy, "rng")
        with nogil:
            random_game(&self.tables.board, &P, decides, &rng.dice, most, &tally, &watch)
        GIVE_BACK(&rng.busy)
        if watch.stopped:
            raise_stopped(&watch, (P.mark >> 1, tally.turns, tally.plies))
        return (P.mark >> 1, tally.turns, tally.plies)

    def random_games(self, games, revolts, fleets, armies, seed, policy=POLICY_DECLINE, *, Stop stop=None):
        """Plays `games` random games, each with its own set-up: a dict of games, won, fallen, turns, plies."""
        cdef Position P
        cdef Tally tally
        cdef Watch watch
        cdef int64_t turns, plies
        cdef const Board* B = &self.tables.board
        cdef Rng rng = Rng(seed)
        cdef int64_t count = take_int(games, "games", 0, 2 * 10**9)
        cdef int decides = take_int(policy, "policy", POLICY_DECLINE, POLICY_RANDOM)
        cdef int additional = take_int(revolts, "revolts", 0, most_additional(&self.tables.board))
        cdef int ships = take_int(fleets, "fleets", 0, most_fleets(&self.tables.board))
        cdef int barbarians = take_int(armies, "armies", 0, most_armies(&self.tables.board))
        cdef int64_t won = 0
        cdef int64_t fallen = 0
        cdef int64_t played = 0
        tally.turns = tally.plies = 0
        turns = plies = 0
        watch_open(&watch, stop)
        with nogil:
            while played < count:
                set_up(B, &P, additional, ships, barbarians, &rng.dice)
                random_game(B, &P, decides, &rng.dice, 10_000, &tally, &watch)
                if watch.stopped:
                    break
                won += P.mark == RESULT_WON
                fallen += P.mark == RESULT_FALLEN
                turns = tally.turns
                plies = tally.plies
                played += 1
        found = {"games": played, "won": won, "fallen": fallen, "turns": turns, "plies": plies}
        if played < count:
            raise_stopped(&watch, found)
        return found


cdef dict figures_of_sweep(const Sweep* S):
    """As `Kernel.phase` has them."""
    cdef const Figures* found = &S.figures
    return {
        "p_uprising": found.p_uprising,
        "e_uprisings": found.e_uprisings,
        "p_lost": p_lost(found),
        "p_new_army": p_new_army(found),
        "e_revolts": found.e_revolts,
        "outcomes": float(number_gathered(S) + (p_lost(found) > 0)),
        "visits": float(found.visits),
    }


cdef double mass_of(const Sweep* S) noexcept nogil:
    """The chance of all outcomes gathered so far."""
    cdef double mass = p_lost(&S.figures) + packed_mass(S)
    cdef uint32_t row
    for row in range(S.book.count):
        mass += S.book.notes[row]
    return mass


@cython.final
cdef class Line:
    """A state with the actions made on it, for make and undo."""

    cdef Kernel kernel
    cdef list states       # before each action, and now
    cdef list made
    cdef int busy          # a call uses it

    def __init__(self, Kernel kernel not None, State state not None):
        kernel.check_state(state)
        self.kernel = kernel
        self.states = [state]
        self.made = []

    @property
    def state(self):
        """The state now."""
        return self.states[len(self.states) - 1]

    @property
    def codes(self):
        """The actions made so far."""
        return tuple(self.made)

    def make(self, code):
        """Plays a legal action (END too)."""
        take_object(&self.busy, "line")
        try:
            self.states.append(self.kernel.play(self.states[len(self.states) - 1], code))
            self.made.append(code)
        finally:
            GIVE_BACK(&self.busy)

    def undo(self):
        """Takes the last action back and returns its code."""
        take_object(&self.busy, "line")
        try:
            if not self.made:
                raise KernelError("undo: expected an action to take back")
            self.states.pop()
            return self.made.pop()
        finally:
            GIVE_BACK(&self.busy)
