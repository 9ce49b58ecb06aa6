"""Calls about the board: its rows, contradictions, doubts, and which facts a change alters, against the library's own functions."""

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from tetrasolve.claims import robust
from tetrasolve.claims.doubts import doubts
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardcheck import check
from tetrasolve.tetrarchia.boarddata import board_data, doubt_data
from tetrasolve.tetrarchia.boardfile import read_board, standard_text
from tetrasolve.tetrarchia.facts.subject import standard_index, standard_subject
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.service import boards
from tetrasolve.tetrarchia.service.boardfacts import on_board
from tetrasolve.tetrarchia.service.engine import HANDLERS, ask, schema

TEXT = standard_text()
ROW = '[[link]]\nbetween = ["sardinia", "etruria"]\nbroken = true\n'
ABSENT = "link sardinia-etruria absent"
SHORT = 0.01  # seconds of a derivation: of those that are derived again


def without_row():
    """The file without one link, the row that `ABSENT` is about."""
    rows = TEXT.split("\n\n")
    found = "\n\n".join(row for row in rows if not row.startswith(ROW))
    assert len(rows) - len(found.split("\n\n")) == 1
    return found


def otherwise(text, name, old, new):
    """The file with a field of the first row that begins with `name`."""
    at = text.index(name)
    return text[:at] + text[at:].replace(old, new, 1)


def validate(name, data):
    Draft202012Validator({"$defs": schema()["$defs"], "$ref": f"#/$defs/{name}"}).validate(data)


def test_the_rows_are_those_of_the_file(served):
    found = served.post("board", {}).json()
    assert found == {**board_data(Board.standard()), "text": TEXT}
    assert served.post("board", {}, accept="text/plain").text == TEXT
    changed = otherwise(TEXT, ROW, "broken = true", "broken = false")
    (link,) = (row for row in ask("board", board=changed)["links"] if row["between"] == ["sardinia", "etruria"])
    assert not link["broken"] and link["evidence"]["exists"] == {"source": "inferred", "confidence": 0.3}
    pairs = {tuple(row["between"]) for row in found["no_links"]}
    assert pairs == {pair.between for pair in Board.standard().no_links} and pairs


def test_a_changed_file_is_checked(served):
    name = '[[link]]\nbetween = ["germania_superior", "narbonensis"]\n'
    wrong = otherwise(TEXT, name, "broken = false", "broken = true")
    found = served.post("board_check", {"board": wrong}).json()
    assert found["findings"] == [finding.to_json() for finding in check(read_board(wrong))] != []
    assert ask("board_check", board=TEXT) == ask("board_check") == {"findings": []}


def test_the_doubts_are_those_of_the_library():
    index = standard_index()
    found = ask("board_doubts")
    validate("result_board_doubts", found)
    expected = [doubt_data(doubt) for doubt in doubts(index, standard_subject())]
    assert found == {"rows": expected, "uncertain": len(expected), "facts": len(index.entries)}
    assert ask("board_doubts", most=2)["rows"] == expected[:2]


def test_a_row_that_is_otherwise_alters_the_facts_that_depend_on_it():
    """The same by the name of the change and by the file; and some of them derived again on the changed board."""
    found = ask("board_change", change=ABSENT)
    validate("result_board_change", found)
    assert found == ask("board_change", board=without_row())
    assert found["known"] and found["rows"] == {"gone": ["link etruria sardinia broken"], "new": []}
    altered = {row["id"]: row for row in found["facts"]}
    (doubt,) = (row for row in ask("board_doubts")["rows"] if row["row"] == "link sardinia-etruria")
    assert doubt["changes"] == [ABSENT] and [*altered] == doubt["facts"] != []
    index, changed = standard_index(), read_board(without_row())
    assert (found["unknown"], found["unaltered"]) == ([], len(index.entries) - len(altered))
    again = 0
    for topic in standard_subject().claims.topics().values():
        entries = {entry.instance: entry for entry in index.entries if entry.topic.id == topic.id}
        if entries and topic.rows and topic.effort <= SHORT:
            again += 1
            values = {instance: entry.values for instance, entry in entries.items()}
            broken = robust.differences(topic, values, changed)
            assert {entries[name].id: (len(paths), first) for name, (paths, first) in broken.items()} == {
                entry.id: (altered[entry.id]["values"], altered[entry.id]["first"])
                for entry in entries.values()
                if entry.id in altered
            }
    assert again >= 5


def test_several_changed_rows_are_unknown():
    """So is a row that the file holds to be certain; facts that read no row of the board hold."""
    second = '[[link]]\nbetween = ["pannonia_inferior", "dacia"]\n'
    assert second in TEXT
    kind = "broken = true" if TEXT.split(second)[1].startswith("broken = true") else "broken = false"
    other = {"broken = true": "broken = false", "broken = false": "broken = true"}[kind]
    two = otherwise(without_row(), second, kind, other)
    certain = '[[link]]\nbetween = ["germania_superior", "narbonensis"]\n'
    for text in (two, otherwise(TEXT, certain, "broken = false", "broken = true")):
        found = ask("board_change", board=text)
        validate("result_board_change", found)
        assert not found["known"] and found["change"] is None and found["facts"] == []
        index = standard_index()
        assert found["unknown"] == [entry.id for entry in index.entries if entry.topic.rows]
        assert found["unaltered"] == len(index.entries) - len(found["unknown"])
        assert found["rows"]["gone"]


def test_what_changes_no_row_alters_nothing():
    """Confidence and remarks are no rows."""
    found = ask("board_change", board=otherwise(TEXT, ROW, "confidence = 0.3", "confidence = 0.5") + "\n# a remark\n")
    assert found["known"] and found["rows"] == {"gone": [], "new": []} and found["change"] is None
    assert (found["facts"], found["unknown"]) == ([], [])


def test_robustness_of_another_board_is_not_used(monkeypatch):
    stored = boards._stored()
    monkeypatch.setattr(boards, "_stored", lambda: (*stored[:3], False))
    found = ask("board_change", change=ABSENT)
    validate("result_board_change", found)
    assert not found["known"] and found["facts"] == [] and len(found["unknown"]) > 100


@pytest.mark.parametrize(
    ("kind", "fields", "where"),
    [
        ("board", {"board": 5}, "board"),
        ("board", {"board": "[[link]]"}, "board"),
        ("board_check", {"board": "\x00"}, "board"),
        ("board_check", {"board": ["[board]"]}, "board"),
        ("board_doubts", {"most": 0}, "most"),
        ("board_doubts", {"most": True}, "most"),
        ("board_change", {}, "change"),
        ("board_change", {"change": ABSENT, "board": TEXT}, "change"),
        ("board_change", {"change": "link roma-roma absent"}, "change"),
        ("board_change", {"change": 5}, "change"),
        ("board_change", {"board": "nonsense"}, "board"),
    ],
)
def test_what_is_wrong_is_named(served, kind, fields, where):
    with pytest.raises(StrictError) as refused:
        HANDLERS[kind](fields, None)
    assert refused.value.where == where
    found = served.post(kind, fields)
    assert (found.status_code, found.json()["where"]) == (422, where)
    assert len(found.text) < 3000


# -- questions about a position on a changed board -------------------------------------------------------------------------

REVOLT = "4211 D:6 rom/-/-/- 23 - asi - -/-/-/-"  # an uprising would spread to Cilicia
ISLAND = "4211 D:3 sar/-/-/- 13 - - - -/-/-/-"  # no fleet leads away from it


def test_the_risk_is_that_of_the_board(served):
    """As the library finds it on the same board, which differs from that of the library."""
    row = '[[link]]\nbetween = ["asia", "cilicia"]\n'
    changed = "\n\n".join(block for block in TEXT.split("\n\n") if not block.startswith(row))
    found = served.post("risk", {"position": REVOLT, "board": changed}).json()["new_revolts"]
    expected = risk(Position.parse(REVOLT, read_board(changed))).new_revolts()
    assert found == {name: chance.as_data() for name, chance in expected.items()}
    standard = ask("risk", position=REVOLT)
    assert standard["new_revolts"].keys() - found.keys() == {"cilicia"}
    assert ask("risk", position=REVOLT, board=TEXT) == standard


def test_a_hint_knows_the_links_of_the_board(served):
    fields = {"position": ISLAND, "budget": "greedy", "compare": "move etruria"}
    assert served.post("hint", fields).json()["mine"]["plan"] == "move etruria"
    found = served.post("hint", {**fields, "board": without_row()})
    assert (found.status_code, found.json()["where"]) == (422, "compare")


def test_a_board_that_cannot_be_played_on_is_refused(served):
    name = '[[province]]\nid = "cisalpina"\n'
    nowhere = otherwise(TEXT, name, 'arrow = "etruria"', 'arrow = "britannia"')
    for board in (5, "nonsense", "\x00", nowhere):
        for kind in ("risk", "hint"):
            found = served.post(kind, {"position": REVOLT, "board": board})
            assert (found.status_code, found.json()["where"]) == (422, "board"), (kind, board)


# -- facts that are derived again ------------------------------------------------------------------------------------------


def test_facts_derived_on_a_board_are_those_that_are_stored_for_it():
    """What the topics that are derived quickly say on a changed board is what the stored robustness holds of the change."""
    index, subject = standard_index(), standard_subject()
    topics = subject.claims.topics()
    quick = [entry for entry in index.entries if entry.topic.rows and topics[entry.topic.id].effort <= SHORT]
    changes = {change.name: change for change in subject.neighbourhood().changes}
    altered = 0
    for name in (ABSENT, next(name for name in changes if name.startswith("arrow"))):
        derived = dict(on_board(replace(index, entries=tuple(quick)), subject, changes[name].apply(subject.board)))
        for entry in quick:
            paths, first = derived[entry.topic.id].get(entry.instance, ([], []))
            stored = entry.robustness.breaks.get(name)
            assert stored == ((len(paths), tuple(first)) if paths else None), entry.id
            altered += bool(paths)
    assert len(quick) > 50 and altered > 3


def test_facts_are_derived_until_the_time_is_over(served):
    found = served.post("board_facts", {"change": ABSENT, "seconds": 3}).json()
    assert found["status"] == "interrupted" and found["unknown"]
    known = {row["id"]: row for row in served.post("board_change", {"change": ABSENT}).json()["facts"]}
    assert all(known[row["id"]] == row for row in found["facts"])
    whole = sum(bool(entry.topic.rows) for entry in standard_index().entries)
    assert found["same"] + len(found["facts"]) + len(found["unknown"]) == whole
    refused = served.post("board_facts", {"board": TEXT, "change": ABSENT})
    assert (refused.status_code, refused.json()["where"]) == (422, "change")
