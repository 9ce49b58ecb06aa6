# What the end of a turn is worth, as a fraction, by the same code that finds it in doubles.
#
# A step of the chain is begun with `unit` instead of 1, as in exact.pxi, and then every number in its marginals is whole and
# below 2^53: a marginal divides by what an outcome divides by. The marginals are weighed in wide integers, and the steps
# put together in Python's.

@cython.final
cdef class _ExactWorth:
    """The worth of one position after the phase, for the outcomes that remove certain Emperors: see exact.pxi."""

    cdef _Prospects prospects
    cdef Chain chain
    cdef Position position  # Emperors removed
    cdef Position scene    # those who fight
    cdef int quiet         # kinds of advances without a battle
    cdef int battles
    cdef int64_t unit
    cdef object whole      # chances are counted in 1/whole
    cdef object worth      # so counted
    cdef list waiting

    cdef int run(self, _Prospects prospects, const Position* P, const Fire* fire, Mask burning) except -1:
        """`burning`: of the provinces where Emperors stand, those that step 1 reaches."""
        cdef Sweep* S = &prospects.scratch.sweep
        cdef const Board* B = S.board
        cdef Mask emperors = all_emperors(P) & (bit(PROVINCES) - 1)
        cdef SpreadOutcome outcome
        cdef Position fighters
        cdef size_t i
        cdef int e, k, size
        self.prospects = prospects
        self.unit = exact_unit(B)
        self.whole = <uint64_t> 1 << B.broken_links
        self.worth = 0
        self.waiting = [{} for _ in range(MOST_DISCS + 1)]
        self.position = P[0]
        for e in range(4):
            if P.emperor[e] != OFF_BOARD and burning >> P.emperor[e] & 1:
                self.position.emperor[e] = OFF_BOARD
        self.look()
        self.refine(self.unit)
        for i in range(fire.first, fire.first + fire.count):
            outcome = prospects.outcome[i]
            if outcome.revolts & emperors != burning:
                continue
            if popcount(outcome.revolts) > most_revolts(B, P):
                self.worth += outcome.weight * int(<int64_t> prospects.worth.fallen) * self.unit
            else:
                self.step(outcome.revolts, True, outcome.weight)
        for size in range(MOST_DISCS + 1):
            if self.waiting[size]:
                self.level(size)
        return 0

    cdef void look(self) noexcept nogil:
        """What the advances and the last rolls depend on."""
        cdef Sweep* S = &self.prospects.scratch.sweep
        cdef const Board* B = S.board
        cdef Mask closed = self.position.armies | all_emperors(&self.position) | all_discs(&self.position)
        cdef Mask armies = 0
        cdef int k
        memset(&self.chain, 0, sizeof(Chain))
        self.chain.unrest = self.position.unrest
        self.chain.armies = self.position.armies
        self.chain.army_left = popcount(self.position.armies) < MOST_ARMIES
        self.chain.shield = shielded(B, garrison_discs(&self.position), self.position.unrest)
        self.quiet = self.battles = 0
        for k in range(7):
            if k != NO_FRESH_ARMY:
                if closed >> B.border[k] & 1:
                    self.chain.closed |= B.region[k]
                    continue
                if not self.chain.army_left:
                    continue
                self.chain.open |= 1 << k
            if self.prospects.fighting_with(&self.position, k):
                self.battles |= 1 << k
            else:
                self.quiet |= 1 << k
        S.closed = self.chain.closed
        S.army_left = self.chain.army_left
        self.prospects.make_marches(self.position.armies)
        self.prospects.make_pools(self.quiet)

    cdef int step(self, Mask revolts, bint first, object times) except -1:
        """What one position leads to, so many times."""
        cdef Sweep* S = &self.prospects.scratch.sweep
        cdef const Echo* echo
        cdef Marginals X
        cdef ChainPosition position
        cdef Mask hits
        cdef uint32_t i
        cdef int k
        position.revolts = revolts
        position.met = self.unit
        memset(&X, 0, sizeof(Marginals))
        echoes_clear(&S.echoes)
        S.figures.fallen[NO_REVOLT_LEFT] = 0
        with nogil:
            if self.quiet:
                settle(
                    S.board, &self.chain, &position, first, 1, S.marches, self.quiet, &self.prospects.calm,
                    &self.prospects.landing, &X, &S.watch)
            for k in range(7):
                if self.battles >> k & 1:
                    settle_battles(S.board, &self.chain, &position, first, 1, &self.position, k, &X, &S.watch)
            if first:
                first_uprisings(S, revolts, self.unit)
            elif self.chain.army_left:
                echo_uprisings(S, revolts, S.closed, self.unit, True)
        check_stop(&S.watch, 30)
        if S.echoes.failed:
            raise MemoryError("no memory for Barbarian phases")
        X.fallen[NO_REVOLT_LEFT] += S.figures.fallen[NO_REVOLT_LEFT]
        self.worth += times * wide_to_int(self.weigh(&X))
        for i in range(S.echoes.count):
            echo = &S.echoes.rows[i]
            CHECK(echo.inflow == <int64_t> echo.inflow)
            positions = self.waiting[popcount(echo.revolts)]
            positions[echo.revolts] = positions.get(echo.revolts, 0) + times * <int64_t> echo.inflow
        return 0

    cdef inline Wide product(self, double weight, double chance) noexcept nogil:
        CHECK(chance == <int64_t> chance)
        return <Wide> <int64_t> weight * <Wide> <int64_t> chance

    cdef Wide weigh(self, const Marginals* X) noexcept nogil:
        """As `_Prospects.value_of`, in whole numbers."""
        cdef const Worth* W = &self.prospects.worth
        cdef const Position* P = &self.position
        cdef const Board* B = &self.prospects.tables.board
        cdef Mask discs = garrison_discs(P)
        cdef double standing
        cdef Wide total = self.product(W.constant, X.stands)
        cdef int e, p
        for e in range(3):
            total += self.product(W.fallen, X.fallen[e])
        for p in range(PROVINCES):
            standing = X.stands - X.taken[p]
            total += self.product(W.revolt[p], X.taken[p] - X.freed[p]) + self.product(W.army[p], X.army[p])
            if P.unrest >> p & 1:
                total += self.product(W.unrest[p], standing)
            elif not (B.printed_any | discs) >> p & 1:
                total += self.product(W.unrest[p], X.struck[p])
            for e in range(4):
                if P.garrison[e] >> p & 1:
                    total += self.product(W.garrison[e][p], standing)
        for e in range(4):
            if P.emperor[e] != OFF_BOARD:
                total += self.product(W.emperor[e][P.emperor[e]], X.stands - X.gone[e])
        return total

    cdef int level(self, int size) except -1:
        """The positions with so many revolts, after uprisings: see `_ExactChain.level`."""
        positions = self.waiting[size]
        self.waiting[size] = {}
        loops = {}
        for revolts in positions:
            check_stop(&self.prospects.scratch.sweep.watch, 1)
            loops[revolts] = self.loop(revolts)
        shared = lcm(*{denominator for _, denominator in loops.values()})
        self.refine(self.unit * shared)
        for revolts, inflow in positions.items():
            numerator, denominator = loops[revolts]
            self.step(revolts, False, inflow * numerator * (shared // denominator))
        return 0

    cdef tuple loop(self, Mask revolts):
        """How often a position is met if it is reached once."""
        numerator, denominator = (36 - repeats_of(&self.prospects.scratch.sweep, revolts)).as_integer_ratio()
        shared = gcd(numerator, 36 * denominator)
        return (36 * denominator // shared, numerator // shared)

    cdef int refine(self, factor) except -1:
        """Counts all chances in parts so many times smaller."""
        self.whole *= factor
        self.worth *= factor
        for positions in self.waiting:
            for revolts in positions:
                check_stop(&self.prospects.scratch.sweep.watch, 1)
                positions[revolts] *= factor
        return 0


cdef tuple exact_value(_Prospects prospects, const Position* P):
    """The expected worth of a position as (numerator, denominator)."""
    cdef _ExactWorth part
    cdef const Fire* fire
    cdef Mask emperors = all_emperors(P) & (bit(PROVINCES) - 1)
    cdef size_t i
    if P.mark & RESULT_WON:
        return (int(<int64_t> prospects.worth.won), 1)
    if P.mark & RESULT_FALLEN:
        return (int(<int64_t> prospects.worth.fallen), 1)
    fire = &prospects.fire[prospects.fire_of(P)]
    total = (0, 1)
    ways = {prospects.outcome[i].revolts & emperors for i in range(fire.first, fire.first + fire.count)}
    for burning in sorted(ways):
        part = _ExactWorth()
        part.run(prospects, P, fire, burning)
        total = sum_of(total, (part.worth, part.whole))
    return total
