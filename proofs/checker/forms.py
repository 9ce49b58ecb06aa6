"""The forms of proof, and the form of each kind of facts.

A form says what a certificate may add to the claim, and so what somebody who forges one may choose. A verdict depends on the
claim alone: whatever a certificate adds can help to confirm the truth, and cannot make anything else pass.

========== =========================================================================================================
recount    nothing: there is no certificate, the values are worked out from the id of the fact and the board
replay     positions and actions, which are carried out by the rules; a bound that the checker works out meets them
potential  a number for each state, all of them compared with those that one step leads to
states     a closed list of states, each with a bound that follows from those it leads to
cover      the smallest sets with a property, and a proof (LRAT) that there is no smaller one and no other
game       a game from the set-up on, move by move, and dice; a bound that the checker works out meets it
========== =========================================================================================================
"""

RECOUNT, REPLAY, POTENTIAL, STATES, COVER, GAME = FORMS = (
    "recount",
    "replay",
    "potential",
    "states",
    "cover",
    "game",
)

KINDS: dict[str, tuple[str, ...]] = {
    RECOUNT: (
        *("invariant", "border-secured", "border-lost", "game-ends", "phase-ends", "turn-ends"),
        *("map-count", "map-degree", "map-border", "map-coast", "map-inland", "map-articulation", "map-bridge"),
        *(
            "map-unbroken",
            "map-distance",
            "map-radius",
            "uprising-reach",
            "uprising-spread",
            "arrow-path",
            "arrow-cover",
        ),
        *("uprising", "opening", "march", "phase", "battle", "support", "wait", "route"),
        *("book-barbarians", "book-battle", "book-board", "book-borders", "book-geography"),
        *("book-levels", "book-movement", "book-prices", "book-round", "book-set-up", "book-waiting"),
        *("book-dux", "book-goths", "book-modules", "book-pirates", "book-vicarius", "book-rebels", "book-scenario"),
        *("book-wars", "book-barbaria", "book-imperium", "book-mare-nostrum", "book-roma-aeterna", "book-usurper"),
        *("book-variants", "book-via-romana"),
    ),
    REPLAY: ("turn-most",),
    POTENTIAL: ("route-blocked",),
    STATES: ("growth", "chain"),
    COVER: ("cover", "barrier"),
    GAME: ("victory-soonest", "victory-harsh"),
}

FORM_OF = {kind: form for form, kinds in KINDS.items() for kind in kinds}
