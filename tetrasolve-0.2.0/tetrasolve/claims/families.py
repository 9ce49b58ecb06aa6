"""The claims of a game: families of topics, each of a kind, given by the game as one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from tetrasolve.claims.fact import Topic
from tetrasolve.errors import FactError

PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (PACKAGE / "proofs", PACKAGE.parent / "proofs")  # in a wheel, in the source tree


@dataclass(frozen=True, slots=True)
class Claims:
    """What a game claims.

    `families` maps the name of each family to its title, in the order of the index. A family is a module of `package`
    (where that is empty: of its own) with a tuple ``TOPICS``; it is imported when its topics are asked for.
    `rows` names the kinds of board rows that a topic may read. `forms` has pairs of a kind of certificate and its
    form of proof. `folder` is where index and certificates lie below the folder of all proofs. `checker` is the program
    that checks the certificates, a folder or a file that Python runs; None for ``proofs/checker``.
    """

    game: str
    package: str
    families: Mapping[str, str]
    rows: tuple[str, ...]
    forms: tuple[tuple[str, str], ...] = ()
    folder: str = "."
    checker: Path | None = None

    def topics(self) -> Mapping[str, Topic]:
        """Every topic by its id, in the order of the families."""
        return _topics(self.package, tuple(self.families), self.rows, self.forms)

    def proofs_folder(self) -> Path:
        """The folder of index and certificates: in the source tree, or what a wheel carries of it.

        :raises FactError: when there is neither.
        """
        folders = [folder / self.folder for folder in FOLDERS]
        for folder in folders:
            if folder.is_dir():
                return folder
        raise FactError(f"the proofs are missing: expected them in {' or '.join(map(str, folders))}")


@lru_cache(maxsize=8)
def _topics(
    package: str, families: tuple[str, ...], rows: tuple[str, ...], forms: tuple[tuple[str, str], ...]
) -> Mapping[str, Topic]:
    found: dict[str, Topic] = {}
    form_of = dict(forms)
    for family in families:
        for topic in import_module(f"{package}.{family}".lstrip(".")).TOPICS:
            assert topic.family == family and topic.id not in found and set(topic.rows) <= set(rows), topic.id
            found[topic.id] = replace(topic, form=form_of[topic.certificate]) if topic.certificate else topic
    return found
