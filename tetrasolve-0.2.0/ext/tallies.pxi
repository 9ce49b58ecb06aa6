# The Barbarian phase: figures that are summed up while its outcomes are gathered.

cdef enum:                 # why the Empire falls
    ARMY_IN_ROMA
    NO_REVOLT_LEFT
    NO_UNREST_LEFT

cdef enum:
    MOST_UPRISINGS = 64    # that are counted one by one

cdef struct Figures:       # chances and expected numbers, summed up as the sweep goes
    uint64_t visits        # outcomes before equal ones are merged
    double p_uprising
    double e_uprisings
    double e_revolts       # chance times revolts, where the Empire stands
    double fallen[3]       # by cause
    double arrival[6]      # of an army on the border of each region
    double battle[PROVINCES][LEADERS][3]    # in the advance: by province of the army, figure attacked, outcome


cdef inline double p_lost(const Figures* figures) noexcept nogil:
    return figures.fallen[ARMY_IN_ROMA] + figures.fallen[NO_REVOLT_LEFT] + figures.fallen[NO_UNREST_LEFT]


cdef inline double p_new_army(const Figures* figures) noexcept nogil:
    cdef double total = 0
    cdef int i
    for i in range(6):
        total += figures.arrival[i]
    return total
