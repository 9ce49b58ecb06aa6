# Numbers of the rulebook that only modules and variants know.

cdef enum:
    MOST_GRAY = 4              # discs of the Barbarian player,
    MOST_BLACK = 1
    FLEETS_WITH_PIRATES = 2    # at most: they lie where a third fleet would
    FIRST_PIRATES = 2          # they are set up in one of two zones, this one
    LAST_PIRATES = 3           # or this one
    FIRST_GOTHS = 3            # they appear on the borders of two regions, this one
    LAST_GOTHS = 4             # and this one
    GOTHS_IN_BATTLE = 1        # added to the Barbarian die
    GOTHS_AT_A_CHECK = 1       # added to their check of a broken link
    GLORY_A_BATTLE = 1         # discs won or lost
    MAXIMIAN_IP = 1            # that he gains by his power

cdef enum:                     # costs in IP
    DEPLOY_IP = 2
    PIRATES_IP = 2             # an attack on them
    TRANSFER_IP = LINK_IP      # of a garrison through a normal link,
    FAR_TRANSFER_IP = BROKEN_LINK_IP    # and through a broken one
    POWER_IP = 0               # a power is paid for with discs
