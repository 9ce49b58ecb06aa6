"""Counters for Prometheus. No label holds what a client has sent."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds


class Metrics:
    """The counters of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("call", "status")
        self.requests = Counter("tetrasolve_requests", "Requests answered", labels, registry=self.registry)
        self.seconds = Histogram(
            "tetrasolve_request_seconds",
            "Time to the end of the answer",
            ("call",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.stored = Counter("tetrasolve_stored_answers", "Answers from the store", registry=self.registry)
        self.opinions = Counter(
            "tetrasolve_stored_opinions", "Opinions that were stored, new ones and deeper ones", registry=self.registry
        )
        self.shared = Counter(
            "tetrasolve_shared_questions", "Questions that joined the run of an equal one", registry=self.registry
        )
        self.store_errors = Counter("tetrasolve_store_errors", "Failures of the store", registry=self.registry)
        self.streams = Gauge("tetrasolve_open_streams", "Event streams with a listener", registry=self.registry)
        self.questions = Counter("tetrasolve_questions", "Questions of a key", ("key",), registry=self.registry)
        self.jobs = Gauge("tetrasolve_open_jobs", "Jobs of this process without a final event", registry=self.registry)
        self.open = Gauge(
            "tetrasolve_open_questions", "Questions without a final answer, equal ones once", registry=self.registry
        )

    def text(self) -> bytes:
        """All of them in the text format of Prometheus."""
        return generate_latest(self.registry)
