"""The model of capacity is arithmetic: what it says is worked out here by hand."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is absent")

COSTS = {
    "stored": {"server_ms": 1.0, "worker_ms": 0.0, "bytes": 0},
    "actions": {"server_ms": 2.0, "worker_ms": 1.0, "bytes": 100},
    "risk": {"server_ms": 4.0, "worker_ms": 20.0, "bytes": 1000},
    "hint, 2 s": {"server_ms": 10.0, "worker_ms": 1000.0, "bytes": 5000},
    "hint, greedy": {"server_ms": 6.0, "worker_ms": 50.0, "bytes": 2000},
    "read": {"server_ms": 2.0, "worker_ms": 1.0, "bytes": 300},
}


@pytest.fixture
def capacity(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("benchpages.capacity")


def test_what_players_need(capacity: Any) -> None:
    """36,000 turns a day, a tenth of them in one hour: one a second."""
    model = capacity.Model(
        turns=36, asked={"actions": 3, "risk": 1, "hint, 2 s": 1}, storable=("risk", "hint, 2 s"), stored_share=0.5,
        peak_share=0.1, most_busy=0.5,
    )  # fmt: skip
    assert capacity.asked_a_turn(model) == {"stored": 1.0, "actions": 3, "risk": 0.5, "hint, 2 s": 0.5}
    found = capacity.need(COSTS, 1000, model)
    assert found.questions == pytest.approx(5)
    assert found.server_cores == pytest.approx((1 * 1 + 3 * 2 + 0.5 * 4 + 0.5 * 10) / 1000 / 0.5)
    assert found.worker_cores == pytest.approx(
        (3 * 1 + 0.5 * 20 + 0.5 * 2000) / 1000 / 0.5
    )  # a hint for its two seconds
    assert found.store_bytes == pytest.approx(36_000 * 0.5 * (1000 + 5000 + 2 * capacity.ROW))
    assert found.network_bits == pytest.approx(
        8 * (3 * 100 + 1000 + 5000)
    )  # a stored answer has as many bytes as a new one
    assert found.transactions == pytest.approx(2 + 1)


def test_ten_times_the_players_need_ten_times_as_much(capacity: Any) -> None:
    model = capacity.Model(asked={"actions": 6, "risk": 1, "hint, 2 s": 1})
    one, ten = capacity.need(COSTS, 100, model), capacity.need(COSTS, 1000, model)
    for name in ("questions", "server_cores", "worker_cores", "store_bytes", "network_bits", "transactions"):
        assert getattr(ten, name) == pytest.approx(10 * getattr(one, name))


def test_the_load_test_is_predicted_by_single_questions(capacity: Any) -> None:
    load = {"kinds": {"stored": {"answers": 900}, "read": {"answers": 60}, "hint": {"answers": 40}}}
    server, workers = capacity.predicted(COSTS, load)
    assert server == pytest.approx((900 * 1 + 60 * 2 + 40 * 6) / 1000)
    assert workers == pytest.approx((60 * 1 + 40 * 50) / 1000)
