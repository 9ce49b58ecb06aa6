"""What modules, variants and scenarios add to a picture: figures on the map, signs in the legend, words in the head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import pieces
from tetrasolve.tetrarchia.pieces import BARBARIAN_DISCS, BLACK, DEAD, GRAY, HELPERS, RESERVE, Rebel

FIGURES = {"dux": "Dux", "goths": "Goths"}  # those that stand for rebels


@dataclass(frozen=True, slots=True)
class Extras:
    """The `pieces` of a position, as far as a picture shows them; nothing in the base game."""

    board: Board
    given: Mapping[str, object]

    @classmethod
    def of(cls, board: Board, position: object) -> Extras:
        """Those of a position, or of anything that has none."""
        return cls(board, getattr(position, "pieces", {}))

    @property
    def helpers(self) -> dict[str, str]:
        """Dux and Vicarius where they are on the map, with their provinces."""
        places = ((name, self.given.get(name)) for name in HELPERS)
        return {name: place for name, place in places if isinstance(place, str) and place in self.board.provinces}

    @property
    def pirates(self) -> int | None:
        """The zone of the Pirates."""
        zone = self.given.get("pirates")
        return zone if isinstance(zone, int) and zone in self.board.coast else None

    @property
    def goths(self) -> str | None:
        """The province of the Goths."""
        place = self.given.get("goths")
        return place if isinstance(place, str) and place in self.board.provinces else None

    @property
    def rebels(self) -> Mapping[str, Rebel]:
        """The rebel armies by their borders."""
        return dict(self.given.get("rebels", ()))  # type: ignore[call-overload,no-any-return]  # pairs, as positions keep them

    def army(self, province: str, centre: complex) -> str:
        """The army of a province: an ordinary one, the Goths, or rebels."""
        rebel = self.rebels.get(province)
        if rebel is not None:
            return pieces.army(centre, self.rebels_in_words(rebel), rebel.figure[0].upper(), rebel.fleet)
        return pieces.army(centre, "Goths", "G") if province == self.goths else pieces.army(centre)

    def rebels_in_words(self, rebel: Rebel) -> str:
        """Which figure stands for them, and where a fleet has to be before they can be attacked."""
        return f"Rebels ({FIGURES[rebel.figure]} figure; only with a fleet in {self.board.zones[rebel.fleet - 1]})"

    def signs(self) -> Iterator[tuple[str, str]]:
        """Labels and signs for the legend, of what is on the map only."""
        for name in self.helpers:
            yield name.title(), pieces.helper(name, 0j)
        if self.pirates is not None:
            yield "Pirates", pieces.fleet(1j, pirate=True)
        if self.goths is not None:
            yield "Goths", pieces.army(0j, "Goths", "G")
        for zone in sorted({rebel.fleet for rebel in self.rebels.values()}):
            yield f"Rebels (fleet in zone {zone})", pieces.army(-9 + 0j, "Rebels", "", zone)

    def told(self) -> Iterator[str]:
        """All of it in sentences, for the description of the picture."""
        for name in HELPERS:
            if name in self.given:
                yield f"{name.title()}: {self._where(self.given[name])}."
        if "pirates" in self.given:
            yield f"Pirates: {'beaten' if self.pirates is None else self.board.zones[self.pirates - 1]}."
        if "goths" in self.given:
            yield f"Goths: {self._where(self.given['goths'])}."
        for border, rebel in self.rebels.items():
            yield f"{self.rebels_in_words(rebel)}: {self.board[border].name}."
        if "passing" in self.given:
            yield f"Has to move on: {self._name(str(self.given['passing']))}."
        if "power" in self.given:
            yield "The active Emperor has used his power."
        if BARBARIAN_DISCS in self.given:
            yield f"Barbarian player: {self._barbarian_discs()}."
        for key, word in COUNTED.items():
            if key in self.given:
                yield f"{word[:1].upper()}{word[1:]}: {self._counts(key)}."

    def tally(self) -> str:
        """What the map does not show: figures that are not on it, and discs beside it; "" where there is nothing to say."""
        parts = [f"{name.title()} {self._where(self.given[name])}" for name in HELPERS if self._is_away(name)]
        if "pirates" in self.given and self.pirates is None:
            parts.append("Pirates beaten")
        if "goths" in self.given and self.goths is None:
            parts.append(f"Goths {self._where(self.given['goths'])}")
        if "passing" in self.given:
            parts.append(f"{self._name(str(self.given['passing']))} has to move on")
        if "power" in self.given:
            parts.append("power used")
        if BARBARIAN_DISCS in self.given:
            parts.append(f"Barbarian player {self._barbarian_discs()}")
        parts += [f"{word}: {self._counts(key)}" for key, word in COUNTED.items() if key in self.given]
        return " · ".join(parts)

    def _is_away(self, name: str) -> bool:
        return name in self.given and name not in self.helpers

    def _where(self, value: object) -> str:
        if value is None:
            return "not yet in play"
        places = {DEAD: "dead", RESERVE: "in the reserve"}
        name = str(value)
        return self.board[name].name if name in self.board.provinces else places.get(name, name)

    def _name(self, figure: str) -> str:
        found = self.board.emperor(figure)
        return found.name if found is not None else figure.title()

    def _barbarian_discs(self) -> str:
        """The discs in front of him; they are not on the map."""
        counts: dict[str, int] = dict(self.given[BARBARIAN_DISCS])  # type: ignore[call-overload]  # pairs
        return f"{counts.get(GRAY, 0)} gray, {counts.get(BLACK, 0)} black"

    def _counts(self, key: str) -> str:
        """Discs by Emperor, those who have none left out."""
        counts: dict[str, int] = dict(self.given[key])  # type: ignore[call-overload]  # pairs, as positions keep them
        shown = (f"{found.name} {counts[found.id]}" for found in self.board.emperors if counts.get(found.id))
        return ", ".join(shown) or "none"


COUNTED = {"glory": "glory", "removed": "discs lost"}  # keys of a position that count discs of each Emperor
