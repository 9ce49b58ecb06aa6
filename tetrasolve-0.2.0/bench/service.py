"""What the HTTP service costs and how soon it answers; kept in bench/results/service.json.

    python bench/service.py --keep
    python bench/service.py --show

first      seconds to the first partial hint of a stream, at starts of turns
stored     seconds to an answer that is in the store (SQLite)
idle       seconds after which a worker answers somebody else, when the client of a long hint has left
stop       seconds from SIGTERM to the end of the process with 100 open streams; each has its final event
cost       processor seconds of the server and its workers, and bytes of the answer, for each kind of question

Times are wall seconds from the request to the answer over loopback, on a machine whose load average is kept beside them; costs are
processor seconds, which other programs hardly change.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.served import Client, Served, ServedError, load_average, marks
from load import positions

RESULTS = Path(__file__).parent / "results" / "service.json"
GOALS = {
    "first": 25.0,
    "stored": 5.0,
    "idle": 100.0,
    "stop": 2000.0,
}  # milliseconds: 95% of the first two, the slowest of the others
FEWEST = 30  # repetitions of a run that is kept
STREAMS = 100
LONG = {"budget": "deep", "seconds": 60}
# What is asked about each position: kind, fields
COSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "health": ("", {}),
    "read": ("read", {}),
    "actions": ("actions", {}),
    "picture": ("picture", {}),
    "risk": ("risk", {"seconds": 60}),
    "plan": ("plan", {"objective": "least ip", "seconds": 60}),
    "hint, greedy": ("hint", {"budget": "greedy", "seconds": 60}),
    "hint, 0.5 s": ("hint", {"seconds": 0.5}),
    "hint, 2 s": ("hint", {"seconds": 2}),
    "survey, 1 s": ("survey", {"seconds": 1, "parts": ["read", "actions", "risk", "hint"]}),
}
SLOW = ("2 s", "1 s", "0.5 s", "picture")  # asked less often
PAUSE = 0.05  # seconds between questions about times


async def first(served: Served, places: Sequence[str]) -> list[float]:
    """Seconds to the first partial hint."""
    found = []
    for number, place in enumerate(places):
        client = Client(served)
        stream = client.events("/v1/hint", {"position": place, "seconds": 0.3, "seed": number, "report_every": 0.01})
        async for seconds, kind, _ in stream:
            if kind in ("partial", "done"):
                found.append(seconds)
                break
        await stream.aclose()  # type: ignore[attr-defined]  # an asynchronous generator
        client.close()
        await asyncio.sleep(PAUSE)
    return found


async def stored(served: Served, places: Sequence[str]) -> list[float]:
    """Seconds to an answer in the store."""
    client, found = Client(served), []
    for place in places:
        fields = {"position": place, "seconds": 60}
        await client.ask("POST", "/v1/risk", fields)
    for place in places:
        await asyncio.sleep(PAUSE)
        answer = await client.ask("POST", "/v1/risk", {"position": place, "seconds": 60})
        if "server-timing" in answer.headers:
            raise ServedError("an answer was not stored")
        found.append(answer.seconds)
    client.close()
    return found


async def idle(served: Served, places: Sequence[str]) -> list[float]:
    """Seconds that somebody else waits for the only worker, when the client of a long hint leaves in the moment before."""
    other, found = Client(served), []
    for number, place in enumerate(places):
        left = Client(served)
        stream = left.events("/v1/hint", {"position": place, **LONG, "seed": number})
        async for _, kind, _ in stream:
            if kind == "partial":
                break
        await stream.aclose()  # type: ignore[attr-defined]  # as above
        await asyncio.sleep(PAUSE)
        left.close()
        answer = await other.ask("POST", "/v1/risk", {"position": place, "seconds": 60})
        found.append(float(answer.headers["server-timing"].partition("dur=")[2]) / 1000)
    other.close()
    return found


async def stop(streams: int, places: Sequence[str]) -> tuple[float, int, float]:
    """Seconds to the end of a service with open streams; how many had a final event, and when the last of these came."""
    with Served("--workers", "1", "--streams", str(streams + 10), store=False) as served:
        ends: list[tuple[str, float]] = []
        ready = [asyncio.Event() for _ in range(streams)]

        async def listen(number: int) -> None:
            client, last = Client(served), ""
            fields = {"position": places[number % len(places)], **LONG, "seed": number}
            async for _, kind, _ in client.events("/v1/hint", fields):
                ready[number].set()
                last = kind
            ends.append((last, time.perf_counter()))

        tasks = [asyncio.create_task(listen(number)) for number in range(streams)]
        await asyncio.gather(*(event.wait() for event in ready))
        began = time.perf_counter()
        served.process.terminate()
        await asyncio.gather(*tasks)
        last = max(when for _, when in ends) - began
        await asyncio.to_thread(served.process.wait, 30)
        return time.perf_counter() - began, sum(kind == "cancelled" for kind, _ in ends), last


async def costs(served: Served, places: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Processor seconds and bytes of each question."""
    client, found = Client(served), {}
    for name, (kind, fields) in COSTS.items():
        few = places[: max(3, len(places) // 10)] if any(word in name for word in SLOW) else places
        path, method = (f"/v1/{kind}", "POST") if kind else ("/v1/health", "GET")
        before, size = served.processor_seconds(), 0
        for place in few:
            answer = await client.ask(method, path, {"position": place, **fields} if kind else None)
            if answer.status != 200:
                raise ServedError(f"{name}: {answer.status} {answer.body[:200]!r}")
            size += len(answer.body)
        after = served.processor_seconds()
        found[name] = {
            "asked": len(few), "server_ms": round(1000 * (after[0] - before[0]) / len(few), 3),
            "worker_ms": round(1000 * (after[1] - before[1]) / len(few), 3), "bytes": round(size / len(few)),
        }  # fmt: skip
    before = served.processor_seconds()
    for place in places:
        await client.ask("POST", "/v1/plan", {"position": place, "objective": "least ip", "seconds": 60})
    after = served.processor_seconds()
    found["stored"] = {
        "asked": len(places), "server_ms": round(1000 * (after[0] - before[0]) / len(places), 3),
        "worker_ms": round(1000 * (after[1] - before[1]) / len(places), 3), "bytes": found["plan"]["bytes"],
    }  # fmt: skip
    client.close()
    return found


async def asked(served: Served, places: Sequence[str], repetitions: int) -> dict[str, Any]:
    """All that one service is asked."""
    warm = Client(served)
    for place in places[-20:]:
        await warm.ask("POST", "/v1/hint", {"position": place, "budget": "greedy", "seconds": 60})
        await warm.ask("POST", "/v1/picture", {"position": place})
    warm.close()
    found: dict[str, Any] = {"memory_at_first": served.memory()}
    rows = await costs(served, places[:repetitions])
    found["first"] = await first(served, places[repetitions : 2 * repetitions])
    found["stored"] = await stored(served, places[: repetitions // 2])
    found["idle"] = await idle(served, places[-max(3, repetitions // 10) - 20 : -20])
    found["memory_at_last"] = served.memory()
    return {**found, "costs": rows}


def measure(repetitions: int, seed: int) -> dict[str, Any]:
    """All that is kept."""
    load = load_average()
    places = positions(2 * repetitions + max(3, repetitions // 10) + 20, seed)
    Random(seed).shuffle(places)
    with Served("--workers", "1") as served:
        found = asyncio.run(asked(served, places, repetitions))
        processes = len(served.pids())
    print("service: streams", file=sys.stderr)
    seconds, ended, last = asyncio.run(stop(STREAMS if repetitions >= FEWEST else 10, places))
    return {
        "bench": "service", "seed": seed, "repetitions": repetitions, "goals": GOALS,
        "milliseconds": {name: marks(found[name]) for name in ("first", "stored", "idle")},
        "stop": {
            "streams": STREAMS if repetitions >= FEWEST else 10, "final_events": ended,
            "last_event_ms": round(1000 * last, 1), "end_ms": round(1000 * seconds, 1),
        },
        "costs": found["costs"], "processes": processes,
        "memory_mib": {
            name: [round(size / 1024, 1) for size in found[f"memory_{name}"]] for name in ("at_first", "at_last")
        },
        "load_before": load, "load_after": load_average(), "commit": facts.commit(), "machine": facts.machine(),
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The results as tables."""
    yield f"load average {data['load_before'][0]} before and {data['load_after'][0]} after, {data['repetitions']} repetitions"
    for name, row in data["milliseconds"].items():
        goal = f"  goal {data['goals'][name]:g}" if name in data["goals"] else ""
        yield f"{name:8} median {row['median']:8.1f}  95% {row['95%']:8.1f}  max {row['max']:8.1f} ms{goal}"
    row = data["stop"]
    yield (
        f"stop     {row['final_events']} of {row['streams']} streams had a final event, the last after {row['last_event_ms']} ms; "
        f"end after {row['end_ms']} ms  goal {data['goals']['stop']:g}"
    )
    yield f"{'question':14}{'server':>10}{'worker':>10} processor ms{'bytes':>10}"
    for name, row in data["costs"].items():
        yield f"{name:14}{row['server_ms']:10.2f}{row['worker_ms']:10.2f}{'':13}{row['bytes']:10}"
    yield f"memory in MiB, server and workers: {data['memory_mib']}"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "a few questions")
    kept.parser.add_argument("--repetitions", type=int, default=200, help="of each question (default: %(default)s)")
    kept.parser.add_argument("--seed", type=int, default=515, help="of positions (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.keep and options.repetitions < FEWEST:
        kept.parser.error(f"--keep: expected at least {FEWEST} repetitions, not {options.repetitions}")
    return kept.finish(options, measure(6 if options.quick else options.repetitions, options.seed))


if __name__ == "__main__":
    sys.exit(main())
