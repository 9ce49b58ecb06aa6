"""The layered model has as many solutions as there are sequences of actions: what the rules allow, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered
from tabletop import MAP, make_position

from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.model.formula import Formula
from tetrasolve.tetrarchia.plan.model.turn import TurnModel
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

cpsat = pytest.importorskip("tetrasolve.tetrarchia.plan.model.cpsat", reason="needs OR-Tools", exc_type=ImportError)
z3model = pytest.importorskip("tetrasolve.tetrarchia.plan.model.z3model", reason="needs Z3", exc_type=ImportError)

Counter = Callable[[Formula, TurnModel], int]
ENGINES: dict[str, Counter] = {
    "cpsat": lambda formula, _: cpsat.count_solutions(formula),
    "z3": lambda formula, turn: z3model.count_solutions(formula, [arc.lit for arc in turn.arcs]),
}
SUITE = Path(__file__).parents[1] / "perft" / "suite.perft"
LEVELS = list(all_levels())


def counted(engine: str, position: Position, depth: int, outcomes: dict[str, tuple[Outcome, ...]] | None = None) -> int:
    """Sequences of so many actions by the model; attacks may end in any way unless it is stated how."""
    formula = Formula()
    free = {army: tuple(Outcome) for army in position.armies}
    turn = TurnModel.of(formula, position, free if outcomes is None else outcomes, unfinished=True)
    turn.count_actions(depth)
    return ENGINES[engine](formula, turn)


def suite() -> Iterator[tuple[str, Position, list[int]]]:
    """The positions of the base game in the perft suite, with their counts."""
    for block in SUITE.read_text("utf-8").split("\n\n")[1:]:
        fields = dict(line.split(" ", 1) for line in block.strip().splitlines())
        position = read_position(fields["position"], MAP)
        if not position.ruleset.extensions and not position.rebels:
            yield fields["id"], position, list(map(int, fields["perft"].split()))


def depths(counts: list[int], most: int) -> dict[int, int]:
    """How often each depth is met, up to the first that is met too often to be counted one by one."""
    found: dict[int, int] = {}
    for depth, count in enumerate(counts, 1):
        if count > most:
            break
        found[depth] = count
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("position", "counts"), [pytest.param(p, c, id=name) for name, p, c in suite()])
def test_every_rule_of_the_suite(position: Position, counts: list[int]) -> None:
    """Each position of the suite needs one rule, or one reading of it: the counts are those of the reference rules."""
    depth, count = max(depths(counts, most=40).items(), default=(1, counts[0]))

    assert counted("cpsat", position, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("position", "counts"), [pytest.param(p, c, id=name) for name, p, c in suite()])
def test_every_rule_of_the_suite_deeper(position: Position, counts: list[int], engine: str) -> None:
    """More actions, and both engines."""
    wanted = depths(counts, most=600 if engine == "cpsat" else 60)

    assert {depth: counted(engine, position, depth) for depth in wanted} == wanted


def positions(count: int, most_ip: int = 6) -> list[Position]:
    """Positions of all kinds, at all levels, with all readings; an Emperor who is off the board has all his IP."""
    random = Random(f"models {count}")
    names = list(RECIPES)
    found: list[Position] = []
    while len(found) < count:
        ruleset = any_readings(random.choice(LEVELS), random)
        position = scattered(names[len(found) % len(names)], ruleset, random, Board.standard())
        position = position.replace(ip=min(position.ip, most_ip))
        if not position.status():
            found.append(position)
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("position", positions(8, most_ip=2), ids=str)
def test_scattered_positions(position: Position, engine: str) -> None:
    """The kernel's perft on positions that games seldom reach."""
    kernel, state = fast.kernel_for(position.board, position.ruleset), fast.to_state(position)
    wanted = depths([kernel.perft(state, depth) for depth in (1, 2)], most=100 if engine == "cpsat" else 20)

    assert {depth: counted(engine, position, depth) for depth in wanted} == wanted


@pytest.mark.slow
@pytest.mark.parametrize("position", positions(120), ids=str)
def test_many_scattered_positions(position: Position) -> None:
    """The same for many."""
    kernel, state = fast.kernel_for(position.board, position.ruleset), fast.to_state(position)
    wanted = depths([kernel.perft(state, depth) for depth in (1, 2, 3, 4)], most=2_000)

    assert {depth: counted("cpsat", position, depth) for depth in wanted} == wanted


def by_hand(position: Position, depth: int, stated: dict[str, Outcome]) -> int:
    """Sequences of so many actions by the reference rules, each attack ending as stated; armies not named are left alone."""
    if depth == 0:
        return 1
    found = 0
    for action in rules.legal_actions(position):
        if action.kind is Kind.ATTACK and stated.get(action.place or "") is not action.outcome:
            continue
        after: Position | Fall = rules.play(position, action)
        found += by_hand(after, depth - 1, stated) if isinstance(after, Position) else depth == 1
    return found


FIGHTS = {
    "two armies": make_position(
        "diocletian",
        {"diocletian": "cyrenaica"},
        ip=3,
        armies="libya aegyptus",
        revolts="aegyptus",
        fleets=(1,),
        level=3,
        garrisons={"diocletian": "tripolitania", "galerius": "cyrenaica"},
    ),
    "a group that grows": make_position(
        "diocletian",
        {"diocletian": "cyrenaica", "galerius": "aegyptus"},
        ip=4,
        armies="libya",
        fleets=(1,),
        level=5,
        garrisons={"diocletian": "tripolitania"},
    ),
    "revolts that shrink": make_position(
        "diocletian",
        {"diocletian": "tarraconensis"},
        ip=5,
        armies="carthagenensis",
        revolts="carthagenensis gallaecia lusitania baetica tarraconensis tingitana caesariensis numidia",
        fleets=(3,),
        level=3,
    ),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_attacks_with_stated_outcomes(name: str) -> None:
    """Each way to state the outcomes, no attack among them, has the sequences that a plain search finds."""
    position = FIGHTS[name]
    ways = list(product((None, *Outcome), repeat=len(position.armies)))
    for way in ways:
        stated = {army: outcome for army, outcome in zip(position.armies, way, strict=True) if outcome is not None}
        model = {army: (outcome,) for army, outcome in stated.items()}
        assert counted("cpsat", position, 2, model) == by_hand(position, 2, stated), stated


def test_some_fights_depend_on_what_was_done_before() -> None:
    """Some outcome can be rolled only after other actions: what follows it must have been distinguished."""
    position = FIGHTS["a group that grows"]

    def rollable(now: Position) -> frozenset[Action]:
        return frozenset(action for action in rules.legal_actions(now) if action.kind is Kind.ATTACK)

    after = rules.play(position, rules.parse(position, "secure"))
    assert isinstance(after, Position)
    assert rollable(position) != rollable(after)
