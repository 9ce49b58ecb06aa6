"""Facts about uprisings on quiet ground, dice, first phases and marches: counted with the Barbarian phase of the checker."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, product

from barbarian import FACES, Activity, Echo, Fallen, Phase, Scene, Step
from board import Board
from claim import MOST_REVOLTS
from maps import row
from opening import LEVELS, level
from phasetext import USUAL
from rules import Table

LISTED = 10  # phases beyond the fewest of a march

Values = Iterator[tuple[str, str]]


def bare(
    board: Board, revolts: Iterable[str] = (), unrest: Iterable[str] = (), armies: Iterable[str] = ()
) -> tuple[Phase, Scene]:
    """A map with these discs and armies and nothing else."""
    table = Table(frozenset(), frozenset(armies), frozenset(revolts), frozenset(unrest), (frozenset(),) * 4)
    return Phase(board, USUAL), Scene(table, (None,) * 4)


def named(board: Board) -> list[str]:
    """The provinces that two dice can name."""
    return [place for place in board.provinces if board.number[place]]


def until(phase: Phase, start: Step, wanted: type[Activity] | type[Echo]) -> dict[Scene, Fraction]:
    """The scenes with their chances when a step of this kind comes, or the phase is over."""
    scenes: dict[Scene, Fraction] = {}
    waiting = [(start, Fraction(1))]
    while waiting:
        step, share = waiting.pop()
        if isinstance(step, wanted):
            scenes[step.scene] = scenes.get(step.scene, Fraction(0)) + share
        else:
            results = phase.roll(step).results
            waiting += [(result, share / len(results)) for result in results]
    return scenes


# -- uprisings -------------------------------------------------------------------------------------------------


def chances(board: Board, place: str) -> dict[int, Fraction]:
    """The chance of each number of new revolts in an uprising on quiet ground."""
    phase, scene = bare(board, [place])
    found: dict[int, Fraction] = {}
    for after, chance in until(phase, phase.resolve(scene, place), Echo).items():
        new = len(after.table.revolts - scene.table.revolts)
        found[new] = found.get(new, Fraction(0)) + chance
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


# -- dice ------------------------------------------------------------------------------------------------------


def dice_name(board: Board) -> Values:
    """How many of 36 rolls name each province."""
    rolls = [bare(board)[0].at[pair] for pair in product(FACES, FACES)]
    for place in board.provinces:
        yield place, str(Fraction(rolls.count(place), 36))
    yield "count", str(len(set(rolls)))
    yield "never", row(place for place in board.provinces if place not in rolls)


def uprising_chance(board: Board) -> Values:
    """The least and the greatest chance of an uprising with so many revolts and no unrest: who is named is in 36ths."""
    can, cannot = len(named(board)), len(board.provinces) - len(board.borders) - len(named(board))
    for revolts in range(MOST_REVOLTS + 1):
        inside = [number for number in range(can + 1) if 0 <= revolts - number <= cannot]
        yield f"min.{revolts}", str(Fraction(min(inside), 36))
        yield f"max.{revolts}", str(Fraction(max(inside), 36))


def unrest_turns(board: Board) -> Values:
    """One unrest, revolts in any of its neighbours: the chance that it turns, by its broken links to them."""
    found: dict[str, set[Fraction]] = {}
    for place in board.provinces:
        if place not in board.borders:
            linked = [other for other in board.links[place] if other not in board.borders]
            for count in range(1, len(linked) + 1):
                for revolts in combinations(linked, count):
                    phase, scene = bare(board, revolts, [place])
                    after = until(phase, phase.begin(scene), Activity)
                    turned = sum((chance for now, chance in after.items() if place in now.table.revolts), Fraction(0))
                    broken = all(board.links[place][other] for other in revolts)
                    found.setdefault(f"broken.{count}" if broken else "normal", set()).add(turned)
    for path, all_chances in found.items():
        for chance in all_chances:  # there should be one; a second one makes another value of it
            yield path if len(all_chances) == 1 else f"{path}.{chance}", str(chance)
    yield "most-broken", str(sum(path != "normal" for path in found))


# -- openings --------------------------------------------------------------------------------------------------


def opening(board: Board, digits: str) -> Values:
    """The first phase at levels that end in these digits; with no more revolts and no armies the extremes of all set-ups too.

    What the phase adds to a set-up is a sum over pairs of provinces: dice raise the first, and the second is not in revolt.
    """
    yield from level(board, digits)
    if digits == "00":
        gains_of = weights(board)
        scale = 36 * 6 * 4  # every gain is a whole number of this part
        whole = {
            place: {other: int(gain * scale) for other, gain in gains.items()} for place, gains in gains_of.items()
        }
        able = [place for place in named(board) if board.number[place] > 1]  # a one is rolled again
        new = [
            sum(gain for place in chosen for other, gain in whole[place].items() if other not in chosen)
            for chosen in product(*([place for place in able if board.region[place] == region] for region in FACES))
        ]
        yield "set-ups", str(len(new))
        yield "max", str(Fraction(max(new), scale))
        yield "min", str(Fraction(min(new), scale))


def weights(board: Board) -> dict[str, dict[str, Fraction]]:
    """For two provinces the chance that dice raise the first, and that it brings a revolt to the second if none lies there.

    It does if the uprising reaches it, or if the army of the echo enters it and the uprising has not reached it.
    """
    found: dict[str, dict[str, Fraction]] = {}
    for place in named(board):
        reached = {
            other: Fraction(1, 2) if broken else Fraction(1)
            for other, broken in board.links[place].items()
            if other not in board.borders
        }
        gains = dict(reached)
        for border in board.borders:
            target = board.arrow.get(border)
            if target is not None and target not in board.borders and target != place:
                comes = Fraction(1, 2) if board.links[border].get(target, True) else Fraction(1)
                gains[target] = gains.get(target, Fraction(0)) + comes / 6 * (1 - reached.get(target, Fraction(0)))
        found[place] = {other: gain / 36 for other, gain in gains.items()}
    return found


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
    fallen = arrivals(board, steps, border, len(way) + LISTED)
    yield "min", str(next(number for number, chance in enumerate(fallen) if chance))
    yield "broken", str(sum(len(ways) > 1 for ways in steps.values()))
    yield "mean", str(expected[border])
    for number, place in enumerate(way):
        yield f"from.{place}", str(len(way) - number)
        yield f"mean-from.{place}", str(expected[place])
    for number in range(len(way), len(fallen)):
        yield f"phase.{number}", str(fallen[number])
    yield "later", str(1 - sum(fallen))


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


def arrivals(board: Board, steps: dict[str, dict[str, Fraction]], border: str, phases: int) -> list[Fraction]:
    """The chance that it enters Roma in phase 0, 1, 2, ..."""
    where, fallen = {border: Fraction(1)}, [Fraction(0)]
    for _ in range(phases):
        after: dict[str, Fraction] = {}
        for place, share in where.items():
            for there, chance in steps[place].items():
                after[there] = after.get(there, Fraction(0)) + share * chance
        fallen.append(after.pop(board.roma, Fraction(0)))
        where = after
    return fallen


# -- instances -------------------------------------------------------------------------------------------------

Instances = dict[str, Callable[[], Values]]


def uprisings(board: Board) -> Instances:
    """Uprisings on quiet ground."""
    regions = {"empire": None, **{f"region-{region}": region for region in FACES}}
    return {
        **{f"in-{place}": partial(size, board, place) for place in named(board)},
        **{f"deadliest-{name}": partial(deadliest, board, region) for name, region in regions.items()},
    }


def dice(board: Board) -> Instances:
    """What dice do before any uprising."""
    counts = {"names": dice_name, "uprising": uprising_chance, "unrest": unrest_turns}
    return {name: partial(count, board) for name, count in counts.items()}


COUNTS: dict[str, Callable[[Board], Instances]] = {
    "uprising": uprisings,
    "dice": dice,
    "opening": lambda board: {digits: partial(opening, board, digits) for digits in LEVELS},
    "march": lambda board: {border: partial(march, board, border) for border in board.borders},
}
