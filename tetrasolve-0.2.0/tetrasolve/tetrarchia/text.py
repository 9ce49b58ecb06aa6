"""Positions as text for people."""

from __future__ import annotations

from tetrasolve.tetrarchia.pieces import Counts, Goths, Helper, Rebels
from tetrasolve.tetrarchia.position import Phase, Position


def position_text(position: Position) -> str:
    """A position as lines of text: its notation, then a line for each kind of figure and disc."""
    board = position.board

    def names(provinces: object) -> str:
        return ", ".join(board[p].name for p in sorted(provinces, key=board.order.__getitem__)) or "none"  # type: ignore[call-overload]  # any collection of province ids

    active = board.emperor(position.to_move)
    assert active is not None
    turn = (
        f"{active.name}, {position.ip} IP left"
        if position.phase is Phase.ROMAN
        else f"Barbarian phase after {active.name}"
    )
    lines = [str(position), f"turn        {turn}", f"level       {position.ruleset}"]
    for emperor in board.emperors:
        place = position.emperors[emperor.id]
        where = board[place].name if place else "off the board"
        lines.append(
            f"{emperor.name:<12}{where}; garrisons: {names(position.garrisons(emperor.id))} "
            f"({position.reserve_garrisons(emperor.id)} left)"
        )
    lines += [
        f"fleets      {', '.join(board.zones[zone - 1] for zone in position.fleets) or 'none'}",
        f"armies      {names(position.armies)}",
        f"revolts     {names(position.revolts)} ({position.reserve_revolts} left)",
        f"unrest      {names(position.unrest)} ({position.reserve_unrest} left)",
        f"secured     {names(position.secured)}",
    ]
    return "\n".join(lines + [f"{name:<12}{words}" for name, words in pieces_in_words(position).items()])


def pieces_in_words(position: Position) -> dict[str, str]:
    """The figures and discs of modules, variants and scenarios, each in a few words."""
    board, pieces = position.board, position.pieces

    def counts(discs: Counts) -> str:
        numbers = dict(discs.discs)
        return ", ".join(f"{emperor.name} {numbers.get(emperor.id, 0)}" for emperor in board.emperors)

    def helper(found: Helper) -> str:
        if found.dead:
            return "dead"
        return "not yet in play" if found.place is None else board[found.place].name

    def goths(found: Goths) -> str:
        if found.place is None:
            return "reserve" if found.in_reserve else "out"
        return board[found.place].name

    def rebels(found: Rebels) -> str:
        return ", ".join(
            f"{board[border].name} (out of reach without a fleet in {board.zones[rebel.fleet - 1]})"
            for border, rebel in found.armies
        )

    words: dict[str, str] = {}
    if pieces.barbarian_discs is not None:
        words["barbarian"] = f"{position.gray} gray, {position.black} black"
    if pieces.dux is not None:
        words["dux"] = helper(pieces.dux)
    if pieces.glory is not None:
        words["glory"] = counts(pieces.glory)
    if pieces.goths is not None:
        words["goths"] = goths(pieces.goths)
    if pieces.passing is not None:
        words["passing"] = pieces.passing
    if pieces.pirates is not None:
        words["pirates"] = "beaten" if pieces.pirates.zone is None else board.zones[pieces.pirates.zone - 1]
    if pieces.power:
        words["power"] = "used in this turn"
    if pieces.rebels is not None:
        words["rebels"] = rebels(pieces.rebels)
    if pieces.removed is not None:
        words["removed"] = counts(pieces.removed)
    if pieces.vicarius is not None:
        words["vicarius"] = helper(pieces.vicarius)
    return words
