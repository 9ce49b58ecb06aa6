"""The collection that ships with the library, and how it is made."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import PuzzleError, RulesetError
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.executor import ProcessExecutor
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.puzzle import certificate
from tetrasolve.tetrarchia.puzzle.collection import Entry, shipped, shipped_made
from tetrasolve.tetrarchia.puzzle.distance import distance
from tetrasolve.tetrarchia.puzzle.kinds import TURN, kinds
from tetrasolve.tetrarchia.puzzle.puzzle import check
from tetrasolve.tetrarchia.puzzle.recipe import RecipePart, read_recipe, recipe
from tetrasolve.tetrarchia.puzzle.shipping import Making, read, with_certificate, with_game, write

MOST_BYTES = 10**7
NOT_SHIPPED = {"garrison-fall"}  # the recipe has no part for it
SAMPLE = 3  # puzzles that `make test` works out again; the slow tests take all


def passes(entry: Entry) -> None:
    """A puzzle is as the file says, and the stand-alone checker confirms its certificate."""
    done = check(entry.question, entry.data)
    assert not done.trouble, f"{entry.question.position}: {done.trouble}"
    assert done.certified == CONFIRMED


def quick(entry: Entry) -> bool:
    return entry.data.get("states", 0) < 500 and entry.question.kind.name in ("kill", "secure", "chance-uprising")


def test_a_sample_of_the_collection_passes_the_check() -> None:
    chosen = [entry for entry in shipped() if quick(entry)]
    step = max(1, len(chosen) // SAMPLE)
    assert len(chosen) >= SAMPLE
    for entry in chosen[::step][:SAMPLE]:
        passes(entry)


@pytest.mark.slow
def test_the_whole_collection_passes_the_check() -> None:
    for entry in shipped():
        passes(entry)


@pytest.mark.slow
def test_no_two_puzzles_of_the_collection_are_alike() -> None:
    apart = {part.kind: part.apart for part in recipe()}
    for one, other in combinations(shipped(), 2):
        if one.question.kind == other.question.kind:
            assert distance(one.question, other.question) >= apart[one.question.kind.name]


def test_each_puzzle_has_what_the_recipe_promises() -> None:
    entries, made = shipped(), shipped_made()
    assert Counter(entry.question.kind.name for entry in entries) == {
        name: row["puzzles"] for name, row in made["parts"].items() if row["puzzles"]
    }
    assert len({str((e.question.kind.name, e.question.target, str(e.question.position))) for e in entries}) == len(
        entries
    )
    for entry in entries:
        assert entry.data["sharp"] is True
        assert (entry.grade is not None) == (entry.question.kind.form == TURN)
    assert any(entry.question.position.ruleset.extensions for entry in entries)


def test_every_puzzle_has_a_certificate_of_its_own_claim() -> None:
    """The slow test has the stand-alone checker confirm each of them."""
    names = {kind.name for kind in kinds().values()}
    assert names - {entry.question.kind.name for entry in shipped()} == NOT_SHIPPED
    assert len(shipped()) >= 1000
    for entry in shipped():
        fields = dict(line.split(" ", 1) for line in str(entry.data["certificate"]).splitlines())
        is_plan = entry.question.kind.form == TURN
        assert fields["kind"] == ("unique" if is_plan else "options")
        assert fields["position"] == str(entry.question.position)
        assert fields["plan" if is_plan else "answer"] == entry.data["answer"]


def test_a_puzzle_that_was_made_without_a_certificate_gets_one_or_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, phase = (
        next(e for e in shipped() if e.question.kind.name == name and e.data.get("states", 0) < 100)
        for name in ("kill", "likely-revolt")
    )
    for entry in (turn, phase):
        whole = json.dumps(entry.data, separators=(",", ":"))
        assert with_certificate(whole) == whole
        assert with_certificate(json.dumps(entry.data | {"certificate": None})) == whole
    forged = {**phase.data, "certificate": None, "answer": phase.data["other"], "options": phase.data["options"][1:]}
    with pytest.raises(PuzzleError, match="the checker does not confirm"):
        with_certificate(json.dumps(forged))
    with pytest.raises(PuzzleError, match="does not say what its answer is"):
        with_certificate(json.dumps({**phase.data, "certificate": None, "options": None}))
    monkeypatch.setattr(certificate, "MOST_VISITS", 0)
    assert with_certificate(json.dumps(phase.data | {"certificate": None})) is None


def test_the_collection_is_small() -> None:
    import tetrasolve.tetrarchia as game

    folder = Path(game.__file__).parent / "data" / "puzzles"
    assert sum(path.stat().st_size for path in folder.iterdir()) < MOST_BYTES


# -- making --------------------------------------------------------------------------------------------------------


def small_parts() -> list[RecipePart]:
    """Two parts that take a moment."""
    parts = {part.kind: part for part in recipe()}
    return [
        replace(parts["chance-uprising"], count=3, games=4, tables=("4211", "5300")),
        replace(parts["likely-revolt"], count=2, games=4, tables=("4222", "3111+dux")),
    ]


@cache
def made_whole() -> Making:
    """The collection of these parts, made in one go."""
    whole = Making(small_parts())
    assert whole.run()
    assert whole.lines(), "there is something to compare"
    return whole


def test_the_same_collection_comes_out_however_it_is_made(tmp_path: Path) -> None:
    whole = made_whole()
    task = {"parts": [part.data() for part in small_parts()]}
    with Checkpoint(tmp_path / "a", task) as kept:
        stop = Stop()
        begun = Making(small_parts(), kept)

        def say(text: str) -> None:
            if "chance-uprising" in text:
                stop.set()  # after the first part of the first round

        assert not begun.run(stop=stop, say=say)
        assert len(begun.lines()) < len(whole.lines())
    with Checkpoint(tmp_path / "a", task) as kept, ProcessExecutor(2) as processes:
        resumed = Making(small_parts(), kept)
        assert resumed.run(processes)
    assert resumed.lines() == whole.lines()
    assert resumed.made() == whole.made()
    write(tmp_path / "c.xz", whole.lines())
    assert lzma.decompress((tmp_path / "c.xz").read_bytes()).decode().splitlines() == whole.lines()


def test_a_puzzle_too_near_another_is_left_out_and_so_are_those_too_many() -> None:
    part = replace(recipe()[0], count=2)
    lines = [json.dumps(entry.data) for entry in shipped() if entry.question.kind.name == part.kind][:3]
    result: dict[str, Any] = {"lines": lines[:1], "asked": 1, "too_long": 0, "seconds": 0.5}
    once = with_game(part, None, result)
    assert with_game(part, once, result)["lines"] == lines[:1]
    full = with_game(part, once, result | {"lines": lines[1:]})
    assert full["lines"] == lines[:2]
    assert with_game(part, full, result) == full, "games after the last puzzle do not count"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (("[[part]]", "[[parts]]"), PuzzleError),
        (('kind = "kill"', 'kind = "conquer"'), PuzzleError),
        (("count = ", "count = -"), PuzzleError),
        (("turns = ", "turn = "), PuzzleError),
        (('kind = "secure"', 'kind = "kill"'), PuzzleError),
        (('"4211"', '"9999"'), RulesetError),
    ],
)
def test_a_recipe_that_is_none_is_refused(change: tuple[str, str], error: type[Exception]) -> None:
    from importlib import resources

    text = resources.files("tetrasolve.tetrarchia").joinpath("data/collection.toml").read_text("utf-8")
    read_recipe(text)
    with pytest.raises(error):
        read_recipe(text.replace(*change))


def test_a_collection_that_was_written_is_gone_on_with(tmp_path: Path) -> None:
    """Without a checkpoint, parts whose recipe is the same go on from the file; the others begin again."""
    whole = made_whole()
    begun = Making(small_parts())
    stop = Stop()
    assert not begun.run(stop=stop, say=lambda text: stop.set() if "chance-uprising" in text else None)
    out = tmp_path / "c.jsonl.xz"
    write(out, begun.lines())
    (tmp_path / "c.json").write_text(json.dumps(begun.made()), "utf-8")
    resumed = Making(small_parts())
    assert resumed.begin_with(*read(out)) == len(begun.lines()) > 0
    assert resumed.begin_with(*read(out)) == 0, "what has begun is left as it is"
    assert resumed.run()
    assert resumed.lines() == whole.lines()
    other = Making([replace(part, seed=20) for part in small_parts()])
    assert other.begin_with(*read(out)) == 0
    lines, made = read(out)
    assert Making(small_parts()).begin_with(lines, made | {"policy": "another one"}) == 0
    assert Making(small_parts()).begin_with(lines[1:], made) < len(lines) - 1, "a part with other puzzles than it says"


@pytest.mark.parametrize("damage", [b"", b"no xz", b"\xfd7zXZ\x00 but no more"])
def test_a_file_that_is_no_collection_is_refused(tmp_path: Path, damage: bytes) -> None:
    out = tmp_path / "c.jsonl.xz"
    out.write_bytes(damage)
    (tmp_path / "c.json").write_text("[]", "utf-8")
    with pytest.raises(PuzzleError):
        read(out)


def test_fractions_of_the_collection_can_be_worked_out_by_hand() -> None:
    for entry in shipped():
        if entry.question.kind.denominator:
            assert len(str(entry.data["answer"])) <= len("46655/46656")
