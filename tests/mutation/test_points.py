"""What the judge of other readings finds of the planted points, as it is kept beside it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from mutation import figures, finding, found, generated, points, running, standing, table
from mutation.etfinem import ET_FINEM
from mutation.tetrarchia import TETRARCHIA
from plants import LATER, answer, read

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Change

pytestmark = pytest.mark.skipif(not (table.ROOT / "docs" / "rulebook.py").exists(), reason="the rulebook is not there")
PLANTS = {plant.id: plant for plant in read()[0]}


def shares():
    """Of what was measured: the share of open points that stand, and of what stands that the text settles."""
    kept = {name: known.verdict for name, known in points.kept("planted").items() if name in PLANTS}
    standing = [name for name, verdict in kept.items() if verdict.state == "standing"]
    asked = [name for name in kept if PLANTS[name].label != "settled"]  # named: an open point that has a reading now
    left = [name for name in standing if PLANTS[name].label != "settled"]
    false = [name for name in standing if PLANTS[name].label == "settled"]
    return kept, Fraction(len(left), len(asked)), Fraction(len(false), len(standing))


def test_the_planted_points_are_told_apart():
    """At least 95 of 100 open points stand, and at most one in five of what stands is settled by the text.

    `python tests/mutation/points.py planted` measures again where a rule or a test has changed since.
    """
    kept, known, false = shares()

    assert len(kept) >= 150
    assert known >= Fraction(95, 100)
    assert false <= Fraction(1, 5)


def test_the_figures_of_the_documentation():
    """The page of the readings of its game shows those of each set, apart from the others."""
    for which, chosen in points.SETS.items():
        text = (table.ROOT / "docs/explanation" / chosen.page).read_text("utf-8")

        assert figures.row(which) in text, figures.row(which)
        assert {plant.id for plant in generated.wanted(which)} == generated.kept(which).keys()
        assert {plant.id for plant in points.SETS[which].read()} >= points.kept(which).keys()


def test_what_is_found_is_made():
    """Each by a change that the operators make still, or by one that is made where a condition holds."""
    made = {
        id(TETRARCHIA): {case.id for case in points.cases("rules")},
        id(ET_FINEM): {case.id for case in points.cases("finem-rules")},
    }
    for which, chosen in points.SETS.items():
        for name, result in found.kept(which).items():
            assert result.judged <= len(generated.kept(which)[name].like)
            assert not result.by or result.by.partition(finding.BESIDE)[0] in made[id(chosen.game)]


def test_a_change_is_taken_back():
    """The rules answer as they did when the block ends, also when it ends by an error."""
    plant = next(plant for plant in read(LATER)[0] if plant.id == "no-toll-for-attacks")
    (planted,) = plant.changes
    change = Change("rules/links.py", planted.function, planted.before, planted.after)

    with pytest.raises(KeyError), running.taken(change, TETRARCHIA):
        assert answer(plant.shown) == plant.shown.planted
        raise KeyError
    assert answer(plant.shown) == plant.shown.original
    with pytest.raises(ArgumentError), running.taken(Change("numbers.py", "SAIL_COST", "1", "2"), TETRARCHIA):
        pass


def test_verdicts_are_of_what_was_judged():
    """Each names a position where it stands and a test of the text where it does not."""
    tests = TETRARCHIA.tests()
    for verdict in points.valid("planted").values():
        if verdict.state == "standing":
            assert verdict.table
        if verdict.state == "settled":
            path, _, name = verdict.by.partition("[")[0].partition("::")
            assert name in tests[path]


def test_a_verdict_is_outdated_by_its_test(monkeypatch):
    """When the test that found it is no test of the text any more."""
    kept = points.valid("planted")
    case = next(name for name, verdict in kept.items() if verdict.state == "settled")
    path, name = kept[case].by.partition("[")[0].split("::")
    tests = TETRARCHIA.tests()
    game = replace(TETRARCHIA, tests=lambda: tests | {path: tests[path] - {name}})
    monkeypatch.setattr(points, "game_of", lambda _: game)

    assert case not in points.valid("planted")


def test_operators_make_other_readings_of_most_rows():
    """What is printed on the board, in the examples and in the scenarios has no other reading."""
    cases = points.cases("rules")
    rows = {row for case in cases for row in case.rows}
    ids = [case.id for case in cases]

    assert len(rows) >= 190
    assert len(set(ids)) == len(ids)


def test_an_effect_has_the_name_of_the_reading_that_has_it_too():
    line = "introductory prefect C7/C7/CC 1111/B 1/1 - travel C5.EC.B5.BC hand=C5.EC.BC"
    other = ET_FINEM.positions.with_reading(line, "E-TRAVEL", "must")
    must, today = ET_FINEM.positions.behaviour(other), ET_FINEM.positions.behaviour(line)

    assert standing.named(ET_FINEM, [(line, must)]) == ("E-TRAVEL=must",)
    assert standing.named(ET_FINEM, [(line, today + 1)]) == ()


def test_what_stands_of_all_rules_was_read_or_is_counted():
    """Each effect has a line; one that was read has a reason, or the values that have it too, and it is a change that stands."""
    effects, read = standing.effects("finem-rules"), standing.kept("finem-rules")
    text = (table.ROOT / "docs/explanation/et-finem-rules.md").read_text("utf-8")

    assert figures.of_rules("finem-rules") in text, figures.of_rules("finem-rules")
    assert read.keys() == effects.keys()
    for name, one in read.items():
        assert one.verdict in standing.VERDICTS
        assert bool(one.named) == (one.verdict == standing.NAMED) or one.why, name
        assert bool(one.why) == (one.verdict not in ("", *standing.ITSELF)), name
        assert one.case in {verdict.case for verdict in effects[name]}
