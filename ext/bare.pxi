# The bare game: no figure but Emperors and armies. figures.pxi replaces it where modules are played.
#
# The other files are the same for both kernels. Where a module changes what they do they call a function whose simplest form is
# here, and which the compiler removes.

cdef enum:
    WHOLE = 0              # 1 in the kernel of the whole rulebook
    EMPEROR = 0            # the only figure that acts
    LEADERS = 4            # figures that can lead a battle
    MOST_ACTIONS = 96      # above 2 entries, or 47 moves + 4 sails + 4 in the province + 9 outcomes of attacks
    MOST_IP = FULL_IP      # an Emperor can have
    LEVELS = MOST_IP + 1   # see `level_of`
    NOT_IN_PLAY = 62       # the province of a figure of a module
    NARROWEST = 0          # see `scope_without`
    MOST_ROWS_OF_A_TURN = 0
    MOST_ROWS_OF_A_NEXT_TURN = 0
    OTHERS = 1             # figures beside the active Emperor that make steps; C knows no array without a member
    MODULE_FEATURES = 0

ctypedef uint16_t Code     # of an action

cdef Code LAST_CODE = 0xfff    # none is higher

cdef Code NO_CODE = 0xffff    # no action has it

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

cdef struct House:
    bint none              # see figures.pxi

cdef struct Board          # see types.pxi
cdef struct Action
cdef struct Recall         # see recall.pxi
cdef struct Criterion      # see solve.pxi
cdef struct PhaseDice      # see phasedice.pxi
cdef struct Mind           # see policies.pxi


cdef inline int b_of(Code code) noexcept nogil:
    return code >> 10


cdef inline bint is_attack(Code code) noexcept nogil:
    return code & 15 == ACT_ATTACK


cdef inline int branch_name(Code code) noexcept nogil:
    """How a plan names the attack that it branches at: by the province of the army."""
    return a_of(code)


cdef inline Code outcome_bits(Code code) noexcept nogil:
    """Where the code of an attack says what comes of it."""
    return <Code> 3 << 10


cdef inline int branch_of(Code code) noexcept nogil:
    """How a plan names a branch: by the outcome."""
    return b_of(code)


cdef inline int attacked_in(Code code) noexcept nogil:
    """The province of the army that is attacked."""
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


cdef inline int held_back(const Position* P) noexcept nogil:
    """Revolts that cannot lie on the board."""
    return 0


cdef inline int most_revolts(const Board* B, const Position* P) noexcept nogil:
    """That can lie on the board."""
    return MOST_DISCS


# Numbers that house rules change, which are constants here

cdef inline int most_armies(const Board* B) noexcept nogil:
    return MOST_ARMIES


cdef inline int full_ip(const Board* B) noexcept nogil:
    """At the start of a turn."""
    return FULL_IP


cdef inline int secure_province_cost(const Board* B) noexcept nogil:
    return SECURE_IP


cdef inline int secure_border_cost(const Board* B) noexcept nogil:
    return SECURE_BORDER_IP


cdef inline int support_factor(const Board* B) noexcept nogil:
    """What each figure that supports in battle multiplies by."""
    return SUPPORT_FACTOR


cdef inline int roman_bonus(const Board* B) noexcept nogil:
    return ROMAN_BONUS


cdef inline int barbarian_bonus(const Board* B) noexcept nogil:
    return BARBARIAN_BONUS


cdef inline int sail_cost(const Board* B) noexcept nogil:
    return SAIL_IP


cdef inline int remove_revolt_cost(const Board* B) noexcept nogil:
    return REMOVE_REVOLT_IP


cdef inline int remove_unrest_cost(const Board* B) noexcept nogil:
    return REMOVE_UNREST_IP


cdef inline int reduce_cost(const Board* B) noexcept nogil:
    return REDUCE_IP


cdef inline int more_for_attack(const Board* B) noexcept nogil:
    """IP of an attack beyond those of a move."""
    return ATTACK_IP


cdef inline int first_revolts(const Board* B) noexcept nogil:
    """Of each region, in a set-up."""
    return FIRST_REVOLTS


cdef inline int most_additional(const Board* B) noexcept nogil:
    """Revolts beside the first ones in a set-up."""
    return MOST_DISCS - 6 * FIRST_REVOLTS


cdef inline bint has_won(const Board* B, Mask garrisons) noexcept nogil:
    """Whether so many borders are secured that the game is won."""
    return not B.borders & ~garrisons


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


cdef inline Code dice_have_fallen(const Position* P) noexcept nogil:
    """The code of an attack whose dice have fallen, and that can still be paid for; else 0."""
    return 0


cdef inline void forget_dice(Position* P) noexcept nogil:
    pass


cdef inline int let_dice_fall(const Board* B, const Position* P, Action* list, int count) noexcept nogil:
    """Puts dice in the place of the outcomes of attacks that can be paid for when they have fallen; returns how many actions."""
    return count


cdef inline int after_dice(const Board* B, Position* P, Action* list) noexcept nogil:
    """The ways to pay."""
    return 0


cdef inline void play_or_roll(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    play(B, P, action, Q)


cdef int check_figures_make_sense(const Position* P) except -1:
    return 0


cdef int check_figures_of_board(const Board* B, const Position* P) except -1:
    return 0


cdef inline int most_fleets(const Board* B) noexcept nogil:
    return 3


cdef int take_house(Board* B, dict modules) except -1:
    """No number can be changed."""
    return 0


cdef int take_modules(Board* B, dict modules, tuple region, tuple number) except -1:
    """Tables of the modules, from the arguments that the base game does not know."""
    for name in modules:
        raise TypeError(f"Tables has no argument {name!r}")
    return 0


# The Roman phase

cdef inline int figure_of(Code code) noexcept nogil:
    """Who acts."""
    return EMPEROR


cdef inline Code by_figure(Code code, int figure) noexcept nogil:
    """The code of an action of this figure."""
    return code


cdef inline int figure_place(const Position* P, int figure) noexcept nogil:
    return P.emperor[P.mover]


cdef inline Mask other_figures(const Position* P, int figure) noexcept nogil:
    """Where the other Roman figures stand (and bit 63 where one is off the board)."""
    return other_emperors(P, P.mover)


cdef inline Mask closed_to(const Board* B, const Position* P, int figure) noexcept nogil:
    """Provinces that a figure cannot move to, whatever lies there."""
    return 0


cdef inline Mask closed_entries(const Board* B, const Position* P) noexcept nogil:
    """Provinces where no Emperor enters."""
    return 0


cdef inline int passing_figure(const Position* P) noexcept nogil:
    """The figure that shares a province."""
    return EMPEROR


cdef inline int leader_of(const Position* P, int figure) noexcept nogil:
    """The leader that a figure is in battle."""
    return P.mover


cdef inline bint enters_revolts(int figure) noexcept nogil:
    """Whether it can move where a revolt lies."""
    return True


cdef inline Mask across_two_zones(const Board* B, int p, int fleets) noexcept nogil:
    """Provinces that are reached across two zones and not across one."""
    return 0


cdef inline Mask across_three_zones(const Board* B, int p, int fleets) noexcept nogil:
    return 0


cdef inline bint sea_is_open(const Position* P, int zone) noexcept nogil:
    """Whether a fleet can sail there."""
    return True


cdef inline bint may_be_attacked(const Position* P, int army) noexcept nogil:
    return True


cdef inline bint ends_the_turn(const Board* B, int leader) noexcept nogil:
    """Whether his defeat ends the turn."""
    return True


cdef inline int unrest_in_reserve(const Board* B, const Position* P) noexcept nogil:
    return MOST_DISCS - popcount(P.unrest)


cdef inline void go_to(Position* Q, int figure, int q) noexcept nogil:
    """A figure moves to `q`."""
    Q.emperor[Q.mover] = q


cdef inline Mask all_leaders(const Position* P) noexcept nogil:
    """Where those stand who can lead a battle."""
    return all_emperors(P)


cdef inline bint must_go_on(const Position* P) noexcept nogil:
    """Whether a position without the active Emperor is another one where he shares a province."""
    return False


cdef inline bint will_go_on(const Position* P, Code code) noexcept nogil:
    """The same after an action."""
    return False


cdef inline bint is_deployment(Code code) noexcept nogil:
    """Whether another figure comes into play."""
    return False


cdef inline void leave_out(Position* P, int figure) noexcept nogil:
    """Leaves out where another figure stands."""
    pass


cdef inline int scope_without(const Position* P, Code code) noexcept nogil:
    """The first scope in which a policy does not look at an action, since the turn is too large."""
    return NARROWEST + 1


cdef inline bint has_modules(const Board* B, const Position* P) noexcept nogil:
    """Whether a position has features of modules."""
    return False


cdef inline Mask module_features(const Board* B, Recall* R, const Position* P, float* f) noexcept nogil:
    """Writes them where all is 0. Returns where an Emperor would change some of them."""
    return 0


cdef inline void take_off(Position* P, int leader) noexcept nogil:
    """A beaten leader leaves the board."""
    P.emperor[leader] = OFF_BOARD


cdef inline void remove_army(Position* P, int p) noexcept nogil:
    """An army goes back to the reserve, and any disc of its province."""
    P.armies ^= bit(p)
    lift_discs(P, bit(p))


cdef inline void battle_won(const Board* B, Position* P, int leader) noexcept nogil:
    pass


cdef inline void battle_lost(const Board* B, Position* P, int leader) noexcept nogil:
    pass


cdef inline void defence_won(const Board* B, Position* P, int leader) noexcept nogil:
    pass


cdef inline void defence_lost(const Board* B, Position* P, int leader) noexcept nogil:
    pass


cdef inline bint acts_alone(const Board* B, const Position* P) noexcept nogil:
    """Whether nobody but the active Emperor moves in his turn, and only he moves discs."""
    return True


cdef inline void forget_passing(Position* P) noexcept nogil:
    """That the active Emperor shares a province."""


cdef inline void forget_power(Position* P) noexcept nogil:
    """The active Emperor's power of this turn."""


cdef inline void pay_for_attack(Position* P, Code code) noexcept nogil:
    """The discs that the code of an attack names."""


cdef inline void put_powers(const Board* B, const Position* P, Action* list, int* count) noexcept nogil:
    """What can be done without IP."""


cdef inline int without_overpaid(const Board* B, const Position* P, Action* list, int count) noexcept nogil:
    """Leaves out attacks for which more is paid than can be; returns how many actions are left."""
    return count


cdef inline void give_back_unneeded(
    const Board* B, const Position* before, Code code, int rank, Position* P,
) noexcept nogil:
    """Discs that are named for an attack, and with the dice of this rank among 36 were not needed."""


cdef inline void put_boosted_attacks(
    const Board* B, const Position* P, int figure, int army, int cost, Action* list, int* count,
) noexcept nogil:
    """The same attack with discs that are paid."""


cdef inline void put_attacks_at_sea(const Board* B, const Position* P, int figure, Action* list, int* count) noexcept nogil:
    pass


cdef inline void put_actions_of_modules(
    const Board* B, const Position* P, const Scene* V, Action* list, int* count,
) noexcept nogil:
    pass


cdef inline void play_module(const Board* B, const Position* P, Action action, Position* Q) noexcept nogil:
    """An action that the base game does not know."""


# What a turn is worth

cdef int take_module_goals(Criterion* C, tuple more, str field) except -1:
    """What only the whole rulebook knows of a criterion."""
    raise KernelError(f"{field}: expected {len(more)} values less")


cdef inline bint meets_modules(const Board* B, const Criterion* C, const Position* P) noexcept nogil:
    return True


cdef inline int64_t worth_of_figures(const Criterion* C, const Position* P) noexcept nogil:
    return 0


# The Barbarian phase

cdef inline int leader_at(const Position* P, int q) noexcept nogil:
    """The Emperor who stands there, or -1."""
    cdef int i
    for i in range(4):
        if P.emperor[i] == q:
            return i
    return -1


cdef inline void remove_burnt_figures(Position* P) noexcept nogil:
    """Other figures than Emperors that stand on a revolt are removed."""


cdef inline void after_spread(const Board* B, Position* P) noexcept nogil:
    """Figures on the revolts of step 1 are removed."""
    remove_burnt(P)


cdef inline bint place_revolts(const Board* B, Position* P, Mask where) noexcept nogil:
    """Revolts where none lie, in the place of whatever disc does; False when too few are left."""
    if popcount(P.revolts | where) > MOST_DISCS:
        return False
    lift_discs(P, where)
    P.revolts |= where
    return True


cdef inline bint is_open(const Board* B, const Position* P, int region) noexcept nogil:
    """Whether an army can be placed on the border of a region; else the echo rolls for a province."""
    return not (P.armies | all_emperors(P) | all_discs(P)) >> B.border[region] & 1


cdef inline void arrive(const Board* B, Position* P, int region) noexcept nogil:
    """An army is placed on the border of a region."""
    P.armies |= bit(B.border[region])


cdef inline Mask protected(const Board* B, const Position* P) noexcept nogil:
    """Provinces where an activity does nothing unless a revolt or unrest lies there."""
    return shielded(B, garrison_discs(P), all_discs(P))


cdef inline int blocking_faces(const Position* P, int p) noexcept nogil:
    """Faces of the die by which a broken link blocks the army in `p`."""
    return BLOCKED


cdef inline void figure_follows(Position* P, int p, int q) noexcept nogil:
    """A figure that stands with the army in `p` goes with it to `q`."""


cdef inline Mask movers(const Position* P) noexcept nogil:
    """Armies that do not stay where they are."""
    return P.armies


cdef inline Mask movers_after(const Board* B, const Position* P, Mask before) noexcept nogil:
    """Armies that advance; `before` stood on the board when the phase began."""
    return before if B.reading[I_FRESH] else P.armies


cdef inline void pirates_come(const Board* B, Position* P, int p) noexcept nogil:
    """By an uprising in `p`."""


cdef inline void usurpers_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    pass


cdef inline void entered_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    """An army has entered a province."""


cdef inline void risen_rolled(const Board* B, Position* P, Mask before, int policy, Dice* dice) noexcept nogil:
    """An uprising has placed revolts."""


cdef inline void late_usurpers_rolled(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """The activity is over, or all armies have advanced."""


cdef inline void end_phase(const Board* B, Position* P) noexcept nogil:
    pass


# The Barbarian phase under a policy: nothing is decided in it, and every policy is the same.

cdef enum:                 # policies
    POLICY_DECLINE
    POLICY_EAGER
    POLICY_RANDOM


cdef inline bint link_holds_under(const Board* B, Position* P, int faces, int policy, Dice* dice) noexcept nogil:
    """The check of a broken link that so many faces block."""
    return link_holds(dice)


cdef inline Mask links_hold_under(
    const Board* B, Position* P, int p, Mask doubtful, int policy, Dice* dice,
) noexcept nogil:
    """Of the provinces `doubtful`, one broken link away from `p`, those whose link holds."""
    return doubtful & random_bits(dice)              # a fair bit for each link


cdef inline int region_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """The region that an echo names, from 0."""
    return random_below(dice, 6)


cdef inline int province_under(const Board* B, Position* P, int region, int policy, Dice* dice) noexcept nogil:
    """The province that is rolled: by both dice, or (`region` not below 0) by the second one."""
    return B.place[random_below(dice, 36) if region < 0 else 6 * region + random_below(dice, 6)]


cdef inline int province_from(const Board* B, Position* P, int p, int region, int policy, Dice* dice) noexcept nogil:
    """The same, `p` having been rolled first."""
    return p


cdef inline int way_under(const Board* B, Position* P, int p, int policy, Dice* dice) noexcept nogil:
    """Where the army in `p` is to go, or -1."""
    return B.way[p]


cdef inline int passed_under(
    const Board* B, Position* P, int p, int q, int policy, Dice* dice,
) noexcept nogil:
    """Where the army in `p` comes to that is on its way to `q`; -1 where a broken link stops it."""
    return -1 if B.broken[p] >> q & 1 and not link_holds_under(B, P, blocking_faces(P, p), policy, dice) else q


cdef inline void enter_border(Position* P, int p, int q) noexcept nogil:
    """No army goes to one from inside the Empire."""


cdef inline int battle_under(
    const Board* B, Position* P, int p, int q, int leader, int policy, Dice* dice,
) noexcept nogil:
    """The outcome of the battle of the army in `p` for `q`."""
    return battle_rolled(B, P, p, leader, dice)


cdef inline void spread_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    """Step 1; may leave more revolts than there are."""
    P.revolts = spread_rolled(B, P.revolts, P.unrest, dice)
    P.unrest &= ~P.revolts


cdef inline void black_disc_under(const Board* B, Position* P, bint first, int policy, Dice* dice) noexcept nogil:
    pass


cdef inline bint has_opponent(const Board* B) noexcept nogil:
    """Whether somebody plays the Barbarians."""
    return False


cdef inline int opposed_phase(Mind* M, Position* P, const PhaseDice* phase, uint64_t seed) noexcept nogil:
    """The phase of a game: nobody has anything to decide."""
    return phase_by_dice(M.B, P, phase, M.policy)


cdef inline void keep_answers(PhaseDice* phase) noexcept nogil:
    """Nobody answers anything in the phase with these dice."""


# A set-up

cdef inline void set_figures(const Board* B, Position* P) noexcept nogil:
    """Those that are not in play yet."""


cdef inline void set_barbarians(const Board* B, Position* P, Dice* dice) noexcept nogil:
    """What the Barbarians have beside armies."""
