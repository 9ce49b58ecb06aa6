"""What the rulebook says of itself, confirmed or refuted: the rows of ``data/statements.toml``.

============== ==================================================================================================
`rows`         reads the rows, and works one out on a board
`expressions`  the language of the rows
`words`        what the rows can ask about the base game
`extensions`   what they can ask about modules, variants and scenarios
============== ==================================================================================================

All are facts of the kind ``statement``. The checker works the rows out by its own rules, so the facts have no certificates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.rows import UNSHOWN, statements, topics, worked_out
from tetrasolve.tetrarchia.facts.saying import filled


def _derive(topic: str, board: Board) -> Mapping[str, Values]:
    rows = (statement for statement in statements().values() if statement.topic == topic)
    return {row.id[len(topic) + 1 :]: worked_out(row.id, board) for row in rows}


def _say(topic: str, instance: str, values: Values) -> str:
    """The rulebook's statement first where it is refuted, then what is true."""
    row = statements()[f"{topic}/{instance}" if instance else topic]
    if values["verdict"] == UNSHOWN:
        return f"Page {row.page}: on this board nothing shows whether the rulebook is right."
    words = filled(row.says, values)
    if values["verdict"] == "confirmed":
        return f"Confirmed (page {row.page}): {words[0].upper()}{words[1:]}"
    claim = f"The rulebook says that {row.rulebook}" if row.rulebook else "The rulebook says something else"
    return f"{claim} (page {row.page}); refuted: {words}"


def _topic(id: str, title: str, how: str, reads: Sequence[str], **more: Any) -> Topic:  # noqa: A002  # names of fields
    rules = {"ruleset": "the base game, usual readings"} | more
    derive, say = partial(_derive, id), partial(_say, id)
    return Topic(id, "rulebook", title, how, "", tuple(reads), derive, None, say, **rules)


TOPICS = tuple(_topic(**row) for row in topics())
