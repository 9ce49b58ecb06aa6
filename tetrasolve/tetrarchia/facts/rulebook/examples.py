"""What positions show: the worked examples of the rulebook, played by the reference rules.

A line is a position as it prints, and after each semicolon an action that is played there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tried import empire
from tetrasolve.tetrarchia.facts.statements import Answer, NotHereError, Statement, statements
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising, resolve
from tetrasolve.tetrarchia.rules.advance import Clash
from tetrasolve.tetrarchia.rules.battle import group
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.step import Step

# The pictures of pages 7, 8 and 11
MOVEMENT = "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-"
FIGHT = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"


def exact(number: Fraction | int) -> Value:
    """A number as a value: whole where it is."""
    fraction = Fraction(number)
    return fraction.numerator if fraction.denominator == 1 else fraction


def play(position: Position, *texts: str) -> tuple[list[Position], str]:
    """The positions from the start on, and the line that shows them."""
    found = [position]
    for text in texts:
        after = rules.play(found[-1], rules.parse(found[-1], text))
        assert isinstance(after, Position)
        found.append(after)
    return found, "; ".join([str(position), *texts])


def legal(position: Position) -> Position:
    """A position that can occur.

    :raises NotHereError: when it cannot, on this board.
    """
    if position.status():
        raise NotHereError(f"{position} cannot occur on this board")
    return position


def barbarian(position: Position) -> Position:
    """The same table when the Barbarians come."""
    return position.replace(phase=Phase.BARBARIAN, ip=0)


# -- moving --------------------------------------------------------------------------------------------------------


def _movement(board: Board) -> Answer:
    start = legal(Position.parse(MOVEMENT, board))
    states, line = play(start, "move macedonia", "move dalmatia", "remove")
    costs = [before.ip - after.ip for before, after in pairwise(states)]
    values: dict[str, Value] = {
        "by-sea": costs[0],
        "into-the-revolt": costs[1],
        "left": states[2].ip,
        "remove": costs[2],
        "may-stay": "yes" if rules.may_end(states[1]) else "no",
    }
    return Answer(values, costs == [1, 3, 2] and states[2].ip == 2 and not rules.may_end(states[1]), (line,))


# -- battles -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A battle as the rulebook tells it; None where it gives no number."""

    garrisons: int | None
    emperors: int | None
    revolts: int | None
    armies: int | None
    ip: int | None


BATTLES: Mapping[str, Told] = {
    "attack": Told(3, 1, 7, 0, 2),
    "cisalpina": Told(3, 1, 7, 0, 3),
    "diocletian": Told(3, 2, 7, 0, 2),
    "rhaetia": Told(3, 1, 7, 1, 2),
    "constantius": Told(1, 1, 7, 0, None),
    "tarraconensis": Told(None, None, 1, None, None),
}


def _scene(name: str, board: Board) -> Position:
    """The picture of page 8, changed as the text has it."""
    fight = Position.parse(FIGHT, board)
    in_rhaetia = fight.with_army(None, "rhaetia").with_disc("rhaetia", REVOLT_DISC)
    return legal(
        {
            "attack": fight,
            "cisalpina": fight.with_emperor("maximian", "cisalpina"),
            "diocletian": fight.with_emperor("diocletian", "lugdunensis"),
            "rhaetia": in_rhaetia,
            "constantius": fight.replace(to_move="constantius"),
            "tarraconensis": fight.replace(to_move="constantius").with_emperor("constantius", "tarraconensis"),
            "pannonia": in_rhaetia.with_emperor("maximian", "pannonia_superior"),
        }[name]
    )


def _battle(name: str, board: Board) -> Answer:
    start = _scene(name, board)
    now, army = start, "narbonensis"
    line = str(start)
    if name == "tarraconensis":
        if rules.battle(start, "constantius", army).revolts != 7:
            raise NotHereError("the army's group is another one before")
        states, line = play(start, "remove")
        now = states[-1]
    values = _numbers(now, army)
    told = BATTLES[name]
    wanted = {field: getattr(told, field) for field in ("garrisons", "emperors", "revolts", "armies", "ip")}
    right = all(number is None or values[field] == number for field, number in wanted.items())
    return Answer(values, right, (line,))


def _numbers(position: Position, army: str) -> dict[str, Value]:
    """Both sides of the battle of the Emperor who is to move, its price, and 36 throws."""
    fight = rules.battle(position, position.to_move, army)
    chances = fight.chances()
    return {
        "garrisons": fight.garrisons,
        "emperors": fight.emperors,
        "revolts": fight.revolts,
        "armies": fight.armies,
        "ip": rules.cost(position, attack(army, Outcome.VICTORY)),
        **{str(outcome): chances.get(outcome, 0) for outcome in Outcome},
    }


def _one_group(board: Board) -> Answer:
    """From Pannonia Superior two groups are linked to Maximian; the larger one counts."""
    start = _scene("pannonia", board)
    values = _numbers(start, "rhaetia")
    own = start.own_discs("maximian")
    here = start.here
    assert here is not None
    sizes = sorted({len(group(start, place, own)) for place in board.neighbours(here) if place in own})
    values["groups"] = tuple(f"of-{size}" for size in sizes)
    return Answer(values, sizes == [1, 3] and values["garrisons"] == 3, (str(start),))


# -- waiting for an army -------------------------------------------------------------------------------------------


def _waiting(board: Board) -> tuple[Position, Position, tuple[str, ...]]:
    """Maximian attacks from Cisalpina, or waits there."""
    ready = _scene("cisalpina", board)
    if board["narbonensis"].arrow != "cisalpina":
        raise NotHereError("the army does not come his way")
    waits = barbarian(ready)
    return ready, waits, (str(ready), str(waits))


def _same_values(board: Board) -> Answer:
    ready, waits, lines = _waiting(board)
    attacking = rules.battle(ready, "maximian", "narbonensis")
    clash = Clash(waits, ("narbonensis",), "cisalpina")
    won = sum(
        isinstance(end, Position) and not {"narbonensis", "cisalpina"} & {*end.armies} for end in clash.roll().results
    )
    values: dict[str, Value] = {
        "garrisons": attacking.garrisons,
        "emperors": attacking.emperors,
        "revolts": attacking.revolts,
        "armies": attacking.armies,
        "attack.victory": attacking.chances()[Outcome.VICTORY],
        "wait.victory": won,
    }
    return Answer(values, values["attack.victory"] == won, lines)


def _clashes(waits: Position) -> Iterator[tuple[Clash, Fraction]]:
    """Where the army comes to blows with him in this phase, and the chance of each."""
    for step, visits in rules.solve(waits).visits.items():
        if isinstance(step, Clash) and step.armies[0] == "narbonensis":
            yield step, visits


def _arrives(board: Board) -> Answer:
    _, waits, lines = _waiting(board)
    comes = sum((chance for _, chance in _clashes(waits)), Fraction(0))
    return Answer({"comes": exact(comes)}, comes == Fraction(1, 2), lines)


def _same_turn(board: Board) -> Answer:
    ready, waits, lines = _waiting(board)
    comes = victory = defeat = Fraction(0)
    for step, chance in _clashes(waits):
        throws = rules.battle(step.position, "maximian", "narbonensis").chances()
        comes += chance
        victory += chance * throws.get(Outcome.VICTORY, 0) / 36
        defeat += chance * throws.get(Outcome.DEFEAT, 0) / 36
    now = rules.battle(ready, "maximian", "narbonensis").chances()
    values: dict[str, Value] = {
        "attack.victory": exact(Fraction(now.get(Outcome.VICTORY, 0), 36)),
        "attack.defeat": exact(Fraction(now.get(Outcome.DEFEAT, 0), 36)),
        "wait.victory": exact(victory),
        "wait.defeat": exact(defeat),
        "wait.victory-if-it-comes": exact(victory / comes),
    }
    return Answer(values, values["attack.victory"] == values["wait.victory-if-it-comes"], lines)


def _dice(board: Board) -> Answer:
    """The rolls of that phase and of that attack: none takes more than two dice."""
    ready, waits, lines = _waiting(board)
    dice = {len(step.roll().questions) for step in rules.solve(waits).visits if not isinstance(step, (Position, Fall))}
    dice.add(len(rules.attack_roll(ready, "narbonensis").questions))
    return Answer({"least": min(dice), "most": max(dice)}, max(dice) == 2, lines)


# -- the Barbarian phase -------------------------------------------------------------------------------------------


def quiet(board: Board) -> Position:
    """Nothing on the table when the Barbarians come."""
    return barbarian(Position.parse("4200 D:6 -/-/-/- 23 - - - -/-/-/-", board))


def _domino(board: Board) -> Answer:
    """The first row of three provinces with normal links and no short cut."""
    for a, b, c in permutations(empire(board), 3):
        first, second = board.link(a, b), board.link(b, c)
        if first is None or second is None or first.broken or second.broken or board.link(a, c) is not None:
            continue
        start = legal(quiet(board).replace(discs={a: REVOLT_DISC, b: UNREST_DISC, c: UNREST_DISC}))
        ends, row = rules.outcomes(start), frozenset({a, b, c})
        chance = sum(
            (share for end, share in ends.items() if isinstance(end, Position) and row <= end.revolts), Fraction(0)
        )
        return Answer({"three-revolts": exact(chance)}, chance == 1, (str(start),))
    raise NotHereError("no three provinces are in a row")


def _emperor(board: Board) -> Answer:
    """The first Emperor beside a revolt, over a normal link, and none of it else."""
    for revolt in empire(board):
        beside = [
            place for place, link in board.neighbours(revolt).items() if not (link.broken or board[place].is_border)
        ]
        if not board[revolt].number or not beside:
            continue
        start = legal(quiet(board).with_disc(revolt, REVOLT_DISC).with_emperor("diocletian", beside[0]))
        after = _linked(resolve(start, revolt))
        assert isinstance(after, EchoRegion)
        then = rules.begin(after.position)
        assert isinstance(then, Activity)
        reached = after.position.has_revolt(beside[0])
        stays = after.position.emperors["diocletian"] == beside[0]
        gone = then.position.emperors["diocletian"] is None
        words = {True: "yes", False: "no"}
        values: dict[str, Value] = {"reached": words[reached], "stays": words[stays], "removed-next": words[gone]}
        return Answer(values, reached and stays and gone, (str(start),))
    raise NotHereError("no Emperor can be beside a revolt")


def _linked(step: Step) -> Step:
    """What follows an uprising for which all broken links are passed."""
    while isinstance(step, Uprising):
        step = step.roll().results[-1]
    return step


def _chain(board: Board) -> Answer:
    """An uprising while every border is taken: a garrison on five, an army on the sixth."""
    *five, sixth = board.borders
    emperors = [emperor.id for emperor in board.emperors]
    discs = {border: emperors[row % 4] for row, border in enumerate(five)}
    revolts = [board.at(region, number) for region in range(1, 7) for number in (2, 3)]
    start = legal(quiet(board).replace(discs=discs | dict.fromkeys(revolts, REVOLT_DISC), armies=(sixth,)))
    first = next(place for place in _named(board) if place in revolts)
    step = resolve(start, first)
    while isinstance(step, Uprising):
        step = step.roll().results[0]
    if not isinstance(step, EchoRegion):
        raise NotHereError("this uprising has no echo")
    again = echoed(step)
    return Answer({"again": exact(again)}, again > 0, (str(start),))


def echoed(echo: EchoRegion) -> Fraction:
    """The chance that an echo is followed by another one."""
    again, waiting = Fraction(0), list(echo.roll().distribution().items())
    while waiting:
        now, share = waiting.pop()
        if isinstance(now, EchoRegion):
            again += share
        elif isinstance(now, (EchoProvince, Uprising)):
            waiting += [(after, share * part) for after, part in now.roll().distribution().items()]
    return again


def _named(board: Board) -> Iterator[str]:
    """The provinces in the order of the dice."""
    return (board.at(region, number) for region in range(1, 7) for number in range(1, 7))


# -- the facts -----------------------------------------------------------------------------------------------------

MOVE = statements(
    "book-movement",
    "rulebook",
    "The example of moving",
    "The picture is played.",
    ("links", "kinds", "zones"),
    {
        "": Statement(
            7,
            _movement,
            "In the picture the way by sea costs {by-sea} IP, the next one into the revolt {into-the-revolt}; {left} are left, and"
            " removing the revolt costs {remove}.",
        )
    },
)
_SIDES = "d6 + {garrisons}, doubled {emperors} times, against d6 + {revolts}, doubled {armies} times"
_THROWS = "{victory} of 36 throws win, {defeat} lose"
BATTLE = statements(
    "book-battle",
    "rulebook",
    "The examples of a battle",
    "Each battle of the example is set up and its values are counted.",
    ("links", "kinds", "printed"),
    {
        "attack": Statement(8, partial(_battle, "attack"), f"Maximian pays {{ip}} IP: {_SIDES}; {_THROWS}."),
        "cisalpina": Statement(
            9, partial(_battle, "cisalpina"), f"From Cisalpina he pays {{ip}} IP: {_SIDES}; {_THROWS}."
        ),
        "diocletian": Statement(9, partial(_battle, "diocletian"), f"With Diocletian beside it: {_SIDES}; {_THROWS}."),
        "rhaetia": Statement(9, partial(_battle, "rhaetia"), f"With an army in Rhaetia: {_SIDES}; {_THROWS}."),
        "constantius": Statement(9, partial(_battle, "constantius"), f"Constantius attacks: {_SIDES}; {_THROWS}."),
        "tarraconensis": Statement(
            9,
            partial(_battle, "tarraconensis"),
            "Once Tarraconensis is subdued, {revolts} revolt is left in the army's group.",
        ),
        "pannonia": Statement(9, _one_group, "Of two groups beside him, {groups}, one counts: d6 + {garrisons}."),
    },
)
WAIT = statements(
    "book-waiting",
    "rulebook",
    "Waiting for an army",
    "Attack and phase are solved exactly, from the same table.",
    ("links", "kinds", "arrows", "numbers", "regions", "printed"),
    {
        "values": Statement(
            11,
            _same_values,
            "Who attacks does not change the values: {attack.victory} of 36 throws win the attack, {wait.victory} the defence.",
        ),
        "chance": Statement(11, _arrives, "The attack on him who waits comes with a chance of {comes}."),
        "turn": Statement(
            11,
            _same_turn,
            "Who attacks at once wins with a chance of {attack.victory}; who waits, with {wait.victory}, and if the attack comes,"
            " with {wait.victory-if-it-comes}, since revolts and activity come before it.",
        ),
    },
    effort=0.1,
)
PHASES: Mapping[str, Statement] = {
    "domino": Statement(
        9, _domino, "A row of a revolt and two unrest becomes three revolts with chance {three-revolts}."
    ),
    "chain": Statement(10, _chain, "In this position an uprising is followed by another one with a chance of {again}."),
    "emperor": Statement(
        11,
        _emperor,
        "An uprising reaches an Emperor: is a revolt under him, {reached}; does he stay, {stays}; is he removed in the next"
        " phase, {removed-next}.",
    ),
}
DICE = Statement(
    4, _dice, "A roll takes {least} to {most} dice, in the battle of the picture and in the phase that follows."
)
KINDS = (MOVE, BATTLE, WAIT)
