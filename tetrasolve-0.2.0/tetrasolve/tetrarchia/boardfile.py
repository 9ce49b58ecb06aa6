"""Reads a board file into a `Board`, or names every row that cannot be read.

Refused here is only what makes the file unreadable: a missing or misspelt field, a value of the wrong type, a province that
does not exist. `tetrasolve.tetrarchia.boardcheck` tests whether the rows can be a board of this game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Literal

from tetrasolve.errors import BoardError, shown
from tetrasolve.strict import StrictError, is_number, is_whole, read_toml
from tetrasolve.tetrarchia.board import ITALIA, LARGEST_FILE, Board, Emperor, Evidence, Link, NoLink, Province, Region

TABLES = {
    "board": frozenset({"id", "name", "edition", "roma"}),
    "sea": frozenset({"zones", "adjacent"}),
}
ROWS = {
    "emperor": frozenset({"id", "name", "colour", "evidence"}),
    "region": frozenset({"id", "name", "number", "border"}),
    "province": frozenset(
        {"id", "code", "name", "kind", "region", "number", "zones", "arrow", "printed", "lonlat", "evidence", "why"}
    ),
    "link": frozenset({"between", "broken", "source", "confidence", "kind_source", "kind_confidence", "why"}),
    "no_link": frozenset({"between", "source", "confidence", "why"}),
}
DEPTH = 8  # levels of nesting; the rows of a board have three
NO_FIELDS: Mapping[str, object] = MappingProxyType({})
UNKNOWN = Evidence("unknown", 0.0)  # replaces evidence that could not be read, so that reading can continue

_ID = re.compile(r"[a-z][a-z0-9_]*")
_CODE = re.compile(r"[a-z]{3}")


def read_board(text: str, source: str = "board") -> Board:
    """Read the text of a board file; `source` is its name in errors.

    :raises BoardError: when the text cannot be read as a board; every offending row is named.
    """
    try:
        data: Mapping[str, object] = read_toml(text, depth=DEPTH, size=LARGEST_FILE)
    except StrictError as error:
        raise BoardError(source, [str(error)]) from None
    return _Reader(data, source).board()


def standard_text() -> str:
    """The text of the board file that ships with the library."""
    return resources.files("tetrasolve.tetrarchia").joinpath("data/tetrarchia.toml").read_text("utf-8")


class _Row:
    """One table of the file: typed access to its fields, every failure a reason that names the row."""

    def __init__(self, fields: Mapping[str, object], where: str, reasons: list[str]) -> None:
        self.fields = fields
        self.where = where
        self.reasons = reasons

    def refuse(self, problem: str) -> None:
        """Add a reason against this row."""
        self.reasons.append(f"{self.where}: {problem}")

    def only(self, known: frozenset[str]) -> None:
        """Refuse fields outside `known`, so that a misspelt optional field is not silently dropped."""
        for key in self.fields:
            if key not in known:
                self.refuse(f"field {shown(key)} is unknown, expected one of {', '.join(sorted(known))}")

    def text(self, key: str, default: str | None = None) -> str:
        """A field of printable text on one line, never empty unless its default is."""
        value = self.fields.get(key)
        if value is None and default is not None:
            return default
        if isinstance(value, str) and value.isprintable() and value.strip():
            return value
        self._expected(key, value, "printable text")
        return default or ""

    def identifier(self, key: str, default: str) -> str:
        """A field that other rows and the notation refer to: small letters, digits and underscores."""
        value = self.fields.get(key)
        if isinstance(value, str) and _ID.fullmatch(value):
            return value
        self._expected(key, value, "small letters, digits and underscores, a letter first")
        return default

    def whole(self, key: str, low: int, high: int) -> int:
        """An optional whole number in a range, 0 when missing."""
        value = self.fields.get(key, 0)
        if is_whole(value) and (low <= value <= high or key not in self.fields):
            return value
        self._expected(key, value, f"a whole number from {low} to {high}")
        return 0

    def flag(self, key: str) -> bool:
        """A field that is true or false."""
        value = self.fields.get(key)
        if not isinstance(value, bool):
            self._expected(key, value, "true or false")
        return value is True

    def items(self, key: str, *, optional: bool = False) -> Sequence[object]:
        """A field that is a list, empty when it may be and is missing."""
        value = self.fields.get(key)
        if isinstance(value, list):
            return value
        if value is not None or not optional:
            self._expected(key, value, "a list")
        return ()

    def words(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        """A field that is a list of text, each item once."""
        words: list[str] = []
        for item in self.items(key, optional=optional):
            if not (isinstance(item, str) and item.isprintable() and item.strip()):
                self.refuse(f"{shown(item)} in {key!r}, expected printable text")
            elif item in words:
                self.refuse(f"{shown(item)} occurs twice in {key!r}")
            else:
                words.append(item)
        return tuple(words)

    def note(self) -> str:
        """The optional field `why`: free text of any number of lines."""
        value = self.fields.get("why", "")
        if not isinstance(value, str):
            self._expected("why", value, "text")
            return ""
        return value

    def lonlat(self) -> tuple[float, float]:
        """The field `lonlat`: degrees east and north."""
        value = self.fields.get("lonlat")
        if isinstance(value, list) and len(value) == 2:
            east, north = value
            if is_number(east) and is_number(north) and -180 <= east <= 180 and -90 <= north <= 90:
                return float(east), float(north)
        self._expected("lonlat", value, "[degrees east, degrees north]")
        return 0.0, 0.0

    def reference(self, key: str) -> str | None:
        """An optional field that is the id of another row; whether that row exists is checked later."""
        value = self.fields.get(key)
        if value is None or isinstance(value, str):
            return value
        self._expected(key, value, "an id")
        return None

    def evidence(self, source_key: str = "source", confidence_key: str = "confidence") -> Evidence:
        """Two fields of the row as evidence."""
        return self.judged(self.fields.get(source_key), self.fields.get(confidence_key), source_key, confidence_key)

    def judged(self, source: object, confidence: object, source_key: str, confidence_key: str) -> Evidence:
        """A source and a confidence as evidence."""
        if not (isinstance(source, str) and source.isprintable() and source.strip()):
            self._expected(source_key, source, "the word for a source")
        elif not (is_number(confidence) and 0 <= confidence <= 1):
            self._expected(confidence_key, confidence, "a number from 0 to 1")
        else:
            return Evidence(source, float(confidence))
        return UNKNOWN

    def claims(self, known: frozenset[str]) -> Mapping[str, Evidence]:
        """The field `evidence`: a source and a confidence for each field it names."""
        value = self.fields.get("evidence", {})
        if not isinstance(value, dict):
            self._expected("evidence", value, "a table such as { name = ['board', 1.0] }")
            return {}
        claims: dict[str, Evidence] = {}
        for claim, pair in value.items():
            if claim not in known - {"evidence", "why"}:
                self.refuse(f"evidence of {shown(claim)}, which is no field of this row")
            elif isinstance(pair, list) and len(pair) == 2:
                claims[claim] = self.judged(pair[0], pair[1], f"source of {claim}", f"confidence of {claim}")
            else:
                self.refuse(f"evidence of {claim} is {shown(pair)}, expected [source, confidence]")
        return MappingProxyType(claims)

    def _expected(self, key: str, value: object, expected: str) -> None:
        if value is None:
            self.refuse(f"field {key!r} is missing, expected {expected}")
        else:
            self.refuse(f"field {key!r} is {shown(value)}, expected {expected}")


class _Reader:
    """Turns parsed TOML into a `Board`; collects all rows that cannot be read before it raises."""

    def __init__(self, data: Mapping[str, object], source: str) -> None:
        self.data = data
        self.source = source
        self.reasons: list[str] = []

    def board(self) -> Board:
        """The board.

        :raises BoardError: with every reason found.
        """
        for name in self.data:
            if name not in TABLES and name not in ROWS:
                self.reasons.append(f"[{shown(name)}]: unknown table, expected {', '.join([*TABLES, *ROWS])}")
        about = self.table("board")
        sea = self.table("sea")
        zones = sea.words("zones")
        regions = self.regions()
        provinces = self.provinces(regions, len(zones))
        roma = self.existing(about, "roma", about.identifier("roma", ""), provinces)
        self.references(regions, provinces)
        board = Board(
            id=about.identifier("id", "board"),
            name=about.text("name"),
            edition=about.text("edition", "unnamed edition"),
            roma=roma,
            zones=zones,
            adjacent_zones=self.adjacent(sea, len(zones)),
            regions=tuple(sorted(regions.values(), key=lambda region: region.number)),
            emperors=self.emperors(provinces, roma),
            provinces=MappingProxyType(provinces),
            links=self.links(provinces),
            no_links=self.no_links(provinces),
            source=self.source,
        )
        if self.reasons:
            raise BoardError(self.source, self.reasons)
        return board

    # -- tables and rows -------------------------------------------------------------------------------------

    def table(self, name: str) -> _Row:
        """A table that occurs once, such as ``[sea]``."""
        value = self.data.get(name)
        row = _Row(value if isinstance(value, dict) else NO_FIELDS, f"[{name}]", self.reasons)
        if not isinstance(value, dict):
            row.refuse("is missing" if value is None else f"is {shown(value)}, expected a table")
        row.only(TABLES[name])
        return row

    def rows(self, name: str) -> Iterator[_Row]:
        """The rows of a table that occurs many times, such as ``[[link]]``, each with its name for reasons."""
        value = self.data.get(name, [])
        if not isinstance(value, list):
            self.reasons.append(f"[[{name}]]: is {shown(value)}, expected rows")
            return
        for index, fields in enumerate(value, start=1):
            if not isinstance(fields, dict):
                self.reasons.append(f"{name} row {index}: is {shown(fields)}, expected a table")
                continue
            row = _Row(fields, f"{name} {row_name(fields, index)}", self.reasons)
            row.only(ROWS[name])
            yield row

    def existing(self, row: _Row, key: str, name: str, provinces: Mapping[str, Province]) -> str:
        """The id of a province, refused when the file has none of that id."""
        if name and name not in provinces:
            row.refuse(f"{key} is {shown(name)}, which is no province of this file")
        return name

    # -- regions and provinces -------------------------------------------------------------------------------

    def regions(self) -> dict[str, Region]:
        """The rows ``[[region]]`` by id."""
        regions: dict[str, Region] = {}
        for row in self.rows("region"):
            name = row.identifier("id", "")
            number = row.whole("number", 1, 6)
            border = row.reference("border")
            if name in regions:
                row.refuse("this id occurs twice")
            if any(number == other.number for other in regions.values()):
                row.refuse(f"number {number} occurs twice" if number else "a second region without a number")
            if (number == ITALIA) != (border is None):
                row.refuse("a region has both a number and a border, or neither (Italia)")
            regions[name] = Region(name, row.text("name", name), number, border)
        return regions

    def provinces(self, regions: Mapping[str, Region], zone_count: int) -> dict[str, Province]:
        """The rows ``[[province]]`` by id."""
        provinces: dict[str, Province] = {}
        codes: dict[str, str] = {}
        for row in self.rows("province"):
            province = self.province(row, regions, zone_count)
            if province.id in provinces:
                row.refuse("this id occurs twice")
            if province.code in codes:
                row.refuse(f"code {province.code!r} is already that of {codes[province.code]}")
            codes[province.code] = province.id
            provinces[province.id] = province
        return provinces

    def province(self, row: _Row, regions: Mapping[str, Region], zone_count: int) -> Province:
        """One row ``[[province]]``."""
        name = row.identifier("id", "")
        code = row.fields.get("code")
        if not (isinstance(code, str) and _CODE.fullmatch(code)):
            row.refuse(f"field 'code' is {shown(code)}, expected three small letters")
            code = ""
        region = row.identifier("region", "")
        if region and region not in regions:
            row.refuse(f"region is {shown(region)}, which is no region of this file")
        return Province(
            id=name,
            code=code,
            name=row.text("name", name),
            kind=self.kind(row),
            region=regions[region].number if region in regions else ITALIA,
            number=row.whole("number", 1, 6),
            zones=self.zones(row, zone_count),
            arrow=row.reference("arrow"),
            printed=row.words("printed", optional=True),
            lonlat=row.lonlat(),
            evidence=row.claims(ROWS["province"]),
            why=row.note(),
        )

    def kind(self, row: _Row) -> Literal["roman", "border"]:
        """The field `kind` of a province."""
        kind = row.fields.get("kind", "roman")
        if kind == "border":
            return "border"
        if kind != "roman":
            row.refuse(f"field 'kind' is {shown(kind)}, expected 'roman' or 'border'")
        return "roman"

    def zones(self, row: _Row, zone_count: int) -> frozenset[int]:
        """The field `zones` of a province."""
        zones: set[int] = set()
        for zone in row.items("zones", optional=True):
            if is_whole(zone) and 1 <= zone <= zone_count:
                zones.add(zone)
            else:
                row.refuse(f"{shown(zone)} in 'zones', expected 1 to {zone_count}")
        return frozenset(zones)

    def references(self, regions: Mapping[str, Region], provinces: Mapping[str, Province]) -> None:
        """Refuse arrows and borders that lead to no province."""
        for province in provinces.values():
            if province.arrow is not None and province.arrow not in provinces:
                where = f"province {province.id}"
                self.reasons.append(f"{where}: arrow is {shown(province.arrow)}, which is no province of this file")
        for region in regions.values():
            if region.border is not None and region.border not in provinces:
                where = f"region {region.id}"
                self.reasons.append(f"{where}: border is {shown(region.border)}, which is no province of this file")

    # -- Emperors --------------------------------------------------------------------------------------------

    def emperors(self, provinces: Mapping[str, Province], roma: str) -> tuple[Emperor, ...]:
        """The rows ``[[emperor]]`` in turn order, each with his capital, the province with his printed disc."""
        emperors: list[Emperor] = []
        for row in self.rows("emperor"):
            name = row.identifier("id", "")
            if name in ("unrest", "revolt"):
                row.refuse("this id is the name of a disc")
            capitals = [p.id for p in provinces.values() if name in p.printed and p.id != roma]
            if len(capitals) != 1:
                found = ", ".join(capitals) or "none"
                row.refuse(f"his disc is printed on {found}, expected one capital besides Roma")
            emperors.append(
                Emperor(
                    name,
                    row.text("name", name) or "?",
                    row.text("colour"),
                    capitals[0] if capitals else "",
                    row.claims(ROWS["emperor"]),
                )
            )
        self.four(emperors)
        self.printed(emperors, provinces)
        return tuple(emperors)

    def four(self, emperors: Sequence[Emperor]) -> None:
        """Refuse anything but four Emperors with different initials."""
        if len(emperors) != 4:
            self.reasons.append(f"[[emperor]]: {len(emperors)} rows, expected four")
        for index, emperor in enumerate(emperors):
            for other in emperors[:index]:
                if emperor.id == other.id or emperor.letter.casefold() == other.letter.casefold():
                    self.reasons.append(f"emperor {emperor.id}: has the id or the initial of {other.id}")

    def printed(self, emperors: Sequence[Emperor], provinces: Mapping[str, Province]) -> None:
        """Refuse printed discs that belong to no Emperor."""
        known = {emperor.id for emperor in emperors}
        for province in provinces.values():
            for emperor in province.printed:
                if emperor not in known:
                    where = f"province {province.id}"
                    self.reasons.append(f"{where}: printed disc of {shown(emperor)}, who is no Emperor of this file")

    # -- links and seas --------------------------------------------------------------------------------------

    def links(self, provinces: Mapping[str, Province]) -> tuple[Link, ...]:
        """The rows ``[[link]]``."""
        links: list[Link] = []
        for row, pair in self.pairs("link", provinces):
            exists = row.evidence()
            kind = row.evidence("kind_source", "kind_confidence")
            links.append(Link(pair, row.flag("broken"), exists, kind, row.note()))
        return tuple(links)

    def no_links(self, provinces: Mapping[str, Province]) -> tuple[NoLink, ...]:
        """The rows ``[[no_link]]``."""
        return tuple(NoLink(pair, row.evidence(), row.note()) for row, pair in self.pairs("no_link", provinces))

    def pairs(self, table: str, provinces: Mapping[str, Province]) -> Iterator[tuple[_Row, tuple[str, str]]]:
        """The rows of a table with the two provinces in `between`; rows whose pair cannot be read are skipped."""
        seen: set[frozenset[str]] = set()
        for row in self.rows(table):
            pair = self.pair(row, provinces)
            if pair is None:
                continue
            if frozenset(pair) in seen:
                row.refuse("this pair occurs twice")
            seen.add(frozenset(pair))
            yield row, pair

    def pair(self, row: _Row, provinces: Mapping[str, Province]) -> tuple[str, str] | None:
        """The two different provinces in the field `between`."""
        pair = row.fields.get("between")
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)):
            row.refuse(f"field 'between' is {shown(pair)}, expected the ids of two provinces")
            return None
        for end in pair:
            self.existing(row, "an end", end, provinces)
        if pair[0] == pair[1]:
            row.refuse("a province is not linked to itself")
        return (pair[0], pair[1]) if set(pair) <= set(provinces) else None

    def adjacent(self, sea: _Row, zone_count: int) -> frozenset[frozenset[int]]:
        """The pairs of zones between which a fleet can sail."""
        pairs: set[frozenset[int]] = set()
        for pair in sea.items("adjacent"):
            ends = pair if isinstance(pair, list) else []
            zones = frozenset(zone for zone in ends if is_whole(zone) and 1 <= zone <= zone_count)
            if len(ends) == len(zones) == 2:
                pairs.add(zones)
            else:
                sea.refuse(f"{shown(pair)} in 'adjacent', expected two different zones from 1 to {zone_count}")
        return frozenset(pairs)


def row_name(fields: Mapping[str, object], index: int) -> str:
    """The name of a row in errors: its id, its two ends, or its number in the file, from 1."""
    name = fields.get("id")
    if isinstance(name, str) and _ID.fullmatch(name):
        return name
    between = fields.get("between")
    if isinstance(between, list) and between and all(isinstance(e, str) and _ID.fullmatch(e) for e in between):
        return "-".join(between)
    return f"row {index}"
