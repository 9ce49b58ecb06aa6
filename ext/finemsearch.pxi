# Games with given luck, and search: what a choice leads to is played out by the evaluation's own policy.
#
# The luck of a turn is an order of the 24 cards, of which each draw takes the first that is not out, and a role. It depends on a
# seed, a game and the turn alone, so that policies meet the same cards (common random numbers).

cdef enum:
    BY_CHANCE                 # policies of whole games
    BY_DISCS
    BY_VALUE                  # the best end of the actions by the evaluation
    BY_SEARCH                 # the best of its candidates, played out
    PLAYERS
    MOST_TURNS = 200          # a game that lasts longer counts as open; chance ends a game long before

PLAYER_NAMES = ("random", "discs", "value", "search")
HIDDEN = WIDTH


cdef struct Luck:
    uint64_t seed
    uint64_t game
    bint spread               # in 24 games from a multiple on, each card comes once at each place of a turn
    int turn
    uint8_t[24] order
    uint8_t role
    Dice dice                 # of the random player


cdef struct Effort:
    # How a search plays choices out
    int candidates
    int samples               # of each candidate in the first round
    int rounds                # each with half of the candidates, half of the margin, and twice the samples
    int horizon               # turns of the player that are played; then the best end of the next actions is the value
    double margin             # candidates that are so much worse than the best are left out
    double prior              # the evaluation's own value counts like so many samples


cdef void begin_luck(Luck* luck, int turn) noexcept nogil:
    cdef int i, j, shift
    cdef bint spread = luck.spread
    cdef uint8_t[24] cards
    luck.turn = turn
    seed_dice(&luck.dice, luck.seed)
    seed_dice(&luck.dice, random_bits(&luck.dice) + (luck.game // REGIONS if spread else luck.game))
    seed_dice(&luck.dice, random_bits(&luck.dice) + <uint64_t> turn)
    for i in range(REGIONS):
        luck.order[i] = i
    for i in range(REGIONS - 1):
        j = i + random_below(&luck.dice, REGIONS - i)
        luck.order[i], luck.order[j] = luck.order[j], luck.order[i]
    luck.role = TRIBUNE + random_below(&luck.dice, ROLES)
    if spread:
        shift = <int> (luck.game % REGIONS)
        memcpy(cards, luck.order, REGIONS)
        for i in range(REGIONS):
            luck.order[i] = cards[(i + shift) % REGIONS]
        luck.role = TRIBUNE + (luck.role - TRIBUNE + shift) % ROLES


cdef inline int luck_of(const Luck* luck, const Table* S) noexcept nogil:
    """The option that chance takes at a state."""
    cdef int i = 0
    if S.step == S_ROLE:
        return option_of(O_NAME, luck.role)
    while S.out >> luck.order[i] & 1:
        i += 1
    return option_of(O_CARD, luck.order[i])


cdef void set_up_by_luck(const Rules* K, Table* S, Luck* luck) noexcept nogil:
    """The first state of a game; the order of turn 0 is that of the set-up."""
    begin_luck(luck, 0)
    deal_random(K, S, &luck.dice)
    begin_luck(luck, 1)


cdef inline void take(Mind* M, Table* S, int option, Luck* luck) noexcept nogil:
    """Goes on; a new turn has new luck."""
    apply(M.rules, S, option)
    if option >> KIND == O_NAME and S.step != S_APPOINT:     # the Emperor may name a role when his card is drawn
        begin_luck(luck, luck.turn + 1)


cdef void follow(Mind* M, Table* S, const End* end, Luck* luck) noexcept nogil:
    """Carries a choice out: all its actions, of a Dictator the first, since he can ride later."""
    cdef int i
    if S.role == DICTATOR and S.step == S_ACT:
        take(M, S, end.path[0], luck)
        return
    for i in range(end.length):
        take(M, S, end.path[i], luck)


# -- playing out -------------------------------------------------------------------------------------------------------

cdef double play_out(Mind* M, const Table* start, Luck* luck, int horizon) noexcept nogil:
    """The value of a state to which a choice has led: that of the best end of the actions `horizon` turns later."""
    cdef Table T = start[0]
    cdef int turns = 0
    while not T.end:
        if begins_turn(&T):
            if turns >= horizon:
                return best_from(M, &T)
            turns += 1
        if is_chance(T.step):
            take(M, &T, luck_of(luck, &T), luck)
        elif T.step in (S_TRAVEL, S_RESIST, S_PROTECT):
            take(M, &T, chosen_by_discs(M.rules, &T), luck)      # many options, of which little depends on the choice before
        else:
            think(M, &T, 1)
            if M.watch.stopped:
                return 0
            follow(M, &T, &M.best[0], luck)
        if luck.turn > MOST_TURNS:
            return 0
    return T.end == WON


cdef void search(Mind* M, const Table* S, const Effort* effort, uint64_t seed) noexcept nogil:
    """Orders the candidates of a choice by what they lead to, from the best on. The first is the choice.

    All have the same luck, spread evenly: most of what tells two ends of the actions apart is which region is drawn first, second
    and so on, and each has its turn.
    """
    cdef End swap
    cdef Luck luck
    cdef int number, i, j, sample, first = 0, samples = effort.samples, round
    cdef bint certain = S.step == S_APPOINT and effort.horizon == 0      # nothing is drawn before the value is known
    cdef double margin = effort.margin
    think(M, S, effort.candidates)
    number = 0
    while number < M.kept and M.best[number].value >= M.best[0].value - margin:
        number += 1
    memcpy(M.candidates, M.best, number * sizeof(End))
    for i in range(number):
        M.sums[i] = effort.prior * M.candidates[i].value
    luck.seed = seed
    luck.spread = True
    for round in range(effort.rounds):
        if number < 2:
            return
        for sample in range(first, first + samples):
            for i in range(number):
                luck.game = sample
                begin_luck(&luck, 1)
                M.sums[i] += (samples if certain else 1) * play_out(M, &M.candidates[i].state, &luck, effort.horizon)
                if M.watch.stopped:
                    return
            if certain:
                break
        first += samples
        samples *= 2
        for i in range(1, number):       # a stable sort
            for j in range(i, 0, -1):
                if M.sums[j] <= M.sums[j - 1]:
                    break
                M.sums[j], M.sums[j - 1] = M.sums[j - 1], M.sums[j]
                swap = M.candidates[j]
                M.candidates[j] = M.candidates[j - 1]
                M.candidates[j - 1] = swap
        number = (number + 1) // 2
        margin /= 2
        while number > 1 and M.sums[number - 1] < M.sums[0] - margin * (effort.prior + first):
            number -= 1


cdef void choose_by(Mind* M, const Table* S, int player, const Effort* effort, Luck* luck, End* end) noexcept nogil:
    """What a player chooses at a state. Of no use after a stop."""
    end.length = 1
    if player == BY_CHANCE:
        end.path[0] = random_option(M.rules, S, &luck.dice)
    elif player == BY_DISCS:
        end.path[0] = chosen_by_discs(M.rules, S)
    elif player == BY_SEARCH:
        search(M, S, effort, key_of(S) + luck.seed)
        end[0] = M.candidates[0]
    else:
        think(M, S, 1)
        end[0] = M.best[0]


cdef int play_game(Mind* M, Table* S, int player, const Effort* effort, Luck* luck) noexcept nogil:
    """Plays a game to its end; returns the number of its last turn. Of no use after a stop."""
    cdef End end
    while not S.end and luck.turn <= MOST_TURNS:
        if is_chance(S.step):
            take(M, S, luck_of(luck, S), luck)
        else:
            choose_by(M, S, player, effort, luck, &end)
            if M.watch.stopped:
                return 0
            follow(M, S, &end, luck)
        spend(&M.watch, 1)
        if M.watch.stopped:
            return 0
    return luck.turn


# -- lessons -----------------------------------------------------------------------------------------------------------

cdef enum:
    STRAYED = 4               # added to the number of the network: after this state another choice than the best was taken
    LOOKED = 8                # added: the value is a mean over what followed the state with several lucks


cdef struct Notes:
    # States of games, for those who learn from them
    float* rows               # FEATURES of each
    double* values            # what the player thought of each
    int32_t* games
    uint8_t* kinds
    int64_t number
    int64_t room


cdef bint make_room(Notes* notes) noexcept nogil:
    """Whether there is memory for one more."""
    cdef int64_t room
    cdef void* rows
    if notes.number < notes.room:
        return True
    room = 2 * notes.room + 1024
    rows = realloc(notes.rows, room * FEATURES * sizeof(float))
    if rows == NULL:
        return False
    notes.rows = <float*> rows
    rows = realloc(notes.values, room * sizeof(double))
    if rows == NULL:
        return False
    notes.values = <double*> rows
    rows = realloc(notes.games, room * sizeof(int32_t))
    if rows == NULL:
        return False
    notes.games = <int32_t*> rows
    rows = realloc(notes.kinds, room)
    if rows == NULL:
        return False
    notes.kinds = <uint8_t*> rows
    notes.room = room
    return True


cdef bint note(Mind* M, Notes* notes, const Table* S, double value, int kind, int game) noexcept nogil:
    cdef Threats threats
    cdef float* f
    if not make_room(notes):
        return False
    f = notes.rows + notes.number * FEATURES
    features_of(M.rules, S, &threats, f)
    role_features(M.rules, S, &threats, S.role, f)
    notes.values[notes.number] = value
    notes.kinds[notes.number] = kind
    notes.games[notes.number] = game
    notes.number += 1
    return True


cdef double looked_at(Mind* M, const Table* S, int looks, uint64_t seed) noexcept nogil:
    """The mean value of the best end of the next actions, over so many lucks of the rest of the turn."""
    cdef Luck luck
    cdef double total = 0
    cdef int i
    luck.seed = seed
    luck.spread = False
    for i in range(looks):
        luck.game = i
        begin_luck(&luck, 1)
        total += play_out(M, S, &luck, 0)
        if M.watch.stopped:
            return 0
    return total / looks


cdef bint note_looks(Mind* M, Notes* notes, int looks, Dice* dice, int game) noexcept nogil:
    """Notes the best end of the actions and another one of the good ones, each looked at with the same lucks."""
    cdef End some[2]
    cdef uint64_t seed = random_bits(dice)
    cdef int i, number = 1
    some[0] = M.best[0]
    if M.kept > 1:
        some[1] = M.best[1 + random_below(dice, M.kept - 1)]
        number = 2
    for i in range(number):
        if some[i].state.end or some[i].state.step != S_DRAW:
            continue
        if not note(M, notes, &some[i].state, looked_at(M, &some[i].state, looks, seed), N_ACTED | LOOKED, game):
            return False
    return True


cdef bint play_lesson(Mind* M, Table* S, int player, int strays, int looks, Luck* luck, Notes* notes) noexcept nogil:
    """Plays a game and notes the states that the networks look at. False: no memory.

    Of 1000 choices of actions `strays` are not the best.
    """
    cdef Dice dice
    cdef End end
    cdef int step, kind, game = <int> luck.game
    cdef double value
    cdef int64_t start = -1
    seed_dice(&dice, luck.seed ^ luck.game * <uint64_t> 0x9E3779B97F4A7C15u)
    while not S.end and luck.turn <= MOST_TURNS:
        step = S.step
        if is_chance(step):
            take(M, S, luck_of(luck, S), luck)
            if not S.end and S.step != step and S.step in (S_EVENT, S_CRISIS, S_DISCARD, S_INVADE):
                if not note(M, notes, S, value_of(M.rules, M.networks, S), N_DRAWN, game):
                    return False
            continue
        if step == S_ACT and S.left == EACH_ACTIONS:
            start = notes.number
            if not note(M, notes, S, 0, N_TURN, game):
                return False
        kind = 0
        if player == BY_VALUE:
            think(M, S, 16)
            end = M.best[0]
            value = end.value
            if step == S_ACT and random_below(&dice, 1000) < <uint64_t> strays:
                end = M.best[random_below(&dice, M.kept)]
                kind = STRAYED
            if step == S_ACT and looks and not M.watch.stopped and not note_looks(M, notes, looks, &dice, game):
                return False
        else:
            choose_by(M, S, player, NULL, luck, &end)
            value = 0
        if M.watch.stopped:
            return True
        if step == S_ACT and start >= 0 and S.left == EACH_ACTIONS:
            notes.values[start] = value
            notes.kinds[start] = N_TURN | kind
        follow(M, S, &end, luck)
        if S.end:
            continue
        if step <= S_RIDE and S.step == S_DRAW and S.held == 0:
            if not note(M, notes, S, value_of(M.rules, M.networks, S), N_ACTED, game):
                return False
        elif step > S_RIDE and S.step != step and S.step in (S_CRISIS, S_DISCARD, S_INVADE):
            if not note(M, notes, S, value_of(M.rules, M.networks, S), N_DRAWN, game):
                return False
    return True
