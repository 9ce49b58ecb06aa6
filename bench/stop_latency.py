"""How soon long work ends that is asked to stop; kept in bench/results/stop_latency.json.

    python bench/stop_latency.py --keep
    python bench/stop_latency.py --show
    python bench/stop_latency.py --only commands

Three tables. *Kernel calls*: another thread sets the flag of a call at a random moment, and the time until the call has raised is
taken. *Questions*: how much later than `seconds` an answer comes. *Commands*: a process that computes gets SIGINT, another one
SIGTERM, and the time until it has ended is taken, as well as its exit code. The load of the machine is kept with the results: on
a busy one the waiting time for a core is part of each number.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.plan.campaign.solving import campaign
from tetrasolve.tetrarchia.plan.expect import best_turn
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.combat import fight
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.ruleset import Ruleset

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "stop_latency.json"
GOALS = {"kernel": 0.05, "questions": 0.25, "commands": 1.0}  # seconds
GIVEN = 0.3  # seconds for each question

# Phases of millions of outcomes, turns of many thousand states, and a game of the modules with choices in the phase
LARGE = next(
    line for line in (HERE / "worst-phase.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")
)
ARMIES = "4211 G:6 bae/thr/cyr/gma 13 tin.bit tin.aqu.dac.bit - cis.bel.nar.srm/sar.gae.bri/gla.cyr/thr.ach.per.lib"
WIDE = "3221 D:6 -/-/-/- 12 bri bae.car.aqu.dac.msu.epi.asi.afr - -/-/-/-"
WIDE_WITHOUT_ARMIES = "4211 G:6 aeg/-/-/- 23 per gla.gin.pin.epi.bit.num.afr - -/-/-/-"
NOTHING_REMOVED = 'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
MODULES = (
    "4211+dux+barbaria+imperium D:6 luc/-/-/- 12 lib gla.gin.dac.thr.asi.cyr.num - -/-/-/- "
    f'barbarian_discs={{"black":1,"gray":4}} dux=null {NOTHING_REMOVED}'
)
LARGE_MODULES = (
    f'{LARGE.replace(" ", "+barbaria+imperium ", 1)} barbarian_discs={{"black":1,"gray":4}} {NOTHING_REMOVED}'
)

Call = Callable[[Stop], object]


# -- kernel calls ----------------------------------------------------------------------------------------------------


def kernel_calls() -> dict[str, Call]:
    """Calls that last longer than they are given, or are repeated until then."""
    large, wide, modules = (Position.parse(text) for text in (LARGE, WIDE, MODULES))
    base, state, turn_state = fast.kernel_of(large), fast.to_state(large), fast.to_state(wide)
    more, more_state = fast.kernel_of(modules), fast.to_state(modules)
    most, most_state = fast.kernel_of(Position.parse(LARGE_MODULES)), fast.to_state(Position.parse(LARGE_MODULES))
    level = Ruleset.from_level("4211")
    setup = level.revolts, level.fleets, level.armies
    zeros = [0] * len(large.board.ids)
    weights = ([1] * len(zeros), zeros, [zeros] * 4, zeros, [zeros] * 4, 0, 0, 0)
    player, turn = new_player(Board.standard(), level), kernel.Turn(base, turn_state)
    criteria, expectimax = [("ip",), ("uprising",)], kernel.Expectimax(turn, weights)
    search: dict[str, Any] = {"ends": 2000, "samples": 36, "rounds": 3, "deep_ends": 500, "deep_samples": 400}
    return {
        "phase": lambda stop: base.phase(state, stop=stop),
        "phase_exact": lambda stop: base.phase_exact(state, stop=stop),
        "events": lambda stop: base.events(state, stop=stop),
        "outcomes": lambda stop: base.outcomes(state, stop=stop),
        "figures_many": _again(lambda stop: kernel.figures_many(base, [state], stop=stop)),
        "expect_exact": _again(lambda stop: kernel.expect_exact(base, state, weights, stop=stop)),
        "expect_values": _again(lambda stop: kernel.expect_values(base, [state], weights, stop=stop)),
        "expect_plain": lambda stop: kernel.expect_plain(base, [state] * 100, weights, stop=stop),
        "bench_phase": lambda stop: base.bench_phase([state], 10**9, stop=stop),
        "divide": _again(lambda stop: base.divide(turn_state, 8, stop=stop)),
        "perft": _again(lambda stop: base.perft(turn_state, 8, stop=stop)),
        "ends": _again(lambda stop: base.ends(turn_state, stop=stop)),
        "end_states": _again(lambda stop: base.end_states(turn_state, stop=stop)),
        "random_games": lambda stop: base.random_games(10**9, *setup, 1, stop=stop),
        "random_game": _again(lambda stop: base.random_game(turn_state, kernel.Rng(1), stop=stop)),
        "Turn": _again(lambda stop: kernel.Turn(base, turn_state, stop=stop)),
        "Turn.solve": _again(lambda stop: turn.solve(criteria, stop=stop)),
        "Solution.end_values": _again(lambda stop: turn.solve(criteria).end_values(stop=stop)),
        "Solution.count_optimal_ends": _again(lambda stop: turn.solve(criteria).count_optimal_ends(stop=stop)),
        "Turn.count_policies": _again(lambda stop: turn.count_policies(stop=stop)),
        "Expectimax.contenders": _again(lambda stop: expectimax.contenders(stop=stop)),
        "Expectimax": _again(lambda stop: kernel.Expectimax(turn, weights, stop=stop)),
        "Player.think": _again(lambda stop: player.think(turn_state, 1, stop=stop, **search)),
        "Player.games": lambda stop: player.games(10**6, *setup, 1, stop=stop),
        "Player.rollouts": lambda stop: player.rollouts(turn_state, 10**6, 1, stop=stop),
        "Player.features_of_many": _again(lambda stop: player.features_of_many(bytes(turn_state) * 10**5, stop=stop)),
        "Player.lessons": lambda stop: player.lessons(10**6, *setup, 1, ends=8, samples=18, stop=stop),
        "modules: phase": lambda stop: most.phase(most_state, stop=stop),
        "modules: phase_exact": lambda stop: most.phase_exact(most_state, whole.EAGER, stop=stop),
        "modules: events": lambda stop: most.events(most_state, stop=stop),
        "modules: perft": _again(lambda stop: more.perft(more_state, 8, stop=stop)),
        "modules: end_states": _again(lambda stop: more.end_states(more_state, stop=stop)),
        "modules: random_games": lambda stop: more.random_games(10**9, *setup, 1, whole.AT_RANDOM, stop=stop),
    }


def _again(call: Call) -> Call:
    """A call that is made until its flag is set; each time is a call of its own."""

    def repeated(stop: Stop) -> None:
        while True:
            call(stop)
            stop.check()  # one that has kept its result looks at nothing

    return repeated


def kernel_latencies(repetitions: int) -> dict[str, dict[str, Any]]:
    """For each call how long it went on after its flag was set, and the processor time of that, which others do not lengthen."""
    found, moments = {}, random.Random(1)
    for name, call in kernel_calls().items():
        rows, worked = [], []
        for _ in range(repetitions):
            stop, set_at = Stop(), list[float]()

            def end(stop: Stop = stop, set_at: list[float] = set_at) -> None:
                set_at.extend((time.perf_counter(), time.process_time()))
                stop.set()

            timer = threading.Timer(moments.uniform(0.01, 0.3), end)
            timer.start()
            try:
                call(stop)
            except Stopped:
                rows.append(time.perf_counter() - set_at[0])
                worked.append(time.process_time() - set_at[1])
            finally:
                timer.join()
        found[name] = summary(rows) | {"processor": round(max(worked), 4)}
    return found


def summary(rows: Sequence[float]) -> dict[str, Any]:
    """The greatest and the median, in seconds."""
    order = sorted(rows)
    if not order:
        raise SystemExit("stop_latency: a call ended before its flag was set")
    return {"most": round(order[-1], 4), "median": round(order[len(order) // 2], 4), "times": len(order)}


# -- questions -------------------------------------------------------------------------------------------------------

QUESTIONS: dict[str, Callable[[float], object]] = {
    "hint": lambda seconds: hint(Position.parse(LARGE), seconds=seconds).status,
    "hint with games": lambda seconds: hint(Position.parse(WIDE), seconds=seconds, games=10**6).status,
    "risk": lambda seconds: risk(Position.parse(LARGE), seconds=seconds).status,
    "risk, modules": lambda seconds: risk(Position.parse(LARGE_MODULES), seconds=seconds).status,
    "horizon": lambda seconds: horizon(Position.parse(LARGE), 3, seconds=seconds, executor=SerialExecutor()).status,
    "plan by risk": lambda seconds: plan(Position.parse(WIDE), "least p_lost", seconds=seconds).status,
    "plan by expectation": lambda seconds: (
        plan(Position.parse(WIDE), "most expected revolt=-3 unrest=-1", seconds=seconds).status
    ),
    "plan by cpsat": lambda seconds: (
        plan(
            Position.parse(WIDE_WITHOUT_ARMIES),
            "clear psu then least ip",
            engine="cpsat",
            attacks="none",
            seconds=seconds,
        ).status
    ),
    "plan by z3": lambda seconds: (
        plan(
            Position.parse(WIDE_WITHOUT_ARMIES), "clear psu then least ip", engine="z3", attacks="none", seconds=seconds
        ).status
    ),
    "best_turn": lambda seconds: (
        best_turn(Position.parse(WIDE), "revolt=-3 unrest=-1", exact=True, seconds=seconds).status
    ),
    "fight": lambda seconds: fight(Position.parse(LARGE), seconds=seconds).status,
    "campaign": lambda seconds: campaign(Position.parse(WIDE_WITHOUT_ARMIES), "victory", seconds=seconds).status,
}


def question_latencies(repetitions: int) -> dict[str, dict[str, Any]]:
    """For each question how much later than its `seconds` the answer came; below 0 where it was complete before."""
    found = {}
    for name, ask in QUESTIONS.items():
        ask(GIVEN)  # caches and imports
        rows, statuses = [], set()
        for _ in range(repetitions):
            began = time.perf_counter()
            statuses.add(str(ask(GIVEN)))
            rows.append(time.perf_counter() - began - GIVEN)
        found[name] = summary(rows) | {"status": sorted(statuses)}
    return found


# -- commands --------------------------------------------------------------------------------------------------------

COMPUTES = 0.6  # seconds of processor time of a process, from which on it has loaded what it needs
PATIENCE = 60.0  # seconds until then, and after the signal
PROOFS = "{folder}/proofs"

COMMANDS: dict[str, tuple[str, ...]] = {
    "perft": ("perft", MODULES, "7"),
    "risk": ("risk", LARGE),
    "risk --by": ("risk", LARGE, "--by", "event"),
    "risk, modules": ("risk", LARGE_MODULES),
    "risk --horizon": ("risk", LARGE, "--horizon", "3"),
    "plan": ("plan", LARGE, "-o", "least p_lost"),
    "plan --engine judge": (
        "plan", WIDE_WITHOUT_ARMIES, "-o", "clear psu then least ip", "--engine", "judge", "--attacks", "none",
    ),
    "campaign": ("campaign", "4211", "--seed", "7", "-g", "victory"),
    "hint": ("hint", LARGE),
    "hint --games": ("hint", WIDE, "--games", "1000000"),
    "fight": ("fight", ARMIES),
    "review": ("review", "{folder}/game.txt", "--budget", "deep"),
    "facts prove": ("facts", "prove", "--fresh", "--folder", "{folder}/new"),
    "facts robust": ("facts", "robust", "--fresh", "--folder", PROOFS),
    "facts check": ("facts", "check", "--folder", PROOFS),
    "check": ("check", "{certificates}"),
    "play": ("play", "4211", "--seed", "7"),
    "analyse": ("analyse",),
}  # fmt: skip
REQUEST = '{{"id": "1", "ask": "hint", "position": "{}", "budget": "deep", "games": 1000000}}\n'
CODES = {  # after SIGINT and SIGTERM: 3 is out of time, a signal is reported by the system; `analyse` ends as it should
    "analyse": (0, 0),
    "play": (0, -signal.SIGTERM),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended after a signal."""

    seconds: float
    code: int
    error: str  # what it wrote to standard error


def processor_seconds(pid: int) -> float:
    """Of a process and all below it."""
    total = 0.0
    with suppress(OSError):
        words = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        total = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += sum(processor_seconds(int(child)) for child in (task / "children").read_text("utf-8").split())
    return total


def _heed_interrupts() -> None:
    """Take the default action for SIGINT: a shell's background jobs inherit that it is ignored, and so would the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def catches(process: int, number: signal.Signals) -> bool:
    """Whether a process has a handler of its own for a signal; on Linux, elsewhere always."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return True
    masks = [line.split()[1] for line in status.read_text("ascii").splitlines() if line.startswith("SigCgt")]
    return bool(int(masks[0], 16) >> (number - 1) & 1)


def ended_by(name: str, number: signal.Signals, folder: Path) -> Ended | None:
    """A command of `COMMANDS`, started, and asked to end while it computes; None where it was done before."""
    files = sorted((folder / "proofs").rglob("*.cert*")) * 50
    words: list[str] = []
    for word in COMMANDS[name]:
        words += map(str, files) if word == "{certificates}" else [word.replace("{folder}", str(folder))]
    with subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "tetrasolve", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        preexec_fn=_heed_interrupts,  # noqa: PLW1509  # no threads here
    ) as process:
        assert process.stdin is not None
        if name == "analyse":
            process.stdin.write(REQUEST.format(LARGE))
            process.stdin.flush()
        until = time.monotonic() + PATIENCE
        waits = 0.2 if name == "play" else COMPUTES
        while process.poll() is None and time.monotonic() < until:
            has_begun = processor_seconds(process.pid) >= waits
            if has_begun and (name != "analyse" or catches(process.pid, signal.SIGTERM)):
                break
            time.sleep(0.01)
        if name == "play":  # it waits for its user: nothing tells when, but that it does nothing more
            time.sleep(1.0)
        if process.poll() is not None:
            return None
        began = time.perf_counter()
        process.send_signal(number)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
        took = time.perf_counter() - began
        _, error = process.communicate()
    return Ended(took, process.returncode, error)


def prepared(folder: Path) -> None:
    """What the commands read: the proofs, and a long game."""
    shutil.copytree(HERE.parent / "proofs", folder / "proofs", ignore=shutil.ignore_patterns("checker"))
    made = [sys.executable, str(HERE.parent / "examples" / "random_game.py"), "4211", "7"]
    (folder / "game.txt").write_text(subprocess.run(made, capture_output=True, text=True, check=True).stdout, "utf-8")  # noqa: S603


def command_latencies() -> dict[str, dict[str, Any]]:
    """For each command how it ended after each signal."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared(folder)
        for command in COMMANDS:
            rows = {number.name: ended_by(command, number, folder) for number in (signal.SIGINT, signal.SIGTERM)}
            found[command] = {
                "most": round(max((row.seconds for row in rows.values() if row), default=0.0), 3),
                **{
                    name: None if row is None else {"seconds": round(row.seconds, 3), "code": row.code}
                    for name, row in rows.items()
                },
            }
    return found


# -- all of it -------------------------------------------------------------------------------------------------------

PARTS: dict[str, Callable[[int], dict[str, dict[str, Any]]]] = {
    "kernel": kernel_latencies,
    "questions": question_latencies,
    "commands": lambda _: command_latencies(),
}


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    yield f"load before: {data['machine']['load'][0]}"
    for part, rows in data["found"].items():
        goal = data["goals"][part]
        late = [name for name, row in rows.items() if row["most"] > goal]
        yield f"{part}: goal {goal} s, {'reached by all' if not late else 'missed by ' + ', '.join(late)}"
        for name, row in rows.items():
            more = " ".join(row.get("status", ()))
            if "processor" in row:
                more = f"processor {1000 * row['processor']:6.1f} ms"
            if "SIGINT" in row:
                ends = [
                    f"{word} {row[word]['code']}" if row[word] else f"{word} too late" for word in ("SIGINT", "SIGTERM")
                ]
                more = ", ".join(ends)
            yield f"  {name:24}{1000 * row['most']:8.1f} ms  {more}".rstrip()


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "each once")
    kept.parser.add_argument("--repetitions", type=int, default=10, help="of each call (default: %(default)s)")
    kept.parser.add_argument("--only", choices=list(PARTS), action="append", help="this table alone")
    options = kept.options(argv)
    if options is None:
        return 0
    repetitions = 1 if options.quick else options.repetitions
    data = {
        "bench": "stop_latency", "repetitions": repetitions, "goals": GOALS, "given": GIVEN, "commit": facts.commit(),
        "machine": facts.machine(), "kernel": facts.compiled_kernel(), "found": {},
    }  # fmt: skip
    for part in options.only or PARTS:
        data["found"][part] = PARTS[part](repetitions)
        print(f"stop_latency: {part} done", file=sys.stderr)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
