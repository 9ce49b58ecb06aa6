# The exact Barbarian phase under a policy: in the base game every policy is the same. decided.pxi and decidedexact.pxi stand in its
# place where there is something to decide.

cdef inline void sweep_under(Sweep* S, const Board* B, const Position* table, int policy) noexcept nogil:
    sweep(S, B, table)


cdef inline void count_under(
    Sweep* S, const Board* B, const Position* table, int policy, int most, double* at_least,
) noexcept nogil:
    count_uprisings(S, B, table, most, at_least)


cdef list exact_under(Sweep* S, const Board* B, const Position* table, int policy):
    return exact_figures(S, B, table)
