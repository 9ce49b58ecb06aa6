"""``{bench-strength}``, ``{bench-rivals}``, ``{bench-latency}``: what was played and timed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, interval, percent, points, table

FALLS = "fell: revolts / activity / advance"


class Strength(BenchDirective):
    """``{bench-strength}``: how often each policy wins; ``:compared:`` gives the differences instead.

    With the weights that were played with last, or with ``:all:`` also those before them.
    """

    results = "strength"
    option_spec: ClassVar = {"compared": directives.flag, "all": directives.flag}

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        known = list(data["weights"])  # in the order in which they were first played with
        if not known:
            raise ResultsError("no weights are named")
        wanted = {*known} if "all" in self.options else {known[-1]}
        if "compared" in self.options:
            return [_differences(data, wanted)]
        rows = []
        for entry in data["series"]:
            if entry["games"] and entry["weights"] in {None, *wanted}:
                turns, games = entry["turns"], entry["games"]
                rows.append((
                    entry["level"], _named(entry["name"], entry["weights"], known), f"{games:,}",
                    percent(entry["won"] / games), interval(*entry["rate"]["ci"]), f"{turns / games:.1f}",
                    f"{1000 * entry['seconds'] / turns:.1f}", " / ".join(map(str, entry["fell_in_step"])),
                ))  # fmt: skip
        if not rows:
            raise ResultsError("no games are kept")
        heads = ("level", "policy", "games", "won", "95 % interval", "turns", "ms a turn", FALLS)
        return [table(heads, rows, range(2, len(heads)))]


def _named(policy: str, weights: str | None, known: list[str]) -> str:
    """A policy, with the beginning of the digest of its weights if they are not the last ones."""
    return policy if weights in (None, known[-1]) else f"{policy}, weights {str(weights)[:6]}"


def _differences(data: dict[str, Any], wanted: set[str]) -> nodes.table:
    known = list(data["weights"])
    rows = []
    for found in data["compared"]:
        if {*found["weights"]} <= {None, *wanted}:
            first, second = (
                _named(found[side], weights, known)
                for side, weights in zip(("first", "second"), found["weights"], strict=True)
            )
            rows.append((
                found["level"], first, second, f"{found['games']:,}", points(found["difference"]["float"]),
                interval(*found["difference"]["ci"]), found["sprt"]["verdict"],
            ))  # fmt: skip
    if not rows:
        raise ResultsError("nothing was compared")
    heads = ("level", "policy", "against", "paired games", "points", "95 % interval", "SPRT")
    return table(heads, rows, range(3, 6))


class Rivals(BenchDirective):
    """``{bench-rivals}``: what each contestant won; ``:compared:`` gives the differences instead."""

    results = "rivals"
    option_spec: ClassVar = {"compared": directives.flag}

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        rows = [*(self._differences(data) if "compared" in self.options else self._contestants(data))]
        if not rows:
            raise ResultsError("no games are kept")
        if "compared" in self.options:
            heads = ("level", "s a turn", "against", "paired games", "points", "95 % interval", "")
            return [table(heads, rows, range(3, 6))]
        heads = (
            "level",
            "contestant",
            "games",
            "won",
            "95 % interval",
            "turns",
            "ms a turn: median / mean",
            "settings",
        )
        return [table(heads, rows, range(2, 7), long=7)]

    @staticmethod
    def _contestants(data: dict[str, Any]) -> Iterator[tuple[str, ...]]:
        for entry in data["series"]:
            if entry["games"]:
                times, games = entry["milliseconds_a_turn"], entry["games"]
                settings = ", ".join(f"{name} {value}" for name, value in entry["settings"].items())
                yield (
                    entry["level"], entry["name"], f"{games:,}", percent(entry["won"] / games),
                    interval(*entry["rate"]["ci"]), f"{entry['turns'] / games:.1f}",
                    f"{times['median']} / {times['mean']:.0f}", settings,
                )  # fmt: skip

    @staticmethod
    def _differences(data: dict[str, Any]) -> Iterator[tuple[str, ...]]:
        goal = f"the goal of {100 * data['goal']:.0f} points"
        words = {True: f"above {goal}", False: f"below {goal}", None: f"not distinguished from {goal}"}
        for found in data["compared"]:
            yield (
                found["level"], f"{found['seconds']:g}", found["rival"], f"{found['games']:,}",
                points(found["difference"]["float"]), interval(*found["difference"]["ci"]), words[found["above_goal"]],
            )  # fmt: skip


class Latency(BenchDirective):
    """``{bench-latency}``: how long the first and the last answer take."""

    results = "latency"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        rows = [
            (name, answer, *(f"{row[mark]:.1f}" for mark in ("median", "95%", "max")), f"{row['goal']:.0f}",
             f"{row['within']} of {data['positions']}")
            for name, both in data["milliseconds"].items() for answer, row in both.items()
        ]  # fmt: skip
        heads = ("asked", "answer", "median, ms", "95 %, ms", "most, ms", "goal, ms", "within the goal")
        return [table(heads, rows, range(2, len(heads)))]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    for name, made in {
        "strength": Strength,
        "rivals": Rivals,
        "latency": Latency,
    }.items():
        app.add_directive(f"bench-{name}", made)
