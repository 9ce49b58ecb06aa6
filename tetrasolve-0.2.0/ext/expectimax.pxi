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
    cdef _Configurations graph    # of the turn
    cdef _Prospects prospects
    cdef _PlainEnds plain
    cdef bint by_outcomes
    cdef Choice* best          # of each node
    cdef double* end           # value of ending there; where he cannot, it is not set
    cdef readonly double error    # of `value` and of every other value; proved
    cdef readonly int64_t end_nodes

    def __cinit__(self, Turn turn not None, weights, method="marginals", *, Stop stop=None):
        cdef Watch watch
        if method not in ("marginals", "plain", "shared"):
            raise KernelError(f'method: expected "marginals", "plain" or "shared", got {method!r}')
        self.turn = turn
        self.graph = turn.graph
        if method != "marginals":
            self.by_outcomes = True
            self.plain = _PlainEnds(turn.tables, weights, method == "shared", stop)
        self.prospects = _Prospects(turn.tables, weights, stop)
        self.best = <Choice*> malloc(self.graph.nodes * sizeof(Choice))
        self.end = <double*> malloc(self.graph.nodes * sizeof(double))
        if not self.best or not self.end:
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

    cdef int run(self, Watch* watch) except -1 nogil:
        """All nodes, the last one first."""
        cdef uint32_t i
        cdef double off = 0
        for i in range(self.graph.looked, 0, -1):
            off = largest(off, self.solve_cell(self.graph.looked_at[i - 1], watch))
        # each attack adds the roundings of its mean, and one turn has fewer than 8
        self.error = off + 64 * self.prospects.worth.size * bound_on_rounding(1)
        return 0

    cdef double solve_cell(self, uint32_t number, Watch* watch) except? -1 nogil:
        """Returns the error of the values of ending there."""
        cdef const Cell* cell = &self.graph.cell[number]
        cdef Edge[MOST_ACTIONS] list
        cdef Choice choice
        cdef Mask rest = cell.at
        cdef int count, first
        cdef int place
        cdef double error = 0
        cdef double off
        cdef Choice* best
        while rest:
            check_stop(watch, 1)
            place = lowest(rest)                     # off the board comes last, after the entries that it leads to
            rest &= rest - 1
            best = &self.best[self.graph.node_in(cell, place)]
            best.ip = -1
            if cell.ends >> place & 1:
                off = self.value_of_end(cell, place, best)
                error = largest(error, off)
            count = self.graph.edges_at(&self.turn.tables.board, cell, place, list)
            first = 0
            while first < count:
                first += self.option(list + first, count - first, &choice)
                if self.is_better(&choice, best):
                    best[0] = choice
            CHECK(best.ip >= 0)
        return error

    cdef double value_of_end(self, const Cell* cell, int place, Choice* best) except? -1 nogil:
        """Sets it at a node; returns its error. It is the same for fewer IP, where it is known."""
        cdef const Configuration* config = &self.graph.config[cell.config]
        cdef const Cell* poorer
        cdef Position P
        cdef double error = 0
        cdef int ip = cell.ip - 1
        while ip >= 0 and (config.cell[ip] == NO_CELL or not self.graph.cell[config.cell[ip]].ends >> place & 1):
            ip -= 1
        if ip >= 0:
            poorer = &self.graph.cell[config.cell[ip]]
            best.value = self.end[self.graph.node_in(poorer, place)]
        else:
            self.graph.position_at(cell.config, place, cell.ip, &P)
            best.value = self.plain.value_of(&P) if self.by_outcomes else self.prospects.value_of(&P, &error)
        self.end[self.graph.node_in(cell, place)] = best.value
        best.ip = cell.ip
        self.end_nodes += 1
        return error

    cdef inline bint is_better(self, const Choice* a, const Choice* b) noexcept nogil:
        return b.ip < 0 or a.value > b.value or (a.value == b.value and a.ip > b.ip)

    cdef inline int option(self, const Edge* list, int count, Choice* choice) noexcept nogil:
        """What the first of these actions is worth, an attack with all its outcomes; returns how many edges these are."""
        cdef int taken = 0
        if not is_attack(list[0].code):
            choice[0] = self.best[list[0].target]
            return 1
        choice.value = choice.ip = 0
        while taken < count and same_attack(list[0].code, list[taken].code):
            choice.value += self.best[list[taken].target].value * list[taken].chance
            choice.ip += self.best[list[taken].target].ip * list[taken].chance
            taken += 1
        choice.value /= 36
        choice.ip /= 36
        return taken

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
        cdef uint32_t row = take_int(node, "node", 0, self.graph.nodes - 1)
        return self.end[row] if self.graph.may_end_at(row) else None

    def contenders(self, *, Stop stop=None):
        """
        Nodes that a policy of the best value may reach, as far as the doubles show: for each of them, those after which
        come first, whether ending there, and which of its actions (codes; an attack with all its outcomes by its first
        code), may be best.
        """
        cdef double slack = 2 * self.error
        cdef Edge[MOST_ACTIONS] list
        cdef Watch watch
        cdef Choice choice
        cdef uint32_t node
        cdef int count, first, taken, k
        watch_open(&watch, stop)
        seen = {0}
        found = []
        for node in range(self.graph.nodes):
            check_stop(&watch, 1)
            if node not in seen:
                continue
            count = self.graph.edges_from(&self.turn.tables.board, node, list)
            options = []
            first = 0
            while first < count:
                taken = self.option(list + first, count - first, &choice)
                if choice.value >= self.best[node].value - slack:
                    branches = [
                        (list[first + k].code, list[first + k].chance, list[first + k].target) for k in range(taken)]
                    seen.update([branch[2] for branch in branches])
                    options.append(branches)
                first += taken
            ends = self.graph.may_end_at(node) and self.end[node] >= self.best[node].value - slack
            found.append((node, ends, options))
        found.reverse()
        return found

    def state(self, node):
        """The turn state of a node."""
        return self.turn.state(node)

    cdef tuple plan_from(self, uint32_t node):
        cdef Edge[MOST_ACTIONS] list
        cdef Choice choice
        cdef Choice best
        cdef int place = 0
        cdef int count, first, taken, k, chosen, branches
        codes = []
        while True:
            best.value = 0
            best.ip = -1                             # nothing yet
            if self.graph.may_end_at(node):
                best.value = self.end[node]
                best.ip = self.graph.locate(node, &place).ip
            count = self.graph.edges_from(&self.turn.tables.board, node, list)
            chosen = count
            first = branches = 0
            while first < count:
                taken = self.option(list + first, count - first, &choice)
                if self.is_better(&choice, &best):
                    best = choice
                    chosen = first
                    branches = taken
                first += taken
            if chosen == count:                      # he stops here, or the turn is over
                return (tuple(codes), None)
            if is_attack(list[chosen].code):
                return (tuple(codes), (a_of(list[chosen].code), {
                    b_of(list[chosen + k].code): (list[chosen + k].chance, self.plan_from(list[chosen + k].target))
                    for k in range(branches)}))
            codes.append(list[chosen].code)
            node = list[chosen].target

    def plan(self):
        """A policy with this value, as `Solution.plan` writes it."""
        return self.plan_from(0)

    @property
    def positions(self):
        """Positions of all those chains."""
        return self.prospects.position_count
