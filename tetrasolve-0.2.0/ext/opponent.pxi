# Who plays the Barbarians in whole games (Barbaria): the policy of the Emperors' own player, or another.
#
# GREEDY and BEST judge each option by itself, one step ahead: the phase is gone through again with the dice and the answers so far,
# then with the option, and then with other dice to its end, further choices being eager. The mean over such phases
# decides: GREEDY counts what lies on the board, BEST asks the evaluation. Every option has the same other dice, and none are
# those of the game.

cdef enum:                 # kinds of opponents
    BY_POLICY              # that of the player
    OPPONENT_RANDOM
    OPPONENT_GREEDY
    OPPONENT_BEST
    MOST_ANSWERS = 64      # of one phase that are judged; after them he does nothing
    REPLIES = 72           # phases after each option
    HARM_OF_A_FALL = 100   # above what lies on a board

cdef struct Answers:
    bint by_chance         # each is as likely; nothing below counts then
    int[MOST_ANSWERS] given
    int count              # so many are given
    int asked              # so many have been asked for
    int options            # of the answer after those given; 0 where it was not asked for
    int tried              # which is this one,
    const PhaseDice* other    # and then the dice are these; NULL: the phase goes on, its result is not looked at
    PhaseDice* phase       # under way


cdef inline bint has_opponent(const Board* B) noexcept nogil:
    """Whether somebody plays the Barbarians."""
    return B.modules.barbaria


cdef inline void keep_answers(PhaseDice* phase) noexcept nogil:
    """Who answers in this phase can exchange its dice."""
    if phase.spread.answers:
        phase.spread.answers.phase = phase


cdef int next_answer(Dice* dice, int options) noexcept nogil:
    """The answer to the next question, of so many; 0 is to do nothing."""
    cdef Answers* A = dice.answers
    if A.by_chance:
        return random_below(dice, options)
    if options == 1:
        return 0
    A.asked += 1
    if A.asked <= A.count:
        return A.given[A.asked - 1]
    if A.asked > A.count + 1 or A.count == MOST_ANSWERS:
        return 0
    A.options = options
    if A.other:
        A.phase[0] = A.other[0]                      # from here on the policy answers
    return A.tried


cdef inline double harm_of(const Position* P) noexcept nogil:
    """A plain count of what the Barbarians have reached."""
    cdef int i
    cdef double harm = popcount(P.revolts) + 0.5 * popcount(P.unrest) + popcount(P.armies)
    if P.mark == RESULT_FALLEN:
        return HARM_OF_A_FALL
    for i in range(4):
        harm += P.emperor[i] == OFF_BOARD
    return harm


cdef double harm_after(
    Mind* M, Answers* A, const Position* P, const PhaseDice* phase, int option, int kind,
) noexcept nogil:
    """The mean for the Barbarians after this option."""
    cdef double total = 0
    cdef Position Q
    cdef int k
    A.tried = option
    for k in range(REPLIES):
        Q = P[0]
        A.asked = 0
        A.other = &M.dice[k]
        phase_by_dice(M.B, &Q, phase, M.policy)
        if kind == OPPONENT_GREEDY:
            total += harm_of(&Q)
        else:
            total -= value_after(M, &Q)
    M.phases += REPLIES
    return total / REPLIES


cdef int best_answer(
    Mind* M, Answers* A, const Position* P, const PhaseDice* phase, int kind,
) noexcept nogil:
    """The answer to the question after those answered; the first of equal ones."""
    cdef int options = A.options
    cdef int found = 0
    cdef double best = harm_after(M, A, P, phase, 0, kind)
    cdef double harm
    cdef int option
    for option in range(1, options):
        if spend(M.watch, 2 * REPLIES):
            break
        harm = harm_after(M, A, P, phase, option, kind)
        if harm > best + 1e-12:                      # more than rounding
            best = harm
            found = option
    return found


cdef int opposed_phase(Mind* M, Position* P, const PhaseDice* phase, uint64_t seed) noexcept nogil:
    """The phase of a game, by who plays the Barbarians in it; as `phase_by_dice`."""
    cdef PhaseDice own = phase[0]
    cdef Answers A
    cdef Position Q
    cdef int step
    if M.opponent == BY_POLICY:
        return phase_by_dice(M.B, P, phase, M.policy)
    own.spread.answers = own.activity.answers = own.advance.answers = &A
    A.by_chance = M.opponent == OPPONENT_RANDOM
    A.count = 0
    while True:
        Q = P[0]
        A.asked = A.options = A.tried = 0
        A.other = NULL
        step = phase_by_dice(M.B, &Q, &own, M.policy)
        if not A.options or M.watch.stopped:
            P[0] = Q
            return step
        seed_phases(M.dice, 0, REPLIES, mixed(seed, A.count))
        A.given[A.count] = best_answer(M, &A, P, &own, M.opponent)
        A.count += 1
