"""Mare Nostrum (page 14): fleets in adjacent zones join them."""

from situations import Rules

READINGS = {"I-MARE-ZONES": ("three", "two")}


def zones(rules: Rules) -> int:
    """Over how many zones, each with a fleet, a move leads at most."""
    if "mare-nostrum" not in rules.use:
        return 1
    return 2 if rules.readings["I-MARE-ZONES"] == "two" else len(rules.board.all_zones)
