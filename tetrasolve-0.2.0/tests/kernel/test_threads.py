"""Threads: shared kernels answer as they do one call at a time; objects of one call refuse a second."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import KernelError, Rng

THREADS = 8
WEIGHTS = ([1] * 48, [2] * 48, None, [3] * 48, None, 0, 5, -5)


def mixed_calls(base: kernel.Kernel, states: list[kernel.State]) -> list[Callable[[], Any]]:
    """Calls of every kind that share a kernel and a turn."""
    start = kernel.State(revolts=states[0].revolts & 0xFFFF, fleets=3)
    turn = kernel.Turn(base, start)
    solution = turn.solve([("uprising",), ("ip",)])
    calls: list[Callable[[], Any]] = [
        lambda: base.perft(start, 3),
        lambda: base.ends(start),
        lambda: base.random_games(20, 1, 2, 1, 7),
        lambda: turn.solve([("uprising",)]).values,
        lambda: (solution.optimal_ends, solution.end_values(), solution.plan()),
        lambda: kernel.Expectimax(turn, WEIGHTS).value,
    ]
    for state in states:
        calls += [
            lambda state=state: base.phase(state),
            lambda state=state: base.phase_exact(state),
            lambda state=state: base.events(state),
            lambda state=state: base.outcomes(state),
            lambda state=state: kernel.expect_values(base, [state], WEIGHTS),
            lambda state=state: kernel.expect_exact(base, state, WEIGHTS),
            lambda state=state: base.sample(state, Rng(5)),
        ]
    return calls


def test_shared_kernels_answer_as_one_call_at_a_time(base: kernel.Kernel, played: list[kernel.State]) -> None:
    calls = mixed_calls(base, played[:8])
    serial = [call() for call in calls]
    jobs = [(7 * thread + k) % len(calls) for thread in range(THREADS) for k in range(len(calls))]

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda job: calls[job](), jobs))

    assert answers == [serial[job] for job in jobs]


def test_threads_run_side_by_side(base: kernel.Kernel) -> None:
    """A long call in one thread leaves the interpreter to another one."""
    stop = Stop(20)
    reasons = []

    def long_call() -> None:
        try:
            base.random_games(10**9, 1, 2, 1, 3, stop=stop)
        except Stopped as stopped:
            reasons.append(stopped.reason)

    thread = threading.Thread(target=long_call)
    thread.start()
    stop.set()  # reached only if the call has let go of the interpreter
    thread.join()

    assert reasons == ["set"]


def test_one_flag_stops_all_threads(base: kernel.Kernel) -> None:
    stop = Stop()

    def long_call(seed: int) -> str:
        try:
            base.random_games(10**9, 1, 2, 1, seed, stop=stop)
        except Stopped as stopped:
            return stopped.reason
        return "ended"

    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(long_call, seed) for seed in range(THREADS)]
        stop.set()
        assert [job.result(30) for job in jobs] == ["set"] * THREADS


def in_background(call: Callable[[Stop], Any]) -> tuple[threading.Thread, Stop]:
    """The thread of a call that is under way until its flag is set."""
    stop = Stop(60)

    def run() -> None:
        with pytest.raises(Stopped):
            call(stop)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, stop


def refused(call: Callable[[], Any]) -> bool:
    """Whether a call is refused since another one uses its object; asked again until the other one has begun."""
    for _ in range(10**6):
        try:
            call()
        except KernelError as error:
            return "in use by another thread" in str(error)
    return False


def test_objects_of_one_call_refuse_a_second(base: kernel.Kernel, played: list[kernel.State]) -> None:
    floats = bytes(4 * ((kernel.FEATURES_OF_A_POSITION + 2) * 4 + 1))
    player = kernel.Player(base, kernel.Networks(4, floats, floats))
    value = player.value(played[0])
    thread, stop = in_background(lambda stop: player.games(10**6, 1, 2, 1, 3, policy="expectimax", stop=stop))

    assert refused(lambda: player.value(played[0]))
    stop.set()
    thread.join()
    assert player.value(played[0]) == value


def test_a_generator_refuses_a_second_call(base: kernel.Kernel) -> None:
    rng = Rng(3)
    errors: list[str] = []

    def draw() -> None:
        for _ in range(300):
            try:
                base.random_game(base.setup(1, 2, 1, rng), rng)
            except KernelError as error:
                errors.append(str(error))

    with ThreadPoolExecutor(4) as pool:
        for job in [pool.submit(draw) for _ in range(4)]:
            job.result()

    assert all("in use by another thread" in error for error in errors)
    assert 1 <= rng.d6() <= 6  # and it is free again
