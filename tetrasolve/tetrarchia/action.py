"""An action of the Roman phase: what a player would write in a game log.

============================ ====================================================
``enter roma``               an Emperor who is off the board comes back
``move narbonensis``         by link or fleet, whichever is cheaper
``sail 2>3``                 a fleet goes from zone 2 to zone 3
``secure``                   a garrison in the province where he stands
``remove``, ``reduce``       subdue: take the disc away; turn a revolt into unrest
``attack rhaetia: victory``  an attack with its outcome (victory, draw, defeat)
``end``                      he stops
============================ ====================================================

Provinces may be written by id, code, name or coordinates. Whether an action is legal is a matter of the rules:
see `tetrasolve.tetrarchia.rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from tetrasolve.errors import UnreadableActionError, shown
from tetrasolve.tetrarchia.board import Board


class Kind(StrEnum):
    """What an Emperor does with his action."""

    ENTER = "enter"
    MOVE = "move"
    SAIL = "sail"
    SECURE = "secure"
    REMOVE = "remove"
    REDUCE = "reduce"
    ATTACK = "attack"
    END = "end"


class Outcome(StrEnum):
    """How a battle ends, seen from the Roman side."""

    VICTORY = "victory"
    DRAW = "draw"
    DEFEAT = "defeat"


@dataclass(frozen=True, slots=True)
class Action:
    """One action: `place` is a province where the kind needs one, `zones` where a fleet sails from and to."""

    kind: Kind
    place: str | None = None
    zones: tuple[int, int] | None = None
    outcome: Outcome | None = None

    def __str__(self) -> str:
        words = [str(self.kind)]
        if self.place is not None:
            words.append(self.place)
        if self.zones is not None:
            words.append(f"{self.zones[0]}>{self.zones[1]}")
        text = " ".join(words)
        return text if self.outcome is None else f"{text}: {self.outcome}"


def enter(place: str) -> Action:
    """Come back to the board in Roma or the capital."""
    return Action(Kind.ENTER, place)


def move(place: str) -> Action:
    """Move to a province."""
    return Action(Kind.MOVE, place)


def sail(origin: int, target: int) -> Action:
    """Send the fleet of one zone to the next."""
    return Action(Kind.SAIL, zones=(origin, target))


def attack(place: str, outcome: Outcome) -> Action:
    """Attack the army in a province, with this outcome."""
    return Action(Kind.ATTACK, place, outcome=outcome)


SECURE = Action(Kind.SECURE)
REMOVE = Action(Kind.REMOVE)
REDUCE = Action(Kind.REDUCE)
END = Action(Kind.END)

_PLAIN = {
    "secure": (SECURE,),
    "remove": (REMOVE,),
    "reduce": (REDUCE,),
    "subdue": (REMOVE, REDUCE),
    "end": (END,),
}
_SAIL = re.compile(r"(?:([0-9])\s*(?:>|-|to)?\s*)?([0-9])")


def read_action(text: str, board: Board) -> tuple[Action, ...]:
    """Every action that a text can mean on this board, legal or not; one when it is complete.

    ``subdue`` leaves open how, ``attack rhaetia`` the outcome, ``sail 3`` whence, and the start of a province's name
    may fit several.

    >>> [str(action) for action in read_action("move germania i", Board.standard())]
    ['move germania_inferior']

    :raises UnreadableActionError: when it can mean nothing.
    """
    verb, _, rest = text.strip().partition(" ")
    verb, rest = verb.casefold(), rest.strip()
    if verb in _PLAIN and not rest:
        return _PLAIN[verb]
    if verb in ("enter", "move") and rest:
        return tuple(Action(Kind(verb), place) for place in _provinces(rest, text, board))
    if verb == "sail" and rest:
        return _sails(rest, text, board)
    if verb == "attack" and rest:
        place, colon, outcome = rest.partition(":")
        outcomes = _outcomes(outcome, text) if colon else tuple(Outcome)
        return tuple(attack(p, o) for p in _provinces(place, text, board) for o in outcomes)
    raise UnreadableActionError(
        f"{shown(text)} is no action: expected enter, move or attack with a province, sail with zones, "
        "secure, remove, reduce or end"
    )


def _provinces(word: str, text: str, board: Board) -> tuple[str, ...]:
    exact = board.find(word)
    if exact is not None:
        return (exact.id,)
    start = word.strip().casefold().replace(" ", "_")
    found = tuple(name for name in board.ids if start and name.startswith(start))
    if not found:
        raise UnreadableActionError(f"{shown(text)}: {shown(word.strip())} is no province of this board")
    return found


def _sails(word: str, text: str, board: Board) -> tuple[Action, ...]:
    match = _SAIL.fullmatch(word)
    last = len(board.zones)
    zones = [int(figure) for figure in match.groups() if figure] if match else []
    if not zones or not all(1 <= zone <= last for zone in zones):
        raise UnreadableActionError(f"{shown(text)}: expected zones from 1 to {last}, like sail 2>3")
    if len(zones) == 2:
        return (sail(zones[0], zones[1]),)
    return tuple(sail(origin, zones[0]) for origin in range(1, last + 1) if origin != zones[0])


def _outcomes(word: str, text: str) -> tuple[Outcome, ...]:
    try:
        return (Outcome(word.strip().casefold()),)
    except ValueError:
        raise UnreadableActionError(
            f"{shown(text)}: {shown(word.strip())} is no outcome, expected victory, draw or defeat"
        ) from None
