"""The checker of certificates within this process; its modules go by the plain names that they use among themselves."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tetrasolve.certify.checking import checker_folder
from tetrasolve.claims.fact import Fact
from tetrasolve.claims.index import texts

FOLDER = checker_folder()
sys.path.insert(0, str(FOLDER))
_spec = importlib.util.spec_from_file_location("checker_main", FOLDER / "__main__.py")
assert _spec is not None and _spec.loader is not None
_main = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_main)

_index = importlib.import_module("index")
checker_facts = importlib.import_module(
    "facts"
)  # found first in the folder of the checker, though tests have one so called

CONFIRMED, REFUTED, UNREADABLE = range(3)
BOARDS: list[Path] = [path for path in _main.BOARDS if path.exists()]


def stands(folder: Path, entry: dict[str, object]) -> bool:
    """Whether a fact of an index is what the certificate in this folder proves, as ``--index`` looks at it."""
    return not list(
        _index.check_facts(
            folder, [entry], lambda data: _main.examine(data, BOARDS), lambda fact: counted(fact, BOARDS[0])
        )
    )


def counted(fact_id: str, board: Path) -> Any:
    """A fact whose form is ``recount``, as the checker counts it on the board of this file."""
    return checker_facts.count_fact(fact_id, _main.read_board(board))


def recount(fact_id: str, values: Mapping[str, str], board: Path | None = None) -> tuple[int, str]:
    """The exit code for these values of a fact without a certificate, and why it is not confirmed."""
    row = {"id": fact_id, "form": "recount", "values": dict(values)}
    reasons = list(_index.check_facts(Path(), [row], None, lambda fact: counted(fact, board or BOARDS[0])))
    if not reasons:
        return CONFIRMED, ""
    ((_, reason),) = reasons
    return REFUTED if isinstance(reason, _index.Refuted) else UNREADABLE, str(reason)


def judged(fact: Fact, subject: Any, file: Path | None = None) -> tuple[int, str]:
    """The exit code for a fact of the library about a board, with the certificate that its kind writes if it has any."""
    if fact.topic.certify is None:
        return recount(fact.id, texts(fact), file)
    return verdict(fact.topic.certify(subject, fact.instance, fact.values).text(), [file] if file else None)


def verdict(text: str | bytes, boards: list[Path] | None = None) -> tuple[int, str]:
    """The exit code that a certificate gets, and the message."""
    code, message = _main.verdict(
        text.encode() if isinstance(text, str) else text, BOARDS if boards is None else boards
    )
    return int(code), str(message)
