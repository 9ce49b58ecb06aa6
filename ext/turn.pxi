# The rest of a turn as a graph.
#
# A node is a position with its IP left. Every action but the entry costs IP, or a power that is had once, so nodes are on
# levels, see `level_of`, and edges lead to lower ones only; entries lead from the first node of the highest level to later
# ones.

cdef struct Edge:
    uint32_t target
    uint16_t code          # nothing is paid in attacks, see `decides_after_dice`, so that there is capacity enough
    uint8_t chance         # in 36ths: 36 but for the outcomes of an attack, which follow one another


cdef enum:
    NOT_ATTACKED = 3       # beside the outcomes of an attack


@cython.final
cdef class Turn:
    """All that the active Emperor can do in the rest of his turn, as a graph of turn states; solved exactly."""

    cdef Tables tables
    cdef State start
    cdef Kernel kernel
    cdef Book book         # the nodes; node 0 is the start. After a defeat the IP left are kept, for the criterion "ip"
    cdef Level[LEVELS] level
    cdef uint64_t* first_edge
    cdef uint16_t* edge_count
    cdef Edge* edge
    cdef uint64_t edge_total
    cdef uint64_t edge_capacity
    cdef object end_total
    cdef bint all_attacks          # the dice decide; else only the attacks stated in `outcome` are made, and end as it says
    cdef uint8_t[PROVINCES] outcome    # of an attack on the army there, NOT_ATTACKED for none

    def __cinit__(self, Kernel kernel not None, State state not None, max_nodes=50_000_000, attacks=None, *, Stop stop=None):
        cdef Watch watch
        cdef uint32_t most = take_int(max_nodes, "max_nodes", 1, 10**9)
        book_open(&self.book, False)
        self.state_outcomes(attacks)
        kernel.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        if decides_after_dice(&kernel.tables.board, &state.position):
            raise KernelError("state: expected a turn without decisions between dice and outcome")
        if not may_end(&kernel.tables.board, &state.position) and not kernel.legal(state):
            raise KernelError("state: expected one with a legal action or end")
        self.kernel = kernel
        self.tables = kernel.tables
        self.start = state
        watch_open(&watch, stop)
        with nogil:
            self.build(most, &watch)

    def __dealloc__(self):
        book_close(&self.book)
        for i in range(LEVELS):
            free(self.level[i].rows)
        free(self.first_edge)
        free(self.edge_count)
        free(self.edge)

    cdef int state_outcomes(self, object attacks) except -1:
        self.all_attacks = attacks is None
        memset(self.outcome, NOT_ATTACKED, PROVINCES)
        if attacks is not None:
            for province, outcome in dict(attacks).items():
                self.outcome[take_int(province, "attacks", 0, PROVINCES - 1)] = take_int(
                    outcome, f"attacks[{province}]", VICTORY, DEFEAT)
        return 0

    @property
    def nodes(self):
        """Turn states: positions with their IP left."""
        return self.book.count

    @property
    def edges(self):
        """Actions between them, each outcome of an attack one."""
        return self.edge_total

    @property
    def ends(self):
        """Distinct positions (IP left not counted) reached without an attack where he may end or has won."""
        if self.end_total is None:
            self.end_total = self.kernel.ends(self.start)
        return self.end_total

    cdef int64_t meet(self, const Position* P, uint32_t most) except -1 nogil:
        """The node of a position, which waits in its level if it is new."""
        cdef uint32_t known = self.book.count
        cdef int64_t node = book_put(&self.book, P)
        if node == NO_MEMORY or (self.book.count > known and not level_put(
                &self.level[level_of(&self.tables.board, P)], <uint32_t> node)):
            raise MemoryError("no memory for the turn")
        if self.book.count > most:
            raise KernelError(f"max_nodes: expected more than {most} for this turn")
        return node

    cdef int make_capacity(self) except -1 nogil:
        """Reserves memory for the edges of one more node."""
        cdef Edge* edge
        if self.edge_total + MOST_ACTIONS > self.edge_capacity:
            self.edge_capacity = 2 * self.edge_capacity + 4096
            edge = <Edge*> realloc(self.edge, self.edge_capacity * sizeof(Edge))
            if not edge:
                raise MemoryError("no memory for the turn")
            self.edge = edge
        return 0

    cdef int build(self, uint32_t most, Watch* watch) except -1 nogil:
        cdef size_t i
        cdef int level
        cdef uint32_t capacity = 0
        cdef uint64_t* first_edge
        cdef uint16_t* edge_count
        self.meet(&self.start.position, most)
        for level in range(LEVELS - 1, -1, -1):
            i = 0
            while i < self.level[level].count:
                if capacity < self.book.capacity:            # the arrays beside the book grow with it
                    capacity = self.book.capacity
                    first_edge = <uint64_t*> realloc(self.first_edge, capacity * sizeof(uint64_t))
                    if first_edge:
                        self.first_edge = first_edge
                    edge_count = <uint16_t*> realloc(self.edge_count, capacity * sizeof(uint16_t))
                    if edge_count:
                        self.edge_count = edge_count
                    if not first_edge or not edge_count:
                        raise MemoryError("no memory for the turn")
                check_stop(watch, NODE_TICKS)
                self.expand(self.level[level].rows[i], most)
                i += 1
        return 0

    cdef int expand(self, uint32_t node, uint32_t most) except -1 nogil:
        """Writes the edges of a node, in the order of their codes, the outcomes of an attack together."""
        cdef const Board* B = &self.tables.board
        cdef Action[MOST_ACTIONS] list
        cdef Action action
        cdef Position P = self.book.rows[node]
        cdef Position Q
        cdef int count = self.keep_stated(list, list_actions(B, &P, list))
        cdef int i, k
        self.make_capacity()
        self.first_edge[node] = self.edge_total
        for i in range(1, count):                    # sorted, few as they are
            action = list[i]
            k = i
            while k and self.comes_before(action.code, list[k - 1].code):
                list[k] = list[k - 1]
                k -= 1
            list[k] = action
        for i in range(count):
            play(B, &P, list[i], &Q)
            Q.ip = ip_after(&P, list[i])
            self.join(&Q, list[i], most)
        self.edge_count[node] = count
        return 0

    cdef int keep_stated(self, Action* list, int count) noexcept nogil:
        """Of these actions all but the attacks that are not to be made or end otherwise; returns their number."""
        cdef int i
        cdef bint army
        cdef int kept = 0
        if self.all_attacks:
            return count
        for i in range(count):
            if is_attack(list[i].code):
                army = kind_of(list[i].code) == ACT_ATTACK    # else it is on Pirates, about whom nothing can be stated
                if not army or self.outcome[a_of(list[i].code)] != b_of(list[i].code):
                    continue
                list[i].chance = 36
            list[kept] = list[i]
            kept += 1
        return kept

    cdef inline bint comes_before(self, Code code, Code other) noexcept nogil:
        """The order of codes, but for the outcomes of an attack, which stay with its first one."""
        if is_attack(code):
            code = without_outcome(code)
        if is_attack(other):
            other = without_outcome(other)
        return code < other

    cdef int join(self, const Position* target, Action action, uint32_t most) except -1 nogil:
        cdef Edge* edge = &self.edge[self.edge_total]
        edge.target = <uint32_t> self.meet(target, most)
        CHECK(action.code <= 0xffff)
        edge.code = <uint16_t> action.code
        edge.chance = action.chance
        self.edge_total += 1
        return 0

    cdef bint can_end(self, uint32_t node) noexcept nogil:
        """Whether the turn is over there, or the Emperor may stop."""
        cdef const Position* P = &self.book.rows[node]
        return P.mark != ROMAN_OPEN or may_end(&self.tables.board, P)

    @property
    def policies(self):
        """The number of different policies: see `count_policies`."""
        return self.count_policies()

    def count_policies(self, *, Stop stop=None):
        """The number of different policies: ways to decide everything that has to be decided on the way to an end."""
        cdef Watch watch
        cdef size_t i
        cdef uint64_t e, past
        cdef uint32_t node
        cdef int level
        watch_open(&watch, stop)
        ways = [0] * self.book.count
        for level in range(LEVELS):
            for i in range(self.level[level].count, 0, -1):    # in the order of `Solution.run`
                node = self.level[level].rows[i - 1]
                check_stop(&watch, 5)
                total = 1 if self.can_end(node) else 0
                e = self.first_edge[node]
                past = e + self.edge_count[node]
                while e < past:
                    product = ways[self.edge[e].target]
                    if is_attack(self.edge[e].code):
                        while e + 1 < past and without_outcome(self.edge[e + 1].code) == without_outcome(self.edge[e].code):
                            e += 1
                            product *= ways[self.edge[e].target]
                    total += product
                    e += 1
                ways[node] = total
        return ways[0]

    def state(self, node):
        """The turn state of a node, 0 the start; after a defeat the IP left are kept."""
        return state_of(&self.book.rows[take_int(node, "node", 0, self.book.count - 1)])

    def may_end(self, node):
        """Whether the turn is over at a node, or the Emperor may stop there."""
        return self.can_end(take_int(node, "node", 0, self.book.count - 1))

    def edges_from(self, node):
        """What can be done at a node: (code, chance in 36ths, node it leads to), the outcomes of an attack together."""
        cdef uint32_t row = take_int(node, "node", 0, self.book.count - 1)
        cdef uint64_t first = self.first_edge[row]
        return [
            (self.edge[e].code, self.edge[e].chance, self.edge[e].target)
            for e in range(first, first + self.edge_count[row])
        ]

    def order(self):
        """All nodes, each after those its edges lead to."""
        return [
            self.level[level].rows[i] for level in range(LEVELS) for i in range(<int> self.level[level].count - 1, -1, -1)
        ]

    def solve(self, criteria, *, Stop stop=None):
        """The optimum under criteria compared one after the other, see `Solution`."""
        return Solution(self, criteria, stop=stop)
