"""Positions built step by step from an empty board, a set-up or another position.

A `PositionBuilder` is immutable: each method returns a new one. Provinces are given by id, name, code or coordinates.
Intermediate states may be impossible; `PositionBuilder.position` checks the result once and names every reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tetrasolve.errors import IllegalPositionError, PositionSyntaxError
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import PIECES, read_piece
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.setup import empty_board, open_choices, random_set_up
from tetrasolve.tetrarchia.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class PositionBuilder:
    """A position under construction; `draft` is its unchecked state.

    >>> built = build("4211").with_revolt("Roma", "II:5").with_emperor("galerius", "thracia").to_act("galerius")
    >>> print(built.position)
    4211 G:6 -/thr/-/- 12 - rom.aqu - -/-/-/-

    A state that cannot occur is refused with all of its reasons:

    >>> build("4211").with_army("dacia").with_garrison("galerius", "dacia").position
    Traceback (most recent call last):
    tetrasolve.errors.IllegalPositionError: this position cannot occur: ...
    """

    draft: Position

    @property
    def position(self) -> Position:
        """The finished position.

        :raises IllegalPositionError: if it cannot occur; `reasons` holds every reason.
        """
        if reasons := self.draft.status():
            raise IllegalPositionError(reasons)
        return self.draft

    def _repr_svg_(self) -> str:
        return self.draft._repr_svg_()

    def _repr_html_(self) -> str:
        reasons = self.draft.status()
        lines = (
            ["this position cannot occur:", *(f"  {reason}" for reason in reasons)] if reasons else [str(self.draft)]
        )
        return as_html("\n".join(lines), self._repr_svg_())

    def with_revolt(self, *provinces: str) -> PositionBuilder:
        """The same position with a revolt in each of these provinces, in place of any other disc."""
        return self._with_discs(provinces, REVOLT_DISC)

    def with_unrest(self, *provinces: str) -> PositionBuilder:
        """The same position with an unrest in each of these provinces, in place of any other disc."""
        return self._with_discs(provinces, UNREST_DISC)

    def with_garrison(self, emperor: str, *provinces: str) -> PositionBuilder:
        """The same position with a garrison of an Emperor in each of these provinces, in place of any other disc."""
        return self._with_discs(provinces, self._emperor(emperor))

    def without_disc(self, *provinces: str) -> PositionBuilder:
        """The same position without a disc in each of these provinces."""
        return self._with_discs(provinces, None)

    def with_army(self, *provinces: str) -> PositionBuilder:
        """The same position with an army added in each of these provinces."""
        armies = (*self.draft.armies, *map(self._province, provinces))
        return PositionBuilder(self.draft.replace(armies=armies))

    def without_army(self, *provinces: str) -> PositionBuilder:
        """The same position without the armies in these provinces.

        :raises PositionSyntaxError: if there is no army in one of them.
        """
        armies = list(self.draft.armies)
        for name in provinces:
            place = self._province(name)
            if place not in armies:
                raise PositionSyntaxError("army", name, "a province with an army")
            armies.remove(place)
        return PositionBuilder(self.draft.replace(armies=tuple(armies)))

    def with_emperor(self, emperor: str, province: str | None) -> PositionBuilder:
        """The same position with an Emperor in a province, or off the board (None)."""
        place = None if province is None else self._province(province)
        return PositionBuilder(self.draft.with_emperor(self._emperor(emperor), place))

    def with_fleets(self, *zones: int) -> PositionBuilder:
        """The same position with the fleets in these sea zones, and in no others.

        :raises PositionSyntaxError: if the board has no such zone.
        """
        for zone in zones:
            if zone not in range(1, len(self.draft.board.zones) + 1):
                raise PositionSyntaxError("fleets", zone, f"a sea zone from 1 to {len(self.draft.board.zones)}")
        return PositionBuilder(self.draft.replace(fleets=tuple(zones)))

    def with_pieces(self, **pieces: object) -> PositionBuilder:
        """The same position with figures and discs of modules, by the keys and values of the JSON form.

        >>> build("4211", modules=["dux"]).with_pieces(dux="asia").draft.place_of("dux")
        'asia'

        :raises PositionSyntaxError: for a key or a value that the position format does not have.
        """
        draft = self.draft
        for key, value in pieces.items():
            if key not in PIECES:
                raise PositionSyntaxError("pieces", key, f"one of {', '.join(PIECES)}")
            draft = draft.with_piece(key, read_piece(key, value, draft.board))
        return PositionBuilder(draft)

    def to_act(self, emperor: str, ip: int | None = None) -> PositionBuilder:
        """The same position in the Roman phase of an Emperor with `ip` IP left, by default those of a whole turn."""
        ip = self.draft.ruleset.numbers["ip"] if ip is None else ip
        return PositionBuilder(self.draft.replace(to_move=self._emperor(emperor), phase=Phase.ROMAN, ip=ip))

    def barbarians(self) -> PositionBuilder:
        """The same position in the Barbarian phase that follows the active Emperor's turn."""
        return PositionBuilder(self.draft.replace(phase=Phase.BARBARIAN, ip=0))

    def _with_discs(self, provinces: Iterable[str], disc: str | None) -> PositionBuilder:
        draft = self.draft
        for province in provinces:
            draft = draft.with_disc(self._province(province), disc)
        return PositionBuilder(draft)

    def _province(self, text: object) -> str:
        found = self.draft.board.find(text) if isinstance(text, str) else None
        if found is None:
            raise PositionSyntaxError("province", text, "the id, name, code or coordinates of a province")
        return found.id

    def _emperor(self, text: object) -> str:
        found = self.draft.board.emperor(text) if isinstance(text, str) else None
        if found is None:
            raise PositionSyntaxError("Emperor", text, f"one of {', '.join(e.id for e in self.draft.board.emperors)}")
        return found.id


def build(
    start: str | Ruleset | Position,
    *,
    seed: int | str | None = None,
    modules: Iterable[str] = (),
    variants: Iterable[str] = (),
    board: Board | None = None,
) -> PositionBuilder:
    """A builder that begins with an empty board, or with a set-up rolled from a `seed`, or with a given position.

    `start` is a level such as ``"4211"``, a ruleset, or a position to change. `modules` and `variants` are added to a level or
    a ruleset. On an empty board the fleets are in the first zones that no module closes.

    >>> build("4211", seed=7).position == build("4211", seed=7).position
    True

    :raises RulesetError: for a level, module or variant that does not exist or cannot be combined.
    :raises TypeError: if options for a new board are given with a position.
    """
    if isinstance(start, Position):
        options: dict[str, Any] = {"seed": seed, "modules": tuple(modules), "variants": tuple(variants), "board": board}
        if given := [name for name, value in options.items() if value not in (None, ())]:
            raise TypeError(f"{', '.join(given)}: expected only with a level or a ruleset, not with a position")
        return PositionBuilder(start)
    ruleset = start if isinstance(start, Ruleset) else Ruleset.from_text(start)
    ruleset = ruleset.with_extensions(modules, variants)
    if seed is not None:
        return PositionBuilder(random_set_up(ruleset, seed, board=board))
    start = empty_board(ruleset, board or Board.standard())
    return PositionBuilder(start.replace(fleets=next(open_choices(start))))
