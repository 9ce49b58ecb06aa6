"""The certificate of a fact about a `Board`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tetrasolve.certify.form import Certificate
from tetrasolve.claims import certificates
from tetrasolve.claims.fact import Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.boardrows import whole_digest


def fact_certificate(
    kind: str,
    board: Board,
    fact_id: str,
    fields: Mapping[str, str] | Iterable[tuple[str, str]],
    values: Values,
    sections: Mapping[str, Sequence[str]] | Iterable[tuple[str, Sequence[str]]] = (),
) -> Certificate:
    """The certificate of a fact about this board; `fields` and `sections` are those of its kind, in its order.

    :raises CertificateError: when a part would not read back as it is.
    """
    return certificates.fact_certificate(kind, board.id, whole_digest(board), fact_id, fields, values, sections)
