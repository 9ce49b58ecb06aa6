"""Documents keep their word: their commands exist, their examples run, and they name nobody's machine."""

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if path.exists()]
FENCE = re.compile(r"^```+ *\{?(\w*)[^\n]*\n(.*?)^```+ *$", re.MULTILINE | re.DOTALL)


def code_blocks(path: Path, *languages: str) -> list[tuple[int, str]]:
    """The fenced blocks in one of these languages, each with the line it begins on, counted from 0."""
    text = path.read_text("utf-8")
    return [(text[: found.start(2)].count("\n"), found[2]) for found in FENCE.finditer(text) if found[1] in languages]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_python_examples_run(path: Path) -> None:
    """Every `>>>` of a page, from top to bottom in one session."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    session: dict[str, object] = {}
    report: list[str] = []
    for line, block in code_blocks(path, "python", "pycon", "doctest"):
        example = parser.get_doctest(block, session, name_of(path), str(path), line)
        runner.run(example, out=report.append, clear_globs=False)
        session = example.globs

    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("path", [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "tests/README.md"], ids=name_of)
def test_make_targets_exist(root: Path, path: Path) -> None:
    """Whatever a page tells to type after `make` is in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    text = path.read_text("utf-8")
    spans = [span for span in re.findall(r"`([^`]+)`", text) if span.startswith("make ")]
    commands = [line[2:] for _, block in code_blocks(path, "console") for line in block.splitlines() if line[:1] == "$"]
    stated = {
        word
        for command in (*spans, *commands)
        if command.split()[0] == "make"
        for word in re.sub(r"'[^']*'", "", command).split()[1:]
        if "=" not in word
    }

    assert stated <= targets


def test_the_first_two_commands_are_the_main_job_and_the_tests(root: Path) -> None:
    commands = [line for _, block in code_blocks(root / "README.md", "console") for line in block.splitlines()]

    assert commands[:2] == ["$ make demo", "$ make test"]


def test_ci_begins_with_the_second_command_of_the_readme(root: Path) -> None:
    script = (root / ".ci" / "run").read_text("utf-8")

    assert re.findall(r"^make (\S+)", script, re.MULTILINE)[0] == "test"


def test_every_module_has_its_place_in_the_reference(root: Path) -> None:
    """A module that no page of docs/reference shows might as well not be there. Commands have a page of their own."""
    shown = {
        name
        for page in (root / "docs" / "reference").glob("*.md")
        for name in re.findall(r"^\.\. automodule:: (\S+)", page.read_text("utf-8"), re.MULTILINE)
    }
    sources = [path.relative_to(root) for path in (root / "tetrasolve").rglob("*.py") if "cli" not in path.parts]
    modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in sources}

    without = ["tetrasolve.__main__", "tetrasolve.tetrarchia"]  # an entry point, and a package without code of its own
    assert sorted(modules - shown) == without


PATH_LIKE = re.compile(r"[\w.*-]+(?:/[\w.*-]*)+|[\w-]+\.(?:py|pyi|pyx|pxi|toml|md|json|txt|cfg|cert)")
SOURCES = ("tetrasolve", "ext", "proofs", "tests", "docs", "bench")
MADE_LATER = ("build/",)


def names_a_file(root: Path, folder: Path, name: str) -> bool:
    """Whether a path from the top or the page's folder, or a file anywhere, has this name; `NAME` stands for any."""
    pattern = name.rstrip("/").replace("NAME", "*")
    return any(any(top.glob(pattern)) for top in (root, folder)) or (
        "/" not in name and any(any((root / top).rglob(pattern)) for top in SOURCES)
    )


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "proofs/README.md", "tests/README.md"])
def test_paths_exist(root: Path, page: str) -> None:
    """What stands in backticks and looks like a path of the project is one."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(FENCE, "", (root / page).read_text("utf-8")))
    paths = {span for span in spans if PATH_LIKE.fullmatch(span) and not span.startswith(MADE_LATER)}

    assert [path for path in sorted(paths) if not names_a_file(root, (root / page).parent, path)] == []
    assert page != "CONTRIBUTING.md" or len(paths) > 20


def test_decisions_have_numbers_of_their_own(root: Path) -> None:
    pages = sorted((root / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [page.name[:4] for page in pages]

    assert len(numbers) > 20 and len({*numbers}) == len(numbers)
    assert [page.name for page in pages if not page.read_text("utf-8").startswith(f"# {int(page.name[:4])}. ")] == []


def test_certificates_that_pages_name_exist(root: Path) -> None:
    pages = [path for path in DOCUMENTS if "decisions" not in path.parts]
    named = {name for path in pages for name in re.findall(r"(?<![\w/])proofs/[\w/.-]*\w", path.read_text("utf-8"))}

    assert "proofs/cascades/growth/0.cert" in named
    assert [name for name in sorted(named) if not (root / name).exists()] == []


def test_proofs_readme_lists_the_families_with_certificates(root: Path) -> None:
    proofs = root / "proofs"
    line = next(line for line in (proofs / "README.md").read_text("utf-8").splitlines() if ": the certificates" in line)
    families = {path.relative_to(proofs).parts[0] for path in proofs.rglob("*.cert*")}
    second = {path.parent.name for path in proofs.rglob("*/index.json")}  # other games have folders of their own
    families -= second
    assert all(f"- `{name}`: the same for" in (proofs / "README.md").read_text("utf-8") for name in second)

    assert set(re.findall(r"`(\w+)`", line.split(":")[0])) == families


def test_no_file_names_a_machine(root: Path) -> None:
    """Paths of somebody's home or work folder, and addresses of package indexes, are of no use to anyone else."""
    git = shutil.which("git") or pytest.skip("git is absent")
    listing = subprocess.run([git, "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("this is no checkout")
    private = re.compile(r"(?<![\w.:/~-])/(home|root|Users|work|opt|srv|mnt|tmp)/\w|(index-url|find-links)\b")
    guilty = []
    for name in filter(None, listing.stdout.split("\0")):
        path = root / name
        if path.suffix in {".md", ".py", ".pyi", ".pyx", ".pxi", ".toml", ".cfg", ".txt", ""} and path.is_file():
            guilty += [f"{name}: {line}" for line in path.read_text("utf-8").splitlines() if private.search(line)]

    assert [line for line in guilty if not line.startswith(name_of(Path(__file__)))] == []
