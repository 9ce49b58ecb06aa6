# A growing set of positions, found again by their bytes: open addressing, at most half full.
#
# A slot is the row + 1, or 0 where it is free, with the high half of the hash above it: the *tag*. Slots are in the order of the
# tags but for collisions, so that few probes look at a row, and a book grows by one pass over the slots without a look at any row.
#
# n slots, a power of two, lie at n to 2n - 1 of their memory. So a book that has been large keeps its memory and still spreads
# few positions over few slots.

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define FETCH(p) __builtin_prefetch(p)
    #else
    #define FETCH(p) ((void) 0)
    #endif

    /* Large arrays that are read at random cost more for the addresses of small pages than for what they hold. All pages that
       the array lies on are named, so that the C library can still move it as a whole when it grows. */
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static inline void ask_for_large_pages(void *start, size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const uintptr_t page = 4096, first = (uintptr_t) start & ~(page - 1);
        const uintptr_t stop = ((uintptr_t) start + size + page - 1) & ~(page - 1);
        if (size >= (size_t) 1 << 23)
            (void) madvise((void *) first, stop - first, MADV_HUGEPAGE);
    #else
        (void) start;
        (void) size;
    #endif
    }
    """
    void FETCH(const void*) noexcept nogil
    void ask_for_large_pages(void*, size_t) noexcept nogil

cdef enum:
    NO_MEMORY = -1
    CACHE_LINE = 64        # bytes
    LEAST_SLOTS = 1 << 10
    CACHED_SLOTS = 1 << 17
    MOST_WAITING = 32      # positions that wait while the memory that they need is fetched, a power of two
    WAITING_FROM = 1 << 17    # rows; a smaller book stays in the cache
    KEPT_BYTES = 1 << 23

# The C library maps blocks above a threshold apart, and gives free memory above another one back to the system: then each call that
# takes a few megabytes has their pages mapped again, which takes a fifth of the time of an expectimax. In glibc both thresholds
# follow the largest block that was mapped and freed, which is this one; elsewhere it has no effect.
PyMem_RawFree(PyMem_RawMalloc(KEPT_BYTES))

cdef struct Waiting:
    Position position
    uint64_t hash
    double amount

cdef struct Book:
    void* block            # memory of the rows,
    Position* rows         # which start where a cache line does
    double* notes          # a number kept with each position, if wanted
    uint64_t* slot_block   # memory of the slots,
    uint64_t* slots        # and those in use
    uint32_t count
    uint32_t capacity      # rows and notes that the memory holds
    uint32_t last_slot     # number of slots in use - 1
    uint32_t most_slots    # that the memory holds
    int shift              # 64 - log2(number of slots in use)
    bint noted
    uint32_t waits         # see `book_add`
    uint64_t added
    Waiting[MOST_WAITING] waiting


cdef inline Position* first_row(void* block) noexcept nogil:
    return <Position*> ((<uintptr_t> block + CACHE_LINE - 1) & ~<uintptr_t> (CACHE_LINE - 1))


cdef bint take_rows(Book* book, size_t capacity) noexcept nogil:
    """Memory for so many rows, with those that are there; False when there is none."""
    cdef size_t before = <size_t> (<char*> book.rows - <char*> book.block)
    cdef size_t size = capacity * sizeof(Position) + CACHE_LINE
    cdef char* block = <char*> realloc(book.block, size)
    if not block:
        return False
    ask_for_large_pages(block, size)
    book.block = block
    book.rows = first_row(block)
    if <char*> book.rows != block + before:
        memmove(book.rows, block + before, book.count * sizeof(Position))
    return True


cdef bint take_capacity(Book* book, size_t capacity) noexcept nogil:
    """Memory for so many rows and their notes; False when there is none."""
    cdef double* notes
    if not take_rows(book, capacity):
        return False
    if book.noted:
        notes = <double*> realloc(book.notes, capacity * sizeof(double))
        if not notes:
            return False
        ask_for_large_pages(notes, capacity * sizeof(double))
        book.notes = notes
    book.capacity = <uint32_t> capacity
    return True


cdef void use_slots(Book* book, uint64_t* block, size_t slots) noexcept nogil:
    """So many empty slots of this memory from now on."""
    book.slots = block + slots
    book.last_slot = <uint32_t> (slots - 1)
    book.shift = 64
    while slots > 1:
        book.shift -= 1
        slots >>= 1
    memset(book.slots, 0, (<size_t> book.last_slot + 1) * sizeof(uint64_t))


cdef int book_open(Book* book, bint noted) except -1:
    memset(book, 0, sizeof(Book))
    book.noted = noted
    book.most_slots = LEAST_SLOTS
    book.slot_block = <uint64_t*> malloc(2 * LEAST_SLOTS * sizeof(uint64_t))
    if not book.slot_block or not take_capacity(book, LEAST_SLOTS / 2):
        book_close(book)
        raise MemoryError("no memory for positions")
    use_slots(book, book.slot_block, LEAST_SLOTS)
    return 0


cdef void book_close(Book* book) noexcept nogil:
    free(book.block)
    free(book.notes)
    free(book.slot_block)
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
    return h * 0x9FB21C651E98DF25u


cdef inline bint same_position(const Position* P, const Position* Q) noexcept nogil:
    return not (
        (P.revolts ^ Q.revolts) | (P.unrest ^ Q.unrest) | (P.armies ^ Q.armies) | (last_word(P) ^ last_word(Q))
        | (P.garrison[0] ^ Q.garrison[0]) | (P.garrison[1] ^ Q.garrison[1])
        | (P.garrison[2] ^ Q.garrison[2]) | (P.garrison[3] ^ Q.garrison[3]) | figures_differ(P, Q))


cdef inline uint64_t tag_of(uint64_t hash) noexcept nogil:
    """What a slot holds above the row."""
    return hash >> 32 << 32


cdef inline uint32_t row_in(uint64_t slot) noexcept nogil:
    return <uint32_t> slot - 1


cdef bint book_grow(Book* book) noexcept nogil:
    """Twice the slots; False when there is no memory."""
    cdef size_t before = <size_t> book.last_slot + 1
    cdef size_t slots = 2 * before
    cdef const uint64_t* old = book.slots
    cdef uint64_t* block = book.slot_block
    cdef uint64_t held
    cdef size_t i, slot
    if slots / 2 > 1 << 30 or (slots / 2 > book.capacity and not take_capacity(book, slots / 2)):
        return False
    if slots > book.most_slots:
        block = <uint64_t*> malloc(2 * slots * sizeof(uint64_t))
        if not block:
            return False
        ask_for_large_pages(block, 2 * slots * sizeof(uint64_t))
        book.most_slots = <uint32_t> slots
    use_slots(book, block, slots)
    for i in range(before):
        held = old[i]
        if held:
            slot = held >> book.shift
            while book.slots[slot]:
                slot = (slot + 1) & book.last_slot
            book.slots[slot] = held
    if block != book.slot_block:
        free(book.slot_block)
        book.slot_block = block
    return True


cdef inline int64_t book_find(const Book* book, const Position* P) noexcept nogil:
    """Its row, or -1."""
    cdef uint64_t hash = hash_of(P)
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    while book.slots[slot]:
        if tag_of(book.slots[slot]) == tag_of(hash) and same_position(&book.rows[row_in(book.slots[slot])], P):
            return row_in(book.slots[slot])
        slot = (slot + 1) & book.last_slot
    return -1


cdef void book_clear(Book* book) noexcept nogil:
    """
    Empties it, keeping its memory, at a cost of what was in it: if that is little each position is taken out of its slot, else
    all slots are emptied. If they were far too many for the cache half of them are enough from now on.
    """
    cdef size_t slots = <size_t> book.last_slot + 1
    cdef uint32_t slot
    book.waits = 0
    if slots > CACHED_SLOTS and book.count < slots / 16:
        use_slots(book, book.slot_block, slots / 2)
        book.count = 0
    elif book.count > slots / 128:
        use_slots(book, book.slot_block, slots)
        book.count = 0
    while book.count:
        slot = <uint32_t> (hash_of(&book.rows[book.count - 1]) >> book.shift)
        while row_in(book.slots[slot]) != book.count - 1:
            slot = (slot + 1) & book.last_slot
        book.slots[slot] = 0
        book.count -= 1


cdef size_t book_size(const Book* book) noexcept nogil:
    """Bytes it takes."""
    return (
        sizeof(Book) + <size_t> book.capacity * (sizeof(Position) + (sizeof(double) if book.noted else 0))
        + 2 * <size_t> book.most_slots * sizeof(uint64_t))


cdef inline int64_t book_put_hashed(Book* book, const Position* P, uint64_t hash) noexcept nogil:
    """`book_put` of a position with this hash."""
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    while book.slots[slot]:
        if tag_of(book.slots[slot]) == tag_of(hash) and same_position(&book.rows[row_in(book.slots[slot])], P):
            return row_in(book.slots[slot])
        slot = (slot + 1) & book.last_slot
    if book.count > book.last_slot / 2:
        if not book_grow(book):
            return NO_MEMORY
        slot = <uint32_t> (hash >> book.shift)
        while book.slots[slot]:
            slot = (slot + 1) & book.last_slot
    book.rows[book.count] = P[0]
    if book.noted:
        book.notes[book.count] = 0
    book.count += 1
    book.slots[slot] = tag_of(hash) | book.count
    return book.count - 1


cdef inline int64_t book_append(Book* book, const Position* P) noexcept nogil:
    """One more row (note 0), or NO_MEMORY. A book with such rows is only a list: nothing is found in it."""
    if book.count == book.capacity and (book.capacity > 1 << 29 or not take_capacity(book, 2 * <size_t> book.capacity)):
        return NO_MEMORY
    book.rows[book.count] = P[0]
    if book.noted:
        book.notes[book.count] = 0
    book.count += 1
    return book.count - 1


cdef inline int64_t book_put(Book* book, const Position* P) noexcept nogil:
    """Its row, a new one (note 0) if it was not there; or NO_MEMORY."""
    return book_put_hashed(book, P, hash_of(P))


# Adding to the notes of many positions. Nearly every position of a large book needs a slot, and often a row, that is in no
# cache. So some wait: the slot is fetched when one comes, the row when half of the others have come, and then it is put.

cdef inline void fetch_slot(const Book* book, uint64_t hash) noexcept nogil:
    FETCH(&book.slots[hash >> book.shift])


cdef inline void fetch_row(const Book* book, uint64_t hash) noexcept nogil:
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    while book.slots[slot] and tag_of(book.slots[slot]) != tag_of(hash):
        slot = (slot + 1) & book.last_slot
    if book.slots[slot]:
        FETCH(&book.rows[row_in(book.slots[slot])])
        FETCH(&book.notes[row_in(book.slots[slot])])


cdef inline bint add_now(Book* book, const Position* P, uint64_t hash, double amount) noexcept nogil:
    cdef int64_t row = book_put_hashed(book, P, hash)
    if row == NO_MEMORY:
        return False
    book.notes[row] += amount
    return True


cdef bint add_later(Book* book, const Position* P, uint64_t hash, double amount) noexcept nogil:
    cdef Waiting* one = &book.waiting[book.added & (MOST_WAITING - 1)]
    cdef bint put = True
    if book.waits == MOST_WAITING:
        put = add_now(book, &one.position, one.hash, one.amount)
    else:
        book.waits += 1
    fetch_slot(book, hash)
    one.position = P[0]
    one.hash = hash
    one.amount = amount
    book.added += 1
    if book.waits > MOST_WAITING / 2:
        fetch_row(book, book.waiting[(book.added + MOST_WAITING / 2 - 1) & (MOST_WAITING - 1)].hash)
    return put


cdef bint add_hashed(Book* book, const Position* P, uint64_t hash, double amount) noexcept nogil:
    if book.count >= WAITING_FROM:
        return add_later(book, P, hash, amount)
    return add_now(book, P, hash, amount)


cdef inline bint book_add(Book* book, const Position* P, double amount) noexcept nogil:
    """Adds to the note of a position, at the latest with `book_settle`, in the order of the calls; False without memory."""
    return add_hashed(book, P, hash_of(P), amount)


cdef bint book_settle(Book* book) noexcept nogil:
    """All additions done; False when there is no memory for one."""
    cdef Waiting* one
    cdef bint put = True
    while book.waits:
        one = &book.waiting[(book.added - book.waits) & (MOST_WAITING - 1)]
        put = add_now(book, &one.position, one.hash, one.amount) and put
        book.waits -= 1
    return put


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
