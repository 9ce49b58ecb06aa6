"""How many uprisings there are in one Barbarian phase: a bound over all positions, and the distribution in one position.

The bound. A state is the number m of revolts that an echo can name: those in numbered provinces of regions whose borders
are not empty, and no more than there are revolts. The certificate lists for each m a bound h(m) on the uprisings that are
expected after an echo there. The echo raises one of the m with chance m/36 at most; that never makes m less. So the
bounds hold if for each m, h(m) is m/36 times the largest of 1 + h(m') for every m' from m on, since then no number of uprisings,
however large, can have been forgotten: the chance that there are n more is at most (M/36)^n, where M is the largest m.
"""

from collections.abc import Iterator
from fractions import Fraction

from barbarian import FACES, Activity, Again, Echo, Phase, Scene, Step, Uprising
from board import Board
from claim import MOST_REVOLTS
from claimed import Fact
from phasetext import read_plain
from text import Lines, Unreadable

LISTED = 8


def bound(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of a bound over all positions."""
    if fact.kind != "chain-bound" or fact.instance not in [str(number) for number in range(len(board.borders) + 1)]:
        raise lines.refuted(f"there is no fact {fact.id}")
    named = [place for place in board.provinces if board.number[place]]
    by_region = sorted(sum(board.region[place] == region for place in named) for region in FACES)
    most = min(MOST_REVOLTS, sum(by_region[len(by_region) - int(fact.instance) :]))
    bounds: list[Fraction] = []
    for line in lines.section("states"):
        text = line.partition(" ")[2]
        bounds.append(lines.fraction(text))
        if line != f"{len(bounds) - 1} {bounds[-1]}":
            raise lines.unreadable("expected the numbers of revolts in ascending order, each with its bound")
    if len(bounds) != most + 1:
        raise lines.refuted(f"expected a bound for each number of revolts up to {most}")
    for number, here in enumerate(bounds):
        if here != Fraction(number, 36) * (1 + max(bounds[number:])):
            raise lines.refuted(f"the bound for {number} revolts does not hold, or a smaller one would")
    first, goes_on = Fraction(min(MOST_REVOLTS, len(named)), 36), Fraction(most, 36)
    values = {
        "first": str(first),
        "goes-on": str(goes_on),
        "further": str(max(bounds)),
        "mean": str(first * (1 + max(bounds))),
    }
    for number in range(1, LISTED + 1):
        values[f"at-least.{number}"] = str(first * goes_on ** (number - 1))
    return values


# -- one position ----------------------------------------------------------------------------------------------


def distribution(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """How likely each number of uprisings is in a phase that begins from one position."""
    try:
        phase, scene = read_plain(fact.fields["position"], board)
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    if fact.id != "chain-longest" or any(scene.empty(border) for border in board.borders):
        raise lines.refuted("expected the fact chain-longest, and a position in which no border is empty")
    if scene.table.unrest:
        raise lines.refuted("expected no unrest")
    values = {"revolts": ".".join(place for place in board.provinces if place in scene.table.revolts)}
    begun = phase.begin(scene)
    assert isinstance(begun, Activity)  # without unrest nothing spreads
    reached, now = Fraction(1), {begun: Fraction(1)}
    for number in range(LISTED + 1):
        onward: dict[Step, Fraction] = {}
        again = Fraction(0)
        for step, share in now.items():
            for place, chance in raised(phase, step):
                again += share * chance
                for echo, part in after(phase, step, place):
                    onward[echo] = onward.get(echo, Fraction(0)) + share * chance * part
        values[f"chance.{number}"] = str(reached - again)
        reached, now = again, onward  # type: ignore[assignment]  # echoes from here on
    values["more"] = str(reached)
    values["mean"] = str(expected(phase, begun, {}))
    return values


def raised(phase: Phase, step: Step) -> Iterator[tuple[str, Fraction]]:
    """The provinces that the dice raise at an activity or an echo, with their chances."""
    assert isinstance(step, Activity | Echo)
    for region in FACES:
        if isinstance(step, Activity) or isinstance(phase.echo(step.scene, region), Again):
            for number in FACES:
                if phase.at[region, number] in step.scene.table.revolts:
                    yield phase.at[region, number], Fraction(1, 36)


def after(phase: Phase, step: Step, place: str) -> Iterator[tuple[Echo, Fraction]]:
    """The echoes that follow an uprising in a province, with their chances; the Empire may fall instead."""
    assert isinstance(step, Activity | Echo)
    waiting: list[tuple[Step, Fraction]] = [(phase.rise(step.scene, place), Fraction(1))]
    while waiting:
        now, share = waiting.pop()
        if isinstance(now, Echo):
            yield now, share
        elif isinstance(now, Uprising):
            results = phase.roll(now).results
            waiting += [(result, share / len(results)) for result in results]


def expected(phase: Phase, step: Step, known: dict[Scene, Fraction]) -> Fraction:
    """The uprisings that are expected from an activity or an echo on: one equation for each scene."""
    assert isinstance(step, Activity | Echo)
    if isinstance(step, Echo) and step.scene in known:
        return known[step.scene]
    total = back = Fraction(0)
    for place, chance in raised(phase, step):
        total += chance
        for echo, share in after(phase, step, place):
            if echo == step:
                back += chance * share
            else:
                total += chance * share * expected(phase, echo, known)
    if isinstance(step, Echo):
        known[step.scene] = total / (1 - back)
        return known[step.scene]
    return total
