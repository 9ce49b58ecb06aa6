# A turn by configurations of discs.
#
# Most positions of a turn differ in nothing but where the active Emperor is and how many IP he has left. So a *configuration* is
# a position without these two. A *cell* is a configuration with a number of IP left: the provinces where he can be in it are one
# mask. Moves lead from the cells of a configuration to others of the same one and are not stored. All else that he can do is a
# *link*: from one province of a configuration, or from any, to another configuration, whatever IP he has, if they are enough.
#
# Everything but the entry costs IP, or a power that is had once, so cells are on levels, see `level_of`, and are looked at from
# the highest level down.
#
# This needs an Emperor who acts alone, see `acts_alone`. Where others act too, with Dux, Vicarius, Via Romana or Imperium, each
# position is looked at by itself, and every action is a link that holds for its cell only. Where they stand is part of the
# configuration.
#
# Where discs can be paid once the dice of an attack have fallen (Imperium), the attack leads to configurations of *fallen dice*,
# one for each thing that the dice can show, see wholeturn.pxi. They keep the IP and the level of the attack, and come after all
# others of that level: nothing else leads to them, and what they lead to is lower.

cdef enum:
    ANYWHERE = 62          # a link from any province where he can act, to the same one
    NO_CELL = -1
    CELL_PLACES = 8        # and links, that take a microsecond together
    NOT_ATTACKED = 3       # beside the outcomes of an attack
    CONFIGURATION_SLOTS = 1 << 12    # to begin with: a turn has about a thousand
    MOST_NODES = 1_000_000_000
    MOST_LINKS_A_NODE = 4  # in the mean, where a turn is limited: 64 bytes

cdef struct Link:
    uint32_t target        # a configuration
    Code code
    uint8_t chance         # in 36ths: 36 but for the outcomes of an attack, which follow one another
    int8_t cost
    uint8_t place          # where he is before,
    uint8_t to             # and after

cdef struct Cell:
    Mask at                # where he can be; bit OFF_BOARD among them
    Mask ends              # where he may end his turn, or it is over
    uint32_t config
    uint32_t node          # the number of its first place: nodes are numbered cell by cell, from the highest bit down
    uint32_t link          # its first one: what is open to him in the provinces where he can be with so many IP and not with more
    uint32_t links
    int32_t ip

cdef struct Configuration:
    int32_t[MOST_IP + 1] cell    # with so many IP left, NO_CELL where there is none
    Mask opened            # provinces that have their links
    Mask seen              # of all cells so far


cdef inline Mask place_bits(Mask where) noexcept nogil:
    """Without that for off the board."""
    return where & (bit(PROVINCES) - 1)


cdef struct Edge:          # an action, or one outcome of an attack
    uint32_t target        # a node
    Code code
    uint8_t chance


cdef void sort_by_code(Edge* list, int count) noexcept nogil:
    """In the order of their codes, few as they are; but the outcomes of an attack stay together."""
    cdef Edge edge
    cdef int i, k
    for i in range(1, count):
        edge = list[i]
        k = i
        while k and comes_before(edge.code, list[k - 1].code):
            list[k] = list[k - 1]
            k -= 1
        list[k] = edge


cdef inline bint comes_before(Code code, Code other) noexcept nogil:
    if is_attack(code):
        code = without_outcome(code)
    if is_attack(other):
        other = without_outcome(other)
    return code < other


cdef inline bint same_attack(Code code, Code other) noexcept nogil:
    """Whether these are outcomes of one attack."""
    return is_attack(code) and is_attack(other) and without_outcome(code) == without_outcome(other)


@cython.final
cdef class _Configurations:
    """All that the active Emperor can reach in his turn; without attacks, if wanted, and with the most IP only."""

    cdef Book book         # without IP, the active Emperor off the board
    cdef Configuration* config
    cdef uint32_t config_capacity
    cdef Cell* cell
    cdef uint32_t cells
    cdef uint32_t cell_capacity
    cdef Link* link
    cdef uint32_t links
    cdef uint32_t link_capacity
    cdef Level[LEVELS] level
    cdef uint32_t* looked_at       # the cells in the order of their nodes
    cdef uint32_t looked
    cdef uint32_t looked_capacity
    cdef uint32_t nodes
    cdef Distances* distances[8]   # by the set of fleets, NULL where none was asked for
    cdef bint alone
    cdef bint most_only            # places count in the cell with the most IP only
    cdef bint dice                 # attacks are made, and the dice decide; else only those stated in `outcome`, and end as it says
    cdef uint8_t[PROVINCES + 1] outcome    # of an attack on the army there, or on the Pirates; NOT_ATTACKED for none

    def __cinit__(self):
        book_open(&self.book, False, CONFIGURATION_SLOTS)
        self.dice = True
        memset(self.outcome, NOT_ATTACKED, sizeof(self.outcome))

    def __dealloc__(self):
        book_close(&self.book)
        free(self.config)
        free(self.cell)
        free(self.link)
        free(self.looked_at)
        for i in range(LEVELS):
            free(self.level[i].rows)
        for i in range(8):
            free(self.distances[i])

    cdef int explore(self, const Board* B, const Position* start, uint32_t most, Watch* watch) except -1 nogil:
        """Everything from here on, as long as there are no more than so many nodes."""
        cdef Position P = start[0]
        cdef size_t i
        cdef int level
        self.alone = acts_alone(B, start)
        self.arrive(B, self.row_of(&P), bit(start.emperor[start.mover]), start.ip)
        for level in range(LEVELS - 1, -1, -1):
            i = 0
            while i < self.level[level].count:       # an entry may add to the list that is being emptied
                self.look_at(B, self.level[level].rows[i])
                check_stop(watch, self.ticks_of(self.level[level].rows[i], 0) * (1 if self.alone else NODE_TICKS))
                if self.nodes > most or self.links / MOST_LINKS_A_NODE > most:
                    raise KernelError(f"max_nodes: expected more than {most} for this turn")
                i += 1
        return 0

    cdef inline int ticks_of(self, uint32_t number, uint32_t values) noexcept nogil:
        """Of work on all places and links of a cell, and on so many values."""
        return 1 + (popcount(self.cell[number].at) + self.cell[number].links + values) / CELL_PLACES

    cdef int64_t row_of(self, Position* P) except -1 nogil:
        """The row of a position's configuration, a new one if it was not met before; `P` becomes the configuration."""
        cdef uint32_t known = self.book.count
        cdef Configuration* rows
        cdef int64_t row
        self.without_place(P)
        row = book_put(&self.book, P)
        if row == NO_MEMORY:
            raise MemoryError("no memory for positions")
        if self.book.count > known:
            if self.config_capacity < self.book.capacity:
                rows = <Configuration*> realloc(self.config, self.book.capacity * sizeof(Configuration))
                if not rows:
                    raise MemoryError("no memory for positions")
                self.config = rows
                self.config_capacity = self.book.capacity
            memset(&self.config[row], 0xff, sizeof(self.config[row].cell))    # NO_CELL
            self.config[row].opened = self.config[row].seen = 0
        return row

    cdef inline void without_place(self, Position* P) noexcept nogil:
        P.emperor[P.mover] = OFF_BOARD
        P.ip = 0
        if self.alone:
            forget_passing(P)

    cdef void position_at(self, uint32_t row, int place, int ip, Position* P) noexcept nogil:
        """A configuration with him in it."""
        P[0] = self.book.rows[row]
        P.ip = ip
        if self.alone and place != OFF_BOARD and P.mark == ROMAN_OPEN:
            go_to(P, EMPEROR, place)
        else:
            P.emperor[P.mover] = place

    cdef inline int arrive(self, const Board* B, int64_t row, Mask where, int ip) except -1 nogil:
        """Provinces where he can be with so many IP: a new cell waits in its level."""
        cdef int32_t number
        if self.most_only:
            where &= ~self.config[row].seen
            if not where:
                return 0
        number = self.config[row].cell[ip]
        if number == NO_CELL:
            number = self.add_cell(B, <uint32_t> row, ip)
        self.cell[number].at |= where
        return 0

    cdef int32_t add_cell(self, const Board* B, uint32_t row, int ip) except -1 nogil:
        cdef Cell* cells
        cdef Cell* cell
        if self.cells == self.cell_capacity:
            self.cell_capacity = 2 * self.cell_capacity + 4096
            cells = <Cell*> realloc(self.cell, self.cell_capacity * sizeof(Cell))
            if not cells:
                raise MemoryError("no memory for the turn")
            self.cell = cells
        cell = &self.cell[self.cells]
        memset(cell, 0, sizeof(Cell))
        cell.config = row
        cell.ip = ip
        if not level_put(&self.level[ip + level_of(B, &self.book.rows[row])], self.cells):    # it is known without IP
            raise MemoryError("no memory for the turn")
        self.config[row].cell[ip] = <int32_t> self.cells
        self.cells += 1
        return <int32_t> (self.cells - 1)

    cdef int look_at(self, const Board* B, uint32_t number) except -1 nogil:
        """Numbers the nodes of a cell, and finds where they lead to."""
        cdef Cell* cell = &self.cell[number]
        cdef uint32_t* rows
        if self.most_only:
            cell.at &= ~self.config[cell.config].seen
        if self.looked == self.looked_capacity:
            self.looked_capacity = self.cell_capacity
            rows = <uint32_t*> realloc(self.looked_at, self.looked_capacity * sizeof(uint32_t))
            if not rows:
                raise MemoryError("no memory for the turn")
            self.looked_at = rows
        self.looked_at[self.looked] = number
        self.looked += 1
        cell.link = self.links
        if self.book.rows[cell.config].mark != ROMAN_OPEN:
            cell.ends = cell.at
        elif self.alone:
            self.look_at_places(B, number)
        else:
            self.look_at_nodes(B, number)
        cell = &self.cell[number]
        self.config[cell.config].seen |= cell.at
        cell.node = self.nodes
        self.nodes += popcount(cell.at)
        return 0

    cdef int look_at_places(self, const Board* B, uint32_t number) except -1 nogil:
        """All provinces of a cell at once: moves, then the links of those that come for the first time, then all links."""
        cdef Cell* cell = &self.cell[number]
        cdef uint32_t row = cell.config
        cdef int ip = cell.ip
        cdef Position P = self.book.rows[row]
        cdef Scene V
        cdef Mask others, shared
        P.ip = ip
        look_around(&P, EMPEROR, &V)
        if cell.at >> OFF_BOARD & 1:
            cell.at |= legal_entries(B, &P)
            cell.ends |= bit(OFF_BOARD) * may_end(B, &P)
        others = place_bits(V.others)
        shared = cell.at & others
        if shared:
            cell.at ^= self.without_way_out(B, &V, shared, ip)
            shared &= cell.at
        cell.ends |= place_bits(cell.at) & ~shared
        if ip and place_bits(cell.at):
            look(B, &P, &V)
            self.move_on(B, &V, number, shared)
            self.open_links(B, &P, &V, number)
            if not self.most_only:                   # else they have been followed once and for all
                self.follow_links(B, number)
        if self.most_only:
            self.cell[number].at &= ~shared          # he cannot stay there
            self.config[row].seen |= shared
        return 0

    cdef Mask without_way_out(self, const Board* B, const Scene* V, Mask shared, int ip) noexcept nogil:
        cdef Mask closed = 0
        while shared:
            if not can_leave(B, V, EMPEROR, lowest(shared), V.position.fleets, ip):
                closed |= shared & (<Mask> 0 - shared)
            shared &= shared - 1
        return closed

    cdef int measure_with(self, const Board* B, int fleets) except -1 nogil:
        """Sets the distances with these fleets."""
        if not self.distances[fleets]:
            self.distances[fleets] = <Distances*> malloc(sizeof(Distances))
            if not self.distances[fleets]:
                raise MemoryError("no memory for the turn")
            measure(B, fleets, self.distances[fleets])
        return 0

    cdef int move_on(self, const Board* B, const Scene* V, uint32_t number, Mask shared) except -1 nogil:
        """All moves. Whether he can leave a province that he comes to share is asked when that cell is looked at."""
        cdef Mask at = place_bits(self.cell[number].at)
        cdef uint32_t row = self.cell[number].config
        cdef int ip = self.cell[number].ip
        cdef const Distances* D
        cdef Ways ways
        self.measure_with(B, V.position.fleets)
        D = self.distances[V.position.fleets]
        if not B.reading[I_PASS]:
            shared = 0
        ways = ways_from_any(D, V.position, at & ~shared)
        self.move_over(B, row, &ways, ~<Mask> 0, ip)
        if shared:
            ways = ways_from_any(D, V.position, shared)
            self.move_over(B, row, &ways, ~V.others, ip)
        return 0

    cdef int move_over(self, const Board* B, uint32_t row, const Ways* ways, Mask open, int ip) except -1 nogil:
        if ways.one & open:
            self.arrive(B, row, ways.one & open, ip - 1)
        if ip >= 2 and ways.two & open:
            self.arrive(B, row, ways.two & open, ip - 2)
        if ip >= 3 and ways.three & open:
            self.arrive(B, row, ways.three & open, ip - 3)
        if WHOLE and ip >= 4 and ways.four & open:
            self.arrive(B, row, ways.four & open, ip - 4)
        return 0

    cdef int open_links(self, const Board* B, Position* P, const Scene* V, uint32_t number) except -1 nogil:
        """The links of provinces where he is with so many IP and not with more; `P` is without him, with his IP."""
        cdef Action[MOST_ACTIONS] list
        cdef uint32_t row = self.cell[number].config
        cdef Mask rest = place_bits(self.cell[number].ends) & ~self.config[row].opened
        cdef Mask armies = P.armies
        cdef Mask busy = P.revolts | P.unrest | (~V.discs if V.garrison_left else 0)
        cdef int count = 0
        cdef int p
        if not rest:
            return 0
        if self.most_only or not self.config[row].opened:
            put_sails(B, P, list, &count)
            self.add_links(B, P, list, count, ANYWHERE, number)
        self.config[row].opened |= rest
        if not self.most_only:
            if WHOLE:
                busy = rest                          # there may be attacks at sea
            while armies:
                busy |= B.linked[lowest(armies)]
                armies &= armies - 1
        rest &= busy
        while rest:
            p = lowest(rest)
            rest &= rest - 1
            P.emperor[P.mover] = p
            count = 0
            if can_secure(B, V, p, P.ip):
                put_action(list, &count, ACT_SECURE, B.secure_cost[p], 36)
            put_subdue(B, P, V, EMPEROR, list, &count)
            if not self.most_only:
                put_attacks(B, P, EMPEROR, list, &count)
                count = self.keep_stated(list, count)
            self.add_links(B, P, list, count, p, number)
        P.emperor[P.mover] = OFF_BOARD
        return 0

    cdef int add_links(
        self, const Board* B, const Position* P, const Action* list, int count, int place, uint32_t number,
    ) except -1 nogil:
        """Links for these actions. Where the most IP count they hold in this cell only, so they are followed and not kept."""
        cdef Position Q
        cdef Link* rows
        cdef Link* link
        cdef Mask where
        cdef int i
        if self.most_only:
            where = place_bits(self.cell[number].ends) if place == ANYWHERE else bit(place)
            for i in range(count):
                play(B, P, list[i], &Q)
                self.arrive(B, self.row_of(&Q), where, ip_after(P, list[i]))
            return 0
        if self.links + count > self.link_capacity:
            self.link_capacity = 2 * self.link_capacity + 4096 + count
            rows = <Link*> realloc(self.link, self.link_capacity * sizeof(Link))
            if not rows:
                raise MemoryError("no memory for the turn")
            self.link = rows
        for i in range(count):
            play_or_roll(B, P, list[i], &Q)
            link = &self.link[self.links]
            link.to = ANYWHERE if place == ANYWHERE else Q.emperor[Q.mover]
            link.target = <uint32_t> self.row_of(&Q)
            link.code = list[i].code
            link.chance = list[i].chance
            link.cost = P.ip - ip_after(P, list[i])
            link.place = place
            self.links += 1
            self.cell[number].links += 1
        return 0

    cdef int follow_links(self, const Board* B, uint32_t number) except -1 nogil:
        cdef uint32_t row = self.cell[number].config
        cdef int ip = self.cell[number].ip
        cdef Mask act = place_bits(self.cell[number].ends)
        cdef const Cell* cell
        cdef Link link
        cdef uint32_t k
        cdef int j
        for j in range(ip, MOST_IP + 1):
            if self.config[row].cell[j] == NO_CELL:
                continue
            cell = &self.cell[self.config[row].cell[j]]
            for k in range(cell.link, cell.link + cell.links):
                link = self.link[k]
                if link.cost > ip:
                    continue
                if link.place == ANYWHERE:
                    if act:
                        self.arrive(B, link.target, act, ip - link.cost)
                        cell = &self.cell[self.config[row].cell[j]]    # cells may have moved
                elif act >> link.place & 1:
                    self.arrive(B, link.target, bit(link.to), ip - link.cost)
                    cell = &self.cell[self.config[row].cell[j]]
        return 0

    cdef int look_at_nodes(self, const Board* B, uint32_t number) except -1 nogil:
        """One position after the other, with a link for every action of everybody."""
        cdef Action[MOST_ACTIONS] list
        cdef uint32_t row = self.cell[number].config
        cdef int ip = self.cell[number].ip
        cdef Position P
        cdef Mask done = 0
        cdef int count, p
        cdef uint32_t k, first
        while self.cell[number].at & ~done:          # an entry may add to it
            p = lowest(self.cell[number].at & ~done)
            done |= bit(p)
            self.position_at(row, p, ip, &P)
            if dice_have_fallen(&P):
                count = after_dice(B, &P, list)
            else:
                self.cell[number].ends |= bit(p) * may_end(B, &P)
                count = self.keep_stated(list, list_actions(B, &P, list))
                if self.dice:
                    count = let_dice_fall(B, &P, list, count)
            first = self.links
            self.add_links(B, &P, list, count, p, number)
            for k in range(first, self.links):
                self.arrive(B, self.link[k].target, bit(self.link[k].to), ip - self.link[k].cost)
        return 0

    cdef int keep_stated(self, Action* list, int count) noexcept nogil:
        """Of these actions all but the attacks that are not to be made or end otherwise; returns their number."""
        cdef int i
        cdef int kept = 0
        if self.dice:
            return count
        for i in range(count):
            if is_attack(list[i].code):
                if self.outcome[attacked_in(list[i].code)] != b_of(list[i].code):
                    continue
                list[i].chance = 36
            list[kept] = list[i]
            kept += 1
        return kept

    cdef int edges_at(self, const Board* B, const Cell* cell, int place, Edge* list) noexcept nogil:
        """All that can be done at a node, in no order but each outcome of an attack after the other; returns how many."""
        cdef const Configuration* config = &self.config[cell.config]
        cdef const Position* P = &self.book.rows[cell.config]
        cdef int count = 0
        cdef int j
        if P.mark != ROMAN_OPEN:
            return 0
        if self.alone:
            count = self.moves_at(B, cell, place, list)
            if place == OFF_BOARD or not cell.ends >> place & 1:
                return count
        for j in range(cell.ip, (MOST_IP if self.alone else cell.ip) + 1):
            if config.cell[j] != NO_CELL:
                count = self.links_at(cell, &self.cell[config.cell[j]], place, list, count)
        CHECK(count <= MOST_ACTIONS)
        return count

    cdef int moves_at(self, const Board* B, const Cell* cell, int place, Edge* list) noexcept nogil:
        """Moves, and entries. All that he can come to are there: what is not in the cell is not legal."""
        cdef const Configuration* config = &self.config[cell.config]
        cdef Position P = self.book.rows[cell.config]
        cdef Mask open = ~<Mask> 0
        cdef Ways ways
        cdef int cost
        cdef int count = 0
        P.ip = cell.ip
        if place == OFF_BOARD:
            return self.steps_to(cell, legal_entries(B, &P), ACT_ENTER, list, count)
        if B.reading[I_PASS] and not cell.ends >> place & 1:
            open = ~other_figures(&P, EMPEROR)
        ways = ways_from(B, &P, EMPEROR, place, P.fleets)
        for cost in range(1, min(cell.ip, 3 + WHOLE) + 1):
            if config.cell[cell.ip - cost] != NO_CELL:
                count = self.steps_to(
                    &self.cell[config.cell[cell.ip - cost]], at_cost(&ways, cost) & open, ACT_MOVE, list, count)
        return count

    cdef inline int steps_to(self, const Cell* cell, Mask where, int kind, Edge* list, int count) noexcept nogil:
        where &= cell.at
        while where:
            list[count].target = self.node_in(cell, lowest(where))
            list[count].code = code_of(kind, lowest(where), 0)
            list[count].chance = 36
            count += 1
            where &= where - 1
        return count

    cdef inline int links_at(self, const Cell* cell, const Cell* opened, int place, Edge* list, int count) noexcept nogil:
        """The links that were found in a cell of the same configuration with at least as many IP."""
        cdef const Link* link = self.link + opened.link
        cdef const Link* past = link + opened.links
        cdef const Cell* target
        while link < past:
            if link.cost <= cell.ip and (link.place == place or link.place == ANYWHERE):
                target = &self.cell[self.config[link.target].cell[cell.ip - link.cost]]
                list[count].target = self.node_in(target, place if link.to == ANYWHERE else link.to)
                list[count].code = link.code
                list[count].chance = link.chance
                count += 1
            link += 1
        return count

    cdef int edges_from(self, const Board* B, uint32_t node, Edge* list) noexcept nogil:
        """All that can be done at a node, in the order of the codes; returns how many."""
        cdef int place = 0
        cdef const Cell* cell = self.locate(node, &place)
        cdef int count = self.edges_at(B, cell, place, list)
        sort_by_code(list, count)
        return count

    cdef inline bint may_end_at(self, uint32_t node) noexcept nogil:
        cdef int place = 0
        cdef const Cell* cell = self.locate(node, &place)
        return cell.ends >> place & 1

    cdef inline uint32_t node_in(self, const Cell* cell, int place) noexcept nogil:
        return cell.node + popcount(cell.at >> place >> 1)

    cdef const Cell* locate(self, uint32_t node, int* place) noexcept nogil:
        """The cell and the place of a node."""
        cdef uint32_t low = 0
        cdef uint32_t high = self.looked
        cdef uint32_t middle
        cdef const Cell* cell
        cdef Mask rest
        cdef int rank
        while high - low > 1:
            middle = (low + high) / 2
            if self.cell[self.looked_at[middle]].node <= node:
                low = middle
            else:
                high = middle
        cell = &self.cell[self.looked_at[low]]
        rest = cell.at
        for rank in range(popcount(cell.at) - 1 - <int> (node - cell.node)):
            rest &= rest - 1
        place[0] = lowest(rest)
        return cell

    cdef void position_of(self, uint32_t node, Position* P) noexcept nogil:
        """Its position."""
        cdef int place = 0
        cdef const Cell* cell = self.locate(node, &place)
        self.position_at(cell.config, place, cell.ip, P)

    cdef int64_t count_edges(self, const Board* B) noexcept nogil:
        """How many actions there are at all nodes together, each outcome of an attack one."""
        cdef const Cell* cell
        cdef const Cell* earlier
        cdef int64_t found = self.links
        cdef Position P
        cdef Scene V
        cdef Ways ways
        cdef Mask rest, act
        cdef uint32_t i, k
        cdef int j
        if not self.alone:
            return found
        found = 0
        for i in range(self.cells):
            cell = &self.cell[i]
            P = self.book.rows[cell.config]
            P.ip = cell.ip
            if P.mark != ROMAN_OPEN:
                continue
            if cell.at >> OFF_BOARD & 1:
                found += popcount(legal_entries(B, &P))
            look_around(&P, EMPEROR, &V)
            rest = place_bits(cell.at)
            while rest:
                ways = ways_from(B, &P, EMPEROR, lowest(rest), P.fleets)
                found += popcount(legal_moves(B, &V, EMPEROR, lowest(rest), P.fleets, P.ip, &ways))
                rest &= rest - 1
            act = place_bits(cell.ends)
            for j in range(cell.ip, MOST_IP + 1):
                if self.config[cell.config].cell[j] != NO_CELL:
                    earlier = &self.cell[self.config[cell.config].cell[j]]
                    for k in range(earlier.link, earlier.link + earlier.links):
                        if self.link[k].cost <= cell.ip:
                            found += popcount(act & (~<Mask> 0 if self.link[k].place == ANYWHERE else bit(self.link[k].place)))
        return found

    cdef int64_t count(self) noexcept nogil:
        """How many positions there are where he may end or has won, IP not counted; where places count once."""
        cdef int64_t found = 0
        cdef uint32_t i
        for i in range(self.cells):
            if not self.book.rows[self.cell[i].config].mark & RESULT_FALLEN:
                found += popcount(self.cell[i].ends)
        return found

    cdef list states(self, Watch* watch):
        """These positions, each with the most IP left."""
        cdef Position P
        cdef Mask rest
        cdef uint32_t row
        cdef int ip
        found = []
        for row in range(self.book.count):
            if self.book.rows[row].mark & RESULT_FALLEN:
                continue
            for ip in range(MOST_IP, -1, -1):
                if self.config[row].cell[ip] == NO_CELL:
                    continue
                rest = self.cell[self.config[row].cell[ip]].ends
                while rest:
                    check_stop(watch, 1)
                    self.position_at(row, lowest(rest), ip, &P)
                    found.append(state_of(&P))
                    rest &= rest - 1
        return found
