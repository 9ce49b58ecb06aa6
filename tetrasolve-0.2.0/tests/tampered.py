"""Certificates of facts changed in one place, with a digest that fits again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import checker

from tetrasolve.certify.form import Certificate, digest
from tetrasolve.claims.fact import Topic, Values, facts_of
from tetrasolve.claims.index import texts
from tetrasolve.tetrarchia.board import Board

BOARD = Board.standard()


def sealed(lines: list[str]) -> str:
    """Lines under the digest that belongs to them."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {digest(body)}\n"


def lines_of(certificate: Certificate) -> list[str]:
    """The lines of a certificate without its digest."""
    return certificate.text().split("\n")[:-2]


def values_in(text: str) -> list[str]:
    """What a certificate claims; a position or a plan may be another one that shows the same."""
    lines = text.split("\n")
    start = next(row for row, line in enumerate(lines) if line.startswith("values "))
    return lines[start : start + 1 + int(lines[start].split()[1])]


def certificates(kind: Topic, instances: list[str] | None = None) -> Iterator[tuple[str, Certificate]]:
    """The certificates of all facts of a kind, or of some."""
    for fact in facts_of(kind, BOARD):
        if instances is None or fact.instance in instances:
            yield fact.id, kind.certify(BOARD, fact.instance, fact.values)


def confirmed(certificate: Certificate | str) -> tuple[bool, str]:
    """Whether the checker confirms it, and what it says."""
    text = certificate if isinstance(certificate, str) else certificate.text()
    code, message = checker.verdict(text)
    return code == checker.CONFIRMED, message


def count_again(kind: Topic, most: int = 6) -> None:
    """Facts without certificates: the first are confirmed, and no other value passes; none may be missing."""
    for fact in facts_of(kind, BOARD)[:most]:
        good = texts(fact)
        assert checker.recount(fact.id, good) == (checker.CONFIRMED, "")
        for path in Random(fact.id).sample(sorted(good), min(len(good), 4)):
            for other in {"0", "roma.sicilia", good[path] + "1"} - {good[path]}:
                code, message = checker.recount(fact.id, good | {path: other})
                assert code == checker.REFUTED and f"'{path}' is" in message, (fact.id, path, message)
            assert checker.recount(fact.id, {name: good[name] for name in good if name != path})[0] == checker.REFUTED


def other_numbers(certificate: Certificate, count: int) -> Iterator[str]:
    """The certificate with one of its numbers one larger or smaller; never in the first two lines."""
    random = Random(f"numbers of {certificate.field('fact')}")
    lines = lines_of(certificate)
    places = [
        (row, at)
        for row, line in enumerate(lines)
        if row > 3
        for at, word in enumerate(line.split(" "))
        if word.isdigit()
    ]
    for row, at in random.sample(places, min(count, len(places))):
        words = lines[row].split(" ")
        words[at] = str(max(0, int(words[at]) + random.choice((-1, 1))) if words[at] != "0" else 1)
        yield sealed([*lines[:row], " ".join(words), *lines[row + 1 :]])


def other_lines(certificate: Certificate, count: int) -> Iterator[str]:
    """The certificate with a line left out, doubled, or exchanged with the next."""
    random = Random(f"lines of {certificate.field('fact')}")
    lines = lines_of(certificate)
    for _ in range(count):
        row = random.randrange(3, len(lines) - 1)
        change = random.choice(([], [lines[row]] * 2, [lines[row + 1], lines[row]]))
        changed = [*lines[:row], *change, *lines[row + (2 if len(change) == 2 and change[0] != change[1] else 1) :]]
        if changed != lines:
            yield sealed(changed)


def claiming(certificate: Certificate, values: Values) -> str:
    """The certificate with other values."""
    from tetrasolve.claims.certificates import value_lines

    sections = tuple((name, value_lines(values) if name == "values" else lines) for name, lines in certificate.sections)
    return Certificate(certificate.kind, certificate.fields, sections).text()
