"""The files of results, how their numbers are written, and the role ``{bench}``.

```
Tables of {bench}`calibration games` games; the Brier score is {bench}`calibration moments.start.brier as decimal`.
```
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

HERE = Path(__file__).parent
FORMS = ("percent", "decimal", "points")
DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


class ResultsError(ValueError):
    """A file, or a number in it, that is not there."""


def read(env: BuildEnvironment, name: str) -> dict[str, Any]:
    """The results of a script; the page that is being read is read again when they change.

    :raises ResultsError: when there are none, or they cannot be read.
    """
    path = (Path(env.srcdir) / env.config.bench_results / f"{name}.json").resolve()
    for file in (path, *HERE.glob("*.py")):
        env.note_dependency(file)
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ResultsError(f"no results of {name} are kept (python bench/{name}.py --keep)") from None
    except ValueError as error:
        raise ResultsError(f"{path.name}: {error}") from None
    return data


def found_at(data: Any, path: str) -> Any:
    """What lies at a path of names and numbers, ``moments.start.bins.0.won``.

    :raises ResultsError: when there is nothing.
    """
    for part in path.split("."):
        try:
            data = data[int(part)] if isinstance(data, list) else data[part]
        except (KeyError, IndexError, ValueError, TypeError):
            some = ", ".join(list(data)[:8]) if isinstance(data, dict) else type(data).__name__
            raise ResultsError(f"{path}: no {part!r} among {some}") from None
    return data


# -- how numbers are written -----------------------------------------------------------------------------------


def percent(share: float, places: int = 1) -> str:
    """A share in percent.

    >>> percent(0.8825), percent(1)
    ('88.2 %', '100 %')
    """
    return f"{100 * share:.{0 if share in (0, 1) else places}f} %"


def points(difference: float) -> str:
    """A difference of shares, with its sign.

    >>> points(0.1)
    '+10.0'
    """
    return f"{100 * difference:+.1f}".replace("-", MINUS)


def interval(low: float, high: float) -> str:
    """The ends of an interval in percent."""
    return f"{100 * low:.1f} to {100 * high:.1f}".replace("-", MINUS)


def shown(value: Any, form: str) -> str:
    """A number as the role shows it.

    :raises ResultsError: for a form that there is not, or what is no number.
    """
    if not isinstance(value, int | float | str):
        raise ResultsError("this is no single number")
    if not form:
        return str(value)
    if form not in FORMS or isinstance(value, str):
        raise ResultsError(f"{value!r} cannot be shown as {form!r}; forms are {', '.join(FORMS)}")
    return {"percent": percent, "points": points, "decimal": lambda number: f"{number:.3g}"}[form](value)


class BenchRole(SphinxRole):
    """``{bench}`strength series.0.games```, with a form: ``{bench}`calibration moments.end.brier as decimal```."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number."""
        wanted, _, form = self.text.partition(" as ")
        name, _, path = wanted.partition(" ")
        try:
            return [nodes.inline("", shown(found_at(read(self.env, name), path), form), classes=["bench"])], []
        except ResultsError as trouble:
            message = self.inliner.reporter.error(f"bench {self.text}: {trouble}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]


# -- what tables and pictures have in common -------------------------------------------------------------------


class BenchDirective(SphinxDirective):
    """A directive about the results of one script; what is wrong with them is an error of the page."""

    has_content = True
    results = ""  # whose

    def run(self) -> list[nodes.Node]:
        """What the directive stands for."""
        try:
            return self.nodes_of(read(self.env, self.results))
        except ResultsError as trouble:
            raise self.error(f"{self.name}: {trouble}") from None
        except (KeyError, IndexError, TypeError) as trouble:
            raise self.error(f"{self.name}: {self.results}.json is not as expected: {trouble!r}") from None

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """What the directive stands for, given the results."""
        raise NotImplementedError

    def figure(self, drawn: str, kind: str, words: str) -> nodes.figure:
        """A picture with the directive's content and these words beneath."""
        lines, messages = self.parse_inline(" ".join([*self.content, words]), lineno=self.content_offset)
        caption = nodes.caption("", "", *lines, *messages)
        return nodes.figure("", nodes.raw("", drawn, format="html"), caption, classes=["bench", kind])


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), long: int = -1
) -> nodes.table:
    """A table of texts; the columns with these places hold numbers, and one may hold long texts."""
    kinds = {place: "number" for place in numbers} | {long: "words"}
    columns = [nodes.colspec(colwidth=1) for _ in heads]
    head = nodes.thead("", nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in heads)))
    body = [
        nodes.row(
            "",
            *(
                nodes.entry("", nodes.paragraph("", text), classes=[kinds[place]] if place in kinds else [])
                for place, text in enumerate(row)
            ),
        )
        for row in rows
    ]
    group = nodes.tgroup("", *columns, head, nodes.tbody("", *body), cols=len(heads))
    return nodes.table("", group, classes=["bench", "colwidths-auto"])


def made_by(data: Mapping[str, Any]) -> str:
    """With which weights and seed, at which commit, as far as the file says it."""
    weights = data.get("weights")
    digest = weights.get("digest") if isinstance(weights, dict) else weights
    commit = (data.get("commit") or {}).get("id")
    parts = [
        f"weights {digest[:8]}" if isinstance(digest, str) else "",
        f"seed {data['seed']}" if "seed" in data else "",
    ]
    parts.append(f"commit {commit[:8]}" if commit else "")
    return ", ".join(part for part in parts if part)


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_role("bench", BenchRole())
