"""Imperium, Roma Aeterna (pages 14 and 15): what Emperors can do with discs of their own, and who becomes the Great."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import factorial, prod

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, attack, imperium, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import HE, arrows, barbarians, kind, started
from tetrasolve.tetrarchia.facts.statements import Answer, NotHereError, Statement
from tetrasolve.tetrarchia.pieces import POWER, RESERVE
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.imperium import CONSTANTIUS, GALERIUS, MAXIMIAN, Block

VARIANT = "imperium"
GLORY = "roma-aeterna"

CERTIFICATE = "variant"

# -- Imperium ------------------------------------------------------------------------------------------------------


def _play(position: Position, *actions: Action) -> Position:
    for action in actions:
        after = rules.play(position, action)
        assert isinstance(after, Position)
        position = after
    return position


def _price(board: Board) -> Answer:
    """How often Maximian can use his power in a game, turn after turn, at each number of garrisons."""
    values: dict[str, Value] = {}
    power = imperium(RESERVE)
    for garrisons in (3, 4, 5):
        now = started(board, VARIANT, level=f"{garrisons}200", to_move=MAXIMIAN).with_emperor(MAXIMIAN, board.roma)
        times = 0
        while rules.objection(now, power) is None:
            used = _play(now, power)
            assert used.removed[MAXIMIAN] == times + 1
            assert rules.objection(used, power) is not None
            now, times = used.without_piece(POWER).replace(ip=now.ip), times + 1
        values[f"uses.{garrisons}"] = times
    return Answer(values, [*values.values()] == [3, 4, 5])


def _seven(board: Board) -> Answer:
    """His IP, and the provinces to which they take him from Roma, without fleets."""
    before = started(board, VARIANT, to_move=MAXIMIAN).with_emperor(MAXIMIAN, board.roma)
    after = _play(before, imperium(RESERVE))
    values: dict[str, Value] = {"without": before.ip, "with": after.ip}
    values |= {"reach.without": len(_reached(before)), "reach.with": len(_reached(after))}
    return Answer(values, after.ip == 7)


def _reached(start: Position) -> dict[str, int]:
    """The IP left in each province that moves lead to."""
    here = start.here
    assert here is not None
    left = {here: start.ip}
    waiting = [here]
    while waiting:
        place = waiting.pop()
        now = start.with_emperor(start.to_move, place).replace(ip=left[place])
        for there in start.board.neighbours(place):
            step = move(there)
            if rules.objection(now, step) is None and left.get(there, -1) < now.ip - rules.cost(now, step):
                left[there] = now.ip - rules.cost(now, step)
                waiting.append(there)
    return left


def _moves(position: Position, figure: str | None) -> set[tuple[str | None, int]]:
    actions = [action for action in rules.legal_actions(position) if action.kind is Kind.MOVE]
    return {(action.place, rules.cost(position, action)) for action in actions if action.figure == figure}


def _led(board: Board) -> Answer:
    """Galerius everywhere: where he can go in his own turn, and where Diocletian, who is in Roma, can lead him."""
    found = {"own": 0, "without": 0, "with": 0, "alike": 0}
    for place in board.ids:
        if place == board.roma:
            continue
        table = started(board, VARIANT).with_emperor(HE, board.roma).with_emperor(GALERIUS, place)
        own, used = _moves(table.replace(to_move=GALERIUS), None), _play(table, imperium(RESERVE))
        led = _moves(used, GALERIUS)
        found["own"] += len(own)
        found["without"] += len(_moves(table, GALERIUS))
        found["with"] += len(led)
        found["alike"] += len(led & own)
    return Answer(found, found["own"] == found["with"] == found["alike"] and not found["without"])


def _blocked(board: Board) -> Answer:
    """An army comes to Constantius over each arrow; he pays, and it stays where it was."""
    found = {"ways": 0, "blocked": 0, "penniless": 0}
    for army, target in arrows(board):
        table = barbarians(started(board, VARIANT, armies=(army,)).with_emperor(CONSTANTIUS, target))
        found["ways"] += 1
        for who, removed in (("blocked", 0), ("penniless", table.ruleset.garrisons)):
            poor = table.with_piece(
                "removed", (*((e, 0) for e in table.emperors if e != CONSTANTIUS), (CONSTANTIUS, removed))
            )
            step = advance.towards(poor, (army,), target)
            step = step.roll().results[-1] if isinstance(step, Crossing) else step
            if isinstance(step, Block):
                after = step.after(f"block:{RESERVE}")
                assert isinstance(after, Position)
                stays = army in after.armies and after.emperors[CONSTANTIUS] == target
                found[who] += stays and after.removed[CONSTANTIUS] == 1
    return Answer(found, found["blocked"] == found["ways"] and not found["penniless"])


def _boosted(board: Board) -> Answer:
    """A battle of equals, and how many of 36 throws Galerius makes a victory with so many discs."""
    table = _even(board)
    values: dict[str, Value] = {}
    army = table.armies[0]
    for paid in range(table.ruleset.garrisons + 2):
        try:
            ends = rules.attack_roll(table, army, payments=(RESERVE,) * paid).results
        except IllegalActionError:
            break
        values[f"victory.{paid}"] = sum(end.outcome is Outcome.VICTORY for end in ends)
    most = len(values) - 1
    chances = [int(str(values[f"victory.{paid}"])) for paid in range(most + 1)]
    return Answer({**values, "most": most}, most > 1 and all(a < b for a, b in pairwise(chances)))


def _even(board: Board) -> Position:
    """Galerius beside an army, and nothing that counts for either."""
    for army in board.ids:
        for here in board.neighbours(army):
            table = started(board, VARIANT, to_move=GALERIUS, armies=(army,)).with_emperor(GALERIUS, here)
            if rules.battle(table, GALERIUS, army) == rules.Battle(0, 0, 0, 0):
                return table
    raise NotHereError("no battle is one of equals")


# -- Roma Aeterna --------------------------------------------------------------------------------------------------


def _glory(board: Board) -> Answer:
    """Attacks won, drawn and lost by an Emperor without glory, and by one who has a disc."""
    values: dict[str, Value] = {}
    army = board.borders[0]
    here = next(iter(board.neighbours(army)))
    for had in (0, 1):
        glory = tuple((emperor.id, had if emperor.id == HE else 0) for emperor in board.emperors)
        table = started(board, GLORY, armies=(army,), discs={here: REVOLT_DISC}, pieces={"glory": glory}).with_emperor(
            HE, here
        )
        for outcome in Outcome:
            after = _play(table, attack(army, outcome))
            values[f"{outcome}.{had}"] = after.glory[HE]
            values[f"unrest-left.{outcome}.{had}"] = after.reserve_unrest
            assert sum(after.glory.values()) == after.glory[HE]
    told = {"victory.0": 1, "draw.0": 0, "defeat.0": 0, "victory.1": 2, "draw.1": 1, "defeat.1": 0}
    return Answer(values, all(values[path] == number for path, number in told.items()))


def _shares(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to share so many things among so many, in order."""
    return (share for share in product(range(total + 1), repeat=parts) if sum(share) == total)


def _great(board: Board) -> Answer:
    """Who secures which border, in all ways, without any glory."""
    values: dict[str, Value] = {}
    sole: set[int] = set()
    owners = [emperor.id for emperor in board.emperors]
    found: dict[tuple[int, ...], bool] = {}
    for share in _shares(len(board.borders), len(owners)):
        row = [owner for owner, many in zip(owners, share, strict=True) for _ in range(many)]
        table = started(board, GLORY, discs=dict(zip(board.borders, row, strict=True)))
        great = rules.great(table)
        found[share] = great is not None
        if great is not None:
            sole.add(share[owners.index(great)])
    for garrisons in (3, 4, 5):
        ways = {share: _orders(share) for share in found if max(share) <= garrisons}
        values[f"ways.{garrisons}"] = sum(ways.values())
        values[f"great.{garrisons}"] = sum(many for share, many in ways.items() if found[share])
    values["fewest"] = min(sole)
    return Answer(values, not found[(2, 2, 1, 1)] and found[(3, 1, 1, 1)])


def _orders(share: tuple[int, ...]) -> int:
    """In how many ways so many borders can be dealt out like this."""
    return factorial(sum(share)) // prod(map(factorial, share))


IMPERIUM = kind(
    "book-imperium",
    "Imperium",
    "Each power is used wherever it could do something.",
    ("links", "kinds", "arrows", "regions", "printed"),
    {
        "price": Statement(
            14,
            _price,
            "With 3, 4 and 5 garrisons an Emperor can use his power {uses.3}, {uses.4} and {uses.5} times in a game.",
        ),
        "diocletian": Statement(
            14,
            _led,
            "Of the {own} moves that Galerius could make himself Diocletian can make {with} with his power, at the same price,"
            " and {without} without it.",
        ),
        "maximian": Statement(
            14,
            _seven,
            "Maximian has {with} IP instead of {without}, and from Roma {reach.with} provinces within his reach instead of"
            " {reach.without}.",
        ),
        "constantius": Statement(
            14,
            _blocked,
            "On {blocked} of {ways} ways Constantius can stop the army that comes to him; without a disc on {penniless}.",
        ),
        "galerius": Statement(
            14,
            _boosted,
            "In a battle of equals Galerius wins {victory.0} of 36 throws, with one disc {victory.1}, with two {victory.2}, with"
            " {most} of them {victory.5}.",
        ),
    },
    effort=0.03,
    certificate=CERTIFICATE,
)
AETERNA = kind(
    "book-roma-aeterna",
    "Roma Aeterna",
    "Battles of each outcome are played; borders are dealt out in all ways.",
    ("links", "kinds", "regions", "printed"),
    {
        "glory": Statement(
            15,
            _glory,
            "A victory brings {victory.0} disc of glory, a draw {draw.0}; after a defeat {defeat.1} of it is left. It comes"
            " from the unrest, of which {unrest-left.victory.0} are left.",
        ),
        "great": Statement(
            15,
            _great,
            "Without glory somebody is the Great in {great.5} of {ways.5} ways to share the borders with five garrisons, with"
            " three in {great.3} of {ways.3}; {fewest} borders can be enough.",
        ),
    },
    certificate=CERTIFICATE,
)
KINDS = (IMPERIUM, AETERNA)
