# The exact Barbarian phase under a policy: in the base game every policy is the same. decided.pxi and decidedexact.pxi replace it
# where there is something to decide.

cdef inline void sweep_under(Sweep* S, const Board* B, const Position* position, int policy) noexcept nogil:
    sweep(S, B, position)


cdef inline void count_under(
    Sweep* S, const Board* B, const Position* position, int policy, int most, double* at_least,
) noexcept nogil:
    count_uprisings(S, B, position, most, at_least)


cdef list exact_under(Sweep* S, const Board* B, const Position* position, int policy):
    return exact_figures(S, B, position)
