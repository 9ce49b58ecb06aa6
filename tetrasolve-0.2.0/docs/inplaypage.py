"""The page of rules-in-play.md for Sphinx: the stored profile, a table of games and a table of rules.

The build fails when an example of the profile does not replay, or shows other rules than it says.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from tetrasolve.tetrarchia.lint.inplay import all_rules
from tetrasolve.tetrarchia.lint.profile import CONFIDENCE, RuleCounts, problems, stored_profile

PAGE = "explanation/rules-in-play"
LEVELS = ("5300", "4211", "4221", "4222", "3122")


def refuse_doubt(app: Sphinx) -> None:
    """Fail the build where the stored profile is wrong."""
    del app
    if wrong := problems(stored_profile()):
        raise ExtensionError("\n".join(["the profile of the rules in play is wrong:", *wrong]))


def outdated(*_: object) -> list[str]:
    """The page is made again at each build, since it shows what is stored."""
    return [PAGE]


def sentences() -> dict[str, str]:
    """What each row of the rulebook says, in our words."""
    data = tomllib.loads((Path(__file__).parent / "rulebook.toml").read_text("utf-8"))
    return {rule: text for chapter in data["chapter"] for rule, text in chapter["rules"].items()}


def table_of(rows: Iterable[tuple[str, ...]]) -> nodes.table:
    """A table of texts, with its head as the first row."""
    lines = [nodes.row("", *(nodes.entry("", nodes.paragraph("", cell)) for cell in row)) for row in rows]
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in lines[0]), cols=len(lines[0]))
    group += [nodes.thead("", lines[0]), nodes.tbody("", *lines[1:])]
    return nodes.table("", group)


def mean_of(tally: RuleCounts, rule: str) -> str:
    """How often a rule applies in a game, with its interval; where it never did, in how many games it may."""
    if rule not in tally.steps:
        return ""
    if not tally.games_with[rule]:
        return f"never; in at most {100 * tally.share(rule).high:.2g} % of games"
    mean = tally.mean(rule)
    return "" if mean is None else f"{mean.value:.3g} ({mean.low:.3g} to {mean.high:.3g})"


class ProfileGames(Directive):
    """``{profile-games}``: the tables of the profile with their games."""

    def run(self) -> list[nodes.Node]:
        """A sentence about how it was made, and the table."""
        profile = stored_profile()
        rows = [("table", "games", "won", "lost", "turns a game", "rules in play", "of these never applied")]
        rows += [
            (
                name,
                str(tally.games),
                str(tally.won),
                str(tally.fallen),
                f"{tally.turns / tally.games:.1f}",
                str(len(tally.steps)),
                str(len(tally.never())),
            )
            for name, tally in profile.tables.items()
        ]
        text = f"Policy: {profile.policy}. Seed {profile.seed}. Intervals at {CONFIDENCE:.0%}."
        return [nodes.paragraph("", text), table_of(rows)]


class ProfileNever(Directive):
    """``{profile-never}``: the rules that were in play in some games and applied in none of them."""

    def run(self) -> list[nodes.Node]:
        """The table."""
        profile, text = stored_profile(), sentences()
        rows = [("rule", "what it says", "games in play", "in at most")]
        for rule in profile.never():
            tallies = [tally for tally in profile.tables.values() if rule in tally.steps]
            least = min(tally.share(rule).high for tally in tallies)
            games = str(sum(tally.games for tally in tallies))
            rows.append((rule, text[rule], games, f"{100 * least:.2g} % of games of one table"))
        return [table_of(rows)]


class ProfileRules(Directive):
    """``{profile-rules}``: how often each rule applies in a game, at five levels or in the tables that have it."""

    def run(self) -> list[nodes.Node]:
        """Two tables: rules of the base game, and rules of modules, variants and scenarios."""
        tables = stored_profile().tables
        base, more = [("rule", *LEVELS)], [("rule", "table", "times a game")]
        for rule in all_rules().values():
            if not rule.is_observed:
                continue
            if any(rule.id in tables[level].steps for level in LEVELS):
                base.append((rule.id, *(mean_of(tables[level], rule.id) for level in LEVELS)))
                continue
            more += [
                (rule.id, name, mean_of(tally, rule.id)) for name, tally in tables.items() if rule.id in tally.steps
            ]
        return [table_of(base), table_of(more)]


class ProfileUnobserved(Directive):
    """``{profile-unobserved}``: the rules that steps do not show, each with the reason."""

    def run(self) -> list[nodes.Node]:
        """The table."""
        text = sentences()
        rows = [("rule", "what it says", "why no step shows it")]
        rows += [(rule.id, text[rule.id], rule.why) for rule in all_rules().values() if not rule.is_observed]
        return [table_of(rows)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", refuse_doubt)
    app.connect("env-get-outdated", outdated)
    app.add_directive("profile-games", ProfileGames)
    app.add_directive("profile-never", ProfileNever)
    app.add_directive("profile-rules", ProfileRules)
    app.add_directive("profile-unobserved", ProfileUnobserved)
    return {"parallel_read_safe": True}
