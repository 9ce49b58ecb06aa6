"""Packages that serve every game name none: neither by import nor in their text."""

import re
from pathlib import Path

import pytest

FREE = ("analysis", "bounds", "certify", "claims", "cli", "draw", "exact", "lint", "puzzles", "serve")
FILES = (
    "errors.py", "files.py", "games.py", "positionfields.py", "reason.py", "recordlines.py", "release.py", "sentences.py",
    "strict.py", "tables.py",
)  # fmt: skip
# What names games because it is there for them: the two, the list of names that ``import tetrasolve`` offers, adapters of one each
OF_GAMES = {"tetrarchia", "finem", "adapters", "__init__.py", "__main__.py"}
# Words of one game; in names and texts of a package that serves every game they have no place
WORDS = re.compile(
    r"tetrarchia|province|barbarian|uprising|legion|garrison|\broman?\b|\broma\b|sicilia|finem|tribune|outbreak|pacif",
    re.IGNORECASE,
)
A_FONT = "Times New Roman"
THE_REGISTRY = re.compile(r"^SHIPPED: .*?^}$", re.MULTILINE | re.DOTALL)  # the lines that have to name them


def sources(root: Path) -> list[Path]:
    library = root / "tetrasolve"
    files = [*(library / name for name in FILES), *(path for name in FREE for path in (library / name).rglob("*.py"))]
    page = [path for path in (library / "serve" / "page").rglob("*") if path.is_file()]
    return files + page + list((root / "docs" / "factpages").glob("*.py"))  # what pages say about facts


def test_no_game_is_named(root: Path) -> None:
    guilty = []
    for path in sources(root):
        text = path.read_text("utf-8").replace(A_FONT, "")
        if path.name == "games.py":
            text, found = THE_REGISTRY.subn("", text)
            assert found == 1
        guilty += [f"{path.relative_to(root)}: {line.strip()}" for line in text.splitlines() if WORDS.search(line)]

    assert guilty == []


def test_each_package_and_module_is_looked_at_or_belongs_to_games(root: Path) -> None:
    found = {
        path.name for path in (root / "tetrasolve").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert found == {*FREE, *FILES} | OF_GAMES


@pytest.mark.parametrize(
    "line",
    [
        "import tetrasolve.tetrarchia",
        "# a Roman army",
        "provinces: int",
        "import tetrasolve.finem",
        "outbreaks = 1",
        "Roma y Sicilia",
    ],
)
def test_a_game_that_is_named_would_be_found(line: str) -> None:
    assert WORDS.search(line)
