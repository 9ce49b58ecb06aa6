# Barbarian phase: its figures as fractions, by the same code that finds them in doubles.
#
# A phase is a chain of positions, and one step of it (`first_activity` or `echo_activity`) is an activity roll together
# with what follows at once: the checks of an uprising, which lead to further positions, or an advance, which ends the phase.
# A step divides its chance by 36 for the roll, then either by 2 for each broken link of the province that rises, or by 2
# and by 36 for each army, of which there are at most three. So it is begun with `unit` = 36 * 72^3 * 2^n instead of 1, n
# being large enough for the uprisings: then every number in it is whole. The largest, chance times revolts, is at most
# 21 * unit < 2^53, and whole numbers up to there are doubles: nothing is rounded, whatever the order of the sums.
#
# Steps are put together in Python's integers. All chances are counted in 1/whole, and `whole` is multiplied by what the
# next steps divide by: by `unit`, and by the denominators of the loops that these steps close. To close one is to multiply
# by 36 / (36 - repeats), where the repeats are a sum of powers of 1/2 and so a double without error. Positions with equal
# numbers of revolts do not lead to one another: they are one level, taken together, and `whole` grows once for each level.

cdef enum:
    FREE_CHECKS = 9        # 72^3 can be halved so often
    MOST_CHECKS = FREE_CHECKS + 20    # 21 * 36 * 72^3 * 2^20 is below 2^53


cdef int64_t exact_unit(const Board* B) except -1:
    """What a step is begun with on this board."""
    cdef int most = FREE_CHECKS
    cdef int p
    for p in range(PROVINCES):
        most = max(most, popcount(B.broken[p]))
    if most > MOST_CHECKS:
        raise KernelError(f"links: expected at most {MOST_CHECKS} broken ones at a province, got {most}")
    return <int64_t> (36 * 72 * 72 * 72) << (most - FREE_CHECKS)


cdef tuple sum_of(tuple a, tuple b):
    """The sum of two fractions, in lowest terms."""
    numerator, denominator = a[0] * b[1] + b[0] * a[1], a[1] * b[1]
    shared = gcd(numerator, denominator)
    return (numerator // shared, denominator // shared)


@cython.final
cdef class _ExactChain:
    """What follows after the removal of certain Emperors in step 1: see above."""

    cdef Sweep* sweep
    cdef int64_t unit
    cdef object whole      # chances are counted in 1/whole
    cdef list figures      # so counted: p_uprising, e_uprisings, p_lost, p_new_army, e_revolts
    cdef list waiting      # by number of revolts: a dictionary of positions, each with the chance that flows in from others

    cdef int run(self, Sweep* S, const Position* position, int removed) except -1:
        cdef int size
        self.sweep = S
        self.unit = exact_unit(S.board)
        self.whole = <uint64_t> 1 << S.board.broken_links
        self.figures = [0] * 5
        self.waiting = [{} for _ in range(MOST_DISCS + 1)]
        after_removal(S, position, removed)
        self.first_level(position, removed)
        for size in range(MOST_DISCS + 1):
            if self.waiting[size]:
                self.level(size)
        return 0

    cdef int first_level(self, const Position* position, int removed) except -1:
        """The positions after step 1."""
        cdef const SpreadOutcome* outcome
        cdef size_t i
        self.refine(self.unit)
        for i in range(self.sweep.spread.count):
            outcome = &self.sweep.spread.rows[i]
            if emperors_on(position, outcome.revolts) != removed:
                continue
            memset(&self.sweep.figures, 0, sizeof(Figures))
            check_stop(&self.sweep.watch, STEP_TICKS)
            with nogil:
                if not falls_in_spread(self.sweep, position, outcome.revolts, self.unit):
                    first_activity(self.sweep, outcome.revolts, self.unit)
            self.collect(outcome.weight)
        return 0

    cdef int level(self, int size) except -1:
        """The positions with so many revolts, after uprisings."""
        cdef Mask mask
        positions = self.waiting[size]
        self.waiting[size] = {}
        loops = {}
        for revolts in positions:
            check_stop(&self.sweep.watch, 1)
            loops[revolts] = self.loop(revolts)
        shared = lcm(*{denominator for _, denominator in loops.values()})
        self.refine(self.unit * shared)
        for revolts, inflow in positions.items():
            check_stop(&self.sweep.watch, 2 * STEP_TICKS)
            mask = revolts
            memset(&self.sweep.figures, 0, sizeof(Figures))
            with nogil:
                echo_activity(self.sweep, mask, self.unit)
            numerator, denominator = loops[revolts]
            self.collect(inflow * numerator * (shared // denominator))
        return 0

    cdef tuple loop(self, Mask revolts):
        """How often a position is met if it is reached once."""
        numerator, denominator = (36 - repeats_of(self.sweep, revolts)).as_integer_ratio()
        shared = gcd(numerator, 36 * denominator)
        return (36 * denominator // shared, numerator // shared)

    cdef int refine(self, factor) except -1:
        """Counts all chances in parts so many times smaller."""
        self.whole *= factor
        self.figures = [figure * factor for figure in self.figures]
        for positions in self.waiting:
            for revolts in positions:
                check_stop(&self.sweep.watch, 1)
                positions[revolts] *= factor
        return 0

    cdef int collect(self, times) except -1:
        """Adds what the step just made has led to, so many times."""
        cdef const Figures* found = &self.sweep.figures
        cdef const Echo* echo
        cdef uint32_t i
        cdef double[5] step = [
            found.p_uprising, found.e_uprisings, p_lost(found), p_new_army(found), found.e_revolts]
        if sweep_failed(self.sweep):
            raise MemoryError("no memory for the Barbarian phase")
        for i in range(5):
            CHECK(step[i] == <int64_t> step[i])
            self.figures[i] += times * <int64_t> step[i]
        for i in range(self.sweep.echoes.count):
            echo = &self.sweep.echoes.rows[i]
            CHECK(echo.inflow == <int64_t> echo.inflow)
            positions = self.waiting[popcount(echo.revolts)]
            positions[echo.revolts] = positions.get(echo.revolts, 0) + times * <int64_t> echo.inflow
        echoes_clear(&self.sweep.echoes)
        return 0


cdef list exact_figures(Sweep* S, const Board* B, const Position* position):
    """p_uprising, e_uprisings, p_lost, p_new_army, e_revolts: (numerator, denominator) in lowest terms."""
    cdef _ExactChain chain
    cdef int sets = catch_fire(S, B, position)
    cdef int removed
    total = [(0, 1)] * 5
    for removed in range(16):
        if sets >> removed & 1:
            chain = _ExactChain()
            chain.run(S, position, removed)
            total = [sum_of(so_far, (figure, chain.whole)) for so_far, figure in zip(total, chain.figures, strict=True)]
    return total
