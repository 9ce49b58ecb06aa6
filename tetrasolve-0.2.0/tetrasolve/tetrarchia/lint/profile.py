"""A profile of the rules in play: how often each rule of the rulebook applies in games, and which never did.

The games of a *table* (a ruleset like ``4211+dux``, or a scenario) have numbers, and the seed of each is made of the seed of the
profile, the table and its number. A profile is a file that can be gone on with: more games, or more tables.

For each rule there are two estimates: the chance that a game shows it at all (Clopper and Pearson, at least its confidence), and
how many steps of a game show it on average (Student's t over games, its confidence in the limit of many). A rule that never
applied in n games has the upper bound of the first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from math import sqrt
from pathlib import Path
from typing import TypedDict

from tetrasolve.errors import ClusterError, FindingError, TetrasolveError, nearest, shown
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import FEWEST_REPLICATIONS, Estimate, chance, student
from tetrasolve.exact.executor import SerialExecutor, in_order
from tetrasolve.files import SIZE, read_text, write_text
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError, read_json, record
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint.inplay import all_rules, applications, digest, rules_in_play
from tetrasolve.tetrarchia.record import read_record, write_record

FORMAT = "tetrasolve-profile/1"
STORED = "data/rules-in-play.json"
CONFIDENCE = 0.95
SAVED_EVERY = 2.0  # seconds

Play = Callable[[str, str, Stop | None], Game]  # a table and a seed -> a game that was played
Progress = Callable[[str, int, int], None]  # table, games played, games asked for


class CountedGame(TypedDict):
    """What is counted of a game, as a process gives it: by rule the steps that show it, and its record."""

    won: bool
    fallen: bool
    turns: int
    in_play: list[str]  # the rules that could apply
    counts: dict[str, int]
    record: list[str]  # its lines


@dataclass
class RuleCounts:
    """The counts of a table: games by their ends, turns, and by rule the steps that show it.

    `squares` sums the squares of its steps in each game, `games_with` counts the games that show it.
    """

    games: int = 0
    won: int = 0
    fallen: int = 0
    turns: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    squares: dict[str, int] = field(default_factory=dict)
    games_with: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps, self.squares, self.games_with = dict(self.steps), dict(self.squares), dict(self.games_with)

    def add(self, game: CountedGame) -> None:
        """Count a game."""
        self.games += 1
        self.won += game["won"]
        self.fallen += game["fallen"]
        self.turns += game["turns"]
        for rule in game["in_play"]:
            count = game["counts"].get(rule, 0)
            self.steps[rule] = self.steps.get(rule, 0) + count
            self.squares[rule] = self.squares.get(rule, 0) + count * count
            self.games_with[rule] = self.games_with.get(rule, 0) + (count > 0)

    def share(self, rule: str) -> Estimate:
        """The chance that a game shows a rule.

        :raises ValueError: without games.
        """
        return chance(self.games_with[rule], self.games, CONFIDENCE)

    def mean(self, rule: str) -> Estimate | None:
        """How many steps of a game show a rule; None with fewer than 20 games."""
        if self.games < FEWEST_REPLICATIONS:
            return None
        value = self.steps[rule] / self.games
        variance = max(0.0, self.squares[rule] - self.steps[rule] * value) / (self.games - 1)
        half = student(CONFIDENCE, self.games - 1) * sqrt(variance / self.games)
        return Estimate(value, max(0.0, value - half), value + half, self.games, CONFIDENCE, "replications")

    def never(self) -> tuple[str, ...]:
        """The rules in play that no game showed, in the order of the rulebook."""
        return tuple(rule for rule in all_rules() if self.games_with.get(rule) == 0)


@dataclass(frozen=True)
class Example:
    """A recorded game, and the rules that apply in it."""

    table: str
    number: int
    rules: tuple[str, ...]
    record: tuple[str, ...]  # its lines


@dataclass
class Profile:
    """Tallies by table, and examples: records in which every rule applies that applied in any game.

    `policy` says who played; `about` is the digest of how rules are observed.
    """

    seed: int
    policy: str
    about: str
    tables: dict[str, RuleCounts]
    examples: tuple[Example, ...]

    def __post_init__(self) -> None:
        self.tables = dict(self.tables)

    def applied(self) -> frozenset[str]:
        """The rules that applied in some game."""
        return frozenset(rule for tally in self.tables.values() for rule, count in tally.games_with.items() if count)

    def never(self) -> tuple[str, ...]:
        """The rules that were in play in some game, and applied in none, in the order of the rulebook."""
        met = {rule for tally in self.tables.values() for rule in tally.games_with}
        return tuple(rule for rule in all_rules() if rule in met - self.applied())

    def find(self, names: Sequence[str]) -> dict[str, RuleCounts]:
        """The tallies of these tables; all where none is named.

        :raises FindingError: for a table that is not in it.
        """
        for name in names:
            if name not in self.tables:
                near = nearest(name, self.tables, cutoff=0)
                raise FindingError(f"table {shown(name)} is not in the profile, expected one like {near}")
        return {name: tally for name, tally in self.tables.items() if not names or name in names}

    def _keep(self, example: Example) -> None:
        """Keep an example if it has a rule that no other has; then leave out those that are not needed any more."""
        if set(example.rules) <= {rule for kept in self.examples for rule in kept.rules}:
            return
        kept = [*self.examples, example]
        for old in self.examples:
            others = {rule for other in kept if other is not old for rule in other.rules}
            if set(old.rules) <= others:
                kept.remove(old)
        self.examples = tuple(kept)

    def add(self, table: str, game: CountedGame) -> None:
        """Count the next game of a table.

        :raises ClusterError: when it counts what is no rule, as a worker of a cluster may answer.
        """
        counts = game["counts"]
        if not counts.keys() <= {*game["in_play"]} <= all_rules().keys() or min(counts.values(), default=1) < 1:
            raise ClusterError(f"a worker gave something else than the rules of a game: {shown(counts)}")
        tally = self.tables.get(table) or RuleCounts()
        rules = tuple(rule for rule in all_rules() if rule in counts)
        self._keep(Example(table, tally.games, rules, tuple(game["record"])))
        tally.add(game)
        self.tables[table] = tally

    # -- file --------------------------------------------------------------------------------------------------

    def write(self, path: str | Path) -> None:
        """Write it to a file, whole.

        :raises OSError: when it cannot be written.
        """
        write_text(path, json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n")

    @classmethod
    def read(cls, text: str, source: str) -> Profile:
        """The profile in a text.

        :raises FindingError: when it cannot be read.
        """
        try:
            data = read_json(text, size=SIZE)
            if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
                raise FindingError(f"{source}: expected a profile that says {FORMAT!r}")
            found: Profile = record(cls, data, source)
        except StrictError as error:
            raise FindingError(f"{source}: {error}") from None
        for problem in _problems_of_counts(found):
            raise FindingError(f"{source}: {problem}")
        return found


def new_profile(seed: int, policy: str, board: Board | None = None) -> Profile:
    """A profile without games."""
    return Profile(seed, policy, digest(board or Board.standard()), {}, ())


def kept_profile(path: Path, seed: int, policy: str) -> Profile:
    """The profile in a file, to go on with; a new one where there is no file.

    :raises FindingError: when the file is no profile, or of another seed, another policy or other rules.
    :raises OSError: when it cannot be read.
    """
    new = new_profile(seed, policy)
    if not path.exists():
        return new
    found = Profile.read(read_text(path, SIZE), str(path))
    for name in ("seed", "policy", "about"):
        there, here = getattr(found, name), getattr(new, name)
        if there != here:
            what = "rules" if name == "about" else name
            raise FindingError(f"{path}: a profile with {what} {shown(there)}, here {shown(here)}: name another file")
    return found


def play_games(
    profile: Profile,
    tables: Iterable[str],
    games: int,
    play: Play,
    *,
    path: Path | None = None,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Play so many games of each of these tables, those that the profile has included; whether all were played.

    The table with the fewest games is next. The file is written now and then and at the end, also after an error. The result
    does not depend on `workers`, a number of processes or a cluster.

    :raises OSError: when the file cannot be written.
    """
    stop, names, saved = stop_of(seconds, cancel), list(dict.fromkeys(tables)), time.monotonic()
    begun = [profile.tables[name].games if name in profile.tables else 0 for name in names]
    left = sum(max(0, games - count) for count in begun)
    try:
        with executing(workers, stop) as executor:
            here = stop if isinstance(executor, SerialExecutor) else None
            context = _Context(profile.seed, tuple(names), play, here, moment(stop))
            results = executor.run(_counted, context, _numbers(begun, games))
            with closing(in_order(results, _numbers(begun, games))) as counted:
                while left:
                    check(stop)
                    number, game = next(counted)
                    name, left = names[number % len(names)], left - 1
                    profile.add(name, game)
                    if progress is not None:
                        progress(name, profile.tables[name].games, games)
                    if path is not None and time.monotonic() - saved > SAVED_EVERY:
                        profile.write(path)
                        saved = time.monotonic()
    except Stopped:
        return False
    finally:
        if path is not None:
            profile.write(path)
    return True


@dataclass(frozen=True)
class _Context:
    """What the games share; `stop` is for jobs of this process, `until` for those of others."""

    seed: int
    names: tuple[str, ...]
    play: Play
    stop: Stop | None
    until: Moment | None


def _numbers(begun: Sequence[int], games: int) -> Iterator[int]:
    """The numbers of the games to be played: that of the game in its table, times the number of tables, and the table's."""
    for game in range(min(begun, default=games), games):
        yield from (game * len(begun) + table for table, count in enumerate(begun) if count <= game)


def _counted(context: _Context, number: int) -> CountedGame:
    """Play a game, and count its rules.

    :raises Stopped: when its time is over before.
    """
    name, stop = context.names[number % len(context.names)], context.stop or stop_at(context.until)
    game = context.play(name, f"{context.seed} {name} {number // len(context.names)}", stop)
    return {
        "won": game.result.startswith("won"),
        "fallen": game.result.startswith("fallen"),
        "turns": sum(played.action is None for played in game.played),
        "in_play": [rule.id for rule in rules_in_play(game)],
        "counts": dict(applications(game)),
        "record": write_record(game).splitlines(),
    }


@cache
def stored_profile() -> Profile:
    """The profile that comes with the library.

    :raises FindingError: when the file cannot be read.
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8")
    return Profile.read(text, STORED)


# -- checking ----------------------------------------------------------------------------------------------------------


def _problems_of_counts(profile: Profile) -> Iterable[str]:
    for name, tally in profile.tables.items():
        if not 0 <= tally.won + tally.fallen <= tally.games:
            yield f"{name}: {tally.won} games won and {tally.fallen} lost of {tally.games}"
        if not tally.steps.keys() == tally.squares.keys() == tally.games_with.keys():
            yield f"{name}: expected three counts for each rule"
            continue
        for rule, steps in tally.steps.items():
            squares, games_with = tally.squares[rule], tally.games_with[rule]
            if rule not in all_rules() or not all_rules()[rule].is_observed:
                yield f"{name}: {shown(rule)} is no rule that is observed"
            if not (0 <= games_with <= min(steps, tally.games) and steps <= squares <= steps * steps):
                yield f"{name}: {rule}: {steps} steps in {games_with} of {tally.games} games with squares {squares}"


def problems(profile: Profile, board: Board | None = None) -> list[str]:
    """What is wrong with a profile, in sentences: its examples are replayed by the reference rules and show what they say.

    Games that are no examples are not played again.
    """
    board = board or Board.standard()
    found = [] if profile.about == digest(board) else ["the profile is about other rules, or another board"]
    found += _problems_of_counts(profile)
    covered: set[str] = set()
    for example in profile.examples:
        name = f"{example.table}, game {example.number}"
        try:
            counts = applications(read_record("\n".join(example.record) + "\n", board))
        except TetrasolveError as error:
            found.append(f"{name}: {error}")
            continue
        if example.rules != tuple(rule for rule in all_rules() if rule in counts):
            found.append(f"{name}: other rules apply in it than it says")
        covered |= counts.keys()
    missing = sorted(profile.applied() ^ covered)
    return found + ([f"expected an example of each rule that applied: {', '.join(missing)}"] if missing else [])
