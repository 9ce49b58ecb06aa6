"""Games that lead to positions in which values of readings differ, and values that hide others; and false ones of each kind."""

from dataclasses import replace

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import hiding
from tetrasolve.tetrarchia.lint.beam import Beam, Nearness
from tetrasolve.tetrarchia.lint.compare import Pair, differences
from tetrasolve.tetrarchia.lint.hiding import hidden_problems, stored_hidden
from tetrasolve.tetrarchia.lint.reached import (
    Records,
    kernel_problem,
    reached,
    record_problems,
    replays_under,
    search_records,
    stored_records,
)
from tetrasolve.tetrarchia.lint.steered import Pattern, Steered, missing_records
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position

ALL = findings().findings
KEPT = stored_records()
FRESH = "I-FRESH=advance/wait"


def test_records_lead_to_positions_that_differ():
    """A few of them: the page of the documentation replays all."""
    quick = [
        name for name, lines in KEPT.rows.items() if not any("barbaria" in line for line in lines)
    ]  # others take seconds
    few = Records({name: KEPT.rows[name] for name in sorted(quick, key=lambda name: len(KEPT.rows[name]))[:6]})

    assert len(KEPT.rows) >= 20
    assert list(record_problems(few, ALL)) == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name",
    [
        "I-BLACK-PLACE=roman/any",
        "I-BORDER-DEFEAT=stays/removed",
        "I-CANCEL-WHEN=before/after",
        "I-GLORY-RESERVE=without/falls",
        "I-GOTHS-BOTH=both/figure",
        "I-GOTHS-SUPPORT=supporter/leader",
        "I-ORDER-BORDER=region/last",
        "I-ORDER-ITALIA=first/last",
        "I-REFILL=rest/none",
        "I-REFILL=rest/falls",
        "I-REFILL=none/falls",
        "I-RESERVE=illegal/falls",
        "I-SHAME-DUX=nobody/active",
        "I-TURN-BACK=may/forbidden",
        "I-TURN-BORDERS=inside/may",
        "I-BLACK-WHEN=steps/armies",
        "I-BLOCK-ORDER=barbarian/general",
        "I-CHECK-ORDER=file/chosen",
        "I-USURPER-ORDER=lower/chosen",
        "I-ECHO-FIGURE=may-come/figure",
        "I-ORDER-TIE=order/chosen",
        "I-TURN-DISC=spent/returned",
        "I-TURN-WHEN=before/after",
        "I-USURPER-ADVANCE=at-once/after-all",
        "I-USURPER-ECHO=before/after",
        "I-USURPER-ORDER=lower/higher",
        "I-USURPER-ROOM=none/expels",
        "I-WAY-BLOCKED=waits/another",
        "I-WAY-BROKEN=one/two",
    ],
)
def test_games_that_were_constructed_replay(name):
    """Though their dice are chosen: 21 gray discs lie on the table, or two regions are about to be full at once."""
    assert list(record_problems(Records({name: KEPT.rows[name]}), ALL)) == []


def other_end(rows):
    """One event less, where the values do not differ yet."""
    game = Records(rows).game(FRESH)
    assert game is not None
    game.undo()
    from tetrasolve.tetrarchia.record import write_record

    return {FRESH: write_record(game).splitlines()}


@pytest.mark.parametrize(
    ("forge", "problem"),
    ids=("no set-up", "no finding", "another finding", "an event less", "a line less"),
    argvalues=[
        (
            lambda rows: {FRESH: [line for line in rows[FRESH] if not line.startswith("set-up")]},
            "does not begin with a set-up",
        ),
        (lambda rows: {"I-FRESH=wait/advance": rows[FRESH]}, "there is no such finding"),
        (lambda rows: {"I-SECURE-ROMA=allowed/forbidden": other_end(rows)[FRESH]}, "do not differ"),
        (other_end, "do not differ"),
        (lambda rows: {FRESH: [*rows[FRESH][:-2], rows[FRESH][-1]]}, ""),  # a line less
    ],
)
def test_false_records_are_found(forge, problem):
    wrong = list(record_problems(Records(forge(KEPT.rows)), ALL))

    assert len(wrong) == 1
    assert problem in wrong[0]


def test_the_kernel_goes_through_a_game_too():
    """And a game that it plays otherwise is found."""
    game = KEPT.game(FRESH)
    assert game is not None
    assert kernel_problem(game) == ""
    game._states[-1] = game.states[-1].replace(fleets=())
    assert "the kernel has another position" in kernel_problem(game)


def test_a_search_goes_on_with_what_is_there(tmp_path):
    """The same games give the same records; a record that is known is replaced by a shorter one only."""
    path = tmp_path / "reached.json"
    wanted = [finding for finding in ALL if finding.reading in ("I-SECURE-ROMA", "I-PASS")]
    first, complete = search_records(path, wanted, games=1, seed=3)
    again, _ = search_records(path, wanted, games=1, seed=3)

    assert complete
    assert "I-SECURE-ROMA=allowed/forbidden" in first.rows
    assert again.rows == first.rows
    assert list(record_problems(first, ALL)) == []
    assert replays_under(first, "I-SECURE-ROMA=allowed/forbidden", Pair("I-SECURE-ROMA", "allowed", "forbidden"))
    assert search_records(path, wanted, games=1, seed=4, seconds=0)[1] is False


def test_what_is_said_of_each_finding():
    """Whether a game was found, or why none was looked for."""
    said = {finding.id: reached(finding) for finding in ALL}

    assert "after" in said[FRESH]
    assert "after" in said["I-GARRISON-ATTACK=returns/gone"]  # found by the reference rules, which alone play one value
    assert "no position is known" in said["I-FLEETS=apart/together"]
    nothing = Records()
    assert "no game was found" in reached(findings().named(FRESH), nothing)


def test_no_finding_with_a_position_is_left_open():
    """Each has a game, or an argument that there is none."""
    said = [reached(finding) for finding in ALL if finding.position is not None]

    assert [text for text in said if "no game was found" in text] == []


def test_a_file_that_holds_no_records_is_refused():
    for text in ("", "[]", '{"format": 1}', '{"format": 2, "records": {}}', '{"format": 1, "records": {"a": [1]}}'):
        with pytest.raises(FindingError):
            Records.read(text, "x")


# -- values that hide others -------------------------------------------------------------------------------------------


def test_what_is_hidden_is_compared_again(monkeypatch):
    """For a few findings; and a row too few, one too many, and a position in which nothing differs are found."""
    few = [f for f in ALL if f.reading in ("I-CHECK-ORDER", "I-GOTHS-BOTH", "I-REVOLT-GROUP", "I-SECURE-OWN")]
    kept = {f.id: stored_hidden()[f.id] for f in few if f.id in stored_hidden()}
    monkeypatch.setattr(hiding, "stored_hidden", lambda: kept)
    assert list(hidden_problems(few)) == []
    assert [(row.reading, row.value) for row in kept["I-CHECK-ORDER=file/reverse"]] == [("I-CHECK", "one-roll")]

    whole = dict(kept)
    group = "I-REVOLT-GROUP=largest-linked/under-army"
    for forged in (
        {name: rows for name, rows in whole.items() if name != "I-GOTHS-BOTH=both/figure"},
        whole
        | {"I-SECURE-OWN=allowed/forbidden": (replace(whole[group][0], finding="I-SECURE-OWN=allowed/forbidden"),)},
        whole | {group: (replace(whole[group][0], position=findings().named(group).position), *whole[group][1:])},
    ):
        monkeypatch.setattr(hiding, "stored_hidden", lambda forged=forged: forged)
        assert list(hidden_problems(few))


def test_a_hidden_reading_makes_no_difference_to_the_reference_rules():
    """What the kernels say of the pair of readings the reference rules say too."""
    from tetrasolve.tetrarchia.position import Position

    finding = findings().named("I-GLORY-DUX=nobody/active")
    position = Position.parse(finding.position)
    other = position.replace(ruleset=position.ruleset.with_readings([("I-GLORY-DEFENCE", "none")]))
    pair = Pair(finding.reading, *finding.values)

    assert differences(position, pair)
    assert not differences(other, pair)


# -- steered -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seeker"),
    [
        ("I-SECURE-OTHERS=allowed/forbidden", Steered),
        ("I-SECURE-OTHERS=allowed/forbidden", Beam),  # in the middle of a turn
        ("I-GOTHS-BORDER=removed/stays", Beam),  # in a phase that no steered game came to
        ("I-GOTHS-ARMY=removed/blocks", Beam),  # with an army more than the smallest position has, in the set-up
    ],
)
def test_a_game_comes_to_a_difference(tmp_path, name, seeker):
    """Where games at random did not: the record is one like any other."""
    path = tmp_path / "records.json"
    few = [finding for finding in ALL if finding.id == name]
    found, complete = missing_records(path, few, seeker, games=1)

    assert complete and [*found.rows] == [name]
    assert [*record_problems(found, ALL)] == []
    assert Records.read(path.read_text("utf-8"), "x").rows == found.rows

    _, complete = missing_records(tmp_path / "none.json", few, seeker, games=1, seconds=0)
    assert not complete


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("4111 M:b -/-/-/min 1 - dac - -/-/-/-", (0, 0)),
        ("4111 M:b -/bit/-/min 1 srm tar.dac gat -/-/-/-", (0, 0)),  # more than is needed
        ("4111 M:b -/-/-/min 1 - - dac -/-/-/-", (1, 0)),  # nearer with unrest
        ("4111 M:b -/-/-/min 1 - tar - -/-/-/-", (1, 1)),
        ("4111 M:b -/-/-/msu 1 - dac - -/-/-/-", (1, 1)),
        ("4111 M:b -/-/-/min 2 - dac - -/-/-/-", (1, 0)),  # the fleet
    ],
)
def test_what_is_missing_of_a_pattern(text, missing):
    wanted, board = "4111 M:b -/-/-/min 1 - dac - -/-/-/-", Board.standard()

    assert Pattern(Position.parse(wanted, board)).missing(Position.parse(text, board)) == missing


# -- by beam search ----------------------------------------------------------------------------------------------------


def near(wanted, text):
    board = Board.standard()
    return Nearness(Position.parse(wanted, board)).of(Position.parse(text, board))


def test_a_table_that_has_the_pattern_and_nothing_else_is_nearest():
    """No matter who stands there: each Emperor can do what the finding needs."""
    wanted = "4111 G:3 -/bri/-/- 3 bel bel - bri/-/-/-"

    assert near(wanted, wanted) == near(wanted, "4111 G:3 -/-/bri/- 3 bel bel - -/bri/-/-") == 0


@pytest.mark.parametrize(
    ("farther", "nearer"),
    [
        (
            "4111 D:b -/-/-/- 1 afr luc.afr - -/-/-/-",
            "4111 D:b -/-/-/- 1 sic luc.afr.sic - -/-/-/-",
        ),  # it leaves a revolt
        ("4111 D:b -/-/-/- 1 luc luc.tri - -/-/-/-", "4111 D:b -/-/-/- 1 luc luc - -/-/-/-"),
        ("4111 D:b -/-/-/- 1 luc luc.tri - -/-/-/-", "4111 D:b -/-/-/- 1 luc luc - tri/-/-/-"),
        ("4111 D:b -/-/-/- 1 luc - - -/-/-/-", "4111 D:b -/-/-/- 1 luc luc - -/-/-/-"),
        ("4111 D:b -/-/-/- 1 - luc - -/-/-/-", "4111 D:b -/-/-/- 1 afr luc - -/-/-/-"),
        ("4111 D:b -/-/-/- 1 luc.tri luc - -/-/-/-", "4111 D:b -/-/-/- 1 luc luc - -/-/-/-"),
    ],
)
def test_what_is_nearer_to_a_pattern(farther, nearer):
    wanted = "4111 D:b -/-/-/- 1 luc luc - -/-/-/-"

    assert near(wanted, nearer) < near(wanted, farther)


def test_a_figure_is_nearer_the_fewer_links_it_is_away():
    wanted = "4111 G:3 -/bri/-/- 3 bel bel - bri/-/-/-"
    away = [near(wanted, f"4111 G:3 -/{place}/-/- 3 bel bel - -/-/-/-") for place in ("rom", "lug", "bri")]

    assert away == sorted(away, reverse=True) and len({*away}) == 3


@pytest.mark.parametrize(
    ("wanted", "farther", "nearer"),
    [
        (  # an army that comes first does not wait, though both together have as many steps to go
            "4111 D:b -/-/-/- 1 sic.epi - - -/-/-/-",
            "4111 D:b -/-/-/- 1 sic.min - - -/-/-/-",
            "4111 D:b -/-/-/- 1 tri.msu - - -/-/-/-",
        ),
        (
            '4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":0,"gray":1}',
            '4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":1,"gray":1}',
            '4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":0,"gray":0}',
        ),
    ],
)
def test_armies_come_together_and_discs_are_spent(wanted, farther, nearer):
    assert near(wanted, nearer) < near(wanted, farther)
