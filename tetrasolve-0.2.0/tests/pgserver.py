"""A server of Postgres in a temporary folder, for tests: as an unprivileged user, reached by a socket in that folder alone."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

FOLDERS = "/usr/lib/postgresql"  # where Debian has the programs, one folder for each version
NOBODY = "nobody"


def program(name):
    """The path of a program of Postgres, None where it is not installed."""
    debian = sorted(Path(FOLDERS).glob(f"*/bin/{name}"), reverse=True)
    return str(debian[0]) if debian else shutil.which(name)


def missing():
    """Why there can be no server, None where there can."""
    for name in ("initdb", "postgres"):
        if program(name) is None:
            return f"{name} is not installed (on Debian: apt install postgresql)"
    return None


class PgServer:
    """The server; it may be killed and started again, and keeps what it has."""

    def __init__(self):
        self._folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # paths of sockets are short
        self._as = {}
        if os.geteuid() == 0:  # the server refuses to be root
            user = pwd.getpwnam(NOBODY)
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._data = self._folder / "data"
        self._process = None
        self._log = (self._folder / "log").open("w")
        command = [
            program("initdb"),
            "-D",
            self._data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
            "--locale=C",
        ]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self._folder, **self._as
        )

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end(signal.SIGQUIT)
        self._log.close()
        shutil.rmtree(self._folder)

    def url(self, name="postgres"):
        """The place of a database."""
        return f"postgresql:///{name}?host={self._folder}&user=postgres"

    def start(self):
        """Start it, and wait until it answers; after `end` it may need more than one try."""
        import psycopg

        end = time.monotonic() + 30
        while True:
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [program("postgres"), "-D", self._data, "-k", self._folder, "-c", "listen_addresses=", "-F",
                     "-c", "max_connections=200"],
                    stdout=self._log, stderr=self._log, cwd=self._folder, **self._as,
                )  # fmt: skip
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                assert time.monotonic() < end
                time.sleep(0.05)
            else:
                return

    def end(self, number=signal.SIGKILL):
        """End it by a signal."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            self._process = None

    def new_database(self, name):
        """The place of a new database."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)
