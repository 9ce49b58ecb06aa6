"""Figures and discs of modules, variants and scenarios in a picture: on the map, in the legend, in the title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import pieces
from tetrasolve.tetrarchia.pieces import DUX, NO_PIECES, VICARIUS, Counts, Helper, Pieces, Rebel

FIGURES = {"dux": "Dux", "goths": "Goths"}  # the figures that are used for rebels


@dataclass(frozen=True, slots=True)
class Extras:
    """The `pieces` of a position for a picture of a board."""

    board: Board
    given: Pieces

    @classmethod
    def of(cls, board: Board, position: object) -> Extras:
        """The extras of a position, or of an object without pieces."""
        return cls(board, getattr(position, "pieces", NO_PIECES))

    @property
    def figures(self) -> dict[str, Helper]:
        """Dux and Vicarius, as far as they are in use."""
        both = ((DUX, self.given.dux), (VICARIUS, self.given.vicarius))
        return {name: helper for name, helper in both if helper is not None}

    @property
    def helpers(self) -> dict[str, str]:
        """The provinces of Dux and Vicarius where they are on the map."""
        places = ((name, helper.place) for name, helper in self.figures.items())
        return {name: place for name, place in places if place is not None and place in self.board.provinces}

    @property
    def pirates(self) -> int | None:
        """The zone of the Pirates."""
        zone = None if self.given.pirates is None else self.given.pirates.zone
        return zone if zone in self.board.coast else None

    @property
    def goths(self) -> str | None:
        """The province of the Goths."""
        place = None if self.given.goths is None else self.given.goths.place
        return place if place in self.board.provinces else None

    @property
    def rebels(self) -> Mapping[str, Rebel]:
        """The rebel armies by their borders."""
        return {} if self.given.rebels is None else dict(self.given.rebels.armies)

    def army(self, province: str, centre: complex) -> str:
        """The army of a province: an ordinary one, the Goths, or rebels."""
        rebel = self.rebels.get(province)
        if rebel is not None:
            return pieces.army(centre, self.rebels_in_words(rebel), rebel.figure[0].upper(), rebel.fleet)
        return pieces.army(centre, "Goths", "G") if province == self.goths else pieces.army(centre)

    def rebels_in_words(self, rebel: Rebel) -> str:
        """The figure that is used for a rebel army, and the zone of the fleet that an attack requires."""
        return f"Rebels ({FIGURES[rebel.figure]} figure; only with a fleet in {self.board.zones[rebel.fleet - 1]})"

    def signs(self) -> Iterator[tuple[str, str]]:
        """Labels and signs for the legend, of figures on the map only."""
        for name in self.helpers:
            yield name.title(), pieces.helper(name, 0j)
        if self.pirates is not None:
            yield "Pirates", pieces.fleet(1j, pirate=True)
        if self.goths is not None:
            yield "Goths", pieces.army(0j, "Goths", "G")
        for zone in sorted({rebel.fleet for rebel in self.rebels.values()}):
            yield f"Rebels (fleet in zone {zone})", pieces.army(-9 + 0j, "Rebels", "", zone)

    def sentences(self) -> Iterator[str]:
        """All pieces in sentences, for the description of the picture."""
        for name, helper in self.figures.items():
            yield f"{name.title()}: {self._place_of(helper)}."
        if self.given.pirates is not None:
            yield f"Pirates: {'beaten' if self.pirates is None else self.board.zones[self.pirates - 1]}."
        if self.given.goths is not None:
            yield f"Goths: {self._place_of_goths()}."
        for border, rebel in self.rebels.items():
            yield f"{self.rebels_in_words(rebel)}: {self.board[border].name}."
        if self.given.passing is not None:
            yield f"Has to move on: {self._name(self.given.passing)}."
        if self.given.power:
            yield "The active Emperor has used his power."
        if self.given.barbarian_discs is not None:
            yield f"Barbarian player: {self._barbarian_discs()}."
        for words, counts in self._counted():
            yield f"{words.capitalize()}: {counts}."

    def tally(self) -> str:
        """What the map does not show: figures that are not on it, and discs beside it; "" where there are none."""
        away = {name: helper for name, helper in self.figures.items() if name not in self.helpers}
        parts = [f"{name.title()} {self._place_of(helper)}" for name, helper in away.items()]
        if self.given.pirates is not None and self.pirates is None:
            parts.append("Pirates beaten")
        if self.given.goths is not None and self.goths is None:
            parts.append(f"Goths {self._place_of_goths()}")
        if self.given.passing is not None:
            parts.append(f"{self._name(self.given.passing)} has to move on")
        if self.given.power:
            parts.append("power used")
        if self.given.barbarian_discs is not None:
            parts.append(f"Barbarian player {self._barbarian_discs()}")
        parts += [f"{words}: {counts}" for words, counts in self._counted()]
        return " · ".join(parts)

    def _place_of(self, helper: Helper) -> str:
        if helper.dead:
            return "dead"
        return "not yet in play" if helper.place is None else self._province(helper.place)

    def _place_of_goths(self) -> str:
        goths = self.given.goths
        assert goths is not None
        if goths.place is not None:
            return self._province(goths.place)
        return "in the reserve" if goths.in_reserve else "out"

    def _province(self, place: str) -> str:
        return self.board[place].name if place in self.board.provinces else place

    def _name(self, figure: str) -> str:
        found = self.board.emperor(figure)
        return found.name if found is not None else figure.title()

    def _barbarian_discs(self) -> str:
        """The discs of the Barbarian player, in words."""
        discs = self.given.barbarian_discs
        assert discs is not None
        return f"{discs.gray or 0} gray, {discs.black or 0} black"

    def _counted(self) -> Iterator[tuple[str, str]]:
        """Discs by Emperor in words, without those who have none: of glory, and those lost."""
        for words, discs in (("glory", self.given.glory), ("discs lost", self.given.removed)):
            if discs is not None:
                yield words, self._counts(discs)

    def _counts(self, discs: Counts) -> str:
        counts = dict(discs.discs)
        shown = (f"{found.name} {counts[found.id]}" for found in self.board.emperors if counts.get(found.id))
        return ", ".join(shown) or "none"
