"""Ask an HTTP service for a hint, and print each answer as it comes.

python examples/http_client.py [URL]: without a URL it starts a service of its own, which requires the extra `serve`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

POSITION = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"


def events(url: str, kind: str, fields: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a question: the kind of each, and its data."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    connection.request("POST", f"/v1/{kind}", json.dumps(fields), headers)
    response = connection.getresponse()
    if response.status != 200:
        problem = json.load(response)
        raise SystemExit(f"{problem.get('where', kind)}: {problem['detail']}")
    event = ""
    for line in response:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "event":
            event = value
        elif name == "data":
            yield event, json.loads(value)
    connection.close()


def hint(url: str) -> None:
    """Print the best plan of each answer."""
    for status, found in events(url, "hint", {"position": POSITION, "top": 1, "budget": "greedy"}):
        if status == "error":
            raise SystemExit(found["detail"])
        if found.get("plans"):
            print(f"{status}: {found['plans'][0]['plan']}")
        elif status == "cancelled":
            raise SystemExit("the service ended before it had begun with this question")


if len(sys.argv) > 1:
    hint(sys.argv[1])
else:
    command = [sys.executable, "-m", "tetrasolve", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as service:  # noqa: S603  # our own
        assert service.stdout is not None
        hint(service.stdout.readline().removeprefix("listening on ").strip())
        service.terminate()
