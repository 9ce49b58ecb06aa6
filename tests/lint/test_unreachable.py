"""Findings that no game comes to: the premises of the invariant, and false ones; the invariant itself in games played at random."""

from dataclasses import replace
from random import Random

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import unreachable as subject
from tetrasolve.tetrarchia.lint.compare import Pair, with_value
from tetrasolve.tetrarchia.lint.reached import reached, stored_records
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.lint.unreachable import rebels_elsewhere, roma_without_revolt, unreachable, why_unreachable
from tetrasolve.tetrarchia.pieces import Rebel, Rebels
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules.activity import arrival
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
ROMA = "I-ENTRY-ROMA=open/no-revolt"


def test_no_finding_that_cannot_be_reached_has_a_record():
    assert not unreachable().keys() & stored_records().rows.keys()
    assert all(why_unreachable(name) for name in unreachable())
    assert reached(findings().named(ROMA)).startswith(
        "it cannot be reached: no game comes to a revolt or an unrest in Roma"
    )


@pytest.mark.parametrize(
    ("values", "differ"),
    [
        (("open", "no-revolt"), ["rom - -/-/-/-"]),
        (("open", "no-unrest"), ["rom - -/-/-/-", "- rom -/-/-/-"]),
        (("no-revolt", "no-unrest"), ["- rom -/-/-/-"]),
    ],
)
def test_the_values_differ_only_where_a_revolt_or_an_unrest_lies_in_roma(values, differ):
    """What the invariant excludes: with a garrison or nothing there the same provinces can be entered."""
    pair = Pair("I-ENTRY-ROMA", *values)
    same = {}
    for table in ("- - -/-/-/-", "rom - -/-/-/-", "- rom -/-/-/-", "- - rom/-/-/-", "- - -/-/-/rom"):
        position = Position.parse(f"4111 D:6 -/-/-/- 1 - {table}", BOARD)
        one, other = (rules.legal_actions(with_value(position, pair.reading, value)) for value in pair.values)
        same[table] = one == other
    assert [table for table, equal in same.items() if not equal] == differ


@pytest.mark.parametrize(
    ("field", "places"),
    [
        ("revolts", ("roma",)),
        ("revolts", ("II:1", "Roma")),
        ("revolts", ("rom",)),
        ("armies", ("roma",)),
        ("rebels", {"roma": Rebel("dux", 1)}),
    ],
)
def test_a_scenario_that_begins_with_a_revolt_in_roma_breaks_the_premise(monkeypatch, field, places):
    """However its file names Roma: the places of revolts may be ids, codes, names or coordinates."""
    real = subject.scenario
    monkeypatch.setattr(subject, "scenario", lambda name: replace(real(name), **{field: places}))

    assert roma_without_revolt(BOARD) == ""


def test_other_premises(monkeypatch):
    """A black disc that may come to Roma by default, and a reading of the board in which dice name a neighbour of Roma."""
    black = subject.READINGS["I-BLACK-CAPITALS"]
    other = {**black.options}
    opened = {"emperors": other["emperors"], "all": other["all"]}
    monkeypatch.setattr(subject, "READINGS", {"I-BLACK-CAPITALS": replace(black, options=opened)})
    assert roma_without_revolt(BOARD) == ""
    monkeypatch.undo()

    class Near:
        """The board with dice that name Lucania."""

        ids, roma = BOARD.ids, BOARD.roma
        find, neighbours = staticmethod(BOARD.find), staticmethod(BOARD.neighbours)

        def __getitem__(self, name):
            return replace(BOARD[name], region=4, number=6) if name == "lucania" else BOARD[name]

    assert roma_without_revolt(Near()) == ""
    monkeypatch.setattr(subject, "INVARIANTS", {"roma-without-revolt": lambda _board: ""})
    with pytest.raises(FindingError, match="does not hold"):
        why_unreachable.__wrapped__(ROMA)


@pytest.mark.parametrize("ruleset", ["4211", "3122", "4211+barbaria+usurpator", "4211+dux+goths+pirates+vicarius"])
def test_no_revolt_and_no_unrest_comes_to_roma(ruleset):
    """Games of phases alone, in which revolts spread the most, with every decision made by the eager policy."""
    random, phases = Random(ruleset), 0
    for seed in range(4):
        now = rules.random_set_up(Ruleset.from_text(ruleset), seed=seed)
        for _ in range(12):
            begun = now.replace(phase=Phase.BARBARIAN, ip=0)
            now = rules.sample(begun, rules.RandomDice(random.randrange(10**6)), rules.eager)
            if isinstance(now, rules.Fall):
                break
            phases += 1
            assert not now.has_revolt("roma") and not now.has_unrest("roma")
    assert phases > 8


# -- rebels and the Goths ----------------------------------------------------------------------------------------------

REBELS = "I-GOTHS-REBELS=block/removed"


def test_the_values_differ_only_where_rebels_stand_on_a_border_of_the_goths():
    assert why_unreachable(REBELS).startswith("no rebels stand on border III or IV")
    differ = []
    for border in BOARD.borders:
        code = BOARD[border].code
        rebels = f'rebels={{"{border}":{{"figure":"dux","fleet":2}}}}'
        text = f'4111+goths D:b -/-/-/- 2 {code} {code} - -/-/-/- goths="reserve" {rebels}'
        one, other = (
            with_value(Position.parse(text, BOARD), "I-GOTHS-REBELS", value) for value in ("block", "removed")
        )
        if arrival(one, border) != arrival(other, border):
            differ.append(border)
    assert differ == ["germania_magna", "sarmatia"]


@pytest.mark.parametrize("border", ["germania_magna", "sarmatia"])
def test_a_scenario_with_rebels_on_a_border_of_the_goths_breaks_the_premise(monkeypatch, border):
    real = subject.rolled_scenario

    def moved(name, seed, board):
        found = real(name, seed, board=board)
        if not (rebels := [*found.position.rebels.values()]):
            return found
        pieces = replace(found.position.pieces, rebels=Rebels.of({border: rebels[0]}))
        return replace(found, position=found.position.replace(pieces=pieces))

    assert rebels_elsewhere(BOARD)
    monkeypatch.setattr(subject, "rolled_scenario", moved)
    assert rebels_elsewhere(BOARD) == ""


def test_rebels_that_advance_break_the_premise(monkeypatch):
    monkeypatch.setattr(subject.Rebels, "stays", lambda *_: False)

    assert rebels_elsewhere(BOARD) == ""
