"""Positions as one line of text.

A position is one line of fields in a fixed order::

    standard tribune C7/C7/E5 1241/E 3/2 C7:C3.CS:O1C2.E5:E2 act:4 -

ruleset; role (``none`` in the first turn); regions of the pawn, of the start and of the last invasion; dice of oros, copas,
espadas and bastos with the pacified tribes; decline and outbreaks; cubes of the regions; step, with the number that is left or
the Dictator's card; cards out of the deck. Then, where they are needed, ``hand=``, ``protected=``, ``quiet``, ``exchanged`` and
``travels``. ``-`` means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tetrasolve.errors import MISSING, PositionSyntaxError, RulesetError
from tetrasolve.finem.jsonform import A_REGION, NO_ROLE
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import Dice, Position, Step, cubes_of, in_order
from tetrasolve.finem.ruleset import NO_MAP, ROLES, Ruleset

FIELDS = ("ruleset", "role", "regions", "dice", "tracks", "cubes", "step", "cards out")
NOTHING = "-"
HAND, PROTECTED, QUIET, EXCHANGED, TRAVELS = "hand", "protected", "quiet", "exchanged", "travels"
MARKS = (QUIET, EXCHANGED, TRAVELS)
LONGEST = 4000  # characters of a line; the longest there is has fewer than two thousand

_DICE = re.compile(r"([0-9])([0-9])([0-9])([0-9])/(-|[OCEB]{1,4})")
_TRACKS = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_CUBES = re.compile(r"([OCEB][567SCR]):((?:[OCEB][0-9])+)")
_STEP = re.compile(r"([a-z-]+)(?::([0-9]{1,2})|:([OCEB][567SCR]))?")


def write_position(position: Position) -> str:
    """The one-line notation of a position; `read_position` gives the same position back."""
    pacified = "".join(tribe for tribe in TRIBES if tribe in position.pacified)
    detail = str(position.left) if position.left else position.card
    cubes = [f"{r}:{''.join(f'{t}{n}' for t, n in tribes.items())}" for r, tribes in position.occupied.items()]
    line = [
        str(position.ruleset),
        position.role or NO_ROLE,
        f"{position.pawn}/{position.start}/{position.last}",
        f"{''.join(map(str, position.dice))}/{pacified or NOTHING}",
        f"{position.decline}/{position.outbreaks}",
        ".".join(cubes) or NOTHING,
        f"{position.step}:{detail}" if detail else str(position.step),
        _cards(in_order(position.out)),
    ]
    if position.left and position.card:  # no step has both; the line can say it all the same
        line.append(f"card={position.card}")
    if position.hand:
        line.append(f"{HAND}={_cards(position.hand)}")
    if position.protected:
        line.append(f"{PROTECTED}={position.protected}")
    signs = (position.is_quiet, position.has_exchanged, position.has_travel)
    line += [word for word, holds in zip(MARKS, signs, strict=True) if holds]
    return " ".join(line)


def _cards(cards: Iterable[str]) -> str:
    return ".".join(cards) or NOTHING


def read_position(text: str) -> Position:
    """A position from its one-line notation.

    :raises PositionSyntaxError: when a field cannot be read; it is named.
    """
    if len(text) > LONGEST:
        raise PositionSyntaxError("position", f"{len(text):,} characters", f"at most {LONGEST:,}")
    words = text.split()
    if len(words) < len(FIELDS):
        raise PositionSyntaxError(FIELDS[len(words)], MISSING, f"{len(FIELDS)} fields: {', '.join(FIELDS)}")
    ruleset, role, regions, dice, tracks, cubes, step, out = words[: len(FIELDS)]
    pawn, start, last = _regions("regions", regions, "/", 3)
    faces, pacified = _dice(dice)
    decline, outbreaks = _tracks(tracks)
    at, left, card = _step(step)
    more = _more(words[len(FIELDS) :])
    if "card" in more and card is not None:
        raise PositionSyntaxError("card", step, "one card, in the step or after the cards out")
    return Position(
        ruleset=_ruleset(ruleset),
        role=_role(role),
        pawn=pawn,
        start=start,
        last=last,
        cubes=cubes_of(_cubes(cubes)),
        dice=faces,
        pacified=pacified,
        decline=decline,
        outbreaks=outbreaks,
        step=at,
        left=left,
        card=_region("card", more["card"]) if "card" in more else card,
        hand=_regions(HAND, more[HAND], ".") if HAND in more else (),
        out=frozenset(() if out == NOTHING else _regions("cards out", out, ".")),
        protected=_region(PROTECTED, more[PROTECTED]) if PROTECTED in more else None,
        is_quiet=QUIET in more,
        has_exchanged=EXCHANGED in more,
        has_travel=TRAVELS in more,
    )


def _ruleset(word: str) -> Ruleset:
    try:
        ruleset = Ruleset.from_text(word)
    except RulesetError as error:
        raise PositionSyntaxError("ruleset", word, str(error)) from error
    if not ruleset.has_map:
        raise PositionSyntaxError("ruleset", word, NO_MAP)
    return ruleset


def _role(word: str) -> str | None:
    if word in ROLES:
        return word
    if word != NO_ROLE:
        raise PositionSyntaxError("role", word, f"one of {NO_ROLE}, {', '.join(ROLES)}")
    return None


def _region(where: str, word: str) -> str:
    if word not in NUMBER:
        raise PositionSyntaxError(where, word, A_REGION)
    return word


def _regions(where: str, word: str, separator: str, number: int | None = None) -> tuple[str, ...]:
    """Regions between separators: this many of them, or any number, each once."""
    found = tuple(_region(where, part) for part in word.split(separator)[: len(REGIONS) + 1])
    if number is None and len(set(found)) < len(found):
        raise PositionSyntaxError(where, word, "each card once")
    if number is not None and len(found) != number:
        raise PositionSyntaxError(where, word, f"{number} regions between slashes: pawn, start and last invasion")
    return found


def _dice(word: str) -> tuple[Dice, frozenset[str]]:
    match = _DICE.fullmatch(word)
    if match is None:
        raise PositionSyntaxError("dice", word, "four figures and the pacified tribes, like 1241/E or 1111/-")
    pacified = match[5].replace(NOTHING, "")
    if len(set(pacified)) < len(pacified):
        raise PositionSyntaxError("dice", word, "each pacified tribe once")
    return (int(match[1]), int(match[2]), int(match[3]), int(match[4])), frozenset(pacified)


def _tracks(word: str) -> tuple[int, int]:
    match = _TRACKS.fullmatch(word)
    if match is None:
        raise PositionSyntaxError("tracks", word, "decline and outbreaks, like 3/1")
    return int(match[1]), int(match[2])


def _cubes(word: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for part in () if word == NOTHING else word.split("."):
        match = _CUBES.fullmatch(part)
        if match is None:
            raise PositionSyntaxError("cubes", part, "a region with tribes and numbers, like E5:O1E2")
        pairs = [(match[2][at], int(match[2][at + 1])) for at in range(0, len(match[2]), 2)]
        if match[1] in found or len(dict(pairs)) < len(pairs):
            raise PositionSyntaxError("cubes", part, "each region once, and each tribe once in it")
        found[match[1]] = dict(pairs)
    return found


def _step(word: str) -> tuple[Step, int, str | None]:
    match = _STEP.fullmatch(word)
    if match is None or match[1] not in tuple(Step):
        raise PositionSyntaxError("step", word, f"one of {', '.join(Step)}, some with a number or a card, like act:4")
    return Step(match[1]), int(match[2] or 0), match[3]


def _more(words: list[str]) -> dict[str, str]:
    """The optional fields, each once."""
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in ("card", HAND, PROTECTED, *MARKS) or (key in MARKS) == bool(equals):
            raise PositionSyntaxError("further fields", word, f"{HAND}=, {PROTECTED}=, card=, {', '.join(MARKS)}")
        if key in found:
            raise PositionSyntaxError("further fields", word, "each of them once")
        found[key] = value
    return found
