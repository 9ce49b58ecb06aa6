"""What the certificates of all facts have in common: board and fact in front, then the values, in one order.

::

    tetrasolve-certificate 1
    kind potential
    board ID 5f1c...            the SHA-256 of all its rows
    fact reach/hill
    ...                         fields of this kind of certificate
    values 2                    each with its path, in ascending order of the paths
    hill 7
    max 9
    ...                         sections of this kind of certificate
    sha256 ...

The checker reads the common part, hands the rest to the module for the kind, and requires that the values it proves be
those that stand there, each of them and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Values, value_text

_FACT = re.compile(r"[a-z][a-z0-9-]*(/[a-z0-9][a-z0-9_.+=-]*){0,2}")
_PATH = re.compile(r"[a-z0-9][a-z0-9_.:>+=-]*")


def fact_certificate(
    kind: str,
    board_id: str,
    digest: str,
    fact_id: str,
    fields: Mapping[str, str] | Iterable[tuple[str, str]],
    values: Values,
    sections: Mapping[str, Sequence[str]] | Iterable[tuple[str, Sequence[str]]] = (),
) -> Certificate:
    """The certificate of a fact about the board with this id and digest.

    `fields` and `sections` are those of its kind, in the order that the checker's module for it requires.

    :raises CertificateError: when a part would not read back as it is.
    """
    assert _FACT.fullmatch(fact_id), fact_id
    assert all(map(_PATH.fullmatch, values)), [path for path in values if not _PATH.fullmatch(path)]
    return Certificate(
        kind,
        (("board", f"{board_id} {digest}"), ("fact", fact_id), *dict(fields).items()),
        (("values", value_lines(values)), *((name, tuple(lines)) for name, lines in dict(sections).items())),
    )


def value_lines(values: Values) -> tuple[str, ...]:
    """Values as lines of text: a path, a space, the value; in ascending order of the paths.

    >>> value_lines({"hill": 7, "max": 9})
    ('hill 7', 'max 9')
    """
    return tuple(f"{path} {value_text(values[path])}" for path in sorted(values))
