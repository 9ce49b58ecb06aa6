# What is left to do for the victory: how soon the borders that are not secured can be.
#
# Where nobody is in danger only this distinguishes positions. Revolts and armies in the way are not looked at, nor
# that fleets may sail; an Emperor who has no garrison left secures nothing.

cdef enum:
    MOST_LEFT = 3          # borders that are not secured, counted up to here
    AT_LAST = 545          # LAST_FEATURES for each number of borders that are left: one, two, or more
    MOST_SOON = 11         # turns before the one in which the last of them can be secured, one feature each, up to this
    LAST_FEATURES = MOST_SOON + 3   # and for the border farthest off, and for all, how far it is
    AT_MODULES = AT_LAST + MOST_LEFT * LAST_FEATURES
    FEATURES = AT_MODULES + MODULE_FEATURES    # those of the modules come last
    SECURE_FROM = 4        # IP that a move may cost if a border is to be secured in the same turn
    NO_WAY = 24            # turns: there is nobody who could


cdef inline int acts_in(const Position* P, int emperor) noexcept nogil:
    """How many Emperors act before this one."""
    return (emperor - P.mover - (P.mark != ROMAN_OPEN)) & 3


cdef struct Left:          # the features of one position, all others 0
    int one                # the one that is 1; -1 where no border is left
    int farthest
    float far              # of the feature `farthest`
    float all              # of the one after it


cdef void afar_open(const Board* B, Recall* R) noexcept nogil:
    """The ways from each province to each border, whatever fleets there are, over quiet ground."""
    cdef Mask[64] fresh
    cdef Mask seen, front
    cdef Afar* afar
    cdef int fleets, p, cost, i, ip
    for fleets in range(8):
        for p in range(PROVINCES):
            memset(fresh, 0, sizeof(fresh))
            fresh[0] = bit(p)
            afar = &R.afar[fleets][p]
            for i in range(BORDERS):
                afar.part[i] = afar.whole[i] = NO_WAY
            seen = 0
            for cost in range(60):                   # no way is as long as that
                front = fresh[cost] & ~seen
                seen |= front
                ip = cost - SECURE_FROM if cost > SECURE_FROM else 0
                for i in range(6):
                    if front >> B.border[i] & 1:
                        afar.part[i] = ip * <float> (4.0 / full_ip(B))
                        afar.whole[i] = (ip + full_ip(B) - 1) / full_ip(B) * 4
                while front:
                    fresh[cost + 1] |= near_to(B, lowest(front), fleets)
                    fresh[cost + 2] |= B.broken[lowest(front)] | across_two_zones(B, lowest(front), fleets)
                    fresh[cost + 3] |= across_three_zones(B, lowest(front), fleets)
                    front &= front - 1


cdef inline void take_afar(const Afar* afar, int when, Afar* soonest) noexcept nogil:
    """Takes what is sooner."""
    cdef float part
    cdef int16_t whole
    cdef int i
    for i in range(BORDERS):
        part = when + afar.part[i]
        soonest.part[i] = part if part < soonest.part[i] else soonest.part[i]
    for i in range(BORDERS):
        whole = <int16_t> (when + afar.whole[i])
        soonest.whole[i] = whole if whole < soonest.whole[i] else soonest.whole[i]


cdef inline void take_emperor(const Board* B, const Recall* R, const Position* P, int e, Afar* soonest) noexcept nogil:
    """The same for all borders that an Emperor can secure."""
    cdef int when = acts_in(P, e)
    if garrisons_left(B, P, e) <= 0:
        return
    if P.emperor[e] == OFF_BOARD:
        take_afar(&R.afar[P.fleets][B.roma], when, soonest)
        take_afar(&R.afar[P.fleets][B.capital[e]], when, soonest)
    else:
        take_afar(&R.afar[P.fleets][P.emperor[e]], when, soonest)


cdef void soonest_of_others(const Board* B, const Recall* R, const Position* P, Afar* soonest) noexcept nogil:
    """How soon the other three Emperors could secure each border."""
    cdef int i
    for i in range(BORDERS):
        soonest.part[i] = NO_WAY
        soonest.whole[i] = NO_WAY
    for i in range(4):
        if i != P.mover:
            take_emperor(B, R, P, i, soonest)


cdef Left left_with(const Board* B, const Recall* R, const Position* P, const Afar* others) noexcept nogil:
    """How soon the last borders can be secured, by them or the active Emperor."""
    cdef Afar soonest = others[0]
    cdef Mask discs = garrison_discs(P)
    cdef Left left
    cdef int count = 0
    cdef int latest = 0
    cdef int i
    take_emperor(B, R, P, P.mover, &soonest)
    left.far = left.all = 0
    for i in range(6):
        if discs >> B.border[i] & 1:
            continue
        count += 1
        left.all += soonest.part[i]
        if soonest.part[i] > left.far:
            left.far = soonest.part[i]
        if soonest.whole[i] > latest:
            latest = soonest.whole[i]
    left.far /= 12
    left.all /= 36
    left.one = left.farthest = -1
    if count:
        count = AT_LAST + ((count if count < MOST_LEFT else MOST_LEFT) - 1) * LAST_FEATURES
        left.one = count + (latest if latest < MOST_SOON else MOST_SOON)
        left.farthest = count + MOST_SOON + 1
    return left


cdef Left what_is_left(const Board* B, const Recall* R, const Position* P) noexcept nogil:
    """How soon the last borders can be secured."""
    cdef Afar others
    soonest_of_others(B, R, P, &others)
    return left_with(B, R, P, &others)
