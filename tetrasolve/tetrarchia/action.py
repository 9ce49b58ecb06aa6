"""Actions of the Roman phase, and their text as in a game log.

================================== ====================================================
``enter roma``                     an Emperor enters the board
``move narbonensis``               by link or fleet, whichever is cheaper
``sail 2>3``                       a fleet goes from zone 2 to zone 3
``secure``                         place a garrison in his province
``remove``, ``reduce``             subdue: remove the disc; turn a revolt into unrest
``attack rhaetia: victory``        an attack with its outcome (victory, draw, defeat)
``end``                            the end of the turn
``deploy dux dacia``               the Dux (the Vicarius) comes into play
``dux: move dacia``                an action of another figure of Rome: the Dux, the Vicarius
``attack pirates: draw``           an attack on the Pirates
``transfer dacia``                 the garrison under him goes to a province (Via Romana)
``imperium reserve``               he uses his power, for a disc of his reserve
``imperium dacia``                 he uses his power, for his disc in a province
``galerius: move dacia``           a move of another Emperor (Imperium)
``attack rhaetia: draw +reserve``  an attack with 1 added to the die for each disc named
================================== ====================================================

Provinces may be written by id, code, name or coordinates, and verbs may be cut short: ``m nar``, ``att rhaetia: draw``.
`tetrasolve.tetrarchia.rules` decides which actions are legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from tetrasolve.errors import UnreadableActionError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import GARRISONS_A_LEVEL
from tetrasolve.tetrarchia.pieces import HELPERS, RESERVE

PIRATES = "pirates"  # in place of a province where they are attacked
MOST_PAID = GARRISONS_A_LEVEL[1]  # discs: no Emperor has more


class Kind(StrEnum):
    """The kind of an action."""

    ENTER = "enter"
    MOVE = "move"
    SAIL = "sail"
    SECURE = "secure"
    REMOVE = "remove"
    REDUCE = "reduce"
    ATTACK = "attack"
    END = "end"
    DEPLOY = "deploy"
    TRANSFER = "transfer"
    IMPERIUM = "imperium"


class Outcome(StrEnum):
    """How a battle ends, seen from the Roman side."""

    VICTORY = "victory"
    DRAW = "draw"
    DEFEAT = "defeat"


@dataclass(frozen=True, slots=True)
class Action:
    """One action: `place` is a province where the kind needs one, `zones` where a fleet sails from and to.

    `figure` says who acts: None is the active Emperor; ``"dux"``, ``"vicarius"`` and (Imperium) other Emperors act with
    his IP. In a deployment it is the figure that is deployed. `payments` are the discs with which an attack was paid
    for, each ``"reserve"`` or a province: those of the reserve first, then provinces in the order of the board file.
    """

    given_by: ClassVar[str] = "rules.parse(position, text) or one of rules.legal_actions(position)"

    kind: Kind
    place: str | None = None
    zones: tuple[int, int] | None = None
    outcome: Outcome | None = None
    figure: str | None = None
    payments: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = [str(self.kind)]
        if self.figure is not None:
            words = [words[0], self.figure] if self.kind is Kind.DEPLOY else [f"{self.figure}:", words[0]]
        if self.place is not None:
            words.append(self.place)
        if self.zones is not None:
            words.append(f"{self.zones[0]}>{self.zones[1]}")
        text = " ".join(words)
        return " ".join(
            [text if self.outcome is None else f"{text}: {self.outcome}", *map("+{}".format, self.payments)]
        )


def enter(place: str) -> Action:
    """Come back to the board in Roma or the capital."""
    return Action(Kind.ENTER, place)


def move(place: str, figure: str | None = None) -> Action:
    """Move to a province."""
    return Action(Kind.MOVE, place, figure=figure)


def sail(origin: int, target: int) -> Action:
    """Send the fleet of one zone to the next."""
    return Action(Kind.SAIL, zones=(origin, target))


def attack(place: str, outcome: Outcome, figure: str | None = None, payments: tuple[str, ...] = ()) -> Action:
    """Attack the army in a province, or the Pirates (place ``"pirates"``), with this outcome."""
    return Action(Kind.ATTACK, place, outcome=outcome, figure=figure, payments=payments)


def remove(figure: str) -> Action:
    """Take away the revolt or unrest where this figure stands."""
    return Action(Kind.REMOVE, figure=figure)


def reduce(figure: str) -> Action:
    """Turn the revolt where this figure stands into unrest."""
    return Action(Kind.REDUCE, figure=figure)


def deploy(figure: str, place: str) -> Action:
    """Bring the Dux or the Vicarius into play."""
    return Action(Kind.DEPLOY, place, figure=figure)


def transfer(place: str) -> Action:
    """Send the garrison under the active Emperor to a linked province."""
    return Action(Kind.TRANSFER, place)


def imperium(payment: str) -> Action:
    """Use the active Emperor's power, for a disc of the ``"reserve"`` or of a province."""
    return Action(Kind.IMPERIUM, payment)


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
VERBS = (*Kind, "subdue")
_SAIL = re.compile(r"(?:([0-9])\s*(?:>|-|to)?\s*)?([0-9])")


def read_action(text: str, board: Board) -> tuple[Action, ...]:
    """Every action that a text can mean on this board, legal or not; one when it is complete.

    ``subdue`` can mean two actions, ``attack rhaetia`` has three outcomes, ``sail 3`` several origins, and the start of a
    verb or of a name can fit several verbs or provinces.

    >>> [str(action) for action in read_action("move germania i", Board.standard())]
    ['move germania_inferior']
    >>> [str(action) for action in read_action("m nar", Board.standard())]
    ['move narbonensis']
    >>> [str(action) for action in read_action("dux: attack dacia: draw", Board.standard())]
    ['dux: attack dacia: draw']

    :raises UnreadableActionError: when it is not an action.
    """
    who, colon, deed = text.partition(":")
    figure = who.strip().casefold()
    if not colon or not (figure in HELPERS or any(emperor.id == figure for emperor in board.emperors)):
        return _deeds(text, text, board)
    deeds = _deeds(deed, text, board)
    if any(action.kind is Kind.DEPLOY for action in deeds):
        raise UnreadableActionError(f"{shown(text)}: an Emperor deploys figures, expected deploy with nobody before it")
    return tuple(replace(action, figure=figure) for action in deeds)


def _deeds(deed: str, text: str, board: Board) -> tuple[Action, ...]:
    """Every action that the text after the figure can mean."""
    word, _, rest = deed.strip().partition(" ")
    rest = rest.strip()
    verbs = _verbs(word.casefold())
    plain = [verb for verb in verbs if verb in _PLAIN]
    if plain and not rest:
        return tuple(dict.fromkeys(action for verb in plain for action in _PLAIN[verb]))
    verb = next((verb for verb in verbs if verb not in _PLAIN), None)
    if verb in ("enter", "move", "transfer", "attack") and not rest:
        raise UnreadableActionError(f"{shown(text)}: expected a province after {verb}")
    if verb == "imperium" and not rest:
        raise UnreadableActionError(f"{shown(text)}: expected a disc after imperium: {RESERVE}, or the province of one")
    if verb in ("enter", "move", "transfer"):
        return tuple(Action(Kind(verb), place) for place in _provinces(rest, text, board))
    if verb == "imperium":
        return tuple(imperium(payment) for payment in _payments(rest, text, board))
    if verb == "deploy":
        return _deployments(rest, text, board)
    if verb == "sail":
        return _sails(rest, text, board)
    if verb == "attack":
        rest, *paid = rest.split("+")
        place, colon, outcome = rest.partition(":")
        outcomes = _outcomes(outcome, text) if colon else tuple(Outcome)
        payments = _in_order([_payments(word, text, board) for word in paid], text, board)
        targets = (PIRATES,) if place.strip().casefold() == PIRATES else _provinces(place, text, board)
        return tuple(attack(target, o, payments=payments) for target in targets for o in outcomes)
    raise UnreadableActionError(
        f"{shown(text)} is no action: expected enter, move, attack or transfer with a province, sail with zones, "
        "deploy with a figure and a province, imperium with a disc, secure, remove, reduce or end"
    )


def _verbs(word: str) -> tuple[str, ...]:
    """The verbs that a word can mean: itself, or else all that begin with it; at most one of these has something after it."""
    return (word,) if word in VERBS else tuple(verb for verb in VERBS if word and verb.startswith(word))


def _payments(word: str, text: str, board: Board) -> tuple[str, ...]:
    """The payments that a word can mean: a disc of the reserve, or of a province."""
    return (RESERVE,) if word.strip().casefold() == RESERVE else _provinces(word, text, board)


def _in_order(payments: list[tuple[str, ...]], text: str, board: Board) -> tuple[str, ...]:
    if len(payments) > MOST_PAID:
        raise UnreadableActionError(f"{shown(text)}: expected at most {MOST_PAID} discs, found {len(payments)}")
    for places in payments:
        if len(places) > 1:
            raise UnreadableActionError(f"{shown(text)}: one of these discs could be in {' or '.join(places)}")
    return ordered((places[0] for places in payments), board)


def ordered(payments: Iterable[str], board: Board) -> tuple[str, ...]:
    """Payments in the order of `Action.payments`."""
    return tuple(sorted(payments, key=lambda paid: -1 if paid == RESERVE else board.order[paid]))


def _deployments(rest: str, text: str, board: Board) -> tuple[Action, ...]:
    figure, _, place = rest.partition(" ")
    if figure.casefold() not in HELPERS or not place.strip():
        raise UnreadableActionError(f"{shown(text)}: expected a figure and a province, like deploy dux dacia")
    return tuple(deploy(figure.casefold(), province) for province in _provinces(place, text, board))


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
