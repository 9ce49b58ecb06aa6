# Where a turn can end without a battle.
#
# A position reached with more IP left can do all that it can do with less, so each is looked at once, with its most IP:
# positions wait in one list for each number of IP left, and the lists are emptied from the full one down.

cdef struct Level:         # rows of a book with the same number of IP left
    uint32_t* rows
    size_t count
    size_t room


cdef bint level_put(Level* level, uint32_t row) noexcept nogil:
    cdef uint32_t* rows
    if level.count == level.room:
        level.room = 2 * level.room + 256
        rows = <uint32_t*> realloc(level.rows, level.room * sizeof(uint32_t))
        if not rows:
            return False
        level.rows = rows
    level.rows[level.count] = row
    level.count += 1
    return True


@cython.final
cdef class _Reach:
    """The positions (IP left not counted) that the active Emperor can reach without an attack."""

    cdef Book book         # with ip 0; the note is the most IP left
    cdef Level[FULL_IP + 1] level

    def __cinit__(self):
        book_open(&self.book, True)

    def __dealloc__(self):
        book_close(&self.book)
        for i in range(FULL_IP + 1):
            free(self.level[i].rows)

    cdef int meet(self, const Position* P) except -1 nogil:
        """Notes a position and, if it has more IP than ever before, lets it wait for its turn."""
        cdef Position key = P[0]
        cdef uint32_t known = self.book.count
        cdef int64_t row
        key.ip = 0
        row = book_put(&self.book, &key)
        if row == NO_ROOM:
            raise MemoryError("no room for positions")
        if self.book.count > known or self.book.notes[row] < P.ip:
            self.book.notes[row] = P.ip
            if not level_put(&self.level[P.ip], <uint32_t> row):
                raise MemoryError("no room for positions")
        return 0

    cdef int explore(self, const Board* B, const Position* start) except -1 nogil:
        cdef Action[MOST_ACTIONS] list
        cdef Position P, Q
        cdef size_t i
        cdef int ip, k
        self.meet(start)
        for ip in range(FULL_IP, -1, -1):
            i = 0
            while i < self.level[ip].count:          # an entry adds to the list that is being emptied
                P = self.book.rows[self.level[ip].rows[i]]
                if self.book.notes[self.level[ip].rows[i]] == ip:
                    P.ip = ip
                    for k in range(list_actions(B, &P, list)):
                        if not is_attack(list[k].code):
                            play(B, &P, list[k], &Q)
                            self.meet(&Q)
                i += 1
                if not i & 0xfffff:
                    heed_signals()
        return 0


cdef inline bint is_end(const Board* B, const Position* P) noexcept nogil:
    return P.mark == RESULT_WON or may_end(B, P)


cdef Position reached(_Reach reach, uint32_t row) noexcept:
    """A position with its most IP left."""
    cdef Position P = reach.book.rows[row]
    P.ip = <int> reach.book.notes[row]
    return P
