"""Proofs and exact values for the board game Tetrarchia: optimal turn plans, risks, rules checked by two engines.

The names below are the public API; each is imported when it is first used, so that `import tetrasolve` is quick.

>>> import tetrasolve
>>> fight = tetrasolve.example("fight")
>>> best = tetrasolve.plan(fight, "kill narbonensis")
>>> print(best.status, best.values[0])
optimal_proved 17/18
>>> tetrasolve.risk(fight).figures.p_uprising
Fraction(7, 36)
"""

from typing import TYPE_CHECKING

from tetrasolve.errors import TetrasolveError

if TYPE_CHECKING:  # what type checkers and editors see; at run time each name is imported when it is first used
    from tetrasolve.tetrarchia.board import Board
    from tetrasolve.tetrarchia.builder import PositionBuilder, build
    from tetrasolve.tetrarchia.examples import example, examples
    from tetrasolve.tetrarchia.facts.listing import FactList, facts
    from tetrasolve.tetrarchia.game import Game, new_game
    from tetrasolve.tetrarchia.hint.advice import Hint, hint
    from tetrasolve.tetrarchia.hint.review import Review, review
    from tetrasolve.tetrarchia.plan import Plan, PlanResult, plan
    from tetrasolve.tetrarchia.plan.campaign import CampaignResult, campaign
    from tetrasolve.tetrarchia.position import Position
    from tetrasolve.tetrarchia.record import read_record, write_record
    from tetrasolve.tetrarchia.risk import Risk, risk
    from tetrasolve.tetrarchia.risk.best import BestPlay, best_play
    from tetrasolve.tetrarchia.risk.combat import Fights, fight
    from tetrasolve.tetrarchia.rules import legal_actions, objection, outcomes, parse, play
    from tetrasolve.tetrarchia.ruleset import Ruleset

    __version__: str

__all__ = [
    "BestPlay",
    "Board",
    "CampaignResult",
    "FactList",
    "Fights",
    "Game",
    "Hint",
    "Plan",
    "PlanResult",
    "Position",
    "PositionBuilder",
    "Review",
    "Risk",
    "Ruleset",
    "TetrasolveError",
    "best_play",
    "build",
    "campaign",
    "example",
    "examples",
    "facts",
    "fight",
    "hint",
    "legal_actions",
    "new_game",
    "objection",
    "outcomes",
    "parse",
    "plan",
    "play",
    "read_record",
    "review",
    "risk",
    "write_record",
]

# The module of each name above that is imported when it is used; a test compares them with what type checkers see
_HOMES = {
    "BestPlay": "tetrasolve.tetrarchia.risk.best",
    "Board": "tetrasolve.tetrarchia.board",
    "CampaignResult": "tetrasolve.tetrarchia.plan.campaign",
    "FactList": "tetrasolve.tetrarchia.facts.listing",
    "Fights": "tetrasolve.tetrarchia.risk.combat",
    "Game": "tetrasolve.tetrarchia.game",
    "Hint": "tetrasolve.tetrarchia.hint.advice",
    "Plan": "tetrasolve.tetrarchia.plan",
    "PlanResult": "tetrasolve.tetrarchia.plan",
    "Position": "tetrasolve.tetrarchia.position",
    "PositionBuilder": "tetrasolve.tetrarchia.builder",
    "Review": "tetrasolve.tetrarchia.hint.review",
    "Risk": "tetrasolve.tetrarchia.risk",
    "Ruleset": "tetrasolve.tetrarchia.ruleset",
    "best_play": "tetrasolve.tetrarchia.risk.best",
    "build": "tetrasolve.tetrarchia.builder",
    "campaign": "tetrasolve.tetrarchia.plan.campaign",
    "example": "tetrasolve.tetrarchia.examples",
    "examples": "tetrasolve.tetrarchia.examples",
    "facts": "tetrasolve.tetrarchia.facts.listing",
    "fight": "tetrasolve.tetrarchia.risk.combat",
    "hint": "tetrasolve.tetrarchia.hint.advice",
    "legal_actions": "tetrasolve.tetrarchia.rules",
    "new_game": "tetrasolve.tetrarchia.game",
    "objection": "tetrasolve.tetrarchia.rules",
    "outcomes": "tetrasolve.tetrarchia.rules",
    "parse": "tetrasolve.tetrarchia.rules",
    "plan": "tetrasolve.tetrarchia.plan",
    "play": "tetrasolve.tetrarchia.rules",
    "read_record": "tetrasolve.tetrarchia.record",
    "review": "tetrasolve.tetrarchia.hint.review",
    "risk": "tetrasolve.tetrarchia.risk",
    "write_record": "tetrasolve.tetrarchia.record",
}


def __getattr__(name: str) -> object:
    value: object
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(_HOMES[name]), name)
    elif name == "__version__":  # reading the metadata takes longer than everything else here
        from importlib import metadata

        value = metadata.version("tetrasolve")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value  # the next access finds it without this function
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
