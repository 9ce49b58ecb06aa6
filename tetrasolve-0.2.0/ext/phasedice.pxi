# Barbarian phases that are rolled alike for positions that are compared: common random numbers.
#
# Each step of a phase has dice of its own, so that what differs in one step does not shift the dice of the next; and
# among 36 phases that follow one another the first roll of the activity names each province once.

cdef struct PhaseDice:
    int first              # 6 * (region - 1) + number - 1 of the first roll
    Dice spread
    Dice activity
    Dice advance


cdef inline uint64_t mixed(uint64_t seed, uint64_t number) noexcept nogil:
    """A seed made of two numbers."""
    cdef uint64_t z = seed ^ (number + 0x9E3779B97F4A7C15u) * 0xD1342543DE82EF95u
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)


cdef void seed_phase(PhaseDice* phase, uint64_t seed) noexcept nogil:
    seed_dice(&phase.spread, mixed(seed, 1))
    seed_dice(&phase.activity, mixed(seed, 2))
    seed_dice(&phase.advance, mixed(seed, 3))
    phase.first = random_below(&phase.activity, 36)


cdef void seed_phases(PhaseDice* phases, int first, int count, uint64_t seed) noexcept nogil:
    """Phases number `first` and so on of those that this seed means; the first rolls shuffled in each 36."""
    cdef uint8_t[36] order
    cdef Dice dice
    cdef int block = NOWHERE
    cdef int i, k, other
    for k in range(first, first + count):
        seed_phase(&phases[k - first], mixed(seed, k))
        if k / 36 != block:
            block = k / 36
            seed_dice(&dice, mixed(seed, <uint64_t> 1 << 32 | block))
            for i in range(36):
                order[i] = i
            for i in range(35, 0, -1):
                other = random_below(&dice, i + 1)
                order[i], order[other] = order[other], order[i]
        phases[k - first].first = order[k % 36]


cdef int phase_by_dice(const Board* B, Position* P, const PhaseDice* phase, int policy) noexcept nogil:
    """The whole phase; a fallen Empire leaves the position as it was before. Returns the step in which it falls, or 0."""
    cdef PhaseDice F = phase[0]
    cdef Position Q = P[0]
    cdef Mask revolts
    cdef Mask before = P.armies
    cdef bint stands
    cdef int step = 1
    keep_answers(&F)
    begin_turn(B, P)
    begin_turn(B, &Q)
    black_disc_under(B, &Q, True, policy, &F.spread)
    revolts = Q.revolts
    spread_under(B, &Q, policy, &F.spread)
    stands = popcount(Q.revolts) <= most_revolts(B, &Q)
    if stands:
        after_spread(B, &Q)
        usurpers_rolled(B, &Q, revolts, policy, &F.spread)
        if WHOLE and B.reading[I_USURPER_EMPERORS]:
            remove_burnt(&Q)
        step = 2
        black_disc_under(B, &Q, False, policy, &F.activity)
        stands = activity_rolled(
            B, &Q, province_from(B, &Q, B.place[F.first], -1, policy, &F.activity), policy, &F.activity)
    if stands:
        step = 3
        late_usurpers_rolled(B, &Q, policy, &F.advance)
        black_disc_under(B, &Q, False, policy, &F.advance)
        stands = advance_rolled(B, &Q, movers_after(B, &Q, before), policy, &F.advance)
    if stands:
        end_phase(B, &Q)
        P[0] = Q
        return 0
    P.mark = RESULT_FALLEN
    return step
