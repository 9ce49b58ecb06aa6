# Where a turn can end without a battle, by configurations of discs.
#
# Most positions of a turn differ in nothing but where the active Emperor is and how many IP he has left. So a *configuration* is
# a position without these two, and for each number of IP the provinces where he can be in it are one mask. He moves within a
# configuration; only what changes discs or fleets leads to another. Everything but the entry costs IP, so configurations wait for
# each number of IP, the highest first, and a province counts with the most IP only, as positions do in ends.pxi.
#
# This needs an Emperor who acts alone. With Dux, Vicarius, Via Romana or Imperium ends.pxi goes through the positions: see
# `acts_alone`.

cdef struct Places:        # of the active Emperor in one configuration
    Mask[FULL_IP + 1] at   # where he can be with so many IP left and not with more
    Mask seen              # all those that have been looked at


@cython.final
cdef class _Configurations:
    """The positions (IP left not counted) that the active Emperor can reach without an attack and where the turn may end."""

    cdef Book book         # without IP, the active Emperor off the board
    cdef Places* places
    cdef uint32_t capacity
    cdef Level[FULL_IP + 1] level
    cdef bint waits        # the start is such a position, and he is off the board

    def __cinit__(self):
        book_open(&self.book, False)

    def __dealloc__(self):
        book_close(&self.book)
        free(self.places)
        for i in range(FULL_IP + 1):
            free(self.level[i].rows)

    cdef int meet(self, const Position* P, Mask where, int ip) except -1 nogil:
        """The configuration of a position can be reached with him in any of these provinces, and so many IP left."""
        cdef Position key = P[0]
        cdef uint32_t known = self.book.count
        cdef Places* places
        cdef int64_t row
        key.emperor[P.mover] = OFF_BOARD
        key.ip = 0
        forget_passing(&key)
        row = book_put(&self.book, &key)
        if row == NO_MEMORY:
            raise MemoryError("no memory for positions")
        if self.book.count > known:
            if self.capacity < self.book.capacity:
                places = <Places*> realloc(self.places, self.book.capacity * sizeof(Places))
                if not places:
                    raise MemoryError("no memory for positions")
                self.places = places
                self.capacity = self.book.capacity
            memset(&self.places[row], 0, sizeof(Places))
        return self.wait(<uint32_t> row, where, ip)

    cdef inline int wait(self, uint32_t row, Mask where, int ip) except -1 nogil:
        """Provinces of a configuration that are to be looked at with so many IP."""
        cdef Places* places = &self.places[row]
        where &= ~places.seen
        if where and not places.at[ip] and not level_put(&self.level[ip], row):
            raise MemoryError("no memory for positions")
        places.at[ip] |= where
        return 0

    cdef int explore(self, const Board* B, const Position* start, Watch* watch) except -1 nogil:
        cdef size_t i
        cdef int ip
        if start.emperor[start.mover] == OFF_BOARD:
            self.waits = may_end(B, start)
            self.meet(start, legal_entries(B, start), start.ip)
        else:
            self.meet(start, bit(start.emperor[start.mover]), start.ip)
        for ip in range(FULL_IP, -1, -1):
            for i in range(self.level[ip].count):
                check_stop(watch, 2 * NODE_TICKS)
                self.look_on(B, self.level[ip].rows[i], ip)
        return 0

    cdef int look_on(self, const Board* B, uint32_t row, int ip) except -1 nogil:
        """All that he can do in a configuration with so many IP."""
        cdef Position P = self.book.rows[row]
        cdef Mask fresh = self.places[row].at[ip] & ~self.places[row].seen
        cdef Mask shared = 0
        cdef Scene V
        if P.mark == ROMAN_OPEN:
            look(B, &P, &V)
            shared = fresh & V.others
            if shared:
                fresh ^= self.without_way_out(B, &V, shared, ip)
                shared &= fresh
            if ip and fresh:
                self.move_on(B, &V, row, fresh, ip)
                P.ip = ip
                self.act(B, &P, &V, fresh & ~shared)
            fresh ^= shared                          # he cannot stay there
        self.places[row].at[ip] = fresh
        self.places[row].seen |= fresh | shared
        return 0

    cdef Mask without_way_out(self, const Board* B, const Scene* V, Mask shared, int ip) noexcept nogil:
        cdef Mask closed = 0
        while shared:
            if not can_leave(B, V, EMPEROR, lowest(shared), V.position.fleets, ip):
                closed |= shared & (<Mask> 0 - shared)
            shared &= shared - 1
        return closed

    cdef int move_on(self, const Board* B, const Scene* V, uint32_t row, Mask fresh, int ip) except -1 nogil:
        """All moves from these provinces. Whether he can leave one that he shares is asked when it is looked at."""
        cdef Mask[FULL_IP + 4] reached
        cdef Mask open
        cdef Ways ways
        cdef int p, cost
        memset(reached, 0, sizeof(reached))
        while fresh:
            p = lowest(fresh)
            fresh &= fresh - 1
            ways = ways_from(B, V.position, EMPEROR, p, V.position.fleets)
            open = ~V.others if B.pass_single and V.others >> p & 1 else ~<Mask> 0
            reached[1] |= ways.one & open
            reached[2] |= ways.two & open
            reached[3] |= ways.three & open
            if WHOLE:
                reached[4] |= ways.four & open
        for cost in range(1, min(ip, 4) + 1):
            self.wait(row, reached[cost], ip - cost)
        return 0

    cdef int act(self, const Board* B, Position* P, const Scene* V, Mask where) except -1 nogil:
        """All that leads to other configurations, from any of these provinces; `P` is without the Emperor, with his IP."""
        cdef Action[MOST_ACTIONS] list
        cdef Position Q
        cdef Mask discs = P.revolts | P.unrest
        cdef Mask rest
        cdef int count = 0
        cdef int i, p
        if not where:
            return 0
        put_sails(B, P, list, &count)
        for i in range(count):
            play(B, P, list[i], &Q)
            self.meet(&Q, where, Q.ip)
        rest = where & (discs | (~V.discs if V.garrison_left else 0))
        while rest:
            p = lowest(rest)
            rest &= rest - 1
            P.emperor[P.mover] = p
            count = 0
            if can_secure(B, V, p, P.ip):
                put_action(list, &count, ACT_SECURE, B.secure_cost[p], 36)
            put_subdue(B, P, V, EMPEROR, list, &count)
            for i in range(count):
                play(B, P, list[i], &Q)
                self.meet(&Q, bit(p), Q.ip)
        return 0

    cdef int64_t count(self) noexcept nogil:
        """How many such positions there are."""
        cdef int64_t found = self.waits
        cdef uint32_t row
        cdef int ip
        for row in range(self.book.count):
            if not self.book.rows[row].mark & RESULT_FALLEN:
                for ip in range(FULL_IP + 1):
                    found += popcount(self.places[row].at[ip])
        return found

    cdef list states(self, const Position* start, Watch* watch):
        """These positions, each with the most IP left."""
        cdef Position P
        cdef Mask rest
        cdef uint32_t row
        cdef int ip
        found = [state_of(start)] if self.waits else []
        for row in range(self.book.count):
            P = self.book.rows[row]
            if P.mark & RESULT_FALLEN:
                continue
            for ip in range(FULL_IP, -1, -1):
                P.ip = ip
                rest = self.places[row].at[ip]
                while rest:
                    check_stop(watch, 1)
                    P.emperor[P.mover] = lowest(rest)
                    found.append(state_of(&P))
                    rest &= rest - 1
        return found
