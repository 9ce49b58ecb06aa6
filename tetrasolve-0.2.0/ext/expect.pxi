# What the end of a turn is worth: the expectation, over the Barbarian phase that follows, of weights of what lies where.
#
# Many ends are alike to the Barbarians. Step 1 sees revolts and unrest alone: a `Fire`. Step 2 sees which borders are
# empty besides, and whether an army is left: a `Chain`. Step 3 sees the armies, and where an Emperor is in the way of one
# the Emperors near it and their garrisons: a `Prospect`. Each of them is worked out once, its marginals kept; an end then
# costs a few additions for its garrisons and Emperors.

cdef struct Fire:          # step 1
    Mask sure              # provinces with a revolt in each way it can go
    Mask maybe             # in some
    size_t first           # its outcomes: row of the first,
    size_t count           # and their number
    int64_t like           # the first fire with the same outcomes

cdef struct Prospect:
    Marginals odds
    double p_uprising
    double e_uprisings
    double p_new_army
    double base            # what is worth the same for all garrisons and Emperors without a part in it
    double positions       # that were gone through

cdef enum:
    ROUNDINGS_A_POSITION = 2_000  # see `error_of`
    ROUNDINGS_AT_LEAST = 5_000


cdef bint reserve_rows(void** rows, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """Reserves memory for that many rows of this size; False when there is no memory."""
    cdef void* moved
    if needed <= capacity[0]:
        return True
    moved = realloc(rows[0], (2 * needed + 16) * size)
    if not moved:
        return False
    rows[0] = moved
    capacity[0] = 2 * needed + 16
    return True


cdef inline double bound_on_rounding(double roundings) noexcept nogil:
    """m u / (1 - m u), u = 2^-53, rounded up."""
    cdef double share = roundings / <double> (<int64_t> 1 << 53)
    return 1.01 * share / (1 - share)


@cython.final
cdef class _Prospects:
    """The Barbarian phases of positions that have much in common, by their marginals."""

    cdef Tables tables
    cdef _Scratch scratch
    cdef Worth worth
    cdef bint weighed          # else only figures are asked for
    cdef Book fires            # keys: the rows below are theirs
    cdef Book chains
    cdef Book walks            # of chains that differ in their unrest only
    cdef Book shares
    cdef Book scenes
    cdef Fire* fire
    cdef Chain* chain
    cdef int64_t* walker       # the chain that went first
    cdef Marginals* share
    cdef Prospect* prospect
    cdef size_t fire_capacity
    cdef size_t chain_capacity
    cdef size_t walker_capacity
    cdef size_t share_capacity
    cdef size_t prospect_capacity
    cdef SpreadOutcome* outcome
    cdef size_t outcomes
    cdef size_t spread_capacity
    cdef ChainPosition* position
    cdef size_t position_count
    cdef size_t position_capacity
    cdef bint marching         # the marches of the scratch are for its armies,
    cdef int pooled            # and the pools for these kinds of them
    cdef Pool calm
    cdef Pool landing

    def __cinit__(self, Tables tables not None, object weights, Stop stop):
        self.tables = tables
        self.scratch = take_scratch(False, stop)
        self.scratch.sweep.board = &tables.board
        self.weighed = weights is not None
        if self.weighed:
            take_worth(&self.worth, weights)
        book_open(&self.fires, False)
        book_open(&self.chains, False)
        book_open(&self.walks, False)
        book_open(&self.shares, False)
        book_open(&self.scenes, False)

    def __dealloc__(self):
        book_close(&self.fires)
        book_close(&self.chains)
        book_close(&self.walks)
        book_close(&self.shares)
        book_close(&self.scenes)
        free(self.fire)
        free(self.chain)
        free(self.walker)
        free(self.share)
        free(self.prospect)
        free(self.outcome)
        free(self.position)

    cdef int let_go(self) except -1:
        """Others may have the scratch."""
        if self.scratch is not None:
            give_back(self.scratch)
            self.scratch = None
        return 0

    # Step 1

    cdef int64_t fire_of(self, const Position* P) except -1 nogil:
        cdef Sweep* S = &self.scratch.sweep
        cdef uint32_t known = self.fires.count
        cdef Position key
        cdef Fire* fire
        cdef int64_t row
        cdef size_t i
        memset(&key, 0, sizeof(Position))
        key.revolts = P.revolts
        key.unrest = P.unrest
        row = book_put(&self.fires, &key)
        if row != NO_MEMORY and self.fires.count == known:
            return row
        spread(S.board, &S.spread, P.revolts, P.unrest)
        check_stop(&S.watch, 1)
        spread_merge(&S.spread)
        if (row == NO_MEMORY or S.spread.failed
                or not reserve_rows(<void**> &self.fire, &self.fire_capacity, row + 1, sizeof(Fire))
                or not reserve_rows(
                    <void**> &self.outcome, &self.spread_capacity, self.outcomes + S.spread.count, sizeof(SpreadOutcome))):
            raise MemoryError("no memory for Barbarian phases")
        fire = &self.fire[row]
        fire.sure = ~<Mask> 0
        fire.maybe = 0
        fire.first = self.outcomes
        fire.count = S.spread.count
        for i in range(S.spread.count):
            self.outcome[self.outcomes + i] = S.spread.rows[i]
            fire.sure &= S.spread.rows[i].revolts
            fire.maybe |= S.spread.rows[i].revolts
        fire.maybe &= ~fire.sure
        self.outcomes += S.spread.count
        fire.like = 0
        while not self.burn_alike(&self.fire[fire.like], fire):
            fire.like += 1
        return row

    cdef inline bint burn_alike(self, const Fire* a, const Fire* b) noexcept nogil:
        return a.count == b.count and not memcmp(
            self.outcome + a.first, self.outcome + b.first, a.count * sizeof(SpreadOutcome))

    # Step 2

    cdef int64_t chain_of(self, const Position* scene, const Fire* fire, Mask doubtful, Mask burning) except -1 nogil:
        """The chain after the outcomes that reach of the provinces `doubtful` exactly `burning`."""
        cdef uint32_t known = self.chains.count
        cdef Position key
        cdef int64_t row
        memset(&key, 0, sizeof(Position))
        key.revolts = scene.revolts
        key.unrest = scene.unrest
        key.armies = scene.armies
        key.garrison[0] = doubtful
        key.garrison[1] = burning
        if popcount(scene.unrest) == MOST_DISCS:
            key.garrison[2] = shielded(&self.tables.board, garrison_discs(scene), scene.unrest)
        key.fleets = scene.fleets
        row = book_put(&self.chains, &key)
        if row == NO_MEMORY or not reserve_rows(<void**> &self.chain, &self.chain_capacity, row + 1, sizeof(Chain)):
            raise MemoryError("no memory for Barbarian phases")
        if self.chains.count > known:
            self.follow_chain(&key, fire, &self.chain[row])
        return row

    cdef int put_position(self, Mask revolts, double met) except -1 nogil:
        if not reserve_rows(<void**> &self.position, &self.position_capacity, self.position_count + 1, sizeof(ChainPosition)):
            raise MemoryError("no memory for Barbarian phases")
        self.position[self.position_count].revolts = revolts
        self.position[self.position_count].met = met
        self.position_count += 1
        return 0

    cdef int follow_chain(self, const Position* key, const Fire* fire, Chain* C) except -1 nogil:
        """As `sweep` does, but without the last rolls."""
        cdef Sweep* S = &self.scratch.sweep
        cdef const Board* B = S.board
        cdef const SpreadOutcome* outcome
        cdef Mask revolts
        cdef uint32_t row
        cdef double chance, met
        cdef double unit = spread_unit(B)
        cdef size_t i
        cdef int size, k
        memset(C, 0, sizeof(Chain))
        C.unrest = key.unrest
        C.armies = key.armies
        C.shield = key.garrison[2]
        C.army_left = popcount(key.armies) < MOST_ARMIES
        for k in range(6):
            if key.fleets >> k & 1:
                C.closed |= B.region[k]
            elif C.army_left:
                C.open |= 1 << k
        if self.knows_walk(key, fire, C):
            return 0
        C.first = self.position_count
        S.closed = C.closed
        S.army_left = C.army_left
        S.figures.fallen[NO_REVOLT_LEFT] = 0
        echoes_clear(&S.echoes)
        for i in range(fire.first, fire.first + fire.count):
            check_stop(&S.watch, 5)
            outcome = &self.outcome[i]
            if outcome.revolts & key.garrison[0] != key.garrison[1]:
                continue
            chance = outcome.weight * unit
            if falls_in_spread(S, key, outcome.revolts, chance):
                continue
            self.put_position(outcome.revolts, chance)
            C.p_uprising += first_uprisings(S, outcome.revolts, chance)
        C.firsts = self.position_count - C.first
        C.e_uprisings = C.p_uprising
        for size in range(MOST_DISCS + 1):
            row = S.echoes.first[size]
            while row:
                check_stop(&S.watch, 5)
                revolts = S.echoes.rows[row - 1].revolts
                met = times_met(S, revolts, S.echoes.rows[row - 1].inflow)
                row = S.echoes.rows[row - 1].next        # read now: the rows may move when others join them
                self.put_position(revolts, met)
                if C.army_left:
                    C.e_uprisings += echo_uprisings(S, revolts, C.closed, met, True)
                    C.p_new_army += met * popcount(C.open) / 6
        if S.echoes.failed:
            raise MemoryError("no memory for Barbarian phases")
        C.fallen = S.figures.fallen[NO_REVOLT_LEFT]
        C.count = self.position_count - C.first
        return 0

    cdef int knows_walk(self, const Position* key, const Fire* fire, Chain* C) except -1 nogil:
        """Whether another chain goes the same way: from the same revolts, though with other unrest."""
        cdef uint32_t known = self.walks.count
        cdef const Chain* other
        cdef Position walk
        cdef int64_t row
        memset(&walk, 0, sizeof(Position))
        walk.revolts = fire.like
        walk.garrison[0] = key.garrison[0]
        walk.garrison[1] = key.garrison[1]
        walk.fleets = key.fleets
        walk.mark = C.army_left
        row = book_put(&self.walks, &walk)
        if row == NO_MEMORY or not reserve_rows(<void**> &self.walker, &self.walker_capacity, row + 1, sizeof(int64_t)):
            raise MemoryError("no memory for Barbarian phases")
        if self.walks.count > known:
            self.walker[row] = C - self.chain
            return False
        other = &self.chain[self.walker[row]]
        C.first = other.first
        C.firsts = other.firsts
        C.count = other.count
        C.fallen = other.fallen
        C.p_uprising = other.p_uprising
        C.e_uprisings = other.e_uprisings
        C.p_new_army = other.p_new_army
        return True

    # Step 3

    cdef Mask fighting(self, const Position* scene, Mask armies) noexcept nogil:
        """Of these armies those that have an Emperor in their way."""
        cdef const Board* B = &self.tables.board
        cdef Mask emperors = all_emperors(scene)
        cdef Mask found = 0
        cdef int p
        while armies:
            p = lowest(armies)
            armies &= armies - 1
            if B.arrow[p] >= 0 and emperors >> B.arrow[p] & 1:
                found |= bit(p)
        return found

    cdef Mask fighting_with(self, const Position* scene, int fresh) noexcept nogil:
        """Those of the armies that move when a fresh one stands on border `fresh`, or none."""
        cdef const Board* B = &self.tables.board
        cdef bint lands = fresh != NO_FRESH_ARMY and not B.reading[I_FRESH]
        return self.fighting(scene, scene.armies | (bit(B.border[fresh]) if lands else 0))

    cdef void keep_fighters(self, Position* scene, Mask armies, Mask fixed) noexcept nogil:
        """
        Leaves only what counts in the battles of these armies: the Emperors in their way, the garrisons that can be in
        one's group, and who supports them, moved to the first province where he does the same unless he is in `fixed`.
        """
        cdef const Board* B = &self.tables.board
        cdef Position before = scene[0]
        cdef Mask targets = 0
        cdef Mask near = 0
        cdef Mask covers = 0       # where a garrison of anybody covers a printed disc that would count
        cdef Mask group
        cdef Mask taken = fixed | scene.armies
        cdef Mask rest = armies
        cdef int e
        while rest:
            targets |= bit(B.arrow[lowest(rest)])
            near |= B.battle[lowest(rest)]
            rest &= rest - 1
        rest = scene.armies | B.borders
        while rest:                                  # nobody is to be moved into the way of another army
            if B.arrow[lowest(rest)] >= 0:
                taken |= bit(B.arrow[lowest(rest)])
            rest &= rest - 1
        for e in range(4):
            scene.garrison[e] = 0
        for e in range(4):
            if targets >> before.emperor[e] & 1:
                group = before.garrison[e] | B.printed[e]
                group = connected(B, group, group & (bit(before.emperor[e]) | B.battle[before.emperor[e]]))
                scene.garrison[e] |= group & before.garrison[e]
                covers |= group & B.printed[e]
            elif not near >> before.emperor[e] & 1:
                scene.emperor[e] = OFF_BOARD
            elif not fixed >> before.emperor[e] & 1:
                scene.emperor[e] = self.post_like(before.emperor[e], armies, taken | all_emperors(scene))
        for e in range(4):
            scene.garrison[e] |= before.garrison[e] & covers

    cdef int post_like(self, int place, Mask armies, Mask taken) noexcept nogil:
        """The first province that is linked to the same of these armies, and not taken by others."""
        cdef const Board* B = &self.tables.board
        cdef Mask alike = bit(PROVINCES) - 1
        cdef int p
        while armies:
            p = lowest(armies)
            armies &= armies - 1
            alike &= B.battle[p] if B.battle[p] >> place & 1 else ~(B.battle[p])
        alike &= ~taken | bit(place)
        return lowest(alike)

    cdef int64_t share_of(self, int64_t chain, const Position* scene, int kinds) except -1 nogil:
        """The marginals of these kinds of advances; one kind where Emperors are in the way, many where none is."""
        cdef Sweep* S = &self.scratch.sweep
        cdef const Chain* C = &self.chain[chain]
        cdef uint32_t known = self.shares.count
        cdef Marginals* X
        cdef Position key
        cdef int64_t row
        cdef int k
        memset(&key, 0, sizeof(Position))
        if scene:
            key = scene[0]
        key.revolts = chain
        key.unrest = kinds
        row = book_put(&self.shares, &key)
        if row == NO_MEMORY or not reserve_rows(<void**> &self.share, &self.share_capacity, row + 1, sizeof(Marginals)):
            raise MemoryError("no memory for Barbarian phases")
        if self.shares.count == known:
            return row
        X = &self.share[row]
        memset(X, 0, sizeof(Marginals))
        if scene:
            settle_battles(S.board, C, self.position + C.first, C.firsts, C.count, scene, lowest(kinds), X, &S.watch)
        else:
            self.make_marches(C.armies)
            self.make_pools(kinds)
            settle(
                S.board, C, self.position + C.first, C.firsts, C.count, S.marches, kinds, &self.calm, &self.landing, X,
                &S.watch)
        check_stop(&S.watch, 1)
        return row

    cdef void make_marches(self, Mask armies) noexcept nogil:
        """The advances of all kinds, no Emperor being in the way."""
        cdef Sweep* S = &self.scratch.sweep
        cdef int k
        if self.marching and S.start.armies == armies:
            return
        self.marching = True
        self.pooled = 0
        memset(&S.start, 0, sizeof(Position))
        memset(S.start.emperor, OFF_BOARD, 4)
        S.start.armies = armies
        memset(S.marches, 0, sizeof(S.marches))
        marches_with(S, NO_FRESH_ARMY)
        if popcount(armies) < MOST_ARMIES:           # else none is left to arrive
            for k in range(6):
                marches_with(S, k)

    cdef void make_pools(self, int kinds) noexcept nogil:
        """The pools of these kinds of advances."""
        cdef Sweep* S = &self.scratch.sweep
        cdef int k
        if self.pooled == kinds:
            return
        self.pooled = kinds
        memset(&self.calm, 0, sizeof(Pool))
        memset(&self.landing, 0, sizeof(Pool))
        if kinds & WITHOUT_FRESH:
            pool_marches(&self.calm, &S.marches[NO_FRESH_ARMY])
        for k in range(6):
            if kinds >> k & 1:
                pool_marches(&self.landing, &S.marches[k])

    # All together

    cdef void look_at(self, const Position* P, const Fire* fire, Position* scene) noexcept nogil:
        """What of a position matters to the Barbarians; in `fleets` the regions whose border is not empty."""
        cdef const Board* B = &self.tables.board
        cdef Mask armies = P.armies
        cdef Mask closed = P.armies | all_emperors(P) | all_discs(P)
        cdef int[4] place
        cdef int e, k
        scene[0] = P[0]
        scene.mover = scene.ip = scene.mark = scene.fleets = 0
        for k in range(6):
            if closed >> B.border[k] & 1:
                scene.fleets |= 1 << k
        for e in range(4):
            if P.emperor[e] != OFF_BOARD and fire.sure >> P.emperor[e] & 1:
                scene.emperor[e] = OFF_BOARD
            place[e] = scene.emperor[e]
        if popcount(armies) < MOST_ARMIES and not B.reading[I_FRESH]:
            armies |= B.borders & ~closed            # where one may land
        if popcount(P.unrest) < MOST_DISCS:
            armies = self.fighting(scene, armies)
            if armies:
                self.keep_fighters(scene, armies, fire.maybe)
            else:
                memset(scene.garrison, 0, sizeof(scene.garrison))
                memset(scene.emperor, OFF_BOARD, 4)
        if self.weighed:                             # where he may be removed by a revolt he has a part in it too
            for e in range(4):
                if place[e] != OFF_BOARD and fire.maybe >> place[e] & 1 and self.worth.emperor[e][place[e]] != 0:
                    scene.emperor[e] = place[e]

    cdef int64_t scene_of(self, const Position* P, const Fire* fire) except -1 nogil:
        cdef uint32_t known = self.scenes.count
        cdef Position key
        cdef int64_t row
        self.look_at(P, fire, &key)
        row = book_put(&self.scenes, &key)
        if row == NO_MEMORY or not reserve_rows(<void**> &self.prospect, &self.prospect_capacity, row + 1, sizeof(Prospect)):
            raise MemoryError("no memory for Barbarian phases")
        if self.scenes.count > known:
            self.play_scene(&key, fire, &self.prospect[row])
        return row

    cdef int play_scene(self, const Position* key, const Fire* fire, Prospect* prospect) except -1 nogil:
        """Each set of Emperors whom step 1 may remove on its own."""
        cdef Mask doubtful = 0
        cdef Mask burning, last
        cdef Position after
        cdef size_t i
        cdef int e
        memset(prospect, 0, sizeof(Prospect))
        for e in range(4):
            if key.emperor[e] != OFF_BOARD:
                doubtful |= bit(key.emperor[e]) & fire.maybe
        burning = 0
        while True:                                  # all sets of them
            for i in range(fire.first, fire.first + fire.count):
                if self.outcome[i].revolts & doubtful == burning:
                    after = key[0]
                    self.play_part(&after, fire, doubtful, burning, prospect)
                    break
            last = burning
            burning = (burning - doubtful) & doubtful
            if not burning:
                break
        if self.weighed:
            self.weigh(key, prospect)
        return 0

    cdef int play_part(self, Position* after, const Fire* fire, Mask doubtful, Mask burning, Prospect* prospect) except -1 nogil:
        cdef Position fighters
        cdef Mask armies
        cdef const Chain* C
        cdef int64_t chain = self.chain_of(after, fire, doubtful, burning)
        cdef double before = prospect.odds.stands
        cdef int quiet = 0
        cdef int removed = 0
        cdef int e, k
        for e in range(4):
            if after.emperor[e] != OFF_BOARD and burning >> after.emperor[e] & 1:
                after.emperor[e] = OFF_BOARD
                removed |= 1 << e
        for k in range(7):
            C = &self.chain[chain]
            if k != NO_FRESH_ARMY and not C.open >> k & 1:
                continue
            armies = self.fighting_with(after, k)
            if not armies:
                quiet |= 1 << k
                continue
            fighters = after[0]
            fighters.fleets = 0
            self.keep_fighters(&fighters, armies, 0)
            self.add_share(chain, &fighters, 1 << k, &prospect.odds)
        if quiet:
            self.add_share(chain, NULL, quiet, &prospect.odds)
        C = &self.chain[chain]
        prospect.odds.fallen[NO_REVOLT_LEFT] += C.fallen
        prospect.p_uprising += C.p_uprising
        prospect.e_uprisings += C.e_uprisings
        prospect.p_new_army += C.p_new_army
        prospect.positions += C.count
        for e in range(4):
            if removed >> e & 1:
                prospect.odds.gone[e] += prospect.odds.stands - before
        return 0

    cdef int add_share(self, int64_t chain, const Position* scene, int kinds, Marginals* odds) except -1 nogil:
        cdef int64_t row = self.share_of(chain, scene, kinds)
        marginals_add(odds, &self.share[row])
        return 0

    cdef void weigh(self, const Position* key, Prospect* prospect) noexcept nogil:
        """Garrisons and the Emperors are weighed later: see `value_of`."""
        cdef const Worth* W = &self.worth
        cdef const Marginals* X = &prospect.odds
        cdef const Board* B = &self.tables.board
        cdef double base = W.constant * X.stands
        cdef int p
        base += W.fallen * (X.fallen[ARMY_IN_ROMA] + X.fallen[NO_REVOLT_LEFT] + X.fallen[NO_UNREST_LEFT])
        for p in range(PROVINCES):
            base += W.revolt[p] * (X.taken[p] - X.freed[p]) + W.army[p] * X.army[p]
            if key.unrest >> p & 1:
                base += W.unrest[p] * (X.stands - X.taken[p])
            elif not B.printed_any >> p & 1:
                base += W.unrest[p] * X.struck[p]
        prospect.base = base

    cdef double value_of(self, const Position* P, double* error) except? -1 nogil:
        """The expectation for a turn that ends with this position, and how far it may be off."""
        cdef const Worth* W = &self.worth
        cdef const Prospect* prospect
        cdef const Marginals* X
        cdef const Fire* fire
        cdef Mask rest
        cdef Mask printed = self.tables.board.printed_any
        cdef double value
        cdef int e, p
        error[0] = 0
        if P.mark & RESULT_WON:
            return W.won
        if P.mark & RESULT_FALLEN:
            return W.fallen
        fire = &self.fire[self.fire_of(P)]
        prospect = &self.prospect[self.scene_of(P, fire)]
        X = &prospect.odds
        value = prospect.base
        for e in range(4):
            rest = P.garrison[e]
            while rest:
                p = lowest(rest)
                rest &= rest - 1
                value += W.garrison[e][p] * (X.stands - X.taken[p])
                if not printed >> p & 1:                 # it has kept an unrest away
                    value -= W.unrest[p] * X.struck[p]
            p = P.emperor[e]
            if p != OFF_BOARD and not fire.sure >> p & 1:
                value += W.emperor[e][p] * (X.stands - X.gone[e])
        error[0] = self.error_of(prospect) * W.size
        return value

    cdef double error_of(self, const Prospect* prospect) noexcept nogil:
        """
        How far a sum of marginals may be off, its parts without their signs being 1 together.

        All that is added and multiplied is positive, so only the number of roundings one behind the other counts: what
        reaches a position has passed at most 21 uprisings, each of which adds at most 42 terms a position; and a position adds
        at most 22 rolls and 6 landings of 27 ways each to a marginal. That is less than 2,000 a position; pools, parts,
        shares and the sum of the weights are less than 5,000.
        """
        return bound_on_rounding(ROUNDINGS_A_POSITION * prospect.positions + ROUNDINGS_AT_LEAST)

    cdef int figures_of(self, const Position* P, double* figures, double* errors) except -1 nogil:
        """Those of `Kernel.phase` up to e_revolts, and how far they may be off."""
        cdef const Prospect* prospect
        cdef const Marginals* X
        cdef double taken = 0
        cdef double freed = 0
        cdef double error
        cdef int i
        memset(figures, 0, 5 * sizeof(double))
        memset(errors, 0, 5 * sizeof(double))
        if P.mark >= RESULT_WON:
            figures[2] = (P.mark & RESULT_FALLEN) != 0
            return 0
        prospect = &self.prospect[self.scene_of(P, &self.fire[self.fire_of(P)])]
        X = &prospect.odds
        error = self.error_of(prospect)
        for i in range(PROVINCES):
            taken += X.taken[i]
            freed += X.freed[i]
        figures[0] = prospect.p_uprising
        figures[1] = prospect.e_uprisings
        figures[2] = X.fallen[ARMY_IN_ROMA] + X.fallen[NO_REVOLT_LEFT] + X.fallen[NO_UNREST_LEFT]
        figures[3] = prospect.p_new_army
        figures[4] = taken - freed
        for i in range(4):
            errors[i] = error * figures[i]
        errors[4] = error * (taken + freed)
        return 0
