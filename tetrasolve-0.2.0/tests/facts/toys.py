"""A small family of facts about any board, and the function of a checker that proves them, to try the machinery with."""

from __future__ import annotations

from collections.abc import Mapping

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate

PROVER = '''
def toy(lines, board, fact):
    """Count again."""
    if fact.kind == "toy-links":
        place = fact.instance
        found = board.links[place]
        return {"broken": str(sum(found.values())), "links": str(len(found))}
    for line in lines.section("steps"):
        if line not in board.arrow:
            raise lines.refuted("no arrow")
    return {"steps": str(len(board.arrow))} if fact.kind == "toy-arrows" else {"sides": "6"}


PROVERS["toy"] = ((), toy)
FORM_OF |= dict.fromkeys(("toy-links", "toy-arrows", "toy-die"), "replay")
'''


def certify_links(board: Board, instance: str, values: Values) -> Certificate:
    return fact_certificate("toy", board, f"toy-links/{instance}", {}, values)


def certify_arrows(board: Board, instance: str, values: Values) -> Certificate:
    assert not instance
    steps = [name for name, place in board.provinces.items() if place.arrow is not None]
    return fact_certificate("toy", board, "toy-arrows", {}, values, {"steps": [*steps * 30]})


def certify_die(board: Board, instance: str, values: Values) -> Certificate:
    assert not instance
    return fact_certificate("toy", board, "toy-die", {}, values, {"steps": []})


def derive_links(board: Board) -> Mapping[str, Values]:
    found: dict[str, dict[str, Value]] = {}
    for name in board.ids[:6]:
        links = board.neighbours(name).values()
        found[name] = {"broken": sum(link.broken for link in links), "links": len(links)}
    return found


def derive_arrows(board: Board) -> Mapping[str, Values]:
    return {"": {"steps": sum(place.arrow is not None for place in board.provinces.values())}}


def derive_die(board: Board) -> Mapping[str, Values]:
    assert board.provinces
    return {"": {"sides": 6}}


TOPICS = (
    Topic(
        id="toy-links",
        family="toys",
        title="Links of provinces",
        how="counted",
        certificate="toy",
        rows=("links", "kinds"),
        derive=derive_links,
        certify=certify_links,
        say=lambda instance, values: f"{instance} has {values['links']} links, {values['broken']} of them broken.",
    ),
    Topic(
        id="toy-arrows",
        family="toys",
        title="Arrows",
        how="counted",
        certificate="toy",
        rows=("arrows",),
        derive=derive_arrows,
        certify=certify_arrows,
        say=lambda _, values: f"The board has {values['steps']} arrows.",
    ),
    Topic(
        id="toy-die",
        family="toys",
        title="The die",
        how="looked at",
        certificate="toy",
        rows=(),
        derive=derive_die,
        certify=certify_die,
        say=lambda _, values: f"The die has {values['sides']} sides.",
    ),
)
