# What is kept while the outcomes of a Barbarian phase are gathered.

cdef struct March:         # one way the armies can advance when no Emperor is in the way: it does not depend on discs
    Mask armies
    Mask entered           # provinces entered, where a revolt lies then
    double chance

cdef struct Marches:
    March[8] way
    int count
    bint ready
    bint battle            # an Emperor is in the way of an army: the advance must be worked out with the discs
    double fall            # chance that an army enters Roma

cdef enum:
    NO_FRESH_ARMY = 6      # index of Marches; 0 to 5: a fresh army on the border of that region

cdef struct Echo:          # a table after an uprising: its revolts tell all
    Mask revolts
    double inflow          # expected number of times it is reached from others
    uint32_t next          # another one with the same number of revolts, + 1

cdef struct Sweep:
    const Board* board
    Position start         # the table of the phase, without the Emperors that step 1 removes
    Blazes blazes
    Echo* echo
    uint32_t echoes
    uint32_t echo_room
    uint32_t* echo_slot    # open addressing: echo + 1, or 0
    int echo_shift         # 64 - log2(number of slots)
    uint32_t[MOST_DISCS + 1] first    # by number of revolts: echo + 1, or 0
    Mask closed            # numbered provinces of the regions whose border is not empty: the echo rolls for them
    bint army_left         # in the reserve
    Marches[7] marches
    Position leaf          # the outcome being made
    bint gather            # keep distinct outcomes in the book
    Book book
    bint failed            # no memory
    # figures
    uint64_t visits
    double p_uprising
    double e_uprisings
    double p_lost
    double p_new_army
    double e_revolts


cdef int sweep_open(Sweep* S) except -1:
    memset(S, 0, sizeof(Sweep))
    S.echo_room = 1024
    S.echo_shift = 64 - 11
    S.echo = <Echo*> malloc(S.echo_room * sizeof(Echo))
    S.echo_slot = <uint32_t*> calloc(2 * S.echo_room, sizeof(uint32_t))
    if not S.echo or not S.echo_slot:
        sweep_close(S)
        raise MemoryError("no room for the Barbarian phase")
    try:
        book_open(&S.book, True)
    except MemoryError:
        sweep_close(S)
        raise
    return 0


cdef void sweep_close(Sweep* S) noexcept:
    free(S.echo)
    free(S.echo_slot)
    free(S.blazes.rows)
    book_close(&S.book)
    memset(S, 0, sizeof(Sweep))


cdef inline uint32_t echo_slot_of(const Sweep* S, Mask revolts) noexcept nogil:
    return <uint32_t> (revolts * 0x9E3779B97F4A7C15u >> S.echo_shift)


cdef bint echo_grow(Sweep* S) noexcept nogil:
    cdef uint32_t room = 2 * S.echo_room
    cdef Echo* echo
    cdef uint32_t* slots
    cdef uint32_t i, slot
    echo = <Echo*> realloc(S.echo, room * sizeof(Echo))
    if not echo:
        return False
    S.echo = echo
    slots = <uint32_t*> calloc(2 * <size_t> room, sizeof(uint32_t))
    if not slots:
        return False
    free(S.echo_slot)
    S.echo_slot = slots
    S.echo_room = room
    S.echo_shift -= 1
    for i in range(S.echoes):
        slot = echo_slot_of(S, echo[i].revolts)
        while slots[slot]:
            slot = (slot + 1) & (2 * room - 1)
        slots[slot] = i + 1
    return True


cdef inline void echo_put(Sweep* S, Mask revolts, double inflow) noexcept nogil:
    """An uprising has left these revolts, this often."""
    cdef uint32_t last_slot = 2 * S.echo_room - 1
    cdef uint32_t slot = echo_slot_of(S, revolts)
    cdef int size
    while S.echo_slot[slot]:
        if S.echo[S.echo_slot[slot] - 1].revolts == revolts:
            S.echo[S.echo_slot[slot] - 1].inflow += inflow
            return
        slot = (slot + 1) & last_slot
    if S.echoes == S.echo_room:
        if not echo_grow(S):
            S.failed = True
            return
        slot = echo_slot_of(S, revolts)
        while S.echo_slot[slot]:
            slot = (slot + 1) & (2 * S.echo_room - 1)
    size = popcount(revolts)
    S.echo[S.echoes].revolts = revolts
    S.echo[S.echoes].inflow = inflow
    S.echo[S.echoes].next = S.first[size]
    S.echoes += 1
    S.echo_slot[slot] = S.echoes
    S.first[size] = S.echoes


cdef void echo_clear(Sweep* S) noexcept nogil:
    memset(S.echo_slot, 0, 2 * <size_t> S.echo_room * sizeof(uint32_t))
    memset(S.first, 0, sizeof(S.first))
    S.echoes = 0


cdef inline void visit(Sweep* S, const Position* outcome, double chance) noexcept nogil:
    """One outcome of the phase in which the Empire stands."""
    cdef int64_t row
    if CHECKED_BUILD:
        check_position(S.board, outcome)
    S.visits += 1
    S.e_revolts += chance * popcount(outcome.revolts)
    if S.gather:
        row = book_put(&S.book, outcome)
        if row == NO_ROOM:
            S.failed = True
        else:
            S.book.notes[row] += chance


cdef inline void visit_fall(Sweep* S, double chance) noexcept nogil:
    """The Empire falls, one way or another."""
    S.visits += 1
    S.p_lost += chance
