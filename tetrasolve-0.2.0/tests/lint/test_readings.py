"""The smallest positions in which two readings differ: what is enumerated, what is stored, and how a search goes on."""

import json
from dataclasses import replace
from importlib import resources
from itertools import count, product

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Certainty, Report
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import compare
from tetrasolve.tetrarchia.lint import search as searching
from tetrasolve.tetrarchia.lint.compare import Engines, Pair, differences, with_value
from tetrasolve.tetrarchia.lint.search import pairs_of, search
from tetrasolve.tetrarchia.lint.small import Table, size_of
from tetrasolve.tetrarchia.lint.stored import findings, problems, questions
from tetrasolve.tetrarchia.pieces import Helper, Pieces
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import READINGS

BOARD = Board.standard()
WHO = [emperor.id for emperor in BOARD.emperors]
ALL = findings().findings


# -- what is enumerated ------------------------------------------------------------------------------------------------


def by_hand(table, places, size):
    """Every position of a size with pieces in these places only, by trying everything and asking what can occur."""
    discs = (None, "unrest", "revolt", *WHO)
    figures = [None, *places]
    helpers = [None] if "dux" not in table.extensions else [Helper(p) for p in places] + [Helper(), Helper(dead=True)]
    zones = [zones for zones in product((False, True), repeat=3) if any(zones)]
    for lying, armies, at in product(
        product(discs, repeat=len(places)), product((False, True), repeat=len(places)), product(figures, repeat=4)
    ):
        pieces = sum(map(bool, (*lying, *armies, *at)))
        for dux, fleets, who in product(helpers, zones, WHO if size - pieces in range(5) else ()):
            if pieces + sum(fleets) + bool(dux and dux.place) != size:
                continue
            for phase, ip, passing in product(Phase, range(7), (None, who, "dux") if dux else (None,)):
                if phase is Phase.BARBARIAN and ip:
                    continue
                position = Position(
                    board=BOARD,
                    ruleset=table.ruleset(sum(fleets)),
                    to_move=who,
                    phase=phase,
                    ip=ip,
                    emperors=dict(zip(WHO, at, strict=True)),
                    fleets=tuple(zone for zone, there in enumerate(fleets, 1) if there),
                    armies=tuple(place for place, there in zip(places, armies, strict=True) if there),
                    discs={place: disc for place, disc in zip(places, lying, strict=True) if disc},
                    pieces=Pieces(dux=dux, passing=passing),
                )
                if not position.status():
                    yield position


@pytest.mark.parametrize(
    ("extensions", "places", "size"),
    [
        pytest.param((), ("cisalpina", "germania_magna"), 3, marks=pytest.mark.slow),
        ((), ("roma",), 4),
        pytest.param(("dux",), ("rhaetia",), 3, marks=pytest.mark.slow),
    ],
)
def test_a_size_has_every_position_that_can_occur(extensions, places, size):
    """Those of a few places, against trying everything; each occurs once, and is as large as it should be."""
    table = Table(BOARD, extensions)
    rows = {BOARD.order[place] for place in places}
    table.__dict__["placements"] = tuple(p for p in table.placements if p.place in rows)
    found = [state for block in table.blocks(size) for state in table.states(block)]
    expected = {fast.state_of(position, rebels=True) for position in by_hand(table, places, size)}

    assert len(found) == len(set(found)) > 100
    assert set(found) == expected
    assert all(size_of(table.position(state)) == size for state in found[::7])


@pytest.mark.parametrize("name", ["barbaria", "pirates", "imperium", "goths"])
def test_positions_with_modules_can_occur(name):
    """What is enumerated without looking, because its pieces lie in different places, can occur."""
    table = Table(BOARD, (name,))
    found = [state for block in table.blocks(2)[:40] for state in table.states(block)]

    assert len(found) > 500
    assert all(table.can_occur(state) and size_of(table.position(state)) == 2 for state in found[::23])


# -- what is stored ----------------------------------------------------------------------------------------------------


def test_every_two_values_of_every_reading_have_a_finding_and_a_question():
    """Which readings there are is said by their data file alone."""
    assert [finding.id for finding in ALL] == [pair.id for pair in pairs_of()]
    assert {finding.reading for finding in ALL} == set(READINGS)
    assert questions().keys() == READINGS.keys()
    for question in questions().values():
        assert question.english.endswith("?")
        assert question.spanish.startswith("¿") or "¿" in question.spanish
        assert question.spanish.endswith("?")


def test_a_question_that_the_text_settles():
    """The printed example of page 8 is so under the default of I-BATTLE-BROKEN, and not under its other value."""
    settled = [question for question in questions().values() if question.state == "settled"]
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/positions/fight.json").read_text("utf-8")
    fight = Position.from_json(text)
    values = {value: with_value(fight, "I-BATTLE-BROKEN", value) for value in READINGS["I-BATTLE-BROKEN"].options}
    revolts = {value: rules.battle(position, "maximian", "narbonensis").revolts for value, position in values.items()}

    assert [question.reading for question in settled] == ["I-BATTLE-BROKEN"]
    assert "seven revolts" in settled[0].standing
    assert revolts["linked"] == 7 > revolts["not-linked"]
    assert all(question.standing == question.state for question in questions().values() if question not in settled)


@pytest.mark.parametrize("whole_report", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_stored_findings_are_true(whole_report):
    """Each position is played by both engines under both values: they agree, and what differs is what is stated."""
    left = [f for f in ALL if whole_report or not {"barbaria", "usurpator"} & {*f.table.split("+")}]
    found = problems(replace(findings(), findings=tuple(left)))

    assert len(left) > 40
    assert [text for text in found if not text.endswith("expected one finding")] == []


@pytest.mark.parametrize("name", ["I-ENTRY", "I-REVOLT-GROUP", "I-BATTLE-BROKEN", "I-PASS"])
def test_nothing_smaller_differs(name):
    """Enumerated again up to two pieces: as many positions as stated, and no difference below the stated size."""
    for finding in findings().find([name]):
        table, pair = Table(BOARD), Pair(name, *finding.values)
        engines = Engines(table)
        (row,) = (row for row in finding.searched if row.table == table.name)
        assert finding.size is not None
        for size in range(1, min(3, finding.size)):
            states = [state for block in table.blocks(size) for state in table.states(block)]
            assert len(states) == row.enumerated[size - 1]
            assert not any(engines.differing(state, [pair]) for state in states)


@pytest.mark.parametrize("name", ["I-SECURE-OWN", "I-ENTRY-SHARED"])
def test_the_reference_rules_find_nothing_smaller(name):
    """The kernel enumerates; the readable rules say the same of every position with a single piece."""
    (finding,) = findings().find([name])
    table = Table(BOARD)
    for block in table.blocks(1):
        for state in table.states(block):
            assert differences(table.position(state), Pair(name, *finding.values)) == ()


FORGERIES = {
    "a smaller size": lambda f: replace(f, size=f.size - 1, at_least=f.size - 1),
    "a lower bound": lambda f: replace(f, at_least=f.at_least - 1),
    "less certain": lambda f: replace(f, certainty=Certainty.INTERVAL),
    "another table": lambda f: replace(f, table="dux"),
    "a position without a difference": lambda f: replace(f, position="4111 D:6 -/-/-/- 1 - - - -/-/-/-"),
    "another position": lambda f: replace(f, position="4111 D:6 -/-/-/- 7 - - - -/-/-/-"),
    "other values": lambda f: replace(
        f, differences=(replace(f.differences[0], values=("0", "1")), *f.differences[1:])
    ),
    "nothing differs": lambda f: replace(f, differences=()),
    "one more": lambda f: replace(f, more=f.more + 1),
    "values exchanged": lambda f: replace(f, values=f.values[::-1]),
    "none on the board": lambda f: replace(
        f, certainty=Certainty.NONE, position=None, size=None, argument="nothing can differ"
    ),
    "no difference": lambda f: replace(f, certainty=Certainty.NO_DIFFERENCE, position=None, size=None, at_least=9),
    "not enumerated": lambda f: replace(f, searched=()),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_finding_is_found(forge):
    """What a careless or dishonest hand would write."""
    report = findings()
    number = next(n for n, f in enumerate(ALL) if f.id.startswith("I-SECURE-OWN="))
    forged = replace(report, findings=(*ALL[:number], forge(ALL[number]), *ALL[number + 1 :]))
    only = replace(forged, findings=(forged.findings[number],))

    assert [text for text in problems(only) if "expected one finding" not in text]


def test_a_report_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "findings.json"
    findings().write(path)

    assert Report.read(path.read_text(), "it") == findings()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 2}',
        '{"format": 1, "rules": 1}',
        '{"format": 1, "rules": "", "domain": "", "findings": [7]}',
    ],
)
def test_what_is_no_report_is_refused(text):
    with pytest.raises(FindingError, match=r"^mine: "):
        Report.read(text, "mine")


def test_a_reading_that_does_not_exist():
    with pytest.raises(FindingError, match=r"'I-PAS'.*I-PASS"):
        findings().find(["I-PAS"])
    with pytest.raises(FindingError, match="'I-NONE'"):
        pairs_of(["I-NONE"])


# -- the search --------------------------------------------------------------------------------------------------------

FEW = {"readings": ["I-ENTRY", "I-SECURE-OWN"], "size": 2, "batches": 0}


def stopped_after(steps):
    """A flag that is set after so many steps, and who sets it."""
    stop, done = Stop(), count(1)
    return {"cancel": stop, "progress": lambda *_row: stop.set() if next(done) == steps else None}


def test_a_search_that_is_interrupted_goes_on(tmp_path):
    """Stopped again and again it ends with what it finds at once; a second run has nothing to do."""
    whole_run, complete = search(tmp_path / "one", **FEW)
    assert complete
    for calls in range(1, 400):  # noqa: B007  # counted
        ended = search(tmp_path / "two", **FEW, **stopped_after(9))
        if ended[1]:
            break

    assert calls > 2
    assert ended == (whole_run, True)
    assert search(tmp_path / "two", **FEW, progress=lambda *_row: pytest.fail("something is done again")) == ended


def test_a_search_that_is_stopped_plays_no_position_again(tmp_path, monkeypatch):
    """It lists what is known, the last position too, without what differs: that takes seconds for all readings."""
    whole_run, _ = search(tmp_path / "work", **FEW)
    stop = Stop()
    stop.set()
    with monkeypatch.context() as patch:
        patch.setattr(searching, "differences", lambda *_: pytest.fail("a position is played again"))
        patch.setattr(searching, "set_up", lambda *_: pytest.fail("a set-up is drawn"))
        ended, complete = search(tmp_path / "work", **FEW, cancel=stop)

    assert not complete
    assert [finding.position for finding in ended.findings] == [finding.position for finding in whole_run.findings]
    assert all(finding.differences == () for finding in ended.findings)
    assert search(tmp_path / "work", **FEW) == (whole_run, True)


class Countdown(Stop):
    """A flag that is set at a look at it, rather than at a time."""

    def __init__(self, looks):
        super().__init__()
        self.left = looks

    def check(self):
        self.left -= 1
        if self.left < 0:
            self.set()
        super().check()


def test_a_report_that_is_stopped_ends_within_a_position(tmp_path):
    """The flag reaches what is played again: after any number of looks at it nothing more is played, and nothing is lost."""
    whole_run, _ = search(tmp_path / "work", **FEW)
    work = searching.Work.read(tmp_path / "work", BOARD)
    pairs = pairs_of(FEW["readings"])
    compare._actions.cache_clear()
    compare._solved.cache_clear()
    searching._set_ups.clear()
    looks = [0]

    class Counting(Stop):
        def check(self):
            looks[0] += 1

    assert searching.report(work, BOARD, pairs, Counting()) == (whole_run, True)
    assert looks[0] > 2 * len(pairs), "it looks within a position, too"
    lengths = set()
    for at in (0, 1, 2, looks[0] // 2, looks[0] - 1):
        compare._actions.cache_clear()
        compare._solved.cache_clear()
        searching._set_ups.clear()
        stop = Countdown(at)
        found, played = searching.report(work, BOARD, pairs, stop)
        assert not played
        assert stop.left == -1, "it is not looked at again"
        assert [one.position for one in found.findings] == [one.position for one in whole_run.findings]
        shown = [one for one in found.findings if one.differences]
        assert shown == [one for one in whole_run.findings if one.differences][: len(shown)]
        lengths.add(len(shown))
    assert len(lengths) > 1


def test_workers_find_the_same(tmp_path):
    assert search(tmp_path / "one", **FEW, workers=2) == search(tmp_path / "two", **FEW)


def test_a_reading_asked_for_later_is_searched_whole(tmp_path):
    """What was enumerated for one reading says nothing about another one."""
    small = {"size": 2, "batches": 0}
    search(tmp_path / "work", readings=["I-PASS"], **small)
    later, _ = search(tmp_path / "work", readings=["I-SECURE-ROMA"], **small)

    assert later == search(tmp_path / "other", readings=["I-SECURE-ROMA"], **small)[0]
    assert later.findings[0].size == 2


def test_a_search_without_time_knows_nothing(tmp_path):
    report, complete = search(tmp_path / "work", readings=["I-PASS"], seconds=0)

    assert not complete
    assert report.findings[0].certainty is Certainty.NO_DIFFERENCE
    assert report.findings[0].at_least == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"rules": "RULES", "tables": {"base game": {"x": 1}}, "found": {}}'])
def test_a_file_that_is_no_search_is_refused(tmp_path, text):
    path = tmp_path / "work"
    path.write_text(text.replace("RULES", searching.digest(BOARD)))
    with pytest.raises(FindingError, match="is no search in progress"):
        search(path, readings=["I-PASS"])


def test_the_work_on_other_rules_is_begun_anew(tmp_path):
    path = tmp_path / "work"
    path.write_text(
        json.dumps({"rules": "others", "tables": {}, "found": {"I-ENTRY=must/may": ["base game", 9, "", True]}})
    )
    report, _ = search(path, readings=["I-ENTRY"], size=1, batches=0)

    assert report.findings[0].size == 1


def test_the_kernels_have_the_phases_by_their_numbers():
    """Blocks are sorted by them: the Barbarian phase comes first."""
    assert (whole.ROMAN, whole.BARBARIAN) == (0, 1)
    ips = [block.ip for block in Table(BOARD).blocks(2)]
    assert ips == sorted(ips)
    assert Table(BOARD).blocks(2)[0].phase == whole.BARBARIAN
