# The rest of a turn as a policy sees it, with modules: which grounds differ only in where another figure stands, and which actions
# are left out of a turn that is too large.
#
# With Dux, Vicarius or Diocletian's power several figures move, and a turn can have millions of ends. One with more than
# `most_rows` positions is looked through again in a narrower scope, until it has no more.

cdef enum:                 # in a family's ground the province of the figure by which its grounds differ
    WAITING = 60           # it is not in play yet
    ASIDE = 61


cdef inline bint must_go_on(const Position* P) noexcept nogil:
    """Whether the figure that has moved shares its province, so that it acts next."""
    return P.passing != 0


cdef inline bint will_go_on(const Position* P, Code code) noexcept nogil:
    """The same of a move, an entry or a deployment that was not made yet."""
    return kind_of(code) != ACT_SAIL and other_figures(P, figure_of(code)) >> a_of(code) & 1


cdef inline bint is_deployment(Code code) noexcept nogil:
    return kind_of(code) == ACT_DEPLOY


cdef inline void leave_out(Position* P, int figure) noexcept nogil:
    """
    Leaves out where another figure stands and whether it must move on: what its step leads to does not depend on these, but on
    whether it is deployed, since the Vicarius can bring peace by a move alone [I-VICARIUS-UNREST].
    """
    cdef int aside = WAITING if figure_place(P, figure) == NOT_IN_PLAY else ASIDE
    P.passing = 0
    if figure > VICARIUS:
        P.emperor[figure - VICARIUS] = aside
    elif figure == DUX:
        P.dux = aside
    else:
        P.vicarius = aside


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
