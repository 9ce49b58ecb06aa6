# Numbers of the rulebook, and what numbers stand for: provinces, sets of them, kinds of actions, outcomes, the mark of a position.

ctypedef uint64_t Mask     # a set of provinces: bit p is province p

cdef enum:
    PROVINCES = 48         # rules, section 1
    OFF_BOARD = 63         # the province of an Emperor who is off the board; its bit is in no mask of the board
    MOST_DISCS = 21        # revolts, and unrest
    MOST_ARMIES = 3
    FIRST_PROVINCE = 1     # the number on which a region's first revolt is rolled again
    DIE = 6                # faces of a die,
    BLOCKED = 3            # of which so many block a broken link
    SUPPORT_FACTOR = 2     # what each figure that supports in battle multiplies by
    FULL_IP = 6            # at the start of a turn
    BORDERS_TO_WIN = 6
    FIRST_REVOLTS = 1      # of each region, in a set-up
    ROMAN_BONUS = 0        # added to the Roman die in battle,
    BARBARIAN_BONUS = 0    # and to the Barbarian one

cdef enum:                 # costs in IP
    LINK_IP = 1            # a move or an attack through a normal link,
    BROKEN_LINK_IP = 2     # through a broken one,
    SEA_IP = 1             # across a sea zone,
    REVOLT_IP = 1          # and more where a revolt lies,
    ATTACK_IP = 0          # and more for an attack
    SAIL_IP = 1
    SECURE_IP = 1
    SECURE_BORDER_IP = 2
    REMOVE_REVOLT_IP = 2
    REMOVE_UNREST_IP = 1
    REDUCE_IP = 1

# Where the code takes a number for granted
assert 2 * BLOCKED == DIE, "spread.pxi, activity.pxi and exact.pxi count in halves"
assert LINK_IP == SEA_IP == REVOLT_IP == 1 and BROKEN_LINK_IP == 2, "a `Ways` has a set of provinces for each cost"

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
