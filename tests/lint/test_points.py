"""The open points: every open question once, with the class and effect that its findings give it."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from tetrasolve.lint.findings import Certainty, Shown
from tetrasolve.tetrarchia.lint import points as listing
from tetrasolve.tetrarchia.lint.points import Gravity, effect_of, gravity_of, open_points
from tetrasolve.tetrarchia.lint.stored import findings, questions
from tetrasolve.tetrarchia.ruleset import READINGS

POINTS = open_points()
BY_READING = {point.question.reading: point for point in POINTS}


def test_every_open_question_is_a_point():
    """Once, with all findings about its reading; those that are settled are not among them."""
    assert Counter(p.question.reading for p in POINTS) == Counter(
        name for name, question in questions().items() if question.state == "open"
    )
    assert "I-BATTLE-BROKEN" not in BY_READING
    for point in POINTS:
        about = {finding.id for finding in findings().findings if finding.reading == point.question.reading}
        assert {point.finding.id, *point.others} == about
        assert point.reference_only == READINGS[point.question.reading].reference


def test_the_gravest_are_first():
    """By class, in a class by how much a figure changes, then by page."""
    ranks = [(list(Gravity).index(p.gravity), -p.change, p.question.page) for p in POINTS]

    assert ranks == sorted(ranks)
    assert {p.gravity for p in POINTS} == {*Gravity}


def test_a_reading_with_three_values_has_its_gravest_finding():
    """The others are named."""
    point = BY_READING["I-ECHO-HOME"]
    changes = {f.id: effect_of(f).change for f in findings().findings if f.reading == "I-ECHO-HOME"}

    assert len(point.others) == 2
    assert point.change == changes[point.finding.id] == max(changes.values())


@pytest.mark.parametrize(
    ("reading", "gravity", "words"),
    [
        ("I-GLORY-RESERVE", Gravity.DECISIVE, "p_lost: 0 or "),
        ("I-FRESH", Gravity.TACTICAL, "e_revolts: "),
        ("I-SECURE-OWN", Gravity.TACTICAL, "secure: legal or not legal"),
        ("I-GARRISON-ATTACK", Gravity.TACTICAL, "attack germania_magna: defeat: another position"),
        ("I-FLEETS", Gravity.SET_UP, "seed "),
        ("I-GALERIUS-WON", Gravity.TACTICAL, "all of it can be paid with "),
        ("I-ORDER", Gravity.INERT, "the board file lists"),
    ],
)
def test_classes_and_effects(reading, gravity, words):
    point = BY_READING[reading]

    assert point.gravity is gravity
    assert words in point.effect.text
    assert bool(words) == bool(point.effect.text)


@pytest.mark.parametrize(
    ("row", "gravity", "change"),
    [
        (Shown("phase", "p_lost", ("0", "1/36")), Gravity.DECISIVE, Fraction(1, 36)),
        (Shown("phase", "p_lost, policy eager", ("1/9", "1/12")), Gravity.DECISIVE, Fraction(1, 36)),
        (Shown("phase", "e_revolts", ("1", "3/2")), Gravity.TACTICAL, Fraction(1, 2)),
        (Shown("best", "e_revolts", ("1", "3/4")), Gravity.TACTICAL, Fraction(1, 4)),
        (Shown("effect", "reduce", ("a position", "fallen: no unrest")), Gravity.DECISIVE, Fraction(1)),
        (Shown("cost", "move roma", ("1 IP", "2 IP")), Gravity.TACTICAL, Fraction(0)),
    ],
)
def test_a_class_follows_from_what_differs(row, gravity, change):
    """A fall, or its chance, is decisive; by how much is the difference of the figure."""
    finding = next(f for f in findings().findings if f.certainty is Certainty.PROVED)
    other = replace(finding, differences=(row,), more=0)

    assert gravity_of(other) is gravity
    assert effect_of(other).change == change


def test_an_answered_question_is_no_point(monkeypatch):
    """It leaves the list when its state changes."""
    answered = {name: replace(q, state="answered") if name == "I-PASS" else q for name, q in questions().items()}
    monkeypatch.setattr(listing, "questions", lambda: answered)

    assert {p.question.reading for p in open_points()} == {*BY_READING} - {"I-PASS"}


def test_an_action_after_which_the_empire_falls_is_the_gravest():
    """It comes before the figures of a phase, and names the value under which it does."""
    finding = findings().named("I-GLORY-RESERVE=without/falls")
    fall = Shown("effect", "attack germania_magna: victory", ("a position", "fallen: no unrest is left to be placed"))
    other = replace(finding, differences=(*finding.differences, fall))

    assert effect_of(other).text == "attack germania_magna: victory: the Empire falls under falls"
    assert effect_of(other).change == 1 > effect_of(finding).change > 0
    assert gravity_of(other) is Gravity.DECISIVE
