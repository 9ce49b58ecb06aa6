# What is kept while the outcomes of a Barbarian phase are gathered.

cdef enum:
    NO_FRESH_ARMY = 6      # index of Marches; 0 to 5: a fresh army on the border of that region
    MOST_STAGES = 40       # each of three armies is removed, goes or stays: 1 + 3 + 9 + 27
    NO_STAGE = -1

cdef struct Advance:       # one way the armies can move when no Emperor is in the way: it does not depend on discs
    Mask armies
    Mask entered           # provinces entered, where a revolt lies then
    double chance
    PackedSet* packed      # of these armies, once it was asked for

cdef struct Stage:         # where an Emperor is in the way: what some armies have done, and which one is next
    Mask armies
    Mask entered           # provinces entered, where a revolt lies,
    Mask cleared           # and those that a beaten army has left without a disc
    uint8_t removed        # Emperors off the board
    int8_t army            # the next one that is free to go, -1: all have gone
    int8_t leader          # the Emperor in its way, -1: nobody
    int8_t beaten          # the stages after it: this army is removed,
    int8_t gone            # has gone (NO_STAGE: to Roma),
    int8_t stays           # or stays
    bint fought            # with these revolts, and these discs of the Emperor's group, his battle has these odds
    Odds odds
    Mask revolts
    Mask members
    PackedSet* packed      # as of an advance

cdef struct Marches:       # all of them
    Advance[8] way
    int count
    bint ready
    bint battle            # an Emperor is in the way of an army: then there are stages instead
    Stage[MOST_STAGES] stage
    int stages
    March march            # in this order
    double fall            # chance that an army enters Roma

cdef struct Sweep:
    const Board* board
    Position start         # the position of the phase, without the Emperors that step 1 removes
    SpreadOutcomes spread
    Echoes echoes
    Echoes before          # of the uprising before this one, where uprisings are counted
    Mask closed            # numbered provinces of the regions whose border is not empty: the echo rolls for them
    bint army_left         # in the reserve
    Marches[7] marches
    Position leaf          # the outcome being made
    bint gather            # keep distinct outcomes in the book,
    bint counting          # or where only their number is asked for, most of them packed; then `mass` is their chance
    PackedSets packed
    int removed            # the Emperors off the board at the start
    double mass
    const Worth* worth     # or NULL; what each outcome is weighed by
    double weighed         # their sum
    bint failed            # no memory
    Watch watch            # of the call that it is used by
    Book book
    Figures figures


cdef int sweep_open(Sweep* S) except -1:
    memset(S, 0, sizeof(Sweep))
    S.spread.watch = &S.watch
    try:
        echoes_open(&S.echoes)
        echoes_open(&S.before)
        book_open(&S.book, True)
        packed_sets_open(&S.packed)
        S.book.watch = S.packed.watch = &S.watch
    except MemoryError:
        sweep_close(S)
        raise
    return 0


cdef void sweep_close(Sweep* S) noexcept nogil:
    free(S.spread.rows)
    echoes_close(&S.echoes)
    echoes_close(&S.before)
    book_close(&S.book)
    packed_sets_close(&S.packed)


cdef size_t sweep_size(const Sweep* S) noexcept nogil:
    """Bytes it takes."""
    return (
        sizeof(Sweep) + S.spread.capacity * sizeof(SpreadOutcome)
        + echoes_size(&S.echoes) + echoes_size(&S.before) + book_size(&S.book) + packed_sets_size(&S.packed))


cdef void sweep_restart(Sweep* S, bint gather) noexcept nogil:
    """All empty, all figures at zero."""
    S.gather = gather
    S.counting = False
    S.mass = 0
    S.worth = NULL
    S.weighed = 0
    S.failed = S.spread.failed = S.echoes.failed = S.before.failed = False
    memset(&S.figures, 0, sizeof(Figures))
    echoes_clear(&S.echoes)
    echoes_clear(&S.before)
    book_clear(&S.book)
    packed_sets_clear(&S.packed)


cdef inline void only_count(Sweep* S) noexcept nogil:
    """Of the outcomes that are gathered next only the number, and their chance, are asked for."""
    S.counting = True


cdef bint sweep_settle(Sweep* S) noexcept nogil:
    """All outcomes gathered; False when there was no memory for one."""
    cdef bint settled = book_settle(&S.book)
    return packed_sets_settle(&S.packed) and settled


cdef inline int64_t number_gathered(const Sweep* S) noexcept nogil:
    """How many distinct outcomes were gathered, falls not among them."""
    return S.book.count + packed_count(&S.packed)


cdef inline double packed_mass(const Sweep* S) noexcept nogil:
    """The chance of the outcomes that are not in the book."""
    return S.mass


cdef inline bint sweep_failed(const Sweep* S) noexcept nogil:
    return S.failed or S.spread.failed or S.echoes.failed or S.before.failed


cdef inline Position* next_leaf(Sweep* S) noexcept nogil:
    """Where the next outcome is to be written for `visit_leaf`."""
    return book_draft(&S.book) if S.gather else &S.leaf


cdef inline uint64_t hash_of_leaf(const Position* leaf) noexcept nogil:
    """`hash_of` without the garrisons: but for battles the revolts determine which of them are left."""
    return mixed_sum(
        leaf.revolts * 0x9E3779B97F4A7C15u + leaf.unrest * 0xBF58476D1CE4E5B9u + leaf.armies * 0xA0761D6478BD642Fu
        + last_word(leaf) * 0xE7037ED1A0B428DBu)


cdef inline void visit_leaf(Sweep* S, const Position* leaf, int revolts, double chance) noexcept nogil:
    """One outcome of the phase in which the Empire stands, with so many revolts; if they are gathered, it is in the draft."""
    if CHECKED_BUILD:
        check_position(S.board, leaf)
    S.figures.visits += 1
    S.figures.e_revolts += chance * revolts
    if S.worth:
        S.weighed += chance * worth_of(S.worth, leaf)
    if S.gather and not add_draft(&S.book, hash_of_leaf(leaf), chance):
        S.failed = True


cdef inline bint visit_packed(
    Sweep* S, uint64_t word, Mask armies, PackedSet** known, int revolts, double chance,
) noexcept nogil:
    """
    The same with a packed outcome, where they are counted; False if there is no set for these armies. `known` keeps the set
    from one call to the next, NULL at first.
    """
    cdef Position leaf
    cdef PackedSet* found = known[0]
    if not found:
        found = known[0] = packed_set_of(&S.packed, armies)
        if not found:
            return False
    if CHECKED_BUILD:
        CHECK(found == packed_set_of(&S.packed, armies))
        unpack(&S.start, word, armies, &leaf)
        check_position(S.board, &leaf)
        CHECK(can_be_packed(&S.start, &leaf) and word == word_of(&S.start, &leaf))
    S.figures.visits += 1
    S.figures.e_revolts += chance * revolts
    S.mass += chance
    if not packed_add(&S.packed, found, word):
        S.failed = True
    return True
