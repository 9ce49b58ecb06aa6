# The best policy of a turn whose ends are worth what is to be expected after the Barbarian phase that follows.
#
# Values are doubles with one bound on their error for all. Among policies of equal value the one with the most IP left in
# the mean is taken, so that no Emperor moves without need.

cdef struct Choice:        # what an action, or an attack with all its outcomes, is worth
    double value
    double ip              # IP left at the end


@cython.final
cdef class Expectimax:
    """
    The optimum of a `Turn` under weights as in `Kernel.expect_values`, by doubles with a bound on their error.

    `method`: "marginals"; or "plain" or "shared", which go through the outcomes of each end, to measure and to compare (their
    error is not bounded).
    """

    cdef Turn turn
    cdef _Prospects prospects
    cdef _PlainEnds plain
    cdef bint by_outcomes
    cdef Choice* best
    cdef double* end           # value of ending at a node; ends that cannot be are not looked at
    cdef uint8_t* ends
    cdef readonly double error    # of `value` and of every other value; proved
    cdef readonly int64_t end_nodes

    def __cinit__(self, Turn turn not None, weights, method="marginals", *, Stop stop=None):
        cdef Watch watch
        if method not in ("marginals", "plain", "shared"):
            raise KernelError(f'method: expected "marginals", "plain" or "shared", got {method!r}')
        self.turn = turn
        if method != "marginals":
            self.by_outcomes = True
            self.plain = _PlainEnds(turn.tables, weights, method == "shared", stop)
        self.prospects = _Prospects(turn.tables, weights, stop)
        self.best = <Choice*> malloc(turn.book.count * sizeof(Choice))
        self.end = <double*> malloc(turn.book.count * sizeof(double))
        self.ends = <uint8_t*> malloc(turn.book.count)
        if not self.best or not self.end or not self.ends:
            raise MemoryError("no memory for the values of a turn")
        watch_open(&watch, stop)
        with nogil:
            self.run(&watch)
        self.prospects.let_go()
        if self.by_outcomes:
            self.plain.let_go()

    def __dealloc__(self):
        free(self.best)
        free(self.end)
        free(self.ends)

    cdef int run(self, Watch* watch) except -1 nogil:
        """All nodes in the order of `Solution.run`."""
        cdef size_t i
        cdef int ip
        cdef double off = 0
        for ip in range(FULL_IP + 1):
            for i in range(self.turn.level[ip].count, 0, -1):
                check_stop(watch, 1)
                off = largest(off, self.solve_node(self.turn.level[ip].rows[i - 1]))
        # each attack adds the roundings of its mean, and one turn has fewer than 8
        self.error = off + 64 * self.prospects.worth.size * bound_on_rounding(1)
        return 0

    cdef double solve_node(self, uint32_t node) except? -1 nogil:
        """Returns the error of the value of ending there."""
        cdef const Position* P = &self.turn.book.rows[node]
        cdef Choice* best = &self.best[node]
        cdef Choice choice
        cdef uint64_t e = self.turn.first_edge[node]
        cdef uint64_t stop = e + self.turn.edge_count[node]
        cdef double error = 0
        cdef bint any = self.turn.can_end(node)
        self.ends[node] = any
        if any:
            if self.by_outcomes:
                best.value = self.plain.value_of(P)
            else:
                best.value = self.prospects.value_of(P, &error)
            self.end[node] = best.value
            best.ip = P.ip
            self.end_nodes += 1
        while e < stop:
            e = self.option(e, stop, &choice)
            if not any or self.is_better(&choice, best):
                best[0] = choice
                any = True
        CHECK(any)
        return error

    cdef inline bint is_better(self, const Choice* a, const Choice* b) noexcept nogil:
        return a.value > b.value or (a.value == b.value and a.ip > b.ip)

    cdef uint64_t option(self, uint64_t e, uint64_t stop, Choice* choice) noexcept nogil:
        """What the action of edge `e` is worth, an attack with all its outcomes; returns the first edge after it."""
        cdef const Edge* edge = self.turn.edge
        cdef uint64_t first = e
        if kind_of(edge[e].code) != ACT_ATTACK:
            choice[0] = self.best[edge[e].target]
            return e + 1
        choice.value = choice.ip = 0
        while e < stop and kind_of(edge[e].code) == ACT_ATTACK and a_of(edge[e].code) == a_of(edge[first].code):
            choice.value += self.best[edge[e].target].value * edge[e].chance
            choice.ip += self.best[edge[e].target].ip * edge[e].chance
            e += 1
        choice.value /= 36
        choice.ip /= 36
        return e

    @property
    def value(self):
        """The best value, up to `error`."""
        return self.best[0].value

    @property
    def scenes(self):
        """Kinds of ends that lead to different Barbarian phases."""
        return self.prospects.scenes.count

    @property
    def walks(self):
        """Chains of uprisings that were followed."""
        return self.prospects.walks.count

    @property
    def advances(self):
        """Sets of advances that were gone through for a chain."""
        return self.prospects.shares.count

    def end_value(self, node):
        """The value of ending at a node; None where he cannot."""
        cdef uint32_t row = take_int(node, "node", 0, self.turn.book.count - 1)
        return self.end[row] if self.ends[row] else None

    def contenders(self, *, Stop stop=None):
        """
        Nodes that a policy of the best value may reach, as far as the doubles show: for each of them, those after which
        come first, whether ending there, and which of its actions (codes; an attack with all its outcomes by its first
        code), may be best.
        """
        cdef double slack = 2 * self.error
        cdef Watch watch
        cdef Choice choice
        cdef uint64_t e, past, after
        cdef uint32_t node
        cdef size_t i
        cdef int ip
        watch_open(&watch, stop)
        seen = {0}
        found = []
        for ip in range(FULL_IP, -1, -1):
            for i in range(self.turn.level[ip].count):
                node = self.turn.level[ip].rows[i]
                check_stop(&watch, 1)
                if node not in seen:
                    continue
                options = []
                e = self.turn.first_edge[node]
                past = e + self.turn.edge_count[node]
                while e < past:
                    after = self.option(e, past, &choice)
                    if choice.value >= self.best[node].value - slack:
                        branches = [
                            (self.turn.edge[k].code, self.turn.edge[k].chance, self.turn.edge[k].target)
                            for k in range(e, after)]
                        seen.update([branch[2] for branch in branches])
                        options.append(branches)
                    e = after
                ends = bool(self.ends[node] and self.end[node] >= self.best[node].value - slack)
                found.append((node, ends, options))
        found.reverse()
        return found

    def state(self, node):
        """The turn state of a node."""
        return state_of(&self.turn.book.rows[take_int(node, "node", 0, self.turn.book.count - 1)])

    cdef tuple plan_from(self, uint32_t node):
        cdef Choice choice
        cdef Choice best
        cdef uint64_t e, stop, after, k, chosen, chosen_stop
        codes = []
        best.value = best.ip = 0                     # read only after it has been set, which compilers cannot see
        while True:
            e = self.turn.first_edge[node]
            chosen = chosen_stop = stop = e + self.turn.edge_count[node]
            if self.ends[node]:
                best.value = self.end[node]
                best.ip = self.turn.book.rows[node].ip
            while e < stop:
                after = self.option(e, stop, &choice)
                if (chosen == stop and not self.ends[node]) or self.is_better(&choice, &best):
                    best = choice
                    chosen = e
                    chosen_stop = after
                e = after
            if chosen == stop:                       # he stops here, or the turn is over
                return (tuple(codes), None)
            if kind_of(self.turn.edge[chosen].code) == ACT_ATTACK:
                branches = {
                    b_of(self.turn.edge[k].code): (self.turn.edge[k].chance, self.plan_from(self.turn.edge[k].target))
                    for k in range(chosen, chosen_stop)}
                return (tuple(codes), (a_of(self.turn.edge[chosen].code), branches))
            codes.append(self.turn.edge[chosen].code)
            node = self.turn.edge[chosen].target

    def plan(self):
        """A policy with this value, as `Solution.plan` writes it."""
        return self.plan_from(0)

    @property
    def positions(self):
        """Positions of all those chains."""
        return self.prospects.position_count
