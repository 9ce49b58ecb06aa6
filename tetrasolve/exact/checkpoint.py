"""What has been done so far, in a file, so that long work that was interrupted can go on.

The file is JSON: a format with its version, the task it belongs to, and the state of each stage of the work. It is replaced
in one step (written beside it, then renamed), so whatever happens, the file is whole: the last state or the one before.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tetrasolve.errors import TetrasolveError, shown

FORMAT = "tetrasolve checkpoint"
VERSION = 1
SAVED_EVERY = 1.0  # seconds between two writes, unless it is told to write now


class CheckpointError(TetrasolveError):
    """A checkpoint that cannot be read, or that belongs to another task."""


class Checkpoint:
    """The stages of one task, kept in a file; `task` says everything on which results depend, as JSON data.

    :raises CheckpointError: when there is a file and it is not a checkpoint of this task.
    """

    def __init__(self, path: str | Path, task: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._task = json.loads(json.dumps(task))  # as it will be read back
        self._saved = float("-inf")
        self._stages: dict[str, Any] = self._read() if self.path.exists() else {}

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise CheckpointError(f"{self.path}: cannot be read as a checkpoint: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise CheckpointError(f"{self.path}: this file is no checkpoint; it was left as it is")
        if data.get("version") != VERSION:
            raise CheckpointError(f"{self.path}: checkpoint version {shown(data.get('version'))}, expected {VERSION}")
        task, stages = data.get("task"), data.get("stages")
        if not isinstance(task, dict) or not isinstance(stages, dict):
            raise CheckpointError(f"{self.path}: a checkpoint without its task or stages")
        other = [key for key in {**self._task, **task} if self._task.get(key) != task.get(key)]
        if other:
            key = other[0]
            raise CheckpointError(
                f"{self.path}: a checkpoint of another task: {key} is {shown(task.get(key))} there, "
                f"{shown(self._task.get(key))} here"
            )
        return stages

    def stage(self, name: str) -> Any:
        """The state in which a stage was kept, None before its first."""
        return self._stages.get(name)

    def keep(self, name: str, state: Any) -> None:
        """Remember the state of a stage (JSON data), and write the file if the last time was long enough ago."""
        self._stages[name] = state
        if time.monotonic() - self._saved >= SAVED_EVERY:
            self.write()

    def write(self) -> None:
        """Write the file now."""
        beside = self.path.with_name(self.path.name + ".new")
        data = {"format": FORMAT, "version": VERSION, "task": self._task, "stages": self._stages}
        with beside.open("w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)
        self._saved = time.monotonic()
