"""Whether both engines of the second game agree, on random states and on exact turns; kept in bench/results/finem_engines.json.

    python bench/finem_engines.py --states 1000000 --turns 1000 --keep
    python bench/finem_engines.py --show

Games are played at random by the reference rules. Each has a ruleset of its own: a level, options, each reading that the kernel
plays with a value drawn at random, and half the time the cards on other places of the map. *States*: at each step of a game the
kernel lists the same options as the reference, comes to the same state, and its policies decide the same. *Turns*: at the start of
one turn of a game, the chances to lose and to win in that turn by the kernel (`Kernel.turn`) and by the reference rules
(`tetrasolve.finem.lint.turns.turn_chances`), as equal fractions. With `--keep` a run goes on from what is kept, game by
game, unless the kernel or the reference rules have changed since. A difference ends it with the position.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import write

from tetrasolve.finem import kernel as finem_kernel
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import POLICIES as KERNEL_POLICIES
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.lint.turns import turn_chances
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Position, State, Step
from tetrasolve.finem.ruleset import KERNEL_READINGS, LEVELS, OPTIONS, Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_engines.json"
GOALS = {"states": 1_000_000, "turns": 1000}
SEED = 21
SAVE_SECONDS = 20
ACTIONS = 4  # left at the start of a turn


def random_ruleset(random: Random) -> Ruleset:
    """A level with options, about half the readings with a value drawn at random, and half the time the cards on other places."""
    level = random.choice(LEVELS)
    options = frozenset(option for option in OPTIONS if random.random() < 0.4)
    options = options or frozenset({"sphere"} if level == "expert" else ())
    chosen = tuple(
        (name, random.choice(reading.played))
        for name, reading in KERNEL_READINGS.items()
        if reading.applies(level, options) and random.random() < 0.5
    )
    cards = tuple(random.sample(REGIONS, len(REGIONS))) if random.random() < 0.5 else ()
    return Ruleset(level, options, chosen, cards).dealt(random)  # [E-MAP]


def random_game(ruleset: Ruleset, random: Random) -> Iterator[tuple[Position, str, State]]:
    """A game of a player who decides at random: each position with what came and the state after it."""
    state: State = rules.set_up(ruleset, *rules.drawn_set_up(ruleset, random))
    while isinstance(state, Position):
        option = random.choice(rules.node(state).options)
        following = rules.take(state, option)
        yield state, option, following
        state = following


def state_difference(position: Position, option: str, following: State) -> str:
    """In what the kernel differs at a step of a game; empty where it does not."""
    engine, state, node = engine_of(position.ruleset), state_of(position), rules.node(position)
    if position_of(position.ruleset, state) != position:
        return "the position"
    codes = engine.options(state)
    texts = [option_text(code) for code in codes]
    if texts != [*node.options]:
        return f"the options: {', '.join(texts)}"
    after = engine.take(state, codes[texts.index(option)])
    if position_of(position.ruleset, after) != following:
        return f"the state after {option}"
    if isinstance(following, Position) and after != state_of(following):
        return f"the packed state after {option}"
    for policy in () if node.is_chance else KERNEL_POLICIES:
        if option_text(engine.decide(state, policy)) != POLICIES[policy](position, node):
            return f"what the policy {policy} decides"
    return ""


def turn_difference(position: Position) -> str:
    """In what the kernel differs on the turn that begins here; empty where it does not."""
    found = engine_of(position.ruleset).turn(state_of(position))
    unit, ends = found["unit"], found["ends"]
    if found["known"] != unit:
        return "the whole of its chances"
    won = Fraction(ends.get("won", 0), unit)
    lost = Fraction(sum(ends.values()), unit) - won
    expected = turn_chances(position)
    return (
        ""
        if (lost, won) == expected
        else f"its chances to lose and to win: {lost}, {won} for {expected[0]}, {expected[1]}"
    )


def rules_digest() -> str:
    """Of what is compared: the compiled kernel and the sources of the reference rules."""
    package = Path(rules.__file__).parents[1]
    compared = [Path(finem_kernel.__file__), *sorted(package.glob("*.py")), *sorted((package / "rules").glob("*.py"))]
    compared.append(package / "lint" / "turns.py")
    whole = hashlib.sha256()
    for path in compared:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def begun(path: Path | None) -> dict[str, Any]:
    """What is kept for these engines, or a new start."""
    part = {"count": 0, "games": 0, "seconds": 0.0, "levels": {}, "options": {}, "values": {}}
    fresh: dict[str, Any] = {"bench": "finem_engines", "seed": SEED, "goals": GOALS, "engines": rules_digest()}
    fresh |= {name: json.loads(json.dumps(part)) for name in GOALS}
    kept = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
    if kept and any(kept.get(name) != fresh[name] for name in ("seed", "engines")):
        print("finem_engines: the kept results are of other engines or another seed; started again", file=sys.stderr)
        kept = {}
    return fresh | kept


def compared(kind: str, number: int) -> tuple[Ruleset, int]:
    """A game: its ruleset, and how many states or turns of it agree.

    :raises SystemExit: where the engines differ, with the position.
    """
    random = Random(f"{SEED} {kind} {number}")
    ruleset = random_ruleset(random)
    if kind == "states":
        steps = random_game(ruleset, random)
        found = [(position, state_difference(position, option, following)) for position, option, following in steps]
    else:
        starts = [one for one, *_ in random_game(ruleset, random) if one.step is Step.ACT and one.left == ACTIONS]
        chosen = random.sample(starts, min(1, len(starts)))
        found = [(position, turn_difference(position)) for position in chosen]
    for position, difference in found:
        if difference:
            raise SystemExit(f"finem_engines: {kind}, game {number}: the kernel differs in {difference}: {position}")
    return ruleset, len(found)


def run(data: dict[str, Any], kind: str, wanted: int, path: Path | None) -> None:
    """Games until so many states or turns are compared."""
    row, saved = data[kind], time.monotonic()
    tallies = {name: Counter(row[name]) for name in ("levels", "options", "values")}
    while row["count"] < wanted:
        before = time.process_time()
        ruleset, count = compared(kind, row["games"])
        row["games"] += 1
        row["count"] += count
        row["seconds"] = round(row["seconds"] + time.process_time() - before, 3)
        tallies["levels"][ruleset.level] += count
        tallies["options"].update(dict.fromkeys(ruleset.options, count))
        values = [f"{name}={ruleset.readings[name]}" for name in KERNEL_READINGS if name in ruleset.readings]
        tallies["values"].update(dict.fromkeys(values, count))
        row |= {name: dict(sorted(tally.items())) for name, tally in tallies.items()}
        if path is not None and (time.monotonic() - saved > SAVE_SECONDS or row["count"] >= wanted):
            saved = time.monotonic()
            write(path, data | {"commit": facts.commit(), "machine": facts.machine()})
            print(f"finem_engines: {row['count']:,} of {wanted:,} {kind}", file=sys.stderr, flush=True)


def lines(data: dict[str, Any]) -> Iterator[str]:
    """What was compared."""
    for kind, goal in data["goals"].items():
        row = data[kind]
        yield f"{row['count']:,} {kind} of {row['games']:,} games agree; none differs (goal {goal:,}, {row['seconds']:,.0f} s)"
        if row["count"]:
            (least, fewest), number = min(row["values"].items(), key=lambda item: item[1]), len(row["values"])
            parts = ", ".join(f"{name} {count:,}" for name, count in {**row["levels"], **row["options"]}.items())
            yield f"  {parts}; {number} values of readings, the fewest {fewest:,} with {least}"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "200 states and one turn")
    kept.parser.add_argument("--states", type=int, default=0, help="to be reached (default: none)")
    kept.parser.add_argument("--turns", type=int, default=0, help="to be reached (default: none)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.quick:
        options.states, options.turns = 200, 1
    path = options.json or (RESULTS if options.keep else None)
    data = begun(path)
    for kind in GOALS:
        run(data, kind, getattr(options, kind), path)
    print("\n".join(lines(data)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
