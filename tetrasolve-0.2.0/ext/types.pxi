# Positions, boards and action codes as the compiled code sees them.

cdef struct Action:
    Code code
    uint8_t cost           # in IP
    uint8_t chance         # in 36ths: 36 but for an outcome of an attack

cdef struct Odds:          # of one battle, in 36ths; defeat is the rest
    uint8_t victory
    uint8_t draw

cdef enum:
    MOST_GROUP = 16        # sizes of an Emperor's group are below this
    MOST_REVOLTS = MOST_DISCS + WHOLE    # in a battle, the Goths' bonus among them
    LEAST_SUPPORT = 2 + WHOLE            # e - a is at least minus this (a is 3 against the Pirates only),
    SUPPORTS = LEAST_SUPPORT + LEADERS   # and at most LEADERS - 1

cdef struct Board:
    # Rows 48 to 63 of the arrays are empty, so that OFF_BOARD can be looked up like a province.
    Mask normal[64]        # provinces one normal link away
    Mask broken[64]        # provinces one broken link away
    Mask linked[64]        # both
    Mask battle[64]        # links that count for groups and support in battle
    Mask sea[64][8]        # provinces reached by sea, for each set of zones with a fleet
    Mask back[64]          # for a border: the six provinces that must be free of revolts to secure it
    uint8_t secure_cost[64]
    signed char arrow[64]  # next province on the path to Roma, -1 where there is none
    uint8_t turn[64]       # armies advance in this order, lowest first
    uint8_t place[36]      # the province of a roll: 6 * (region - 1) + number - 1
    uint8_t border[6]      # the border of each region
    Mask region[6]         # the six numbered provinces of each region
    Mask numbered
    Mask borders
    Mask printed[4]        # printed discs of each Emperor
    Mask printed_any
    Mask no_garrison[4]    # printed discs on which an Emperor puts no garrison [I-SECURE-OWN], [I-SECURE-OTHERS], [I-SECURE-ROMA]
    Mask no_transfer[4]    # and to which he sends none [I-VIA-OWN], [I-VIA-OTHERS], [I-VIA-ROMA]
    Mask seen_through      # printed discs that garrisons do not cover [I-ROMA-COVERED]
    uint8_t capital[4]
    uint8_t roma
    uint8_t garrisons      # discs of each Emperor
    uint8_t broken_links   # how many there are on the board
    uint8_t sail_from[8][4]    # for each set of zones with a fleet: the ways to sail, zone 1 to 3
    uint8_t sail_to[8][4]
    uint8_t sails[8]           # and their number
    Odds odds[MOST_GROUP][MOST_REVOLTS + 1][SUPPORTS]    # [g][r][e - a + LEAST_SUPPORT]
    uint8_t reading[MOST_READINGS]    # the number of each reading's value, see readings.pxi
    # modules and variants, see figures.pxi
    Mask coast[3]
    uint8_t adjacent[3]    # zones adjacent to a zone, bit z - 1
    Mask voyage[2][64][8]  # Mare Nostrum: provinces reached across two zones, across three, and not across fewer
    signed char way[64]    # the arrow; where armies go without one, the next province on the shortest way to Roma
    Modules modules
    House house            # see figures.pxi
    uint8_t checks[PROVINCES]                 # broken links of each province, in the order of the board file:
    uint8_t check_to[PROVINCES][PROVINCES]    # where they lead,
    uint8_t check_of[PROVINCES][PROVINCES]    # and their numbers among all broken links


cdef inline Mask bit(int province) noexcept nogil:
    return <Mask> 1 << province


cdef inline Mask garrison_discs(const Position* P) noexcept nogil:
    return P.garrison[0] | P.garrison[1] | P.garrison[2] | P.garrison[3]


cdef inline Mask all_discs(const Position* P) noexcept nogil:
    return P.revolts | P.unrest | garrison_discs(P)


cdef inline Mask all_emperors(const Position* P) noexcept nogil:
    """Where Emperors stand (and bit 63 where one is off the board)."""
    return bit(P.emperor[0]) | bit(P.emperor[1]) | bit(P.emperor[2]) | bit(P.emperor[3])


cdef inline Mask other_emperors(const Position* P, int emperor) noexcept nogil:
    """Where the other three stand (and bit 63 where one is off the board)."""
    return (bit(P.emperor[(emperor + 1) & 3]) | bit(P.emperor[(emperor + 2) & 3]) | bit(P.emperor[(emperor + 3) & 3]))


cdef inline void lift_discs(Position* P, Mask where) noexcept nogil:
    """Whatever disc lies there goes back to its reserve."""
    P.revolts &= ~where
    P.unrest &= ~where
    P.garrison[0] &= ~where
    P.garrison[1] &= ~where
    P.garrison[2] &= ~where
    P.garrison[3] &= ~where


cdef inline Mask shielded(const Board* B, Mask garrisons, Mask discs) noexcept nogil:
    """Provinces that these garrisons, or printed discs that none of `discs` covers, protect from unrest."""
    return garrisons | (B.printed_any & ~discs)


cdef inline Code code_of(int kind, int a, int b) noexcept nogil:
    return kind | a << 4 | b << 10


cdef inline int kind_of(Code code) noexcept nogil:
    return code & 15


cdef inline int a_of(Code code) noexcept nogil:
    return code >> 4 & 63


cdef inline Code without_outcome(Code code) noexcept nogil:
    """The code of an attack, whatever comes of it."""
    return code & ~outcome_bits(code)


cdef void check_position(const Board* B, const Position* P) noexcept nogil:
    """Promises that every action and every phase keeps; looked at in the checked build only."""
    cdef Mask garrisons = 0
    cdef Mask board = bit(PROVINCES) - 1
    cdef int i, j
    for i in range(4):
        CHECK(not garrisons & P.garrison[i])                       # one disc in a province
        CHECK(popcount(P.garrison[i]) <= B.garrisons)              # the reserves
        garrisons |= P.garrison[i]
        CHECK(P.emperor[i] < PROVINCES or P.emperor[i] == OFF_BOARD)
        CHECK(not P.armies & bit(P.emperor[i]))                    # one figure in a province,
        for j in range(i):                                         # but the active Emperor may pass through
            CHECK(P.emperor[i] != P.emperor[j] or P.emperor[i] == OFF_BOARD or may_share(P, i, j))
    CHECK(not (P.revolts & P.unrest or P.revolts & garrisons or P.unrest & garrisons))
    CHECK(popcount(P.revolts) <= most_revolts(B, P) and popcount(P.unrest) <= MOST_DISCS)
    CHECK(popcount(P.armies) <= most_armies(B))
    CHECK(not ((P.revolts | P.unrest | garrisons | P.armies) & ~board))
    CHECK(P.fleets < 8 and P.mover < 4 and P.ip <= MOST_IP and P.mark <= RESULT_FALLEN + 1)
    check_figures(B, P)
