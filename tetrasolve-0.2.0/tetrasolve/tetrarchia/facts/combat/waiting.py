"""Attack an army, or stand in its way and let it come? The numbers are the same, but the phase comes in between.

An Emperor who waits pays no IP for the attack. But a broken link stops the army half the time, and before it moves the dice
change the position: its revolts may grow, and an uprising may bring it support.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.facts.combat.ground import paths
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.phase.events import battles_in
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.risk.combat import chances
from tetrasolve.tetrarchia.rules.links import attack_cost
from tetrasolve.tetrarchia.ruleset import Ruleset


def _compared(position: Position, army: str) -> dict[str, Value] | None:
    """Attacking from where the active Emperor stands, and waiting where the army goes; None where one cannot be."""
    origin, target = position.here, position.board[army].arrow
    assert origin is not None and target is not None
    price = attack_cost(position, origin, army)
    if price is None:
        return None
    there = position.with_emperor(position.to_move, target)
    met = battles_in(rules.solve(there))
    fight = chances(rules.battle(position, position.to_move, army))
    values: dict[str, Value] = {"attack.ip": price, "attack.from": origin, "wait.in": target}
    for outcome in Outcome:
        values[f"attack.{outcome.value}"] = fight[outcome]
        values[f"wait.{outcome.value}"] = met.get((army, position.to_move, outcome), Fraction(0))
    values["wait.none"] = 1 - sum((met.get((army, position.to_move, o), Fraction(0)) for o in Outcome), Fraction(0))
    return values


# -- the rulebook's example ------------------------------------------------------------------------------------

ARMY = "narbonensis"


@lru_cache(maxsize=64)
def _example(board: Board) -> dict[str, Values]:
    values = _compared(example("fight", board), ARMY)
    return {} if values is None else {"": values}


def _say_example(_: str, v: Values) -> str:
    met = 1 - _fraction(v["wait.none"])
    here, there = named(str(v["attack.from"])), named(str(v["wait.in"]))
    return (
        f"In the rulebook's example Maximian's attack from {here} wins with chance {v['attack.victory']} and loses with "
        f"{v['attack.defeat']}. If he waits in {there} instead, the army attacks him with chance {met}, and then he wins "
        f"with {_fraction(v['wait.victory']) / met}: in all he wins with {v['wait.victory']} and loses with {v['wait.defeat']}."
    )


def _fraction(value: Value) -> Fraction:
    assert isinstance(value, (int, Fraction))
    return Fraction(value)


# -- on quiet ground -------------------------------------------------------------------------------------------


def _alone(board: Board, army: str) -> Position:
    """An army with its own revolt only, and the first Emperor alone where it goes."""
    emperor = board.emperors[0].id
    discs = {} if board[army].is_border else {army: REVOLT_DISC}
    return Position(board, Ruleset(), emperor, Phase.ROMAN, 6, {emperor: board[army].arrow}, (2, 3), (army,), discs)


def _quiet(board: Board) -> dict[str, Values]:
    return dict(_all_quiet(board))


@lru_cache(maxsize=64)
def _all_quiet(board: Board) -> tuple[tuple[str, Values], ...]:
    return tuple(_each_quiet(board))


def _each_quiet(board: Board) -> Iterator[tuple[str, Values]]:
    for army in paths(board):
        if board[army].arrow is not None:
            values = _compared(_alone(board, army), army)
            if values is not None:
                yield army, values


def _say_quiet(army: str, v: Values) -> str:
    return (
        f"With nothing else on the map, Diocletian in {named(str(v['wait.in']))} beats an army in {named(army)} with chance "
        f"{v['attack.victory']} if he attacks it for {v['attack.ip']} IP, and with {v['wait.victory']} if he waits for it; with "
        f"{v['wait.none']} there is no battle."
    )


TOPICS = (
    recounted(
        "wait",
        "combat",
        "Attack an army, or let it come: in the rulebook's example, and with nothing else on the map",
        "combat values for the attack, the whole Barbarian phase solved for waiting",
        ("links", "kinds", "arrows", "printed", "numbers", "regions"),
        {"example": Group(_example, _say_example), "alone": Group(_quiet, _say_quiet)},
        effort=0.5,
    ),
)
