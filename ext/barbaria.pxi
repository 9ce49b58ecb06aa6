# Barbaria and Imperium, Barbarian phase: what can be decided in it, and the policies that decide.
#
# A policy answers every question that comes up: whether the Barbarian player spends his black disc, rolls dice again,
# cancels or changes an advance; whether Constantius blocks, and Galerius adds to his die. All else is chance.

cdef enum:                 # policies
    POLICY_DECLINE         # no to everything
    POLICY_EAGER           # yes to what helps, see the functions `eager_...`
    POLICY_RANDOM          # each answer is as likely as the others; for phases that are rolled

cdef enum:                 # answers about an advance, beside the province that an army is turned to
    AS_EVER = -1
    CANCELLED = -2


cdef inline bint is_decided(const Board* B, int policy) noexcept nogil:
    """Whether anything comes out in another way than without decisions."""
    return policy != POLICY_DECLINE and (B.modules.imperium or B.modules.barbaria)


# The gray discs

cdef inline void spend_gray(Position* P) noexcept nogil:
    CHECK(gray_of(P) > 0)
    P.barbarian -= 1


cdef inline bint may_reroll(const Board* B, const Position* P, bint rerolled) noexcept nogil:
    """Whether the dice just rolled can be rolled again; `rerolled` if they were once [I-REROLL]."""
    return gray_of(P) > 0 and (not rerolled or B.reading[I_REROLL])


cdef inline void end_phase(const Board* B, Position* P) noexcept nogil:
    """When Diocletian's turn begins, the Barbarian player fills up his gray discs, as far as there are any."""
    P.still = 0
    if B.modules.barbaria and P.mover == DIOCLETIAN:
        P.barbarian += min(MOST_GRAY - gray_of(P), unrest_in_reserve(P))


cdef inline Mask ways_to_turn(const Board* B, const Position* P, int p, int q) noexcept nogil:
    """Where an army in `p` that goes to `q`, or nowhere (-1), can be turned: inside the Empire, not to an army."""
    if B.borders >> p & 1:
        return 0
    return B.linked[p] & ~(B.borders | P.armies | (bit(q) if q >= 0 else 0))


cdef int eager_advance(const Board* B, const Position* P, int p, int q) noexcept nogil:
    """A blocked army is turned; one that would rather lose its battle goes round the general, or stays."""
    cdef Mask ways = ways_to_turn(B, P, p, q)
    cdef Odds odds
    cdef int leader
    if q < 0:
        return AS_EVER
    if P.armies >> q & 1:
        return lowest(ways) if ways else AS_EVER
    leader = leader_at(P, q)
    if leader < 0:
        return AS_EVER
    odds = odds_of(B, P, leader, p)
    if odds.victory <= chance_of(odds, DEFEAT):
        return AS_EVER
    ways &= ~(all_emperors(P) | bit(P.dux))
    return lowest(ways) if ways else CANCELLED


# The black disc

cdef inline Mask black_places(const Board* B, const Position* P) noexcept nogil:
    """Empty provinces where it can be placed: [I-BLACK-PLACE] of Rome only or not, [I-BLACK-CAPITALS] no capital."""
    cdef Mask places = (bit(PROVINCES) - 1) & ~(all_discs(P) | P.armies | roman_figures(P))
    cdef int i
    for i in range(4):
        places &= ~bit(B.capital[i])
    if not B.reading[I_BLACK_CAPITALS]:
        places &= ~bit(B.roma)
    return places if B.reading[I_BLACK_PLACE] else places & ~B.borders


cdef inline int black_regions(const Board* B, const Position* P) noexcept nogil:
    """Regions, bit i, on whose borders an army can arrive for it: empty ones, while no army is on the board."""
    cdef int regions = 0
    cdef int i
    if P.armies:
        return 0
    for i in range(6):
        if not (roman_figures(P) | all_discs(P)) >> B.border[i] & 1:
            regions |= 1 << i
    return regions


cdef inline bint may_place_black(const Board* B, const Position* P, bint first) noexcept nogil:
    """Whether he is asked; `first` at the beginning of the phase, else [I-BLACK-WHEN] before steps 2 and 3."""
    return black_of(P) and (first or not B.reading[I_BLACK_WHEN])


cdef inline void black_revolt(Position* P, int p) noexcept nogil:
    P.barbarian -= 1 << 3
    place_revolts(P, bit(p))


cdef inline void black_army(const Board* B, Position* P, int region) noexcept nogil:
    P.barbarian -= 1 << 3
    arrive(B, P, region)


# The Emperors

cdef inline bint may_block(const Board* B, const Position* P, int leader) noexcept nogil:
    """Whether Constantius is attacked and can pay to stop the army."""
    return B.modules.imperium and leader == CONSTANTIUS and can_pay(B, P, CONSTANTIUS)


cdef inline bint eager_block(Odds odds) noexcept nogil:
    return chance_of(odds, DEFEAT) > odds.victory


cdef inline int most_boosts(const Board* B, const Position* P, int leader) noexcept nogil:
    """How often Galerius, attacked, can add to his die."""
    if not B.modules.imperium or leader != GALERIUS:
        return 0
    return garrisons_left(B, P, GALERIUS) + popcount(payable_discs(B, P, GALERIUS))
