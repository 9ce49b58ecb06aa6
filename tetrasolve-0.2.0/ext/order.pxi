# The order in which armies advance.

cdef struct March:         # an advance under way
    uint8_t[MOST_ARMIES] order
    int count
    int next               # the first that is still to move


cdef inline int in_order(const Board* B, Mask armies, uint8_t* order) noexcept nogil:
    """Writes the provinces of the armies in the order of their advance: nearest to Roma first, see `Board.turn`."""
    cdef int count = 0
    cdef int p, i
    while armies:
        p = lowest(armies)
        armies &= armies - 1
        i = count
        while i and B.turn[order[i - 1]] > B.turn[p]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = p
        count += 1
    return count


cdef inline void line_up(const Board* B, Mask armies, March* march) noexcept nogil:
    """Sets up the advance of these armies."""
    march.next = 0
    march.count = in_order(B, armies, march.order)
