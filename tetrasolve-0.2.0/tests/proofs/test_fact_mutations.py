"""A certificate of a fact that says something else than it should is never confirmed.

Copies of all certificates are changed in one place each: numbers, names, lines, fields exchanged between facts. The digest is
written again, and most of the time the numbers of lines too, so that only the content is wrong. What is confirmed all the same
must be true, value for value what the index says of the fact that it names. There are two ways to reach this, and each is
counted: a name was changed, and the other fact has the same values and the same proof; or the claim is as it was, and its
proof has become another one, as it can where a witness is chosen.

Each copy is also put in the place of the certificate that it was made from, and looked at as a stranger does, with the index:
then none is confirmed. Even if the digest in the index were forged too, a copy that proves another fact would not be.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import checker
import pytest
from mutating import Lines, double, drop, swap

from tetrasolve.certify.form import digest, load
from tetrasolve.claims.index import Entry
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import standard_index

Mutation = Callable[[Lines, Random], "Lines | None"]

BOARD = Board.standard()
LONG = 20_000  # characters: longer certificates are changed less often
SHARE, ALL = 250, 6_000
HEAVY = {
    "turn-bound",
    "growth",
}  # kinds whose check takes a tenth of a second or more

# Kinds of certificates with a proof that could be another one, and what there is to choose
CHOSEN = {
    "turn-bound": "the position that shows the most",
    "growth": "the position that shows the worst, and its dice",
    "smallest-sets": "the proof that a formula has no solution",
    "soonest-victory": "the game and its dice",
}


@cache
def texts() -> dict[str, str]:
    """The text of every certificate by the id of its fact."""
    folder = CLAIMS.proofs_folder()
    return {entry.id: load(folder / entry.file) for entry in standard_index().entries if entry.file}


@cache
def by_kind() -> dict[str, list[str]]:
    """The facts of each kind of certificate."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for fact, text in texts().items():
        found[text.split("\n", 2)[1]].append(fact)
    return dict(found)


@cache
def entries() -> dict[str, Entry]:
    return {entry.id: entry for entry in standard_index().entries}


# -- one thing changed -------------------------------------------------------------------------------------------------


def cut(lines: Lines, random: Random) -> Lines:
    return lines[: random.randrange(1, len(lines))]


def replaced(lines: Lines, random: Random, pattern: str, new: Callable[[str], str]) -> Lines | None:
    """One place that fits the pattern, written otherwise; short certificates and their heads are tried more often."""
    rows = [row for row in random.sample(range(len(lines)), min(len(lines), 40)) if re.search(pattern, lines[row])]
    if not rows:
        return None
    row = rows[0]
    match = random.choice(list(re.finditer(pattern, lines[row])))
    line = lines[row][: match.start()] + new(match[0]) + lines[row][match.end() :]
    return [*lines[:row], line, *lines[row + 1 :]]


def number(lines: Lines, random: Random) -> Lines | None:
    """A number, one more or less, or far off."""
    return replaced(
        lines, random, r"(?<![a-z0-9])[0-9]+", lambda old: str(max(0, int(old) + random.choice((-2, -1, 1, 2, 36))))
    )


def fraction(lines: Lines, random: Random) -> Lines | None:
    """A fraction turned round, or half of it."""
    return replaced(
        lines,
        random,
        r"\b[1-9][0-9]*/[1-9][0-9]*\b",
        lambda old: random.choice(("/".join(reversed(old.split("/"))), f"{old}0", old.split("/")[0])),
    )


def sign(lines: Lines, random: Random) -> Lines | None:
    return replaced(lines, random, r"(?<![a-z0-9-])-?[1-9][0-9]*", lambda old: old[1:] if old[0] == "-" else f"-{old}")


def province(lines: Lines, random: Random) -> Lines | None:
    return replaced(lines, random, rf"\b({'|'.join(BOARD.ids)})\b", lambda _: random.choice(BOARD.ids))


def code(lines: Lines, random: Random) -> Lines | None:
    codes = [province.code for province in BOARD.provinces.values()]
    return replaced(lines, random, rf"\b({'|'.join(codes)})\b", lambda _: random.choice(codes))


def word(lines: Lines, random: Random) -> Lines | None:
    """A word instead of another one of the same certificate."""
    words = sorted({word for line in lines for word in re.findall(r"[a-z][a-z-]+", line)})
    return replaced(lines, random, r"[a-z][a-z-]+", lambda _: random.choice(words))


def letter(lines: Lines, random: Random) -> Lines:
    row = random.randrange(len(lines))
    place = random.randrange(len(lines[row]))
    new = random.choice(["", " ", "0", "1", "-", "/", "a", ".", "\t"])
    return [*lines[:row], lines[row][:place] + new + lines[row][place + 1 :], *lines[row + 1 :]]


def head_of_another(lines: Lines, random: Random) -> Lines:
    """The line with the fact, or one of its fields or values, from another fact of the same kind of certificate."""
    other = texts()[random.choice(by_kind()[lines[1]])].split("\n")[:-2]
    row = random.choice([3, *range(3, min(len(lines), len(other), 12))])
    return [*lines[:row], *other[row : row + 1], *lines[row + 1 :]]


def section_of_another(lines: Lines, random: Random) -> Lines | None:
    """All values, or a section of the proof, from another fact of the same kind of certificate."""
    other = texts()[random.choice(by_kind()[lines[1]])].split("\n")[:-2]
    own, theirs = sections(lines), sections(other)
    name = random.choice(sorted(own.keys() & theirs.keys()) or [""])
    if not name:
        return None
    (a, b), (c, d) = own[name], theirs[name]
    return lines[:a] + other[c:d] + lines[b:]


def value_of_another(lines: Lines, random: Random) -> Lines | None:
    """One value from any other fact that has a value with this path."""
    start, end = sections(lines)["values"]
    row = random.randrange(start + 1, end) if end > start + 1 else start
    path = lines[row].partition(" ")[0]
    other = random.choice(list(texts().values())).split("\n")
    found = [line for line in other if line.startswith(f"{path} ") and line != lines[row]]
    return [*lines[:row], random.choice(found), *lines[row + 1 :]] if found else None


MUTATIONS: tuple[Mutation, ...] = (
    drop,
    double,
    swap,
    cut,
    number,
    number,
    fraction,
    sign,
    province,
    code,
    word,
    letter,
    head_of_another,
    section_of_another,
    value_of_another,
)


def sections(lines: Lines) -> dict[str, tuple[int, int]]:
    """The rows of each section, its head included; the head says how many lines there are."""
    found, row = {}, 0
    while row < len(lines):
        match = re.fullmatch(r"([a-z][a-z-]*) (0|[1-9][0-9]*)", lines[row])
        if match and row > 3 and (match[1] == "values" or "values" in found):
            found[match[1]] = (row, min(len(lines), row + 1 + int(match[2])))
            row = found[match[1]][1]
        else:
            row += 1
    return found


def with_counts(lines: Lines, good: Lines) -> Lines:
    """The numbers of lines of all sections as they should be, where their heads are still there."""
    names = list(sections(good))
    heads = [row for name in names for row in range(4, len(lines)) if re.fullmatch(rf"{name} [0-9]+", lines[row])]
    new = list(lines)
    for head, end in pairwise([*heads, len(lines)]):
        new[head] = f"{lines[head].split()[0]} {end - head - 1}"
    return new


def forged(lines: Lines) -> str:
    """The text of these lines with the digest that belongs to it."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {digest(body)}\n"


def tampered(fact: str, random: Random) -> tuple[str, str]:
    """The name of a mutation, and the certificate of a fact after it."""
    good = texts()[fact].split("\n")[:-2]
    while True:
        mutation = random.choice(MUTATIONS)
        lines = mutation(good, random)
        if lines is not None and random.random() < 0.7:
            lines = with_counts(lines, good)
        if lines is not None and lines != good:
            return mutation.__name__, forged(lines)


# -- none passes -------------------------------------------------------------------------------------------------------


def is_true(text: str) -> bool:
    """Whether a certificate says of the fact it names what the index says: each value, and no other."""
    lines = text.split("\n")
    fact = lines[3].removeprefix("fact ")
    if fact not in entries():
        return False
    start, end = sections(lines)["values"]
    return [f"{path} {value}" for path, value in sorted(entries()[fact].values.items())] == lines[start + 1 : end]


@cache
def rows_of_index() -> dict[str, dict[str, object]]:
    """The facts as they stand in the index, by id."""
    data = json.loads((CLAIMS.proofs_folder() / "index.json").read_text("ascii"))
    return {row["id"]: row for row in data["facts"]}


def facts_are_refuted(folder: Path, seed: int, times: int) -> Counter[str]:
    """Damage certificates until that many are rejected; how many of the others name another fact, or prove again."""
    random = Random(f"facts {seed}")
    kinds = sorted(by_kind())
    short = {kind: [fact for fact in by_kind()[kind] if len(texts()[fact]) < LONG] for kind in kinds}
    rejected, true = 0, Counter[str]()
    while rejected < times:
        kind = random.choice(kinds)
        name = kind.removeprefix("kind ")
        if name in HEAVY and random.random() < 0.8:
            continue
        fact = random.choice(short[kind] if short[kind] and random.random() < 0.98 else by_kind()[kind])
        mutation, text = tampered(fact, random)
        row = rows_of_index()[fact] | {"file": "copy.cert"}
        (folder / "copy.cert").write_text(text, "ascii")
        assert not checker.stands(folder, row), (fact, mutation)
        code, message = checker.verdict(text)
        if code != checker.CONFIRMED:
            assert re.search(r"line [0-9]+: ", message), message
            rejected += 1
            continue
        assert is_true(text), (fact, mutation, message)
        another = text.split("\n")[3] != f"fact {fact}"
        assert another or name in CHOSEN, (fact, mutation, message)
        row["sha256"] = hashlib.sha256(text.encode("ascii")).hexdigest()
        assert checker.stands(folder, row) is not another
        true["another fact" if another else "another proof"] += 1
    return true


def test_every_kind_of_certificate_is_there_to_be_spoiled() -> None:
    """The certificates that are changed are good ones, of all kinds that the checker knows for facts."""
    import facts as checker_facts  # of the checker

    assert {kind.removeprefix("kind ") for kind in by_kind()} == set(checker_facts.PROVERS)
    for kind, found in by_kind().items():
        fact = min(found, key=lambda fact: len(texts()[fact]))
        code, message = checker.verdict(texts()[fact])
        assert code == checker.CONFIRMED, (kind, message)


def test_forged_facts_are_refuted(tmp_path: Path) -> None:
    assert facts_are_refuted(tmp_path, 0, SHARE).total() < SHARE / 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 7))
def test_many_forged_facts_are_refuted(
    tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Six thousand in all."""
    true = facts_are_refuted(tmp_path, seed, ALL // 6)
    for name, number in true.items():
        record_property(name, number)
    assert true.total() < ALL / 6 / 100 and true["another proof"] < ALL / 6 / 200
