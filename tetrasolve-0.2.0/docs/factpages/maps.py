"""``{fact-map}``: the map of the board with a number and a shade in each place. The game draws it (``fact_map`` in ``conf.py``)."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from factpages.grid import FactDirective, form_of, shares


@dataclass(frozen=True)
class Shaded:
    """What a map shows: a label and, where it is a number, a share from 0 to 1 for each place; `names` are the places'."""

    title: str
    labels: Mapping[str, str]
    warmth: Mapping[str, float]
    names: Mapping[str, str]

    @property
    def words(self) -> str:
        """The alternative text."""
        found = [f"{self.names[name]} {label}" for name, label in self.labels.items()]
        return f"Map. {self.title}: {', '.join(found)}."


def drawing(name: str) -> Callable[[Any, Shaded], str]:
    """The function ``module:function`` that draws a board of the game as the text of an SVG picture.

    :raises ValueError: when the project names none.
    """
    module, _, function = name.partition(":")
    if not function:
        raise ValueError("conf.py has no fact_map, expected 'module:function'")
    return cast(Callable[[Any, Shaded], str], getattr(import_module(module), function))


class FactMap(FactDirective):
    """``{fact-map} reach/hill 12.*``: the star stands for a place; the content is the caption.

    `title` is the text below the map. Forms of numbers are those of the role: ``reach/* mean as decimal``.
    """

    option_spec: ClassVar = {"title": directives.unchanged_required}

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The picture with its caption."""
        pattern, form = form_of(wanted)
        subject = self.shelf.subject
        places = subject.places()
        cells = {cell.stars[0]: cell for cell in self.cells(pattern, 1) if cell.stars[0] in places}
        if not cells:
            raise ValueError("the star stands for no place of the board")
        title = self.options.get("title") or next(iter(cells.values())).fact.topic.title
        labels = {name: self.text(cells[name].value, form) for name in places if name in cells}
        warmth = shares({name: cell.number for name, cell in cells.items()})
        shaded = Shaded(title, labels, {str(name): share for name, share in warmth.items()}, subject.names())
        drawn = MapPicture("", svg=drawing(self.config.fact_map)(subject.board, shaded), words=shaded.words)
        caption = nodes.caption("", "", *self.parse_inline("\n".join(self.content), lineno=self.content_offset)[0])
        return [nodes.figure("", drawn, *([caption] if self.content else []), classes=["fact-map"])]


class MapPicture(nodes.General, nodes.Inline, nodes.Element):
    """A picture that is written beside the pages when they are."""


def visit_map(self: HTML5Translator, node: MapPicture) -> None:
    """Write the file, and show it."""
    drawn = node["svg"].encode()
    name = f"map-{hashlib.sha256(drawn).hexdigest()[:16]}.svg"
    folder = Path(self.builder.outdir) / self.builder.imagedir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(drawn)
    path = posixpath.join(self.builder.imgpath, name)
    self.body.append(self.starttag(node, "a", "", href=path, CLASS="fact-map-scroll"))
    self.body.append(self.emptytag(node, "img", "", src=path, alt=node["words"], loading="lazy"))
    self.body.append("</a>")
    raise nodes.SkipNode


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_node(MapPicture, html=(visit_map, None))
    app.add_directive("fact-map", FactMap)
