"""Stop flags: every long call sees its flag, ends, and leaves its objects as they were.

How soon it ends is measured by `bench/stop_latency.py`; the calls here would take seconds or hours.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import kernel, whole

# Found by search: 3,548,691 outcomes before equal ones are merged, 2,175,680 distinct ones
REVOLTS = "cyrenaica tingitana dalmatia gallaecia pannonia_superior sardinia bithynia"
UNREST = "numidia macedonia narbonensis epirus lucania etruria tarraconensis"
DISCS = {"diocletian": "persia libya germania_magna sarmatia", "galerius": "gaetulia britannia"}

WEIGHTS = ([1] * 48, None, None, None, None, 0, 0, 0)
Call = Callable[[Any], Any]


@pytest.fixture(scope="module")
def huge(kit: Any) -> kernel.State:
    return kit.state(revolts=REVOLTS, unrest=UNREST, discs=DISCS)


@pytest.fixture(scope="module")
def huge_whole(kit: Any) -> whole.State:
    return kit.whole_state(revolts=REVOLTS, unrest=UNREST, discs=DISCS, gray=0, dux=whole.RESERVE)


@pytest.fixture(scope="module")
def long_calls(kit: Any, base: kernel.Kernel, huge: kernel.State, huge_whole: whole.State) -> dict[str, Call]:
    """Calls that take seconds or hours."""
    modules = kit.whole("dux", "usurpator", "imperium", "barbaria")
    walker = kernel.State(fleets=7, revolts=kit.mask("etruria"), armies=kit.mask("cisalpina lucania"))
    whole_walker = kit.whole_state(at={"diocletian": "roma"}, armies="cisalpina lucania", dux="rhaetia", fleets=7)
    return {
        "phase": lambda stop: base.phase(huge, stop=stop),
        "phase_exact": lambda stop: base.phase_exact(huge, stop=stop),
        "events": lambda stop: base.events(huge, 64, stop=stop),
        "outcomes": lambda stop: base.outcomes(huge, stop=stop),
        "bench_phase": lambda stop: base.bench_phase([huge], 10**6, stop=stop),
        "perft": lambda stop: [base.perft(walker, 7, stop=stop) for _ in range(1000)],
        "perft played": lambda stop: base.perft(walker, 7, False, stop=stop),
        "expect_exact": lambda stop: kernel.expect_exact(base, huge, WEIGHTS, stop=stop),
        "expect_values": lambda stop: kernel.expect_values(base, _again(huge), WEIGHTS, stop=stop),
        "figures_many": lambda stop: kernel.figures_many(base, _again(huge), stop=stop),
        "expect_plain": lambda stop: kernel.expect_plain(base, [huge] * 100, WEIGHTS, stop=stop),
        "random_games": lambda stop: base.random_games(10**9, 1, 2, 1, 3, stop=stop),
        "whole phase": lambda stop: modules.phase(huge_whole, stop=stop),
        "whole exact": lambda stop: modules.phase_exact(huge_whole, stop=stop),
        "whole eager": lambda stop: modules.phase_exact(huge_whole, whole.EAGER, stop=stop),
        "whole events": lambda stop: modules.events(huge_whole, 64, whole.EAGER, stop=stop),
        "whole perft": lambda stop: modules.perft(whole_walker, 7, stop=stop),
        "whole random_games": lambda stop: modules.random_games(10**9, 1, 2, 1, 3, whole.AT_RANDOM, stop=stop),
    }


def _again(huge: kernel.State) -> Iterator[kernel.State]:
    """Tables without end, no two of which have their revolts in common."""
    yield huge
    rng = random.Random(1)
    while True:
        yield kernel.State(revolts=rng.getrandbits(48) & rng.getrandbits(48) & rng.getrandbits(48))


NAMES = (
    "phase",
    "phase_exact",
    "events",
    "outcomes",
    "bench_phase",
    "perft",
    "perft played",
    "expect_exact",
    "expect_values",
    "figures_many",
    "expect_plain",
    "random_games",
    "whole phase",
    "whole exact",
    "whole eager",
    "whole events",
    "whole perft",
    "whole random_games",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_deadline_holds(long_calls: dict[str, Call], name: str) -> None:

    with pytest.raises(Stopped, match="deadline") as caught:
        long_calls[name](Stop(0.04))

    assert caught.value.reason == "deadline"


@pytest.mark.parametrize("name", ["phase_exact", "perft", "expect_values", "whole eager"])
def test_another_thread_stops_it(long_calls: dict[str, Call], name: str) -> None:
    stop = Stop()
    timer = threading.Timer(0.04, stop.set)
    timer.start()

    with pytest.raises(Stopped) as caught:
        long_calls[name](stop)

    assert caught.value.reason == "set"
    timer.join()


@pytest.mark.parametrize("name", NAMES)
def test_a_flag_that_is_set_lets_nothing_begin(long_calls: dict[str, Call], name: str) -> None:
    stop = Stop()
    stop.set()

    with pytest.raises(Stopped):
        long_calls[name](stop)


def test_what_was_found_bounds_the_figures(base: kernel.Kernel, huge: kernel.State) -> None:
    with pytest.raises(Stopped) as caught:
        base.phase(huge, stop=Stop(0.1))
    part = caught.value.partial
    known = kernel.figures_many(base, [huge])[0]

    assert 0 < part["mass"] < 1
    for name in ("p_uprising", "p_lost", "p_new_army"):
        assert part[name] <= known[name][0] + 1e-12
        assert known[name][0] <= part[name] + 1 - part["mass"] + 1e-12
    for name in ("e_uprisings", "e_revolts"):
        assert part[name] <= known[name][0] + 1e-9


def test_kernels_answer_as_before_after_a_stop(
    kit: Any, long_calls: dict[str, Call], played: list[kernel.State]
) -> None:
    """The scratch memory that the stopped calls have used is used again."""
    for name in NAMES:
        with pytest.raises(Stopped):
            long_calls[name](Stop(0.01))
    stopped, fresh = kit.kernel(), kit.kernel()

    for state in played[:10]:
        with pytest.raises(Stopped):
            long_calls["phase_exact"](Stop(0.01))
        assert stopped.phase_exact(state) == fresh.phase_exact(state)
        assert stopped.outcomes(state) == fresh.outcomes(state)
        assert stopped.perft(kernel.State(revolts=state.revolts), 3) == fresh.perft(
            kernel.State(revolts=state.revolts), 3
        )


def test_games_that_are_over_count(base: kernel.Kernel) -> None:
    with pytest.raises(Stopped) as caught:
        base.random_games(10**9, 1, 2, 1, 3, stop=Stop(0.05))
    part = caught.value.partial

    assert 0 < part["games"] < 10**9
    assert part == base.random_games(part["games"], 1, 2, 1, 3)


def test_turns_stop(base: kernel.Kernel, kit: Any) -> None:
    state = kit.state(at={"diocletian": "roma"}, revolts="rhaetia noricum", armies="gaetulia", fleets=7)
    turn = kernel.Turn(base, state)
    criteria = [("uprising",)]
    stop = Stop()
    stop.set()
    calls: list[Call] = [
        lambda stop: kernel.Turn(base, state, stop=stop),
        lambda stop: base.ends(state, stop=stop),
        lambda stop: base.end_states(state, stop=stop),
        lambda stop: turn.solve(criteria, stop=stop),
        lambda stop: turn.count_policies(stop=stop),
        lambda stop: turn.solve(criteria).end_values(stop=stop),
        lambda stop: turn.solve(criteria).count_optimal_ends(stop=stop),
        lambda stop: kernel.Expectimax(turn, WEIGHTS, stop=stop),
        lambda stop: kernel.Expectimax(turn, WEIGHTS).contenders(stop=stop),
    ]

    for call in calls:
        with pytest.raises(Stopped):
            call(stop)
    assert turn.solve(criteria).values == kernel.Turn(base, state).solve(criteria).values


def player(base: kernel.Kernel) -> kernel.Player:
    """Weights of no importance: a player that thinks as long as any other."""
    floats = (kernel.FEATURES_OF_A_POSITION + 2) * 4 + 1
    return kernel.Player(base, kernel.Networks(4, bytes(4 * floats), bytes(4 * floats)))


def test_thinking_stops_with_the_best_so_far(base: kernel.Kernel, kit: Any) -> None:
    state = kit.state(at={"diocletian": "roma"}, revolts="rhaetia noricum", fleets=3)
    one = player(base)
    search: dict[str, Any] = {"ends": 2000, "samples": 36, "rounds": 3, "deep_ends": 500, "deep_samples": 400}

    with pytest.raises(Stopped) as caught:
        one.think(state, 1, stop=Stop(0.2), **search)

    assert len(caught.value.partial) == 10
    assert one.think(state, 1, policy="expectimax") == player(base).think(state, 1, policy="expectimax")


def test_games_of_a_player_stop(base: kernel.Kernel) -> None:
    one = player(base)
    with pytest.raises(Stopped) as caught:
        one.games(10**6, 1, 2, 1, 7, stop=Stop(0.2))
    part = caught.value.partial
    with pytest.raises(Stopped) as caught:
        one.lessons(10**6, 1, 2, 1, 7, ends=1, samples=1, stop=Stop(0.3))
    results, tables, kinds, worth = caught.value.partial

    assert part == player(base).games(len(part), 1, 2, 1, 7)
    assert len(tables) == 64 * len(kinds)
    assert len(kinds) == len(worth)
    if results:
        assert (results, tables, kinds, worth) == player(base).lessons(len(results), 1, 2, 1, 7, ends=1, samples=1)


def test_flags() -> None:
    parent, brief = Stop(), Stop(0.001)
    child = Stop(60, parent=parent)
    time.sleep(0.002)

    assert brief.is_set()
    assert brief.remaining == 0.0
    assert Stop().remaining is None
    assert child.remaining is not None
    assert 59 < child.remaining <= 60
    assert not child.is_set()
    parent.set()
    assert child.is_set()
    with pytest.raises(Stopped, match="by the caller"):
        child.check()
    for wrong in (-1, float("nan"), "soon"):
        with pytest.raises(ValueError, match=r"seconds|float"):
            Stop(wrong)  # type: ignore[arg-type]
    assert not Stop(float("inf")).is_set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_long_call(number: int) -> None:
    """A handler that raises ends the call it interrupts, whether it has a flag or not."""
    code = (
        "import signal, sys\n"
        "def handler(number, frame): raise SystemExit(40 + number)\n"
        "signal.signal(signal.SIGINT, handler); signal.signal(signal.SIGTERM, handler)\n"
        "from tetrasolve.tetrarchia import fast\n"
        "from tetrasolve.tetrarchia.board import Board\n"
        "from tetrasolve.tetrarchia.ruleset import Ruleset\n"
        "base = fast.kernel_for(Board.standard(), Ruleset.from_level('4222'))\n"
        "print('ready', flush=True)\n"
        "base.random_games(2 * 10**9, 1, 2, 1, 3)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(number)
        code_of_exit = process.wait(20)

    assert code_of_exit == 40 + number
