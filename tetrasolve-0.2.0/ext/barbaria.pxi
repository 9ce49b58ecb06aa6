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


# The order of checks, which matters where gray discs are spent on them: [I-CHECK-ORDER] that of the board file, or the reverse

cdef inline int next_checked(const Board* B, Mask unrest) noexcept nogil:
    """The unrest whose broken links are checked first."""
    return highest(unrest) if B.reading[I_CHECK_ORDER] else lowest(unrest)


cdef inline int check_number(const Board* B, int p, int i) noexcept nogil:
    """The row in `check_to` of the `i`th link of a province that is checked."""
    return B.checks[p] - 1 - i if B.reading[I_CHECK_ORDER] else i


# The gray discs

cdef inline void spend_gray(Position* P) noexcept nogil:
    CHECK(gray_of(P) > 0)
    P.barbarian -= 1


cdef inline void take_gray_back(Position* P) noexcept nogil:
    CHECK(gray_of(P) < MOST_GRAY)
    P.barbarian += 1


cdef inline bint may_reroll(const Board* B, const Position* P, bint rerolled) noexcept nogil:
    """Whether the dice just rolled can be rolled again; `rerolled` if they were once [I-REROLL]."""
    return gray_of(P) > 0 and (not rerolled or B.reading[I_REROLL])


cdef inline void end_phase(const Board* B, Position* P) noexcept nogil:
    """
    When Diocletian's turn begins, the Barbarian player fills up his gray discs, as far as there are any; [I-REFILL] or not if
    there are too few.
    """
    P.still = 0
    if B.reading[I_REFILL] and MOST_GRAY - gray_of(P) > unrest_in_reserve(B, P):
        return
    if B.modules.barbaria and P.mover == DIOCLETIAN:
        P.barbarian += min(MOST_GRAY - gray_of(P), unrest_in_reserve(B, P))


cdef inline Mask ways_to_turn(const Board* B, const Position* P, int p, int q) noexcept nogil:
    """
    Where an army in `p` that goes to `q`, or nowhere (-1), can be turned: not to an army, [I-TURN-BORDERS] inside the Empire or
    anywhere, [I-TURN-BLOCKED] if its way is blocked or not.
    """
    cdef Mask closed = P.armies | (0 if B.reading[I_TURN_BORDERS] else B.borders)
    if B.borders >> p & 1 or (B.reading[I_TURN_BLOCKED] and not is_free(P.armies, q)):
        return 0
    return B.linked[p] & ~(closed | (bit(q) if q >= 0 else 0))


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
    """
    Empty provinces [I-BLACK-EMPTY] where it can be placed: [I-BLACK-PLACE] of Rome only or not, [I-BLACK-CAPITALS] no capital.
    """
    cdef Mask figures = 0 if B.reading[I_BLACK_EMPTY] else P.armies | roman_figures(P)
    cdef Mask places = (bit(PROVINCES) - 1) & ~(all_discs(P) | figures)
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


cdef inline void black_revolt(const Board* B, Position* P, int p) noexcept nogil:
    P.barbarian -= 1 << 3
    place_revolts(B, P, bit(p))


cdef inline void black_army(const Board* B, Position* P, int region) noexcept nogil:
    P.barbarian -= 1 << 3
    arrive(B, P, region)


# The Emperors

cdef inline bint blocks_before_check(const Board* B, int p, int q) noexcept nogil:
    """[I-CONSTANTIUS-WHEN] Whether the army in `p` can be blocked before the check of its broken link to `q`, not after."""
    return B.reading[I_CONSTANTIUS_WHEN] and B.broken[p] >> q & 1


cdef inline bint may_block(const Board* B, const Position* P, int leader) noexcept nogil:
    """Whether Constantius is attacked and can pay to stop the army."""
    return B.modules.imperium and leader == CONSTANTIUS and can_pay(B, P, CONSTANTIUS)


cdef inline bint eager_block(Odds odds) noexcept nogil:
    return chance_of(odds, DEFEAT) > odds.victory


cdef inline int most_boosts(const Board* B, const Position* P, int leader) noexcept nogil:
    """How often Galerius, attacked, can add to his die [I-GALERIUS-DEFENDS]."""
    if not B.modules.imperium or leader != GALERIUS or B.reading[I_GALERIUS_DEFENDS]:
        return 0
    return garrisons_left(B, P, GALERIUS) + popcount(payable_discs(B, P, GALERIUS))
