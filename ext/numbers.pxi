# What the numbers stand for: provinces and sets of them, kinds of actions, outcomes, the mark of a position.

ctypedef uint64_t Mask     # a set of provinces: bit p is province p

cdef enum:
    PROVINCES = 48         # rules, section 1
    OFF_BOARD = 63         # the province of an Emperor who is off the board; its bit is in no mask of the board
    MOST_DISCS = 21        # revolts, and unrest
    MOST_ARMIES = 3
    FULL_IP = 6

cdef enum:                 # costs in IP; moves cost what roman.pxi says of a `Ways`, securing what a board says
    LINK_IP = 1            # an attack through a normal link,
    BROKEN_LINK_IP = 2     # through a broken one,
    REVOLT_IP = 1          # and more where a revolt lies
    SAIL_IP = 1
    REMOVE_REVOLT_IP = 2
    REMOVE_UNREST_IP = 1
    REDUCE_IP = 1

cdef enum:                 # the low four bits of an action code
    ACT_ENTER
    ACT_MOVE
    ACT_SAIL
    ACT_SECURE
    ACT_REMOVE
    ACT_REDUCE
    ACT_ATTACK
    ACT_END

cdef enum:                 # outcomes of a battle, from the Roman side
    VICTORY
    DRAW
    DEFEAT

cdef enum:                 # Position.mark = phase | result << 1
    ROMAN_OPEN = 0         # the only mark under which the active Emperor can act
    PHASE_BARBARIAN = 1
    RESULT_WON = 2
    RESULT_FALLEN = 4
