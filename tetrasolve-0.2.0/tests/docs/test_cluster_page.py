"""The commands of the page about clusters start a scheduler and a worker that commands reach, with TLS and without."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "use-a-cluster.md"

pytestmark = [
    pytest.mark.skipif(not PAGE.exists(), reason="the documentation is absent"),
    pytest.mark.slow,
]
pytest.importorskip("distributed")


def blocks() -> list[list[str]]:
    """The commands of each block in the language ``sh``."""
    return [
        found.splitlines()
        for found in re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    ]


def here(command: str, port: int) -> list[str]:
    """A command of the page as this machine can run it: its own address, one worker, the programs of this environment."""
    text = (
        command.replace("10.0.0.1", "127.0.0.1").replace("8786", str(port)).replace("--nworkers auto", "--nworkers 1")
    )
    words = shlex.split(text)
    if words[:2] == ["dask", "scheduler"] and "--port" not in words:
        words += ["--port", str(port)]
    programs = {"dask": [sys.executable, "-m", "dask"], "tetrasolve": [sys.executable, "-m", "tetrasolve"]}
    return programs.get(words[0], words[:1]) + words[1:]


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=folder, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize("with_tls", [False, True], ids=["plain", "tls"])
def test_a_command_does_its_work_there(with_tls: bool, tmp_path: Path) -> None:
    if with_tls and shutil.which("openssl") is None:
        pytest.skip("openssl is absent")
    commands = [command for block in blocks() for command in block]
    port, environment = free_port(), {**os.environ}
    servers = [one for one in commands if one.startswith("dask ") and ("tls" in one) is with_tls]
    (asked,) = (one for one in commands if one.startswith("tetrasolve") and ("tls://" in one) is with_tls)
    assert len(servers) == 2
    if with_tls:
        (made,) = (one for one in commands if one.startswith("openssl"))
        subprocess.run(shlex.split(made), cwd=tmp_path, check=True, capture_output=True)
        exports = [one.removeprefix("export ").partition("=") for one in commands if one.startswith("export ")]
        assert len(exports) == 3
        environment |= {name: value for name, _, value in exports}
    words = [*here(asked, port), "--policy", "random", "--half-width", "0.3"]
    with ExitStack() as opened:
        for server in servers:
            opened.enter_context(running(here(server, port), tmp_path))
        for _ in range(6):  # they need some seconds to start
            done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                break
        assert done.returncode == 0, done.stderr
        assert "random: " in done.stdout
        if with_tls:
            refused = subprocess.run(
                words, cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False
            )
            assert refused.returncode == 2, "without a certificate"
            assert "no scheduler of a cluster answers there" in refused.stderr
