"""Facts are proved into a folder, found there again, and whatever is changed in it is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import ModuleType

import pytest
from toyclaims import TOYS, toy_subject

from tetrasolve.certify.form import load
from tetrasolve.claims import checking, families, proving
from tetrasolve.claims.checking import Problem, compared, judged, proved_again, sampled, stale
from tetrasolve.claims.index import Index
from tetrasolve.claims.proving import LONGEST_PLAIN, prove
from tetrasolve.errors import FactError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.subject import BoardSubject

BOARD = Board.standard()
SUBJECT = toy_subject(BOARD)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def named(problems: list[Problem]) -> dict[str, str]:
    return {problem.fact: problem.problem for problem in problems}


def test_every_fact_has_its_file(proofs: Path) -> None:
    index = Index.load(proofs / "index.json")

    assert [entry.id for entry in index.entries] == [
        *(f"toy-links/{n}" for n in BOARD.ids[:6]),
        "toy-arrows",
        "toy-die",
    ]
    assert set(files(proofs)) == {"index.json", *(entry.file for entry in index.entries)}
    assert index["toy-die"].file == "toys/toy-die.cert" and index["toy-die"].value("sides") == 6
    assert index["toy-arrows"].file == "toys/toy-arrows.cert.xz"
    for entry in index.entries:
        long = len(load(proofs / entry.file)) > LONGEST_PLAIN
        assert entry.file.endswith(".cert.xz" if long else ".cert")


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_bytes_for_any_number_of_workers(proofs: Path, tmp_path: Path, workers: int) -> None:
    again = prove(SUBJECT, tmp_path / "again", workers=workers)

    assert (again.written, again.kept) == (8, 0)
    assert files(tmp_path / "again") == files(proofs)


def test_what_is_there_is_kept(proofs: Path) -> None:
    before = files(proofs)
    (proofs / "toys" / "toy-die.cert").unlink()
    tampered = proofs / "toys" / "toy-links" / "roma.cert"
    tampered.write_text(tampered.read_text("ascii").replace("links 2", "links 3"), "ascii")

    done = prove(SUBJECT, proofs)
    assert (done.written, done.kept) == (2, 6)
    assert files(proofs) == before
    assert prove(SUBJECT, proofs, fresh=True).written == 8
    assert files(proofs) == before


def test_an_interrupted_run_continues(proofs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = proving.write
    written: list[str] = []

    def interrupted(folder: Path, fact: proving.Fact, subject: BoardSubject) -> str:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(fact.id)
        return write(folder, fact, subject)

    monkeypatch.setattr(proving, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prove(SUBJECT, tmp_path / "again")
    monkeypatch.setattr(proving, "write", write)
    assert "index.json" not in files(tmp_path / "again")
    done = prove(SUBJECT, tmp_path / "again")
    assert (done.written, done.kept) == (5, 3)
    assert files(tmp_path / "again") == files(proofs)


def test_some_facts_only(proofs: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert prove(SUBJECT, again, {"toy-links"}, only=["toy-links/roma"]).written == 1
    assert [entry.id for entry in Index.load(again / "index.json").entries] == ["toy-links/roma"]
    assert prove(SUBJECT, again, {"toy-arrows"}).written == 1
    assert [entry.id for entry in Index.load(again / "index.json").entries] == ["toy-links/roma", "toy-arrows"]
    done = prove(SUBJECT, again)
    assert (done.written, done.kept) == (6, 2)
    assert files(again) == files(proofs)
    with pytest.raises(FactError, match="no fact"):
        prove(SUBJECT, again, {"toy-links"}, only=["toy-links/carthago"])


def test_certificates_of_no_fact_go(proofs: Path) -> None:
    before = files(proofs)
    for name in ("toys/toy-die.cert.xz", "toys/toy-old/roma.cert", "toys/toy-die.cert.new"):
        (proofs / name).parent.mkdir(exist_ok=True)
        (proofs / name).write_bytes(b"")
    assert {
        problem.problem.partition(" ")[0] for problem in stale(Index.load(proofs / "index.json"), SUBJECT, proofs)
    } == {
        "toys/toy-die.cert.xz",
        "toys/toy-old/roma.cert",
        "toys/toy-die.cert.new",
    }
    prove(SUBJECT, proofs)
    assert files(proofs) == before


def test_a_certificate_of_something_else_is_never_written(toys: ModuleType, tmp_path: Path) -> None:
    links, arrows, die = toys.TOPICS
    wrong = dataclasses.replace(die, certify=arrows.certify)
    toys.TOPICS = (wrong,)
    families._topics.cache_clear()

    with pytest.raises(FactError, match="toy-die: its certificate claims something else"):
        prove(SUBJECT, tmp_path / "proofs")
    assert links and not (tmp_path / "proofs").exists()


def test_kinds_are_chosen_by_name(toys: ModuleType) -> None:
    assert toys.TOPICS and proving.topics_chosen(TOYS, [], []) is None
    assert proving.topics_chosen(TOYS, ["toy-links/roma"]) == {"toy-links"}
    assert proving.topics_chosen(TOYS, [], ["toys"]) == {"toy-links", "toy-arrows", "toy-die"}
    with pytest.raises(FactError, match="'toy' is no kind"):
        proving.topics_chosen(TOYS, ["toy"])
    with pytest.raises(FactError, match="'toy' is no family"):
        proving.topics_chosen(TOYS, [], ["toy"])


# -- checking ------------------------------------------------------------------------------------------------------------


def everything(folder: Path, board_file: Path, subject: BoardSubject = SUBJECT) -> dict[str, str]:
    index = Index.load(folder / "index.json")
    problems = stale(index, subject, folder) + judged(index, folder, board_file=board_file, workers=2)
    return named(problems + compared(index, subject) + proved_again(index.entries, subject, folder))


def test_nothing_is_wrong(proofs: Path, board_file: Path) -> None:
    assert everything(proofs, board_file) == {}


def test_a_certificate_that_is_missing(proofs: Path, board_file: Path) -> None:
    (proofs / "toys" / "toy-die.cert").unlink()
    index = Index.load(proofs / "index.json")

    assert named(stale(index, SUBJECT, proofs)) == {"toy-die": "its certificate toys/toy-die.cert is missing"}
    assert named(judged(index, proofs, board_file=board_file)) == {
        "toy-die": "unreadable: toys/toy-die.cert: No such file or directory"
    }
    assert named(proved_again([index["toy-die"]], SUBJECT, proofs)) == {
        "toy-die": "proved again, it has another certificate"
    }


def test_a_certificate_that_was_changed(proofs: Path, board_file: Path) -> None:
    path = proofs / "toys" / "toy-die.cert"
    path.write_text(path.read_text("ascii").replace("sides 6", "sides 7"), "ascii")
    index = Index.load(proofs / "index.json")

    assert "is not the one that was proved" in named(stale(index, SUBJECT, proofs))["toy-die"]
    assert "not the certificate that the index names" in named(judged(index, proofs, board_file=board_file))["toy-die"]


def test_two_certificates_that_changed_places(proofs: Path, board_file: Path) -> None:
    index = Index.load(proofs / "index.json")
    a, b = index["toy-links/roma"], index["toy-links/lucania"]
    crossed = [dataclasses.replace(entry, file=other.file, sha256=other.sha256) for entry, other in ((a, b), (b, a))]
    entries = [*crossed, *(entry for entry in index.entries if entry not in (a, b))]
    Index.about(SUBJECT, entries).write(proofs / "index.json")
    found = named(judged(Index.load(proofs / "index.json"), proofs, board_file=board_file))

    assert set(found) == {a.id, b.id} and found[a.id].endswith(f"proves {b.id}")


def test_a_number_that_was_changed_in_the_index(proofs: Path, board_file: Path) -> None:
    path = proofs / "index.json"
    path.write_text(path.read_text("ascii").replace('"sides": "6"', '"sides": "7"'), "ascii")
    found = stale(Index.load(path), SUBJECT, proofs)
    found += judged(Index.load(path), proofs, board_file=board_file) + compared(Index.load(path), SUBJECT)

    assert [(problem.fact, problem.problem) for problem in found] == [
        ("toy-die", "the index says 'The die has 6 sides.', its values 'The die has 7 sides.'"),
        ("toy-die", "refuted: 'sides' is 7 in the index; its certificate proves 6"),
        ("toy-die", "the library derives something else than the index says"),
    ]


def test_facts_missing_and_facts_too_many(proofs: Path, toys: ModuleType) -> None:
    index = Index.load(proofs / "index.json")
    less = Index.about(SUBJECT, [entry for entry in index.entries if entry.id != "toy-die"])

    assert named(compared(less, SUBJECT)) == {"toy-die": "is a fact of this library, and missing in the index"}
    toys.TOPICS = toys.TOPICS[:2]
    families._topics.cache_clear()
    assert named(compared(index, SUBJECT)) == {"toy-die": "is no fact of this library"}
    assert named(stale(index, SUBJECT)) == {"toy-die": "is no fact of this library"}
    assert named(proved_again([index["toy-die"]], SUBJECT, proofs)) == {"toy-die": "is no fact of this library"}


def test_a_row_of_the_board_that_changed(proofs: Path, board_file: Path) -> None:
    """A link turned in the board file: the row is named, here and by the checker, and no fact stands."""
    text = board_file.read_text("utf-8")
    start = text.index('between = ["rhaetia", "cisalpina"]')
    end = text.index("[[link]]", start)
    row = text[start:end]
    other = row.replace("broken = true", "broken = false") if "= true" in row else row.replace("= false", "= true")
    board_file.write_text(text[:start] + other + text[end:], "utf-8")
    changed = toy_subject(Board.load(board_file))
    index = Index.load(proofs / "index.json")
    rows = [problem.problem for problem in stale(index, changed)]

    assert len(rows) == 2 and all("link cisalpina rhaetia" in row for row in rows), rows
    (message,) = judged(index, proofs, board_file=board_file)
    assert message.fact == str(proofs / "index.json") and "link cisalpina rhaetia" in message.problem, message


def test_a_sample_is_of_many_kinds(proofs: Path) -> None:
    index = Index.load(proofs / "index.json")

    for seed in range(20):
        chosen = sampled(index.entries, 3, seed)
        assert {entry.topic.id for entry in chosen} == {"toy-links", "toy-arrows", "toy-die"}
    assert sampled(index.entries, 3, 1) == sampled(index.entries, 3, 1)
    assert {entry.id for entry in sampled(index.entries, 99, 1)} == set(index.by_id)
    assert checking.sampled(index.entries, 0, 1) == ()
