# The Barbarian phase with decisions: its figures as fractions. Trees have whole-number chances as they are, see tree.pxi; they
# are put together in Python's fractions.

from fractions import Fraction


@cython.final
cdef class _ExactTrees:
    """A phase under the eager policy, followed tree by tree."""

    cdef Sweep* sweep
    cdef object unit
    cdef list figures      # p_uprising, e_uprisings, p_lost, p_new_army, e_revolts
    cdef dict calm         # positions (their bytes) before step 2, with their chances
    cdef list risen        # by stage: the same after an uprising, each with the chance that flows in from others
    cdef dict arrayed      # before step 3

    cdef int run(self, Sweep* S, const Board* B, const Position* position) except -1:
        self.sweep = S
        S.board = B
        self.unit = wide_to_int(TREE_UNIT)
        self.figures = [Fraction(0)] * 5
        self.calm, self.arrayed = {}, {}
        self.risen = [{} for _ in range(STAGES)]
        self.take(B, (<const unsigned char*> position)[:sizeof(Position)], AT_SPREAD, Fraction(1))
        for raw, chance in self.calm.items():
            self.take(B, raw, AT_ACTIVITY, chance)
        for stage in range(STAGES):
            for raw, chance in self.risen[stage].items():
                self.take(B, raw, AT_ECHO, chance)
        for raw, chance in self.arrayed.items():
            self.take(B, raw, AT_ADVANCE, chance)
        return 0

    cdef int take(self, const Board* B, bytes raw, int at, object chance) except -1:
        """One tree, its root met with this chance."""
        cdef Position P
        memcpy(&P, <const unsigned char*> raw, sizeof(Position))
        if at == AT_ECHO:
            chance *= 36 / (36 - Fraction(repeats_decided(self.sweep, &P)))
        with nogil:
            tree_start(&self.sweep.tree, B, &self.sweep.figures, 0)
            if at == AT_ECHO:
                self.sweep.tree.head = &P
            grow(&self.sweep.tree, &P, at)
        check_stop(&self.sweep.watch, 1)
        if self.sweep.tree.failed:
            raise MemoryError("no memory for the Barbarian phase")
        uprisings = chance * Fraction(wide_to_int(self.sweep.tree.uprisings), self.unit)
        self.figures[0] += uprisings if at == AT_ACTIVITY else 0
        self.figures[1] += uprisings
        self.figures[3] += chance * Fraction(wide_to_int(self.sweep.tree.arrivals), self.unit)
        self.collect(chance)
        return 0

    cdef int collect(self, object chance) except -1:
        cdef const Leaf* leaf
        cdef size_t i
        found = {}
        for i in range(self.sweep.tree.count):
            leaf = &self.sweep.tree.leaves[i]
            check_stop(&self.sweep.watch, 1)
            if leaf.at == AT_END or leaf.at == AT_FALL:
                key = (leaf.at, popcount(leaf.position.revolts))
            else:
                key = (leaf.at, stage_of(&leaf.position), (<const unsigned char*> &leaf.position)[:sizeof(Position)])
            found[key] = found.get(key, 0) + wide_to_int(leaf.weight)
        for key, weight in found.items():
            check_stop(&self.sweep.watch, 2)
            share = chance * Fraction(weight, self.unit)
            if key[0] == AT_FALL:
                self.figures[2] += share
            elif key[0] == AT_END:
                self.figures[4] += share * key[1]
            else:
                positions = self.calm if key[0] == AT_ACTIVITY else self.arrayed
                if key[0] == AT_ECHO:
                    positions = self.risen[key[1]]
                positions[key[2]] = positions.get(key[2], 0) + share
        return 0


cdef list exact_under(Sweep* S, const Board* B, const Position* position, int policy):
    """p_uprising, e_uprisings, p_lost, p_new_army, e_revolts: (numerator, denominator) in lowest terms."""
    cdef _ExactTrees trees
    if not is_decided(B, policy):
        return exact_figures(S, B, position)
    trees = _ExactTrees()
    trees.run(S, B, position)
    return [figure.as_integer_ratio() for figure in trees.figures]
