"""The client of the load test: an answer that is doubled, cut off or late is an error, and percentiles are those of the list."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"
WHOLE = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-request-id: a\r\n\r\n{}"

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("benchkit.served")


def with_server(served: Any, sent: bytes, ask: Callable[[Any], Awaitable[Any]]) -> Any:
    """What a client has of a server that sends these bytes and ends."""

    async def run() -> Any:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(sent)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            client = served.Client(SimpleNamespace(host="127.0.0.1", port=port))
            try:
                return await ask(client)
            finally:
                client.close()
                await asyncio.sleep(0.01)  # in which transports are closed

    return asyncio.run(run())


def test_an_answer_is_read_whole(served: Any) -> None:
    found = with_server(served, WHOLE, lambda client: client.ask("GET", "/v1/health"))
    assert (found.status, found.body, found.headers["x-request-id"]) == (200, b"{}", "a")


@pytest.mark.parametrize(
    "sent", [WHOLE + WHOLE, WHOLE + b"x", WHOLE[:-1], WHOLE.replace(b"content-length: 2\r\n", b"")]
)
def test_another_number_of_bytes_is_an_error(served: Any, sent: bytes) -> None:
    with pytest.raises(served.ServedError):
        with_server(served, sent, lambda client: client.ask("GET", "/v1/health"))


def test_a_stream_without_an_end_is_an_error(served: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\n\r\n"

    async def ask(client: Any) -> list[str]:
        return [kind async for _, kind, _ in client.events("/v1/hint", {})]

    event = b"id: 1\nevent: %s\ndata: {}\n\n"
    assert with_server(served, head + event % b"partial" + event % b"done", ask) == ["partial", "done"]
    with pytest.raises(served.ServedError, match="without a final event"):
        with_server(served, head + event % b"partial", ask)


def test_marks_and_slopes(served: Any) -> None:
    assert served.marks([number / 1000 for number in range(1, 101)]) == {
        "median": 51.0, "95%": 96.0, "99%": 100.0, "max": 100.0,
    }  # fmt: skip
    load = import_module("load")
    assert load.slope([(0, 1), (1, 3), (2, 5)]) == 2 and load.slope([(1, 1), (1, 2)]) == 0
