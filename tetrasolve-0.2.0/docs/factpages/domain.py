"""The role ``{fact}``: a value of a fact, linked to the table that states the fact and to its certificate.

```
The farthest border is {fact}`route-enter/hill farthest`, at {fact}`route-enter/hill max as word` IP.
```

What is wrong with a number is collected, and fails the build when all pages have been read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, ClassVar
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode
from sphinx.writers.html5 import HTML5Translator

from factpages import words
from factpages.shelf import FactsError, shelf_of
from tetrasolve.claims.index import Entry

MARK, STEADY = "✓", "✔"
NO_BREAK = "\u2060"  # between a value and its mark


class FactDomain(Domain):
    """Which table states a fact, which pages speak of it, and what they got wrong."""

    name = "fact"
    label = "fact"
    initial_data: ClassVar[dict[str, Any]] = {"entries": {}, "used": {}, "troubles": {}}

    def enter(self, fact: str, docname: str) -> str:
        """Note the table that states a fact; the name of its place there."""
        self.data["entries"][fact] = docname
        return anchor(fact)

    def note(self, docname: str, place: str, fact: str, trouble: str = "") -> None:
        """Note that a page speaks of a fact, and what is wrong with that."""
        self.data["used"].setdefault(docname, []).append((place, fact))
        if trouble:
            self.data["troubles"].setdefault(docname, []).append(f"{place}: fact {fact}: {trouble}")

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.data["entries"] = {fact: page for fact, page in self.data["entries"].items() if page != docname}
        for part in ("used", "troubles"):
            self.data[part].pop(docname, None)

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process has read."""
        self.data["entries"] |= {fact: page for fact, page in otherdata["entries"].items() if page in docnames}
        for part in ("used", "troubles"):
            self.data[part] |= {page: found for page, found in otherdata[part].items() if page in docnames}

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: addnodes.pending_xref,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        """The link to the table that states a fact."""
        del env, typ
        page = self.data["entries"].get(target)
        title = node.get("title", target)
        return page and make_refnode(builder, fromdocname, page, anchor(target), contnode, title)

    def resolve_any_xref(self, *_: object) -> list[tuple[str, nodes.reference]]:
        """None: a fact is named as a fact or not at all."""
        return []

    def all_troubles(self) -> list[str]:
        """All that is wrong, a line each; facts that no table states are among it."""
        troubles = [trouble for found in self.data["troubles"].values() for trouble in found]
        for used in self.data["used"].values():
            for place, fact in used:
                if fact not in self.data["entries"] and not any(f"fact {fact}:" in trouble for trouble in troubles):
                    troubles.append(f"{place}: fact {fact}: no table of these pages states it")
        return sorted(troubles)


def domain_of(env: BuildEnvironment) -> FactDomain:
    """The domain of a build."""
    domain = env.domains["fact"]
    assert isinstance(domain, FactDomain)
    return domain


def refuse_troubles(app: Sphinx, env: BuildEnvironment) -> None:
    """Fail the build with everything that is wrong about facts on its pages."""
    del app
    if troubles := domain_of(env).all_troubles():
        raise FactsError("\n".join(["pages say otherwise than the index:", *troubles]))


def anchor(fact: str) -> str:
    """The name of the place where a table states a fact.

    >>> anchor("route-enter/hill")
    'fact-route-enter.hill'
    """
    return f"fact-{fact.replace('/', '.')}"


class FactRole(SphinxRole):
    """``{fact}`id path as form```; without a path where a fact has one value, forms as in `words`."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The value, linked, with the mark of its certificate."""
        wanted, form = asked_for(self.text)
        id_, _, path = wanted.partition(" ")
        shelf, domain = shelf_of(self.env), domain_of(self.env)
        place = f"{self.env.docname}:{self.get_source_info()[1]}"
        shelf.watch(self.env)
        try:
            fact = shelf.fact(id_)
            whole = form == "sentence" and not path
            text = fact.sentence if whole else words.shown(shelf.value(fact, path), shelf.names, form)
        except ValueError as trouble:
            domain.note(self.env.docname, place, id_, str(trouble))
            return [nodes.problematic(self.rawtext, self.rawtext)], []
        domain.note(self.env.docname, place, id_)
        return [said_and_proved(self.env, fact, text, path, ["fact-sentence" if whole else "fact"])], []


def asked_for(text: str) -> tuple[str, str]:
    """What is named, and the form to show it in.

    >>> asked_for("size/asia mean as decimal"), asked_for("levels")
    (('size/asia mean', 'decimal'), ('levels', ''))
    """
    named, as_, form = text.rpartition(" as ")
    return (" ".join(named.split()), form.strip()) if as_ else (" ".join(text.split()), "")


def linked(fact: Entry, text: str) -> addnodes.pending_xref:
    """A text that leads to the table which states a fact."""
    return addnodes.pending_xref(
        "",
        nodes.Text(text),
        refdomain="fact",
        reftype="fact",
        reftarget=fact.id,
        refexplicit=True,
        refwarn=True,
        title=f"{fact.id}: {fact.sentence}",
    )


def said_and_proved(env: BuildEnvironment, fact: Entry, text: str, path: str, classes: list[str]) -> nodes.inline:
    """A text that leads to the table of a fact, and the mark of the certificate behind it."""
    mark = certificate_mark(env, fact, path)
    return nodes.inline("", "", linked(fact, text), nodes.Text(NO_BREAK), mark, classes=classes)


def certificate_mark(env: BuildEnvironment, fact: Entry, path: str) -> nodes.Node:
    """A small mark that is a link to the certificate; another one for a value that holds on the boards next to this one."""
    steady = is_steady(fact, path)
    label = f"{fact.topic.certainty}{', whichever row of the board is wrong' if steady else ''}; {proof_of(fact)}"
    link = certificate_link(env, fact, nodes.inline("", STEADY if steady else MARK), label)
    return nodes.superscript("", "", link, classes=["certificate", "steady" if steady else "of-this-board"])


def proof_of(fact: Entry) -> str:
    """What a link to the proof of a fact leads to."""
    return f"certificate of {fact.id}" if fact.file else f"{fact.id} in the index, counted again by the checker"


def is_steady(fact: Entry, path: str) -> bool:
    """Whether a value, or without a path all of them, is known to hold whichever single row of the board is wrong."""
    unsteady = fact.robustness.unsteady if fact.robustness is not None else fact.values
    return path not in unsteady if path else not unsteady


def certificate_link(env: BuildEnvironment, fact: Entry, content: nodes.Node, label: str) -> nodes.Element:
    """A link to the certificate, which goes along with the built pages."""
    target = "/" + os.path.relpath(shelf_of(env).certificate(fact), env.srcdir).replace(os.sep, "/")
    return CertificateReference("", "", content, reftarget=target, refdoc=env.docname, label=label)


class CertificateReference(addnodes.download_reference):
    """A download that says what it is."""


def visit_certificate(self: HTML5Translator, node: CertificateReference) -> None:
    """Begin the link, in HTML."""
    path = f"{self.builder.dlpath}/{quote(node['filename'])}" if "filename" in node else None
    label = node["label"]
    self.body.append(self.starttag(node, "a", "", href=path, title=label, **{"aria-label": label, "download": ""}))


def depart_certificate(self: HTML5Translator, node: CertificateReference) -> None:
    """End the link."""
    del node
    self.body.append("</a>")


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_domain(FactDomain)
    app.add_node(CertificateReference, html=(visit_certificate, depart_certificate))
    app.add_role("fact", FactRole())
    app.connect("env-updated", refuse_troubles)
