"""What importing the library costs, and who may import the kernel."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HEAVY = {"ortools", "z3", "pysat", "networkx", "numpy", "click", "rich"}
# `fast` turns positions into its states and back; what computes at length holds on to it
MAY_IMPORT_THE_KERNEL = (
    "bounds/unavoidable.py",
    "facts/",
    "fast.py",
    "hint/",
    "phase/",
    "plan/",
    "risk/",
    "signature.py",
)


@pytest.mark.parametrize("module", ["tetrasolve", "tetrasolve.tetrarchia.board", "tetrasolve.exact.distribution"])
def test_import_stays_quick(module: str) -> None:
    """A program that imports the library pays for no solver, no graph library and no command line."""
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
    second = root / "tetrasolve" / "finem"
    others = [path for path in second.rglob("*.py") if path.parent.name != "hint"]  # hints play by the kernel
    found = {path.name for path in others if "tetrasolve.finem.kernel" in imported_names(path)}
    assert found <= {"fast.py", "plan.py", "plantree.py", "turnrisk.py", "played.py", "search.py"}


def test_the_kernel_imports_nothing_of_ours(root: Path) -> None:
    """It is the same rules written again: what it shared with the others could be wrong in both. A stop flag states no rule."""
    sources = [*(root / "ext").glob("*.pyx"), *(root / "ext").glob("*.pxi")]
    imports = [
        line
        for path in sources
        for line in path.read_text("utf-8").splitlines()
        if re.match(r"\s*(from|import|cimport)\b.*\btetrasolve\b(?!\.stop )", line)
    ]

    assert imports == []


# Modules that only an extra makes work, by the name of the extra: none of them is imported before it is asked for
OF_EXTRAS = {
    "campaign": ("tetrarchia/plan/campaign/",),
    "openspiel": ("adapters/openspiel.py", "adapters/openspielfinem.py"),
    "proofs": ("certify/unsat.py",),
    "serve": ("serve/",),
    "solvers": ("tetrarchia/plan/model/", "finem/model.py"),
    "storm": ("tetrarchia/risk/storm.py",),
    "train": (
        *(f"tetrarchia/hint/{name}.py" for name in ("calibrate", "hidden", "learn", "linear")),
        "finem/hint/learn.py",
    ),
}
OPTIONAL = {"distributed", "fastapi", "numpy", "ortools", "pysat", "pyspiel", "scipy", "stormpy", "uvicorn", "z3"}
CORE_COMMANDS = (
    ["plan", "fight", "--objective", "kill narbonensis"],
    ["risk", "fight"],
    ["hint", "movement", "--budget", "expectimax"],
    ["--game", "et-finem", "hint", "limit", "--budget", "expectimax"],
    ["fight", "fight"],
    ["facts", "list", "--kinds"],
    ["facts", "check", "map/articulation", "map/distance", "--sample", "1"],
)


def test_only_modules_of_extras_import_what_an_extra_installs(root: Path) -> None:
    """Whatever is imported elsewhere, at the top or in a function, is a dependency of the library itself."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    core = {re.split(r"\W", requirement)[0] for requirement in project["dependencies"]}
    allowed = {*sys.stdlib_module_names, "tetrasolve", *core}
    library = root / "tetrasolve"
    optional = tuple(start for starts in OF_EXTRAS.values() for start in starts)
    guilty = [
        f"{path.relative_to(library)}: {name}"
        for path in sorted(library.rglob("*.py"))
        for name in sorted(imported_names(path))
        if name.split(".")[0] not in allowed and not path.relative_to(library).as_posix().startswith(optional)
    ]

    assert guilty == []
    assert set(OF_EXTRAS) <= set(project["optional-dependencies"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arguments", CORE_COMMANDS, ids=" ".join)
def test_core_commands_work_without_any_extra(arguments: list[str]) -> None:
    """In an interpreter that finds none of the packages that only extras install."""
    code = f"import sys; sys.modules |= dict.fromkeys({OPTIONAL!r}); from tetrasolve.cli.main import main; sys.exit(main())"
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stderr


def loaded_by(code: str) -> set[str]:
    """The modules that a new interpreter has after this code."""
    code = f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(result.stderr.split())


def test_the_library_imports_what_is_used_only() -> None:
    """`bench/startup.py` measures what comes of it."""
    ours = {name for name in loaded_by("import tetrasolve") if name.startswith("tetrasolve")}
    first = loaded_by("import tetrasolve; tetrasolve.Position")

    assert ours == {"tetrasolve", "tetrasolve.errors"}
    assert "tetrasolve.tetrarchia.position" in first and "tetrasolve.tetrarchia.plan" not in first


def test_help_imports_no_game() -> None:
    loaded = loaded_by("from tetrasolve.cli.main import run; run(['--help'])")
    games = {name for name in loaded if name.startswith(("tetrasolve.tetrarchia.", "tetrasolve.finem"))}

    assert games == {"tetrasolve.tetrarchia.definition"}
    assert not {name for name in loaded if name.startswith(("rich", "tetrasolve.claims", "tetrasolve.exact"))}
    assert "importlib.metadata" not in loaded - loaded_by("")


def test_a_position_is_shown_without_what_plays_or_plans() -> None:
    loaded = loaded_by("from tetrasolve.cli.main import run; run(['show', 'fight'])")
    others = ("hint", "plan", "risk", "scenario", "puzzle")

    assert "tetrasolve.tetrarchia.rules" in loaded
    assert not {name for name in loaded if name.startswith(tuple(f"tetrasolve.tetrarchia.{part}" for part in others))}
    assert "importlib.metadata" not in loaded - loaded_by("")


def test_type_checkers_see_the_public_names_where_they_are(root: Path) -> None:
    """The two lists of `tetrasolve/__init__.py` say the same, and each name is there."""
    import tetrasolve

    path = root / "tetrasolve" / "__init__.py"
    seen = {
        alias.name: node.module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tetrasolve.tetrarchia")
        for alias in node.names
    }

    assert seen == tetrasolve._HOMES
    assert sorted({*seen, "TetrasolveError"}) == sorted(tetrasolve.__all__) and {*tetrasolve.__all__} <= {
        *dir(tetrasolve)
    }
    assert all(getattr(tetrasolve, name) is not None for name in tetrasolve.__all__)
    assert not hasattr(tetrasolve, "no_such_name")
