# What ends are worth by going through every outcome of every phase: the reference for the short cuts.

@cython.final
cdef class _PlainEnds:
    """Each position once, whatever IP are left; if `shared`, those once whose Barbarian phases are clearly the same."""

    cdef Tables tables
    cdef _Scratch scratch
    cdef Worth worth
    cdef Book book             # the note is the worth
    cdef bint shared

    def __cinit__(self, Tables tables not None, weights, bint shared, Stop stop):
        take_worth(&self.worth, weights)
        weigh_whole_bytes(&self.worth)
        self.tables = tables
        self.scratch = take_scratch(False, stop)
        self.shared = shared
        book_open(&self.book, True)

    def __dealloc__(self):
        book_close(&self.book)

    cdef int let_go(self) except -1:
        """Others may have the scratch."""
        self.scratch.sweep.worth = NULL
        give_back(self.scratch)
        self.scratch = None
        return 0

    cdef double value_of(self, const Position* P) except? -1 nogil:
        cdef Sweep* S = &self.scratch.sweep
        cdef uint32_t known = self.book.count
        cdef Position key = P[0]
        cdef int64_t row
        if P.mark & RESULT_WON:
            return self.worth.won
        if P.mark & RESULT_FALLEN:
            return self.worth.fallen
        key.ip = 0
        if self.shared:
            self.leave_out(&key)
        row = book_put(&self.book, &key)
        check_stop(&S.watch, 1)
        if row != NO_MEMORY and self.book.count > known:
            sweep_restart(S, False)
            S.worth = &self.worth
            sweep(S, &self.tables.board, &key)
            self.book.notes[row] = S.weighed + self.worth.fallen * p_lost(&S.figures)
            check_stop(&S.watch, 1)
        if row == NO_MEMORY or sweep_failed(S):
            raise MemoryError("no memory for Barbarian phases")
        return self.book.notes[row]

    cdef void leave_out(self, Position* P) noexcept nogil:
        """Takes away fleets, and the active Emperor where no disc lies and no army comes, if he weighs nothing there."""
        cdef const Board* B = &self.tables.board
        cdef Mask armies = P.armies | B.borders
        cdef Mask near = all_discs(P) & ~garrison_discs(P) | B.borders
        cdef int place = P.emperor[P.mover]
        P.fleets = 0
        while armies:
            near |= B.linked[lowest(armies)]
            armies &= armies - 1
        if place != OFF_BOARD and not near >> place & 1 and self.worth.emperor[P.mover][place] == 0:
            P.emperor[P.mover] = OFF_BOARD
