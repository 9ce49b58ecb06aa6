# The best policies of a turn.
#
# A value is a row of integers, one a criterion, compared from the left. The order agrees with sums and with positive
# factors, so expectations over an attack's dice can be maximised node by node, from the lowest level up. All values are
# scaled by 36 to the power of the level of the start: an attack divides by 36 and leads to a lower level, so every division
# comes out even and nothing is ever rounded.
#
# Beside the best value each node keeps the best one strictly below it that some policy has. A policy that falls short
# of the best of an attack falls short in one outcome at least, so the second best of an attack takes the second best of
# the one outcome where that loses least.

cdef enum:
    MOST_CRITERIA = 16

cdef enum:                 # kinds of criteria
    BY_GOAL
    BY_WEIGHTS
    BY_IP
    BY_LIMITS
    BY_UPRISING

cdef enum:                 # weights of a linear criterion: of discs, armies, the active Emperor
    OF_REVOLT
    OF_UNREST
    OF_GARRISON
    OF_ARMY
    OF_EMPEROR

cdef struct Criterion:
    int kind
    Mask emperor           # goal, limits
    Mask garrisons         # goal
    Mask no_revolt
    Mask no_unrest
    Mask no_army
    Mask not_emperor       # limits
    int keep
    int spend
    int64_t[5][PROVINCES] weight
    int64_t constant

cdef struct Option:        # what an action, or an attack with all its outcomes, is worth
    Wide[MOST_CRITERIA] best
    Wide[MOST_CRITERIA] second
    bint has_second
    uint64_t weak          # edge of the outcome in which the second best falls short


cdef Criterion take_criterion(object given, str field):
    cdef Criterion criterion
    memset(&criterion, 0, sizeof(Criterion))
    row = tuple(given)
    kind = row[0] if row else None
    if kind == "goal":
        take_row(row, field, 6)
        criterion.kind = BY_GOAL
        criterion.emperor = take_mask(row[1], f"{field}: emperor")
        criterion.garrisons = take_mask(row[2], f"{field}: garrisons")
        criterion.no_revolt = take_mask(row[3], f"{field}: no_revolt")
        criterion.no_unrest = take_mask(row[4], f"{field}: no_unrest")
        criterion.no_army = take_mask(row[5], f"{field}: no_army")
    elif kind == "linear":
        take_row(row, field, 7)
        criterion.kind = BY_WEIGHTS
        for i, name in enumerate(("revolt", "unrest", "garrison", "army", "emperor")):
            if row[1 + i] is not None:
                for p, weight in enumerate(take_row(row[1 + i], f"{field}: {name}", PROVINCES)):
                    criterion.weight[i][p] = take_int(weight, f"{field}: {name}[{p}]", -10**6, 10**6)
        criterion.constant = take_int(row[6], f"{field}: constant", -10**6, 10**6)
    elif kind == "ip":
        take_row(row, field, 1)
        criterion.kind = BY_IP
    elif kind == "limits":
        take_row(row, field, 5)
        criterion.kind = BY_LIMITS
        criterion.emperor = take_mask(row[1], f"{field}: emperor")
        criterion.not_emperor = take_mask(row[2], f"{field}: not_emperor")
        criterion.keep = take_int(row[3], f"{field}: keep", 0, 10**6)
        criterion.spend = take_int(row[4], f"{field}: spend", 0, 10**6)
    elif kind == "uprising":
        take_row(row, field, 1)
        criterion.kind = BY_UPRISING
    else:
        raise KernelError(f'{field}: expected "goal", "linear", "ip", "limits" or "uprising", got {kind!r}')
    return criterion


cdef inline int64_t weigh(const int64_t* weight, Mask where) noexcept nogil:
    cdef int64_t total = 0
    while where:
        total += weight[lowest(where)]
        where &= where - 1
    return total


cdef inline int compare(const Wide* a, const Wide* b, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if a[i] != b[i]:
            return 1 if a[i] > b[i] else -1
    return 0


cdef inline void copy(Wide* to, const Wide* value, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        to[i] = value[i]


@cython.final
cdef class Solution:
    """
    The optimum of a turn under criteria compared one after the other; every number an exact integer.

    A criterion is a tuple, and each is *maximised* in expectation over the attacks' dice:

    ``("goal", emperor, garrisons, no_revolt, no_unrest, no_army)``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere, off the board too), a garrison
        disc of any colour on all of `garrisons`, and no revolt, no unrest, no army on the three last masks; else 0.
        A fallen Empire is 0. (A won game is looked at like any end.)
    ``("linear", revolt, unrest, garrison, army, emperor, constant)``
        five sequences of 48 integers (abs at most 10**6): weight of each disc or figure where it lies; `emperor` is
        the active one; None for all zero. A fallen Empire is 0.
    ``("ip",)``
        minus the IP paid from the start of the `Turn` on.
    ``("limits", emperor, not_emperor, keep, spend)``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere), not in mask `not_emperor`, with at
        least `keep` of his garrisons in the reserve, after at most `spend` IP from the start of the `Turn` on, the
        Empire standing; else 0.
    ``("uprising",)``
        minus the exact chance of at least one uprising in the Barbarian phase that follows (0 after a victory in the
        game, 1 after a fall).
    """

    cdef Turn turn
    cdef Criterion[MOST_CRITERIA] criterion
    cdef int criteria
    cdef Wide scale        # 36 to the power of the IP at the start
    cdef Wide whole        # an uprising for certain, before scaling
    cdef Wide* best        # rows of `criteria` numbers, one row a node
    cdef Wide* second
    cdef uint8_t* has_second
    cdef object end_total

    def __cinit__(self, Turn turn not None, criteria, *, Stop stop=None):
        cdef Watch watch
        cdef bint capacity
        cdef int i
        cdef size_t numbers
        given = list(criteria)
        if not 1 <= len(given) <= MOST_CRITERIA:
            raise KernelError(f"criteria: expected 1 to {MOST_CRITERIA}, got {len(given)}")
        for i in range(len(given)):
            self.criterion[i] = take_criterion(given[i], f"criteria[{i}]")
        self.turn = turn
        self.criteria = len(given)
        self.scale = 1
        for i in range(level_of(&turn.tables.board, &turn.start.position)):
            self.scale *= 36
        self.whole = <Wide> 36 << turn.tables.board.broken_links
        numbers = <size_t> turn.book.count * self.criteria
        self.best = <Wide*> malloc(numbers * sizeof(Wide))
        self.second = <Wide*> malloc(numbers * sizeof(Wide))
        self.has_second = <uint8_t*> malloc(turn.book.count)
        if not self.best or not self.second or not self.has_second:
            raise MemoryError("no memory for the values of a turn")
        watch_open(&watch, stop)
        with nogil:
            capacity = self.run(&watch)
        if watch.stopped:
            raise_stopped(&watch, None)
        if not capacity:
            raise MemoryError("no memory for the values of a turn")

    def __dealloc__(self):
        free(self.best)
        free(self.second)
        free(self.has_second)

    cdef void value_of_end(self, const Position* P, Wide* value, SpreadOutcomes* outcomes) noexcept nogil:
        """What a turn that ends here is worth; `outcomes` is scratch memory."""
        cdef const Criterion* C
        cdef Wide worth
        cdef int i
        for i in range(self.criteria):
            C = &self.criterion[i]
            if C.kind == BY_GOAL:
                worth = (
                    (not C.emperor or C.emperor >> P.emperor[P.mover] & 1)
                    and not C.garrisons & ~garrison_discs(P)
                    and not (C.no_revolt & P.revolts or C.no_unrest & P.unrest or C.no_army & P.armies)
                    and P.mark != RESULT_FALLEN)
            elif C.kind == BY_WEIGHTS:
                worth = C.constant
                worth += weigh(C.weight[OF_REVOLT], P.revolts) + weigh(C.weight[OF_UNREST], P.unrest)
                worth += weigh(C.weight[OF_GARRISON], garrison_discs(P)) + weigh(C.weight[OF_ARMY], P.armies)
                if P.emperor[P.mover] != OFF_BOARD:
                    worth += C.weight[OF_EMPEROR][P.emperor[P.mover]]
                if P.mark == RESULT_FALLEN:
                    worth = 0
            elif C.kind == BY_IP:
                worth = -ip_paid(&self.turn.start.position, P)
            elif C.kind == BY_LIMITS:
                worth = self.is_within(C, P)
            elif P.mark == RESULT_WON:
                worth = 0
            elif P.mark == RESULT_FALLEN:
                worth = -self.whole
            else:
                worth = -<Wide> uprising_weight(&self.turn.tables.board, outcomes, P)
            value[i] = worth * self.scale

    cdef inline const Wide* best_of(self, uint32_t node) noexcept nogil:
        return self.best + <size_t> node * self.criteria

    cdef inline const Wide* second_of(self, uint32_t node) noexcept nogil:
        return self.second + <size_t> node * self.criteria

    cdef bint is_within(self, const Criterion* C, const Position* P) noexcept nogil:
        """Whether an end keeps to the limits."""
        cdef Mask place = bit(P.emperor[P.mover])
        return (
            (not C.emperor or C.emperor & place)
            and not C.not_emperor & place
            and garrisons_left(&self.turn.tables.board, P, P.mover) >= C.keep
            and ip_paid(&self.turn.start.position, P) <= C.spend
            and P.mark != RESULT_FALLEN)

    cdef uint64_t option(self, uint64_t e, uint64_t stop, Option* option) noexcept nogil:
        """What the action of edge `e` is worth, an attack with all its outcomes; returns the first edge after it."""
        cdef const Edge* edge = self.turn.edge
        cdef Wide[MOST_CRITERIA] loss
        cdef Wide[MOST_CRITERIA] least
        cdef uint64_t first = e
        cdef uint32_t node
        cdef int i
        option.has_second = False
        option.weak = e
        if not is_attack(edge[e].code):
            node = edge[e].target
            copy(option.best, self.best_of(node), self.criteria)
            option.has_second = self.has_second[node]
            if option.has_second:
                copy(option.second, self.second_of(node), self.criteria)
            return e + 1
        for i in range(self.criteria):
            option.best[i] = 0
        while e < stop and without_outcome(edge[e].code) == without_outcome(edge[first].code):
            node = edge[e].target
            for i in range(self.criteria):
                option.best[i] += self.best_of(node)[i] * edge[e].chance
            if self.has_second[node]:
                for i in range(self.criteria):
                    loss[i] = (self.best_of(node)[i] - self.second_of(node)[i]) * edge[e].chance
                if not option.has_second or compare(loss, least, self.criteria) < 0:
                    copy(least, loss, self.criteria)
                    option.has_second = True
                    option.weak = e
            e += 1
        for i in range(self.criteria):
            if option.has_second:
                option.second[i] = (option.best[i] - least[i]) / 36
            option.best[i] = option.best[i] / 36
        return e

    cdef void offer(self, uint32_t node, const Wide* value, bint* any) noexcept nogil:
        """One more value that can be had at a node: kept if it is the best, or the best below it."""
        cdef Wide* best = self.best + <size_t> node * self.criteria
        cdef Wide* second = self.second + <size_t> node * self.criteria
        cdef int order
        if not any[0]:
            copy(best, value, self.criteria)
            any[0] = True
            return
        order = compare(value, best, self.criteria)
        if order > 0:
            copy(second, best, self.criteria)
            copy(best, value, self.criteria)
            self.has_second[node] = True
        elif order < 0 and (not self.has_second[node] or compare(value, second, self.criteria) > 0):
            copy(second, value, self.criteria)
            self.has_second[node] = True

    cdef void solve_node(self, uint32_t node, SpreadOutcomes* outcomes) noexcept nogil:
        cdef Wide[MOST_CRITERIA] value
        cdef Option option
        cdef bint any = False
        cdef uint64_t e = self.turn.first_edge[node]
        cdef uint64_t stop = e + self.turn.edge_count[node]
        self.has_second[node] = False
        if self.turn.can_end(node):
            self.value_of_end(&self.turn.book.rows[node], value, outcomes)
            self.offer(node, value, &any)
        while e < stop:
            e = self.option(e, stop, &option)
            self.offer(node, option.best, &any)
            if option.has_second:
                self.offer(node, option.second, &any)
        CHECK(any)

    cdef bint run(self, Watch* watch) noexcept nogil:
        """All nodes, lower levels first; in a level the later ones first, since entries lead on. False without memory."""
        cdef SpreadOutcomes outcomes
        cdef size_t i
        cdef int level
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = watch
        for level in range(LEVELS):
            for i in range(self.turn.level[level].count, 0, -1):
                if spend(watch, 1):
                    break
                self.solve_node(self.turn.level[level].rows[i - 1], &outcomes)
        free(outcomes.rows)
        return not outcomes.failed

    cdef tuple fractions(self, const Wide* value):
        """Numerator and denominator of each criterion, in lowest terms."""
        row = []
        for i in range(self.criteria):
            numerator, denominator = wide_to_int(value[i]), wide_to_int(self.scale)
            if self.criterion[i].kind == BY_UPRISING:
                denominator *= wide_to_int(self.whole)
            shared = gcd(numerator, denominator)
            row.append((numerator // shared, denominator // shared))
        return tuple(row)

    @property
    def values(self):
        """The best value: (numerator, denominator) in lowest terms of each criterion."""
        return self.fractions(self.best_of(0))

    @property
    def runner_up(self):
        """The best value strictly below that some policy has; None if all policies are equal."""
        return self.fractions(self.second_of(0)) if self.has_second[0] else None

    def end_values(self, *, Stop stop=None):
        """For each node of the turn the value of ending there, unscaled and maximised, or None where he cannot end.

        The chance of an uprising is counted in parts of `uprising_parts`.
        """
        cdef Wide[MOST_CRITERIA] value
        cdef SpreadOutcomes outcomes
        cdef Watch watch
        watch_open(&watch, stop)
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = &watch
        rows = []
        try:
            for node in range(self.turn.book.count):
                if not self.turn.can_end(node):
                    rows.append(None)
                    continue
                self.value_of_end(&self.turn.book.rows[node], value, &outcomes)
                check_stop(&watch, 2)
                rows.append(tuple([wide_to_int(value[i] / self.scale) for i in range(self.criteria)]))
        finally:
            free(outcomes.rows)
        if outcomes.failed:
            raise MemoryError("no memory for the values of a turn")
        return rows

    @property
    def uprising_parts(self):
        """How many parts a certain uprising has in `end_values`."""
        return wide_to_int(self.whole)

    @property
    def optimal_ends(self):
        """Distinct end positions (IP left not counted) in which some optimal policy can end."""
        return self.count_optimal_ends()

    def count_optimal_ends(self, *, Stop stop=None):
        """`optimal_ends`, counted once."""
        if self.end_total is None:
            self.end_total = self.optimal_ends_until(stop)
        return self.end_total

    cdef object optimal_ends_until(self, Stop stop):
        cdef Level waiting
        cdef SpreadOutcomes outcomes
        cdef Watch watch
        cdef Wide[MOST_CRITERIA] value
        cdef Option option
        cdef Position P
        cdef uint64_t e, past, after, k
        cdef uint32_t node
        cdef bint capacity = True
        cdef _Reach found = _Reach()                   # its book only
        cdef uint8_t* seen = <uint8_t*> calloc(self.turn.book.count, 1)
        memset(&waiting, 0, sizeof(Level))
        watch_open(&watch, stop)
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = &watch
        if seen:
            seen[0] = True
            capacity = level_put(&waiting, 0)
        while seen and capacity and waiting.count and not spend(&watch, 1):
            waiting.count -= 1
            node = waiting.rows[waiting.count]
            if self.turn.can_end(node):
                self.value_of_end(&self.turn.book.rows[node], value, &outcomes)
                capacity = capacity and not outcomes.failed
                if compare(value, self.best_of(node), self.criteria) == 0:
                    P = self.turn.book.rows[node]
                    P.ip = 0
                    P.mark &= ~PHASE_BARBARIAN
                    capacity = capacity and book_put(&found.book, &P) != NO_MEMORY
            e = self.turn.first_edge[node]
            past = e + self.turn.edge_count[node]
            while e < past:
                after = self.option(e, past, &option)
                if compare(option.best, self.best_of(node), self.criteria) == 0:
                    for k in range(e, after):
                        if not seen[self.turn.edge[k].target]:
                            seen[self.turn.edge[k].target] = True
                            capacity = capacity and level_put(&waiting, self.turn.edge[k].target)
                e = after
        free(waiting.rows)
        free(outcomes.rows)
        capacity = capacity and seen != NULL
        free(seen)
        if watch.stopped:
            raise_stopped(&watch, None)
        if not capacity:
            raise MemoryError("no memory for the ends of a turn")
        return found.book.count

    cdef tuple plan_from(self, uint32_t node, bint second):
        """A policy from here with the best value, or with the second best."""
        cdef Option option
        cdef const Wide* aim
        cdef uint64_t e, stop, after, k
        cdef bint found
        codes = []
        while True:
            aim = self.second_of(node) if second else self.best_of(node)
            e = self.turn.first_edge[node]
            stop = e + self.turn.edge_count[node]
            found = False
            while e < stop and not found:
                after = self.option(e, stop, &option)
                if compare(option.best, aim, self.criteria) == 0:
                    second = False
                    found = True
                elif second and option.has_second and compare(option.second, aim, self.criteria) == 0:
                    found = True
                else:
                    e = after
            if not found:                            # he stops here, or the turn is over
                return (tuple(codes), None)
            if is_attack(self.turn.edge[e].code):
                branches = {}
                for k in range(e, after):
                    branches[b_of(self.turn.edge[k].code)] = (
                        self.turn.edge[k].chance, self.plan_from(self.turn.edge[k].target, second and k == option.weak))
                return (tuple(codes), (branch_name(self.turn.edge[e].code), branches))
            codes.append(self.turn.edge[e].code)
            node = self.turn.edge[e].target

    def plan(self):
        """An optimal policy; among equals the smallest action code, END last."""
        return self.plan_from(0, False)

    def runner_up_plan(self):
        """A policy with the value `runner_up`, or None."""
        return self.plan_from(0, True) if self.has_second[0] else None
