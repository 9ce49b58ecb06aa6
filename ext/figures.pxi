# The whole position: Dux, Vicarius, Pirates, Goths, rebels and glory beside what the base game knows. It replaces
# bare.pxi, function by function.

cdef enum:
    WHOLE = 1
    LEADERS = 5            # the Emperors, and the Dux
    DUX_LEADS = 4
    # 75 of the Emperor, 8 + 41 deployments or 62 of the Dux and 47 of the Vicarius, 8 transfers; 6 ways to pay for a power;
    # 141 moves of other Emperors, or 372 outcomes of 4 attacks with 31 ways to pay
    MOST_ACTIONS = 608
    MOST_FULL_IP = 9           # at the start of a turn, by a house rule
    MOST_IP = MOST_FULL_IP + MAXIMIAN_IP
    LEVELS = MOST_IP + 2       # see `level_of`
    NOT_IN_PLAY = 62           # the province of a figure that is not in play yet; as OFF_BOARD a bit in no mask of the board
    MOST_REBELS = 3
    NARROWEST = 3              # see `scope_without`
    MOST_ROWS_OF_A_TURN = 200_000    # positions that a policy looks at before it narrows a turn,
    MOST_ROWS_OF_A_NEXT_TURN = 30_000    # and of the turn that follows
    OTHERS = 5                 # figures beside the active Emperor that make steps
    MODULE_FEATURES = 161      # see modulefeatures.pxi

cdef enum:                 # kinds of actions that the base game does not know
    ACT_DEPLOY = 8
    ACT_TRANSFER = 9
    ACT_PIRATES = 10       # an attack on the Pirates
    ACT_IMPERIUM = 11      # the active Emperor uses his power, for the disc of a province or, NOT_IN_PLAY, of his reserve

ctypedef uint64_t Code     # of an action; from bit 15 on the discs that are paid in an attack, see imperium.pxi

cdef Code LAST_CODE = 0xffffffffffff

cdef Code NO_CODE = 0xffffffffffffffff    # no action has it

cdef enum:
    DICE_LIE = 3           # in the place of an outcome: the dice have fallen, and discs can still be paid

cdef enum:                 # figures that act: bits 12 to 14 of an action code. Position.passing is the figure + 1
    EMPEROR
    DUX
    VICARIUS               # Emperor 1, 2, 3 whom Diocletian moves is this number + his own

cdef enum:                 # Emperors with a power of their own
    DIOCLETIAN
    GALERIUS
    CONSTANTIUS
    MAXIMIAN

cdef enum:                 # whom a rebel army's figure is taken from
    REBEL_IS_DUX = 1
    REBEL_IS_GOTHS = 2

cdef struct Position:      # 96 bytes; the first 64 as in the base game
    Mask revolts
    Mask unrest
    Mask garrison[4]
    Mask armies            # Goths and rebels among them
    uint8_t emperor[4]
    uint8_t fleets
    uint8_t mover
    uint8_t ip
    uint8_t mark
    Mask rebels            # borders where a rebel army stands
    Mask still             # within a Barbarian phase armies placed in it that do not advance in it, fallen dice in a turn; else 0
    uint8_t rebel[3]       # of each rebel, lowest province first: the zone whose fleet an attack needs + 4 * its figure
    uint8_t dux            # a province, NOT_IN_PLAY, or OFF_BOARD: dead, or not played
    uint8_t vicarius
    uint8_t goths          # a province, NOT_IN_PLAY, or OFF_BOARD: not played
    uint8_t pirates        # their zone, or 0
    uint8_t passing        # the figure that shares a province and must move on, + 1; or 0
    uint8_t glory[4]       # discs of each Emperor
    uint16_t removed       # discs that each Emperor has paid for his power, four bits each
    uint8_t barbarian      # discs of the Barbarian player: gray ones, + 8 if he has the black one
    uint8_t power          # 1 once the active Emperor has used his in this turn

assert sizeof(Position) == 96, "a position must have no gap"

cdef struct Modules:       # what is played
    bint any               # of the modules and variants
    bint dux
    bint vicarius
    bint pirates
    bint goths
    bint mare_nostrum
    bint via_romana
    bint usurpator
    bint roma_aeterna
    bint imperium
    bint barbaria

cdef struct House:         # numbers of the rulebook that house rules change, see house.pxi
    uint8_t ip
    uint8_t sail
    uint8_t secure
    uint8_t secure_border
    uint8_t remove_revolt
    uint8_t remove_unrest
    uint8_t reduce_revolt
    uint8_t attack
    uint8_t deploy_dux
    uint8_t deploy_vicarius
    uint8_t attack_pirates
    uint8_t revolts
    uint8_t unrest
    uint8_t armies
    uint8_t first_revolts
    uint8_t borders_to_win
    uint8_t support_factor
    uint8_t roman_bonus
    uint8_t barbarian_bonus

cdef struct Board          # see types.pxi
cdef struct Recall         # see recall.pxi
cdef struct Action
cdef struct Criterion      # see solve.pxi


# House rules

cdef inline int most_armies(const Board* B) noexcept nogil:
    return B.house.armies


cdef inline int full_ip(const Board* B) noexcept nogil:
    """At the start of a turn."""
    return B.house.ip


cdef inline int secure_province_cost(const Board* B) noexcept nogil:
    return B.house.secure


cdef inline int secure_border_cost(const Board* B) noexcept nogil:
    return B.house.secure_border


cdef inline int support_factor(const Board* B) noexcept nogil:
    """What each figure that supports in battle multiplies by."""
    return B.house.support_factor


cdef inline int roman_bonus(const Board* B) noexcept nogil:
    return B.house.roman_bonus


cdef inline int barbarian_bonus(const Board* B) noexcept nogil:
    return B.house.barbarian_bonus


cdef inline int sail_cost(const Board* B) noexcept nogil:
    return B.house.sail


cdef inline int remove_revolt_cost(const Board* B) noexcept nogil:
    return B.house.remove_revolt


cdef inline int remove_unrest_cost(const Board* B) noexcept nogil:
    return B.house.remove_unrest


cdef inline int reduce_cost(const Board* B) noexcept nogil:
    return B.house.reduce_revolt


cdef inline int more_for_attack(const Board* B) noexcept nogil:
    """IP of an attack beyond those of a move."""
    return B.house.attack


cdef inline int first_revolts(const Board* B) noexcept nogil:
    """Of each region, in a set-up."""
    return B.house.first_revolts


cdef inline int most_additional(const Board* B) noexcept nogil:
    """Revolts beside the first ones in a set-up."""
    return B.house.revolts - 6 * B.house.first_revolts


cdef inline bint has_won(const Board* B, Mask garrisons) noexcept nogil:
    """Whether so many borders are secured that the game is won."""
    return popcount(B.borders & garrisons) >= B.house.borders_to_win


# Codes

cdef inline int b_of(Code code) noexcept nogil:
    return code >> 10 & 3


cdef inline bint is_attack(Code code) noexcept nogil:
    return code & 15 == ACT_ATTACK or code & 15 == ACT_PIRATES


cdef inline Code branch_name(Code code) noexcept nogil:
    """How a plan names the attack that it branches at: by its code but for the outcome."""
    return without_outcome(code)


cdef inline Code outcome_bits(Code code) noexcept nogil:
    """Where the code of an attack says what comes of it: its outcome, or what fallen dice show."""
    return <Code> 3 << 10 if b_of(code) != DICE_LIE else <Code> 0x3f << 15


cdef inline int branch_of(Code code) noexcept nogil:
    """How a plan names a branch: by the outcome, or by what fallen dice show, see imperium.pxi."""
    return b_of(code) if b_of(code) != DICE_LIE else <int> (code >> 15)


cdef inline int attacked_in(Code code) noexcept nogil:
    """The province of the army that is attacked, `PROVINCES` for the Pirates."""
    return PROVINCES if code & 15 == ACT_PIRATES else a_of(code)


cdef inline int figure_of(Code code) noexcept nogil:
    return code >> 12 & 7


cdef inline Code by_figure(Code code, int figure) noexcept nogil:
    """The code of an action of this figure."""
    return code | <Code> figure << 12


# Figures

cdef inline int passing_figure(const Position* P) noexcept nogil:
    """The figure that shares a province."""
    return P.passing - 1


cdef inline int leader_of(const Position* P, int figure) noexcept nogil:
    """The leader that a figure is in battle."""
    return DUX_LEADS if figure == DUX else P.mover


cdef inline bint enters_revolts(int figure) noexcept nogil:
    """Whether it can move where a revolt lies."""
    return figure != VICARIUS


cdef inline int place_of(const Position* P, int leader) noexcept nogil:
    """The province of one who leads a battle."""
    return P.dux if leader == DUX_LEADS else P.emperor[leader]


cdef inline int figure_place(const Position* P, int figure) noexcept nogil:
    """The province of one who acts."""
    if figure > VICARIUS:
        return P.emperor[figure - VICARIUS]
    return P.emperor[P.mover] if figure == EMPEROR else P.dux if figure == DUX else P.vicarius


cdef inline Mask other_figures(const Position* P, int figure) noexcept nogil:
    """Where the other Roman figures stand (and bits 62 and 63)."""
    cdef Mask others = other_emperors(P, figure - VICARIUS if figure > VICARIUS else P.mover)
    if figure == DUX or figure == VICARIUS:
        others |= bit(P.emperor[P.mover])
    if figure != DUX:
        others |= bit(P.dux)
    if figure != VICARIUS:
        others |= bit(P.vicarius)
    return others


cdef inline Mask closed_to(const Board* B, const Position* P, int figure) noexcept nogil:
    """Provinces that a figure cannot move to, whatever lies there: [I-VICARIUS-PASS] that of the Vicarius, or none."""
    return bit(P.vicarius) if B.reading[I_VICARIUS_PASS] and figure != VICARIUS else 0


cdef inline Mask closed_entries(const Board* B, const Position* P) noexcept nogil:
    """Provinces where no Emperor enters: [I-VICARIUS-ENTRY] that of the Vicarius, or none."""
    return bit(P.vicarius) if B.reading[I_VICARIUS_ENTRY] else 0


cdef inline Mask roman_figures(const Position* P) noexcept nogil:
    """Where they stand (and bits 62 and 63)."""
    return all_emperors(P) | bit(P.dux) | bit(P.vicarius)


cdef inline Mask supporters(const Position* P, int leader) noexcept nogil:
    """Where those stand who may support him (and bits 62 and 63)."""
    if leader == DUX_LEADS:
        return all_emperors(P)
    return other_emperors(P, leader) | bit(P.dux)


cdef inline Mask all_leaders(const Position* P) noexcept nogil:
    """Where those stand who can lead a battle (and bits 62 and 63)."""
    return all_emperors(P) | bit(P.dux)


cdef inline int crowd(const Position* P) noexcept nogil:
    """How many Roman figures there are more than provinces where they stand."""
    cdef Mask board = bit(PROVINCES) - 1
    cdef int i
    cdef int count = (P.dux < PROVINCES) + (P.vicarius < PROVINCES)
    for i in range(4):
        count += P.emperor[i] < PROVINCES
    return count - popcount(roman_figures(P) & board)


cdef inline int leader_at(const Position* P, int q) noexcept nogil:
    """The Emperor, or `DUX_LEADS`, who stands there; or -1."""
    cdef int i
    for i in range(4):
        if P.emperor[i] == q:
            return i
    return DUX_LEADS if P.dux == q else -1


cdef inline void take_off(Position* P, int leader) noexcept nogil:
    """A beaten leader leaves the board, the Dux for good."""
    if leader == DUX_LEADS:
        P.dux = OFF_BOARD
    else:
        P.emperor[leader] = OFF_BOARD


cdef inline bint somebody_passes(const Position* P) noexcept nogil:
    return P.passing != 0


cdef inline bint may_pass(const Position* P, int emperor, int other) noexcept nogil:
    cdef int moved = P.passing - 1 - VICARIUS if P.passing > VICARIUS + 1 else P.mover
    return emperor == moved or other == moved


cdef inline bint may_share(const Position* P, int emperor, int other) noexcept nogil:
    return P.mark == ROMAN_OPEN and P.passing and may_pass(P, emperor, other)


# Rebels

cdef inline int rebel_number(const Position* P, int p) noexcept nogil:
    return popcount(P.rebels & (bit(p) - 1))


cdef inline bint may_be_attacked(const Position* P, int army) noexcept nogil:
    """A rebel army only with a fleet in its zone."""
    return not P.rebels >> army & 1 or P.fleets >> ((P.rebel[rebel_number(P, army)] & 3) - 1) & 1


cdef inline void forget_rebel(Position* P, int p) noexcept nogil:
    cdef int i
    for i in range(rebel_number(P, p), MOST_REBELS - 1):
        P.rebel[i] = P.rebel[i + 1]
    P.rebel[MOST_REBELS - 1] = 0
    P.rebels ^= bit(p)


# Goths

cdef inline int goths_bonus(const Board* B, const Position* P, int army, Mask support) noexcept nogil:
    """What is added to the Barbarian die: if they are the army of the battle, or one that supports it."""
    if P.goths >= PROVINCES:
        return 0
    if P.goths == army or (not B.reading[I_GOTHS_SUPPORT] and support >> P.goths & 1):
        return GOTHS_IN_BATTLE
    return 0


cdef inline void remove_army(Position* P, int p) noexcept nogil:
    """An army goes back to the reserve, and any disc of its province."""
    P.armies ^= bit(p)
    P.still &= ~bit(p)
    if P.goths == p:
        P.goths = NOT_IN_PLAY
    if P.rebels >> p & 1:
        forget_rebel(P, p)
    lift_discs(P, bit(p))


# Vicarius

cdef inline bint place_revolts(const Board* B, Position* P, Mask where) noexcept nogil:
    """Revolts where none lie, in the place of whatever disc does; False when too few are left."""
    if popcount(P.revolts | where) > most_revolts(B, P):
        return False
    lift_discs(P, where)
    P.revolts |= where
    if where >> P.vicarius & 1:
        P.vicarius = OFF_BOARD
    return True


# Pirates

cdef inline int most_fleets(const Board* B) noexcept nogil:
    """They lie where a third fleet would."""
    return FLEETS_WITH_PIRATES if B.modules.pirates else 3


# Glory

cdef inline int glory_taken(const Position* P) noexcept nogil:
    return P.glory[0] + P.glory[1] + P.glory[2] + P.glory[3]


cdef inline int unrest_in_reserve(const Board* B, const Position* P) noexcept nogil:
    return <int> B.house.unrest - popcount(P.unrest) - glory_taken(P) - gray_of(P)


cdef inline void take_glory(const Board* B, Position* P, int leader, int active) noexcept nogil:
    """
    Roma Aeterna: the leader of a victory takes a disc if one is left, [I-GLORY-DUX] for the Dux nobody or the active Emperor.
    Whatever else the victory brings has happened already.
    """
    cdef int emperor = active if leader == DUX_LEADS else leader
    if leader == DUX_LEADS and not B.reading[I_GLORY_DUX]:
        return
    if B.modules.roma_aeterna and unrest_in_reserve(B, P):
        P.glory[emperor] += GLORY_A_BATTLE


cdef inline void battle_won(const Board* B, Position* P, int leader) noexcept nogil:
    """An attack of the active Emperor's turn."""
    take_glory(B, P, leader, P.mover)


cdef inline void battle_lost(const Board* B, Position* P, int leader) noexcept nogil:
    if leader != DUX_LEADS and P.glory[leader]:
        P.glory[leader] -= GLORY_A_BATTLE


cdef inline void defence_won(const Board* B, Position* P, int leader) noexcept nogil:
    """In the Barbarian phase, when the next Emperor is to move: [I-GLORY-DEFENCE] with glory or not."""
    if not B.reading[I_GLORY_DEFENCE]:
        take_glory(B, P, leader, (P.mover + 3) & 3)


cdef inline void defence_lost(const Board* B, Position* P, int leader) noexcept nogil:
    """The same: [I-SHAME-DEFENCE] with a disc given back or not."""
    if not B.reading[I_SHAME_DEFENCE]:
        battle_lost(B, P, leader)


# Discs of the Barbarian player, who holds them out of the reserves

cdef inline int gray_of(const Position* P) noexcept nogil:
    return P.barbarian & 7


cdef inline int black_of(const Position* P) noexcept nogil:
    return P.barbarian >> 3


cdef inline int held_back(const Position* P) noexcept nogil:
    """Revolts that cannot lie on the board."""
    return black_of(P)


cdef inline int most_revolts(const Board* B, const Position* P) noexcept nogil:
    """That can lie on the board."""
    return <int> B.house.revolts - black_of(P)


# Discs paid for powers, and the turns that these change

cdef inline int removed_of(const Position* P, int emperor) noexcept nogil:
    return P.removed >> 4 * emperor & 15


cdef inline int garrisons_left(const Board* B, const Position* P, int emperor) noexcept nogil:
    """In the reserve of an Emperor."""
    return <int> B.garrisons - removed_of(P, emperor) - popcount(P.garrison[emperor])


cdef inline bint power_open(const Board* B, const Position* P) noexcept nogil:
    """
    Whether the active Emperor has a power of his turn that he has not used yet; whether he can pay is not asked.
    [I-MAXIMIAN-WHEN] Maximian at any time, or before he has spent IP.
    """
    if B.reading[I_MAXIMIAN_WHEN] and P.mover == MAXIMIAN and P.ip < full_ip(B):
        return False
    return (
        B.modules.imperium and P.mark == ROMAN_OPEN and not P.power and (P.mover == DIOCLETIAN or P.mover == MAXIMIAN))


cdef inline int level_of(const Board* B, const Position* P) noexcept nogil:
    """At least the most actions that can follow in this turn. Every one but the entry leads to a lower level."""
    return P.ip + (1 + MAXIMIAN_IP) * power_open(B, P)


cdef inline int ip_after(const Position* P, Action action) noexcept nogil:
    return P.ip - action.cost + (MAXIMIAN_IP if kind_of(action.code) == ACT_IMPERIUM and P.mover == MAXIMIAN else 0)


cdef inline int ip_paid(const Position* start, const Position* P) noexcept nogil:
    """On the way from one position of a turn to another: Maximian gets one for a disc."""
    cdef bint more = P.mover == MAXIMIAN and removed_of(P, MAXIMIAN) > removed_of(start, MAXIMIAN)
    return <int> start.ip - <int> P.ip + more * MAXIMIAN_IP


cdef inline bint acts_alone(const Board* B, const Position* P) noexcept nogil:
    """
    Whether nobody but the active Emperor moves in his turn, and only he moves discs: no Dux and no Vicarius is in play or can be
    deployed, no disc can be transferred and no power is used.
    """
    return P.dux == OFF_BOARD and P.vicarius == OFF_BOARD and not B.modules.via_romana and not B.modules.imperium


cdef inline void forget_passing(Position* P) noexcept nogil:
    """That the active Emperor shares a province."""
    P.passing = 0


cdef inline void forget_power(Position* P) noexcept nogil:
    """The active Emperor's power of this turn."""
    P.power = 0


# Positions as bytes

cdef inline uint64_t figure_word(const Position* P, int i) noexcept nogil:
    """The last sixteen bytes, eight at a time."""
    cdef uint64_t word
    memcpy(&word, <const unsigned char*> P + (sizeof(Position) - 16 + 8 * i), 8)
    return word


cdef inline uint64_t hash_of_figures(const Position* P) noexcept nogil:
    return (P.rebels * 0x8EBC6AF09C88C6E3u + P.still * 0x589965CC75374CC3u
            + figure_word(P, 0) * 0x1D8E4E27C47D124Fu + figure_word(P, 1) * 0xEB44ACCAB455D165u)


cdef inline uint64_t figures_differ(const Position* P, const Position* Q) noexcept nogil:
    return ((P.rebels ^ Q.rebels) | (P.still ^ Q.still)
            | (figure_word(P, 0) ^ figure_word(Q, 0)) | (figure_word(P, 1) ^ figure_word(Q, 1)))


cdef void check_figures(const Board* B, const Position* P) noexcept nogil:
    """Promises of the modules; looked at in the checked build only."""
    cdef int figure, i
    cdef int sharing = 0
    for figure in range(VICARIUS + 4):
        CHECK(figure == EMPEROR or figure_place(P, figure) < PROVINCES or figure_place(P, figure) >= NOT_IN_PLAY)
        if figure_place(P, figure) < PROVINCES and other_figures(P, figure) >> figure_place(P, figure) & 1:
            sharing |= 1 << figure
        CHECK(not P.armies >> figure_place(P, figure) & 1)
    CHECK(not P.passing or sharing >> (P.passing - 1) & 1)        # who passes is one of those who share,
    CHECK(P.passing <= VICARIUS + 1 or (P.mover == DIOCLETIAN and P.power))
    CHECK(crowd(P) == (P.passing != 0))                           # and nobody else shares
    CHECK(not (P.revolts | (0 if B.reading[I_VICARIUS_UNREST] else P.unrest)) >> P.vicarius & 1)
    CHECK(P.goths >= NOT_IN_PLAY or P.armies >> P.goths & 1)
    CHECK(P.goths == OFF_BOARD or B.modules.goths)
    CHECK(P.pirates <= 3 and (not P.pirates or not P.fleets >> (P.pirates - 1) & 1))
    CHECK(not P.rebels & ~(P.armies & P.revolts & B.borders))
    CHECK(popcount(P.rebels) <= MOST_REBELS and (P.goths >= NOT_IN_PLAY or not P.rebels >> P.goths & 1))
    for i in range(MOST_REBELS):
        CHECK((P.rebel[i] != 0) == (i < popcount(P.rebels)))
    CHECK(unrest_in_reserve(B, P) >= 0 and (B.modules.roma_aeterna or not glory_taken(P)))
    CHECK(gray_of(P) <= MOST_GRAY and black_of(P) <= 1 and (B.modules.barbaria or not P.barbarian))
    CHECK(B.modules.imperium or not (P.removed or P.power))
    for i in range(4):
        CHECK(garrisons_left(B, P, i) >= 0)
    CHECK(not P.power or (P.mark != PHASE_BARBARIAN and removed_of(P, P.mover)))
    CHECK(not P.power or P.mover == DIOCLETIAN or P.mover == MAXIMIAN)
    CHECK(P.ip <= full_ip(B) or (P.power and P.mover == MAXIMIAN))
