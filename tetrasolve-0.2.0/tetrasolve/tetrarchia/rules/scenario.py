"""The four historical scenarios (rulebook pages 16 to 19): their set-ups.

They have a *general revolt*, several revolts in the regions where the war started, and *rebel armies* (`rebels`). The rest is
as in any game, so after its set-up a scenario is just a position. The data are files of the library, one for each scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import RulesetError, shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import FIXED_PROVINCE
from tetrasolve.tetrarchia.pieces import Goths, Pirates, Rebel, Rebels
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.rules.chance import Dice
from tetrasolve.tetrarchia.rules.setup import (
    RolledSetUp,
    empty_board,
    first_revolts,
    require_fleets,
    roll_from_seed,
    roll_pieces,
    with_fleets,
)
from tetrasolve.tetrarchia.ruleset import Ruleset


# Rule p16-unchanged
@dataclass(frozen=True, slots=True)
class Scenario:
    """The data of a scenario: provinces of `revolts` by coordinates, others by id; `rebels` by their borders."""

    name: str
    title: str
    years: str
    level: str
    modules: frozenset[str]
    revolts: tuple[str, ...]
    armies: tuple[str, ...]
    goths: str | None
    pirates: int | None
    rebels: Mapping[str, Rebel]
    emperors: Mapping[str, str]
    first: str

    # Rule p16-three-garrisons
    def ruleset(
        self,
        garrisons: int | None = None,
        modules: Iterable[str] = (),
        variants: Iterable[str] = (),
        interpretations: tuple[tuple[str, str], ...] = (),
        house: tuple[tuple[str, int], ...] = (),
    ) -> Ruleset:
        """The level and modules of this scenario, with further ones, or with other garrisons (the rulebook suggests 3).

        :raises RulesetError: when a module needs a figure that is a rebel here, or a rule of the ruleset forbids it.
        """
        level = Ruleset.from_level(self.level)
        return self.checked(
            Ruleset(
                level.garrisons if garrisons is None else garrisons,
                level.fleets,
                level.revolts,
                level.armies,
                self.modules.union(modules),
                frozenset(variants),
                interpretations,
                house,
            )
        )

    # Rule p16-rebel-figures
    def checked(self, ruleset: Ruleset) -> Ruleset:
        """A ruleset with which this scenario can be played.

        :raises RulesetError: when it cannot.
        """
        if ruleset.level[1:] != self.level[1:]:
            raise RulesetError(
                f"{self.name}: level {ruleset.level}, expected {self.level} with any number of garrisons"
            )
        missing = sorted(self.modules - ruleset.modules)
        if missing:
            raise RulesetError(f"{self.name}: it is played with {', '.join(missing)}")
        for border, rebel in self.rebels.items():
            if rebel.figure in ruleset.modules:
                raise RulesetError(f"{self.name}: the {rebel.figure} figure is the rebel army of {border} here")
        return ruleset


def scenarios() -> tuple[str, ...]:
    """The names of the scenarios, in the order of the wars.

    >>> scenarios()
    ('carausian-revolt', 'danubian-wars', 'mauretanian-war', 'great-persian-war')
    """
    return tuple(_library())


def scenario(name: str) -> Scenario:
    """The scenario with this name.

    :raises RulesetError: when there is none.
    """
    found = _library().get(name)
    if found is None:
        raise RulesetError(f"scenario {shown(name)} does not exist; there are {', '.join(_library())}")
    return found


@cache
def _library() -> Mapping[str, Scenario]:
    folder = resources.files("tetrasolve.tetrarchia").joinpath("data/scenarios")
    found = [
        _read(entry.name.removesuffix(".toml"), read_toml(entry.read_text("utf-8")))
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    ]
    return MappingProxyType({war.name: war for war in sorted(found, key=lambda war: (war.years, war.name))})


def _read(name: str, data: Mapping[str, Any]) -> Scenario:
    """A scenario from its file, which is part of the library and not validated."""
    return Scenario(
        name=name,
        title=data["title"],
        years=data["years"],
        level=data["level"],
        modules=frozenset(data["modules"]),
        revolts=tuple(data["revolts"]),
        armies=tuple(data.get("armies", ())),
        goths=data.get("goths"),
        pirates=data.get("pirates"),
        rebels=MappingProxyType({border: Rebel(**rebel) for border, rebel in data.get("rebels", {}).items()}),
        emperors=MappingProxyType(data["emperors"]),
        first=data["first"],
    )


# -- set-up ----------------------------------------------------------------------------------------------------


def scenario_set_up(
    name: str,
    fleets: Sequence[int],
    dice: Dice,
    ruleset: Ruleset | None = None,
    *,
    fixed: bool = False,
    board: Board | None = None,
) -> Position:
    """The first position of a scenario, with the fleets in these zones.

    `ruleset` is by default that of the scenario. With `fixed` the regions without general revolt have their revolt in province
    3, and only Pirates that are not part of the scenario are rolled for.

    :raises RulesetError: when there is no such scenario, the ruleset does not fit it, or the zones do not.
    """
    board, war = board or Board.standard(), scenario(name)
    rules = war.ruleset() if ruleset is None else war.checked(ruleset)
    require_fleets(rules, fleets, board)
    return with_fleets(_table(war, rules, dice, board, fixed=fixed), fleets)


def rolled_scenario(
    name: str,
    seed: int | str,
    fleets: Sequence[int] | None = None,
    ruleset: Ruleset | None = None,
    *,
    fixed: bool = False,
    board: Board | None = None,
) -> RolledSetUp:
    """The set-up of a scenario rolled from a seed, with its faces; fleets that are not given are drawn from the seed too.

    :raises RulesetError: as `scenario_set_up`.
    """
    board, war = board or Board.standard(), scenario(name)
    rules = war.ruleset() if ruleset is None else war.checked(ruleset)
    return roll_from_seed(rules, seed, fleets, board, lambda dice: _table(war, rules, dice, board, fixed=fixed))


# Rule p16-rebel-revolt
def _table(war: Scenario, ruleset: Ruleset, dice: Dice, board: Board, *, fixed: bool) -> Position:
    """The position before the fleets are placed."""
    position = empty_board(ruleset, board, war.armies)
    revolts = [*_revolts(war, ruleset, dice, board, fixed=fixed), *war.rebels]
    _require_pieces(war, ruleset, len(revolts), len(war.armies) + len(war.rebels))
    pieces = position.pieces
    if war.rebels:
        pieces = replace(pieces, rebels=Rebels.of(war.rebels))
    if war.goths is not None:
        pieces = replace(pieces, goths=Goths(war.goths))
    position = position.replace(
        to_move=war.first,
        emperors={**position.emperors, **war.emperors},
        armies=(*war.armies, *war.rebels),
        discs=dict.fromkeys(revolts, REVOLT_DISC),
        pieces=pieces,
    )
    return roll_pieces(position, dice) if war.pirates is None else position.with_piece("pirates", Pirates(war.pirates))


def _require_pieces(war: Scenario, ruleset: Ruleset, revolts: int, armies: int) -> None:
    """Refuse house rules that leave too few pieces for the set-up."""
    for what, needed in (("revolts", revolts), ("armies", armies)):
        if needed > ruleset.numbers[what]:
            raise RulesetError(
                f"{war.name}: the set-up needs {needed} {what}, by house rules there are {ruleset.numbers[what]}"
            )


# Rule p16-general-revolt
def _revolts(war: Scenario, ruleset: Ruleset, dice: Dice, board: Board, *, fixed: bool) -> list[str]:
    """The general revolt, and one revolt in each other region."""
    general = [province.id for place in war.revolts if (province := board.find(place)) is not None]
    risen = {board[province].region for province in general}
    others = [region for region in range(1, len(board.borders) + 1) if region not in risen]
    if fixed:
        return general + [board.at(region, FIXED_PROVINCE) for region in others]
    return general + first_revolts(ruleset, others, dice, board)
