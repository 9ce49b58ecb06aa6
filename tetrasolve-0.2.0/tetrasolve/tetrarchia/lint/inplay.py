"""Which rules of the rulebook apply in a game, by the tags of its steps and ``data/in-play.toml``.

A rule *applies* in a step that has all tags of one of its texts. A rule that forbids something applies in each Roman position in
which it is the first objection of the reference rules to an action that is tried there (`turnsteps`). A rule that no step shows
has a reason instead, and is never counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType

from tetrasolve.errors import FindingError, nearest, shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint.search import digest as digest_of_rules
from tetrasolve.tetrarchia.lint.steps import steps

FILE = "data/in-play.toml"
BASE, LEVEL, SCENARIO, FIXED = (
    "base",
    "level",
    "scenario",
    "fixed",
)  # what must be in play, beside names of modules, variants, scenarios


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the rulebook: what must be in play, and the tags of a step that shows it; `why` where none does."""

    id: str
    needs: str
    shown_by: tuple[frozenset[str], ...] = ()
    why: str = ""

    @property
    def is_observed(self) -> bool:
        """Whether steps show it."""
        return not self.why

    def applies(self, tags: frozenset[str]) -> bool:
        """Whether it applies in a step with these tags."""
        return any(tags >= needed for needed in self.shown_by)


@cache
def _text() -> str:
    return resources.files("tetrasolve.tetrarchia").joinpath(FILE).read_text("utf-8")


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every row of the rulebook that the library covers, by its id."""
    found = {}
    for needs, rows in read_toml(_text()).items():
        for name, row in rows.items():
            texts = () if isinstance(row, dict) else row
            found[name] = Rule(
                name,
                needs,
                tuple(frozenset(text.split()) for text in texts),
                row["why"] if isinstance(row, dict) else "",
            )
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[0][:3])))


def rules_named(names: Sequence[str]) -> tuple[Rule, ...]:
    """The rules with these ids, in the order of the rulebook; all where none is named.

    :raises FindingError: for an id that does not exist.
    """
    for name in names:
        if name not in all_rules():
            near = nearest(name, all_rules(), cutoff=0)
            raise FindingError(f"rule {shown(name)} does not exist, expected one like {near}")
    return tuple(rule for rule in all_rules().values() if not names or rule.id in names)


def digest(board: Board) -> str:
    """A digest of what counts depend on: how rules are observed, the readings and the board."""
    return hashlib.sha256((_text() + digest_of_rules(board)).encode()).hexdigest()[:16]


def in_play(game: Game) -> frozenset[str]:
    """What is in play in a game."""
    names = {BASE, *game.start.rules_in_use}
    if game.set_up is None:
        return frozenset(names)
    if game.set_up.scenario is None:
        return frozenset(names | {LEVEL})
    return frozenset(names | {SCENARIO, game.set_up.scenario, *([FIXED] if game.set_up.fixed else [])})


def rules_in_play(game: Game) -> tuple[Rule, ...]:
    """The rules that can apply in a game and that steps show, in the order of the rulebook."""
    return _observed(in_play(game))


@lru_cache(maxsize=64)
def _observed(names: frozenset[str]) -> tuple[Rule, ...]:
    return tuple(rule for rule in all_rules().values() if rule.is_observed and rule.needs in names)


@lru_cache(maxsize=20_000)
def applying(names: frozenset[str], tags: frozenset[str]) -> tuple[str, ...]:
    """The rules that apply in a step with these tags, where these names are in play."""
    return tuple(rule.id for rule in _observed(names) if rule.applies(tags))


def applications(game: Game) -> Counter[str]:
    """In how many steps of a game each rule applies; rules that apply in none are not in it.

    >>> from tetrasolve.tetrarchia.game import new_game
    >>> from tetrasolve.tetrarchia.ruleset import Ruleset
    >>> applications(new_game(Ruleset.from_level("4221"), 7))["p06-first-revolts"]
    6

    :raises FindingError: when the replay comes to another position than the game.
    """
    names, counts = in_play(game), Counter[str]()
    for tags in steps(game):
        counts.update(applying(names, tags))
    return counts
