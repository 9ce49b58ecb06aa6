# Barbarian phase: its figures as fractions, by the same code that finds them in doubles. It replaces exact.pxi,
# where the idea is described: a step is begun with a whole number that all its divisions go into, and steps are put together in
# Python's integers.
#
# A step divides by 36 for the roll, then by 2 for each broken link of the province that rises, or for each army by 2 or 3 for
# its broken link and by 36 for its battle; and by 1 to 6, all of which go into 60, for each usurper, of whom there are at most
# three.

cdef enum:
    USURPERS = 60 * 60 * 60
    FREE_CHECKS = 9        # 216^3 can be halved so often


cdef int64_t exact_unit(const Board* B) except -1:
    """What a step is begun with on this board."""
    cdef int checks = 0
    cdef int p
    for p in range(PROVINCES):
        checks = max(checks, popcount(B.broken[p]) - FREE_CHECKS)
    unit = 36 * 216**3 * (USURPERS if B.modules.usurpator else 1) << checks
    if 36 * unit > 2**53 or <object> USURPERS << B.broken_links > 2**53:
        raise KernelError("links: expected fewer broken ones for exact figures")
    return unit


@cython.final
cdef class _ExactChain:
    """A phase, followed stage by stage."""

    cdef Sweep* sweep
    cdef int64_t unit
    cdef object whole      # chances are counted in 1/whole
    cdef list figures      # so counted: p_uprising, e_uprisings, p_lost, p_new_army, e_revolts
    cdef list waiting      # by stage: a dictionary of positions (their bytes), each with the chance that flows in from others

    cdef int run(self, Sweep* S, const Board* B, const Position* position) except -1:
        cdef Position P
        cdef uint32_t i
        self.sweep = S
        self.unit = exact_unit(B)
        self.whole = (<uint64_t> 1 << B.broken_links) * USURPERS
        self.figures = [0] * 5
        self.waiting = [{} for _ in range(STAGES)]
        with nogil:
            memset(&S.figures, 0, sizeof(Figures))
            catch_fire(S, B, position, USURPERS)
        check_stop(&S.watch, 1)
        self.collect(1)
        calm = []
        for i in range(S.calm.count):
            CHECK(S.calm.notes[i] == <int64_t> S.calm.notes[i])
            calm.append((self.bytes_of(&S.calm.rows[i]), <int64_t> S.calm.notes[i]))
        self.refine(self.unit)
        for raw, chance in calm:
            P = self.position_of(raw)
            with nogil:
                self.restart()
                first_activity(S, &P, self.unit)
            check_stop(&S.watch, 30)
            self.collect(chance)
        for stage in range(STAGES):
            if self.waiting[stage]:
                self.take_stage(stage)
        return 0

    cdef bytes bytes_of(self, const Position* P):
        return (<const unsigned char*> P)[:sizeof(Position)]

    cdef Position position_of(self, bytes raw) noexcept:
        cdef Position P
        memcpy(&P, <const unsigned char*> raw, sizeof(Position))
        return P

    cdef void restart(self) noexcept nogil:
        """Nothing found yet by the step that is to come."""
        memset(&self.sweep.figures, 0, sizeof(Figures))
        sweep_clear(self.sweep)

    cdef int take_stage(self, int stage) except -1:
        """The positions of one stage, after uprisings: none leads to another."""
        cdef Position P
        positions = self.waiting[stage]
        self.waiting[stage] = {}
        loops = {}
        for raw in positions:
            check_stop(&self.sweep.watch, 1)
            loops[raw] = self.loop(raw)
        shared = lcm(*{denominator for _, denominator in loops.values()})
        self.refine(self.unit * shared)
        for raw, inflow in positions.items():
            P = self.position_of(raw)
            with nogil:
                self.restart()
                echo_activity(self.sweep, &P, self.unit)
            check_stop(&self.sweep.watch, 30)
            numerator, denominator = loops[raw]
            self.collect(inflow * numerator * (shared // denominator))
        return 0

    cdef tuple loop(self, bytes raw):
        """How often a position is met if it is reached once."""
        cdef Position P = self.position_of(raw)
        numerator, denominator = (36 - repeats_of(self.sweep, &P)).as_integer_ratio()
        shared = gcd(numerator, 36 * denominator)
        return (36 * denominator // shared, numerator // shared)

    cdef int refine(self, factor) except -1:
        """Counts all chances in parts so many times smaller."""
        self.whole *= factor
        self.figures = [figure * factor for figure in self.figures]
        for positions in self.waiting:
            for raw in positions:
                check_stop(&self.sweep.watch, 1)
                positions[raw] *= factor
        return 0

    cdef int collect(self, times) except -1:
        """Adds what the step just made has led to, so many times."""
        cdef Sweep* S = self.sweep
        cdef uint32_t i
        cdef double[5] step = [
            S.figures.p_uprising, S.figures.e_uprisings, p_lost(&S.figures), p_new_army(&S.figures), S.figures.e_revolts]
        if sweep_failed(S):
            raise MemoryError("no memory for the Barbarian phase")
        for i in range(5):
            CHECK(step[i] == <int64_t> step[i])
            self.figures[i] += times * <int64_t> step[i]
        for i in range(S.risen.count):
            CHECK(S.risen.notes[i] == <int64_t> S.risen.notes[i])
            raw = self.bytes_of(&S.risen.rows[i])
            positions = self.waiting[stage_of(&S.risen.rows[i])]
            positions[raw] = positions.get(raw, 0) + times * <int64_t> S.risen.notes[i]
        return 0


cdef list exact_figures(Sweep* S, const Board* B, const Position* position):
    """p_uprising, e_uprisings, p_lost, p_new_army, e_revolts: (numerator, denominator) in lowest terms."""
    cdef _ExactChain chain = _ExactChain()
    chain.run(S, B, position)
    row = []
    for figure in chain.figures:
        shared = gcd(figure, chain.whole)
        row.append((figure // shared, chain.whole // shared))
    return row
