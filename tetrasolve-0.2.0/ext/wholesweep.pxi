# What is kept while the outcomes of a Barbarian phase of the whole rulebook are gathered. It replaces sweep.pxi.

cdef enum:
    STAGES = MOST_DISCS + MOST_ARMIES + MOST_GRAY + 2

cdef struct Sweep:
    const Board* board
    SpreadOutcomes spread
    Book calm              # positions after step 1, with their chances
    Book risen             # positions after an uprising, each with the expected number of times it is reached from others
    Book before            # those after the uprising before this one, where uprisings are counted
    Level[STAGES] stage    # rows of `risen` that wait
    bint gather            # keep distinct outcomes in the book
    bint failed            # no memory
    Watch watch            # of the call that it is used by
    Book book
    Figures figures
    Tree tree              # of a phase with decisions, where `before` are the positions before step 3


cdef int sweep_open(Sweep* S) except -1:
    memset(S, 0, sizeof(Sweep))
    S.spread.watch = S.tree.watch = &S.watch
    try:
        book_open(&S.calm, True)
        book_open(&S.risen, True)
        book_open(&S.before, True)
        book_open(&S.book, True)
        S.calm.watch = S.risen.watch = S.before.watch = S.book.watch = &S.watch
    except MemoryError:
        sweep_close(S)
        raise
    return 0


cdef void sweep_close(Sweep* S) noexcept nogil:
    cdef int i
    free(S.spread.rows)
    free(S.tree.leaves)
    book_close(&S.calm)
    book_close(&S.risen)
    book_close(&S.before)
    book_close(&S.book)
    for i in range(STAGES):
        free(S.stage[i].rows)


cdef size_t sweep_size(const Sweep* S) noexcept nogil:
    """Bytes it takes."""
    return (
        sizeof(Sweep) + S.spread.capacity * sizeof(SpreadOutcome) + S.tree.capacity * sizeof(Leaf)
        + book_size(&S.calm) + book_size(&S.risen) + book_size(&S.before) + book_size(&S.book))


cdef void sweep_clear(Sweep* S) noexcept nogil:
    """No position left but the outcomes."""
    cdef int i
    book_clear(&S.calm)
    book_clear(&S.risen)
    book_clear(&S.before)
    for i in range(STAGES):
        S.stage[i].count = 0


cdef void sweep_restart(Sweep* S, bint gather) noexcept nogil:
    """All empty, all figures at zero."""
    S.gather = gather
    S.failed = S.spread.failed = S.tree.failed = False
    memset(&S.figures, 0, sizeof(Figures))
    sweep_clear(S)
    book_clear(&S.book)


cdef inline void only_count(Sweep* S) noexcept nogil:
    """Here all outcomes are gathered, whatever is asked for."""


cdef bint sweep_settle(Sweep* S) noexcept nogil:
    """All outcomes gathered; False when there was no memory for one."""
    return book_settle(&S.book)


cdef inline int64_t number_gathered(const Sweep* S) noexcept nogil:
    """How many distinct outcomes were gathered, falls not among them."""
    return S.book.count


cdef inline double packed_mass(const Sweep* S) noexcept nogil:
    """The chance of the outcomes that are not in the book."""
    return 0


cdef inline bint sweep_failed(const Sweep* S) noexcept nogil:
    return S.failed or S.spread.failed or S.tree.failed


cdef inline void note(Sweep* S, Book* book, const Position* P, double chance) noexcept nogil:
    cdef int64_t row = book_put(book, P)
    if row == NO_MEMORY:
        S.failed = True
    else:
        book.notes[row] += chance


cdef inline void visit(Sweep* S, const Position* P, double chance) noexcept nogil:
    """One outcome of the phase in which the Empire stands."""
    cdef Position alone
    cdef Position* outcome
    S.figures.visits += 1
    S.figures.e_revolts += chance * popcount(P.revolts)
    if S.gather or CHECKED_BUILD:
        outcome = book_draft(&S.book) if S.gather else &alone
        outcome[0] = P[0]
        end_phase(S.board, outcome)
        if CHECKED_BUILD:
            check_position(S.board, outcome)
        if S.gather and not add_draft(&S.book, hash_of(outcome), chance):
            S.failed = True
