"""Ask a long question as a job, and have its answer once, whatever is restarted or lost in between.

python examples/job_client.py [URL [KIND FIELDS]]: prints each event as its number, its kind and its data. FIELDS is a JSON
object. Without a URL it starts a service of its own, which requires the extra `serve`.

The same `Idempotency-Key` makes each retry the same job, `Last-Event-ID` continues after the last event that was received, and
`Retry-After` says when to come back.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

POSITION = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
FINAL = {"done", "cancelled", "error"}
LATER = {429, 502, 503, 504}  # the service or a proxy before it has no place, or is away
SILENCE = 30.0  # seconds; the service sends a comment every 10 s
PATIENCE = 300.0  # seconds in all

Event = tuple[int, str, dict[str, Any]]


class TryAgainError(Exception):
    """Come back after so many seconds."""


def answers(url: str, kind: str, fields: dict[str, Any]) -> Iterator[Event]:
    """The events of a job, each once: its number, which rises, its kind, and its data; the last one is final."""
    key, last, place, end = uuid4().hex, 0, "", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            place = place or opened(url, kind, fields, key)
            for event in listened(url, place, last):
                last = event[0]
                yield event
                if event[1] in FINAL:
                    return
        except (OSError, HTTPException, TryAgainError) as error:
            pause = float(str(error)) if isinstance(error, TryAgainError) else 1.0
            time.sleep(pause * random.uniform(1.0, 1.5))  # so that not all clients come back at once
    raise SystemExit(f"no answer within {PATIENCE:g} s")


def opened(url: str, kind: str, fields: dict[str, Any], key: str) -> str:
    """The place of the job with this key."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=SILENCE)) as connection:
        connection.request("POST", f"/v1/jobs/{kind}", json.dumps(fields), headers)
        response = checked(connection.getresponse())
        return str(response.headers["Location"])


def listened(url: str, place: str, last: int) -> Iterator[Event]:
    """The events with higher numbers, until the connection ends."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=SILENCE)) as connection:
        connection.request("GET", f"{place}/events", headers={"Last-Event-ID": str(last)})
        rows: dict[str, str] = {}
        for line in checked(connection.getresponse()):
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                rows[name] = value
            elif line == b"\n":
                if "id" in rows:  # `ending` has none: the service ends, and the job goes on elsewhere
                    yield int(rows["id"]), rows["event"], json.loads(rows["data"])
                rows = {}


def checked(response: HTTPResponse) -> HTTPResponse:
    """A response that is an answer.

    :raises TryAgainError: when it says so.
    """
    if response.status in LATER:
        raise TryAgainError(response.headers.get("Retry-After", "1"))
    if response.status >= 300:
        raise SystemExit(f"{response.status}: {json.load(response)['detail']}")
    return response


def show(url: str, kind: str, fields: dict[str, Any]) -> None:
    """Print the events of a job."""
    for number, status, data in answers(url, kind, fields):
        print(number, status, json.dumps(data), flush=True)


def main(words: list[str]) -> None:
    """The command line."""
    if words:
        kind, fields = (words[1], json.loads(words[2])) if len(words) > 1 else ("risk", {"position": POSITION})
        show(words[0], kind, fields)
        return
    command = [sys.executable, "-m", "tetrasolve", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as service:  # noqa: S603  # our own
        assert service.stdout is not None
        url = service.stdout.readline().removeprefix("listening on ").strip()
        show(url, "hint", {"position": POSITION, "top": 1, "seconds": 5})
        service.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])
