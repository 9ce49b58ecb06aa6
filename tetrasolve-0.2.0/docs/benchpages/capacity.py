"""What the service costs, ``{bench-costs}``, what follows for so many players, ``{bench-capacity}``, ``{bench-load}``.

The model is arithmetic on measured costs: `Model` has what is assumed, `need` what follows. ``{bench-capacity-check}`` compares it
with the load test, and ``{bench-service}`` shows times beside their goals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, read, table

PLAYERS = (10**3, 10**5, 10**7)
ROW = 200  # bytes of a row of the store beside its answer: key, depth, index
# A hint with seconds keeps its worker for as long at most; on a busy machine it had less processor time than on one of its own
LONGEST_MS = {"hint, 2 s": 2000.0}
IN_LOAD_TEST = {"stored": "stored", "read": "read", "actions": "actions", "risk": "risk", "hint": "hint, greedy"}


@dataclass(frozen=True)
class Model:
    """What a player does, and when; names are those of the costs."""

    turns: int = 20  # of a player on a day
    asked: Mapping[str, float] = field(
        default_factory=lambda: {"actions": 6, "picture": 6, "risk": 1, "hint, 2 s": 1}
    )  # on a turn: actions and pictures for six steps
    storable: tuple[str, ...] = ("risk", "hint, 2 s")
    stored_share: float = 0.9  # of what can be stored
    peak_share: float = 0.1  # of the questions of a day are asked in its busiest hour
    most_busy: float = 0.7  # of a processor: beyond it questions wait for each other


@dataclass(frozen=True)
class Need:
    """What so many players need; rates are those of the busiest hour."""

    questions: float  # a second
    server_cores: float
    worker_cores: float
    store_bytes: float  # of new answers on a day
    network_bits: float  # a second
    transactions: float  # a second, in the database: each look for an answer, and each new one


def asked_a_turn(model: Model) -> dict[str, float]:
    """How often each cost comes up on a turn."""
    found: dict[str, float] = {"stored": 0.0}
    for name, number in model.asked.items():
        stored = number * model.stored_share if name in model.storable else 0.0
        found[name] = number - stored
        found["stored"] += stored
    return found


def need(costs: Mapping[str, Mapping[str, float]], players: float, model: Model) -> Need:
    """What follows for so many players a day."""
    turn = asked_a_turn(model)
    day = players * model.turns
    peak = day * model.peak_share / 3600  # turns a second
    looks = sum(number for name, number in model.asked.items() if name in model.storable)
    new = sum(turn[name] for name in model.storable)
    return Need(
        questions=peak * sum(turn.values()),
        server_cores=peak * sum(number * costs[name]["server_ms"] for name, number in turn.items()) / 1000 / model.most_busy,
        worker_cores=peak * sum(number * worker_ms(costs, name) for name, number in turn.items()) / 1000 / model.most_busy,
        store_bytes=day * sum(turn[name] * (costs[name]["bytes"] + ROW) for name in model.storable),
        network_bits=8 * peak * sum(number * size_of(costs, name, model) for name, number in turn.items()),
        transactions=peak * (looks + new),
    )  # fmt: skip


def worker_ms(costs: Mapping[str, Mapping[str, float]], name: str) -> float:
    """For how long a question keeps a worker."""
    return max(costs[name]["worker_ms"], LONGEST_MS.get(name, 0.0))


def size_of(costs: Mapping[str, Mapping[str, float]], name: str, model: Model) -> float:
    """The bytes of an answer; a stored one is one of those that can be stored."""
    if name != "stored":
        return costs[name]["bytes"]
    stored = [(model.asked[kind], costs[kind]["bytes"]) for kind in model.storable]
    return sum(number * size for number, size in stored) / sum(number for number, _ in stored)


def predicted(costs: Mapping[str, Mapping[str, float]], load: Mapping[str, Any]) -> tuple[float, float]:
    """Processor seconds of the server and of workers in the load test, by the costs of single questions."""
    answers = {name: row["answers"] for name, row in load["kinds"].items()}
    server, workers = (
        sum(number * costs[IN_LOAD_TEST[name]][part] for name, number in answers.items()) / 1000
        for part in ("server_ms", "worker_ms")
    )
    return server, workers


# -- tables ------------------------------------------------------------------------------------------------------------


def rounded(value: float) -> str:
    """Two digits, in words where it is large.

    >>> rounded(0.0312), rounded(3.14), rounded(1234), rounded(2.6e6)
    ('0.031', '3.1', '1,200', '2,600,000')
    """
    short = float(f"{value:.2g}")
    return f"{short:,.0f}" if short >= 10 else f"{short:g}"


def made_at(data: Mapping[str, Any]) -> nodes.paragraph:
    """When it was busy, a measurement says so."""
    before, after = data["load_before"][0], data["load_after"][0]
    machine = data["machine"]
    return nodes.paragraph(
        text=f"{machine['processor']}, {machine['cores']} cores, load average {before} before and {after} after; "
        f"seed {data['seed']}."
    )


class Costs(BenchDirective):
    """``{bench-costs}``: processor time and bytes of each question."""

    results = "service"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        heads = ("question", "server, ms", "worker, ms", "answer, bytes")
        rows = [
            (name, f"{row['server_ms']:.1f}", f"{row['worker_ms']:.1f}", f"{row['bytes']:,}")
            for name, row in data["costs"].items()
        ]
        return [table(heads, rows, range(1, 4)), made_at(data)]


class Bars(BenchDirective):
    """``{bench-service}``: times of the service beside their goals."""

    results = "service"
    names = (
        ("first", "first partial hint", "95%"),
        ("stored", "stored answer", "95%"),
        ("idle", "worker idle after its client left", "max"),
    )

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        rows = [
            (
                words,
                f"{row['median']:.1f}",
                f"{row['95%']:.1f}",
                f"{row['max']:.1f}",
                f"{data['goals'][name]:g} ({mark})",
            )
            for name, words, mark in self.names
            for row in [data["milliseconds"][name]]
        ]
        stop = data["stop"]
        words = f"end with {stop['streams']} streams, {stop['final_events']} final events"
        rows.append((words, "", "", f"{stop['end_ms']:.0f}", f"{data['goals']['stop']:g} (max)"))
        return [table(("", "median, ms", "95%", "max", "goal"), rows, range(1, 5)), made_at(data)]


class Capacity(BenchDirective):
    """``{bench-capacity}``: what players need, by the model."""

    results = "service"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, with the default share of stored answers and with none."""
        heads = (
            "players a day", "stored", "questions a second", "cores for servers", "cores for workers", "new answers a day, GB",
            "Mbit/s", "transactions a second",
        )  # fmt: skip
        rows = []
        for players in PLAYERS:
            for share in (Model.stored_share, 0.0):
                found = need(data["costs"], players, Model(stored_share=share))
                numbers = (
                    found.questions, found.server_cores, found.worker_cores, found.store_bytes / 1e9, found.network_bits / 1e6,
                    found.transactions,
                )  # fmt: skip
                rows.append((f"{players:,}", f"{100 * share:.0f} %", *map(rounded, numbers)))
        return [table(heads, rows, range(len(heads)))]


class Load(BenchDirective):
    """``{bench-load}``: the load test."""

    results = "load"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        heads = ("question", "answers", "median, ms", "95%", "99%", "max")
        rows = [
            (
                name,
                f"{row['answers']:,}",
                *(f"{row['milliseconds'][mark]:.0f}" for mark in ("median", "95%", "99%", "max")),
            )
            for name, row in data["kinds"].items()
        ]
        return [table(heads, rows, range(1, 6)), made_at(data)]


class Check(BenchDirective):
    """``{bench-capacity-check}``: processor time of the load test at each size, as the model says and as it was."""

    results = "load"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        costs = read(self.env, "service")["costs"]
        rows = []
        for run in (*data.get("sizes", ()), data):
            model = dict(zip(("server", "workers"), predicted(costs, run), strict=True))
            figures = [
                text
                for name, said in model.items()
                for text in (f"{said:.0f}", f"{run['processor'][name]:.0f}", f"{run['processor'][name] / said:.2f}")
            ]
            stored = run["kinds"]["stored"]["milliseconds"]["median"]
            rows.append((str(run["clients"]), f"{run['a_second']:.0f}", f"{stored:.0f}", *figures))
        heads = (
            "clients", "answers a second", "stored answer, median ms", "server: model, s", "measured", "ratio",
            "workers: model, s", "measured", "ratio",
        )  # fmt: skip
        return [table(heads, rows, range(len(heads)))]


def add_to(app: Sphinx) -> None:
    """Make them known to Sphinx."""
    for name, directive in (
        ("bench-costs", Costs), ("bench-service", Bars), ("bench-capacity", Capacity), ("bench-load", Load),
        ("bench-capacity-check", Check),
    ):  # fmt: skip
        app.add_directive(name, directive)
