"""The exhaustive search with modules, variants and rebels, against all policies tried out by the reference rules.

The slow test looks at more than 2,000 positions, in parts: for each set of modules `PARTS` of them, `-k` chooses some.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle, islice
from random import Random

import pytest
from bruteforce import solve
from moduleturns import EACH, TOGETHER, positions
from modulewords import WORDS
from solvertasks import KINDS, near

from tetrasolve.errors import IllegalActionError, ObjectiveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import Status, plan, read_objective, read_plan
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Fork, Shown
from tetrasolve.tetrarchia.position import Position

SETS = (*EACH, *TOGETHER)
PARTS, IN_A_PART = 4, 34
# Galerius beside an army, with three discs to pay with
GALERIUS = (
    "4222+imperium G:2 -/syr/-/- 12 per - - -/thr.mac/-/- "
    'removed={"diocletian":0,"galerius":1,"constantius":0,"maximian":0}'
)


def cases(extensions: str, most_ip: int = 2) -> Iterator[tuple[Position, str]]:
    """Turns with these modules, and an objective for each; every other one about an army that can be attacked."""
    random, kinds = Random(f"policies {extensions}"), cycle(KINDS)
    words = [word for name in extensions.split() for word in WORDS.get(name, ())]
    for number, position in enumerate(positions(extensions, 10_000, 3)):
        if position.here is None:
            continue  # who enters has all his IP, and so many policies take minutes
        start = position.replace(ip=min(position.ip, most_ip))
        attacks = [a for a in rules.legal_actions(start) if a.kind is Kind.ATTACK]
        if start.status() or start.is_won or not (attacks or rules.may_end(start) or rules.legal_actions(start)):
            continue
        text = next(kinds)(start, near(start), random)
        if words and number % 3 == 0:
            text = random.choice(words).format(near=random.choice(near(start)))
        elif attacks and number % 2:
            target = random.choice(attacks).place
            text = random.choice(
                [f"kill {target}", f"kill {target} then most value garrison=1", "most value army=-5 garrison=1"]
            )
        elif number % 7 == 0 and "barbaria" not in extensions:
            text = "least p_uprising"
        yield start, text


def agree(position: Position, text: str) -> bool:
    """Value, runner-up and the number of end positions are those of all policies; says whether the plan branches."""
    objective = read_objective(text, position.board)
    best, found = solve(position, objective), plan(position, objective)

    def as_read(values: tuple[Fraction, ...] | None) -> tuple[Fraction, ...] | None:
        pairs = None if values is None else zip(objective.terms, values[1:], strict=True)
        return None if pairs is None else tuple(natural(term, value) for term, value in pairs)

    assert found.plan is not None
    assert found.values == as_read(best.first)
    assert found.runner_up_values == as_read(best.second)
    assert found.optimal_ends == len(best.ends)
    assert read_plan(str(found.plan), position.board) == found.plan
    assert str(found)
    return found.plan.fork is not None


@pytest.mark.parametrize("extensions", SETS)
def test_plans_equal_those_of_all_policies(extensions: str) -> None:
    """A few positions for each set of modules; the bar is in the slow test below."""
    for position, text in islice(cases(extensions), 5):
        agree(position, text)


def test_some_of_these_plans_fight() -> None:
    """With payments after the roll, and of the Dux, too."""

    def forks(extensions: str) -> Iterator[Fork]:
        for position, text in islice(cases(extensions), 400):
            found = plan(position, text).plan
            if found is not None and found.fork is not None:
                yield found.fork

    assert any(fork.pays_after_dice for fork in forks("imperium"))
    assert any(fork.figure == "dux" for fork in forks("dux"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("extensions", SETS)
def test_plans_equal_those_of_all_policies_on_two_thousand_positions(extensions: str, part: int) -> None:
    assert len(SETS) * PARTS * IN_A_PART >= 2_000
    for position, text in islice(cases(extensions), part * IN_A_PART, (part + 1) * IN_A_PART):
        agree(position, text)


# -- what Galerius pays ------------------------------------------------------------------------------------------


def test_galerius_pays_when_he_has_seen_the_dice() -> None:
    """Each thing that the dice show is a branch, and begins with what he makes of it."""
    found = plan(read_position(GALERIUS), "kill persia")
    assert found.status is Status.OPTIMAL_PROVED
    assert found.plan is not None and found.plan.fork is not None

    for shows, _, branch in found.plan.fork.branches:
        assert isinstance(shows, Shown)
        attack = branch.steps[0]
        assert attack.outcome is shows.outcome(len(attack.payments))
        if shows.victory is not None and shows.victory <= 3:
            assert attack.outcome is Outcome.VICTORY


def test_plans_that_pay_wrongly_do_not_pass_the_replay() -> None:
    """A disc that he does not have, a victory that so many discs do not give, dice that fall otherwise."""
    position = read_position(GALERIUS)
    good = str(plan(position, "kill persia").plan)
    assert sum(chance for chance, _, _ in endings(position, read_plan(good, position.board))) == 1
    once = good.index("+reserve")
    bad = [
        good[:once] + "+reserve +reserve +reserve +reserve +reserve" + good[once + 8 :],
        good[:once] + "+asia" + good[once + 8 :],  # where none of his discs lies
        good[:once] + good[once + 9 :],  # nothing is paid for it
        good.replace("attack persia: victory +reserve", "end", 1),
        good.replace("attack persia: victory +reserve", "attack dacia: victory +reserve", 1),
        "attack persia {victory 1: attack persia: victory +reserve}",  # pays whatever the dice show
        good.replace("}", " | defeat 1/36: attack persia: defeat}"),  # more than all dice
        good.replace(" | ", " | victory 5/12: end | ", 1),  # an outcome among the things that dice show
    ]
    for text in bad:
        assert text != good
        with pytest.raises(IllegalActionError):
            endings(position, read_plan(text, position.board))


def test_galerius_pays_nothing_at_sea_where_a_reading_says_so() -> None:
    """[I-GALERIUS-SEA] The dice then decide, as for everybody else."""
    place = 'G:2 -/syr/-/- 12 - - - -/-/thr.mac/- pirates=3 removed={"diocletian":0,"galerius":1,"constantius":0,"maximian":0}'
    pays, not_at_sea = (
        plan(read_position(f"4221+pirates+imperium{reading} {place}"), "kill pirates")
        for reading in ("", "?I-GALERIUS-SEA=not")
    )
    assert pays.plan is not None and pays.plan.fork is not None and pays.plan.fork.pays_after_dice
    assert not_at_sea.plan is not None and not_at_sea.plan.fork is not None
    assert not not_at_sea.plan.fork.pays_after_dice
    assert pays.values is not None and not_at_sea.values is not None and pays.values[0] > not_at_sea.values[0]


def test_what_is_paid_may_be_stated_before_the_dice_are_rolled() -> None:
    """Such a plan is legal, and worse than one that waits for the dice."""
    position = read_position(GALERIUS)
    best = plan(position, "kill persia").values
    assert best is not None
    for text, chance in (
        ("attack persia {victory 5/12: end | draw 1/6: end | defeat 5/12: end}", Fraction(5, 12)),
        ("attack persia +reserve {victory 7/12: end | draw 5/36: end | defeat 5/18: end}", Fraction(7, 12)),
    ):
        given = read_plan(text, position.board)
        assert str(given) == text
        ends = endings(position, given)
        won = sum(share for share, end, _ in ends if isinstance(end, Position) and "persia" not in end.armies)
        assert won == chance < best[0]


# -- what is refused ---------------------------------------------------------------------------------------------


def test_what_is_not_looked_through_is_refused() -> None:
    """Figures of phases in which players decide, and evaluations after phases with modules: the term and the module are named."""
    position = read_position(GALERIUS)
    with pytest.raises(
        ObjectiveError, match="'least p_lost': with imperium players decide in the phase after the turn"
    ):
        plan(position, "least p_lost")
    with pytest.raises(
        ObjectiveError, match="expectations of an evaluation know the base game only; in use are imperium"
    ):
        plan(position, "most expected revolt=-3")
