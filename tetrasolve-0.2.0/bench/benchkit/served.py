"""A running `tetrasolve serve` for measurements, what it uses, and clients that count every byte."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE = 120.0  # seconds for one answer
JSON = "application/json"


class ServedError(Exception):
    """A service that did not start, or an answer that is none."""


class Served:
    """The service in processes of its own, with keys for some clients; its store and its log are in a temporary folder."""

    def __init__(self, *options: str, keys: int = 0, store: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tetrasolve-bench")
        folder = Path(self._folder.name)
        self.keys = [secrets.token_hex(32) for _ in range(keys)]
        self.store = folder / "answers.db"
        words = ["--port", "0", "--connections", "0", *(("--store", str(self.store)) if store else ()), *options]
        if keys:
            rows = [
                f'[[keys]]\nname = "k{number}"\nrate = 1000000\nburst = 1000000\nmetrics = true\nsha256 = "{_digest(key)}"\n'
                for number, key in enumerate(self.keys)
            ]
            (folder / "keys.toml").write_text("\n".join(rows), "utf-8")
            words += ["--keys", str(folder / "keys.toml")]
        else:
            words += ["--rate", "0", "--questions", "0"]
        self._log = (folder / "log").open("w")
        command = [sys.executable, "-u", "-m", "tetrasolve", "serve", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, text=True)  # noqa: S603 # ours

    def __enter__(self) -> Self:
        assert self.process.stdout is not None
        found = re.search(r"http://([\d.]+):(\d+)", self.process.stdout.readline())
        if found is None:
            raise ServedError("the service did not start")
        self.host, self.port = found[1], int(found[2])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(30)
        self._log.close()
        self._folder.cleanup()

    def log(self) -> list[dict[str, Any]]:
        """The rows of its log so far."""
        rows = Path(self._log.name).read_text("utf-8").splitlines()
        return [json.loads(row) for row in rows]

    def pids(self) -> list[int]:
        """The server, then its workers."""
        found, ahead = [self.process.pid], [self.process.pid]
        while ahead:
            for path in Path(f"/proc/{ahead.pop()}/task").glob("*/children"):
                more = [int(word) for word in path.read_text().split()]
                found += more
                ahead += more
        return found

    def processor_seconds(self) -> tuple[float, float]:
        """What the server has used, and all its workers."""
        first, *others = (used(pid) for pid in self.pids())
        return first, sum(others)

    def memory(self) -> tuple[int, int]:
        """KiB in memory of the server, and of all its workers."""
        first, *others = (resident(pid) for pid in self.pids())
        return first, sum(others)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def used(pid: int) -> float:
    """Processor seconds of a process with all its threads, those that have ended too: by the clock that the system has for it."""
    return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid(3) makes it of the number of a process


def resident(pid: int) -> int:
    """KiB in memory of a process."""
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines())
    return int(rows.get("VmRSS", "0 kB").split()[0])


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, and after how many seconds."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float


class Client:
    """One connection, which is kept. Bytes that belong to no answer are an error: no answer is doubled unseen."""

    def __init__(self, served: Served, key: str | None = None) -> None:
        self._served = served
        self._authorization = "" if key is None else f"Authorization: Bearer {key}\r\n"
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._served.host, self._served.port)
        return self._reader, self._writer

    async def send(self, method: str, path: str, fields: Any = None, accept: str = JSON) -> float:
        """Send a request; when that was."""
        _, writer = await self._connected()
        body = b"" if fields is None else json.dumps(fields).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n{self._authorization}"
            f"Content-Type: {JSON}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + body)
        await writer.drain()
        return began

    async def head(self) -> tuple[int, dict[str, str]]:
        """The status and the headers of the next answer."""
        reader, _ = await self._connected()
        first, *rows = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(row.lower().split(": ", 1) for row in rows if row)
        return int(first.split()[1]), headers

    async def ask(self, method: str, path: str, fields: Any = None) -> Answer:
        """Send a request, and read its whole answer.

        :raises ServedError: when there is more than one answer, or half of one.
        """
        reader, _ = await self._connected()
        async with asyncio.timeout(PATIENCE):
            began = await self.send(method, path, fields)
            status, headers = await self.head()
            try:
                body = await reader.readexactly(int(headers["content-length"]))
            except (KeyError, asyncio.IncompleteReadError) as error:
                raise ServedError(f"{path}: half an answer ({error!r})") from None
        seconds = time.perf_counter() - began
        if len(reader._buffer):  # type: ignore[attr-defined]  # noqa: SLF001  # what came after the answer
            raise ServedError(f"{path}: more than one answer")
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, headers, body, seconds)

    async def events(self, path: str, fields: Any) -> AsyncIterator[tuple[float, str, bytes]]:
        """The events of a stream: seconds since the request, kind and data; ends after the final one."""
        reader, _ = await self._connected()
        began = await self.send("POST", path, fields, "text/event-stream")
        status, _ = await self.head()
        if status != 200:
            raise ServedError(f"{path}: {status}")
        kind = ""
        while True:
            line = await reader.readline()
            if line.startswith(b"event: "):
                kind = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                yield time.perf_counter() - began, kind, line[6:]
                if kind in ("done", "cancelled", "error"):
                    self.close()
                    return
            elif not line:
                raise ServedError(f"{path}: a stream without a final event")

    def close(self) -> None:
        """Leave."""
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None


def marks(seconds: Sequence[float]) -> dict[str, float]:
    """Percentiles in milliseconds."""
    order = sorted(seconds)
    return {
        name: round(1000 * order[min(len(order) - 1, int(share * len(order)))], 2)
        for name, share in (("median", 0.5), ("95%", 0.95), ("99%", 0.99), ("max", 1.0))
    }


def load_average() -> list[float]:
    """Of the machine, over 1, 5 and 15 minutes: how many processes want a processor."""
    return [round(load, 2) for load in os.getloadavg()]
