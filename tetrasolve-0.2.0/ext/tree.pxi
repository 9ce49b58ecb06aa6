# The Barbarian phase with decisions: what one position leads to, as a tree of whole-number chances. How trees grow is described in
# decided.pxi.
#
# Chances are counted in parts of `TREE_UNIT`, into which go all divisions of a tree:
#
#   step 1        2 for each broken link and each gray disc, 60 for each of three usurpers
#   an activity   36, 36 for each disc, 2 for each link of a province, 60 for each usurper
#   an advance    for each army 6 for its check, 36 for its battle and 60 for a usurper, 36 for each disc
#
# so that one tree serves floating-point chances and fractions alike.

cdef enum:                 # where a leaf is: what comes next
    AT_SPREAD              # step 1: never a leaf
    AT_BLACK               # the black disc, before step 2: never a leaf
    AT_ACTIVITY            # step 2
    AT_ECHO
    AT_ADVANCE             # step 3, the black disc before it
    AT_MARCH               # the same after it: never a leaf
    AT_ARMY                # the next army: never a leaf
    AT_END
    AT_FALL

cdef struct Leaf:
    Position position
    Wide weight
    int at
    int cause              # of a fall

cdef struct Tree:
    const Board* board
    Figures* figures       # battles and arrivals are added to them
    const Position* head   # the position after an uprising that it grows from: what comes back to it is left out; or NULL
    double flow            # the chance of its root
    Leaf* leaves
    size_t count
    size_t capacity
    bint failed            # no memory
    Watch* watch           # of the call that it grows for; after a stop it is of no use
    Wide uprisings         # chance that the roll at its root, rolled again or not, leads to an uprising
    Wide arrivals          # and an echo to an army


cdef Wide make_tree_unit():
    cdef Wide unit = <Wide> 1 << 70
    cdef int i
    for i in range(20):
        unit *= 3
    return unit * 125

cdef Wide TREE_UNIT = make_tree_unit()


cdef inline double tree_chance(Wide weight) noexcept nogil:
    return <double> weight / <double> TREE_UNIT


cdef void tree_start(Tree* T, const Board* B, Figures* figures, double flow) noexcept nogil:
    T.board = B
    T.figures = figures
    T.head = NULL
    T.flow = flow
    T.count = 0
    T.uprisings = T.arrivals = 0


cdef void leaf_put(Tree* T, const Position* P, Wide weight, int at, int cause) noexcept nogil:
    cdef Leaf* leaves
    if T.count == T.capacity:
        leaves = <Leaf*> realloc(T.leaves, (2 * T.capacity + 64) * sizeof(Leaf))
        if not leaves:
            T.failed = True
            return
        T.leaves = leaves
        T.capacity = 2 * T.capacity + 64
    T.leaves[T.count].position = P[0]
    T.leaves[T.count].weight = weight
    T.leaves[T.count].at = at
    T.leaves[T.count].cause = cause
    T.count += 1


cdef void fall_put(Tree* T, const Position* P, Wide weight, int cause) noexcept nogil:
    leaf_put(T, P, weight, AT_FALL, cause)
