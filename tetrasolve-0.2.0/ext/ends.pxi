# Where a turn can end without a battle.
#
# A position reached with more IP left can do all that it can do with less, so each is looked at once, with its most IP:
# positions wait in one list for each level, and the lists are emptied from the highest down.

cdef enum:
    NODE_TICKS = 5 + 45 * WHOLE    # for the actions of one position

cdef struct Level:         # rows of a book on the same level
    uint32_t* rows
    size_t count
    size_t capacity


cdef bint level_put(Level* level, uint32_t row) noexcept nogil:
    cdef uint32_t* rows
    if level.count == level.capacity:
        level.capacity = 2 * level.capacity + 256
        rows = <uint32_t*> realloc(level.rows, level.capacity * sizeof(uint32_t))
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
    cdef Level[LEVELS] level

    def __cinit__(self):
        book_open(&self.book, True)

    def __dealloc__(self):
        book_close(&self.book)
        for i in range(LEVELS):
            free(self.level[i].rows)

    cdef int meet(self, const Board* B, const Position* P) except -1 nogil:
        """Notes a position and, if it has more IP than ever before, lets it wait for its turn."""
        cdef Position key = P[0]
        cdef uint32_t known = self.book.count
        cdef int64_t row
        key.ip = 0
        row = book_put(&self.book, &key)
        if row == NO_MEMORY:
            raise MemoryError("no memory for positions")
        if self.book.count > known or self.book.notes[row] < P.ip:
            self.book.notes[row] = P.ip
            if not level_put(&self.level[level_of(B, P)], <uint32_t> row):
                raise MemoryError("no memory for positions")
        return 0

    cdef int explore(self, const Board* B, const Position* start, Watch* watch) except -1 nogil:
        cdef Action[MOST_ACTIONS] list
        cdef Position P, Q
        cdef size_t i
        cdef int level, k
        self.meet(B, start)
        for level in range(LEVELS - 1, -1, -1):
            i = 0
            while i < self.level[level].count:       # an entry adds to the list that is being emptied
                check_stop(watch, NODE_TICKS)
                P = reached(self, self.level[level].rows[i])
                if level_of(B, &P) == level:         # else it was met again with more IP
                    for k in range(list_actions(B, &P, list)):
                        if not is_attack(list[k].code):
                            play(B, &P, list[k], &Q)
                            self.meet(B, &Q)
                i += 1
        return 0


cdef inline bint is_end(const Board* B, const Position* P) noexcept nogil:
    return P.mark == RESULT_WON or may_end(B, P)


cdef inline Position reached(_Reach reach, uint32_t row) noexcept nogil:
    """A position with its most IP left."""
    cdef Position P = reach.book.rows[row]
    P.ip = <int> reach.book.notes[row]
    return P
