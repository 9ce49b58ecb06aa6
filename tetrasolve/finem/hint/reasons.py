"""Reasons for a plan: what it changes on the table, and how the dangers after it differ from others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from tetrasolve.finem.kernel import FEATURE_NAMES, Player, State
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Phase, Position

_AT = {name: number for number, name in enumerate(FEATURE_NAMES)}


@dataclass(frozen=True, slots=True)
class Dangers:
    """Counts of the cards that can still be drawn in this turn.

    `losing` ones lose the game as the next invasion, `outbreaks` are those that bring an outbreak without losing, and
    `losing_crises` lose as a crisis.
    """

    losing: int
    outbreaks: int
    losing_crises: int

    @classmethod
    def of(cls, player: Player, state: State) -> Dangers:
        """Those at a state of a game that is not over."""
        row = player.features(state)
        return cls(  # the features are scaled
            round(2 * row[_AT["losing cards 0"]]),
            round(row[_AT["outbreak cards 0"]]),
            round(4 * row[_AT["losing crises 0"]]),
        )


WORDS = (  # the name of each danger, and what it counts: several, and one
    ("losing", "cards whose invasion loses the game", "card whose invasion loses the game"),
    ("outbreaks", "cards whose invasion brings an outbreak", "card whose invasion brings an outbreak"),
    ("losing_crises", "cards that lose as a crisis", "card that loses as a crisis"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan leads to: the position (None: it ends the game), whether that is won, and the dangers in it."""

    position: Position | None
    is_won: bool
    dangers: Dangers | None


def reasons(before: Position, now: Dangers, outcome: Outcome, other: Outcome | None, name: str) -> tuple[str, ...]:
    """The reasons for a plan; `other` is the plan that it is compared with, called `name`.

    A plan up to a card that is drawn before the actions are over leads to no end that can be compared.
    """
    if outcome.position is None:
        return ("wins the game",) if outcome.is_won else ("ends the game",)
    found = [*_changes(before, outcome.position)]
    assert outcome.dangers is not None  # a position has them
    for field, words, _ in WORDS:
        was, is_now = getattr(now, field), getattr(outcome.dangers, field)
        if is_now != was:
            found.append(f"{'lowers' if is_now < was else 'raises'} the number of {words} from {was} to {is_now}")
    if other is None or _goes_on(outcome) or _goes_on(other):
        return tuple(found)
    if other.dangers is not None:
        for field, words, word in WORDS:
            mine, its = getattr(outcome.dangers, field), getattr(other.dangers, field)
            if mine != its:
                found.append(f"{mine} {word if mine == 1 else words}, {its} after {name}")
    if other.position is not None:
        found += _difference(outcome.position, other.position, name)
    return tuple(found)


def _goes_on(outcome: Outcome) -> bool:
    """Whether the actions are not over after a plan: it ends where a card is drawn."""
    return outcome.position is not None and outcome.position.phase is Phase.ACTIONS


def _changes(before: Position, after: Position) -> list[str]:
    """Cubes that were removed or put, tribes that were pacified, the pawn and the role."""
    found = []
    removed = [
        (tribe, before.count(region, tribe) - after.count(region, tribe), region)
        for region in REGIONS
        for tribe in TRIBES
        if before.count(region, tribe) > after.count(region, tribe)
    ]
    for region, rows in groupby(removed, key=lambda row: row[2]):
        cubes = " and ".join(f"{count} of {tribe}" for tribe, count, _ in rows)
        found.append(f"removes {cubes} from {region}")
    new = [tribe for tribe in TRIBES if tribe in after.pacified and tribe not in before.pacified]
    if new:
        found.append(f"pacifies {' and '.join(new)}")
    dice = [
        f"{tribe} {was} to {now}"
        for tribe, was, now in zip(TRIBES, before.dice, after.dice, strict=True)
        if was != now and tribe not in new
    ]
    if dice:
        found.append(f"changes dice: {', '.join(dice)}")
    if after.role != before.role:
        found.append(f"the next turn is played as {after.role}")
    if after.protected != before.protected and after.protected is not None:
        found.append(f"protects {after.protected}")
    return found


def _difference(mine: Position, its: Position, name: str) -> list[str]:
    """What this plan leaves that the other does not."""
    left = sum(mine.on_map(tribe) for tribe in TRIBES) - sum(its.on_map(tribe) for tribe in TRIBES)
    found = []
    if left:
        found.append(
            f"leaves {abs(left)} {'cube' if abs(left) == 1 else 'cubes'} {'more' if left > 0 else 'fewer'} than {name}"
        )
    if mine.pawn != its.pawn:
        found.append(f"ends in {mine.pawn}, {name} in {its.pawn}")
    return found
