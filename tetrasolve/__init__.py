"""Proves things about the board game Tetrarchia: optimal turn plans, exact risks, rules that two engines agree on.

The names below are the front door; everything else is in its room.

>>> import tetrasolve
>>> fight = tetrasolve.example("fight")
>>> best = tetrasolve.plan(fight, "kill narbonensis")
>>> print(best.status, best.values[0])
optimal_proved 17/18
>>> tetrasolve.risk(fight).figures.p_uprising
Fraction(7, 36)
"""

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.plan import Plan, PlanResult, plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.risk import Risk, risk
from tetrasolve.tetrarchia.rules import legal_actions, objection, outcomes, parse, play
from tetrasolve.tetrarchia.ruleset import Ruleset

__version__: str

__all__ = [
    "Board",
    "Game",
    "Plan",
    "PlanResult",
    "Position",
    "Risk",
    "Ruleset",
    "TetrasolveError",
    "example",
    "examples",
    "legal_actions",
    "new_game",
    "objection",
    "outcomes",
    "parse",
    "plan",
    "play",
    "read_record",
    "risk",
    "write_record",
]


def __getattr__(name: str) -> str:
    if name == "__version__":  # looked up when asked for: reading the metadata takes a third of the import
        from importlib import metadata

        return metadata.version("tetrasolve")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
