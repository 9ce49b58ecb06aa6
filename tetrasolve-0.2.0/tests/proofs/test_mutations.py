"""A certificate that says something else than it should is never confirmed.

Copies of good certificates are changed in one place each. Left with the old digest, none may pass. A careful forger writes
the digest again, and the numbers of lines too; then the proof itself must fail, unless the copy has become a true certificate
of another claim. For a turn this has a sharp form, since the format leaves no choice in how a proof is written: what is
confirmed is, letter by letter, what the library writes for the claim in its header.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

import checker
import pytest
from formulas import has_solution, parity, pigeons, second_opinion, three_literals
from mutating import Lines, double, drop, swap

from tetrasolve.certify.dimacs import read_dimacs
from tetrasolve.certify.form import Certificate, digest, read_certificate
from tetrasolve.certify.unsat import certify_unsatisfiable, prove_unsatisfiable
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan import certificate as turns
from tetrasolve.tetrarchia.plan.task import read_attacks
from tetrasolve.tetrarchia.position import Position

Mutation = Callable[[Lines, Random], Lines | None]

BOARD = Board.standard()
CLAIMS = {
    "dice": (
        "4211 M:2 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
        "kill narbonensis",
        "dice",
    ),
    "weights": (
        "4211 M:3 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
        "most value revolt=-3 garrison=2 emperor@narbonensis=1",
        "dice",
    ),
    "none": (
        "4211 D:2 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-",
        "clear thracia then secure thracia",
        "none",
    ),
    "stated": (
        "4211?I-PASS=single M:2 bit/pin/lug/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/-/etr.gsu",
        "kill narbonensis then most value garrison=1",
        "defeat@narbonensis",
    ),
    "limits": (
        "5300 G:2 cyr/bel/-/- 123 - lus.bel.thr.syr nor -/roma/-/-".replace("roma", "rom"),
        "most value revolt=-2 unrest=-1 subject to end in belgica, britannia and keep 4 garrisons and spend at most 2",
        "dice",
    ),
}


@cache
def turn_certificate(name: str) -> str:
    position, objective, attacks = CLAIMS[name]
    return turns.certify(Position.parse(position), objective, read_attacks(attacks, BOARD)).text()


@cache
def formula_certificate(name: str) -> str:
    formulas = {
        "pigeons": pigeons(3),
        "parity": parity(9, 2),
        "threes": next(
            formula
            for seed in range(99)
            if prove_unsatisfiable(formula := three_literals(9, 50, f"mutations {seed}")) is not None
        ),
    }
    return certify_unsatisfiable(formulas[name], name).text()


# -- one thing changed -------------------------------------------------------------------------------------------------


def move_away(lines: Lines, random: Random) -> Lines:
    left = list(lines)
    line = left.pop(random.randrange(len(left)))
    left.insert(random.randrange(len(left)), line)
    return left


def cut(lines: Lines, random: Random) -> Lines:
    return lines[: random.randrange(len(lines))]


def replaced(lines: Lines, random: Random, pattern: str, new: Callable[[str], str]) -> Lines | None:
    """One place that fits the pattern, written otherwise."""
    places = [(row, match) for row, line in enumerate(lines) for match in re.finditer(pattern, line)]
    if not places:
        return None
    row, match = random.choice(places)
    line = lines[row][: match.start()] + new(match[0]) + lines[row][match.end() :]
    return [*lines[:row], line, *lines[row + 1 :]]


def number(lines: Lines, random: Random) -> Lines | None:
    return replaced(
        lines, random, r"(?<![a-z0-9])[0-9]+", lambda old: str(max(0, int(old) + random.choice((-2, -1, 1, 2, 36))))
    )


def sign(lines: Lines, random: Random) -> Lines | None:
    return replaced(lines, random, r"(?<![a-z0-9])-?[1-9][0-9]*", lambda old: old[1:] if old[0] == "-" else f"-{old}")


def code(lines: Lines, random: Random) -> Lines | None:
    """A province by its code: in the position, a table, or a state."""
    codes = [province.code for province in BOARD.provinces.values()]
    return replaced(lines, random, rf"\b({'|'.join(codes)})\b", lambda _: random.choice(codes))


def province(lines: Lines, random: Random) -> Lines | None:
    """A province by its id: in the objective, the attacks, or the plan."""
    return replaced(lines, random, rf"\b({'|'.join(BOARD.ids)})\b", lambda _: random.choice(BOARD.ids))


def word(lines: Lines, random: Random) -> Lines | None:
    """An action or an outcome in the plan, a term or a reading."""
    words = "secure remove reduce end attack move clear kill reach victory draw defeat dice none single chain revolt unrest".split()
    return replaced(lines, random, rf"\b({'|'.join(words)})\b", lambda _: random.choice(words))


def header(lines: Lines, random: Random) -> Lines:
    """A line of the header of another certificate."""
    row = random.randrange(1, 8)
    other = turn_certificate(random.choice(list(CLAIMS))).split("\n")[row]
    return [*lines[:row], other, *lines[row + 1 :]]


def letter(lines: Lines, random: Random) -> Lines:
    row = random.randrange(len(lines))
    place = random.randrange(len(lines[row]))
    new = random.choice(["", " ", "0", "1", "-", "/", "a", ".", "\t", "\r", "\n"])
    return [*lines[:row], lines[row][:place] + new + lines[row][place + 1 :], *lines[row + 1 :]]


MUTATIONS: tuple[Mutation, ...] = (
    drop,
    double,
    swap,
    move_away,
    cut,
    number,
    number,
    sign,
    code,
    province,
    word,
    header,
    letter,
)


def with_counts(lines: Lines) -> Lines:
    """The numbers of lines of all sections as they should be, and of the clauses of a formula."""
    heads = [row for row, line in enumerate(lines) if re.fullmatch(r"(tables|states|formula|proof) [0-9]+", line)]
    new = list(lines)
    for head, end in pairwise([*heads, len(lines)]):
        name = lines[head].split()[0]
        new[head] = f"{name} {end - head - 1}"
        if name == "formula" and head + 1 < end:
            new[head + 1] = re.sub(r"^(p cnf [0-9]+) [0-9]+$", rf"\1 {end - head - 2}", new[head + 1])
    return new


def forged(lines: Lines) -> str:
    """The text of these lines with the digest that belongs to it."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {digest(body)}\n"


def tampered(text: str, random: Random) -> tuple[str, Lines]:
    """The name of a mutation, and what it makes of the lines of a certificate but the digest."""
    lines = text.split("\n")[:-2]
    while True:
        mutation = random.choice(MUTATIONS)
        new = mutation(lines, random)
        if new is not None and new != lines:
            return mutation.__name__, new


# -- none passes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLAIMS)
def test_the_certificates_are_good(name: str) -> None:
    code, message = checker.verdict(turn_certificate(name))

    assert code == checker.CONFIRMED, message
    assert 10 < len(turn_certificate(name).split("\n")) < 1500


@pytest.mark.parametrize("name", ["pigeons", "parity", "threes"])
def test_the_proofs_are_good(name: str) -> None:
    code, message = checker.verdict(formula_certificate(name))

    assert code == checker.CONFIRMED, message


@pytest.mark.parametrize("seed", range(4))
def test_with_the_old_digest_nothing_passes(seed: int) -> None:
    random = Random(f"digest {seed}")
    texts = [*map(turn_certificate, CLAIMS), *map(formula_certificate, ("pigeons", "parity", "threes"))]
    for _ in range(150):
        text = random.choice(texts)
        name, lines = tampered(text, random)
        last = text.split("\n")[-2]
        code, message = checker.verdict("".join(f"{line}\n" for line in [*lines, last]))
        assert code != checker.CONFIRMED, (name, message)
    for text in texts:
        for end in random.sample(range(len(text)), 20):
            assert checker.verdict(text[:end])[0] != checker.CONFIRMED


def is_what_the_library_writes(text: str) -> bool:
    try:
        claim = read_certificate(text, turns.FIELDS, turns.SECTIONS)
        written = turns.certify(
            Position.parse(claim.field("position")),
            claim.field("objective"),
            read_attacks(claim.field("attacks"), BOARD),
        )
    except TetrasolveError:
        return False
    return written.text() == text


def turns_are_refuted(name: str, seed: int, times: int) -> None:
    random = Random(f"turns {name} {seed}")
    good = turn_certificate(name)
    other_claims = 0
    for _ in range(times):
        mutation, lines = tampered(good, random)
        if random.random() < 0.7:
            lines = with_counts(lines)
        text = forged(lines)
        if text == good:
            continue
        code, message = checker.verdict(text)
        if code == checker.CONFIRMED:
            # true, and of another claim: the last figure of a level, say, matters to no turn
            assert is_what_the_library_writes(text), (mutation, message)
            assert lines[3:6] != good.split("\n")[3:6], (mutation, message)
            other_claims += 1
        else:
            assert re.search(r"line [0-9]+: ", message), message

    assert other_claims < times / 20


@pytest.mark.parametrize("name", CLAIMS)
def test_forged_turns_are_refuted(name: str) -> None:
    turns_are_refuted(name, 0, 250)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("name", CLAIMS)
def test_many_forged_turns_are_refuted(name: str, seed: int) -> None:
    turns_are_refuted(name, seed, 1000)


def test_every_number_of_every_state_matters() -> None:
    """Each value of each state, one unit more or less, whatever else is right."""
    lines = turn_certificate("dice").split("\n")[:-2]
    start = next(row for row, line in enumerate(lines) if line.startswith("states ")) + 1
    for row in range(start, len(lines)):
        words = lines[row].split(" ")
        for place in range(3, len(words)):
            for change in (1, -1):
                top, _, bottom = words[place].partition("/")
                value = f"{int(top) + change * int(bottom or 1)}" + (f"/{bottom}" if bottom else "")
                forgery = [*words[:place], value, *words[place + 1 :]]
                text = forged([*lines[:row], " ".join(forgery), *lines[row + 1 :]])
                assert checker.verdict(text)[0] == checker.REFUTED, forgery


def proofs_stay_sound(name: str, seed: int, times: int) -> None:
    """What is confirmed has no solution, and another checker says so too. The note `about` is nobody's claim."""
    random = Random(f"proofs {name} {seed}")
    good = formula_certificate(name)
    confirmed = 0
    for _ in range(times):
        mutation, lines = tampered(good, random)
        if random.random() < 0.7:
            lines = with_counts(lines)
        text = forged(lines)
        code, message = checker.verdict(text)
        if code == checker.CONFIRMED:
            certificate: Certificate = read_certificate(text, ("about",), ("formula", "proof"))
            formula = certificate.section("formula")
            assert not has_solution(read_dimacs("\n".join(formula))), (mutation, message)
            assert second_opinion(formula, certificate.section("proof")), (mutation, message)
            confirmed += 1
        else:
            assert re.search(r"line [0-9]+: ", message), message

    assert confirmed < times / 4


@pytest.mark.parametrize("name", ["pigeons", "threes", "parity"])
def test_forged_proofs_prove_nothing_false(name: str) -> None:
    proofs_stay_sound(name, 0, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("name", ["pigeons", "threes", "parity"])
def test_many_forged_proofs_prove_nothing_false(name: str, seed: int) -> None:
    proofs_stay_sound(name, seed, 1000)
