# The rest of a turn as a graph.
#
# A node is a position with its IP left. All of them are there by their configurations: cells hold many nodes, and what leads from
# one to the other is listed only where somebody asks for it.

@cython.final
cdef class Turn:
    """All that the active Emperor can do in the rest of his turn, as a graph of turn states; solved exactly."""

    cdef Tables tables
    cdef State start
    cdef Kernel kernel
    cdef _Configurations graph     # node 0 is the start. After a defeat the IP left are kept, for the criterion "ip"
    cdef object end_total
    cdef object edge_total

    def __cinit__(self, Kernel kernel not None, State state not None, max_nodes=50_000_000, attacks=None, *, Stop stop=None):
        cdef Watch watch
        cdef uint32_t most = take_int(max_nodes, "max_nodes", 1, MOST_NODES)
        self.graph = _Configurations()
        self.state_outcomes(attacks)
        kernel.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        if not may_end(&kernel.tables.board, &state.position) and not kernel.legal(state):
            raise KernelError("state: expected one with a legal action or end")
        self.kernel = kernel
        self.tables = kernel.tables
        self.start = state
        watch_open(&watch, stop)
        with nogil:
            self.graph.explore(&self.tables.board, &self.start.position, most, &watch)

    cdef int state_outcomes(self, object attacks) except -1:
        self.graph.dice = attacks is None
        if attacks is not None:
            for province, outcome in dict(attacks).items():
                self.graph.outcome[take_int(province, "attacks", 0, PROVINCES - 1 + WHOLE)] = take_int(
                    outcome, f"attacks[{province}]", VICTORY, DEFEAT)
        return 0

    @property
    def nodes(self):
        """Turn states: positions with their IP left."""
        return self.graph.nodes

    @property
    def edges(self):
        """Actions between them, each outcome of an attack one."""
        if self.edge_total is None:
            self.edge_total = self.graph.count_edges(&self.tables.board)
        return self.edge_total

    @property
    def ends(self):
        """Distinct positions (IP left not counted) reached without an attack where he may end or has won."""
        if self.end_total is None:
            self.end_total = self.kernel.ends(self.start)
        return self.end_total

    @property
    def policies(self):
        """The number of different policies: see `count_policies`."""
        return self.count_policies()

    def count_policies(self, *, Stop stop=None):
        """The number of different policies: ways to decide everything that has to be decided on the way to an end."""
        cdef const Board* B = &self.tables.board
        cdef Edge[MOST_ACTIONS] list
        cdef const Cell* cell
        cdef Mask rest
        cdef Watch watch
        cdef int count, i, place
        cdef uint32_t k
        watch_open(&watch, stop)
        ways = [0] * self.graph.nodes
        for k in range(self.graph.looked, 0, -1):
            cell = &self.graph.cell[self.graph.looked_at[k - 1]]
            rest = cell.at
            while rest:
                check_stop(&watch, 5)
                place = lowest(rest)                 # off the board comes last
                rest &= rest - 1
                total = 1 if cell.ends >> place & 1 else 0
                count = self.graph.edges_at(B, cell, place, list)
                for i in range(count):
                    if i and same_attack(list[i - 1].code, list[i].code):
                        product *= ways[list[i].target]
                    else:
                        product = ways[list[i].target]
                    if i + 1 == count or not same_attack(list[i].code, list[i + 1].code):
                        total += product
                ways[self.graph.node_in(cell, place)] = total
        return ways[0]

    def state(self, node):
        """The turn state of a node, 0 the start; after a defeat the IP left are kept, and while dice lie there the attacker's."""
        cdef Position P
        self.graph.position_of(take_int(node, "node", 0, self.graph.nodes - 1), &P)
        forget_dice(&P)
        return state_of(&P)

    def fallen_dice(self, node):
        """The code of the attack whose dice lie there, with what they show; 0 where none do."""
        cdef Position P
        self.graph.position_of(take_int(node, "node", 0, self.graph.nodes - 1), &P)
        return dice_have_fallen(&P)

    def may_end(self, node):
        """Whether the turn is over at a node, or the Emperor may stop there."""
        return self.graph.may_end_at(take_int(node, "node", 0, self.graph.nodes - 1))

    def edges_from(self, node):
        """What can be done at a node: (code, chance in 36ths, node it leads to), the outcomes of an attack together."""
        cdef Edge[MOST_ACTIONS] list
        cdef int i
        cdef int count = self.graph.edges_from(
            &self.tables.board, take_int(node, "node", 0, self.graph.nodes - 1), list)
        return [(list[i].code, list[i].chance, list[i].target) for i in range(count)]

    def order(self):
        """All nodes, each after those its edges lead to."""
        return list(range(self.graph.nodes - 1, -1, -1))    # cells are numbered from the highest level down

    def solve(self, criteria, *, Stop stop=None):
        """The optimum under criteria compared one after the other, see `Solution`."""
        return Solution(self, criteria, stop=stop)
