"""The claims of the game, family by family."""

from __future__ import annotations

from tetrasolve.claims.families import Claims

CLAIMS = Claims(
    game="et-finem",
    package="tetrasolve.finem.facts",
    families={
        "ground": "The map",
        "chains": "Chains of outbreaks",
        "tempo": "Tempo",
        "doom": "Positions in which every card loses",
        "idle": "What never happens",
    },
    forms=(("finem-game", "game"),),
    rows=("map", "numbers"),
    folder="finem",
)
