"""Checkpoints: files with the state of long computations, from which an interrupted one continues.

The file has two lines of JSON: a header with the format, its version and a checksum of the second line, which holds the task
and the state of each stage. It is replaced in one step (`tetrasolve.files`), so it is always complete. A damaged file is
refused; it never leads to wrong results.

While a checkpoint is open, a lock file beside it keeps other processes out: it names the process that holds it, and the
system releases the lock when that process ends, however it ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tetrasolve import files
from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.strict import StrictError, is_whole, read_json

FORMAT = "tetrasolve checkpoint"
VERSION = 2
SAVED_EVERY = 1.0  # seconds between two writes, unless `write` is called
LARGEST = 2**28  # bytes of a file; the largest seen has a hundredth of it
OWNER_PAUSE = 0.01  # seconds between two looks at who holds a checkpoint,
OWNER_ATTEMPTS = 20  # so that the answer comes in a fifth of a second


class CheckpointError(TetrasolveError):
    """A checkpoint that cannot be read or written, or that belongs to another task."""


class CheckpointInUseError(CheckpointError):
    """A checkpoint that is open already, in this process or in another one."""


class Checkpoint:
    """The stages of one task, kept in a file; `task` says everything on which results depend, as JSON data.

    It is a context manager: at the end the lock is released, and the file stays.

    :raises CheckpointInUseError: when it is open already; the process is named.
    :raises CheckpointError: when there is a file and it is not a checkpoint of this task, or no file can be made.
    """

    def __init__(self, path: str | Path, task: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._task = read_json(json.dumps(task))  # as it will be read back
        self._saved = float("-inf")
        lock = FileLock(self.path)
        self._release = weakref.finalize(self, lock.release)
        try:
            self._stages: dict[str, Any] = self._read()
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; the file stays."""
        self._release()

    def remove(self) -> None:
        """Delete the file, and release the lock."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _read(self) -> dict[str, Any]:
        try:
            data = files.read_bytes(self.path, LARGEST)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise CheckpointError(f"{self.path}: cannot be read as a checkpoint: {error.strerror}") from None
        body = self._checked(data)
        task, stages = body["task"], body["stages"]
        other = [key for key in {**self._task, **task} if self._task.get(key) != task.get(key)]
        if other:
            key = other[0]
            raise CheckpointError(
                f"{self.path}: a checkpoint of another task: {key} is {shown(task.get(key))} there, "
                f"{shown(self._task.get(key))} here"
            )
        return dict(stages)

    def _checked(self, data: bytes) -> dict[str, Any]:
        """The content of a file, when its header and its checksum are right."""
        head, _, body = data.partition(b"\n")
        try:
            header = read_json(head)
        except StrictError:
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise CheckpointError(f"{self.path}: this file is no checkpoint; it was left as it is")
        if header.get("version") != VERSION:
            raise CheckpointError(
                f"{self.path}: checkpoint version {shown(header.get('version'))}, expected {VERSION}; "
                "it was left as it is: name another file, or delete this one to start again"
            )
        damaged = CheckpointError(
            f"{self.path}: the checkpoint is damaged (its checksum is another); delete it to start again"
        )
        if head != _header(body):
            raise damaged
        try:
            found = read_json(body, size=LARGEST)
        except StrictError as error:
            raise CheckpointError(f"{self.path}: cannot be read as a checkpoint: {error}") from None
        if not (
            isinstance(found, dict)
            and set(found) == {"task", "stages"}
            and isinstance(found["task"], dict)
            and isinstance(found["stages"], dict)
        ):
            raise CheckpointError(f"{self.path}: a checkpoint without its task or stages")
        return found

    def stage(self, name: str) -> Any:
        """The stored state of a stage, None before the first."""
        return self._stages.get(name)

    def refuse(self, name: str, problem: str) -> CheckpointError:
        """The error for an impossible state of a stage."""
        return CheckpointError(f"{self.path}: stage {shown(name)}: {problem}; delete the file to start again")

    def keep(self, name: str, state: Any) -> None:
        """Store the state of a stage (JSON data), and write the file if the last write was long enough ago.

        :raises CheckpointError: as `write`.
        """
        self._stages[name] = state
        if time.monotonic() - self._saved >= SAVED_EVERY:
            self.write()

    def write(self) -> None:
        """Write the file now.

        :raises CheckpointError: when it cannot be written; the file is as it was before.
        """
        body = json.dumps({"task": self._task, "stages": self._stages}, allow_nan=False).encode("ascii") + b"\n"
        try:
            files.write_bytes(self.path, _header(body) + b"\n" + body)
        except OSError as error:
            raise CheckpointError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._saved = time.monotonic()


def _header(body: bytes) -> bytes:
    digest = hashlib.sha256(body).hexdigest()
    return json.dumps({"format": FORMAT, "version": VERSION, "sha256": digest}).encode("ascii")


def counted_stage(checkpoint: Checkpoint, name: str) -> tuple[int, Any, dict[int, Any]]:
    """How many batches of a stage are done, their total, and results that came before their turn, by number.

    :raises CheckpointError: when the state has another form, or its numbers cannot be.
    """
    kept = checkpoint.stage(name)
    if kept is None:
        return 0, None, {}
    if not isinstance(kept, dict) or set(kept) != {"done", "total", "ahead"} or not isinstance(kept["ahead"], dict):
        raise checkpoint.refuse(name, "not the state of a stage of batches")
    done, ahead = kept["done"], kept["ahead"]
    if not is_whole(done) or done < 0 or (done == 0) != (kept["total"] is None):
        raise checkpoint.refuse(name, f"{shown(done)} batches are done, and the total is {shown(kept['total'])}")
    for number in ahead:
        if not (number.isascii() and number.isdecimal() and str(int(number)) == number and int(number) >= done):
            raise checkpoint.refuse(name, f"found batch {shown(number)} beside {done} that are done")
    return done, kept["total"], {int(number): result for number, result in ahead.items()}


# -- the lock ----------------------------------------------------------------------------------------------------------

_held: weakref.WeakSet[FileLock] = weakref.WeakSet()


def _forget_locks() -> None:
    """In a forked child: drop the locks, which belong to the parent."""
    for lock in list(_held):
        lock.forget()


os.register_at_fork(after_in_child=_forget_locks)


def _owner(handle: int) -> str:
    """The number in a lock file, which its process writes just after it has locked the file; empty if it does not come."""
    for _ in range(OWNER_ATTEMPTS):
        owner = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        if owner:
            break
        time.sleep(OWNER_PAUSE)
    return owner


class FileLock:
    """A lock on a file that a long run goes on with: an advisory lock on a second file beside it, with the number of the process.

    It is a context manager. The system releases the lock when the process ends, however it ends.

    :raises CheckpointInUseError: when another run holds it; the process is named.
    :raises CheckpointError: when no file can be made there.
    """

    def __init__(self, path: Path) -> None:
        if not path.name:  # as of the folder at hand, or of no path at all
            raise CheckpointError(f"{shown(str(path))}: cannot be locked: expected a file")
        self._path = path.with_name(path.name + ".lock")
        self._handle: int | None = None
        while self._handle is None:
            self._handle = self._taken(path)
        os.truncate(self._handle, 0)
        os.pwrite(self._handle, f"{os.getpid()}\n".encode("ascii"), 0)
        _held.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def _taken(self, path: Path) -> int | None:
        """The locked file; None when it was deleted meanwhile by the process that held it."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise CheckpointError(f"{shown(str(path))}: cannot be locked: {why}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), os.lstat(self._path)):
                    return handle
        except BlockingIOError:
            owner = _owner(handle)
            os.close(handle)
            who = "this process" if owner == str(os.getpid()) else f"process {owner or '(just started)'}"
            raise CheckpointInUseError(f"{path}: the file is in use by {who}") from None
        except OSError as error:
            os.close(handle)
            raise CheckpointError(f"{path}: cannot be locked: {error.strerror}") from None
        os.close(handle)
        return None

    def release(self) -> None:
        """Delete the lock file while it is still locked, then unlock it."""
        if self._handle is not None:
            with suppress(OSError):
                os.unlink(self._path)  # noqa: PTH108  # may run while the interpreter ends
            self.forget()

    def forget(self) -> None:
        """Close the file without deleting it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
