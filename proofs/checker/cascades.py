"""Facts about uprisings on quiet ground, and about what dice name: counted anew with the Barbarian phase of this program."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product

from barbarian import FACES, Activity, Echo, Phase, Scene, Step
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from opening import LEVELS, level
from phasetext import USUAL
from rules import Table
from text import Lines

Values = Iterator[tuple[str, str]]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.kind not in COUNTS:
        raise lines.refuted(f"no uprising gives facts of the kind {fact.kind}")
    instances, count = COUNTS[fact.kind]
    if fact.instance not in instances(board):
        raise lines.refuted(f"there is no fact {fact.id}")
    return dict(count(board, fact.instance))


def row(words: Iterable[str]) -> str:
    """A row of words as text."""
    texts = list(words)
    return ".".join(texts) + "." * (len(texts) == 1) or "-"


def bare(board: Board, revolts: Iterable[str] = (), unrest: Iterable[str] = ()) -> tuple[Phase, Scene]:
    """A map with these discs and nothing else."""
    table = Table(frozenset(), frozenset(), frozenset(revolts), frozenset(unrest), (frozenset(),) * 4)
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


def deadliest(board: Board, group: str) -> Values:
    """The largest mean and the largest number, and which provinces have them."""
    region = None if group == "empire" else int(group.removeprefix("region-"))
    found = {place: chances(board, place) for place in named(board) if region in (None, board.region[place])}
    means = {place: mean(numbers) for place, numbers in found.items()}
    most = {place: max(numbers) for place, numbers in found.items()}
    yield "mean", str(max(means.values()))
    yield "by-mean", row(place for place in found if means[place] == max(means.values()))
    yield "max", str(max(most.values()))
    yield "by-max", row(place for place in found if most[place] == max(most.values()))


# -- dice ------------------------------------------------------------------------------------------------------


def dice_name(board: Board, _: str) -> Values:
    """How many of 36 rolls name each province."""
    rolls = [bare(board)[0].at[pair] for pair in product(FACES, FACES)]
    for place in board.provinces:
        yield place, str(Fraction(rolls.count(place), 36))
    yield "count", str(len(set(rolls)))
    yield "never", row(place for place in board.provinces if place not in rolls)


def uprising_chance(board: Board, _: str) -> Values:
    """The least and the greatest chance of an uprising with so many revolts and no unrest: who is named is in 36ths."""
    can, cannot = len(named(board)), len(board.provinces) - len(board.borders) - len(named(board))
    for revolts in range(MOST_REVOLTS + 1):
        inside = [number for number in range(can + 1) if 0 <= revolts - number <= cannot]
        yield f"min.{revolts}", str(Fraction(min(inside), 36))
        yield f"max.{revolts}", str(Fraction(max(inside), 36))


def unrest_turns(board: Board, _: str) -> Values:
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


def opening(board: Board, _: str) -> Values:
    """The first phase after a set-up with one revolt in each region: what it adds is a sum over single provinces.

    The mean over all set-ups is the sum of the means, so for it only pairs of provinces are looked at, with the chance that
    the one is in revolt and the other is not. The extremes are sought among all set-ups.
    """
    weight = weights(board)
    yield "set-ups", str(5**6)
    yield "uprising", str(Fraction(6, 36))
    total = Fraction(0)
    for place, gains in weight.items():
        for other, gain in gains.items():
            total += chance_of(board, place, other) * gain
    yield "mean", str(total)
    most, least = Fraction(-1), Fraction(10**9)
    scale = 36 * 6 * 4  # every gain is a whole number of this part
    whole = {place: {other: int(gain * scale) for other, gain in gains.items()} for place, gains in weight.items()}
    by_region = [
        [place for place in named(board) if board.region[place] == region and board.number[place] > 1]
        for region in FACES
    ]
    for chosen in product(*by_region):
        revolts = set(chosen)
        new = Fraction(
            sum(gain for place in chosen for other, gain in whole[place].items() if other not in revolts), scale
        )
        most, least = max(most, new), min(least, new)
    yield "max", str(most)
    yield "min", str(least)


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


def chance_of(board: Board, place: str, other: str) -> Fraction:
    """The chance that a set-up has a revolt in the one and none in the other."""
    faces = range(2, 7)  # a one is rolled again
    if board.number[place] not in faces:
        return Fraction(0)
    same = board.region[place] == board.region[other]
    rolls = [(a, a if same else b) for a in faces for b in faces]
    good = [
        pair for pair in rolls if pair[0] == board.number[place] and (pair[1] != board.number[other] or place == other)
    ]
    return Fraction(len(good), len(rolls)) if place != other else Fraction(0)


def once(_: Board) -> set[str]:
    """There is one fact of this kind."""
    return {""}


# For each kind of fact which instances it has, and how they are counted
COUNTS: dict[str, tuple[Callable[[Board], Iterable[str]], Callable[[Board, str], Values]]] = {
    "uprising-size": (named, size),
    "uprising-deadliest": (lambda _: {"empire", *(f"region-{region}" for region in FACES)}, deadliest),
    "dice-names": (once, dice_name),
    "uprising-chance": (once, uprising_chance),
    "unrest-turns": (once, unrest_turns),
    "opening-revolts": (once, opening),
    "opening-level": (lambda _: LEVELS, level),
}
assert MOST_ARMIES > 0  # so that an uprising on quiet ground is followed by an echo
