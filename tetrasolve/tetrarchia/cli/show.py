"""``tetrasolve show``: a position in all its forms, and every reason why it cannot occur."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, write_file
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import legal_actions, may_end

REFUTED = 1


@click.command("show")
@position_options
@click.option("--svg", metavar="FILE", help="Draw it (-: instead of text).")
@click.option("--actions", is_flag=True, help="List the legal actions too.")
@json_option
def command(
    position: str,
    svg: str | None,
    actions: bool,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """Show a position; exit code 1 when it cannot occur, with every reason."""
    found = find_position(position, find_board(board), seed, fleets)
    reasons = found.status()
    if svg is not None:
        write_file(svg, board_svg(found.board, found))
        if svg == "-":
            return REFUTED if reasons else 0
    legal = [str(action) for action in legal_actions(found)] if actions and not reasons else []
    if actions and not reasons and may_end(found):
        legal.append("end")
    if as_json:
        listed = [{"code": r.code, "where": r.where, "text": r.text, "rule": r.rule} for r in reasons]
        data: dict[str, object] = {"position": to_data(found), "line": str(found), "reasons": listed}
        echo_json(data | ({"actions": legal} if actions else {}))
        return REFUTED if reasons else 0
    for line in as_text(found):
        click.echo(line)
    for action in legal:
        click.echo(f"  {action}")
    for reason in reasons:
        click.echo(f"cannot occur: {reason}")
    return REFUTED if reasons else 0


def as_text(position: Position) -> list[str]:
    """A position as lines of text."""
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
    return lines + [f"{name:<12}{words}" for name, words in pieces_in_words(position).items()]


def pieces_in_words(position: Position) -> dict[str, str]:
    """The figures and discs of modules, variants and scenarios, each in a few words."""
    board = position.board
    words: dict[str, str] = {}
    for key, value in position.pieces.items():
        match key, value:
            case "rebels", _:
                words[key] = ", ".join(
                    f"{board[border].name} (out of reach without a fleet in {board.zones[rebel.fleet - 1]})"
                    for border, rebel in position.rebels.items()
                )
            case "glory" | "removed", _:
                counts = position.glory if key == "glory" else position.removed
                words[key] = ", ".join(f"{e.name} {counts.get(e.id, 0)}" for e in board.emperors)
            case "barbarian_discs", _:
                words["barbarian"] = f"{position.gray} gray, {position.black} black"
            case "power", _:
                words[key] = "used in this turn"
            case "pirates", int(zone):
                words[key] = board.zones[zone - 1]
            case _, str(place) if place in board.provinces:
                words[key] = board[place].name
            case _, None:
                words[key] = "beaten" if key == "pirates" else "not yet in play"
            case _:
                words[key] = str(value)
    return words
