# A growing set of positions, found again by their bytes: open addressing, at most half full.

cdef enum:
    NO_MEMORY = -1

cdef struct Book:
    Position* rows
    double* notes          # a number kept with each position, if wanted
    uint32_t* slots        # row + 1, or 0 where free
    uint32_t count
    uint32_t capacity
    uint32_t last_slot     # number of slots - 1, a power of two less one
    bint noted


cdef int book_open(Book* book, bint noted) except -1:
    memset(book, 0, sizeof(Book))
    book.noted = noted
    book.capacity = 2048
    book.last_slot = 2 * book.capacity - 1
    book.rows = <Position*> malloc(book.capacity * sizeof(Position))
    book.slots = <uint32_t*> calloc(2 * book.capacity, sizeof(uint32_t))
    if noted:
        book.notes = <double*> malloc(book.capacity * sizeof(double))
    if not book.rows or not book.slots or (noted and not book.notes):
        book_close(book)
        raise MemoryError("no memory for positions")
    return 0


cdef void book_close(Book* book) noexcept nogil:
    free(book.rows)
    free(book.notes)
    free(book.slots)
    memset(book, 0, sizeof(Book))


cdef inline uint64_t last_word(const Position* P) noexcept nogil:
    """The last eight bytes that each kernel knows."""
    cdef uint64_t word
    memcpy(&word, P.emperor, 8)
    return word


cdef inline uint64_t hash_of(const Position* P) noexcept nogil:
    """Each word times its own odd number, the sum stirred; the high bits are the good ones."""
    cdef uint64_t h = (
        P.revolts * 0x9E3779B97F4A7C15u + P.unrest * 0xBF58476D1CE4E5B9u
        + P.garrison[0] * 0x94D049BB133111EBu + P.garrison[1] * 0xD6E8FEB86659FD93u
        + P.garrison[2] * 0xFF51AFD7ED558CCDu + P.garrison[3] * 0xC4CEB9FE1A85EC53u
        + P.armies * 0xA0761D6478BD642Fu + last_word(P) * 0xE7037ED1A0B428DBu + hash_of_figures(P))
    h ^= h >> 32
    h *= 0x9FB21C651E98DF25u
    return h ^ h >> 29


cdef inline bint same_position(const Position* P, const Position* Q) noexcept nogil:
    return not (
        (P.revolts ^ Q.revolts) | (P.unrest ^ Q.unrest) | (P.armies ^ Q.armies) | (last_word(P) ^ last_word(Q))
        | (P.garrison[0] ^ Q.garrison[0]) | (P.garrison[1] ^ Q.garrison[1])
        | (P.garrison[2] ^ Q.garrison[2]) | (P.garrison[3] ^ Q.garrison[3]) | figures_differ(P, Q))


cdef bint book_grow(Book* book) noexcept nogil:
    """Twice the capacity; False when there is no memory."""
    cdef uint64_t capacity = <uint64_t> book.capacity * 2
    cdef Position* rows
    cdef double* notes
    cdef uint32_t* slots
    cdef uint32_t i, slot
    if capacity > 1 << 30:
        return False
    rows = <Position*> realloc(book.rows, capacity * sizeof(Position))
    if not rows:
        return False
    book.rows = rows
    if book.noted:
        notes = <double*> realloc(book.notes, capacity * sizeof(double))
        if not notes:
            return False
        book.notes = notes
    slots = <uint32_t*> calloc(2 * capacity, sizeof(uint32_t))
    if not slots:
        return False
    free(book.slots)
    book.slots = slots
    book.capacity = <uint32_t> capacity
    book.last_slot = <uint32_t> (2 * capacity - 1)
    for i in range(book.count):
        slot = <uint32_t> hash_of(&book.rows[i]) & book.last_slot
        while slots[slot]:
            slot = (slot + 1) & book.last_slot
        slots[slot] = i + 1
    return True


cdef inline int64_t book_find(const Book* book, const Position* P) noexcept nogil:
    """Its row, or -1."""
    cdef uint32_t slot = <uint32_t> hash_of(P) & book.last_slot
    while book.slots[slot]:
        if same_position(&book.rows[book.slots[slot] - 1], P):
            return book.slots[slot] - 1
        slot = (slot + 1) & book.last_slot
    return -1


cdef void book_clear(Book* book) noexcept nogil:
    """
    Empties it, keeping its capacity, at a cost of what was in it: taken out in the reverse order of coming in, each position
    leaves the slots as it found them. Where many were in it all slots at once are quicker.
    """
    cdef uint32_t slot
    if book.count > book.last_slot / 32:
        memset(book.slots, 0, (<size_t> book.last_slot + 1) * sizeof(uint32_t))
        book.count = 0
    while book.count:
        slot = <uint32_t> hash_of(&book.rows[book.count - 1]) & book.last_slot
        while book.slots[slot] != book.count:
            slot = (slot + 1) & book.last_slot
        book.slots[slot] = 0
        book.count -= 1


cdef size_t book_size(const Book* book) noexcept nogil:
    """Bytes it takes."""
    return book.capacity * (sizeof(Position) + 2 * sizeof(uint32_t) + (sizeof(double) if book.noted else 0))


cdef inline int64_t book_put(Book* book, const Position* P) noexcept nogil:
    """Its row, a new one (note 0) if it was not there; or NO_MEMORY."""
    cdef uint32_t slot = <uint32_t> hash_of(P) & book.last_slot
    while book.slots[slot]:
        if same_position(&book.rows[book.slots[slot] - 1], P):
            return book.slots[slot] - 1
        slot = (slot + 1) & book.last_slot
    if book.count == book.capacity:
        if not book_grow(book):
            return NO_MEMORY
        slot = <uint32_t> hash_of(P) & book.last_slot
        while book.slots[slot]:
            slot = (slot + 1) & book.last_slot
    book.rows[book.count] = P[0]
    if book.noted:
        book.notes[book.count] = 0
    book.count += 1
    book.slots[slot] = book.count
    return book.count - 1


cdef uint32_t* book_order(const Book* book, Watch* watch) noexcept nogil:
    """The rows in the order of their bytes, by merging: memory for the caller to free; NULL after a stop, or without memory."""
    cdef size_t count = book.count
    cdef uint32_t* order = <uint32_t*> malloc((count + 1) * sizeof(uint32_t))
    cdef uint32_t* other = <uint32_t*> malloc((count + 1) * sizeof(uint32_t))
    cdef uint32_t* rows
    cdef size_t width = 1
    cdef size_t start, i, j, middle, stop, k
    if not order or not other:
        free(order)
        free(other)
        return NULL
    for i in range(count):
        order[i] = <uint32_t> i
    while width < count:
        start = 0
        while start < count:
            middle = min(start + width, count)
            stop = min(start + 2 * width, count)
            i = start
            j = middle
            for k in range(start, stop):
                if not k & 0xff and spend(watch, 100):
                    free(order)
                    free(other)
                    return NULL
                if j == stop or (i < middle and memcmp(
                        &book.rows[order[i]], &book.rows[order[j]], sizeof(Position)) <= 0):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
            start = stop
        rows = order
        order = other
        other = rows
        width *= 2
    free(other)
    return order
