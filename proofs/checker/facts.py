"""Certificates of facts: what all of them have in common, and which chapter of this program knows how to prove which.

A certificate of a fact names the board (all of its rows) and the fact, and lists the values that it claims. How they are
proved depends on its kind. Each kind has a chapter: a function that is given the certificate, line by line, and returns the
values which are true by what it has worked out itself. They must be those that are claimed, all of them and no other.
"""

import re
from collections.abc import Callable

import blockade
import cascades
import chain
import combat
import distances
import figures
import growth
import harshest
import maps
import march
import restless
import smallest
import soonest
import turnbound
import worst
from board import Board
from claimed import Fact
from invariants import check_invariant
from modules import check_module
from statements import check_statement
from text import Lines
from traces import check_traces
from variants import check_variant
from wars import check_scenario

FACT = re.compile(r"[a-z][a-z0-9-]*(/[a-z0-9][a-z0-9_.+=-]*)?")
PATH = re.compile(r"[a-z0-9][a-z0-9_.:>+=-]*")

STUMBLES = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError)

Prove = Callable[[Lines, Board, Fact], dict[str, str]]

# For each kind of certificate the names of its fields, in their order, and its chapter
CHAPTERS: dict[str, tuple[tuple[str, ...], Prove]] = {
    "invariant": (("reading",), check_invariant),
    "statement": (("page",), check_statement),
    "module": (("page",), check_module),
    "variant": (("page",), check_variant),
    "scenario": (("page",), check_scenario),
    "traces": ((), check_traces),
    "map": ((), maps.prove),
    "cascade": ((), cascades.prove),
    "growth": ((), growth.prove),
    "growth-unrest": ((), restless.prove),
    "chain": ((), chain.bound),
    "uprisings": (("position",), chain.distribution),
    "worst-chain": (("position",), worst.prove),
    "smallest-sets": ((), smallest.prove),
    "march": ((), march.prove),
    "phase": (("position",), figures.figures),
    "combat": ((), combat.prove),
    "wait": (("position", "army"), figures.wait),
    "distances": (("clock",), distances.prove),
    "blockade": (("from",), blockade.prove),
    "turn-bound": (("most",), turnbound.prove),
    "soonest-victory": (("level",), soonest.prove),
    "harshest-victory": (("level",), harshest.prove),
}


def check_fact(lines: Lines, kind: str, find_board: Callable[[str, str], Board]) -> Fact:
    """The fact that a certificate proves."""
    name, _, digest = lines.field("board").partition(" ")
    board = find_board(name, digest)
    fact_id = lines.field("fact")
    if not FACT.fullmatch(fact_id):
        raise lines.unreadable("expected the id of a fact: its kind, and after a stroke its instance")
    names, prove = CHAPTERS[kind]
    fields = {name: lines.field(name) for name in names}
    fact = Fact(fact_id, fields, read_values(lines))
    at = lines.number
    try:
        proved = prove(lines, board, fact)
    except STUMBLES as error:  # over something that a certificate of this kind never holds
        raise lines.unreadable(f"no chapter can make anything of this ({type(error).__name__}: {error})") from None
    lines.end()
    compare(lines, at, fact.values, proved)
    return fact


def read_values(lines: Lines) -> dict[str, str]:
    """The section `values`: a path and a value a line, in ascending order of the paths, each once."""
    values: dict[str, str] = {}
    last = ""
    for line in lines.section("values"):
        path, _, value = line.partition(" ")
        if not PATH.fullmatch(path) or not value or " " in value:
            raise lines.unreadable("expected a path, a blank and a value")
        if path <= last:
            raise lines.unreadable(f"path '{path}' stands after '{last}', expected ascending order")
        values[path] = value
        last = path
    return values


def compare(lines: Lines, last: int, claimed: dict[str, str], proved: dict[str, str]) -> None:
    """Make sure that what is claimed is what has been proved; the section of values ends at this line."""
    first = last - len(claimed) + 1
    for row, (path, value) in enumerate(claimed.items()):
        lines.number = first + row
        if path not in proved:
            raise lines.refuted(f"'{path}' is no value of this fact")
        if proved[path] != value:
            raise lines.refuted(f"'{path}' is {proved[path]}, not {value}")
    lines.number = last
    for path, value in proved.items():
        if path not in claimed:
            raise lines.refuted(f"the value '{path}' is left out; it is {value}")
