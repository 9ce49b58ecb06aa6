"""Random turns a second of the second game, and milliseconds of exact turns; kept in bench/results/finem_turns.json.

    python bench/finem_turns.py --keep
    python bench/finem_turns.py --show

*Random turns*: whole turns of random games from set-ups, one game after the other, in each ruleset. *Exact turns*: the figures
of the turn that follows if the player passes, from starts of turns of random games. *With four invasions*: the same starts with the
decline on the third card of its track, where most sets of cards can invade. Processor seconds of one thread, so that what else the
machine does counts little; its load is kept too.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.finem import kernel as finem_kernel
from tetrasolve.finem.fast import STEPS, engine_of
from tetrasolve.finem.kernel import POLICIES, Kernel, Rng, State
from tetrasolve.finem.position import Step
from tetrasolve.finem.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_turns.json"
GOALS = {"turns_a_second": 1e5, "milliseconds": 50}
RULESETS = (
    "introductory",
    "standard",
    "expert+corner+sphere+cap3",
    "standard?E-PACIFY=action,E-TRIBUNE=invasion,E-ORDER=dice-first",
)
SEED = 285
WITH_FOUR = "careful, with four invasions"


def random_turns(engine: Kernel, turns: int, repetitions: int) -> list[float]:
    """Random turns a second, of each repetition."""
    found = []
    for repetition in range(repetitions):
        rng = Rng(SEED + repetition)
        before = time.process_time()
        engine.random_turns(turns, rng)
        found.append(turns / (time.process_time() - before))
    return sorted(found)


def starts(engine: Kernel, number: int) -> Iterator[State]:
    """Starts of turns of random games."""
    rng, steps = Rng(SEED), 0
    while number:
        steps += 1
        state = engine.random_state(steps % 90, rng)
        fields = state.fields()
        if not state.result and STEPS[state.step] is Step.ACT and fields["left"] == 4:
            number -= 1
            yield state


def four_invasions(state: State, ruleset: Ruleset) -> State:
    """The same state with the decline on the first place of the third card, where four cards invade."""
    return State(**{**state.fields(), "decline": 1 + 2 * ruleset.decline_a_card})


def exact_turns(engine: Kernel, ruleset: Ruleset, number: int) -> dict[str, list[float]]:
    """Milliseconds of exact turns, for each policy and with four invasions."""
    found: dict[str, list[float]] = {name: [] for name in (*POLICIES, WITH_FOUR)}
    for state in starts(engine, number):
        for name, row in found.items():
            start, policy = (four_invasions(state, ruleset), "careful") if name == WITH_FOUR else (state, name)
            before = time.process_time()
            figures = engine.turn(start, policy)
            row.append(1000 * (time.process_time() - before))
            if figures["known"] != figures["unit"]:
                raise SystemExit(f"finem_turns: figures that do not sum to one: {start.fields()}")
    return found


def summary(row: Sequence[float]) -> dict[str, float]:
    """Median, ninth decile and greatest."""
    order = sorted(row)
    return {
        "median": round(statistics.median(order), 3),
        "nine_tenths": round(order[len(order) * 9 // 10], 3),
        "most": round(order[-1], 3),
    }


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    goals = f"{GOALS['turns_a_second']:,.0f} random turns a second, {GOALS['milliseconds']} ms for an exact turn"
    yield f"load before: {data['machine']['load'][0]}; goals: {goals}"
    for name, row in data["found"].items():
        rate = row["random_turns_a_second"]
        yield f"{name}: {rate['median']:,} random turns a second [{rate['least']:,} to {rate['most']:,}]"
        for policy, found in row["exact_turn_ms"].items():
            yield (
                f"  exact turn, {policy}: median {found['median']} ms, nine tenths below {found['nine_tenths']},"
                f" most {found['most']}"
            )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "few turns")
    options = kept.options(argv)
    if options is None:
        return 0
    turns, repetitions, number = (2000, 2, 3) if options.quick else (1_000_000, 7, 400)
    data: dict[str, Any] = {
        "bench": "finem_turns", "seed": SEED, "goals": GOALS, "turns": turns, "repetitions": repetitions, "exact_turns": number,
        "clock": "processor seconds", "commit": facts.commit(), "machine": facts.machine(),
        "checked": finem_kernel.CHECKED, "found": {},
    }  # fmt: skip
    for name in RULESETS:
        ruleset = Ruleset.from_text(name)
        engine = engine_of(ruleset)
        rates = [round(rate) for rate in random_turns(engine, turns, repetitions)]
        data["found"][name] = {
            "random_turns_a_second": {"median": rates[len(rates) // 2], "least": rates[0], "most": rates[-1]},
            "exact_turn_ms": {policy: summary(row) for policy, row in exact_turns(engine, ruleset, number).items()},
        }
        print(f"finem_turns: {name} done", file=sys.stderr)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
