# The game rolled: what modules and variants add to rolled.pxi.

cdef void usurpers_rolled(const Board* B, Position* P, Mask before, Dice* dice) noexcept nogil:
    cdef Mask free
    cdef int region
    for region in range(6):
        free = usurper_places(B, P, before, region)
        if free:
            place_usurper(P, nth_bit(free, random_below(dice, popcount(free))))


cdef inline void pirates_come(const Board* B, Position* P, int p) noexcept nogil:
    """By an uprising in `p`."""
    cdef int zone = pirates_land(B, P, p)
    if zone:
        P.pirates = zone


cdef inline bint army_crosses(const Position* P, int p, Dice* dice) noexcept nogil:
    """A broken link holds on 4 to 6, for the Goths on 3 to 6."""
    return random_below(dice, 3) > 0 if P.goths == p else link_holds(dice)


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
        P.barbarian = MOST_GRAY + 8
    if B.modules.pirates:
        P.pirates = 2 + random_below(dice, 2)
