"""Numbers of facts on pages: a page with a wrong one does not build, and the fact is named.

A small project of one page is built by Sphinx, with the extension of docs/ and facts made up for it.
"""

import doctest
import importlib
import lzma
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tetrasolve.claims import families
from tetrasolve.claims.fact import Fact, Topic
from tetrasolve.claims.index import BREAKS, Index, Robustness, entry_of, sha256_of
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import BoardSubject

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is absent")

CONF = f"""
import sys
sys.path.insert(0, {str(DOCS)!r})
extensions = ["myst_parser", "factpages"]
html_theme = "basic"
fact_proofs, fact_board = "proofs", "board.toml"
fact_map = "boardmap:shaded_svg"
exclude_patterns = ["proofs"]
"""
PAGE = """
# Ways

From Asia lead {fact}`ways/asia count`, {fact}`ways/asia count as word`, to {fact}`ways/asia to`;
{fact}`ways/asia share as percent` of all.
The best: {fact}`best as sentence`

{more}

```{fact-family} graph
```
"""
MORE = """
```{fact-map} ways/* count
:title: Ways
What a *map* shows.
```

```{fact-bars} ways/* share as percent
:sort: down
:top: 3
```

```{fact-list} ways/*
```

```{fact-tally} ways/* count
```

```{fact-verdicts}
```

```{fact-doubts}
:top: 3
```

```{fact-matrix} ways/*
:paths: count, share as decimal
:heads: ways, share
:heat:
```
"""

MADE_UP = ("graph", "how it is", "demo", ("links",))


def ways(board: Board) -> dict[str, dict[str, Any]]:
    found = {}
    for name in ("asia", "roma", "libya"):
        near = tuple(sorted(board.neighbours(name)))
        found[name] = {"count": len(near), "to": near, "share": Fraction(len(near), 2 * len(board.links))}
    return found


def best(board: Board) -> dict[str, dict[str, Any]]:
    return {"": {"province": max(board.provinces, key=lambda name: len(board.neighbours(name)))}}


def kind(
    name: str, family: str, how: str, certificate: str, rows: tuple[str, ...], derive: Callable[[Board], Any]
) -> Topic:
    def certify(board: Board, instance: str, values: Any) -> Any:
        return fact_certificate(certificate, board, f"{name}/{instance}".removesuffix("/"), {}, values)

    def say(instance: str, values: Any) -> str:
        return f"{instance or 'the best'} has <{'>, <'.join(str(values[path]) for path in sorted(values))}>."

    return Topic(name, family, f"All about {name}", how, certificate, rows, derive, certify, say, form="replay")


TOPICS = {"ways": kind("ways", *MADE_UP, ways), "best": kind("best", *MADE_UP, best)}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, a board, and proofs of facts."""
    monkeypatch.setattr(families, "_topics", lambda *_: TOPICS)
    data = importlib.import_module("tetrasolve.tetrarchia").__path__[0]
    (tmp_path / "board.toml").write_bytes((Path(data) / "data/tetrarchia.toml").read_bytes())
    (tmp_path / "conf.py").write_text(CONF, "utf-8")
    board, entries = Board.standard(), []
    for made in TOPICS.values():
        for instance, values in made.derive(board).items():
            fact = Fact(f"{made.id}/{instance}".removesuffix("/"), made, values)
            path = tmp_path / "proofs" / "graph" / f"{fact.id}.cert{'.xz' if instance == 'roma' else ''}"
            path.parent.mkdir(parents=True, exist_ok=True)
            made.certify(board, instance, values).write(path)
            breaks = Robustness(BREAKS, 12, {"link asia-bithynia absent": (1, ("count=3",))}, ("count",), "0")
            name = path.relative_to(tmp_path / "proofs").as_posix()
            entries.append(entry_of(fact, name, sha256_of(path), breaks if instance == "asia" else None))
    Index.about(BoardSubject(board), entries).write(tmp_path / "proofs" / "index.json")
    return tmp_path


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Sphinx imports the extension by the path that conf.py adds."""
    path = list(sys.path)
    yield
    sys.path[:] = path


def built(project: Path, page: str = PAGE.replace("{more}", MORE), builder: str = "html") -> str:
    """The page as Sphinx makes it.

    :raises SphinxError: when it does not build.
    """
    sphinx = pytest.importorskip("sphinx.application")
    docutils = importlib.import_module("sphinx.util.docutils")
    (project / "index.md").write_text(page, "utf-8")
    out, warnings = project / "out", StringIO()
    with docutils.patch_docutils(), docutils.docutils_namespace():
        app = sphinx.Sphinx(project, project, out, out, builder, status=None, warning=warnings)
        app.build()
    assert warnings.getvalue() == ""
    return (out / "index.html").read_text("utf-8") if builder == "html" else ""


def refusal(project: Path, page: str = PAGE.replace("{more}", "")) -> str:
    """Why the page does not build."""
    errors = pytest.importorskip("sphinx.errors")
    with pytest.raises(errors.SphinxError) as caught:
        built(project, page, "dummy")
    return str(caught.value)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


# -- the pages of docs/derived -------------------------------------------------------------------------------------

# What is stated in numbers there and is no fact: rules of the game, not what follows from them; and pages of the rulebook
TYPED = r"\b36\b|1 IP|zone [123]|page \d+|^\| \d+((,| to) \d+)* \|"


def test_each_family_has_a_page_that_states_its_facts() -> None:
    for family in CLAIMS.families:
        assert f"```{{fact-family}} {family}\n" in (DOCS / "derived" / f"{family}.md").read_text("utf-8")


@pytest.mark.parametrize("page", sorted((DOCS / "derived").glob("*.md")), ids=lambda path: path.stem)
def test_no_number_is_typed_by_hand(page: Path) -> None:
    """In what is left of a page without directives, roles and code there is no figure."""
    text = page.read_text("utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(\{\w+\})?`[^`]*`", "", text)
    text = re.sub(TYPED, "", text, flags=re.MULTILINE)

    assert re.findall(r".*\d.*", text) == []


# -- a page that is right --------------------------------------------------------------------------------------------


def test_a_page_with_everything(project: Path) -> None:
    html = built(project)
    text = re.sub("<[^>]*>|\u2060", "", html)
    count, total = len(Board.standard().neighbours("asia")), 2 * len(Board.standard().links)
    words = ["no", "one", "two", "three", "four", "five", "six"]

    assert f"From Asia lead {count}✓, {words[count]}✓, to " in text
    assert f"({Fraction(count, total)})✔ of all" in text  # this value holds on other boards too
    assert 'href="#fact-ways.asia"' in html and 'id="fact-ways.asia"' in html  # the number leads to the table
    assert "breaks at 1 of 12 changes" in text and "link asia-bithynia absent: count=3" in text
    assert "the best has &lt;" in html  # a sentence is text, whatever it holds


def test_certificates_go_along(project: Path) -> None:
    html = built(project)
    links = set(re.findall(r'href="(_downloads/[^"]+)"', html))

    assert sorted(Path(link).name for link in links) == ["asia.cert", "best.cert", "libya.cert", "roma.cert.xz"]
    (roma,) = (link for link in links if link.endswith(".xz"))
    assert lzma.decompress((project / "out" / roma).read_bytes()).startswith(b"tetrasolve-certificate 1\n")


def test_a_map_is_a_file_with_words_for_those_who_cannot_see_it(project: Path) -> None:
    html = built(project)
    image = re.search(r"<img [^>]*>", html)
    assert image is not None
    shown = dict(re.findall(r'(\w+)="([^"]*)"', image[0]))
    drawn = (project / "out" / shown["src"]).read_text("utf-8")

    board = Board.standard()
    counts = {name: len(board.neighbours(name)) for name in board.provinces if name in ("roma", "asia", "libya")}
    assert shown["alt"] == f"Map. Ways: {', '.join(f'{board[name].name} {count}' for name, count in counts.items())}."
    assert drawn.startswith("<svg") and f"<title>Asia: {counts['asia']}</title>" in drawn
    assert "What a <em>map</em> shows." in html


def test_what_extension_modules_promise() -> None:
    """Their docstrings hold examples, and docs/ is not where pytest looks for such."""
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(DOCS))
    for name in ("words", "pattern", "domain", "grid", "shelf", "maps", "bars", "tables", "matrix", "robust"):
        module = importlib.import_module(f"factpages.{name}")
        result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert result.failed == 0, name


# -- a page that is wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("{fact}`ways/sparta count`", "index:5: fact ways/sparta: the index has no such fact"),
        ("{fact}`ways/asia cuont`", "index:5: fact ways/asia: has no value 'cuont', but count, share, to"),
        ("{fact}`ways/asia`", "fact ways/asia: has no value '', but count, share, to"),
        ("{fact}`ways/asia to as percent`", "fact ways/asia: 'Bithynia"),
        ("{fact}`ways/asia count as roman`", "cannot be shown as 'roman'; forms are percent, decimal"),
        ("```{fact-map} ways/* cuont\n```", "fact ways/* cuont: no value of the index fits this pattern"),
        ("```{fact-map} ways/asia count\n```", "a pattern with 1 stars is needed"),
        ("```{fact-bars} ways/* to\n```", "bars need numbers that are not negative"),
        ("```{fact-matrix} ways/*\n:paths: count\n:heads: a, b\n```", "2 heads for 1: count"),
        ("```{fact-list} tours/*\n```", "fact tours/*: no fact of the index fits this pattern"),
        ("```{fact-kind} tours\n```", "fact tours: the index has no fact of this kind"),
        ("```{fact-family} routes\n```", "fact routes: the index has no fact of this family"),
    ],
)
def test_what_is_not_there_is_named(project: Path, asked: str, reason: str) -> None:
    assert reason in refusal(project, f"# Page\n\nText\n\n{asked}\n\n```{{fact-family}} graph\n```\n")


def test_a_number_without_a_table_is_refused(project: Path) -> None:
    stated = refusal(project, "# Page\n\n{fact}`ways/asia count`\n\n```{fact-kind} best\n```\n")

    assert "index:3: fact ways/asia: no table of these pages states it" in stated


def test_all_that_is_wrong_is_reported_at_once(project: Path) -> None:
    stated = refusal(project, "# Page\n\n{fact}`ways/sparta count`, {fact}`ways/troy count`\n")

    assert "ways/sparta" in stated and "ways/troy" in stated


# -- proofs that are wrong -------------------------------------------------------------------------------------------


def test_a_missing_certificate(project: Path) -> None:
    (project / "proofs/graph/ways/libya.cert").unlink()

    assert "fact ways/libya: its certificate graph/ways/libya.cert is missing" in refusal(project)


def test_a_changed_certificate(project: Path) -> None:
    change(project / "proofs/graph/ways/libya.cert", "count ", "count 1")

    assert "fact ways/libya: its certificate graph/ways/libya.cert is not the one" in refusal(project)


@pytest.mark.parametrize("name", ["asia", "roma"])
def test_a_changed_number_of_the_index(project: Path, name: str) -> None:
    """Even where the sentence is changed along with it: the certificate is asked too."""
    count = len(Board.standard().neighbours(name))
    index = project / "proofs/index.json"
    rows = index.read_text("utf-8").split(f'"id": "ways/{name}"')
    rows[1] = rows[1].replace(f'"count": "{count}"', '"count": "9"', 1)
    index.write_text(f'"id": "ways/{name}"'.join(rows), "utf-8")
    assert f"fact ways/{name}: the index says '{name} has <{count}>" in refusal(project)

    rows[1] = rows[1].replace(f"<{count}>", "<9>", 1)
    index.write_text(f'"id": "ways/{name}"'.join(rows), "utf-8")
    assert re.search(rf"fact ways/{name}: its certificate \S+ claims another value of count", refusal(project))


def test_the_certificate_of_another_fact(project: Path) -> None:
    index = project / "proofs/index.json"
    text = index.read_text("utf-8")
    text = text.replace("graph/ways/asia.cert", "graph/ways/libya.cert")
    text = text.replace(
        sha256_of(project / "proofs/graph/ways/asia.cert"), sha256_of(project / "proofs/graph/ways/libya.cert")
    )
    index.write_text(text, "utf-8")

    assert "fact ways/asia: its certificate graph/ways/libya.cert is the certificate of ways/libya" in refusal(project)


def test_an_edited_row_of_the_board(project: Path) -> None:
    board = project / "board.toml"
    text = board.read_text("utf-8")
    board.write_text(text.replace("broken = false", "broken = true", 1), "utf-8")
    stated = refusal(project)

    assert all(f"fact {name}: of another board: '" in stated for name in ("ways/asia", "ways/roma", "best"))


def test_no_index(project: Path) -> None:
    (project / "proofs/index.json").unlink()

    assert "index.json: is missing; `tetrasolve facts prove` writes it" in refusal(project)


def test_a_page_is_read_again_when_the_facts_change(project: Path) -> None:
    """What was built before does not stay when it is not true any more."""
    built(project)
    change(project / "proofs/index.json", "ways/asia", "ways/asiana")
    change(project / "proofs/index.json", '"asia has', '"asiana has')
    (project / "proofs/graph/ways/asia.cert").unlink()

    assert "fact ways/asiana" in refusal(project, PAGE.replace("{more}", MORE))
