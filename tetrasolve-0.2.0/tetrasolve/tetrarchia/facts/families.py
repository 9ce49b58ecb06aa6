"""The claims of the game, family by family."""

from __future__ import annotations

from tetrasolve.claims.families import Claims

# Each family is a module of this package, or a package, with a tuple TOPICS
CLAIMS = Claims(
    game="tetrarchia",
    package="tetrasolve.tetrarchia.facts",
    families={
        "graph": "The map as a graph",
        "routes": "Routes",
        "tempo": "Tempo",
        "cascades": "Cascades",
        "combat": "Combat",
        "invariants": "Invariants",
        "rulebook": "What the rulebook says of itself",
    },
    forms=(
        ("turn-bound", "replay"),
        ("growth", "replay"),
        ("smallest-sets", "cover"),
        ("soonest-victory", "game"),
    ),
    rows=("links", "kinds", "arrows", "zones", "regions", "numbers", "printed"),
)
