"""Tables of the second game.

``{bench-finem-strength}``: how often each policy wins; ``:compared:`` gives the differences instead. ``{bench-finem-bounds}``: what
no policy exceeds beside what one reaches. ``{bench-finem-engines}``: how many states and exact turns of both engines were compared.
``{bench-finem-turns}``: how fast turns are. ``{bench-finem-calibration}``: what hints predicted and what was won; with ``:bins:``
the bins.
"""

from __future__ import annotations

from math import ceil
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from benchpages.reliability import folded_bins
from benchpages.results import BenchDirective, ResultsError, interval, made_by, percent, points, read, table


class FinemStrength(BenchDirective):
    """The table, with the weights that were played with last."""

    results = "finem_strength"
    option_spec: ClassVar = {"compared": directives.flag}

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        last = list(data["weights"])[-1]
        if "compared" in self.options:
            rows = [
                (
                    f"{found['level']}",
                    f"{found['first']} against {found['second']}",
                    f"{found['games']:,}",
                    points(found["difference"]["float"]),
                    interval(*found["difference"]["ci"]),
                )
                for found in data["compared"]
                if {*found["weights"]} <= {None, last}
            ]
            return [table(("ruleset", "policies", "paired games", "points", "95 % interval"), rows, range(2, 5))]
        rows = [
            (
                entry["level"],
                entry["name"],
                f"{entry['games']:,}",
                percent(entry["won"] / entry["games"]),
                interval(*entry["rate"]["ci"]),
                f"{entry['turns'] / entry['games']:.1f}",
                f"{1000 * entry['seconds'] / entry['turns']:.3f}",
            )
            for entry in data["series"]
            if entry["games"] and entry["weights"] in (None, last)
        ]
        if not rows:
            raise ResultsError("no games are kept")
        heads = ("ruleset", "policy", "games", "won", "95 % interval", "turns", "ms a turn")
        return [table(heads, rows, range(2, len(heads)))]


class FinemBounds(BenchDirective):
    """A row for each ruleset whose bound is known and that a policy has played."""

    results = "finem_bounds"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        series = [entry for entry in read(self.env, "finem_strength")["series"] if entry["games"]]
        rows = []
        for name, bound in data["bounds"].items():
            played = [entry for entry in series if entry["level"] == name]
            if not played:
                continue
            best = max(played, key=lambda entry: float(entry["rate"]["ci"][0]))
            proved, both = (
                percent(ceil(1e4 * share) / 1e4, 2)  # a bound is rounded up
                for share in (data["races"][bound["race"]]["float"], bound["value"]["ci"][1])
            )
            rows.append((name, best["name"], interval(*best["rate"]["ci"]), proved, f"{bound['set_ups']:,}", both))
        if not rows:
            raise ResultsError("no bounds are kept")
        heads = ("ruleset", "policy", "it wins, 95 % interval", "proved bound", "set-ups", "statistical bound")
        return [table(heads, rows, range(2, 6))]


ENGINES = {"states": "random states", "turns": "exact turns"}


class FinemEngines(BenchDirective):
    """A row for states and one for turns."""

    results = "finem_engines"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, and of which rules they were."""
        rows, words = [], []
        for kind, name in ENGINES.items():
            found = data[kind]
            if not found["count"]:
                raise ResultsError(f"no {kind} are compared")
            least, fewest = min(found["values"].items(), key=lambda item: float(item[1]))
            rows.append((name, f"{found['count']:,}", f"{found['games']:,}", f"{data['goals'][kind]:,}", "none"))
            parts = [f"{count:,} with {part}" for part, count in (found["levels"] | found["options"]).items()]
            words.append(
                f"Of the {name}: {', '.join(parts)}; {len(found['values'])} values of readings, each in at least {fewest:,}"
                f" ({least})."
            )
        heads = ("compared", "number", "games", "goal", "that differ")
        return [
            table(heads, rows, range(1, 5)),
            nodes.paragraph("", f"{' '.join(words)} {made_by(data).capitalize()}."),
        ]


class FinemTurns(BenchDirective):
    """How many random turns a second, and how long exact turns take, in each ruleset."""

    results = "finem_turns"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """Two tables, and where they were measured."""
        found, goals = data["found"], data["goals"]
        rates = [(name, *(f"{row['random_turns_a_second'][key]:,}" for key in SPREAD)) for name, row in found.items()]
        exact = [
            (name, policy, *(f"{spread[key]:.3g}" for key in ("median", "nine_tenths", "most")))
            for name, row in found.items()
            for policy, spread in row["exact_turn_ms"].items()
        ]
        load, cores = data["machine"]["load"], data["machine"]["cores"]
        words = (
            f"Goals: {goals['turns_a_second']:,.0f} random turns a second, {goals['milliseconds']} ms for an exact turn in the"
            f" median. Processor seconds of one thread; {data['exact_turns']} exact turns of each kind."
            f" {data['machine']['processor']}, {cores} cores, load {load[0] if load else 'unknown'} at the beginning;"
            f" {made_by(data)}."
        )
        return [
            table(("ruleset", "random turns a second, median", "least", "most"), rates, range(1, 4)),
            table(("ruleset", "policy", "exact turn, median ms", "nine tenths below", "most"), exact, range(2, 5)),
            nodes.paragraph("", words),
        ]


SPREAD = ("median", "least", "most")


class FinemCalibration(BenchDirective):
    """A row for each ruleset and moment; with ``:bins:`` those of the ends of actions instead."""

    results = "finem_calibration"
    option_spec: ClassVar = {"bins": directives.flag}

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, or the folded bins of each ruleset."""
        if "bins" in self.options:
            bins = {name: group["moments"]["turn"]["bins"] for name, group in data["groups"].items()}
            return folded_bins("The bins of each ruleset", "ruleset", bins)
        rows = []
        for name, group in data["groups"].items():
            for moment, found in group["moments"].items():
                low, high = found["difference"]["ci"]
                rows.append((
                    name, MOMENTS[moment], f"{found['tables']:,}", percent(found["predicted"]), percent(found["base_rate"]),
                    f"{points(found['difference']['value'])} ({interval(low, high)})", "yes" if low <= 0 <= high else "no",
                    f"{found['brier']:.4f}", f"{found['brier_of_base_rate']:.4f}",
                ))  # fmt: skip
        heads = (
            "ruleset", "at the end of the actions", "positions", "predicted", "won", "predicted less won, points",
            "contains 0", "Brier score", "of the base rate",
        )  # fmt: skip
        words = f"{data['games']:,} games of each ruleset, played by {data['policy']}; {made_by(data)}."
        return [table(heads, rows, range(2, len(heads))), nodes.paragraph("", words)]


MOMENTS = {"turn": "of each turn", "first": "of the first turn"}


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-finem-strength", FinemStrength)
    app.add_directive("bench-finem-bounds", FinemBounds)
    app.add_directive("bench-finem-calibration", FinemCalibration)
    app.add_directive("bench-finem-engines", FinemEngines)
    app.add_directive("bench-finem-turns", FinemTurns)
