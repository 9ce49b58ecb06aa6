"""Threads and stop flags of the second game's kernel: shared kernels give serial answers, a flag ends each long call in time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, state_of
from tetrasolve.finem.kernel import POLICIES, Kernel, KernelError, Rng, State
from tetrasolve.finem.position import Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop, Stopped

THREADS = 8
FAR = 2**31 - 1  # random turns: minutes of them
SAFE = (0, 0, -1, *[0] * 14)  # weights of who aims at the least chance to lose
Call = Callable[[], Any]


@pytest.fixture(scope="module")
def engine() -> Kernel:
    return engine_of(Ruleset("standard"))


@pytest.fixture(scope="module")
def start() -> State:
    """The beginning of a campaign: card by card its turn takes seconds, and longer with four cards of an invasion."""
    limit = examples()["limit"]
    return state_of(limit.replace(step=Step.DRAW, hand=(), out=frozenset(), dice=(1, 2, 2, 3), decline=9))


def mixed_calls(engine: Kernel, start: State) -> list[Call]:
    """Calls of every kind that share kernels and states."""
    peril = examples()["peril"]
    other, late = engine_of(peril.ruleset), state_of(peril.replace(left=2, out=peril.out | {"C5"}))
    calls: list[Call] = [
        lambda: engine.turn(start),
        lambda: engine.turn(start, "first"),
        lambda: engine.best(start, SAFE),
    ]
    for policy in POLICIES:
        calls += [
            lambda policy=policy: other.turn(late, policy),
            lambda policy=policy: other.turn(late, policy, plainly=True),
            lambda policy=policy: engine.decide(state_of(examples()["limit"]), policy),
        ]
    for seed in range(4):
        calls += [
            lambda seed=seed: engine.random_turns(300, Rng(seed)),
            lambda seed=seed: other.random_state(40, Rng(seed)),
            lambda seed=seed: engine.perft(engine.random_state(0, Rng(seed))),
            lambda seed=seed: engine.options(engine.random_state(9, Rng(seed))),
        ]
    return calls


def test_shared_kernels_answer_as_one_call_at_a_time(engine: Kernel, start: State) -> None:
    calls = mixed_calls(engine, start)
    serial = [call() for call in calls]
    jobs = [(7 * thread + k) % len(calls) for thread in range(THREADS) for k in range(len(calls))]

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda job: calls[job](), jobs))

    assert answers == [serial[job] for job in jobs]


LONG: dict[str, Callable[[Kernel, State, Stop], Any]] = {
    "turn plainly": lambda engine, start, stop: engine.turn(start, plainly=True, stop=stop),
    "best": lambda engine, start, stop: [engine.best(start, SAFE, stop=stop) for _ in range(10**6)],
    "turn": lambda engine, start, stop: [engine.turn(start, stop=stop) for _ in range(10**6)],
    "perft": lambda engine, _, stop: [engine.perft(engine.random_state(0, Rng(1)), stop=stop) for _ in range(10**6)],
    "random turns": lambda engine, _, stop: engine.random_turns(FAR, Rng(1), stop=stop),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_a_deadline_holds(engine: Kernel, start: State, name: str) -> None:
    with pytest.raises(Stopped, match="deadline") as caught:
        LONG[name](engine, start, Stop(0.04))
    assert caught.value.reason == "deadline"


@pytest.mark.parametrize("name", LONG)
def test_a_flag_that_is_set_lets_nothing_begin(engine: Kernel, start: State, name: str) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        LONG[name](engine, start, stop)


@pytest.mark.parametrize("name", ["turn plainly", "random turns"])
def test_another_thread_stops_it(engine: Kernel, start: State, name: str) -> None:
    """The thread that sets the flag can run only because a long call lets go of the interpreter."""
    stop, reasons = Stop(60), []

    def long_call() -> None:
        try:
            LONG[name](engine, start, stop)
        except Stopped as stopped:
            reasons.append(stopped.reason)

    thread = threading.Thread(target=long_call)
    thread.start()
    stop.set()
    thread.join()
    assert reasons == ["set"]


def test_one_flag_stops_all_threads_and_leaves_the_kernel_as_it_was(engine: Kernel, start: State) -> None:
    stop, whole = Stop(), engine.turn(start)

    def long_call(seed: int) -> str:
        try:
            engine.random_turns(FAR, Rng(seed), stop=stop)
        except Stopped as stopped:
            return stopped.reason
        return "ended"

    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(long_call, seed) for seed in range(THREADS)]
        stop.set()
        assert [job.result(30) for job in jobs] == ["set"] * THREADS
    assert engine.turn(start) == whole


def test_turns_that_are_over_count(engine: Kernel) -> None:
    """What a stopped call hands back is what a call of that length gives."""
    with pytest.raises(Stopped) as caught:
        engine.random_turns(FAR, Rng(3), stop=Stop(0.03))
    part = caught.value.partial
    assert 0 < part["turns"] < FAR
    assert part == engine.random_turns(part["turns"], Rng(3))


def test_a_generator_refuses_a_second_call(engine: Kernel) -> None:
    """While one call draws from it; afterwards it is free again."""
    rng, stop = Rng(3), Stop(60)

    def draw() -> None:
        with pytest.raises(Stopped):
            engine.random_turns(FAR, rng, stop=stop)

    thread = threading.Thread(target=draw)
    thread.start()
    refused = ""
    for _ in range(10**6):
        try:
            rng.d6()
        except KernelError as error:
            refused = str(error)
            break
    stop.set()
    thread.join()
    assert "in use by another thread" in refused
    assert 1 <= rng.d6() <= 6
