"""The exhaustive search against all policies tried out by the reference rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from bruteforce import solve
from scatter import any_readings, scattered

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import Objective, Status, plan, read_objective
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
RECIPES = ("mixed", "quiet", "invasion", "before Roma", "walled", "last discs", "no unrest")


def _objective(position: Position, random: Random) -> str:
    """An objective of any kind, about provinces that matter here."""
    board = position.board
    near = sorted(board.neighbours(position.here or board.roma))
    armies = list(position.armies) or near
    values = f"most value revolt={random.randint(-4, 0)} unrest=-1 garrison={random.randint(0, 2)} army=-5 garrison@borders=9"
    return random.choice(
        [
            f"reach {random.choice(near)}",
            f"reach {random.choice(board.ids)} then least uprising",
            f"secure {random.choice([*near, *board.borders])}",
            f"clear {', '.join(random.sample(near, min(2, len(near))))}",
            f"kill {random.choice(armies)}",
            f"kill {random.choice(armies)} then least uprising",
            f"reach {random.choice(near)} and kill {random.choice(armies)}",
            f"clear {random.choice(near)} then {values}",
            values,
            f"most value emperor@{random.choice(near)}=3 revolt@III=-2 unrest@graecia=-1",
            "least uprising",
            "least ip",
        ]
    )


def _cases(count: int, most_ip: int) -> list[tuple[Position, str]]:
    random = Random(f"plans of turns {most_ip}")
    cases: list[tuple[Position, str]] = []
    while len(cases) < count:
        ruleset = random.choice(LEVELS)
        if random.random() < 0.3:
            ruleset = any_readings(ruleset, random)
        position = scattered(random.choice(RECIPES), ruleset, random, Board.standard())
        if position.here is None:
            continue  # who enters has all his IP, and so many policies take minutes here
        position = position.replace(ip=min(position.ip, random.randint(1, most_ip)))
        enough = not position.status() and not position.is_won
        if enough and (rules.may_end(position) or rules.legal_actions(position)):
            cases.append((position, _objective(position, random)))
    return cases


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("position", "text"), _cases(120, most_ip=4), ids=str)
def test_optimum_runner_up_and_ends_equal_those_of_all_policies(position: Position, text: str) -> None:
    """Value, runner-up and the number of end positions of optimal play are those found by trying out every policy."""
    objective = read_objective(text, position.board)
    best = solve(position, objective)

    found = plan(position, objective)

    assert found.values == _as_read(objective, best.first)
    assert found.runner_up_values == _as_read(objective, best.second)
    assert found.optimal_ends == len(best.ends)
    own = {end if isinstance(end, Fall) else end.replace(ip=0) for _, end, _ in found.ends}
    assert own <= best.ends
    assert found.others_as_good == len(best.ends - own)


def _as_read(objective: Objective, values: tuple[Fraction, ...] | None) -> tuple[Fraction, ...] | None:
    """Values of a brute search as a result has them: the first says whether they keep to the constraint."""
    return None if values is None else tuple(natural(t, v) for t, v in zip(objective.terms, values[1:], strict=True))


def test_the_cases_have_attacks_that_branch() -> None:
    """Among the cases above some optimal plans fight, or nothing of what an attack brings was tested."""
    forks = sum(1 for position, text in _cases(120, most_ip=4) if plan(position, text).plan.fork is not None)

    assert forks >= 5


def test_the_fight_of_the_rulebook() -> None:
    """Maximian kills the army with chance 17/18 at best: two more garrisons first, then the attack, all for 6 IP."""
    found = plan(example("fight"), "kill narbonensis")

    assert found.status is Status.OPTIMAL_PROVED
    assert found.values == (Fraction(17, 18), 6)
    assert str(found.plan).startswith("secure; move ")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["kill narbonensis", "least uprising", "most value revolt=-3 army=-10 garrison=1"])
def test_the_fight_with_all_its_ip(text: str) -> None:
    """With 6 IP too the reference rules find nothing better."""
    position, objective = example("fight"), read_objective(text)
    best, found = solve(position, objective), plan(example("fight"), text)

    assert found.values == _as_read(objective, best.first)
    assert found.optimal_ends == len(best.ends)


def test_the_movement_of_the_rulebook() -> None:
    """Diocletian clears Dalmatia for all of his 6 IP (page 7), and reaches it for 4."""
    assert plan(example("movement"), "clear dalmatia").values == (1, 6)
    assert plan(example("movement"), "reach dalmatia").values == (1, 4)


def test_what_cannot_be_reached_is_proved_so() -> None:
    """Sarmatia cannot be secured while its region revolts: the answer is a proof, not a failure to find."""
    found = plan(example("movement"), "secure sarmatia")

    assert found.status is Status.INFEASIBLE_PROVED
    assert found.values[0] == 0


def test_least_uprising_is_the_figure_of_the_phase() -> None:
    """The value of the term is the exact chance that the rules give for the end position."""
    found = plan(example("movement"), "least uprising")
    ((chance, end, _),) = endings(example("movement"), found.plan)

    assert chance == 1
    assert isinstance(end, Position)
    assert found.values[0] == rules.figures(end).p_uprising


def test_there_must_be_a_turn_to_plan() -> None:
    """In the Barbarian phase, or after a victory, nothing is left to be decided."""
    position = example("movement")
    with pytest.raises(IllegalPositionError, match="Barbarian phase"):
        plan(position.replace(phase=Phase.BARBARIAN, ip=0), "least ip")
    borders = dict(zip(position.board.borders, ["diocletian"] * 3 + ["galerius"] * 3, strict=True))
    with pytest.raises(IllegalPositionError, match="won"):
        plan(position.replace(discs=borders), "least ip")
    stuck = read_position("4211 D:0 mac/mac/-/- 23 - - - -/-/-/-")
    with pytest.raises(IllegalPositionError, match="neither act nor end his turn"):
        plan(stuck, "least ip")
