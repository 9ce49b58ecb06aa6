"""Phase of actions: up to four, any of them repeatedly."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules import campaign
from tetrasolve.finem.rules.roles import TRAVELLERS
from tetrasolve.finem.rules.tribes import PREFECT, end_of_phase, is_settled, pacify, remove

MAGISTER, DICTATOR = "magister", "dictator"
CONFRONT, MOVE, PACIFY, RIDE, PASS = "confront", "move", "pacify", "ride", "pass"
ALL, STAY = "all", "stay"


def options(position: Position) -> tuple[str, ...]:
    """The legal actions in a fixed order: confront, move, pacify, the Dictator's ride, pass."""
    return (
        *_confrontations(position),
        *(f"{MOVE} {region}" for region in _destinations(position)),
        *(f"{PACIFY} {tribe}" for tribe in TRIBES if may_pacify(position, tribe)),
        *(_ride(position) if position.role == DICTATOR else ()),
        PASS,
    )


def _confrontations(position: Position) -> Iterator[str]:
    for tribe in TRIBES:
        count = position.count(position.pawn, tribe)
        if count:
            yield f"{CONFRONT} {tribe}"
        if count > 1 and position.role == MAGISTER:
            yield f"{CONFRONT} {tribe} {ALL}"


def _destinations(position: Position) -> list[str]:
    """The regions to which the pawn can move with one action, each once [E-EMPEROR-TRAVEL]."""
    found = set(position.layout.neighbours[position.pawn])
    if position.role in TRAVELLERS or position.has_travel:
        found |= {position.start, position.last}
    return sorted(found - {position.pawn}, key=NUMBER.__getitem__)


def may_pacify(position: Position, tribe: str) -> bool:
    """Whether the action Pacify can be taken on a tribe [E-PACIFY, E-AGAIN]."""
    if position.is_eradicated(tribe) or is_settled(position, tribe):
        return False
    enough = numbers.PREFECT_AT if position.role == PREFECT else numbers.PACIFIED_AT
    return position.ruleset.readings["E-PACIFY"] == "free" or position.die(tribe) >= enough


def acted(position: Position, option: str) -> State:
    """After an action."""
    verb, *words = option.split()
    if verb == PASS:
        return _ended(position)
    left = position.left - 1
    match verb:
        case "confront":
            count = position.count(position.pawn, words[0]) if ALL in words else 1
            after: State = remove(position, position.pawn, words[0], count)
        case "move":
            after = position.replace(pawn=words[0])
        case "pacify":
            after = pacify(position, words[0])
        case _:
            return position.replace(step=Step.DICTATOR, left=left)
    return after if isinstance(after, Result) else _with_left(after, left)


def _with_left(position: Position, left: int) -> State:
    """The next action, or the end of the phase."""
    return position.replace(step=Step.ACT, left=left) if left else _ended(position)


def _ended(position: Position) -> State:
    after = end_of_phase(position)
    return after if isinstance(after, Result) else campaign.begin(after.replace(has_travel=False))


# -- Dictator ------------------------------------------------------------------------------------------------------------


def _ride(position: Position) -> tuple[str, ...]:
    """The Dictator's action; where a stay is free, he draws no more cards than a turn has actions [E-DICTATOR-STAY]."""
    is_free = position.ruleset.readings["E-DICTATOR-STAY"] == "free"
    return () if is_free and len(position.out) >= numbers.ACTIONS else (RIDE,)


def drawn(position: Position, card: str) -> Position:
    """After the Dictator's card is drawn."""
    return position.replace(step=Step.RIDE, card=card, out=position.out | {card})


def rides(position: Position) -> tuple[str, ...]:
    """The other regions with the rank of his card; he may stay, or name his own region where it has it [E-DICTATOR]."""
    assert position.card is not None
    found = [r for r in REGIONS if r[1] == position.card[1] and r != position.pawn]
    if position.ruleset.readings["E-DICTATOR"] == "there" and position.pawn[1] == position.card[1]:
        found = sorted([*found, position.pawn], key=NUMBER.__getitem__)
    may_stay = position.ruleset.readings["E-DICTATOR"] == "may"
    return (*(f"{MOVE} {region}" for region in found), *((STAY,) if may_stay else ()))


def ridden(position: Position, option: str) -> State:
    """After he moved or stayed; a stay may give the action back [E-DICTATOR-STAY]."""
    if option == STAY and position.ruleset.readings["E-DICTATOR-STAY"] == "free":
        return position.replace(step=Step.ACT, left=position.left + 1, card=None)
    pawn = position.pawn if option == STAY else option.split()[1]
    return _with_left(position.replace(pawn=pawn, card=None), position.left)
