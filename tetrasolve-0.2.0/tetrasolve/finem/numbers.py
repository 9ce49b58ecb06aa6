"""The numbers of the rules, read from ``data/game.toml``, which has the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve.strict import read_toml, table, text, whole

LARGEST = 24  # of any number of the file: the cards of the deck


@cache
def game_data() -> Mapping[str, Any]:
    """The data file of the game: its tables ``map``, ``roles`` and ``numbers``.

    :raises StrictError: when it is malformed.
    """
    found = read_toml(resources.files("tetrasolve.finem").joinpath("data/game.toml").read_text("utf-8"))
    return table(found, "game.toml", ("map", "roles", "numbers"))


def _number(name: str) -> int:
    row = table(game_data()["numbers"].get(name), name, ("value", "source"))
    text(row["source"], f"source of {name}")
    return whole(row["value"], name, 1, LARGEST)


CUBES = _number("cubes")  # of each tribe
MOST_IN_REGION = _number("most_in_region")  # of each tribe
ACTIONS = _number("actions")  # a turn
CAMPAIGN_CARDS = _number("campaign_cards")
FIRST_DECLINE = _number("first_decline")
FIRST_OUTBREAKS = _number("first_outbreaks")
MOST_OUTBREAKS = _number("most_outbreaks")  # this one loses
DECLINE_CARDS = _number("decline_cards")
DECLINE_A_CARD = _number("decline_a_card")
DECLINE_A_CARD_CAPPED = _number("decline_a_card_capped")
INVASIONS_OF_FIRST_CARD = _number("invasions_of_first_card")
CRISIS_EVERY = _number("crisis_every")
CRISIS_CUBES = _number("crisis_cubes")
THREE_OF_A_SUIT = _number("three_of_a_suit")  # cubes of decline
TWO_OF_A_SUIT = _number("two_of_a_suit")  # cubes of decline
FIRST_DIE = _number("first_die")
PACIFIED_AT = _number("pacified_at")
PREFECT_AT = _number("prefect_at")
MOST_POINTS = _number("most_points")  # of the dice, from the standard level on
SET_UP_GROUPS = _number("set_up_groups")
SET_UP_CARDS = _number("set_up_cards")  # of each group
SET_UP_CARDS_OF_TWELVE = _number("set_up_cards_of_twelve")
