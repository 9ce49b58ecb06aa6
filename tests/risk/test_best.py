"""Best play in a Barbarian phase as users ask for it: objectives, bounds, limits of time, the command."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from click.testing import CliRunner
from moduletable import extended

from tetrasolve.cli.main import program
from tetrasolve.errors import (
    ArgumentError,
    IllegalPositionError,
    ObjectiveError,
    RulesetError,
    SecondsError,
    TooLargeError,
)
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import best, risk
from tetrasolve.tetrarchia.risk.best import best_play, read_wanted
from tetrasolve.tetrarchia.risk.besttext import best_tables
from tetrasolve.tetrarchia.risk.deciders import by_best_play, by_policy
from tetrasolve.tetrarchia.risk.views import VIEWS
from tetrasolve.tetrarchia.rules.choices import BARBARIAN

SMALL = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'
LARGE = '4210+barbaria D:b cis/-/-/- 12 rha.nor rha.nor dac.cil.asi -/-/-/- barbarian_discs={"gray":4,"black":1}'
BOTH = (
    '4210+barbaria+imperium D:b asi/-/cis/- 12 rha rha - -/-/-/- barbarian_discs={"gray":1,"black":0} '
    'removed={"constantius":3,"diocletian":0,"galerius":0,"maximian":0}'
)


def small():
    return Position.parse(SMALL)


# -- what is asked -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "barbarian", "rome"),
    [
        ("p_lost", True, False), ("most e_revolts", True, True), ("least  p_uprising", False, False),
        ("revolt=-3 fallen=-100", False, True), ("most revolt=-3", True, True), ("least army@rhaetia=5", False, False),
    ],
)  # fmt: skip
def test_who_wants_what(text, barbarian, rome):
    wanted = read_wanted(text, Board.standard())
    assert (wanted.barbarian_most, wanted.rome_most) == (barbarian, rome)
    assert read_wanted(str(wanted), Board.standard()) == wanted


@pytest.mark.parametrize(
    "text", ["", "most", "p_won", "most p_won", "e_uprisings", "least least p_lost", "revolt", "x=1"]
)
def test_what_cannot_be_wanted(text):
    with pytest.raises(ObjectiveError):
        read_wanted(text, Board.standard())


# -- answers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", ["p_lost", "p_uprising", "e_revolts", "revolt=-3 unrest=-1 emperor=5 fallen=-90"])
def test_a_small_phase_is_exact(objective):
    """By both engines; all figures are those of best play, which is a policy."""
    found = best_play(small(), objective)
    assert (found.status, found.methods, found.kind) == ("complete", ("kernel", "reference"), "exact")
    assert isinstance(found.value, Exact)
    if objective in ("p_lost", "p_uprising", "e_revolts"):
        assert getattr(found.figures, objective) == found.value.value
        assert all(value <= float(found.value.value) + 1e-12 for value in found.by_policy.values())
        assert found.by_policy["decline"] == pytest.approx(float(getattr(risk(small()).figures, objective)))


def test_decisions_are_those_of_both_players():
    """Each is met with its chance, and its best option has the best value for its player."""
    found = best_play(Position.parse(BOTH), "revolt=-3 emperor=20 army=-4")
    assert {one.choice.decider for one in found.decisions} == {BARBARIAN, "constantius"}
    for one in found.decisions:
        better = min if one.choice.decider == BARBARIAN else max
        assert one.values[one.best] == better(one.values.values())
        assert one.reached >= 0
    reached = [one.reached for one in found.decisions]
    assert reached == sorted(reached, reverse=True)


def test_decisions_of_which_the_same_is_said_are_one_row():
    """With the sum of their chances; one that differs in its values keeps a row of its own."""
    found = best_play(Position.parse(BOTH), "revolt=-3 emperor=20 army=-4")
    first = found.decisions[0]
    other = replace(first, values={name: value + 1 for name, value in first.values.items()}, reached=Fraction(1, 8))
    again = replace(first, reached=Fraction(1, 4))
    *_, table = best_tables(replace(found, decisions=(replace(first, reached=Fraction(1, 2)), again, other)))
    assert [*table.columns[0].cells] == ["0.7500", "0.1250"] and [*table.columns[2].cells] == 2 * [
        first.choice.question
    ]


def test_a_large_phase_is_an_interval_with_its_first_decisions():
    found = best_play(Position.parse(LARGE), "e_revolts")
    assert (found.status, found.methods, found.figures, found.decisions) == ("complete", ("kernel",), None, ())
    assert isinstance(found.value, Interval)
    assert found.value.high - found.value.low < Fraction(1, 10**7)
    assert max(found.opening.black.values()) == pytest.approx(float(found.value.low), abs=1e-7)
    assert found.opening.black.keys() >= {"no", "black:dacia"} - {"black:dacia"}
    assert found.opening.black["no"] <= max(found.opening.black.values())
    assert len(found.opening.dice) == 36 and found.opening.again is not None


def test_the_first_dice_are_worth_what_they_lead_to():
    """The value is the mean over the provinces that they name, each rolled again where that is better."""
    found = best_play(small(), "e_revolts")
    dice, again = found.opening.dice, found.opening.again
    assert sum(max(value, again) for value in dice.values()) / 36 == pytest.approx(float(found.value.value))


def test_a_price_keeps_discs():
    free, dear = best_play(small(), "e_revolts"), best_play(small(), "e_revolts", price=Fraction(1, 10))
    never = best_play(small(), "e_revolts", price=50)
    assert free.value.value > dear.value.value > never.value.value
    assert float(never.value.value) == pytest.approx(free.by_policy["decline"])


# -- limits of time --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [SMALL, LARGE, BOTH])
def test_bounds_come_back_when_the_time_is_over(text):
    position = Position.parse(text)
    for objective in ("most e_revolts", "revolt=-3"):
        value = best_play(position, objective).value
        for seconds in (0, 30) if text == SMALL else (0.02,):
            found = best_play(position, objective, seconds=seconds)
            assert found.value.low <= value.high and value.low <= found.value.high
            assert found.status == "complete" or seconds < 30
    assert best_play(position, cancel=Stop(0)).status == "interrupted"


def test_stated_policies_bound_the_value(monkeypatch):
    """Where the kernel is stopped before the value is known, each policy's value is a bound from its side."""

    def stopped(*_, stop=None, **__):
        stop.set()
        stop.check()

    expected = {text: best_play(small(), text).value.value for text in ("e_revolts", "least e_revolts")}
    decline = best_play(small(), "e_revolts").by_policy["decline"]
    monkeypatch.setattr(best.whole, "best_phase", stopped)
    found = best_play(small(), "e_revolts", cancel=Stop())
    assert found.status == "interrupted" and found.methods == ()
    assert decline - 1e-6 <= found.value.low <= expected["e_revolts"] <= found.value.high
    found = best_play(small(), "least e_revolts", cancel=Stop())
    assert found.value.low <= expected["least e_revolts"] <= found.value.high <= decline + 1e-6


def test_the_bounds_of_the_kernel_with_fewer_discs(monkeypatch):
    """The value where he keeps his discs is a bound, too."""
    answers = iter([{"value": 1.8, "black": None, "activity": None, "again": None}])
    monkeypatch.setattr(best.whole, "best_phase", lambda *_, **__: next(answers, None) or _stop())

    def _stop():
        raise best.Stopped("deadline")

    found = best_play(small(), "e_revolts", seconds=60)
    assert float(found.value.low) == pytest.approx(1.8, abs=1e-6)


# -- wrong questions ---------------------------------------------------------------------------------------------------------


def test_what_is_refused():
    with pytest.raises(RulesetError, match="leaves nothing to decide"):
        best_play(extended("dux", revolts="dacia", barbarian=True))
    with pytest.raises(ArgumentError, match="price"):
        best_play(small(), price=-1)
    with pytest.raises(SecondsError):
        best_play(small(), seconds=-1)
    with pytest.raises(IllegalPositionError):
        best_play(small().replace(emperors={"diocletian": "cisalpina", "galerius": "cisalpina"}))
    with pytest.raises(ArgumentError):
        best_play(SMALL)


# -- the command -----------------------------------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(program, ["risk", *arguments], catch_exceptions=False)


def test_the_command_prints_what_the_function_finds():
    result = run(SMALL, "--decide", "best", "--objective", "e_revolts", "--price", "1/20", "--json")
    data = json.loads(result.output)
    assert data == json.loads(json.dumps(best_play(small(), "e_revolts", price=Fraction(1, 20)).as_data()))
    assert (data["kind"], data["price"], data["policy"]) == ("exact", "1/20", "best")
    text = run(SMALL, "--decide", "best", "--objective", "e_revolts").output
    assert text.rstrip("\n") == str(best_play(small(), "e_revolts"))


@pytest.mark.parametrize("view", VIEWS)
def test_the_command_prints_details(view):
    """Those of the library, under the same policy, after what it prints without them."""
    wanted = read_wanted("e_revolts", Board.standard())
    deciders = {"eager": by_policy("eager"), "best": by_best_play(wanted, Fraction(1, 20))}
    for policy, decider in deciders.items():
        asked = (
            SMALL,
            "--decide",
            policy,
            *(("--objective", "e_revolts", "--price", "1/20") if policy == "best" else ()),
        )
        data = json.loads(run(*asked, "--by", view, "--json").output)
        expected = VIEWS[view](small(), None, decider)
        assert data == json.loads(run(*asked, "--json").output) | {f"by_{view}": json.loads(json.dumps(expected))}
        assert expected != VIEWS[view](small())
        text, shorter = (run(*asked, *more).output for more in (("--by", view), ()))
        assert text.startswith(shorter) and len(text) > len(shorter)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_details_of_a_large_phase_are_refused(more):
    """With what can be asked instead, before anything is printed."""
    with pytest.raises(TooLargeError, match="ask for them under decline or eager, or for best play without details"):
        run(LARGE, "--decide", "best", "--by", "event", *more)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--objective", "p_lost"), "--objective and --price go with --decide best"),
        (("--decide", "eager", "--price", "1"), "--objective and --price go with --decide best"),
        (("--decide", "best", "--horizon", "2", "--by", "event"), "--horizon goes with neither --by nor --svg"),
        (("--decide", "best", "--svg", "-"), "draws no picture"),
        (("--decide", "best", "--price", "-1"), "expected a number from 0"),
        (("--decide", "best", "--price", "1/0"), "expected a number from 0"),
        (("--decide", "best", "--price", "1/00"), "expected a number from 0"),
        (("--decide", "best", "--price", "9999999"), "expected a number from 0"),
        (("--decide", "best", "--price", "nan"), "expected a number from 0"),
    ],
)
def test_wrong_options_are_refused(arguments, problem):
    result = run(SMALL, *arguments)
    assert result.exit_code == 2
    assert problem in result.output
