"""Facts about battles: everything is counted from the dice, and from the rows of the board where a fact reads them.

Rome has (die + g) x 2^e, the Barbarians (die + r) x 2^a. An Emperor has at most 5 garrisons and two printed discs; there
are 21 revolts, four Emperors and three armies.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product

from board import Board
from maps import row
from rules import IP_A_TURN, USUAL, Table, Turn
from rules import odds as count_faces

GROUP, REVOLTS, EMPERORS, ARMIES = range(8), range(22), range(4), range(3)

odds = cache(count_faces)

Values = Iterator[tuple[str, str]]


# -- the table -------------------------------------------------------------------------------------------------


def battle(e: int, a: int) -> Values:
    """All counts with so many Emperors and armies in support."""
    yield from table(e, a)
    yield from least(e, a)
    if e < max(EMPERORS):
        yield from worth(e, a)


def table(e: int, a: int) -> Values:
    """How many of 36 rolls are won, drawn and lost."""
    for g in GROUP:
        for word, which in (("victory", 0), ("draw", 1), ("defeat", 2)):
            yield f"{word}.{g}", row(str(odds(g, e, r, a)[which]) for r in REVOLTS)


def least(e: int, a: int) -> Values:
    """The least group with which a goal is reached against each number of revolts."""
    goals: dict[str, Callable[[int, int, int], bool]] = {
        "possible": lambda won, _, __: won >= 1,
        "better": lambda won, _, lost: won > lost,
        "likely": lambda won, drawn, lost: won > drawn + lost,
        "certain": lambda _, drawn, lost: drawn + lost == 0,
        "safe": lambda _, __, lost: lost == 0,
    }
    for name, goal in goals.items():
        enough = {r: [g for g in GROUP if goal(*odds(g, e, r, a))] for r in REVOLTS}
        yield name, row(str(min(groups)) if groups else "none" for groups in enough.values())


def worth(e: int, a: int) -> Values:
    """Against which numbers of revolts another disc, or another Emperor, wins more rolls than the other would."""
    totals = {"garrison": 0, "emperor": 0}
    for g in range(7):
        with_disc = [odds(g + 1, e, r, a)[0] for r in REVOLTS]
        with_emperor = [odds(g, e + 1, r, a)[0] for r in REVOLTS]
        for word, mine, other in (("garrison", with_disc, with_emperor), ("emperor", with_emperor, with_disc)):
            more = [r for r in REVOLTS if mine[r] > other[r]]
            totals[word] += len(more)
            yield f"{word}.{g}", row(map(str, more))
    for word, total in totals.items():
        yield word, str(total)


def repeat(cost: int) -> Values:
    """The chance of victory with one attack, and with as many as the IP pay while the dice draw."""
    yield "attacks", str(IP_A_TURN // cost)
    for difference in range(-6, 7):
        side = "ahead" if difference > 0 else "behind"
        path = f"{side}.{abs(difference)}" if difference else "even"
        won, drawn, _lost = odds(max(difference, 0), 0, max(-difference, 0), 0)
        yield f"{path}.once", str(Fraction(won, 36))
        chance, ip = Fraction(0), IP_A_TURN % cost
        while ip < IP_A_TURN:  # from the last attack that can be paid back to the first
            chance = Fraction(won, 36) + Fraction(drawn, 36) * chance
            ip += cost
        yield f"{path}.again", str(chance)


def first(comes: Fraction) -> Values:
    """One battle: by an attack, by waiting for an army that comes over this link, or by waiting after a draw."""
    for difference in range(-6, 7):
        side = "ahead" if difference > 0 else "behind"
        path = f"{side}.{abs(difference)}" if difference else "even"
        won, drawn, lost = odds(max(difference, 0), 0, max(-difference, 0), 0)
        for word, count in (("victory", won), ("defeat", lost)):
            yield f"{path}.attack.{word}", str(Fraction(count, 36))
            yield f"{path}.wait.{word}", str(Fraction(count, 36) * comes)
            yield f"{path}.both.{word}", str(Fraction(count * 36 + drawn * count * comes, 36 * 36))


# -- on the map ------------------------------------------------------------------------------------------------


def paths(board: Board) -> list[str]:
    """Where an army can stand: on the way from a border by the arrows, as far as before Roma."""
    found = set()
    for border in board.borders:
        place = border
        while place != board.roma and place not in found:
            found.add(place)
            place = board.arrow.get(place, board.roma)
    return [place for place in board.provinces if place in found]


def support(board: Board) -> Values:
    """The most other Emperors beside an army, and the most other armies beside one who attacks it."""
    stand = paths(board)
    emperors = {}
    for army in stand:
        linked = board.links[army]
        emperors[army] = max(0, min(3, len(linked) - 1))  # he who attacks stands in one of them
        beside = [len([other for other in stand if other != army and other in board.links[place]]) for place in linked]
        yield f"emperors.{army}", str(emperors[army])
        yield f"armies.{army}", str(min(2, max(beside, default=0)))
    for count in range(4):
        yield f"places.{count}", row(army for army in stand if emperors[army] == count)


def printed(board: Board, emperor: str) -> Values:
    """Where the printed discs of an Emperor alone are a group beside him."""
    nothing = Table(frozenset(), frozenset(), frozenset(), frozenset(), (frozenset(),) * len(board.emperors))
    sizes = {}
    for place in board.provinces:
        active = board.emperors.index(emperor)
        places = [place if index == active else None for index in range(len(board.emperors))]
        army = board.provinces[board.provinces[0] == place]
        sizes[place] = Turn(board, USUAL, 0, active, list(places)).strengths(place, nothing, army)[0]
    for size in (1, 2):
        yield f"group.{size}", row(place for place in board.provinces if sizes[place] == size)


# For each kind of fact its instances, each with what counts its values
Instances = dict[str, Callable[[], Iterable[tuple[str, str]]]]


def battles(_: Board) -> Instances:
    """What follows from the dice alone."""
    return {
        **{f"e{e}-a{a}": partial(battle, e, a) for e, a in product(EMPERORS, ARMIES)},
        **{f"again-cost-{cost}": partial(repeat, cost) for cost in (1, 2, 3)},
        "first-normal": partial(first, Fraction(1)),
        "first-broken": partial(first, Fraction(3, 6)),
    }


def supports(board: Board) -> Instances:
    """What the map does for a battle."""
    discs = {f"printed-{emperor}": partial(printed, board, emperor) for emperor in board.emperors}
    return {"most": partial(support, board), **discs}


COUNTS: dict[str, Callable[[Board], Instances]] = {"battle": battles, "support": supports}
