"""Checks the certificates of `toygame` with the standard library only: ``toychecker.py --index FILE [FACT...]``.

It reads the slope from the rows of the index and computes every value from the rules of the game, which it states itself.
A line for each fact that is not proved, then one for the index. Exit code: 0 all are confirmed, 1 one is refuted.
"""

import hashlib
import json
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path


class RefutedError(Exception):
    """A fact is not proved."""


def values_of(fact: str, rows: list[str]) -> dict[str, str]:
    """The true values of a fact about the slope with these rows."""
    split = [row.split() for row in rows]
    heights = {name: int(number) for kind, name, number in split if kind == "height"}
    deck = tuple(int(number) for kind, _, number in split if kind == "card")
    places, falls = list(heights), deck[2]

    @cache
    def worth(place: int, cards: tuple[int, ...]) -> Fraction:
        here, total = Fraction(heights[places[place]]), sum(cards)
        if place == len(places) - 1 or not total:
            return here
        drawn = Fraction(0)
        for card in (0, 1):  # a fall, the third card, is worth nothing
            if cards[card]:
                left = tuple(count - (row == card) for row, count in enumerate(cards))
                drawn += Fraction(cards[card], total) * worth(min(place + card + 1, len(places) - 1), left)
        return max(here, drawn)

    kind, _, instance = fact.partition("/")
    if kind == "worth" and instance in places[:-1]:
        return {"score": str(worth(places.index(instance), deck))}
    if fact == "first":
        return {"falls": str(Fraction(falls, sum(deck))), "cards": str(sum(deck))}
    if fact == "places":
        return {"places": str(len(places))}
    raise RefutedError("is no fact of this game")


def certificate_values(text: str, fact: str, board: str) -> dict[str, str]:
    """The values that a certificate states for this fact about this board."""
    body, _, last = text.removesuffix("\n").rpartition("\n")
    if last != "sha256 " + hashlib.sha256((body + "\n").encode()).hexdigest():
        raise RefutedError("the certificate does not end with its SHA-256")
    first, kind, about, stated, count, *values = body.split("\n")
    if (first, kind, about) != ("tetrasolve-certificate 1", "kind climb", f"board {board}"):
        raise RefutedError("the certificate is of another kind or another slope")
    if stated != f"fact {fact}" or count != f"values {len(values)}":
        raise RefutedError("the certificate states another fact")
    return dict(line.split(" ", 1) for line in values)


def check(row: dict[str, object], index: dict[str, dict[str, object]], folder: Path) -> None:
    """Check one fact of the index.

    :raises RefutedError: when it is not proved.
    """
    fact, values, board = str(row["id"]), row["values"], index["board"]
    rows = [str(line) for line in board["rows"]]  # type: ignore[attr-defined]
    digest = hashlib.sha256("".join(f"{line}\n" for line in rows).encode()).hexdigest()
    true = values_of(fact, rows)
    if values != true:
        raise RefutedError(f"the index says {values}, the rules give {true}")
    if "file" in row and certificate_values((folder / str(row["file"])).read_text(), fact, f"slope {digest}") != true:
        raise RefutedError("the certificate states other values")


def main(arguments: list[str]) -> int:
    """Check the facts that the arguments name, or all."""
    option, name, *wanted = arguments
    assert option == "--index"
    index = json.loads(Path(name).read_text())
    wrong = 0
    for row in index["facts"]:
        if wanted and row["id"] not in wanted:
            continue
        try:
            check(row, index, Path(name).parent)
        except (RefutedError, OSError) as error:
            wrong += 1
            sys.stdout.write(f"{row['id']}: refuted: {error}\n")
    sys.stdout.write(f"{name}: {'refuted' if wrong else 'confirmed'}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
