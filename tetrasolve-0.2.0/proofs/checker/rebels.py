"""Rebel armies of the scenarios (pages 16 to 19) in a Roman phase."""

from situations import Rules, Situation

FIGURES = ("dux", "goths")  # of the box, used for them


def guarded(rules: Rules, now: Situation, army: str) -> bool:
    """Whether an army cannot be attacked, as there is no Roman fleet in the zone that the scenario names."""
    return army in now.rebels and rules.fleets[army] not in now.table.fleets


def trouble(rules: Rules, now: Situation, figures: list[str]) -> str:
    """Why they cannot be where they are; empty if they can."""
    if not now.rebels <= rules.board.borders & now.table.armies & now.table.revolts:
        return "rebels are armies on borders, on top of revolts"
    if len(set(figures)) < len(figures) or rules.use & set(figures):
        return "a figure of the box is used twice"
    return ""
