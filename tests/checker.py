"""The checker of certificates within this process; its modules go by the plain names that they use among themselves."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from tetrasolve.certify.checking import checker_folder

FOLDER = checker_folder()
sys.path.insert(0, str(FOLDER))
_spec = importlib.util.spec_from_file_location("checker_main", FOLDER / "__main__.py")
assert _spec is not None and _spec.loader is not None
_main = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_main)

_index = importlib.import_module("index")
chapters = importlib.import_module("facts")  # found first in the folder of the checker, though tests have one so called

CONFIRMED, REFUTED, UNREADABLE = range(3)
BOARDS: list[Path] = [path for path in _main.BOARDS if path.exists()]


def stands(folder: Path, entry: dict[str, object]) -> bool:
    """Whether a fact of an index is what the certificate in this folder proves, as ``--index`` looks at it."""
    return not list(_index.check_facts(folder, [entry], lambda data: _main.examine(data, BOARDS)))


def verdict(text: str | bytes, boards: list[Path] | None = None) -> tuple[int, str]:
    """The exit code that a certificate gets, and what is said of it."""
    code, said = _main.verdict(text.encode() if isinstance(text, str) else text, BOARDS if boards is None else boards)
    return int(code), str(said)
