"""Positions of legal games in which two values of a reading differ, each with the record that leads there from a set-up.

The smallest position in which two values differ is often one that no game comes to. So games are played, each step of which is
drawn at random, and the first position of a game in which the values differ is kept where no shorter record is known: by the
kernels, or by the reference rules where they alone play one of the values. Games are played by the usual rules. A record shows
that the question comes up in play, not how often; that none was found does not prove that none is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from tetrasolve.errors import FindingError, TetrasolveError
from tetrasolve.exact.batches import Progress
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.files import SIZE, read_text, write_text
from tetrasolve.lint.findings import Finding
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.lint.compare import Engines, Pair, differences, with_value
from tetrasolve.tetrarchia.lint.needed import needed
from tetrasolve.tetrarchia.lint.small import BASE, REBELS, Table, table_of
from tetrasolve.tetrarchia.lint.unreachable import why_unreachable
from tetrasolve.tetrarchia.numbers import MOST_FLEETS_WITH_PIRATES
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Choice, RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset

FORMAT = 1
STORED = "data/reached.json"
TURNS = 8  # of a game that is played at random
EAGER_TO_END = 0.12  # the chance that an Emperor ends his turn, at each action
BOLD = 4  # times as likely as another action an attack is, and a removal or a garrison
MOST_REVOLTS = 12  # in a phase that is compared: with more its distribution takes seconds
MOST_BY_REFERENCE = 9  # the same where the reference rules compare it


def reachable_pairs(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings for which a record can be looked for: those with a position."""
    return tuple(f for f in findings if f.position is not None)


class Records:
    """Records by the id of a finding, in a file."""

    def __init__(self, rows: Mapping[str, Sequence[str]] | None = None) -> None:
        self.rows = {name: list(lines) for name, lines in (rows or {}).items()}

    @classmethod
    def read(cls, text: str, source: str) -> Records:
        """Those in a text.

        :raises FindingError: when it cannot be read.
        """
        try:
            data = read_json(text)
            if data["format"] != FORMAT or not all(
                isinstance(line, str) for row in data["records"].values() for line in row
            ):
                raise FindingError(f"{source}: expected records of format {FORMAT}")
            return cls(data["records"])
        except (StrictError, AttributeError, KeyError, TypeError) as error:
            raise FindingError(f"{source}: holds no records ({type(error).__name__})") from None

    @classmethod
    def kept(cls, path: Path) -> Records:
        """Those of a file, to go on from; none where there is no such file.

        :raises FindingError: when it cannot be read.
        """
        return cls.read(read_text(path, SIZE), str(path)) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Write them, whole."""
        write_text(path, json.dumps({"format": FORMAT, "records": dict(sorted(self.rows.items()))}, indent=1) + "\n")

    def game(self, name: str, board: Board | None = None) -> Game | None:
        """The game of a finding, replayed; None where there is none.

        :raises TetrasolveError: when the record does not replay.
        """
        lines = self.rows.get(name)
        return None if lines is None else read_record("\n".join(lines) + "\n", board)


@cache
def stored_records() -> Records:
    """The records that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    return Records.read(resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8"), STORED)


def reached(finding: Finding, records: Records | None = None) -> str:
    """In one sentence: how long the shortest game is that comes to a position where the values differ, or that none can."""
    lines = (records or stored_records()).rows.get(finding.id)
    if lines is not None:
        return f"a game comes to a position where they differ after {_events(lines)} actions and phases"
    if finding.position is None:
        return "no game was looked for: no position is known in which they differ"
    if reason := why_unreachable(finding.id):
        return f"it cannot be reached: {reason}"
    return "no game was found that comes to a position where they differ"


# -- search ------------------------------------------------------------------------------------------------------------


def search_records(
    path: Path,
    findings: Sequence[Finding],
    *,
    games: int,
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Records, bool]:
    """Play games for each table of the findings and keep the shortest records; whether all games were played.

    What the file `path` has is kept where nothing shorter is found.

    :raises OSError: when the file cannot be written.
    """
    stop, board = stop_of(seconds, cancel), Board.standard()
    found = Records.kept(path)
    tables: dict[str, list[Pair]] = {}
    for finding in reachable_pairs(findings):
        if REBELS not in finding.table:
            tables.setdefault(finding.table, []).append(Pair(finding.reading, *finding.values))
    for number in range(games):
        for name, pairs in tables.items():
            if is_over(stop):
                found.write(path)
                return found, False
            table = Table(board, tuple(n for n in name.split("+") if n != BASE))
            with suppress(Stopped):
                _played(found, table, pairs, f"{seed} {number} {name}", stop)
        found.write(path)
        if progress is not None:
            progress("games of each table", number + 1, games)
    return found, True


_engines: dict[str, Engines] = {}


def _played(found: Records, table: Table, pairs: Sequence[Pair], seed: str, stop: Stop | None) -> None:
    """Play a game of a table, and keep the records that are shorter than those known."""
    engines = _engines.setdefault(table.name, Engines(table))
    random = Random(seed)
    game = new_game(_ruleset(table, random), seed, board=table.board)
    dice = RandomDice(f"dice {seed}")
    wanted = list(pairs)
    while not game.is_over and len(game.played) < TURNS * len(table.board.emperors) and wanted:
        if is_over(stop):
            return
        length = len(game.played)
        wanted = [pair for pair in wanted if pair.id not in found.rows or length < _events(found.rows[pair.id])]
        for pair in _differing(engines, game.position, wanted, stop):
            found.rows[pair.id] = write_record(game).splitlines()
        if game.position.phase is Phase.BARBARIAN:
            game.barbarians(dice, lambda choice: _answer(random, choice))
        else:
            _act(game, random, dice)


def _ruleset(table: Table, random: Random) -> Ruleset:
    most = MOST_FLEETS_WITH_PIRATES if "pirates" in table.extensions else len(table.board.zones)
    level = f"4{random.randint(1, most)}{random.choice((1, 2))}{random.choice((0, 1, 2))}"
    return Ruleset.from_text("+".join((level, *table.extensions)))


def _events(lines: Sequence[str]) -> int:
    """How many actions and phases a record has."""
    return sum(line.startswith("dice:") or (line[:1].isdigit() and 1 + line.count(";")) for line in lines)


def _differing(engines: Engines, position: Position, pairs: Sequence[Pair], stop: Stop | None) -> list[Pair]:
    """The pairs that differ in a position, by the kernel and then by the reference rules.

    :raises Stopped: when the flag is set.
    """
    state: Any = fast.state_of(position, rebels=True)  # of the kernel with modules
    revolts, comes = len(position.revolts), position.phase is Phase.BARBARIAN
    pairs = [
        p
        for p in pairs
        if not p.by_reference or (_may_differ(position, p) and not (comes and revolts > MOST_BY_REFERENCE))
    ]
    if not pairs or (comes and (revolts > MOST_REVOLTS or engines.decided)):
        return []
    return [
        pair
        for pair in engines.differing(state, pairs, stop)
        if not any(with_value(position, pair.reading, value).status() for value in pair.values)
        and differences(position, pair, stop)
    ]


def _may_differ(position: Position, pair: Pair) -> bool:
    """Whether a position has the pieces without which the values cannot differ."""
    need = needed().get(pair.id)
    return need is None or need.is_met(position)


def _answer(random: Random, choice: Choice) -> int:
    return random.randrange(len(choice.options))


def _act(game: Game, random: Random, dice: RandomDice) -> None:
    """An action at random, or the end of the turn."""
    actions = list(rules.legal_actions(game.position))
    may_end = rules.may_end(game.position)
    if may_end and (not actions or random.random() < EAGER_TO_END):
        game.end()
        return
    by_kind: dict[Kind, list[Action]] = {}
    for action in actions:
        by_kind.setdefault(action.kind, []).append(action)
    kinds = list(by_kind)
    weights = [1 if k in (Kind.MOVE, Kind.SAIL) else BOLD for k in kinds]
    action = random.choice(by_kind[random.choices(kinds, weights)[0]])
    if action.kind is Kind.ATTACK and action.place is not None:
        game.attack(action.place, dice, action.figure)
    else:
        game.act(action)


# -- checking ----------------------------------------------------------------------------------------------------------


def kernel_problem(game: Game) -> str:
    """Where the kernel has another result than a step of a game; the empty text where it agrees with all of them.

    A phase is looked up among the results that the kernel gives a chance, unless players decide in it.
    """
    decided = not {"imperium", "barbaria"}.isdisjoint(game.start.ruleset.extensions)
    for state, after, played in zip(game.states, game.states[1:], game.played, strict=False):
        assert isinstance(state, Position), "a game goes on from a position"
        engine, now = fast.kernel_of(state), fast.to_state(state)
        if played.action is not None:
            codes = {fast.to_code(played.action, state.board)} if played.action.kind is not Kind.END else {whole.END}
            results = [engine.play(now, code) for code in codes]
        elif decided:
            continue
        else:
            results = [end for end, _ in engine.outcomes(now, whole.DECLINE)]
        if isinstance(after, Position) and not any(
            r.result != whole.FALLEN and fast.to_position(r, state.board, state.ruleset) == after for r in results
        ):
            return f"after {played.action or 'the phase'} in '{state}' the kernel has another position"
    return ""


def record_problems(records: Records, findings: Sequence[Finding], board: Board | None = None) -> Iterator[str]:
    """What is wrong with records, in sentences: none where each leads by both engines to a position where its values differ."""
    known = {finding.id: finding for finding in findings}
    for name in records.rows:
        if name not in known:
            yield f"{name}: there is no such finding"
            continue
        try:
            game = records.game(name, board)
            assert game is not None, "it has a record"
            if game.set_up is None:
                yield f"{name}: the record does not begin with a set-up"
            elif game.is_over:
                yield f"{name}: the game of the record is over"
            elif problem := kernel_problem(game):
                yield f"{name}: {problem}"
            elif not _kernels_differ(game.position, Pair(known[name].reading, *known[name].values)):
                yield f"{name}: its values do not differ in '{game.position}'"
        except TetrasolveError as error:
            yield f"{name}: {error}"


def _kernels_differ(position: Position, pair: Pair) -> bool:
    """By the kernels: the search has compared the reference rules too, which takes seconds where there are many revolts."""
    state: Any = fast.state_of(position, rebels=True)
    return pair in Engines(table_of(position)).differing(state, [pair])


def replays_under(records: Records, name: str, pair: Pair) -> tuple[str, ...]:
    """Those of two values under which the same events are legal and have the same dice, so that both lead there."""
    found = []
    for value in pair.values:
        lines = [_under(line, pair.reading, value) for line in records.rows[name]]
        try:
            read_record("\n".join(lines) + "\n")
        except TetrasolveError:
            continue
        found.append(value)
    return tuple(found)


def _under(line: str, reading: str, value: str) -> str:
    head, _, rest = line.partition(" ")
    if head not in ("ruleset", "start"):
        return line
    ruleset, space, more = rest.partition(" ")
    return f"{head} {Ruleset.from_text(ruleset).with_readings([(reading, value)])}{space}{more}"
