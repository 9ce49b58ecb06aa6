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


cdef inline bint is_step(Code code) noexcept nogil:
    """Whether Dux or Vicarius moves, or is deployed; no ground has both steps of a figure."""
    return (kind_of(code) == ACT_MOVE or kind_of(code) == ACT_DEPLOY) and (
        figure_of(code) == DUX or figure_of(code) == VICARIUS)


cdef inline int kept_step(Code code) noexcept nogil:
    """Where such a step is noted among those of a ground."""
    return 64 * (figure_of(code) - DUX) + a_of(code)


cdef inline bint keeps_apart(const Position* ground, const Position* P, Code code) noexcept nogil:
    """Whether such a step led to this position and nobody passes: then its ground depends on the former one alone."""
    return is_step(code) and not ground.passing and not P.passing


cdef inline bint will_keep_apart(const Position* P, Code code) noexcept nogil:
    """The same of a step that was not made yet."""
    return is_step(code) and not P.passing and not other_figures(P, figure_of(code)) >> a_of(code) & 1


cdef inline int scope_without(const Position* P, Code code) noexcept nogil:
    """
    The first scope in which a policy does not look at an action: 1 for Diocletian's power, 2 for the Vicarius, 3 for the moves and
    the deployment of the Dux and for discs that Galerius pays; none for other actions. Who passes must go on.
    """
    cdef int figure = figure_of(code)
    if P.passing:
        return NARROWEST + 1
    if figure > VICARIUS or (kind_of(code) == ACT_IMPERIUM and P.mover == DIOCLETIAN):
        return 1
    if figure == VICARIUS:
        return 2
    if code >> 15 or (figure == DUX and (kind_of(code) == ACT_MOVE or kind_of(code) == ACT_DEPLOY)):
        return 3
    return NARROWEST + 1
