"""Positions for the tests of the second game: a line with some words replaced, and games played at random."""

from collections.abc import Iterator
from random import Random

from tetrasolve.finem import rules
from tetrasolve.finem.position import Position, State
from tetrasolve.finem.ruleset import Ruleset

# One of each kind, together every value of every reading, every option and level
RULESETS = (
    "introductory",
    "standard",
    "expert+corner+sphere+cap3?E-TRIBUNE=either,E-SPHERE=skip,E-CAP3-END=ten",
    (
        "standard?E-PACIFY=action,E-TRIBUNE=invasion,E-ORDER=dice-first,E-WIN=phase,E-THREE=stop,"
        "E-SETUP=twelve,E-ELEVEN=open,E-DICTATOR=must"
    ),
    "introductory?E-CIVIL=return,E-ERADICATE=always,E-WHEN=after,E-PREFECT=turn,E-WIN=phase,E-LAST=drawn,E-OVER=lost",
    "introductory?E-PACIFY=free,E-THREE=need,E-EMPEROR=other,E-LAST=put",
    "introductory?E-TRIBUNE=either,E-EXCHANGE=may,E-ERADICATE=own,E-PROTECT=chain,E-MAP=dealt",
    "standard?E-TRIBUNE=invasion,E-EXCHANGE=must,E-CRISIS=exact",
    "standard+sphere?E-EVENT=never,E-THREE=two,E-PREFECT=turn,E-PACIFY=action",
    "introductory?E-FILL=three,E-CRISIS-GONE=return,E-WAR=none,E-GONE-SUITS=ignored,E-RESIST=may,E-PREFECT=standing,E-WAR-LAST=counts",
    "standard?E-LIMIT=each-point,E-RAISE=may,E-TRAVEL=must,E-TRIBUNE=invasion,E-SWAP=place,E-PACIFY=action",
    "standard?E-LIMIT-DICE=raised,E-PROTECT-OUT=deck,E-WAR-ORDER=together,E-AGAIN=stays,E-FIRST-LAST=none,E-MAP=dealt,E-START=card",
    "introductory+corner?E-DICTATOR-STAY=free,E-TRIBUNE=invasion,E-FOURTH=first-three,E-CHAIN-FIRST=again,E-CORNER-START=table",
    "standard?E-LIMIT=each-point,E-LIMIT-ORDER=drawn,E-DICTATOR=there",
    "introductory?E-WIN=turn,E-FILL=held,E-WAR-LAST=card,E-RAISE-STUCK=not,E-AGAIN=stays",
    "standard?E-LIMIT-DICE=open,E-WIN=turn,E-RAISE-STUCK=not,E-PACIFY=action,E-PREFECT=standing",
    "standard+corner?E-LIMIT=lost,E-TRIBUNE=either,E-FOURTH=first-three,E-SWAP=place,E-CORNER-START=table,E-FIRST-LAST=none",
    (
        "introductory?E-ORDER=crisis-last,E-GONE-SUITS=ignored,E-RESIST-ALL=besides,E-EMPEROR-WHEN=at-once,E-FULL=card,"
        "E-ERADICATE=always,E-WAR-LAST=card-only"
    ),
    "standard?E-ORDER=crisis-last,E-LIMIT-EVENT=waits,E-SETUP=three-three-six,E-EMPEROR-WHEN=at-once,E-EMPEROR=other,E-WIN=phase",
)

# Values that came after the positions that tests draw with these rulesets; the positions stay as they are
LATER_RULESETS = (
    "introductory?E-CRISIS-GONE=again,E-ORDER=crisis-last,E-ERADICATE=always,E-WIN=turn",
    "introductory?E-CIVIL=die,E-ERADICATE=always,E-PREFECT=found,E-WAR-LAST=card",
    "introductory?E-EXCHANGE=by-phase,E-TRIBUNE=either,E-SWAP=place",
    "standard?E-EMPEROR-TRAVEL=besides,E-EMPEROR-WHEN=at-once,E-DICTATOR-STAY=free",
    "introductory?E-INVASION-ORDER=tribune,E-TRIBUNE=either,E-EXCHANGE=may,E-FOURTH=first-three",
    "standard?E-LIMIT=before-six,E-THREE=either",
    "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen",
    "standard+cap3?E-CAP3-END=ten,E-LIMIT=before-six,E-LIMIT-ORDER=chosen,E-ORDER=crisis-last,E-OVER=lost,E-THREE=either",
    "introductory?E-GONE-SUITS=ignored,E-ORDER=crisis-last,E-THREE=either",
)
ALL_RULESETS = (*RULESETS, *LATER_RULESETS)


def table(
    role: str = "none",
    *,
    rules: str = "introductory",
    at: str = "C7",
    last: str = "E5",
    dice: str = "1111/-",
    tracks: str = "1/1",
    cubes: str = "-",
    step: str = "act:4",
    more: str = "-",
) -> Position:
    """A position by the words of its line that matter."""
    return Position.parse(f"{rules} {role} {at}/C7/{last} {dice} {tracks} {cubes} {step} {more}")


def after(position: State, *options: str) -> State:
    """The state after these cards and decisions."""
    for option in options:
        position = rules.take(position, option)
    return position


def options(position: State) -> tuple[str, ...]:
    """What can come."""
    assert isinstance(position, Position)
    return rules.node(position).options


def random_game(ruleset: str, seed: int) -> Iterator[tuple[Position, str, State]]:
    """A game of a player who decides at random: each position with what came and the state after it."""
    random = Random(f"{ruleset} {seed}")
    state = rules.random_set_up(Ruleset.from_text(ruleset), seed)
    while isinstance(state, Position):
        option = random.choice(rules.node(state).options)
        following = rules.take(state, option)
        yield state, option, following
        state = following
