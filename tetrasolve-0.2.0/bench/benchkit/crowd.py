"""Clients of locust in this process, each with a connection and a key of its own, for `bench/load.py`."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from benchkit.served import JSON, PATIENCE, Answer, Served


class Asked(Protocol):
    """What clients ask, and what becomes of the answers."""

    def take(self) -> Any:
        """The next question, None where there is none."""
        ...

    def request(self, question: Any) -> tuple[str, dict[str, Any]]:
        """The path and the body of a question."""
        ...

    def note(self, question: Any, answer: Answer | Exception) -> float | None:
        """Check an answer; the seconds after which it is to be asked again, None where it is not."""
        ...


def locust_version() -> str | None:
    """The version of locust, None where it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("locust")
    except metadata.PackageNotFoundError:
        return None


def ask_by_locust(served: Served, asked: Asked, keys: Sequence[str], every: float, look: Callable[[], None]) -> None:
    """Have one client for each key ask until there are no more questions; `look` is called every so many seconds.

    Locust makes the sockets of this process those of gevent: nothing that uses asyncio can follow.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gevent would be loaded before `ssl`, which nothing here uses
        import gevent
        from locust import FastHttpUser, constant, task
        from locust.env import Environment
        from locust.exception import StopUser

    free = list(keys)
    ended = 0

    class Player(FastHttpUser):  # type: ignore[misc]  # locust has no types for its bases
        """One client."""

        host = f"http://{served.host}:{served.port}"
        wait_time = constant(0)
        network_timeout = connection_timeout = PATIENCE
        concurrency = 1  # one connection

        def on_start(self) -> None:
            """Take a key."""
            self.headers = {"Authorization": f"Bearer {free.pop()}", "Content-Type": JSON, "Accept": JSON}

        def on_stop(self) -> None:
            """Note the end."""
            nonlocal ended
            ended += 1

        @task
        def ask(self) -> None:
            """Ask one question until it is answered."""
            if (question := asked.take()) is None:
                raise StopUser
            path, fields = asked.request(question)
            body = json.dumps(fields).encode()
            while True:
                began = time.perf_counter()
                with self.client.request(
                    "POST", path, data=body, headers=self.headers, name=path, catch_response=True
                ) as response:
                    answer: Answer | Exception
                    if response.status_code:
                        headers = {name.lower(): value for name, value in response.headers.items()}
                        answer = Answer(
                            response.status_code, headers, response.content or b"", time.perf_counter() - began
                        )
                    else:
                        answer = response.error or ConnectionError("no answer")
                    seconds = asked.note(question, answer)
                    response.success()  # what is one, `asked` has decided
                if seconds is None:
                    return
                gevent.sleep(seconds)

    runner = Environment(user_classes=[Player]).create_local_runner()
    runner.start(len(keys), spawn_rate=len(keys))
    while ended < len(keys):
        look()
        gevent.sleep(every)
    runner.quit()
