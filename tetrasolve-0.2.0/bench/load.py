"""Many clients ask the HTTP service; kept in bench/results/load.json.

    python bench/load.py --keep
    python bench/load.py --show

200 clients, each with a key and a connection of its own, ask one question after the other without a pause. Nine in ten questions
were asked before, and their answers are in the store (SQLite): risks, hints and plans. The others are new: `read`, `actions`, the
risk of a position, a hint. The server has one worker for questions and one for quick ones.

Each answer is checked: its position is the one that was asked about, a stored one is byte by byte what the first client got, every
request id is there once, no byte comes after an answer. A 503 or 429 with Retry-After is counted and sent again; any other
status is an error, and so is an answer that does not come. Percentiles are those of a server that is always busy: 200 clients
wait at the same time.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.served import Client, Served, load_average, marks

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.ruleset import all_levels

RESULTS = Path(__file__).parent / "results" / "load.json"
REQUESTS = 100_000
FEWEST = 10_000  # answers of a run that is kept, where a slow machine has no time for all
CLIENTS = 200
STORED_SHARE = 0.9
NEW = {"read": 4, "actions": 3, "risk": 2, "hint": 1}  # of the others, so many in ten
STORED = {"risk": 150, "hint": 100, "plan": 50}  # questions that are asked before
HINT = {"budget": "greedy", "seconds": 5}
OBJECTIVE = "least ip"
EVERY = 2.0  # seconds between looks at the memory

Question = tuple[str, dict[str, Any]]


def positions(number: int, seed: int) -> list[str]:
    """So many different starts of turns, from games of all levels."""
    random, found = Random(seed), dict[str, None]()
    levels = list(all_levels())
    while len(found) < number:
        level = random.choice(levels)
        player = new_player(Board.standard(), level)
        _, noted, kinds, _ = player.lessons(
            1,
            level.revolts,
            level.fleets,
            level.armies,
            random.randrange(2**31),
            strays=0,
            others=0,
            ends=8,
            samples=18,
        )
        states = states_in(noted)
        for place, kind in enumerate(kinds):
            if kind == 0:
                found[str(fast.to_position(states[place], Board.standard(), level))] = None
    return list(found)[:number]


class Asked:
    """The questions of all clients, and what came of them."""

    def __init__(self, served: Served, requests: int, seed: int) -> None:
        self.served, self.left, self.requests = served, requests, requests
        self.random = Random(seed)
        stored = sum(STORED.values())
        fresh = 2 * round(requests * (1 - STORED_SHARE) * NEW["risk"] / sum(NEW.values())) + 50
        self._places = positions(stored + fresh, seed)
        self._known = [(kind, self._fields(kind)) for kind, number in STORED.items() for _ in range(number)]
        self.first: list[bytes] = []
        self.seconds: dict[str, list[float]] = {"stored": [], **{kind: [] for kind in NEW}}
        self.size: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.errors: list[str] = []
        self.ids: set[str] = set()
        self.memory: list[tuple[float, int, int, int]] = []
        self.began, self.ends = 0.0, 0.0

    def _fields(self, kind: str) -> dict[str, Any]:
        if kind in ("risk", "plan") or len(self._places) > 50:  # hints and reads may be about a known position
            place = self._places.pop() if kind in ("risk", "plan") else self.random.choice(self._places)
        else:
            place = self.random.choice(self._places)
        more: dict[str, dict[str, Any]] = {
            "hint": {**HINT, "seed": self.random.randrange(10**9)}, "plan": {"objective": OBJECTIVE, "seconds": 5},
        }  # fmt: skip
        return {"position": place, **more.get(kind, {})}

    async def prepare(self) -> None:
        """Ask what is to be stored, and have workers begin with each number of garrisons, which has tables of its own."""
        client = Client(self.served, self.served.keys[0])
        for kind, fields in self._known:
            answer = await client.ask("POST", f"/v1/{kind}", fields)
            if answer.status != 200:
                raise SystemExit(f"load: {kind} {fields}: {answer.status} {answer.body[:200]!r}")
            stored = await client.ask("POST", f"/v1/{kind}", fields)
            if "server-timing" in stored.headers:
                raise SystemExit(f"load: {kind} {fields} is not stored")
            self.first.append(stored.body)
        client.close()

    def _drawn(self) -> tuple[int, Question]:
        """A question, with its place among the stored ones or -1."""
        if self.random.random() < STORED_SHARE:
            place = self.random.randrange(len(self._known))
            return place, self._known[place]
        (kind,) = self.random.choices(list(NEW), list(NEW.values()))
        return -1, (kind, self._fields(kind))

    async def client(self, key: str) -> None:
        """One client, until all requests are sent."""
        client = Client(self.served, key)
        while self.left > 0 and time.monotonic() < self.ends:
            self.left -= 1
            place, (kind, fields) = self._drawn()
            await self._ask(client, place, kind, fields)
        client.close()

    async def _ask(self, client: Client, place: int, kind: str, fields: dict[str, Any]) -> None:
        while True:
            try:
                answer = await client.ask("POST", f"/v1/{kind}", fields)
            except Exception as error:  # noqa: BLE001  # whatever it was, it is a lost answer
                self.errors.append(f"{kind}: {error!r}")
                client.close()
                return
            self.statuses[answer.status] += 1
            name = answer.headers["x-request-id"]
            if name in self.ids:
                self.errors.append(f"{kind}: request id {name} came twice")
            self.ids.add(name)
            if answer.status not in (429, 503) or "retry-after" not in answer.headers:
                break
            await asyncio.sleep(float(answer.headers["retry-after"]))
        if answer.status != 200:
            self.errors.append(f"{kind}: {answer.status} {answer.body[:200]!r}")
            return
        if place >= 0 and answer.body != self.first[place]:
            self.errors.append(f"{kind}: another answer than the stored one")
        if place < 0 and json.loads(answer.body).get("position") != fields["position"]:
            self.errors.append(f"{kind}: an answer about another position")
        name = "stored" if place >= 0 else kind
        self.seconds[name].append(answer.seconds)
        self.size[name] += len(answer.body)

    async def watch(self) -> None:
        """Look at the memory until it is over."""
        while True:
            self.memory.append((time.monotonic() - self.began, self.done, *self.served.memory()))
            await asyncio.sleep(EVERY)

    @property
    def done(self) -> int:
        """How many answers there are."""
        return sum(map(len, self.seconds.values()))

    async def run(self, seconds: float) -> None:
        """All of it."""
        await self.prepare()
        self.before = self.served.processor_seconds()
        self.began = time.monotonic()
        self.ends = self.began + seconds
        watching = asyncio.create_task(self.watch())
        telling = asyncio.create_task(self._tell())
        await asyncio.gather(*(self.client(key) for key in self.served.keys))
        watching.cancel()
        telling.cancel()
        self.memory.append((time.monotonic() - self.began, self.done, *self.served.memory()))
        self.after = self.served.processor_seconds()

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(20)
            print(f"load: {self.done} of {self.requests}, {len(self.errors)} errors", file=sys.stderr, flush=True)


def slope(rows: Sequence[tuple[float, float]]) -> float:
    """Of the straight line through these points, by least squares."""
    middle = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    spread = sum((x - middle[0]) ** 2 for x, _ in rows)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in rows) / spread if spread else 0.0


def measure(requests: int, clients: int, seed: int, most: float) -> dict[str, Any]:
    """All that is kept."""
    load = load_average()
    with Served("--workers", "1", keys=clients) as served:
        asked = Asked(served, requests, seed)
        asyncio.run(asked.run(most))
        requests = asked.requests - asked.left
        logged = Counter(row.get("status") for row in served.log() if "request" in row)
    seconds = asked.memory[-1][0]
    last = [row for row in asked.memory if row[1] >= requests / 2]  # caches have filled up before
    return {
        "bench": "load", "seed": seed, "requests": requests, "clients": clients, "stored_share": STORED_SHARE,
        "new": NEW, "stored_questions": STORED, "seconds": round(seconds, 1), "a_second": round(requests / seconds, 1),
        "answers": asked.done, "statuses": {str(status): number for status, number in sorted(asked.statuses.items())},
        "request_ids": len(asked.ids), "errors": len(asked.errors), "first_errors": asked.errors[:10],
        "logged_5xx": sum(number for status, number in logged.items() if status and status >= 500 and status != 503),
        "kinds": {
            name: {"answers": len(times), "bytes": round(asked.size[name] / len(times)), "milliseconds": marks(times)}
            for name, times in asked.seconds.items() if times
        },
        "processor": {
            "server": round(asked.after[0] - asked.before[0], 2), "workers": round(asked.after[1] - asked.before[1], 2),
        },
        "memory": {
            "server_first_mib": round(asked.memory[0][2] / 1024, 1), "server_last_mib": round(asked.memory[-1][2] / 1024, 1),
            "workers_first_mib": round(asked.memory[0][3] / 1024, 1), "workers_last_mib": round(asked.memory[-1][3] / 1024, 1),
            "server_kib_per_10000": round(10_000 * slope([(row[1], row[2]) for row in last]), 1),
            "workers_kib_per_10000": round(10_000 * slope([(row[1], row[3]) for row in last]), 1),
            "samples": [[round(row[0], 1), *row[1:]] for row in asked.memory[:: max(1, len(asked.memory) // 60)]],
        },
        "load_before": load, "load_after": load_average(), "commit": facts.commit(), "machine": facts.machine(),
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The results as a table."""
    yield (
        f"{data['answers']:,} answers to {data['requests']:,} requests of {data['clients']} clients in {data['seconds']} s, "
        f"{data['a_second']} a second; {data['errors']} errors; statuses {data['statuses']}"
    )
    yield f"load average {data['load_before'][0]} before and {data['load_after'][0]} after"
    yield f"{'question':10}{'answers':>9}{'bytes':>8}{'median':>9}{'95%':>9}{'99%':>9}{'max':>9} ms"
    for name, row in data["kinds"].items():
        times = row["milliseconds"]
        yield (
            f"{name:10}{row['answers']:9}{row['bytes']:8}{times['median']:9.1f}{times['95%']:9.1f}{times['99%']:9.1f}"
            f"{times['max']:9.1f}"
        )
    memory, processor = data["memory"], data["processor"]
    yield (
        f"processor seconds: server {processor['server']} "
        f"({1000 * processor['server'] / data['requests']:.2f} ms a request), workers {processor['workers']}"
    )
    for name in ("server", "workers"):
        yield (
            f"memory of the {name}: {memory[f'{name}_first_mib']} MiB at first, {memory[f'{name}_last_mib']} at the end, "
            f"{memory[f'{name}_kib_per_10000']:+} KiB for 10,000 requests in the second half"
        )
    yield from data["first_errors"]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "a few requests")
    kept.parser.add_argument("--requests", type=int, default=REQUESTS, help="how many (default: %(default)s)")
    kept.parser.add_argument(
        "--seconds", type=float, default=7200.0, help="send none after these (default: %(default)s)"
    )
    kept.parser.add_argument("--clients", type=int, default=CLIENTS, help="how many (default: %(default)s)")
    kept.parser.add_argument("--seed", type=int, default=2020, help="of questions (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    requests, clients = (400, 8) if options.quick else (options.requests, options.clients)
    data = measure(requests, clients, options.seed, options.seconds)
    if options.keep and data["answers"] < FEWEST:
        kept.parser.error(f"--keep: expected at least {FEWEST} answers, not {data['answers']}")
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
