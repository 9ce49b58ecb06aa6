# The positions after an uprising, each with the expected number of times it is met; the echo continues from there.

cdef struct Echo:          # its revolts determine the whole position, see basechain.pxi
    Mask revolts
    double inflow          # expected number of times it is reached from others
    uint32_t next          # another one with the same number of revolts, + 1

cdef struct Echoes:        # open addressing, at most half full, as in book.pxi
    Echo* rows
    uint32_t count
    uint32_t capacity
    uint32_t* slots        # row + 1, or 0 where free
    int shift              # 64 - log2(number of slots)
    bint failed            # no memory
    uint32_t[MOST_DISCS + 1] first    # by number of revolts: row + 1, or 0


cdef int echoes_open(Echoes* echoes) except -1:
    memset(echoes, 0, sizeof(Echoes))
    echoes.capacity = 1024
    echoes.shift = 64 - 11
    echoes.rows = <Echo*> malloc(echoes.capacity * sizeof(Echo))
    echoes.slots = <uint32_t*> calloc(2 * echoes.capacity, sizeof(uint32_t))
    if not echoes.rows or not echoes.slots:
        echoes_close(echoes)
        raise MemoryError("no memory for uprisings")
    return 0


cdef void echoes_close(Echoes* echoes) noexcept nogil:
    free(echoes.rows)
    free(echoes.slots)
    memset(echoes, 0, sizeof(Echoes))


cdef size_t echoes_size(const Echoes* echoes) noexcept nogil:
    """Bytes they take."""
    return echoes.capacity * (sizeof(Echo) + 2 * sizeof(uint32_t))


cdef inline uint32_t echo_slot_of(const Echoes* echoes, Mask revolts) noexcept nogil:
    return <uint32_t> (revolts * 0x9E3779B97F4A7C15u >> echoes.shift)


cdef bint echoes_grow(Echoes* echoes) noexcept nogil:
    cdef uint32_t capacity = 2 * echoes.capacity
    cdef Echo* rows
    cdef uint32_t* slots
    cdef uint32_t i, slot
    rows = <Echo*> realloc(echoes.rows, capacity * sizeof(Echo))
    if not rows:
        return False
    echoes.rows = rows
    slots = <uint32_t*> calloc(2 * <size_t> capacity, sizeof(uint32_t))
    if not slots:
        return False
    free(echoes.slots)
    echoes.slots = slots
    echoes.capacity = capacity
    echoes.shift -= 1
    for i in range(echoes.count):
        slot = echo_slot_of(echoes, rows[i].revolts)
        while slots[slot]:
            slot = (slot + 1) & (2 * capacity - 1)
        slots[slot] = i + 1
    return True


cdef inline void echo_put(Echoes* echoes, Mask revolts, double inflow) noexcept nogil:
    """An uprising has left these revolts, this often."""
    cdef uint32_t last_slot = 2 * echoes.capacity - 1
    cdef uint32_t slot = echo_slot_of(echoes, revolts)
    cdef Echo* echo
    cdef int size
    while echoes.slots[slot]:
        echo = &echoes.rows[echoes.slots[slot] - 1]
        if echo.revolts == revolts:
            echo.inflow += inflow
            return
        slot = (slot + 1) & last_slot
    if echoes.count == echoes.capacity:
        if not echoes_grow(echoes):
            echoes.failed = True
            return
        slot = echo_slot_of(echoes, revolts)
        while echoes.slots[slot]:
            slot = (slot + 1) & (2 * echoes.capacity - 1)
    size = popcount(revolts)
    echo = &echoes.rows[echoes.count]
    echo.revolts = revolts
    echo.inflow = inflow
    echo.next = echoes.first[size]
    echoes.count += 1
    echoes.slots[slot] = echoes.count
    echoes.first[size] = echoes.count


cdef void echoes_clear(Echoes* echoes) noexcept nogil:
    """Empties them, keeping their capacity, at a cost of what was in it: see `book_clear`."""
    cdef uint32_t last_slot = 2 * echoes.capacity - 1
    cdef uint32_t slot
    if echoes.count == 0:
        return
    if echoes.count > last_slot / 32:
        memset(echoes.slots, 0, 2 * <size_t> echoes.capacity * sizeof(uint32_t))
        echoes.count = 0
    while echoes.count:
        slot = echo_slot_of(echoes, echoes.rows[echoes.count - 1].revolts)
        while echoes.slots[slot] != echoes.count:
            slot = (slot + 1) & last_slot
        echoes.slots[slot] = 0
        echoes.count -= 1
    memset(echoes.first, 0, sizeof(echoes.first))
