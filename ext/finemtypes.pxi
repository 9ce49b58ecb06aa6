# Numbers of the rules, readings, steps, options; a state and the rules of a game as C structures.

class KernelError(ValueError):
    """A value that the kernel cannot take; the message says which, and what was expected."""


cdef enum:
    REGIONS = 24
    TRIBES = 4
    RANKS = 6                 # region = tribe * RANKS + rank; ranks in the order 5 6 7 S C R
    ALL_CARDS = 0xFFFFFF
    ALL_TRIBES = 0xF
    FULL = 3                  # cubes of one tribe in a region
    RESERVE = 12              # cubes of a tribe
    LAST_OUTBREAK = 4
    DIE_TOP = 6
    DIE_PREFECT = 5
    POINTS_LIMIT = 11
    HAND = 3                  # cards of a campaign
    ORDERS = 6                # of these
    EACH_ACTIONS = 4
    CARDS_KEPT = 4            # most cards of a hand: those of a Tribune's invasion
    SPARED_CARDS = 5          # that an invasion can need, with one exchanged: a crisis leaves them in the deck [E-CRISIS-GONE]
    MOST_OPTIONS = 768        # of event 7, where a cube goes besides all of a tribe in a region
    MOST_ROWS = 32
    MOST_STARTS = 2
    RINGS = 5                 # distances on the map that are distinguished: 0 to 4, and more

cdef enum:                    # ranks by what their event does
    EV_TRAVEL
    EV_QUIET
    EV_RESIST
    EV_RAISE
    EV_PROTECT
    EV_WAR

cdef enum:                    # roles
    NOBODY
    TRIBUNE
    PREFECT
    CONSUL
    MAGISTER
    DICTATOR
    EMPEROR
    ROLES = 6

cdef enum:                    # steps
    S_ACT
    S_DICTATOR
    S_RIDE
    S_DRAW
    S_EXCHANGE
    S_EVENT
    S_TRAVEL
    S_RESIST
    S_RAISE
    S_PROTECT
    S_WAR
    S_DISCARD_EVENT
    S_CRISIS
    S_DISCARD
    S_INVADE
    S_SWAP
    S_ROLE
    S_APPOINT
    S_CHOOSE                  # how far the decline moves [E-THREE], or in which order cards count [E-LIMIT-ORDER]
    S_ORDER                   # which card of the Tribune's invasion is carried out next [E-INVASION-ORDER]
    STEPS

cdef enum:                    # kinds of options; an option is kind << 12 | details
    O_CARD                    # region; | IN_HAND: one that the Tribune carries out
    O_NAME                    # role
    O_CONFRONT                # tribe | all << 2
    O_MOVE                    # region
    O_RIDE
    O_PACIFY                  # tribe
    O_PASS
    O_STAY
    O_KEEP
    O_EXCHANGE                # region, or UNSEEN: for a card that is drawn first
    O_REMOVE                  # region | tribe << 5 | all << 7
    O_RAISE                   # tribe
    O_PROTECT                 # region
    O_DISCARD                 # three bits of points for each tribe
    O_REMOVE_BESIDE           # all of a tribe in a region, and a cube: region | tribe << 5 | the cube's region << 7
    O_CHOOSE                  # how far the decline moves, or AN_ORDER | two bits of the suit of each card
    KIND = 12                 # bits of the details
    UNSEEN = 31
    IN_HAND = 32
    AN_ORDER = 64

cdef enum:                    # how a game ends
    RUNNING
    WON
    LOST_OUTBREAKS
    LOST_DECLINE
    LOST_RESERVE              # + tribe
    ENDS = 8

cdef enum:                    # marks of a state
    QUIET = 1
    EXCHANGED = 2
    TRAVELS = 4               # as the Consul, besides the role [E-EMPEROR-TRAVEL]

cdef enum:                    # parts of a campaign
    P_DECLINE
    P_EVENT
    P_CRISIS
    P_DICE
    PARTS

cdef enum:                    # readings
    E_SETUP
    E_FULL
    E_WIN
    E_LAST
    E_DICTATOR
    E_PACIFY
    E_PREFECT
    E_TRIBUNE
    E_ORDER
    E_THREE
    E_WHEN
    E_EVENT
    E_CRISIS
    E_OVER
    E_ELEVEN
    E_CIVIL
    E_ERADICATE
    E_EMPEROR
    E_SPHERE
    E_CAP3_END
    E_MAP
    E_EXCHANGE
    E_PROTECT
    E_FILL
    E_CRISIS_GONE
    E_WAR
    E_WAR_ORDER
    E_LIMIT
    E_LIMIT_DICE
    E_GONE_SUITS
    E_RESIST
    E_TRAVEL
    E_RAISE
    E_PROTECT_OUT
    E_SWAP
    E_FIRST_LAST
    E_AGAIN
    E_START
    E_WAR_LAST
    E_DICTATOR_STAY
    E_FOURTH
    E_LIMIT_ORDER
    E_CHAIN_FIRST
    E_CORNER_START
    E_RAISE_STUCK
    E_RESIST_ALL
    E_EMPEROR_WHEN
    E_LIMIT_EVENT
    E_EMPEROR_TRAVEL
    E_INVASION_ORDER
    READING_COUNT
    MOST_READINGS = 56

# The values of each, numbered from 0; the enums below name those that the code asks for
READINGS = {
    "E-SETUP": ("nine", "twelve", "three-three-six"),
    "E-FULL": ("again", "lost", "card"),
    "E-WIN": ("at-once", "phase", "turn"),
    "E-LAST": ("invaded", "drawn", "put"),
    "E-DICTATOR": ("may", "must", "there"),
    "E-PACIFY": ("automatic", "action", "free"),
    "E-PREFECT": ("action", "turn", "standing", "found"),
    "E-TRIBUNE": ("campaign", "invasion", "either"),
    "E-ORDER": ("listed", "dice-first", "crisis-last"),
    "E-THREE": ("crisis", "two", "stop", "need", "either"),
    "E-WHEN": ("at-once", "after"),
    "E-EVENT": ("three-suits", "never"),
    "E-CRISIS": ("passed", "exact"),
    "E-OVER": ("carry", "lost"),
    "E-ELEVEN": ("four", "open"),
    "E-CIVIL": ("skip", "return", "die"),
    "E-ERADICATE": ("removal", "own", "always"),
    "E-EMPEROR": ("any", "other"),
    "E-SPHERE": ("gap", "skip"),
    "E-CAP3-END": ("nine", "ten"),
    "E-MAP": ("printed", "dealt"),
    "E-EXCHANGE": ("blind", "must", "may", "by-phase"),
    "E-PROTECT": ("card", "chain"),
    "E-FILL": ("missing", "three", "held"),
    "E-CRISIS-GONE": ("nothing", "return", "again"),
    "E-WAR": ("outbreak", "none"),
    "E-WAR-ORDER": ("listed", "together"),
    "E-LIMIT": ("once", "each-point", "lost", "before-six"),
    "E-LIMIT-DICE": ("any", "raised", "open"),
    "E-GONE-SUITS": ("count", "ignored"),
    "E-RESIST": ("must", "may"),
    "E-TRAVEL": ("may", "must"),
    "E-RAISE": ("must", "may"),
    "E-PROTECT-OUT": ("any", "deck"),
    "E-SWAP": ("last", "place"),
    "E-FIRST-LAST": ("set-up", "none"),
    "E-AGAIN": ("rises", "stays"),
    "E-START": ("place", "card"),
    "E-WAR-LAST": ("never", "counts", "card", "card-only"),
    "E-DICTATOR-STAY": ("used", "free"),
    "E-FOURTH": ("any", "first-three"),
    "E-LIMIT-ORDER": ("suits", "drawn", "chosen"),
    "E-CHAIN-FIRST": ("once", "again"),
    "E-CORNER-START": ("corner", "table"),
    "E-RAISE-STUCK": ("named", "not"),
    "E-RESIST-ALL": ("instead", "besides"),
    "E-EMPEROR-WHEN": ("after", "at-once"),
    "E-LIMIT-EVENT": ("before", "waits"),
    "E-EMPEROR-TRAVEL": ("alone", "besides"),
    "E-INVASION-ORDER": ("drawn", "tribune"),
}

cdef enum:
    LAST_INVADED = 0
    LAST_DRAWN = 1
    LAST_PUT = 2
    PACIFY_ACTION = 1
    PACIFY_FREE = 2
    TRIBUNE_CAMPAIGN = 0
    TRIBUNE_INVASION = 1
    TRIBUNE_EITHER = 2
    THREE_CRISIS = 0
    THREE_TWO = 1
    THREE_STOP = 2
    THREE_NEED = 3
    THREE_EITHER = 4
    ERADICATE_OWN = 1
    ERADICATE_ALWAYS = 2
    EXCHANGE_BLIND = 0
    EXCHANGE_MUST = 1
    EXCHANGE_MAY = 2
    EXCHANGE_BY_PHASE = 3
    PREFECT_TURN = 1
    PREFECT_STANDING = 2
    PREFECT_FOUND = 3
    CIVIL_RETURN = 1
    CIVIL_DIE = 2
    SETUP_THREE_THREE_SIX = 2
    FULL_CARD = 2
    WIN_TURN = 2
    DICTATOR_MAY = 0
    DICTATOR_THERE = 2
    ORDER_DICE_FIRST = 1
    ORDER_CRISIS_LAST = 2
    FILL_HELD = 2
    CRISIS_GONE_RETURN = 1
    CRISIS_GONE_AGAIN = 2
    LIMIT_LOST = 2
    LIMIT_BEFORE_SIX = 3
    LIMIT_DICE_RAISED = 1
    LIMIT_DICE_OPEN = 2
    LIMIT_ORDER_DRAWN = 1
    LIMIT_ORDER_CHOSEN = 2
    WAR_LAST_CARD = 2
    WAR_LAST_CARD_ONLY = 3

cdef enum:                    # borders of the map
    FLAT
    GAP
    SKIP

LEVELS = ("introductory", "standard", "expert")

cdef uint64_t LOW_BITS = 0x555555555555u     # the lower bit of each region's two


cdef struct Table:
    # A state of the game: one cache line
    uint64_t[4] cubes         # for each tribe two bits a region: region r at bits 2 r and 2 r + 1
    uint32_t out              # cards drawn in this turn
    uint8_t[4] dice           # 0: put away
    uint8_t pacified          # a bit a tribe
    uint8_t decline
    uint8_t outbreaks
    uint8_t role
    uint8_t pawn
    uint8_t start
    uint8_t last
    uint8_t step
    uint8_t left              # actions, invasions, or cards whose points are still to come [E-LIMIT]
    uint8_t card              # of the Dictator, or that the Tribune has seen or will replace: region + 1, or 0
    uint8_t shield            # the protected region + 1, or 0
    uint8_t marks
    uint8_t held              # cards of the hand
    uint8_t[5] hand           # regions
    uint8_t end
    uint8_t by                # the region + 1 whose card lost the game, or 0
    uint8_t[4] unused


cdef struct Rules:
    # What a ruleset says, and the map
    uint32_t[24] near         # adjacent regions
    uint8_t[4] parts          # of a campaign in their order
    uint8_t[56] reading       # MOST_READINGS
    uint8_t introductory
    uint8_t last_decline      # the decline that loses
    uint8_t card_decline      # cubes of decline on a card
    uint8_t border
    uint8_t starts            # how many regions the pawn can begin on
    uint8_t[2] start
    uint8_t table_start       # the region of the start without the option corner [E-CORNER-START]
    uint64_t[24] wide         # adjacent regions, each as the lower of the two bits that its cubes have
    uint32_t[24][6] ring      # regions by their distance; the last: those that are farther
    uint8_t[24][24] moves     # the moves from a region to another


cdef inline int option_of(int kind, int details) noexcept nogil:
    return kind << KIND | details


cdef inline int suit_of(int region) noexcept nogil:
    return region // RANKS


cdef inline int rank_of(int region) noexcept nogil:
    return region % RANKS
