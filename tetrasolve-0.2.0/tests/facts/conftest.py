"""A library that knows the toy facts alone, with a checker that knows their prover."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from toyclaims import toy_subject

from tetrasolve.certify import checking as running
from tetrasolve.claims import families, robust
from tetrasolve.claims.proving import prove
from tetrasolve.tetrarchia.board import Board


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """The toy family in place of all others."""
    name = "tetrasolve.tetrarchia.facts.toys"
    module = _load(name, Path(__file__).with_name("toys.py"))
    judge = tmp_path / "judge"
    shutil.copytree(running.checker_folder(), judge, ignore=shutil.ignore_patterns("__pycache__"))
    with (judge / "facts.py").open("a", encoding="utf-8") as file:
        file.write(module.PROVER)
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(running, "FOLDERS", (judge,))
    monkeypatch.setattr(robust, "PAIRS_SECONDS", 0.3)
    families._topics.cache_clear()
    yield module
    families._topics.cache_clear()


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    """The board of the library beside the copied checker, which finds none of its own there."""
    from tetrasolve.tetrarchia.boardfile import standard_text

    path = tmp_path / "board.toml"
    path.write_text(standard_text(), "utf-8")
    return path


@pytest.fixture
def proofs(toys: ModuleType, tmp_path: Path) -> Path:
    """A folder in which the toy facts are proved."""
    assert toys.TOPICS
    folder = tmp_path / "proofs"
    prove(toy_subject(Board.standard()), folder)
    return folder
