# A growing set of positions, found again by their bytes: open addressing, at most half full.
#
# A slot holds, from the highest bit down, 30 bits of the hash, the *generation* and the row. It is in use if its generation is
# that of the book, so that all slots are emptied by going on to the next generation. Slots are in the order of the hashes but
# for collisions: few probes look at a row, and a book grows by one pass over the slots without a look at any row.
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
    CACHED_SLOTS = 1 << 16
    ROW_BITS = 28
    GENERATION_BITS = 6
    MOST_ROWS = 1 << (ROW_BITS - 1)
    SLOTS_AT_ONCE = 1 << 10    # that are moved at once, at most LEAST_SLOTS
    SLOT_TICKS = 50        # for these, the pages that they are moved to among them
    MEMORY_TICKS = 1000    # the next look comes at once
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
    uint32_t capacity      # rows and notes that the memory holds: more than are there, so that one can be written in advance
    uint32_t last_slot     # number of slots in use - 1
    uint32_t most_slots    # that the memory holds
    int shift              # 64 - log2(number of slots in use)
    uint64_t generation    # 1 to 2 ** GENERATION_BITS - 1
    bint noted
    bint stuck             # it cannot grow before it is cleared
    Watch* watch           # of the call that fills it, or NULL; a stop while it grows is as if there were no memory
    uint32_t waits         # see `book_draft`
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
        memmove(book.rows, block + before, (<size_t> book.count + 1) * sizeof(Position))
    return True


cdef inline bint stops(Book* book) noexcept nogil:
    """Whether the call that fills it has to stop; asked after all that may take milliseconds."""
    return book.watch and spend(book.watch, MEMORY_TICKS)


cdef bint take_capacity(Book* book, size_t capacity) noexcept nogil:
    """Memory for so many rows and their notes; False when there is none, or after a stop."""
    cdef double* notes
    if not take_rows(book, capacity) or stops(book):
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
    """So many slots of this memory from now on; none of them has the book's generation."""
    book.slots = block + slots
    book.last_slot = <uint32_t> (slots - 1)
    book.shift = 64
    while slots > 1:
        book.shift -= 1
        slots >>= 1


cdef int book_open(Book* book, bint noted, size_t slots=LEAST_SLOTS) except -1:
    """A new book; with so many slots to begin with, a power of two."""
    memset(book, 0, sizeof(Book))
    book.noted = noted
    book.most_slots = <uint32_t> slots
    book.generation = 1
    book.slot_block = <uint64_t*> calloc(2 * slots, sizeof(uint64_t))
    if not book.slot_block or not take_capacity(book, slots / 2 + 1):
        book_close(book)
        raise MemoryError("no memory for positions")
    use_slots(book, book.slot_block, slots)
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


cdef inline void copy_last_word(Position* to, const Position* P) noexcept nogil:
    memcpy(to.emperor, P.emperor, 8)


cdef inline uint64_t mixed_sum(uint64_t h) noexcept nogil:
    """A hash whose high bits depend on all bits of this sum."""
    h ^= h >> 32
    return h * 0x9FB21C651E98DF25u


cdef inline uint64_t hash_of(const Position* P) noexcept nogil:
    """Each word times its own odd number, the sum stirred; the high bits are the good ones."""
    return mixed_sum(
        P.revolts * 0x9E3779B97F4A7C15u + P.unrest * 0xBF58476D1CE4E5B9u
        + P.garrison[0] * 0x94D049BB133111EBu + P.garrison[1] * 0xD6E8FEB86659FD93u
        + P.garrison[2] * 0xFF51AFD7ED558CCDu + P.garrison[3] * 0xC4CEB9FE1A85EC53u
        + P.armies * 0xA0761D6478BD642Fu + last_word(P) * 0xE7037ED1A0B428DBu + hash_of_figures(P))


cdef inline bint same_position(const Position* P, const Position* Q) noexcept nogil:
    return not (
        (P.revolts ^ Q.revolts) | (P.unrest ^ Q.unrest) | (P.armies ^ Q.armies) | (last_word(P) ^ last_word(Q))
        | (P.garrison[0] ^ Q.garrison[0]) | (P.garrison[1] ^ Q.garrison[1])
        | (P.garrison[2] ^ Q.garrison[2]) | (P.garrison[3] ^ Q.garrison[3]) | figures_differ(P, Q))


cdef inline uint64_t tag_of(const Book* book, uint64_t hash) noexcept nogil:
    """What a slot in use holds above the row."""
    return hash >> (ROW_BITS + GENERATION_BITS) << GENERATION_BITS | book.generation


cdef inline bint in_use(const Book* book, uint64_t slot) noexcept nogil:
    return (slot >> ROW_BITS & (1 << GENERATION_BITS) - 1) == book.generation


cdef inline uint32_t row_in(uint64_t slot) noexcept nogil:
    return <uint32_t> (slot & (1 << ROW_BITS) - 1)


cdef inline size_t put_slot(Book* book, uint64_t held) noexcept nogil:
    """Puts what an old slot held into the first free one; says into which."""
    cdef size_t slot = held >> book.shift
    while in_use(book, book.slots[slot]):
        slot = (slot + 1) & book.last_slot
    book.slots[slot] = held
    return slot


cdef bint move_slots(Book* book, const uint64_t* old, size_t count) noexcept nogil:
    """
    Puts what is in use of these slots into those of the book; False after a stop.

    They come nearly in the order of the hashes if one starts behind those that may have gone round from the end. One that comes
    in order lies where its hash says or behind all before it, whatever is later: that takes no look at the new slots.
    """
    cdef uint64_t[SLOTS_AT_ONCE] held
    cdef size_t latest = 0       # slot that a hash has named
    cdef size_t free_from = 0    # all slots from here on are free
    cdef size_t round_until = 0
    cdef size_t start, first, slot
    cdef int i, used
    while in_use(book, old[round_until]):
        round_until += 1
    start = round_until
    while start < count:
        if book.watch and spend(book.watch, SLOT_TICKS):
            return False
        used = 0
        for i in range(<int> min(count - start, SLOTS_AT_ONCE)):    # without a branch: which are in use is as good as random
            held[used] = old[start + i]
            used += in_use(book, old[start + i])
        for i in range(used):
            first = held[i] >> book.shift
            slot = max(first, free_from)
            if first >= latest and slot <= book.last_slot:
                book.slots[slot] = held[i]
                latest = first
            else:
                slot = put_slot(book, held[i])
            free_from = max(free_from, slot + 1)
        start += SLOTS_AT_ONCE
    for start in range(round_until):
        put_slot(book, old[start])
    return True


cdef bint book_grow(Book* book) noexcept nogil:
    """Twice the slots; False when there is no memory, or after a stop: then it is as it was, and stuck."""
    cdef size_t before = <size_t> book.last_slot + 1
    cdef size_t slots = 2 * before
    cdef const uint64_t* old = book.slots
    cdef uint64_t* block = book.slot_block
    if book.stuck or slots / 2 > MOST_ROWS or (slots / 2 >= book.capacity and not take_capacity(book, slots / 2 + 1)):
        return False
    if stops(book):
        return False
    if slots > book.most_slots:
        block = <uint64_t*> calloc(2 * slots, sizeof(uint64_t))    # no page of large memory is there before it is written to
        if not block:
            return False
        ask_for_large_pages(block, 2 * slots * sizeof(uint64_t))
    use_slots(book, block, slots)
    if stops(book) or not move_slots(book, old, before):
        book.stuck = True
        use_slots(book, book.slot_block, before)
        if block != book.slot_block:
            free(block)
        return False
    if block != book.slot_block:
        free(book.slot_block)
        book.slot_block = block
        book.most_slots = <uint32_t> slots
    return True


cdef inline int64_t book_find(const Book* book, const Position* P) noexcept nogil:
    """Its row, or -1."""
    cdef uint64_t hash = hash_of(P)
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    while in_use(book, book.slots[slot]):
        if book.slots[slot] >> ROW_BITS == tag_of(book, hash) and same_position(&book.rows[row_in(book.slots[slot])], P):
            return row_in(book.slots[slot])
        slot = (slot + 1) & book.last_slot
    return -1


cdef void book_clear(Book* book) noexcept nogil:
    """Empties it, keeping its memory. If its slots were far too many for the cache half of them are enough from now on."""
    cdef size_t slots = <size_t> book.last_slot + 1
    if book.count or book.stuck:
        book.generation += 1
        if book.generation == 1 << GENERATION_BITS:
            memset(book.slot_block, 0, 2 * <size_t> book.most_slots * sizeof(uint64_t))
            book.generation = 1
    if slots > CACHED_SLOTS and book.count < slots / 16:
        use_slots(book, book.slot_block, slots / 2)
    book.count = 0
    book.stuck = False
    book.waits = 0


cdef size_t book_size(const Book* book) noexcept nogil:
    """Bytes it takes."""
    return (
        sizeof(Book) + <size_t> book.capacity * (sizeof(Position) + (sizeof(double) if book.noted else 0))
        + 2 * <size_t> book.most_slots * sizeof(uint64_t))


cdef inline uint32_t free_slot(const Book* book, uint64_t hash) noexcept nogil:
    """The one for a new position with this hash."""
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    while in_use(book, book.slots[slot]):
        slot = (slot + 1) & book.last_slot
    return slot


cdef inline int64_t book_put_hashed(Book* book, const Position* P, uint64_t hash) noexcept nogil:
    """`book_put` of a position with this hash."""
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    cdef uint64_t tag = tag_of(book, hash)
    cdef uint64_t held = book.slots[slot]
    while in_use(book, held):
        if held >> ROW_BITS == tag and same_position(&book.rows[row_in(held)], P):
            return row_in(held)
        slot = (slot + 1) & book.last_slot
        held = book.slots[slot]
    if book.count > book.last_slot / 2:
        if not book_grow(book):
            return NO_MEMORY
        slot = free_slot(book, hash)
    book.slots[slot] = tag << ROW_BITS | book.count
    book.rows[book.count] = P[0]
    if book.noted:
        book.notes[book.count] = 0
    book.count += 1
    return book.count - 1


cdef inline int64_t book_append(Book* book, const Position* P) noexcept nogil:
    """One more row (note 0), or NO_MEMORY. A book with such rows is only a list: nothing is found in it."""
    if book.count + 1 == book.capacity and (book.capacity > 1 << 29 or not take_capacity(book, 2 * <size_t> book.capacity)):
        return NO_MEMORY
    book.rows[book.count] = P[0]
    if book.noted:
        book.notes[book.count] = 0
    book.count += 1
    return book.count - 1


cdef inline int64_t book_put(Book* book, const Position* P) noexcept nogil:
    """Its row, a new one (note 0) if it was not there; or NO_MEMORY."""
    return book_put_hashed(book, P, hash_of(P))


# Adding to the notes of many positions. Each is written where it stays if it is new: its *draft*, the row after the last one.
#
# Nearly every position of a large book needs a slot, and often a row, that is in no cache. So there the draft is one of a ring of
# positions that wait: the slot is fetched when one comes, the row when half of the others have come, and then it is put.

cdef inline void fetch_slot(const Book* book, uint64_t hash) noexcept nogil:
    FETCH(&book.slots[hash >> book.shift])


cdef inline void fetch_row(const Book* book, uint64_t hash) noexcept nogil:
    cdef uint32_t slot = <uint32_t> (hash >> book.shift)
    cdef uint64_t tag = tag_of(book, hash)
    while in_use(book, book.slots[slot]) and book.slots[slot] >> ROW_BITS != tag:
        slot = (slot + 1) & book.last_slot
    if in_use(book, book.slots[slot]):
        FETCH(&book.rows[row_in(book.slots[slot])])
        FETCH(&book.notes[row_in(book.slots[slot])])


cdef bint put_oldest(Book* book) noexcept nogil:
    """The position that has waited longest is put; False without memory."""
    cdef Waiting* one = &book.waiting[(book.added - book.waits) & (MOST_WAITING - 1)]
    cdef int64_t row = book_put_hashed(book, &one.position, one.hash)
    book.waits -= 1
    if row == NO_MEMORY:
        return False
    book.notes[row] += one.amount
    return True


cdef bint draft_waits(Book* book, uint64_t hash, double amount) noexcept nogil:
    """The draft, which is in the ring, waits from now on; False without memory for the one whose place is the next draft."""
    cdef Waiting* one = &book.waiting[book.added & (MOST_WAITING - 1)]
    fetch_slot(book, hash)
    one.hash = hash
    one.amount = amount
    book.added += 1
    book.waits += 1
    if book.waits > MOST_WAITING / 2:
        fetch_row(book, book.waiting[(book.added + MOST_WAITING / 2 - 1) & (MOST_WAITING - 1)].hash)
    return book.waits < MOST_WAITING or put_oldest(book)


cdef inline Position* book_draft(Book* book) noexcept nogil:
    """Where the next position is to be written for `add_draft`."""
    if book.count < WAITING_FROM:
        return &book.rows[book.count]
    return &book.waiting[book.added & (MOST_WAITING - 1)].position


cdef inline bint add_draft(Book* book, uint64_t hash, double amount) noexcept nogil:
    """
    Adds to the note of the position in the draft, which has this hash (of any function, but the same one until the book is
    cleared), at the latest with `book_settle`, in the order of the calls; False without memory.
    """
    cdef uint32_t count = book.count
    cdef uint32_t slot
    cdef uint64_t tag, held
    cdef const Position* draft
    if count >= WAITING_FROM:
        return draft_waits(book, hash, amount)
    slot = <uint32_t> (hash >> book.shift)
    tag = tag_of(book, hash)
    held = book.slots[slot]
    draft = &book.rows[count]
    while in_use(book, held):
        if held >> ROW_BITS == tag and same_position(&book.rows[row_in(held)], draft):
            book.notes[row_in(held)] += amount
            return True
        slot = (slot + 1) & book.last_slot
        held = book.slots[slot]
    if count > book.last_slot / 2:
        if not book_grow(book):
            return False
        slot = free_slot(book, hash)
    book.slots[slot] = tag << ROW_BITS | count
    book.notes[count] = amount
    book.count = count + 1
    return True


cdef inline bint book_add(Book* book, const Position* P, double amount) noexcept nogil:
    """`add_draft` with a copy of this position."""
    book_draft(book)[0] = P[0]
    return add_draft(book, hash_of(P), amount)


cdef bint book_settle(Book* book) noexcept nogil:
    """All additions done; False when there is no memory for one."""
    cdef bint put = True
    while book.waits:
        put = put_oldest(book) and put
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
    ask_for_large_pages(order, (count + 1) * sizeof(uint32_t))
    ask_for_large_pages(other, (count + 1) * sizeof(uint32_t))
    for i in range(count):
        order[i] = <uint32_t> i
        if not i & 0xffff and spend(watch, 100):
            free(order)
            free(other)
            return NULL
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
