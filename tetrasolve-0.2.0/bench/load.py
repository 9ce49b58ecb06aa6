"""Many clients ask the HTTP service; kept in bench/results/load.json.

    python bench/load.py --keep
    python bench/load.py --show

200 clients of locust, each with a key and a connection of its own, ask one question after the other without a pause; `--client own`
uses the client of `benchkit.served` instead, which also sees bytes that come after an answer. Nine in ten questions
were asked before, and their answers are in the store (SQLite): risks, hints and plans. The others are new: `read`, `actions`, the
risk of a position, a hint. The server has one worker for questions and one for quick ones.

Each answer is checked: its position is the one that was asked about, a stored one is byte by byte what the first client got, every
request id is there once, in the answers and in the log of the server, which has no answer that nobody got. A 503 or 429 with
Retry-After is counted and sent again; any other status is an error, and so is an answer that does not come. Percentiles are those
of a server that is always busy: 200 clients wait at the same time.

First, smaller numbers of clients (`--sizes`) ask for `--seconds-each`, each against a service of its own, so that the model of
capacity can be checked at several sizes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchkit import crowd, facts
from benchkit.command import Kept
from benchkit.served import Answer, Client, Served, load_average, marks

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.ruleset import all_levels

LOCUST = "locust"
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
SAY_EVERY = 20.0  # and between lines on the way
SIZES = (25, 50, 100)  # clients of the smaller runs
SECONDS_EACH = 40.0  # of these

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
        self.began, self.ends, self._said = 0.0, 0.0, 0

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

    def take(self) -> tuple[int, Question] | None:
        """The next question, None where all are sent or the time is over."""
        if self.left <= 0 or time.monotonic() >= self.ends:
            return None
        self.left -= 1
        return self._drawn()

    def request(self, question: tuple[int, Question]) -> tuple[str, dict[str, Any]]:
        """The path and the body of a question."""
        _, (kind, fields) = question
        return f"/v1/{kind}", fields

    def note(self, question: tuple[int, Question], answer: Answer | Exception) -> float | None:
        """Check an answer; the seconds after which it is to be asked again, None where it is not."""
        place, (kind, fields) = question
        if isinstance(answer, Exception):  # whatever it was, it is a lost answer
            self.errors.append(f"{kind}: {answer!r}")
            return None
        self.statuses[answer.status] += 1
        name = answer.headers["x-request-id"]
        if name in self.ids:
            self.errors.append(f"{kind}: request id {name} came twice")
        self.ids.add(name)
        if answer.status in (429, 503) and "retry-after" in answer.headers:
            return float(answer.headers["retry-after"])
        if answer.status != 200:
            self.errors.append(f"{kind}: {answer.status} {answer.body[:200]!r}")
            return None
        if place >= 0 and answer.body != self.first[place]:
            self.errors.append(f"{kind}: another answer than the stored one")
        if place < 0 and json.loads(answer.body).get("position") != fields["position"]:
            self.errors.append(f"{kind}: an answer about another position")
        name = "stored" if place >= 0 else kind
        self.seconds[name].append(answer.seconds)
        self.size[name] += len(answer.body)
        return None

    async def client(self, key: str) -> None:
        """One client of ours, until all requests are sent."""
        client = Client(self.served, key)
        while (question := self.take()) is not None:
            path, fields = self.request(question)
            seconds: float | None = 0.0
            while seconds is not None:
                await asyncio.sleep(seconds)
                try:
                    seconds = self.note(question, await client.ask("POST", path, fields))
                except Exception as error:  # noqa: BLE001  # `note` has it
                    seconds = self.note(question, error)
                    client.close()
        client.close()

    def look(self) -> None:
        """Look at the memory, and say how far it is."""
        now = time.monotonic() - self.began
        self.memory.append((now, self.done, *self.served.memory()))
        if int(now / SAY_EVERY) > self._said:
            self._said = int(now / SAY_EVERY)
            print(f"load: {self.done} of {self.requests}, {len(self.errors)} errors", file=sys.stderr, flush=True)

    @property
    def done(self) -> int:
        """How many answers there are."""
        return sum(map(len, self.seconds.values()))

    def run(self, seconds: float, *, by_locust: bool) -> None:
        """All of it."""
        asyncio.run(self.prepare())
        self.before = self.served.processor_seconds()
        self.began = time.monotonic()
        self.ends = self.began + seconds
        if by_locust:
            crowd.ask_by_locust(self.served, self, self.served.keys, EVERY, self.look)
        else:
            asyncio.run(self._ask_by_own())
        self.look()
        self.after = self.served.processor_seconds()

    async def _ask_by_own(self) -> None:
        async def watch() -> None:
            while True:
                self.look()
                await asyncio.sleep(EVERY)

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(self.client(key) for key in self.served.keys))
        watching.cancel()


def slope(rows: Sequence[tuple[float, float]]) -> float:
    """Of the straight line through these points, by least squares."""
    middle = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    spread = sum((x - middle[0]) ** 2 for x, _ in rows)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in rows) / spread if spread else 0.0


def ask_all(requests: int, clients: int, seed: int, most: float, *, by_locust: bool) -> tuple[Asked, Counter[Any]]:
    """Ask so many questions; what came of it, and the statuses in the log of the server."""
    with Served("--workers", "1", keys=clients) as served:
        asked = Asked(served, requests, seed)
        asked.run(most, by_locust=by_locust)
        rows = [row for row in served.log() if "request" in row]
    answered = {row["request"] for row in rows if row.get("call") in {f"/v1/{kind}" for kind in (*NEW, *STORED)}}
    if len(answered) != len(asked.ids) + 2 * sum(STORED.values()):  # each stored question was asked twice before
        asked.errors.append(f"the log has {len(answered)} answers, clients had {len(asked.ids)}")
    return asked, Counter(row.get("status") for row in rows)


def figures(asked: Asked) -> dict[str, Any]:
    """What is kept of each size."""
    seconds = asked.memory[-1][0]
    return {
        "requests": asked.requests - asked.left, "clients": len(asked.served.keys), "seconds": round(seconds, 1),
        "a_second": round(asked.done / seconds, 1), "answers": asked.done,
        "statuses": {str(status): number for status, number in sorted(asked.statuses.items())},
        "request_ids": len(asked.ids), "errors": len(asked.errors), "first_errors": asked.errors[:10],
        "kinds": {
            name: {"answers": len(times), "bytes": round(asked.size[name] / len(times)), "milliseconds": marks(times)}
            for name, times in asked.seconds.items() if times
        },
        "processor": {
            "server": round(asked.after[0] - asked.before[0], 2), "workers": round(asked.after[1] - asked.before[1], 2),
        },
    }  # fmt: skip


def size_in_a_process(clients: int, seed: int, seconds: float, client: str) -> dict[str, Any]:
    """The figures of a smaller run, by a process of its own: what locust has changed in one is there until it ends."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "size.json"
        words = (
            "--clients",
            str(clients),
            "--seed",
            str(seed),
            "--seconds",
            str(seconds),
            "--client",
            client,
            "--size",
            str(out),
        )
        subprocess.run([sys.executable, __file__, *words], check=True)  # noqa: S603  # ours
        found: dict[str, Any] = json.loads(out.read_text("utf-8"))
        return found


def measure(options: argparse.Namespace, requests: int, clients: int, sizes: Sequence[int]) -> dict[str, Any]:
    """All that is kept."""
    load = load_average()
    rows = [
        size_in_a_process(size, options.seed + number, options.seconds_each, options.client)
        for number, size in enumerate(sizes, start=1)
    ]
    asked, logged = ask_all(requests, clients, options.seed, options.seconds, by_locust=options.client == LOCUST)
    last = [row for row in asked.memory if row[1] >= asked.done / 2]  # caches have filled up before
    return {
        "bench": "load", "seed": options.seed, "client": client_name(options.client), "stored_share": STORED_SHARE,
        "new": NEW, "stored_questions": STORED, **figures(asked), "sizes": rows,
        "logged_5xx": sum(number for status, number in logged.items() if status and status >= 500 and status != 503),
        "memory": {
            "server_first_mib": round(asked.memory[0][2] / 1024, 1), "server_last_mib": round(asked.memory[-1][2] / 1024, 1),
            "workers_first_mib": round(asked.memory[0][3] / 1024, 1), "workers_last_mib": round(asked.memory[-1][3] / 1024, 1),
            "server_kib_per_10000": round(10_000 * slope([(row[1], row[2]) for row in last]), 1),
            "workers_kib_per_10000": round(10_000 * slope([(row[1], row[3]) for row in last]), 1),
            "samples": [[round(row[0], 1), *row[1:]] for row in asked.memory[:: max(1, len(asked.memory) // 60)]],
        },
        "load_before": load, "load_after": load_average(), "commit": facts.commit(), "machine": facts.machine(),
    }  # fmt: skip


def client_name(client: str) -> str:
    """The client with its version."""
    return f"locust {crowd.locust_version()}" if client == LOCUST else "the client of bench/benchkit"


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The results as a table."""
    yield (
        f"{data['answers']:,} answers to {data['requests']:,} requests of {data['clients']} clients in {data['seconds']} s, "
        f"{data['a_second']} a second; {data['errors']} errors; statuses {data['statuses']}"
    )
    yield f"by {data.get('client', client_name('own'))}"  # as all runs were before there was a choice
    for row in (*data.get("sizes", ()), data):
        stored, used = row["kinds"]["stored"]["milliseconds"], row["processor"]
        server, workers = (used[name] / row["seconds"] for name in ("server", "workers"))
        yield (
            f"{row['clients']:4} clients: {row['a_second']:7.1f} answers a second, stored ones in {stored['median']:.0f} ms "
            f"(95% {stored['95%']:.0f}); {server:.2f} cores for the server, {workers:.2f} for workers; {row['errors']} errors"
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
    has_locust = crowd.locust_version() is not None
    kept = Kept(__doc__ or "", RESULTS, lines, "a few requests")
    add = kept.parser.add_argument
    add("--requests", type=int, default=REQUESTS, help="how many (default: %(default)s)")
    add("--seconds", type=float, default=7200.0, help="send none after these (default: %(default)s)")
    add("--clients", type=int, default=CLIENTS, help="how many (default: %(default)s)")
    add("--seed", type=int, default=2020, help="of questions (default: %(default)s)")
    add(
        "--client",
        choices=(LOCUST, "own"),
        default=LOCUST if has_locust else "own",
        help="who asks (default: %(default)s)",
    )
    add("--sizes", type=int, nargs="*", default=SIZES, help="clients of the smaller runs before (default: %(default)s)")
    add("--seconds-each", type=float, default=SECONDS_EACH, help="of a smaller run (default: %(default)s)")
    add("--size", type=Path, help=argparse.SUPPRESS)  # the file for the figures of a smaller run
    options = kept.options(argv)
    if options is None:
        return 0
    if options.client == LOCUST and not has_locust:
        kept.parser.error("--client locust: it is not installed (pip install 'locust>=2.40')")
    print(f"load: by {client_name(options.client)}", file=sys.stderr, flush=True)
    if options.size:
        asked, _ = ask_all(
            options.requests, options.clients, options.seed, options.seconds, by_locust=options.client == LOCUST
        )
        options.size.write_text(json.dumps(figures(asked)), "utf-8")
        return 0
    requests, clients, sizes = (400, 8, ()) if options.quick else (options.requests, options.clients, options.sizes)
    data = measure(options, requests, clients, sizes)
    if options.keep and data["answers"] < FEWEST:
        kept.parser.error(f"--keep: expected at least {FEWEST} answers, not {data['answers']}")
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
