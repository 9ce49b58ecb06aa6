"""The engine of the analysis protocol: every kind of request, and the JSON Schema of all messages.

`QUICK` names the kinds that take milliseconds. A service answers them in workers of their own, so that they never wait behind
a search.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from importlib.resources import files
from typing import Any

from tetrasolve.analysis.worker import Handler, Result
from tetrasolve.tetrarchia.hint import service
from tetrasolve.tetrarchia.service import games, positions, questions

QUICK = ("status", "turn", "findings", *positions.HANDLERS, *games.HANDLERS)
HANDLERS: Mapping[str, Handler] = {
    **service.HANDLERS, **positions.HANDLERS, **games.HANDLERS, **questions.HANDLERS,
}  # fmt: skip


def about() -> Result:
    """Versions and capabilities."""
    return {**service.about(), "asks": sorted(["about", "cancel", *HANDLERS]), "quick": sorted(QUICK)}


@cache
def digest() -> str:
    """A digest of all that answers depend on beside their request: the version, and the data of the library."""
    found = hashlib.sha256(metadata.version("tetrasolve").encode())
    for package in ("tetrasolve.tetrarchia", "tetrasolve.tetrarchia.hint"):
        for entry in sorted((files(package) / "data").iterdir(), key=lambda entry: entry.name):
            if entry.is_file():
                found.update(entry.name.encode() + b"\0" + hashlib.sha256(entry.read_bytes()).digest())
    return found.hexdigest()


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of the messages (draft 2020-12).

    The fields of each kind of request are ``$defs/ask_KIND``, with examples; its ``result`` names the schema of the answer.
    """
    text = (files("tetrasolve.tetrarchia") / "data/analysis.schema.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
