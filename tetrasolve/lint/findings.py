"""Findings: where two values of a reading differ, and what is known of smaller positions. No game is named here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tetrasolve.errors import FindingError, nearest, shown
from tetrasolve.files import write_text
from tetrasolve.lint.pairs import spelled
from tetrasolve.strict import StrictError, read_json

FORMAT = 1


class Certainty(StrEnum):
    """What is known of the smallest position in which two values differ."""

    PROVED = "proved"  # there is one of this size, and all smaller ones were enumerated, or have too few pieces by an argument
    INTERVAL = "interval"  # there is one of this size, and the same is known of all below a smaller size
    NO_DIFFERENCE = "no difference"  # none up to a size; larger ones were drawn at random
    SET_UP = "set-up"  # as before, and set-ups with the same dice differ
    NONE = "none on this board"  # there is none, by an argument that was checked


@dataclass(frozen=True, slots=True)
class Searched:
    """A table that was searched: positions enumerated, by size from 1 on, and positions drawn at random.

    `meeting`: larger sizes of which those positions were enumerated that have what a difference requires, with their number.
    """

    table: str
    enumerated: tuple[int, ...]
    drawn: int = 0
    meeting: tuple[tuple[int, int], ...] = ()

    @property
    def up_to(self) -> int:
        """The largest size that was enumerated whole; 0 where none was."""
        return len(self.enumerated)


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that differs in a position, and what it is under each of the two values."""

    kind: str
    what: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for two values of a reading.

    `size` and `position` are those of the smallest position found; None where there is none. `at_least`: no smaller size
    has one. `is_first`: it is the first of its size in the stated order. `more` differences are not listed. `argument`: why
    nothing can differ, how set-ups do, or why no smaller position than `at_least` can have it, where not all were enumerated.
    """

    id: str
    reading: str
    values: tuple[str, str]
    certainty: Certainty
    at_least: int
    searched: tuple[Searched, ...]
    table: str = ""
    size: int | None = None
    position: str | None = None
    is_first: bool = False
    differences: tuple[Shown, ...] = ()
    more: int = 0
    argument: str = ""

    def as_data(self) -> dict[str, Any]:
        """It as plain values; `meeting` of a table where something was enumerated so."""
        data = asdict(self)
        for row in data["searched"]:
            if not row["meeting"]:
                del row["meeting"]
        return data

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of its differences, each once."""
        return tuple(dict.fromkeys(shown_.kind for shown_ in self.differences))

    @property
    def smaller(self) -> int:
        """How many positions of its table were enumerated that are smaller than it."""
        rows = [row.enumerated for row in self.searched if row.table == self.table]
        return sum(count for row in rows for count in row[: (self.size or self.at_least) - 1])

    @property
    def meeting(self) -> tuple[tuple[int, int], ...]:
        """Smaller sizes of its table of which the positions that have what a difference requires were enumerated; their numbers."""
        rows = [row.meeting for row in self.searched if row.table == self.table]
        return tuple((size, count) for row in rows for size, count in row if size < self.at_least)

    def sentence(self) -> str:
        """What is known, in one sentence."""
        if self.certainty is Certainty.NONE:
            return f"none on this board: {self.argument}"
        if self.size is None:
            counts = [f"{sum(row.enumerated):,} with {row.table}" for row in self.searched if row.up_to]
            drawn = sum(row.drawn for row in self.searched)
            text = f"no difference up to {_pieces(self.at_least - 1)} ({', '.join(counts) or 'none enumerated'})"
            text += f", nor in {drawn:,} larger positions drawn at random" if drawn else ""
            return f"{text}; set-ups differ, {self.argument}" if self.certainty is Certainty.SET_UP else text
        smaller = self.argument or f"all {self.smaller:,} positions of fewer than {_pieces(self.at_least)} enumerated"
        if self.certainty is Certainty.PROVED:
            return f"{_pieces(self.size)}, proved minimal: {smaller if self.size > 1 else 'none is smaller'}"
        return f"{self.at_least} to {_pieces(self.size)}: {smaller}"


def _pieces(count: int) -> str:
    return f"{count} piece{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, with the digest of the rules that they are about."""

    rules: str
    domain: str
    findings: tuple[Finding, ...] = field(default=())

    def find(self, names: Sequence[str]) -> tuple[Finding, ...]:
        """The findings about these readings, in capitals or small letters; all where none is named.

        :raises FindingError: for a reading without a finding.
        """
        known = dict.fromkeys(finding.reading for finding in self.findings)
        names = spelled(names, known)
        for name in names:
            if name not in known:
                near = nearest(name.upper(), known, cutoff=0)
                raise FindingError(f"reading {shown(name)} has no finding, expected one like {near}")
        return tuple(f for f in self.findings if not names or f.reading in names)

    def named(self, name: str) -> Finding:
        """The finding with this id, like ``I-CHECK=each-link/one-roll``, in capitals or small letters.

        :raises FindingError: when there is none.
        """
        for finding in self.findings:
            if finding.id.lower() == name.lower():
                return finding
        near = nearest(name, [finding.id for finding in self.findings], cutoff=0)
        raise FindingError(f"finding {shown(name)} does not exist, expected one like {near}")

    def to_json(self) -> dict[str, Any]:
        """The report as plain values."""
        findings = [finding.as_data() for finding in self.findings]
        return {"format": FORMAT, "rules": self.rules, "domain": self.domain, "findings": findings}

    def require_of(self, rules: str, domain: str, source: str) -> None:
        """Refuse findings about other rules, or about positions of another domain.

        :raises FindingError: for such ones; the file is left as it is.
        """
        left = "it was left as it is: name another file, or remove this one to start again"
        if self.rules != rules:
            digests = f"digest {shown(self.rules, 70)}, expected {rules}"
            raise FindingError(f"{source}: has findings about other rules ({digests}); {left}")
        if self.domain != domain:
            raise FindingError(
                f"{source}: has findings about positions of another domain ({shown(self.domain)}); {left}"
            )

    def write(self, path: str | Path) -> None:
        """Write it to a file, whole.

        :raises OSError: when it cannot be written.
        """
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def read(cls, text: str, source: str) -> Report:
        """The report in a text.

        :raises FindingError: when it cannot be read.
        """
        try:
            data = read_json(text)
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise FindingError(f"{source}: expected findings of format {FORMAT}")
            return cls(data["rules"], data["domain"], tuple(map(_finding, data["findings"])))
        except StrictError as error:
            raise FindingError(f"{source}: {error}") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, FindingError):
                raise
            raise FindingError(f"{source}: is no report of findings ({type(error).__name__}: {error})") from None


def _finding(row: Mapping[str, Any]) -> Finding:
    rest = {key: value for key, value in row.items() if key not in ("certainty", "values", "searched", "differences")}
    return Finding(
        **rest,
        certainty=Certainty(row["certainty"]),
        values=_two(row["values"]),
        searched=tuple(
            Searched(s["table"], tuple(s["enumerated"]), s["drawn"], tuple(map(_size, s.get("meeting", ()))))
            for s in row["searched"]
        ),
        differences=tuple(Shown(d["kind"], d["what"], _two(d["values"])) for d in row["differences"]),
    )


def _size(values: Sequence[int]) -> tuple[int, int]:
    size, count = values
    return size, count


def _two(values: Sequence[str]) -> tuple[str, str]:
    one, other = values
    return one, other
