"""The first turn, in which nobody has a role: what a set-up and at most four actions leave; and what a later turn has behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.finem.status.table import begun_on
from tetrasolve.finem.status.turn import suits_counted
from tetrasolve.finem.tracks import moves
from tetrasolve.reason import Reason

RULE = "no role: the first turn"
WAR = 4  # cubes of a civil war
REACH = 4  # the most neighbours of a region


def first_turn(position: Position) -> Iterator[Reason]:
    """What cannot be in the first turn, and what a later turn must have behind it."""
    if position.role is not None:
        points = sum(position.dice)
        least = len(TRIBES) * numbers.FIRST_DIE + numbers.CAMPAIGN_CARDS
        if points < least and not position.pacified:
            text = f"{points} points, expected at least {least}: no tribe is pacified, and a campaign has raised three dice"
            yield Reason("no-campaign", "dice", text, "a role comes after a turn without one")
        return
    if position.pacified and position.ruleset.readings["E-PACIFY"] != "free":
        yield Reason("first-pacified", "pacified", "pacified in the first turn", RULE)
    if position.phase is Phase.ROLE:
        yield from _at_its_end(position)
    if position.phase in (Phase.INVASION, Phase.ROLE):
        yield from _cubes_later(position)
        return
    if max(position.dice) > numbers.FIRST_DIE and position.step in (Step.ACT, Step.DRAW):
        yield Reason("first-dice", "dice", "a die has risen in the first turn's actions", RULE)
    has_moved = position.decline != numbers.FIRST_DECLINE and position.step is not Step.CRISIS
    if has_moved or position.outbreaks != numbers.FIRST_OUTBREAKS:
        yield Reason("first-tracks", "tracks", "a track has moved before the first campaign", RULE)
    if not _comes_from_set_up(position):
        text = "no set-up leads to these cubes, this pawn and this region last invaded with the actions taken"
        yield Reason("first-map", "cubes", text, RULE)


def _cards_by_cubes(position: Position) -> Mapping[int, int]:
    """How many cards of a set-up have three cubes, and two, and one [E-SETUP]."""
    nine, twelve = numbers.SET_UP_CARDS, numbers.SET_UP_CARDS_OF_TWELVE
    each, ones = {
        "nine": (nine, nine),
        "twelve": (twelve, twelve),
        "three-three-six": (nine, numbers.SET_UP_GROUPS * twelve - (numbers.SET_UP_GROUPS - 1) * nine),
    }[position.ruleset.readings["E-SETUP"]]
    return {1: ones, 2: each, 3: each}


def _set_up_cubes(position: Position) -> int:
    return sum(cubes * cards for cubes, cards in _cards_by_cubes(position).items())


def _comes_from_set_up(position: Position) -> bool:
    """Whether a set-up leads here by the actions that were taken: they are taken back in every way."""
    removed = _set_up_cubes(position) - sum(map(sum, position.cubes))
    if not 0 <= removed <= numbers.ACTIONS:
        return False
    own = {region: position.count(region, region[0]) for region in REGIONS}
    if sum(own.values()) < sum(map(sum, position.cubes)):
        return False  # cubes of other suits
    exact = position.step is Step.ACT
    taken = numbers.ACTIONS - position.left if exact else numbers.ACTIONS
    pacified = len(position.pacified)
    before: set[tuple[str, tuple[str, ...]]] = {
        (position.pawn, ())
    }  # the pawn, and the regions from which a cube was removed, before the last actions
    idle = {0: before}  # by the number of actions, without those that pacify
    for number in range(1, taken + 1):
        before = {earlier for pawn, gone in before for earlier in _earlier(position, own, pawn, gone)}
        idle[number] = before
    for number, states in idle.items():
        spare = taken - number  # actions that pacified, again and again where it must be so many
        fits = spare == 0 if exact and not pacified else spare >= pacified
        if fits and any(
            pawn in begun_on(position) and len(gone) == removed and _is_set_up(position, own, gone)
            for pawn, gone in states
        ):
            return True
    return False


def _earlier(
    position: Position, own: dict[str, int], pawn: str, gone: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The states before a move, or before a cube was removed."""
    for other in position.layout.neighbours[pawn]:
        yield other, gone
    if own[pawn] + gone.count(pawn) < numbers.MOST_IN_REGION:
        yield pawn, tuple(sorted((*gone, pawn)))


def _is_set_up(position: Position, own: dict[str, int], gone: tuple[str, ...]) -> bool:
    """Whether the cubes are those of a set-up, with what was removed."""
    cubes = {region: count + gone.count(region) for region, count in own.items()}
    numbers_of = Counter(count for count in cubes.values() if count)
    is_full = any(sum(n for region, n in cubes.items() if region[0] == tribe) > numbers.CUBES for tribe in TRIBES)
    none_yet = position.ruleset.readings["E-FIRST-LAST"] == "none"
    is_last = position.last == position.start if none_yet else cubes[position.last] == 1
    return is_last and not is_full and numbers_of == _cards_by_cubes(position)


def _cubes_later(position: Position) -> Iterator[Reason]:
    """The number of cubes, in bounds: four removed by actions, and what event, crisis and two cards of invasion change."""
    first, found = _set_up_cubes(position), sum(map(sum, position.cubes))
    is_free = position.ruleset.readings["E-PACIFY"] == "free"
    least = first - numbers.ACTIONS - (numbers.MOST_IN_REGION if is_free else 1)
    bursts = position.outbreaks - numbers.FIRST_OUTBREAKS
    most = first + numbers.INVASIONS_OF_FIRST_CARD + WAR + REACH * bursts
    if not least <= found <= most:
        yield Reason("first-cubes", "cubes", f"{found} on the map, expected {least} to {most}", RULE)


def _at_its_end(position: Position) -> Iterator[Reason]:
    """Decline and dice after one campaign."""
    for points in first_points():
        suits = sum(map(bool, points))
        has_event = suits == numbers.CAMPAIGN_CARDS and position.ruleset.readings["E-EVENT"] == "three-suits"
        cards = [tribe for tribe, number in zip(TRIBES, points, strict=True) for _ in range(number)]
        counted = suits_counted(position, cards)
        after = {place for one in counted for place in moves(position.ruleset, numbers.FIRST_DECLINE, one)}
        if position.decline in after and first_dice(position, points, may_raise=has_event):
            return
    text = f"dice {''.join(map(str, position.dice))} and decline {position.decline} after one campaign"
    yield Reason("first-campaign", "dice", text, RULE)


def first_points() -> Iterator[tuple[int, ...]]:
    """The points that three cards can give to the four dice."""
    most = numbers.CAMPAIGN_CARDS
    for o in range(most + 1):
        for c in range(most + 1 - o):
            for e in range(most + 1 - o - c):
                yield o, c, e, most - o - c - e


def first_dice(position: Position, points: tuple[int, ...], *, may_raise: bool, must_raise: bool = False) -> bool:
    """Whether the first campaign's points, and event S if it can have come, lead to these dice.

    Tribes that are pacified were so by actions [E-PACIFY] free, and may be eradicated: of their dice nothing is said but the most.
    """
    raised: list[int | None] = [] if must_raise else [None]
    raised += range(len(TRIBES)) if may_raise else []
    for extra in raised:
        expected = [numbers.FIRST_DIE + n + (at == extra) for at, n in enumerate(points)]
        if all(
            die == most or (tribe in position.pacified and die <= most)
            for tribe, die, most in zip(TRIBES, position.dice, expected, strict=True)
        ):
            return True
    return False
