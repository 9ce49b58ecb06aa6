"""Facts about single positions: the Barbarian phase is followed through all its dice, and its figures are read off.

The positions stand here, or are made by a rule from the board, so that nobody can put another position in their place.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import product

from barbarian import FACES, Activity, Again, Clash, Echo, Phase, Scene, Solved, Step
from board import Board
from claim import read_position
from combat import paths
from phasetext import USUAL, read_phase
from rules import MOST_UNREST, Table, Turn

EXAMPLES = {
    "ambush": "4211 M:b bit/pin/aqu/cis 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
    "fight": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
    "movement": "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-",
}

Values = dict[str, str]


def stated(board: Board, text: str) -> tuple[Phase, Scene]:
    """A position before a Barbarian phase, whatever IP are left."""
    words = text.split(" ")
    return read_phase(" ".join((words[0], words[1].partition(":")[0] + ":b", *words[2:])), board)


# -- figures ---------------------------------------------------------------------------------------------------


def example(board: Board, name: str) -> Values:
    """What one phase can do to a position of the rulebook."""
    phase, scene = stated(board, EXAMPLES[name])
    solved = phase.solve(phase.begin(scene))
    open_ends = {end: chance for end, chance in solved.ends.items() if isinstance(end, Scene)}
    first, uprisings, arrivals = count_uprisings(phase, solved)
    return {
        "uprising": str(first),
        "uprisings": str(uprisings),
        "lost": str(lost(solved)),
        "army": str(arrivals),
        "revolts": str(sum((chance * len(end.table.revolts) for end, chance in open_ends.items()), Fraction(0))),
        "outcomes": str(len(open_ends) + (lost(solved) > 0)),
    }


def lost(solved: Solved) -> Fraction:
    """The chance that the Empire falls."""
    return sum((chance for end, chance in solved.ends.items() if not isinstance(end, Scene)), Fraction(0))


def count_uprisings(phase: Phase, solved: Solved) -> tuple[Fraction, Fraction, Fraction]:
    """The chance of at least one uprising, the number of uprisings expected, and the chance that an army comes."""
    first = more = arrivals = Fraction(0)
    for step, visits in solved.visits.items():
        if isinstance(step, Activity):
            first += visits * Fraction(risers(phase, step.scene, FACES), 36)
        elif isinstance(step, Echo):
            again = [region for region in FACES if isinstance(phase.echo(step.scene, region), Again)]
            more += visits * Fraction(risers(phase, step.scene, again), 36)
            arrivals += visits * Fraction(6 - len(again), 6)
    return first, first + more, arrivals


def risers(phase: Phase, scene: Scene, regions: object) -> int:
    """Of the 36 provinces that two dice can name, how many of these regions are in revolt."""
    return sum(phase.at[pair] in scene.table.revolts for pair in product(regions, FACES))  # type: ignore[call-overload]


# -- falls -----------------------------------------------------------------------------------------------------


def falls(board: Board, revolts: Iterable[str], unrest: Iterable[str]) -> Values:
    """The chance that the Empire falls from a table with nothing else."""
    table = Table(frozenset(), frozenset(), frozenset(revolts), frozenset(unrest), (frozenset(),) * 4)
    phase = Phase(board, USUAL)
    chance = lost(phase.solve(phase.begin(Scene(table, (None,) * 4))))
    return {"revolts": str(len(table.revolts)), "unrest": str(len(table.unrest)), "lost": str(chance)}


def domino(board: Board) -> Values:
    """A revolt, and all unrest: the nearest provinces by normal links, then the nearest by any.

    It begins in the first Roman province from which normal links lead to the most provinces.
    """
    roman = [place for place in board.provinces if place not in board.borders]
    start = max(roman, key=lambda place: (len(nearest(board, [place], broken=False)), -board.row[place]))
    first, *others = nearest(board, nearest(board, [start], broken=False), broken=True)
    return falls(board, [first], others[:MOST_UNREST])


def nearest(board: Board, places: list[str], *, broken: bool) -> list[str]:
    """These provinces and the Roman ones connected to them, the neighbours of each in the order of the board."""
    found = list(places)
    for place in found:
        for other in sorted(board.links[place], key=board.row.__getitem__):
            if other not in found and other not in board.borders and (broken or not board.links[place][other]):
                found.append(other)
    return found


def all_unrest(board: Board) -> Values:
    """All unrest and no revolt: first where dice name nothing, then where a printed disc protects.

    The Empire falls when dice name a province without any disc, so there is a bound for all such tables. A phase places one
    unrest at most: with less on the map it cannot fall for want of one.
    """
    roman = [place for place in board.provinces if place not in board.borders]
    printed = frozenset().union(*board.printed.values())
    roman.sort(key=lambda place: (board.number[place] > 0, place not in printed))
    named = sum(number > 0 for number in board.number.values())
    hidden = len(roman) - named
    return falls(board, [], roman[:MOST_UNREST]) | {"bound": str(Fraction(named - max(0, MOST_UNREST - hidden), 36))}


# -- attacking or waiting --------------------------------------------------------------------------------------

OUTCOMES = ("victory", "draw", "defeat")


def wait(board: Board, text: str, army: str) -> Values:
    """An attack from where the active Emperor stands, and what comes of waiting where the army goes."""
    turn, start = read_position(text, board)
    assert start.place is not None  # as he stands in each of these positions
    price, target = turn.link_cost(start.table, start.place, army), board.arrow[army]
    values = {"attack.ip": str(price), "attack.from": start.place, "wait.in": target}
    for word, count in zip(OUTCOMES, turn.odds(start.place, start.table, army), strict=True):
        values[f"attack.{word}"] = str(Fraction(count, 36))
    phase, scene = stated(board, text)
    places = tuple(target if index == turn.active else place for index, place in enumerate(scene.places))
    assert places.count(target) == 1 and target not in scene.table.armies and price is not None
    met = battles(phase, phase.solve(phase.begin(scene._replace(places=places))), army, turn.active)
    for word, chance in zip(OUTCOMES, met, strict=True):
        values[f"wait.{word}"] = str(chance)
    values["wait.none"] = str(1 - sum(met))
    return values


def alone(board: Board, army: str) -> str:
    """The first Emperor stands where the army goes, and nothing else is on the map but a revolt under the army."""
    code = board.code[army]
    revolt = "-" if army in board.borders else code
    place = board.code[board.arrow[army]]
    return f"4211 {board.letters[0]}:6 {place}/-/-/- 23 {code} {revolt} - -/-/-/-"


def battles(phase: Phase, solved: Solved, army: str, emperor: int) -> list[Fraction]:
    """The chances of victory, draw and defeat of this Emperor when this army attacks him."""
    met = [Fraction(0)] * 3
    for step, visits in solved.visits.items():
        if isinstance(step, Clash) and step.armies[0] == army and phase_target(phase, step, emperor):
            turn = Turn(phase.board, phase.readings, 0, emperor, list(step.scene.places))
            counts = turn.odds(phase.board.arrow[army], step.scene.table, army)
            met = [chance + visits * Fraction(count, 36) for chance, count in zip(met, counts, strict=True)]
    return met


def phase_target(phase: Phase, step: Step, emperor: int) -> bool:
    """Whether it is this Emperor who is in the way."""
    assert isinstance(step, Clash)
    return step.scene.places[emperor] == phase.board.arrow[step.armies[0]]


# -- instances -------------------------------------------------------------------------------------------------

Instances = dict[str, Callable[[], Values]]


def phases(board: Board) -> Instances:
    """Phases from single positions."""
    examples = {f"example-{name}": partial(example, board, name) for name in EXAMPLES}
    return {**examples, "domino": partial(domino, board), "all-unrest": partial(all_unrest, board)}


def waits(board: Board) -> Instances:
    """Comparisons of an attack with waiting; an army that no link joins to where it goes cannot be attacked from there."""
    armies = [army for army in paths(board) if army in board.arrow and board.arrow[army] in board.links[army]]
    return {
        "example": partial(wait, board, EXAMPLES["fight"], "narbonensis"),
        **{f"alone-{army}": partial(wait, board, alone(board, army), army) for army in armies},
    }


COUNTS: dict[str, Callable[[Board], Instances]] = {"phase": phases, "wait": waits}
