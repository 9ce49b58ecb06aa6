# Barbarian phase: what has changed on the board, read off the outcomes that a sweep has gathered.

cdef struct Changes:       # chances, the Empire standing; of counts by number, the last for all above it too
    double removed[4]
    double new_revolts[MOST_DISCS + 1]
    double new_unrest[MOST_DISCS + 1]
    double garrisons_lost[MOST_DISCS + 1]
    double turned[PROVINCES]


cdef inline int counted(Mask where) noexcept nogil:
    return min(popcount(where), MOST_DISCS)


cdef void read_changes(const Book* book, const Position* before, Changes* changes, Watch* watch) noexcept nogil:
    """Of no use after a stop."""
    cdef const Position* after
    cdef Mask turned
    cdef double chance
    cdef uint32_t row
    cdef int i
    memset(changes, 0, sizeof(Changes))
    for row in range(book.count):
        if not row & 0xff and spend(watch, 100):
            return
        after = &book.rows[row]
        chance = book.notes[row]
        turned = after.revolts & ~before.revolts
        changes.new_revolts[counted(turned)] += chance
        changes.new_unrest[counted(after.unrest & ~before.unrest)] += chance
        changes.garrisons_lost[counted(garrison_discs(before) & ~garrison_discs(after))] += chance
        while turned:
            changes.turned[lowest(turned)] += chance
            turned &= turned - 1
        for i in range(4):
            if before.emperor[i] != OFF_BOARD and after.emperor[i] == OFF_BOARD:
                changes.removed[i] += chance


cdef list row_of(const double* values, int count):
    return [values[i] for i in range(count)]


cdef dict battles_of(const Figures* figures):
    """Those that can happen: (province of the army, Emperor) -> chances of victory, draw and defeat."""
    cdef const double* chances
    battles = {}
    for p in range(PROVINCES):
        for i in range(LEADERS):
            chances = figures.battle[p][i]
            if chances[VICTORY] + chances[DRAW] + chances[DEFEAT] > 0:
                battles[p, i] = (chances[VICTORY], chances[DRAW], chances[DEFEAT])
    return battles
