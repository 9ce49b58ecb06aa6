"""One version, one list of build requirements, and an sdist that is the whole project."""

import re
import subprocess
import sys
import tarfile
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def test_installed_version_is_that_of_the_source(pyproject: dict[str, Any]) -> None:
    assert metadata.version("tetrasolve") == pyproject["project"]["version"]


def test_version_is_stated_once(root: Path, pyproject: dict[str, Any]) -> None:
    version = pyproject["project"]["version"]
    sources = [*(root / "tetrasolve").rglob("*.py"), root / "docs" / "conf.py"]

    assert [str(path) for path in sources if f'version__ = "{version}"' in path.read_text("utf-8")] == []


def test_changelog_has_a_section_for_this_version(root: Path, pyproject: dict[str, Any]) -> None:
    headings = re.findall(r"^## \[(.+?)\]", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    assert headings[:2] == ["Unreleased", pyproject["project"]["version"]]


def test_build_group_is_the_build_system(pyproject: dict[str, Any]) -> None:
    """`make setup` builds with the first, `pip install .` with the second."""
    assert pyproject["dependency-groups"]["build"] == pyproject["build-system"]["requires"]


def test_the_wheel_holds_every_package_the_checker_and_the_proofs(root: Path, pyproject: dict[str, Any]) -> None:
    """They are listed by name, since what lies in `proofs/` goes along without being a part of the library."""
    folders = sorted((root / "tetrasolve").rglob("__init__.py"))
    packages = {".".join(path.parent.relative_to(root).parts) for path in folders}
    setuptools = pyproject["tool"]["setuptools"]

    assert set(setuptools["packages"]) == packages | {
        "tetrasolve.checker",
        "tetrasolve.checker.finem",
        "tetrasolve.proofs",
    }
    assert setuptools["package-dir"] == {
        "tetrasolve.checker": "proofs/checker",
        "tetrasolve.checker.finem": "proofs/checker/finem",
        "tetrasolve.proofs": "proofs",
    }
    assert setuptools["package-data"]["tetrasolve.proofs"] == [
        "**/index.json",
        "otherrules.json",
        "**/*.cert",
        "**/*.cert.xz",
    ]
    assert (root / "proofs" / "checker" / "__main__.py").exists()


def test_sdist_is_the_whole_project(root: Path, tmp_path: Path) -> None:
    """It can be built, tested and documented from, and brings along nothing that was made on this machine."""
    build = "from setuptools.build_meta import build_sdist; import sys; build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", build, str(tmp_path)], cwd=root, check=True, capture_output=True
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}

    wanted = ["LICENSE", "Makefile", "README.md", "CHANGELOG.md", "setup.cfg", "tests/README.md", "docs/conf.py"]
    for folder in ("ext", "tests", "docs", "tetrasolve", "examples", "proofs"):
        wanted += [
            path.relative_to(root).as_posix()
            for path in (root / folder).rglob("*")
            if path.suffix in {".pyx", ".pxi", ".py", ".pyi", ".md", ".toml", ".typed", ".json", ".cert", ".xz"}
        ]
    assert [name for name in wanted if name not in names] == []
    assert [name for name in names if name.endswith((".so", ".o", ".c", ".pyc"))] == []
