# The rest of a turn as a policy sees it, with modules: which actions lead to another ground, and which are left out of a turn that
# is too large.
#
# With Dux, Vicarius or Diocletian's power several figures move, and a turn can have millions of ends. One with more than
# `most_rows` positions is looked through again in a narrower scope, until it has no more.

cdef inline bint same_ground(const Position* ground, const Position* P, Code code) noexcept nogil:
    """Whether a move or an entry, to this position, has changed nothing but where the active Emperor stands."""
    return figure_of(code) == EMPEROR and ground.passing == P.passing


cdef inline bint keeps_ground(const Position* P, Code code) noexcept nogil:
    """Whether such an action on this position does: nobody passes before it or after it."""
    return figure_of(code) == EMPEROR and not P.passing and not other_figures(P, EMPEROR) >> a_of(code) & 1


cdef inline bint left_out(const Position* P, Code code, int scope) noexcept nogil:
    """
    Whether a policy does not look at an action: from scope 1 on Diocletian's power, from 2 on the Vicarius, in 3 the moves and
    the deployment of the Dux, and discs that Galerius pays. Who passes must go on.
    """
    cdef int figure = figure_of(code)
    if not scope or P.passing:
        return False
    if figure > VICARIUS or (kind_of(code) == ACT_IMPERIUM and P.mover == DIOCLETIAN):
        return True
    if scope >= 2 and figure == VICARIUS:
        return True
    return scope >= 3 and (code >> 15 or (figure == DUX and (kind_of(code) == ACT_MOVE or kind_of(code) == ACT_DEPLOY)))
