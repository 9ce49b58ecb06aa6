"""Where the best plan of a turn differs under two values: stored findings, small searches, and false ones of each kind."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Certainty
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import plansearch
from tetrasolve.tetrarchia.lint.bestplans import (
    Known,
    best_plans,
    finding_of,
    needed_by_plans,
    never_asked,
    plan_objectives,
    plan_problems,
    read_plans,
    served_by,
    stored_plans,
    write_plans,
)
from tetrasolve.tetrarchia.lint.compare import Pair, with_value
from tetrasolve.tetrarchia.lint.plansearch import search_plans
from tetrasolve.tetrarchia.lint.search import search
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.lint.turnvalue import best_by_reference, plan_by_reference
from tetrasolve.tetrarchia.plan import DisagreementError, Status, plan, read_objective
from tetrasolve.tetrarchia.plan.replay import expected_values, ways
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import parse

BOARD = Board.standard()
STORED = stored_plans()
SHOWN = {name: row for name, row in STORED.items() if row.position is not None}


def test_each_finding_has_one_about_plans():
    assert STORED.keys() == {finding.id for finding in findings().findings}
    assert {row.known for row in STORED.values()} == {*Known}
    inert = {f.id for f in findings().findings if f.certainty is Certainty.NONE}
    of_set_up = {name for name in STORED if never_asked().get(name.partition("=")[0]) == "set-up"}
    assert {name for name, row in STORED.items() if row.known is Known.NONE} == inert | of_set_up


def test_short_turns_are_what_is_stored():
    """Both plans, replayed by the reference rules, and both values by their own search."""
    few = {name: row if row.searched_again and "e_revolts" not in row.objective else replace(row, searched_again=False)
           for name, row in STORED.items()}  # fmt: skip

    assert [*plan_problems(few, every=False)] == []
    assert sum(row.searched_again for row in SHOWN.values()) >= len(SHOWN) // 2


FORGED = next(row for row in SHOWN.values() if row.known is Known.PROVED and row.searched_again)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"results": (("3", "0"), ("2", "0"))}, "the best plans are"),
        ({"results": FORGED.results[::-1], "plans": FORGED.plans[::-1]}, "the best plans are"),
        ({"plans": ("end", "secure; end")}, "the best plans are"),
        ({"known": Known.INTERVAL}, "certainty does not follow"),
        ({"size": FORGED.size + 1}, "its position has"),
        ({"table": "dux"}, "its position has"),
        ({"known": Known.NO_DIFFERENCE}, "says that there is none"),
        ({"position": None}, "it has no position"),
        ({"known": Known.NONE, "argument": "no way"}, "by an argument is stated wrongly"),
        ({"known": Known.WITHIN, "position": None, "argument": "no turn asks"}, "by an argument is stated wrongly"),
        ({"known": Known.NOT_SEARCHED, "position": None}, "whether the kernels play both values"),
        ({"position": "4111 D:b -/-/-/- 1 - - - -/-/-/-"}, "no turn to plan"),
        ({"position": "nonsense"}, "expected"),
    ],
)
def test_a_false_finding_is_found(change, problem):
    wrong = {
        **{name: row for name, row in STORED.items() if row.position is None},
        FORGED.id: replace(FORGED, **change),
    }
    found = [text for text in plan_problems(wrong) if text.startswith(f"{FORGED.id}: ")]

    assert any(problem in text for text in found), found


def test_a_missing_finding_is_found():
    assert f"{FORGED.id}: expected one finding about plans" in plan_problems({}, BOARD)


def test_certainty_follows_from_what_was_enumerated():
    """An objective that is not enumerated has no smaller positions."""
    assert FORGED.at_least == FORGED.size
    assert replace(FORGED, objective="least e_revolts").at_least == 1
    assert replace(FORGED, enumerated=()).at_least == 1


def test_a_search_finds_the_smallest(tmp_path):
    """Without readings that only the reference rules play; an interrupted search is continued."""
    path = tmp_path / "plans.work"
    none, complete = search_plans(path, readings=["I-SECURE-ROMA"], size=1, seconds=0)
    assert not complete and none[0].position is None

    (found, *_), complete = search_plans(path, readings=["I-SECURE-ROMA"], size=1)
    assert complete and found == STORED[found.id]

    (alone,), _ = search_plans(path, readings=["I-FLEETS"], size=1)
    assert (alone.known, alone.position) == (Known.NOT_SEARCHED, None)
    assert path.exists()


def test_no_difference_is_said_with_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(plansearch, "_candidates", lambda _pair, _board: ())
    (found,), _ = search_plans(tmp_path / "x.work", readings=["I-PASS"], size=1)

    assert (found.known, found.enumerated) == (Known.NO_DIFFERENCE, (12,))
    assert "no difference up to 1 piece" in found.sentence()


def test_what_is_known_by_an_argument_is_not_enumerated(tmp_path):
    """The phase alone asks for the order of armies, and the set-up for what is rolled again in it."""
    order, *_ = search_plans(tmp_path / "x.work", readings=["I-ORDER-ITALIA"], size=1)[0]
    set_up, *_ = search_plans(tmp_path / "y.work", readings=["I-SETUP-REROLL"], size=1)[0]

    assert (order.known, order.enumerated, set_up.known) == (Known.WITHIN, (), Known.NONE)
    assert "only the Barbarian phase asks" in order.sentence() and "only the set-up asks" in set_up.sentence()
    false = {**STORED, set_up.id: replace(set_up, known=Known.WITHIN), order.id: replace(order, argument="")}
    problems = [*plan_problems({name: row for name, row in false.items() if row.position is None})]
    assert sum("by an argument is stated wrongly" in problem for problem in problems) == 2


def test_a_reading_of_the_reference_rules_is_searched_by_them():
    """The plan under each value has the value that is stated, when it is replayed."""
    row = STORED["I-GLORY-RESERVE=without/falls"]
    position, pair = Position.parse(row.position, BOARD), Pair("I-GLORY-RESERVE", "without", "falls")
    aim = read_objective(row.objective, BOARD)
    for value, stated in zip(pair.values, row.results, strict=True):
        values, found = plan_by_reference(with_value(position, pair.reading, value), aim)
        ends = ways(with_value(position, pair.reading, value), found, None)
        assert tuple(map(str, values)) == stated
        assert tuple(map(str, expected_values(ends, aim))) == stated


def test_files_are_read_as_they_are_written(tmp_path):
    path = tmp_path / "plans.json"
    write_plans(path, [*STORED.values()], BOARD)

    assert read_plans(path.read_text("utf-8"), "x") == STORED


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 1}', '{"format": 9, "plans": []}', '{"format": 1, "plans": [{}]}']
)
def test_a_file_that_holds_something_else_is_refused(text):
    with pytest.raises(FindingError, match="x: "):
        read_plans(text, "x")


@pytest.mark.parametrize(
    ("text", "action", "objective"),
    [
        ("4111 D:6 bit/-/-/- 1 - - - -/-/-/-", "move asia", "reach asia"),
        ("4111 D:6 bit/-/-/- 1 - - - -/-/-/-", "secure", "secure bithynia"),
        ("4111 D:6 asi/-/-/- 1 - asi - -/-/-/-", "reduce", "clear asia"),
        ("4111 M:6 -/-/-/bel 1 bri - - -/-/-/-", "attack britannia: victory", "kill britannia"),
        ("4111 D:6 asi/-/-/- 1 - - - -/-/-/-", "sail 1 2", ""),
    ],
)
def test_what_an_action_serves(text, action, objective):
    position = Position.parse(text, BOARD)

    assert served_by(parse(position, action), position) == objective


# -- the second search -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("4111 D:2 bit/-/-/- 1 - - - -/-/-/-", "most value garrison=1"),
        ("4111 M:3 -/-/-/bel 1 bri lug - -/-/-/bel", "kill britannia"),  # with dice
        ("4111 M:3 -/-/-/bel 1 bri lug - -/-/-/bel", "most value army=-1 garrison=2"),
        ("4111 D:1 asi/-/-/- 1 - asi - -/-/-/-", "least p_uprising"),
        ("4111+pirates D:3 afr/-/-/- 1 - - - -/-/-/- pirates=2", "kill pirates"),
    ],
)
def test_both_engines_have_the_same_best_value(text, objective):
    position, aim = Position.parse(text, BOARD), read_objective(objective, BOARD)
    found = plan(position, aim)

    assert best_by_reference(position, aim, claimed=found.values) == found.values
    with pytest.raises(DisagreementError, match="by the reference rules"):
        best_by_reference(position, aim, claimed=[value + Fraction(1, 36) for value in found.values])


def test_long_turns_and_imperium_are_left_out():
    long = Position.parse("4111 D:6 bit/-/-/- 1 - - - -/-/-/-", BOARD)
    aim = read_objective("reach roma", BOARD)

    assert best_by_reference(long, aim, most_states=50) is None
    paid = 'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
    assert best_by_reference(Position.parse(f"4111+imperium D:1 bit/-/-/- 1 - - - -/-/-/- {paid}", BOARD), aim) is None


def test_a_search_for_plans_does_not_go_on_with_one_for_positions(tmp_path):
    path = tmp_path / "x.work"
    search(path, readings=["I-PASS"], size=1, batches=0)
    with pytest.raises(FindingError, match="progress of another search, expected one for plans"):
        search_plans(path, readings=["I-PASS"], size=1)
    path.unlink()
    search_plans(path, readings=["I-SECURE-ROMA"], size=1)
    with pytest.raises(FindingError, match="progress of another search, expected one for positions"):
        search(path, readings=["I-PASS"], size=1, batches=0)


def test_equal_plans_are_no_finding():
    position, pair = (
        Position.parse("4111 D:1 asi/-/-/- 1 - - - -/-/-/-", BOARD),
        Pair("I-SECURE-OWN", "allowed", "forbidden"),
    )

    assert best_plans(position, pair, "secure asia") is None
    assert finding_of(pair, position, (12,)) is None


def test_objectives_have_words_in_both_languages():
    assert all(one.words["en"] and one.words["es"] for one in plan_objectives())
    assert any(one.is_enumerated for one in plan_objectives()) and any(
        not one.is_enumerated for one in plan_objectives()
    )


def test_plans_that_are_only_the_best_so_far_are_no_finding(monkeypatch):
    """A search that the time has ended gives values, too, and not those of the best plan."""
    position, pair = (
        Position.parse("4111 D:1 bit/-/-/- 1 - - - -/-/-/-", BOARD),
        Pair("I-SECURE-OWN", "allowed", "forbidden"),
    )
    assert best_plans(position, pair, "secure bithynia") is not None

    def ended(*arguments, **more):
        return replace(plan(*arguments, **more), status=Status.FEASIBLE)

    monkeypatch.setattr("tetrasolve.tetrarchia.lint.bestplans.plan", ended)
    assert best_plans(position, pair, "secure bithynia") is None


# -- pieces that are needed --------------------------------------------------------------------------------------------

GLORY = 'glory={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'


@pytest.mark.parametrize("name", needed_by_plans())
def test_the_position_has_the_pieces_that_are_needed_and_no_others(name):
    """So it is called minimal, and says why."""
    found, need = stored_plans()[name], needed_by_plans()[name]

    assert need.is_met(Position.parse(found.position, Board.standard()))
    assert (found.known, found.at_least, found.need) == (Known.PROVED, found.size, need)
    assert need.total == found.size > found.solved_through
    assert found.sentence().endswith(f"proved minimal: {need.english}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("I-ENTRY=must/may", "4111 D:6 -/-/rom/- 1 - - - -/-/-/-"),
        ("I-ENTRY=must/may", "4111 D:6 -/-/-/bit 1 - - - -/-/-/-"),
        ("I-VIA-EMPTY=no-figure/no-disc", "4111+via-romana C:6 -/-/-/- 1 - - - -/-/-/-"),
        ("I-VICARIUS-UNREST=removed/stays", "4111+vicarius D:6 -/-/-/- 3 - - - -/-/-/- vicarius=null"),
        ("I-PIRATES-EMPERORS=each/once", "4111+pirates M:6 -/etr/-/- 1 - - - -/-/-/- pirates=2"),
        ("I-PIRATES-ARMIES=each/once", "4111+pirates D:6 -/-/-/- 3 sic sic.afr - -/-/-/- pirates=2"),
        ("I-GLORY-SEA=takes/none", f"4111+pirates+roma-aeterna D:6 -/-/-/- 1 - - - -/-/-/- {GLORY} pirates=null"),
        ("I-SHAME-SEA=gives/keeps", f"4111+pirates+roma-aeterna D:6 -/-/-/- 1 - - - -/-/-/- {GLORY} pirates=2"),
    ],
)
def test_the_best_plans_are_equal_where_a_needed_piece_is_missing(name, text):
    """By the kernel, for the objective of the finding."""
    position, found = Position.parse(text, Board.standard()), stored_plans()[name]
    reading, _, values = name.partition("=")

    assert not needed_by_plans()[name].is_met(position)
    assert best_plans(position, Pair(reading, *values.split("/")), found.objective) is None
