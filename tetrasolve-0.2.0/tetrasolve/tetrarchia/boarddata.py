"""The board and its uncertain rows as JSON data, for programs and for ``--json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.tetrarchia.board import Board, Evidence, Province

if TYPE_CHECKING:  # claims import most of the library, and a board needs none of it
    from tetrasolve.claims.doubts import Doubt


def board_data(board: Board) -> dict[str, object]:
    """All rows of a board, each with its evidence: the source, and the confidence of the compiler of the file."""
    return {
        "id": board.id,
        "name": board.name,
        "edition": board.edition,
        "zones": list(board.zones),
        "provinces": [_province_data(province) for province in board.provinces.values()],
        "links": [
            {
                "between": list(link.between),
                "broken": link.broken,
                "evidence": {"exists": _evidence_data(link.exists), "kind": _evidence_data(link.kind)},
                "why": link.why,
            }
            for link in board.links
        ],
        "no_links": [
            {"between": list(pair.between), "evidence": _evidence_data(pair.evidence), "why": pair.why}
            for pair in board.no_links
        ],
    }


def _province_data(province: Province) -> dict[str, object]:
    return {
        "id": province.id,
        "code": province.code,
        "name": province.name,
        "kind": province.kind,
        "region": province.region,
        "number": province.number or None,
        "zones": sorted(province.zones),
        "arrow": province.arrow,
        "printed": list(province.printed),
        "lonlat": list(province.lonlat),
        "evidence": {claim: _evidence_data(found) for claim, found in province.evidence.items()},
        "why": province.why,
    }


def _evidence_data(evidence: Evidence) -> dict[str, object]:
    return {"source": evidence.source, "confidence": evidence.confidence}


def doubt_data(doubt: Doubt) -> dict[str, object]:
    """An uncertain row, with what to look for on the map and the facts that depend on it."""
    return {
        "row": doubt.row,
        "question": doubt.question,
        "confidence": float(doubt.confidence),
        "weight": fraction_data(doubt.weight) | {"certainty": "estimate"},
        "changes": list(doubt.changes),
        "facts": list(doubt.facts),
    }
