# The rest of a turn as a graph.
#
# A node is a position with its IP left. Every action but the entry costs IP, so the nodes with the same IP left form a
# level, and edges lead to lower levels only; entries lead from the first node of the highest level to later ones.

cdef struct Edge:
    uint32_t target
    uint16_t code
    uint8_t chance         # in 36ths: 36 but for the outcomes of an attack, which follow one another


@cython.final
cdef class Turn:
    """All that the active Emperor can do in the rest of his turn, as a graph of turn states; solved exactly."""

    cdef Tables tables
    cdef State start
    cdef Kernel kernel
    cdef Book book         # the nodes; node 0 is the start. After a defeat the IP left are kept, for the criterion "ip"
    cdef Level[FULL_IP + 1] level
    cdef uint64_t* first_edge
    cdef uint8_t* edge_count
    cdef Edge* edge
    cdef uint64_t edge_total
    cdef uint64_t edge_room
    cdef object end_total

    def __cinit__(self, Kernel kernel not None, State state not None, max_nodes=50_000_000):
        cdef uint32_t most = take_int(max_nodes, "max_nodes", 1, 10**9)
        book_open(&self.book, False)
        kernel.check_state(state)
        if state.position.mark != ROMAN_OPEN:
            raise KernelError("state: expected an open game in the Roman phase")
        if not may_end(&kernel.tables.board, &state.position) and not kernel.legal(state):
            raise KernelError("state: expected one with a legal action or end")
        self.kernel = kernel
        self.tables = kernel.tables
        self.start = state
        with nogil:
            self.build(most)

    def __dealloc__(self):
        book_close(&self.book)
        for i in range(FULL_IP + 1):
            free(self.level[i].rows)
        free(self.first_edge)
        free(self.edge_count)
        free(self.edge)

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
        if node == NO_ROOM or (self.book.count > known and not level_put(&self.level[P.ip], <uint32_t> node)):
            raise MemoryError("no room for the turn")
        if self.book.count > most:
            raise KernelError(f"max_nodes: expected more than {most} for this turn")
        return node

    cdef int make_room(self) except -1 nogil:
        """Room for the edges of one more node."""
        cdef Edge* edge
        if self.edge_total + MOST_ACTIONS > self.edge_room:
            self.edge_room = 2 * self.edge_room + 4096
            edge = <Edge*> realloc(self.edge, self.edge_room * sizeof(Edge))
            if not edge:
                raise MemoryError("no room for the turn")
            self.edge = edge
        return 0

    cdef int build(self, uint32_t most) except -1 nogil:
        cdef size_t i
        cdef int ip
        cdef uint32_t room = 0
        cdef uint64_t* first_edge
        cdef uint8_t* edge_count
        self.meet(&self.start.position, most)
        for ip in range(FULL_IP, -1, -1):
            i = 0
            while i < self.level[ip].count:
                if room < self.book.room:            # the arrays beside the book grow with it
                    room = self.book.room
                    first_edge = <uint64_t*> realloc(self.first_edge, room * sizeof(uint64_t))
                    if first_edge:
                        self.first_edge = first_edge
                    edge_count = <uint8_t*> realloc(self.edge_count, room)
                    if edge_count:
                        self.edge_count = edge_count
                    if not first_edge or not edge_count:
                        raise MemoryError("no room for the turn")
                self.expand(self.level[ip].rows[i], most)
                i += 1
                if not i & 0xffff:
                    heed_signals()
        return 0

    cdef int expand(self, uint32_t node, uint32_t most) except -1 nogil:
        """Writes the edges of a node, in the order of their codes, the outcomes of an attack together."""
        cdef const Board* B = &self.tables.board
        cdef Action[MOST_ACTIONS] list
        cdef Action action
        cdef Position P = self.book.rows[node]
        cdef Position Q
        cdef int count = list_actions(B, &P, list)
        cdef int i, k
        self.make_room()
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
            Q.ip = P.ip - list[i].cost
            self.join(&Q, list[i], most)
        self.edge_count[node] = count
        return 0

    cdef inline bint comes_before(self, int code, int other) noexcept nogil:
        """The order of codes, but for the outcomes of an attack, which stay with its first one."""
        if is_attack(code):
            code = without_outcome(code)
        if is_attack(other):
            other = without_outcome(other)
        return code < other

    cdef int join(self, const Position* target, Action action, uint32_t most) except -1 nogil:
        cdef Edge* edge = &self.edge[self.edge_total]
        edge.target = <uint32_t> self.meet(target, most)
        edge.code = action.code
        edge.chance = action.chance
        self.edge_total += 1
        return 0

    def solve(self, criteria):
        """The optimum under criteria compared one after the other, see `Solution`."""
        return Solution(self, criteria)
