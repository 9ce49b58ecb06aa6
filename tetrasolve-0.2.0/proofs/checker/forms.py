"""The forms of proof, and the form of each kind of facts.

A form says what a certificate may add to the claim, and so what somebody who forges one may choose. A verdict depends on the
claim alone: whatever a certificate adds can help to confirm the truth, and cannot make anything else pass.

========== =========================================================================================================
recount    nothing: there is no certificate, the values are worked out from the id of the fact and the board
replay     positions and actions, which are carried out by the rules; a bound that the checker works out meets them
cover      the smallest sets with a property, and a proof (LRAT) that there is no smaller one and no other
game       a game from the set-up on, move by move, and dice; a bound that the checker works out meets it
========== =========================================================================================================
"""

RECOUNT, REPLAY, COVER, GAME = FORMS = (
    "recount",
    "replay",
    "cover",
    "game",
)

KINDS: dict[str, tuple[str, ...]] = {
    RECOUNT: (
        *("map", "arrow", "route", "uprising", "chain", "opening", "march", "battle", "support", "wait"),
        *("invariant", "statement"),
    ),
    REPLAY: ("turn-most", "growth"),
    COVER: ("cover", "barrier"),
    GAME: ("victory-soonest", "victory-harsh"),
}

FORM_OF = {kind: form for form, kinds in KINDS.items() for kind in kinds}
