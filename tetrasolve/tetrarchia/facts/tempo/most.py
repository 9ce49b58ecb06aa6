"""The most that one turn can do of each thing: a bound by the machine, and a position where so much is done."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Kind, Value, Values
from tetrasolve.claims.saying import whole
from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE, Action, Outcome, attack, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.tempo.machine import (
    CLEAR,
    GARRISON,
    REVOLT,
    THINGS,
    UNDER,
    UNREST,
    Deed,
    Machine,
    Place,
    machine,
)
from tetrasolve.tetrarchia.numbers import ARMIES, IP_A_TURN
from tetrasolve.tetrarchia.plan.replay import carry_out
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.status import status

KIND = "turn-most"
CERTIFICATE = "turn-bound"
LEVEL = "3300"  # a fleet in every zone; three garrisons each, so that the same can be done with more
MOST_TRIES = 20_000  # rows of deeds: where the machine does what no position allows there are far too many


class Witness(NamedTuple):
    """A position, and what is done there in one turn."""

    position: Position
    steps: tuple[Action, ...]


def witnesses(wheels: Machine, ip: int, wanted: int) -> Iterator[Witness]:
    """Positions and plans in which so much is done; each province is entered once, as the machine wished it to be."""
    starts = (
        start
        for start, best in wheels.best.items()
        if start.ip == ip and start.armies == ARMIES and best >= wanted and start.under != GARRISON
    )
    lines = ((start, deeds) for start in starts for deeds in _lines(wheels, start, wanted, frozenset({start.row})))
    for start, deeds in islice(lines, MOST_TRIES):
        found = _carried_out(wheels.board, start, deeds)
        if found is not None:
            yield found


def _lines(wheels: Machine, place: Place, wanted: int, seen: frozenset[int]) -> Iterator[tuple[Deed, ...]]:
    """All rows of deeds from here that come to what is wanted, and end there."""
    if wanted <= 0:
        yield ()
        return
    for deed in wheels.deeds(place):
        left = wanted - wheels.gain(place, deed)
        comes = deed.word in ("move", "attack")
        if deed.word == "wait" or wheels.best[deed.after] < left or (comes and deed.row in seen):
            continue
        if deed.word == "move" and deed.after.under == GARRISON:
            continue  # as good as none, for who passes
        for rest in _lines(wheels, deed.after, left, seen | {deed.row}):
            yield (deed, *rest)


def _carried_out(board: Board, start: Place, deeds: tuple[Deed, ...]) -> Witness | None:
    """The position in which these deeds are done, if there is one and the rules allow them all."""
    discs = {start.row: start.under} | {deed.row: deed.after.under for deed in deeds if deed.word == "move"}
    armies = [deed.row for deed in deeds if deed.word == "attack"]
    discs |= {row: REVOLT for row in armies if not board[board.ids[row]].is_border}
    lying = {REVOLT: REVOLT_DISC, UNREST: UNREST_DISC}
    mover = board.emperors[0].id
    position = Position(
        board=board,
        ruleset=Ruleset.from_text(LEVEL),
        to_move=mover,
        phase=Phase.ROMAN,
        ip=start.ip,
        emperors={emperor.id: board.ids[start.row] if emperor.id == mover else None for emperor in board.emperors},
        fleets=tuple(board.coast),
        armies=tuple(board.ids[row] for row in armies),
        discs={board.ids[row]: lying[under] for row, under in discs.items() if under != CLEAR},
    )
    if status(position):
        return None
    steps = tuple(_action(board, deed) for deed in deeds)
    stated = tuple((board.ids[row], Outcome.VICTORY) for row in armies)
    try:
        end, _ = carry_out(position, steps, stated)
    except IllegalActionError:
        return None
    return None if isinstance(end, Fall) else Witness(position, steps)


def _action(board: Board, deed: Deed) -> Action:
    match deed.word:
        case "move":
            return move(board.ids[deed.row])
        case "attack":
            return attack(board.ids[deed.row], Outcome.VICTORY)
    return {"remove": REMOVE, "reduce": REDUCE, "secure": SECURE}[deed.word]


@lru_cache(maxsize=128)
def _found(board: Board, thing: str, ip: int) -> tuple[int, Witness]:
    """The most for which there is a witness, from the bound of the machine down."""
    wheels = machine(board, thing)
    for wanted in range(wheels.bound(ip), -1, -1):
        witness = next(witnesses(wheels, ip, wanted), None)
        if witness is not None:
            return wanted, witness
    raise AssertionError("to do nothing is always possible")


def _derive(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for thing in THINGS:
        values: dict[str, Value] = {}
        for ip in range(1, IP_A_TURN + 1):
            bound, (done, _) = machine(board, thing).bound(ip), _found(board, thing, ip)
            values |= {f"ip.{ip}": done} if done == bound else {f"least.{ip}": done, f"most.{ip}": bound}
        facts[thing] = values
    return facts


def _certify(board: Board, instance: str, values: Values) -> Certificate:
    """The potential of the machine, and a witness for each number of IP."""
    wheels = machine(board, instance)
    rows = range(len(board.ids))
    potential = [
        f"{ip} {armies} {UNDER[under]} "
        + " ".join(str(wheels.best.get(Place(ip, row, under, armies), "-")) for row in rows)
        for ip in range(IP_A_TURN + 1)
        for armies in range(ARMIES + 1)
        for under in range(len(UNDER))
    ]
    found = [_found(board, instance, ip)[1] for ip in range(1, IP_A_TURN + 1)]
    lines = [f"{witness.position}: {'; '.join(map(str, witness.steps)) or 'end'}" for witness in found]
    sections = {"potential": potential, "witnesses": lines}
    return fact_certificate(CERTIFICATE, board, f"{KIND}/{instance}", {"most": instance}, values, sections)


def _say(thing: str, v: Values) -> str:
    least, most = _between(v, IP_A_TURN)
    noun, verb = THINGS[thing].noun, THINGS[thing].verb
    smaller = ", ".join(" to ".join(dict.fromkeys(map(str, _between(v, ip)))) for ip in range(1, IP_A_TURN))
    known = "so many can be" if least == most else f"{least} can be"
    return f"In no position are more than {most} {noun} {verb} in one turn; {known} (with 1 to 5 IP: {smaller})."


def _between(values: Values, ip: int) -> tuple[int, int]:
    """The least and the most that is known of the most with so many IP."""
    if f"ip.{ip}" in values:
        return whole(values, f"ip.{ip}"), whole(values, f"ip.{ip}")
    return whole(values, f"least.{ip}"), whole(values, f"most.{ip}")


KINDS = (
    Kind(
        KIND,
        "tempo",
        "The most that one turn can do",
        "a bound by a turn in which every province is as its Emperor wishes, and a position where so much is done",
        CERTIFICATE,
        ("links", "kinds", "zones", "regions", "printed"),
        _derive,
        _certify,
        _say,
        effort=1.6,
    ),
)
