# The Barbarian phase under a policy: in the base game nothing is decided in it, and every policy is the same. decided.pxi,
# decidedexact.pxi and decidedrolled.pxi stand in its place where there is something to decide.

cdef enum:                 # policies
    POLICY_DECLINE
    POLICY_EAGER
    POLICY_RANDOM


cdef inline void sweep_under(Sweep* S, const Board* B, const Position* table, int policy) noexcept nogil:
    sweep(S, B, table)


cdef inline void count_under(
    Sweep* S, const Board* B, const Position* table, int policy, int most, double* at_least,
) noexcept nogil:
    count_uprisings(S, B, table, most, at_least)


cdef list exact_under(Sweep* S, const Board* B, const Position* table, int policy):
    return exact_figures(S, B, table)


cdef inline void phase_rolled_under(const Board* B, Position* P, int policy, Dice* dice) noexcept nogil:
    phase_rolled(B, P, dice)
