"""What importing the library costs, and who may import the kernel."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"ortools", "z3", "pysat", "networkx", "numpy", "click", "rich"}
# `fast` turns positions into its states and back; what computes at length holds on to it
MAY_IMPORT_THE_KERNEL = ("facts/", "fast.py", "hint/", "plan/", "risk/", "signature.py")


@pytest.mark.parametrize("module", ["tetrasolve", "tetrasolve.tetrarchia.board", "tetrasolve.exact.distribution"])
def test_import_stays_quick(module: str) -> None:
    """Whoever uses the library as a library pays for no solver, no graph library and no command line."""
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & {HEAVY!r}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.split() == []


def imported_names(path: Path) -> set[str]:
    """The full names that a module imports, wherever it does so."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_only_few_speak_to_the_kernel(root: Path) -> None:
    """import-linter does not see compiled modules, so this arrow is looked after here."""
    game = root / "tetrasolve" / "tetrarchia"
    speakers = [
        path.relative_to(game).as_posix()
        for path in game.rglob("*.py")
        if "tetrasolve.tetrarchia.kernel" in imported_names(path)
    ]

    assert [name for name in speakers if not name.startswith(MAY_IMPORT_THE_KERNEL)] == []


def test_the_kernel_imports_nothing_of_ours(root: Path) -> None:
    """It is the same rules written again: what it shared with the others could be wrong in both."""
    sources = [*(root / "ext").glob("*.pyx"), *(root / "ext").glob("*.pxi")]
    imports = [
        line
        for path in sources
        for line in path.read_text("utf-8").splitlines()
        if re.match(r"\s*(from|import|cimport)\b.*\btetrasolve\b", line)
    ]

    assert imports == []
