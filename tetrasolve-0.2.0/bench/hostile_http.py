"""Hostile requests over HTTP beside a client that asks in good order; kept in bench/results/hostile_http.json.

    python bench/hostile_http.py --keep
    python bench/hostile_http.py --show

10,000 requests, eight at a time: the kinds of tests/hostilehttp.py (bytes at random, changed requests, wrong lengths, half-sent
bodies, paths and headers that cannot be), and questions of the game mutated as tests/hostile mutates them (text that is cut,
repeated or reversed, strange Unicode, huge numbers, deep nesting), with the right and with wrong methods. Their clients leave at
once, with a reset, after half of the request, or with the answer. Meanwhile one client asks for the legal actions of a
position every 20 ms, and one for `health`; the longest time that each has waited is the stall. Goal: 250 ms, no status 500, and
the process and its workers are those of the beginning.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.served import Client, Served, ServedError, load_average, marks

RESULTS = Path(__file__).parent / "results" / "hostile_http.json"
FEWEST = 10_000
AT_ONCE = 8
GOAL = 250.0  # milliseconds
EVERY = 0.02  # seconds between questions of those who ask in good order
LEAVE = 0.05  # seconds after which a hostile client leaves that has had no answer
POSITION = "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-"
METHODS = ("POST", "POST", "POST", "GET", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW")

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "hostile")]  # their inputs are those of the tests
kinds: Any = import_module("hostilehttp").KINDS
mutated: Any = import_module("test_parsers").mutated


def drawn(random: Random, examples: Sequence[tuple[str, str]]) -> bytes:
    """The bytes of one hostile request."""
    if random.random() < 0.5:
        found: bytes = random.choice(kinds)(random).replace(b"/v1/add", b"/v1/read")
        return found
    ask, text = random.choice(examples)
    body = mutated(text, random).encode("utf-8", "surrogatepass")
    length = len(body) if random.random() < 0.9 else random.randrange(2 * len(body) + 2)
    head = f"{random.choice(METHODS)} /v1/{ask} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % length + body


async def attack(served: Served, data: bytes, random: Random, statuses: Counter[str]) -> None:
    """Send it, and leave in one of four ways."""
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(served.host, served.port)
        way = random.randrange(4)
        writer.write(data if way else data[: len(data) // 2])
        status = "none"
        with suppress(TimeoutError, OSError):
            if way != 1:
                line = await asyncio.wait_for(reader.readline(), LEAVE if way != 3 else 2.0)
                status = line.split()[1].decode("latin-1") if len(line.split()) > 1 else "closed"
        statuses[status] += 1
        if way == 1:
            writer.transport.abort()
        writer.close()


async def bystander(served: Served, method: str, path: str, fields: Any, times: list[float], bad: list[str]) -> None:
    """Ask in good order until it is cancelled."""
    client = Client(served)
    while True:
        try:
            answer = await client.ask(method, path, fields)
        except (OSError, ServedError, TimeoutError) as error:
            bad.append(repr(error))
            client.close()
            continue
        times.append(answer.seconds)
        if answer.status != 200:
            bad.append(f"{answer.status} {answer.body[:100]!r}")
        await asyncio.sleep(EVERY)


async def run(served: Served, requests: int, seed: int) -> dict[str, Any]:
    """The requests, and what others noticed."""
    random, statuses = Random(seed), Counter[str]()
    client = Client(served)
    document = json.loads((await client.ask("GET", "/v1/openapi.json")).body)
    examples = [
        (path.removeprefix("/v1/"), json.dumps(example["value"]))
        for path, said in document["paths"].items() if "post" in said
        for example in said["post"]["requestBody"]["content"]["application/json"]["examples"].values()
    ]  # fmt: skip
    for _ in range(20):
        await client.ask("POST", "/v1/actions", {"position": POSITION})
    alone: dict[str, list[float]] = {"actions": [], "health": []}
    beside: dict[str, list[float]] = {"actions": [], "health": []}
    bad: list[str] = []
    pids = served.pids()
    began = time.monotonic()

    async def others(times: dict[str, list[float]]) -> list[asyncio.Task[None]]:
        return [
            asyncio.create_task(
                bystander(served, "POST", "/v1/actions", {"position": POSITION}, times["actions"], bad)
            ),
            asyncio.create_task(bystander(served, "GET", "/v1/health", None, times["health"], bad)),
        ]

    tasks = await others(alone)
    await asyncio.sleep(5.0)
    for task in tasks:
        task.cancel()
    tasks = await others(beside)
    left = iter(range(requests))

    async def attacker() -> None:
        for number in left:
            await attack(served, drawn(random, examples), random, statuses)
            if number % 1000 == 0:
                print(f"hostile_http: {number} of {requests}", file=sys.stderr, flush=True)

    await asyncio.gather(*(attacker() for _ in range(AT_ONCE)))
    for task in tasks:
        task.cancel()
    found = await Client(served).ask("POST", "/v1/actions", {"position": POSITION})
    rows = served.log()
    return {
        "seconds": round(time.monotonic() - began, 1), "statuses": dict(sorted(statuses.items())),
        "logged": dict(sorted(Counter(str(row["status"]) for row in rows if "request" in row and "status" in row).items())),
        "mistakes": [row for row in rows if "error" in row or row.get("status") == 500][:10], "failed_beside": bad[:10],
        "alone": {name: marks(times) for name, times in alone.items()},
        "beside": {name: {**marks(times), "asked": len(times)} for name, times in beside.items()},
        "same_processes": served.pids() == pids, "answers_after": found.status,
    }  # fmt: skip


def measure(requests: int, seed: int) -> dict[str, Any]:
    """All that is kept."""
    load = load_average()
    with Served("--workers", "1", "--longest", "2") as served:
        found = asyncio.run(run(served, requests, seed))
    return {
        "bench": "hostile_http", "seed": seed, "requests": requests, "at_once": AT_ONCE, "goal": GOAL, **found,
        "load_before": load, "load_after": load_average(), "commit": facts.commit(), "machine": facts.machine(),
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The results as a table."""
    yield f"{data['requests']:,} hostile requests in {data['seconds']} s, {data['at_once']} at a time; statuses {data['statuses']}"
    yield (
        f"mistakes of ours: {len(data['mistakes'])}; failed beside: {len(data['failed_beside'])}; same processes after: "
        f"{data['same_processes']}; load average {data['load_before'][0]} before and {data['load_after'][0]} after"
    )
    for name, row in data["beside"].items():
        alone = data["alone"][name]
        yield (
            f"{name:8} alone: median {alone['median']} ms, max {alone['max']} ms; beside {row['asked']} times: "
            f"median {row['median']} ms, 99% {row['99%']} ms, max {row['max']} ms (goal {data['goal']:g}: "
            f"{'reached' if row['max'] <= data['goal'] else 'missed'})"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "a few requests")
    kept.parser.add_argument("--requests", type=int, default=FEWEST, help="how many (default: %(default)s)")
    kept.parser.add_argument("--seed", type=int, default=4242, help="of requests (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.keep and options.requests < FEWEST:
        kept.parser.error(f"--keep: expected at least {FEWEST} requests, not {options.requests}")
    return kept.finish(options, measure(300 if options.quick else options.requests, options.seed))


if __name__ == "__main__":
    sys.exit(main())
