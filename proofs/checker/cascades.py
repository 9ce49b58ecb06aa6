"""Facts about uprisings on quiet ground, chains and marches: counted with the Barbarian phase of the checker."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial

from barbarian import Phase
from board import Board
from claim import MOST_REVOLTS
from maps import row
from phasesteps import FACES, Echo, Fallen, Scene
from rules import USUAL, Table

Values = Iterator[tuple[str, str]]


def bare(board: Board, revolts: Iterable[str] = (), armies: Iterable[str] = ()) -> tuple[Phase, Scene]:
    """A map with these revolts and armies and nothing else."""
    table = Table(frozenset(), frozenset(armies), frozenset(revolts), frozenset(), (frozenset(),) * 4)
    return Phase(board, USUAL), Scene(table, (None,) * 4)


def named(board: Board) -> list[str]:
    """The provinces that two dice can name."""
    return [place for place in board.provinces if board.number[place]]


# -- uprisings -------------------------------------------------------------------------------------------------


def chances(board: Board, place: str) -> dict[int, Fraction]:
    """The chance of each number of new revolts in an uprising on quiet ground."""
    phase, scene = bare(board, [place])
    found: dict[int, Fraction] = {}
    waiting = [(phase.resolve(scene, place), Fraction(1))]
    while waiting:
        step, share = waiting.pop()
        if isinstance(step, Echo):
            new = len(step.scene.table.revolts) - 1
            found[new] = found.get(new, Fraction(0)) + share
        else:
            results = phase.roll(step).results
            waiting += [(result, share / len(results)) for result in results]
    return found


def mean(numbers: dict[int, Fraction]) -> Fraction:
    """The number that is expected."""
    return sum((number * chance for number, chance in numbers.items()), Fraction(0))


def size(board: Board, place: str) -> Values:
    """An uprising on quiet ground."""
    found = chances(board, place)
    yield "min", str(min(found))
    yield "max", str(max(found))
    yield "mean", str(mean(found))
    for number, chance in found.items():
        yield f"chance.{number}", str(chance)


def deadliest(board: Board, region: int | None) -> Values:
    """The largest mean and the largest number, and which provinces have them."""
    found = {place: chances(board, place) for place in named(board) if region in (None, board.region[place])}
    means = {place: mean(numbers) for place, numbers in found.items()}
    most = {place: max(numbers) for place, numbers in found.items()}
    yield "mean", str(max(means.values()))
    yield "by-mean", row(place for place in found if means[place] == max(means.values()))
    yield "max", str(max(most.values()))
    yield "by-max", row(place for place in found if most[place] == max(most.values()))


# -- marches ---------------------------------------------------------------------------------------------------


def march(board: Board, border: str) -> Values:
    """How many phases an army that nothing blocks needs from a border to Roma.

    The number of phases expected from a province is one more than the mean over where a phase leads from there; the army
    leaves each province with a chance above zero, so these equations have one solution, from the last province back.
    """
    way = on_its_way(board, border)
    if not way:
        yield "min", "never"
        return
    steps = {place: one_phase(board, place) for place in way}
    expected = {board.roma: Fraction(0)}
    for place in reversed(way):
        onward = sum(
            (chance * expected[there] for there, chance in steps[place].items() if there != place), Fraction(1)
        )
        expected[place] = onward / (1 - steps[place].get(place, Fraction(0)))
    soonest = Fraction(1)
    for place in way:
        soonest *= sum((chance for there, chance in steps[place].items() if there != place), Fraction(0))
    yield "min", str(len(way))
    yield "soonest", str(soonest)
    yield "broken", str(sum(len(ways) > 1 for ways in steps.values()))
    yield "mean", str(expected[border])
    for number, place in enumerate(way):
        yield f"from.{place}", str(len(way) - number)
        yield f"mean-from.{place}", str(expected[place])


def on_its_way(board: Board, border: str) -> list[str]:
    """The provinces by the arrows from a border to before Roma; none if they lead elsewhere."""
    way = [border]
    while board.arrow.get(way[-1], way[0]) not in (board.roma, *way):
        way.append(board.arrow[way[-1]])
    return way if board.arrow.get(way[-1]) == board.roma else []


def one_phase(board: Board, place: str) -> dict[str, Fraction]:
    """Where an army that is alone on the map is after it has advanced once."""
    phase, scene = bare(board, {place} - board.borders, armies=[place])
    found: dict[str, Fraction] = {}
    for end, chance in phase.solve(phase.advance(scene)).ends.items():
        there = board.roma if isinstance(end, Fallen) else next(iter(end.table.armies))
        found[there] = found.get(there, Fraction(0)) + chance
    return found


def likely(board: Board) -> Values:
    """The least and the greatest chance of an uprising without unrest, by the number of revolts: who is named is in 36ths."""
    can, cannot = len(named(board)), len(board.provinces) - len(board.borders) - len(named(board))
    for revolts in range(1, MOST_REVOLTS + 1):
        inside = [Fraction(number, 36) for number in range(can + 1) if 0 <= revolts - number <= cannot]
        yield from ((f"min.{revolts}", str(min(inside))), (f"max.{revolts}", str(max(inside))))


def chain(board: Board) -> Values:
    """How many uprisings a phase can be expected to have at most, by the number of borders that are not empty.

    An echo continues with one of the revolts that dice name in regions whose borders are not empty: a geometric series.
    """
    by_region = sorted((sum(board.region[place] == region for place in named(board)) for region in FACES), reverse=True)
    first = Fraction(min(MOST_REVOLTS, len(named(board))), 36)
    for borders in range(len(board.borders) + 1):
        goes_on = Fraction(min(MOST_REVOLTS, sum(by_region[:borders])), 36)
        yield f"borders.{borders}.goes-on", str(goes_on)
        yield f"borders.{borders}.further", str(goes_on / (1 - goes_on))
        yield f"borders.{borders}.mean", str(first / (1 - goes_on))


Instances = dict[str, Callable[[], Values]]


def uprisings(board: Board) -> Instances:
    """How likely uprisings are, and what they bring on quiet ground."""
    regions = {"empire": None, **{f"region-{region}": region for region in FACES}}
    return {
        **{f"in-{place}": partial(size, board, place) for place in named(board)},
        **{f"deadliest-{name}": partial(deadliest, board, region) for name, region in regions.items()},
        "chance": partial(likely, board),
    }


COUNTS: dict[str, Callable[[Board], Instances]] = {
    "uprising": uprisings,
    "chain": lambda board: {"": partial(chain, board)},
    "march": lambda board: {border: partial(march, board, border) for border in board.borders},
}
