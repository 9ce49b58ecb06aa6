"""The most that one turn can do of each thing: a bound over all positions, and a position where so much is done.

The bound is by a machine. It knows the IP, the province, what lies under the Emperor and how many armies are left. Fleets lie
in every zone. When it reaches a province, whatever it likes lies there; the reserve is never empty, no region is in the way
of a garrison, and each attack is a victory. Whatever the rules allow in a true position the machine can do too, at the same
price, and it gets as much for it. So what it can get at most is a bound for every position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import whole
from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE, Action, Outcome, attack, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.routes.travel import travel
from tetrasolve.tetrarchia.numbers import (
    ARMIES,
    INTO_A_REVOLT,
    IP_A_TURN,
    REDUCE_REVOLT,
    REMOVE_REVOLT,
    REMOVE_UNREST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)
from tetrasolve.tetrarchia.plan.replay import carry_out
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.status import status

KIND = "turn-most"
CERTIFICATE = "turn-bound"
LEVEL = "3300"  # a fleet in every zone; three garrisons each, so that the same can be done with more
MOST_TRIES = 20_000  # rows of deeds: where the machine does what no position allows there are far too many

CLEAR, UNREST, REVOLT, GARRISON = UNDER = range(4)  # what lies under him


class Place(NamedTuple):
    """Where the machine is: IP left, province by row, what lies there, armies left to be attacked."""

    ip: int
    row: int
    under: int
    armies: int


class Deed(NamedTuple):
    """What is done, as a word; its province by row; the disc that is taken from the board (None: none); where it leads."""

    word: str
    row: int
    disc: int | None
    after: Place


@dataclass(frozen=True)
class Thing:
    """Something of which a turn can do much: what it is, what is done to it, and whether a deed adds one."""

    noun: str
    verb: str
    counts: Callable[[Deed], bool]


# An army inside the Empire stands on a revolt, which a victory takes away with it
THINGS: Mapping[str, Thing] = {
    "revolts": Thing("revolts", "removed, reduced or taken away with a beaten army", lambda deed: deed.disc == REVOLT),
    "revolts-subdued": Thing(
        "revolts", "removed or reduced", lambda deed: deed.disc == REVOLT and deed.word in ("remove", "reduce")
    ),
    "revolts-removed": Thing(
        "revolts", "removed, and not reduced,", lambda deed: deed.disc == REVOLT and deed.word == "remove"
    ),
    "unrest": Thing("discs of unrest", "removed", lambda deed: deed.disc == UNREST),
    "discs": Thing(
        "provinces", "freed of a revolt or an unrest", lambda deed: deed.disc is not None and deed.word != "reduce"
    ),
    "garrisons": Thing("garrisons", "placed", lambda deed: deed.word == "secure"),
    "armies": Thing("armies", "beaten", lambda deed: deed.word == "attack"),
    "provinces": Thing("provinces", "entered", lambda deed: deed.word in ("move", "attack")),
}


class Machine:
    """All that can be done, on one board; `best` is the most of one thing from each place."""

    def __init__(self, board: Board, thing: str) -> None:
        self.board, self.counts = board, THINGS[thing].counts
        self.ways = travel(board)
        self.fleets = self.ways.fleet_sets[-1]  # in every zone
        self.is_border = tuple(board[place].is_border for place in board.ids)
        self.best: dict[Place, int] = {}
        self._arrivals: dict[tuple[int, int, int], int] = {}
        for ip in range(IP_A_TURN + 1):  # every deed costs IP, so it leads to what has been worked out
            for armies in range(ARMIES + 1):
                for row in range(len(board.ids)):
                    for under in UNDER:
                        if self.may_lie(row, under):
                            place = Place(ip, row, under, armies)
                            self.best[place] = self._best(place)

    def may_lie(self, row: int, under: int) -> bool:
        """Whether such a disc may lie there: on a border only a garrison."""
        return not self.is_border[row] or under in (CLEAR, GARRISON)

    def _best(self, place: Place) -> int:
        """The most from a place: by a deed on the spot or an attack, or by a move."""
        worth = [0, *(self.counts(deed) + self.best[deed.after] for deed in self._deeds(place))]
        moving = self.counts(Deed("move", place.row, None, place))  # it counts the same wherever it leads
        for other, cost in self.ways.moves(place.row, self.fleets):
            if cost <= place.ip:
                worth.append(moving + self._arrival(place.ip - cost, other, place.armies))
        return max(worth)

    def _arrival(self, ip: int, row: int, armies: int) -> int:
        """The most after a move, whatever lies there; the IP left do not yet count a revolt."""
        key = ip, row, armies
        if key not in self._arrivals:
            places = [Place(ip - INTO_A_REVOLT * (under == REVOLT), row, under, armies) for under in UNDER]
            self._arrivals[key] = max(self.best[there] for there in places if there in self.best)
        return self._arrivals[key]

    def deeds(self, place: Place) -> Iterator[Deed]:
        """All that can be done from here."""
        yield from self._deeds(place)
        for other, cost in self.ways.moves(place.row, self.fleets):
            for under in UNDER:
                left = place.ip - cost - INTO_A_REVOLT * (under == REVOLT)
                if left >= 0 and self.may_lie(other, under):
                    yield Deed("move", other, None, Place(left, other, under, place.armies))

    def _deeds(self, place: Place) -> Iterator[Deed]:
        """All but moves."""
        ip, row, under, armies = place
        if ip:
            yield Deed("wait", row, None, place._replace(ip=ip - 1))  # to sail, and to fight a draw, is no better
        if under == REVOLT and ip >= REMOVE_REVOLT:
            yield Deed("remove", row, REVOLT, place._replace(ip=ip - REMOVE_REVOLT, under=CLEAR))
        if under == REVOLT and ip >= REDUCE_REVOLT:
            yield Deed("reduce", row, REVOLT, place._replace(ip=ip - REDUCE_REVOLT, under=UNREST))
        if under == UNREST and ip >= REMOVE_UNREST:
            yield Deed("remove", row, UNREST, place._replace(ip=ip - REMOVE_UNREST, under=CLEAR))
        price = SECURE_BORDER if self.is_border[row] else SECURE_PROVINCE
        if under == CLEAR and ip >= price:
            yield Deed("secure", row, None, place._replace(ip=ip - price, under=GARRISON))
        for other, cost in self.ways.links[row].items():
            inside = not self.is_border[other]
            toll = cost + INTO_A_REVOLT * inside
            if armies and toll <= ip:
                yield Deed("attack", other, REVOLT if inside else None, Place(ip - toll, other, CLEAR, armies - 1))

    def bound(self, ip: int) -> int:
        """The most with so many IP, wherever he begins."""
        return max(best for place, best in self.best.items() if place.ip == ip and place.armies == ARMIES)


@lru_cache(maxsize=16)
def machine(board: Board, thing: str) -> Machine:
    """The machine of a board for one thing, made once."""
    return Machine(board, thing)


# -- a position where so much is done --------------------------------------------------------------------------


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
    """All rows of deeds from here that reach what is wanted, and end there."""
    if wanted <= 0:
        yield ()
        return
    for deed in wheels.deeds(place):
        left = wanted - wheels.counts(deed)
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
    """A witness for each number of IP; the checker works out the bound by itself."""
    found = [_found(board, instance, ip)[1] for ip in range(1, IP_A_TURN + 1)]
    lines = [f"{witness.position}: {'; '.join(map(str, witness.steps)) or 'end'}" for witness in found]
    return fact_certificate(CERTIFICATE, board, f"{KIND}/{instance}", {}, values, {"witnesses": lines})


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


TOPICS = (
    Topic(
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
