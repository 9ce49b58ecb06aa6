"""A game of one page, to prove that the packages which serve every game need nothing of any of them.

Five places lie in a row, from the camp to the summit. The climber draws cards from a deck, none put back: a step leads one
place on, a leap two, and a fall ends the game with nothing. He may stop at any time, and scores the height of his place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import click

from tetrasolve.analysis.messages import RequestError, only
from tetrasolve.certify.form import Certificate
from tetrasolve.claims.certificates import fact_certificate
from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.families import Claims
from tetrasolve.claims.subject import Change, Neighbourhood
from tetrasolve.cli.common import echo_json
from tetrasolve.cli.game import current_game
from tetrasolve.draw.svg import circle, element, number, text
from tetrasolve.errors import BoardError, PositionSyntaxError, TetrasolveError
from tetrasolve.exact import Chance, Choice, Distribution, End, best
from tetrasolve.exact.choices import Node
from tetrasolve.games import Command, GameDefinition

CARDS = ("step", "leap", "fall")
_LINE = re.compile(r"(\w+) ([0-9])/([0-9])/([0-9])(!?)")

# -- values and notation -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slope:
    """The places with their heights, from below, and the deck; a doubtful row may be one less."""

    heights: tuple[tuple[str, int], ...] = (("camp", 0), ("wood", 1), ("ridge", 3), ("col", 4), ("summit", 7))
    deck: tuple[int, ...] = (3, 2, 2)
    doubtful: tuple[str, ...] = ("height col", "card fall")


@dataclass(frozen=True)
class Climb:
    """A position: where the climber is, the cards left, and whether the game is over (with nothing, where he fell)."""

    place: int
    cards: tuple[int, ...]
    is_over: bool = False

    def __str__(self) -> str:
        return f"{PLACES[self.place]} {'/'.join(map(str, self.cards))}{'!' if self.is_over else ''}"


SLOPE = Slope()
PLACES = (*(name for name, _ in SLOPE.heights), "fallen")
FALLEN = len(PLACES) - 1


class ClimbError(TetrasolveError, ValueError):
    """A move or a level that there is not."""


class ClimbNotation:
    def read(self, text: str) -> Climb:
        found = _LINE.fullmatch(text)
        if found is None or found[1] not in PLACES:
            raise PositionSyntaxError("climb", text, "a place and the cards left, like camp 3/2/2")
        return Climb(PLACES.index(found[1]), tuple(int(found[row]) for row in (2, 3, 4)), bool(found[5]))

    def write(self, position: Climb) -> str:
        return str(position)

    def examples(self) -> Mapping[str, Climb]:
        return {"start": Climb(0, SLOPE.deck), "high": Climb(3, (1, 1, 2))}

    def levels(self) -> tuple[str, ...]:
        return ("easy", "hard")

    def start(self, level: str, seed: int) -> Climb:
        if level not in self.levels():
            raise ClimbError(f"there is no level {level!r}, expected one of {', '.join(self.levels())}")
        steps, leaps, falls = SLOPE.deck
        return Climb(Random(seed).randrange(2), (steps, leaps, falls + (level == "hard")))


# -- rules -------------------------------------------------------------------------------------------------------------


class ClimbPlay:
    def moves(self, position: Climb) -> tuple[str, ...]:
        return () if position.is_over else ("stop", *(["draw"] if any(position.cards) else []))

    def outcomes(self, position: Climb, move: str) -> Distribution[Climb]:
        if move not in self.moves(position):
            raise ClimbError(f"{move!r} is no move here")
        if move == "stop":
            return Distribution.point(replace(position, is_over=True))
        return Distribution.weighted(dict(zip(CARDS, position.cards, strict=True))).map(
            lambda card: drawn(position, CARDS.index(card))
        )

    def sample(self, position: Climb, move: str, random: Random) -> Climb:
        return self.outcomes(position, move).sample(random)

    def result(self, position: Climb) -> str:
        return f"{PLACES[position.place]}, {score(position, SLOPE)} points" if position.is_over else ""


def drawn(position: Climb, card: int) -> Climb:
    left = tuple(count - (row == card) for row, count in enumerate(position.cards))
    if CARDS[card] == "fall":
        return Climb(FALLEN, left, is_over=True)
    place = min(position.place + card + 1, FALLEN - 1)
    return Climb(place, left, is_over=place == FALLEN - 1)


def score(position: Climb, slope: Slope) -> int:
    return 0 if position.place == FALLEN else slope.heights[position.place][1]


def value(position: Climb, slope: Slope) -> Fraction:
    """The expected score under the best choices: a state is a position, with the move that was chosen."""
    play = ClimbPlay()

    def node(state: tuple[Climb, str]) -> Node[tuple[Climb, str]]:
        now, move = state
        if now.is_over:
            return End(Fraction(score(now, slope)))
        if move:
            return Chance(play.outcomes(now, move).map(lambda after: (after, "")))
        return Choice({option: (now, option) for option in play.moves(now)})

    return best((position, ""), node).values[position, ""]


# -- claims ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlopeSubject:
    """A slope as the subject of claims."""

    board: Slope
    claims: Claims
    id: str = "slope"

    def rows(self) -> tuple[str, ...]:
        heights = [f"height {name} {height}" for name, height in self.board.heights]
        return (*heights, *(f"card {name} {count}" for name, count in zip(CARDS, self.board.deck, strict=True)))

    def digest(self) -> str:
        return hashlib.sha256("".join(f"{row}\n" for row in self.rows()).encode("ascii")).hexdigest()

    def uncertain_rows(self) -> Mapping[str, float]:
        return dict.fromkeys(self.board.doubtful, 0.75)

    def neighbourhood(self) -> Neighbourhood:
        kinds = {row: {"height": "heights", "card": "cards"}[row.split()[0]] for row in self.board.doubtful}
        changes = tuple(
            Change(f"{row} one less", frozenset({kind}), (row,), 0.25, lambda slope, row=row: one_less(slope, row))
            for row, kind in kinds.items()
        )
        return Neighbourhood(changes, {"heights": 0, "cards": 0})

    def both(self, first: Change, second: Change) -> Slope | None:
        return None if set(first.rows) & set(second.rows) else second.apply(first.apply(self.board))

    def readings(self) -> Mapping[str, str]:
        return {"FALL": "ends"}

    def names(self) -> Mapping[str, str]:
        return {name: name.title() for name in self.places()}

    def places(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.board.heights)

    def question(self, row: str) -> str:
        return f"Is {row.split()[1]} as written?"


def one_less(slope: Slope, row: str) -> Slope:
    kind, name = row.split()
    if kind == "card":
        return replace(slope, deck=tuple(count - (card == name) for card, count in zip(CARDS, slope.deck, strict=True)))
    return replace(slope, heights=tuple((place, height - (place == name)) for place, height in slope.heights))


def derive_worth(slope: Slope) -> Mapping[str, Values]:
    return {name: {"score": value(Climb(row, slope.deck), slope)} for row, (name, _) in enumerate(slope.heights[:-1])}


def derive_first(slope: Slope) -> Mapping[str, Values]:
    deck = Distribution.weighted(dict(zip(CARDS, slope.deck, strict=True)))
    return {"": {"falls": deck["fall"], "cards": sum(slope.deck)}}


def derive_places(slope: Slope) -> Mapping[str, Values]:
    return {"": {"places": len(slope.heights)}}


def certify_worth(slope: Slope, instance: str, values: Values) -> Certificate:
    subject = SlopeSubject(slope, CLAIMS)
    return fact_certificate("climb", subject.id, subject.digest(), f"worth/{instance}", {}, values)


TOPICS = (
    Topic(
        id="worth",
        family="toygame",
        title="What a place is worth",
        how="backward induction over all cards left",
        certificate="climb",
        rows=("heights", "cards"),
        derive=derive_worth,
        certify=certify_worth,
        say=lambda instance, values: f"A game from {instance} is worth {values['score']} points.",
        ruleset="every deck",
    ),
    Topic(
        id="first",
        family="toygame",
        title="The first card",
        how="counted",
        certificate="",
        rows=("cards",),
        derive=derive_first,
        certify=None,
        say=lambda _, values: f"The first of {values['cards']} cards is a fall with a chance of {values['falls']}.",
        ruleset="every deck",
    ),
    Topic(
        id="places",
        family="toygame",
        title="The places",
        how="counted",
        certificate="",
        rows=("heights",),
        derive=derive_places,
        certify=None,
        say=lambda _, values: f"There are {values['places']} places.",
        ruleset="every deck",
    ),
)


CLAIMS = Claims(
    game="climb",
    package="",
    families={"toygame": "Climbing"},
    rows=("heights", "cards"),
    forms=(("climb", "replay"),),
    folder="climb",
    checker=Path(__file__).with_name("toychecker.py"),
)


def subject(board: str | None = None) -> SlopeSubject:
    if board is None:
        return SlopeSubject(SLOPE, CLAIMS)
    rows = dict(line.rsplit(" ", 1) for line in Path(board).read_text("ascii").splitlines())
    try:
        heights = tuple((name, int(rows[f"height {name}"])) for name, _ in SLOPE.heights)
        return SlopeSubject(replace(SLOPE, heights=heights, deck=tuple(int(rows[f"card {c}"]) for c in CARDS)), CLAIMS)
    except KeyError as error:
        raise BoardError(board, [f"{error} is missing"]) from None


# -- questions of the protocol, commands, pictures -----------------------------------------------------------------------


def about() -> dict[str, Any]:
    return {"engine": "tetrasolve", "game": "climb", "asks": sorted(["about", "cancel", *HANDLERS])}


def ask_value(fields: Mapping[str, Any], _: Any) -> dict[str, Any]:
    only(fields, {"position": ""})
    try:
        position = ClimbNotation().read(fields["position"])
    except PositionSyntaxError as error:
        raise RequestError(str(error), where="position", expected="a climb") from None
    return {"kind": "exact", "value": str(value(position, SLOPE))}


HANDLERS = {"value": ask_value}


@click.command("value")
@click.argument("position")
def value_command(position: str) -> None:
    """What a position is worth."""
    notation = current_game().get_notation()
    climb = notation.examples().get(position) or notation.read(position)
    echo_json({"position": notation.write(climb), "value": str(value(climb, SLOPE))})


def picture(position: Climb) -> str:
    places = [circle(complex(60 * row + 40, 100 - 10 * height), 8) for row, (_, height) in enumerate(SLOPE.heights)]
    named = text(PLACES[position.place], 170, 12)
    return element("svg", *places, named, xmlns="http://www.w3.org/2000/svg", width=number(340), height=number(120))


CLIMB = GameDefinition(
    name="climb",
    about="Climbing with cards.",
    notation="toygame:NOTATION",
    play="toygame:PLAY",
    claims="toygame:CLAIMS",
    subject="toygame:subject",
    questions="toygame",
    picture="toygame:picture",
    commands={
        "value": Command("toygame:value_command", "What a position is worth."),
        "facts": Command("tetrasolve.cli.facts:command", "Facts about climbing."),
        "analyse": Command("tetrasolve.cli.analyse:command", "Answer requests in JSON lines."),
    },
)
NOTATION, PLAY = ClimbNotation(), ClimbPlay()
