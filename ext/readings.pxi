# The readings of open sentences: `Board.reading[I_...]` is the number of the value in use, 0 the default. The names and the number
# of values are those of tetrasolve/tetrarchia/data/readings.toml.

cdef enum:
    I_ENTRY
    I_ENTRY_SHARED
    I_PASS
    I_RESERVE
    I_REVOLT_GROUP
    I_BATTLE_BROKEN
    I_BORDER_DEFEAT
    I_CHECK
    I_ORDER
    I_FRESH
    I_DUX_DEFEAT
    I_DUX_REVOLT
    I_PIRATES_ZONE
    I_PIRATES_PRINTED
    I_GOTHS_ARMY
    I_GOTHS_SUPPORT
    I_VIA_EMPTY
    I_VIA_BORDER
    I_SHORTEST
    I_IMPERIUM_BORDER
    I_BLACK_WHEN
    I_BLACK_PLACE
    I_BLACK_CAPITALS
    I_REROLL
    MOST_READINGS

READINGS = {
    "I-ENTRY": (I_ENTRY, 2),
    "I-ENTRY-SHARED": (I_ENTRY_SHARED, 2),
    "I-PASS": (I_PASS, 2),
    "I-RESERVE": (I_RESERVE, 2),
    "I-REVOLT-GROUP": (I_REVOLT_GROUP, 2),
    "I-BATTLE-BROKEN": (I_BATTLE_BROKEN, 2),
    "I-BORDER-DEFEAT": (I_BORDER_DEFEAT, 2),
    "I-CHECK": (I_CHECK, 2),
    "I-ORDER": (I_ORDER, 2),
    "I-FRESH": (I_FRESH, 2),
    "I-DUX-DEFEAT": (I_DUX_DEFEAT, 2),
    "I-DUX-REVOLT": (I_DUX_REVOLT, 2),
    "I-PIRATES-ZONE": (I_PIRATES_ZONE, 2),
    "I-PIRATES-PRINTED": (I_PIRATES_PRINTED, 2),
    "I-GOTHS-ARMY": (I_GOTHS_ARMY, 2),
    "I-GOTHS-SUPPORT": (I_GOTHS_SUPPORT, 2),
    "I-VIA-EMPTY": (I_VIA_EMPTY, 2),
    "I-VIA-BORDER": (I_VIA_BORDER, 2),
    "I-SHORTEST": (I_SHORTEST, 2),
    "I-IMPERIUM-BORDER": (I_IMPERIUM_BORDER, 2),
    "I-BLACK-WHEN": (I_BLACK_WHEN, 2),
    "I-BLACK-PLACE": (I_BLACK_PLACE, 2),
    "I-BLACK-CAPITALS": (I_BLACK_CAPITALS, 2),
    "I-REROLL": (I_REROLL, 2),
}
