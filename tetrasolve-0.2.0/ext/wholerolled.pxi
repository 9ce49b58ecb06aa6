# The game rolled: what modules and variants add to rolled.pxi.

cdef inline void pirates_come(const Board* B, Position* P, int p) noexcept nogil:
    """By an uprising in `p`."""
    cdef int zone = pirates_land(B, P, p)
    if zone:
        P.pirates = zone


cdef inline Mask movers_after(const Board* B, const Position* P, Mask before) noexcept nogil:
    """Armies that advance."""
    return movers(P)


cdef inline void set_figures(const Board* B, Position* P) noexcept nogil:
    """Those that are not in play yet."""
    P.dux = NOT_IN_PLAY if B.modules.dux else OFF_BOARD
    P.vicarius = NOT_IN_PLAY if B.modules.vicarius else OFF_BOARD
    P.goths = NOT_IN_PLAY if B.modules.goths else OFF_BOARD


cdef inline void set_barbarians(const Board* B, Position* P, Dice* dice) noexcept nogil:
    """What the Barbarians have beside armies; the Pirates before the fleets."""
    P.still = 0
    if B.modules.barbaria:
        P.barbarian = MOST_GRAY | MOST_BLACK << 3
    if B.modules.pirates:
        P.pirates = FIRST_PIRATES + random_below(dice, LAST_PIRATES - FIRST_PIRATES + 1)
