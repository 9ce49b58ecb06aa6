# The distinct outcomes of a phase in eight bytes each, where only their number is asked for.
#
# Nearly every outcome is the start of the phase but for its revolts, its armies, the Emperors removed, and at most one province
# whose unrest is not what the revolts leave of the unrest at the start. So the revolts, the Emperors off the board and that
# province, which together are one word, determine the outcome among those with the same armies. Outcomes of other forms (an Emperor
# has defeated an army) go into the book. Which form an outcome has depends on the outcome alone: none is counted twice.
#
# There is a set of words for each set of armies. What is added to it waits until there is much of it: then the rows of this set
# alone are looked at, which the cache holds, or which are fetched in time. A row is in use if its generation is that of its set,
# and n rows lie at n to 2n - 1 of their memory, as slots do in book.pxi.

cdef enum:
    LEAST_PACKED = 1 << 8
    CACHED_PACKED = 1 << 15
    AT_CHANGED = PROVINCES           # bits of a word: behind the revolts the province whose unrest differs,
    NO_CHANGE = 63                   # or this,
    AT_REMOVED = AT_CHANGED + 6      # the Emperors off the board,
    AT_GENERATION = AT_REMOVED + 4   # and the generation
    MOST_PACKED_ROWS = 1 << 28
    PACKED_AT_ONCE = 1 << 10         # rows that are moved between two looks at the watch
    PACKED_WAITING = 1 << 10
    PACKED_AHEAD = 16                # rows are fetched so many words in advance
    MOST_SETS = 256                  # more than there are: three armies stay, go or are removed, one of them may be fresh
    SET_SLOTS = 1 << 10

cdef struct PackedSet:
    Mask armies
    uint64_t* block        # memory of the rows,
    uint64_t* rows         # and those in use
    uint64_t* waiting
    uint32_t waits
    uint32_t count
    uint32_t last          # number of rows - 1
    uint32_t most          # that the memory holds
    int shift              # 64 - log2(number of rows)
    uint64_t generation    # 1 to 63
    bint stuck             # it cannot grow before it is cleared

cdef struct PackedSets:
    PackedSet* set
    int count              # of these that are in use,
    int opened             # and that have memory
    uint16_t[SET_SLOTS] slots    # by the armies: number of a set + 1, or 0
    bint failed            # no memory, or stopped
    Watch* watch           # of the call that fills them


cdef void use_packed_rows(PackedSet* found, uint64_t* block, size_t rows) noexcept nogil:
    """So many rows of this memory from now on; none of them has the set's generation."""
    found.block = block
    found.rows = block + rows
    found.last = <uint32_t> (rows - 1)
    found.shift = 64
    while rows > 1:
        found.shift -= 1
        rows >>= 1


cdef bint packed_open(PackedSet* found) noexcept nogil:
    """False when there is no memory."""
    memset(found, 0, sizeof(PackedSet))
    found.generation = 1
    found.most = LEAST_PACKED
    found.block = <uint64_t*> calloc(2 * LEAST_PACKED, sizeof(uint64_t))
    found.waiting = <uint64_t*> malloc(PACKED_WAITING * sizeof(uint64_t))
    if not found.block or not found.waiting:
        free(found.block)
        free(found.waiting)
        return False
    use_packed_rows(found, found.block, LEAST_PACKED)
    return True


cdef void packed_clear(PackedSet* found) noexcept nogil:
    """Empties it, keeping its memory; fewer rows from now on if they were far too many for the cache."""
    cdef size_t rows = <size_t> found.last + 1
    if found.count or found.stuck:
        found.generation += 1
        if found.generation == 64:
            memset(found.block, 0, 2 * <size_t> found.most * sizeof(uint64_t))
            found.generation = 1
    if rows > CACHED_PACKED and found.count < rows / 16:
        use_packed_rows(found, found.block, rows / 2)
    found.count = found.waits = 0
    found.stuck = False


cdef int packed_sets_open(PackedSets* sets) except -1:
    memset(sets, 0, sizeof(PackedSets))
    sets.set = <PackedSet*> calloc(MOST_SETS, sizeof(PackedSet))
    if not sets.set:
        raise MemoryError("no memory for outcomes")
    return 0


cdef void packed_sets_close(PackedSets* sets) noexcept nogil:
    cdef int i
    for i in range(sets.opened):
        free(sets.set[i].block)
        free(sets.set[i].waiting)
    free(sets.set)
    memset(sets, 0, sizeof(PackedSets))


cdef size_t packed_sets_size(const PackedSets* sets) noexcept nogil:
    """Bytes they take."""
    cdef size_t size = MOST_SETS * sizeof(PackedSet)
    cdef int i
    for i in range(sets.opened):
        size += (2 * <size_t> sets.set[i].most + PACKED_WAITING) * sizeof(uint64_t)
    return size


cdef void packed_sets_clear(PackedSets* sets) noexcept nogil:
    cdef int i
    for i in range(sets.count):
        packed_clear(&sets.set[i])
    if sets.count:
        memset(sets.slots, 0, sizeof(sets.slots))
    sets.count = 0
    sets.failed = False


cdef int64_t packed_count(const PackedSets* sets) noexcept nogil:
    """How many distinct ones there are, those that wait not among them."""
    cdef int64_t count = 0
    cdef int i
    for i in range(sets.count):
        count += sets.set[i].count
    return count


cdef PackedSet* packed_set_of(PackedSets* sets, Mask armies) noexcept nogil:
    """The set of these armies; NULL where there are too many sets, or no memory: then they have `failed`."""
    cdef uint32_t slot = <uint32_t> (mixed_sum(armies * 0xA0761D6478BD642Fu) >> 54)
    cdef PackedSet* found
    while sets.slots[slot]:
        found = &sets.set[sets.slots[slot] - 1]
        if found.armies == armies:
            return found
        slot = (slot + 1) & (SET_SLOTS - 1)
    if sets.count == MOST_SETS:
        return NULL
    found = &sets.set[sets.count]
    if sets.count == sets.opened:
        if not packed_open(found):
            sets.failed = True
            return NULL
        sets.opened += 1
    found.armies = armies
    sets.count += 1
    sets.slots[slot] = <uint16_t> sets.count
    return found


cdef inline uint64_t hash_of_packed(uint64_t word) noexcept nogil:
    return mixed_sum(word * 0x9E3779B97F4A7C15u)


cdef inline bint packed_in_use(const PackedSet* found, uint64_t row) noexcept nogil:
    return row >> AT_GENERATION == found.generation


cdef bint packed_grow(PackedSet* found, Watch* watch) noexcept nogil:
    """Twice the rows; False when there is no memory, or after a stop: then it is as it was, and stuck."""
    cdef size_t before = <size_t> found.last + 1
    cdef const uint64_t* old = found.rows
    cdef uint64_t* kept = found.block
    cdef uint64_t* block = kept
    cdef size_t i, row
    if found.stuck or 2 * before > MOST_PACKED_ROWS:
        return False
    if 2 * before > found.most:
        block = <uint64_t*> calloc(4 * before, sizeof(uint64_t))
        if not block:
            return False
        ask_for_large_pages(block, 4 * before * sizeof(uint64_t))
    use_packed_rows(found, block, 2 * before)
    for i in range(before):
        if not i & (PACKED_AT_ONCE - 1) and watch and spend(watch, SLOT_TICKS):
            use_packed_rows(found, kept, before)
            if block != kept:
                free(block)
            found.stuck = True
            return False
        if packed_in_use(found, old[i]):
            row = hash_of_packed(old[i]) >> found.shift
            while packed_in_use(found, found.rows[row]):
                row = (row + 1) & found.last
            found.rows[row] = old[i]
    if block != kept:
        free(kept)
        found.most = <uint32_t> (2 * before)
    return True


cdef inline bint packed_put(PackedSet* found, uint64_t word, Watch* watch) noexcept nogil:
    """Puts it if it is new; False when there is no memory for it."""
    cdef size_t row = hash_of_packed(word) >> found.shift
    while packed_in_use(found, found.rows[row]):
        if found.rows[row] == word:
            return True
        row = (row + 1) & found.last
    if found.count > found.last / 2:
        if not packed_grow(found, watch):
            return False
        row = hash_of_packed(word) >> found.shift
        while packed_in_use(found, found.rows[row]):
            row = (row + 1) & found.last
    found.rows[row] = word
    found.count += 1
    return True


cdef bint packed_settle(PackedSet* found, Watch* watch) noexcept nogil:
    """All that waits is put; False when there is no memory for one."""
    cdef uint32_t count = found.waits
    cdef uint32_t i
    found.waits = 0
    for i in range(min(count, <uint32_t> PACKED_AHEAD)):
        FETCH(&found.rows[hash_of_packed(found.waiting[i]) >> found.shift])
    for i in range(count):
        if i + PACKED_AHEAD < count:
            FETCH(&found.rows[hash_of_packed(found.waiting[i + PACKED_AHEAD]) >> found.shift])
        if not packed_put(found, found.waiting[i], watch):
            return False
    return True


cdef inline bint packed_add(PackedSets* sets, PackedSet* found, uint64_t word) noexcept nogil:
    """Puts it, at the latest with `packed_sets_settle`; False when there is no memory, or after a stop."""
    found.waiting[found.waits] = word | found.generation << AT_GENERATION
    found.waits += 1
    return found.waits < PACKED_WAITING or packed_settle(found, sets.watch)


cdef bint packed_sets_settle(PackedSets* sets) noexcept nogil:
    """All that waits is put; False when there is no memory, or after a stop."""
    cdef bint put = not sets.failed
    cdef int i
    for i in range(sets.count):
        put = packed_settle(&sets.set[i], sets.watch) and put
    return put


cdef inline int off_board(const Position* P) noexcept nogil:
    """The Emperors off the board, bit i for Emperor i."""
    cdef int i
    cdef int found = 0
    for i in range(4):
        found |= (P.emperor[i] == OFF_BOARD) << i
    return found


cdef inline uint64_t packed_word(Mask revolts, Mask changed, int removed) noexcept nogil:
    """`changed`: the province whose unrest differs, as a mask; empty where there is none."""
    cdef uint64_t place = lowest(changed) if changed else NO_CHANGE
    return revolts | place << AT_CHANGED | <uint64_t> removed << AT_REMOVED


cdef inline Mask changed_unrest(const Position* start, Mask revolts, Mask unrest) noexcept nogil:
    """Where unrest is not what these revolts leave of that at the start."""
    return (unrest ^ start.unrest) & ~revolts


cdef inline bint can_be_packed(const Position* start, const Position* P) noexcept nogil:
    """Whether `packed_word` and its armies determine it."""
    cdef Mask changed = changed_unrest(start, P.revolts, P.unrest)
    cdef Mask differs = 0
    cdef int i
    for i in range(4):
        differs |= P.garrison[i] ^ (start.garrison[i] & ~P.revolts)
        differs |= P.emperor[i] ^ start.emperor[i] if P.emperor[i] != OFF_BOARD else 0
    differs |= (changed & (changed - 1)) | (P.unrest & P.revolts)
    differs |= (P.fleets ^ start.fleets) | (P.mover ^ start.mover) | (P.ip ^ start.ip) | (P.mark ^ start.mark)
    return not differs


cdef inline uint64_t word_of(const Position* start, const Position* P) noexcept nogil:
    """The word of an outcome that can be packed."""
    return packed_word(P.revolts, changed_unrest(start, P.revolts, P.unrest), off_board(P))


cdef void unpack(const Position* start, uint64_t word, Mask armies, Position* P) noexcept nogil:
    """The outcome that these determine."""
    cdef int place = <int> (word >> AT_CHANGED & 63)
    cdef int i
    P[0] = start[0]
    P.revolts = word & (bit(PROVINCES) - 1)
    P.unrest = start.unrest & ~P.revolts
    if place != NO_CHANGE:
        P.unrest ^= bit(place)
    P.armies = armies
    for i in range(4):
        P.garrison[i] &= ~P.revolts
        if word >> AT_REMOVED >> i & 1:
            P.emperor[i] = OFF_BOARD
