# The bare game: no figure but Emperors and armies. figures.pxi stands in its place where modules are played.
#
# The other chapters are the same for both. Where a module changes what they do they call a function that is found here
# in its simplest form, and that the compiler makes nothing of.

cdef enum:
    WHOLE = 0              # 1 in the kernel of the whole rulebook
    LEADERS = 4            # figures that can lead a battle
    MOST_ACTIONS = 96      # above 2 entries, or 47 moves + 4 sails + 4 in the province + 9 outcomes of attacks
    MOST_IP = 6            # an Emperor can have
    LEVELS = MOST_IP + 1   # see `level_of`

ctypedef uint16_t Code     # of an action

cdef Code LAST_CODE = 0xfff    # none is higher

cdef struct Position:      # 64 bytes: one cache line
    Mask revolts
    Mask unrest
    Mask garrison[4]       # the discs of each Emperor
    Mask armies
    uint8_t emperor[4]     # province of each Emperor, or OFF_BOARD
    uint8_t fleets         # bit z - 1: a fleet in zone z
    uint8_t mover          # the active Emperor
    uint8_t ip             # IP left
    uint8_t mark           # phase and result

assert sizeof(Position) == 64, "a position must be one cache line"

cdef struct Modules:
    bint none              # C knows no structure without a member

cdef struct Board          # see types.pxi
cdef struct Action


cdef inline int b_of(Code code) noexcept nogil:
    return code >> 10


cdef inline bint is_attack(Code code) noexcept nogil:
    return code & 15 == ACT_ATTACK


cdef inline int branch_name(Code code) noexcept nogil:
    """How a plan names the attack that it branches at: by the province of the army."""
    return a_of(code)


cdef inline int place_of(const Position* P, int leader) noexcept nogil:
    """The province of one who leads a battle."""
    return P.emperor[leader]


cdef inline Mask supporters(const Position* P, int leader) noexcept nogil:
    """Where those stand who may support him (and bit 63 where one is off the board)."""
    return other_emperors(P, leader)


cdef inline int goths_bonus(const Board* B, const Position* P, int army, Mask support) noexcept nogil:
    """What is added to the Barbarian die."""
    return 0


cdef inline bint somebody_passes(const Position* P) noexcept nogil:
    """Whether the active Emperor shares a province."""
    return P.emperor[P.mover] != OFF_BOARD and other_emperors(P, P.mover) >> P.emperor[P.mover] & 1


cdef inline uint64_t hash_of_figures(const Position* P) noexcept nogil:
    return 0


cdef inline uint64_t figures_differ(const Position* P, const Position* Q) noexcept nogil:
    return 0


cdef inline void check_figures(const Board* B, const Position* P) noexcept nogil:
    pass


cdef inline bint may_share(const Position* P, int emperor, int other) noexcept nogil:
    """Whether one of two Emperors may be passing through the other's province."""
    return P.mark == ROMAN_OPEN and (emperor == P.mover or other == P.mover)


cdef inline bint may_pass(const Position* P, int emperor, int other) noexcept nogil:
    """The same in any position that may be handed over."""
    return emperor == P.mover or other == P.mover


cdef inline int most_revolts(const Position* P) noexcept nogil:
    """That can lie on the board."""
    return MOST_DISCS


cdef inline int garrisons_left(const Board* B, const Position* P, int emperor) noexcept nogil:
    """In the reserve of an Emperor."""
    return B.garrisons - popcount(P.garrison[emperor])


cdef inline int level_of(const Board* B, const Position* P) noexcept nogil:
    """The most actions that can follow in this turn. Every one but the entry leads to a lower level."""
    return P.ip


cdef inline int ip_after(const Position* P, Action action) noexcept nogil:
    return P.ip - action.cost


cdef inline int ip_paid(const Position* start, const Position* P) noexcept nogil:
    """On the way from one position of a turn to another."""
    return <int> start.ip - <int> P.ip


cdef inline void begin_turn(Position* P) noexcept nogil:
    """Of the next Emperor, as soon as the Barbarian phase is over."""
    P.mover = (P.mover + 1) & 3
    P.ip = FULL_IP
    P.mark = ROMAN_OPEN


cdef inline bint decides_after_dice(const Board* B, const Position* P) noexcept nogil:
    """Whether the active Emperor may have to decide something between the dice of an attack and its outcome."""
    return False


cdef int check_figures_make_sense(const Position* P) except -1:
    return 0


cdef int check_figures_of_board(const Board* B, const Position* P) except -1:
    return 0


cdef inline int most_fleets(const Board* B) noexcept nogil:
    return 3


cdef int take_modules(Board* B, dict modules, tuple region, tuple number) except -1:
    """Tables of the modules, from the arguments that the base game does not know."""
    for name in modules:
        raise TypeError(f"Tables has no argument {name!r}")
    return 0
