"""What the rulebook says of itself, confirmed or refuted: the rows of ``data/statements.toml``.

============== ==================================================================================================
`rows`         reads the rows, and works one out on a board
`expressions`  the language of the rows
`words`        what the rows can ask about the base game
`extensions`   what they can ask about modules, variants and scenarios
============== ==================================================================================================

Each topic is a kind of facts. The checker works the rows out by its own rules, so the facts have no certificates.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tetrasolve.claims.fact import Kind, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.rows import UNSHOWN, Topic, statements, topics, worked_out
from tetrasolve.tetrarchia.facts.saying import filled


def _derive(topic: str, board: Board) -> Mapping[str, Values]:
    rows = (statement for statement in statements().values() if statement.topic == topic)
    return {row.id.partition("/")[2]: worked_out(row.id, board) for row in rows}


def _say(topic: str, instance: str, values: Values) -> str:
    """The rulebook's statement first where it is refuted, then what is true."""
    row = statements()[f"{topic}/{instance}" if instance else topic]
    if values["verdict"] == UNSHOWN:
        return f"Page {row.page}: on this board nothing shows whether the rulebook is right."
    words = filled(row.says, values)
    if values["verdict"] == "confirmed":
        return f"Confirmed (page {row.page}): {words[0].upper()}{words[1:]}"
    said = f"The rulebook says that {row.said}" if row.said else "The rulebook says something else"
    return f"{said} (page {row.page}); refuted: {words}"


def _kind(topic: Topic) -> Kind:
    return Kind(
        id=topic.id,
        family="rulebook",
        title=topic.title,
        how=topic.how,
        certificate="",
        rows=topic.reads,
        derive=partial(_derive, topic.id),
        certify=None,
        say=partial(_say, topic.id),
        ruleset=topic.ruleset,
        effort=topic.effort,
    )


KINDS = tuple(_kind(topic) for topic in topics().values())
