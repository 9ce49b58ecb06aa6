"""``tetrasolve fight``: attack or wait, from where, with whom: the exact chances."""

from __future__ import annotations

import click
from rich.table import Table

from tetrasolve.cli.common import console, echo_json, exact, find_board, find_position, json_option, position_options
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.risk.combat import Attack, Chances, Fight, Waiting, fights


@click.command("fight")
@position_options
@json_option
def command(position: str, as_json: bool, board: str | None, seed: int | None, fleets: str | None) -> None:
    """The exact chances of fighting each army now, from each province, with each support, or of waiting in its way.

    Combat values are those of the table as it lies, with the Emperor moved and nothing else done.
    """
    found = find_position(position, find_board(board), seed, fleets)
    seen = fights(found)
    if as_json:
        echo_json({"position": str(found), "fights": [_data(fight) for fight in seen]})
        return
    if not seen:
        click.echo("no army is on the board")
    screen = console()
    for fight in seen:
        screen.print(_table(fight, found.board))
        if fight.waiting is not None:
            for line in _waiting_lines(fight.waiting, found.board):
                click.echo(line)
        click.echo()


def _table(fight: Fight, board: Board) -> Table:
    title = f"The army in {board[fight.army].name}: attacking it (victory, draw, defeat of 36)"
    table = Table(title=title, title_justify="left", box=None)
    for name in ("from", "IP", "values", "now", "no support", "1 Emperor", "2 Emperors", "3 Emperors"):
        table.add_column(name, no_wrap=True)
    for attack in fight.attacks:
        ip = "-" if attack.ip is None else str(attack.ip)
        columns = [_of_36(chances) for chances in (attack.chances, *attack.with_support)]
        table.add_row(board[attack.origin].name, ip, str(attack.battle), *columns)
    return table


def _waiting_lines(waiting: Waiting, board: Board) -> list[str]:
    parts = ", ".join(f"{outcome} {chance}" for outcome, chance in waiting.exact.items())
    return [
        f"waiting in {board[waiting.place].name} ({waiting.ip_to_be_there} IP to be there): {waiting.battle},",
        f"  {_of_36(waiting.chances)} of 36 if it comes, and it comes with chance {waiting.arrives};",
        f"  counting all that the phase can change before (exact): {parts}, no battle {waiting.no_battle}",
    ]


def _of_36(chances: Chances) -> str:
    return "/".join(str(int(36 * chance)) for chance in chances.values())


def _data(fight: Fight) -> dict[str, object]:
    return {
        "army": fight.army,
        "attacks": [_attack_data(attack) for attack in fight.attacks],
        "waiting": None if fight.waiting is None else _waiting_data(fight.waiting),
    }


def _attack_data(attack: Attack) -> dict[str, object]:
    return {
        "from": attack.origin,
        "ip_to_be_there": attack.ip_to_be_there,
        "ip_to_attack": attack.ip_to_attack,
        "values": str(attack.battle),
        "chances": _chances_data(attack.chances),
        "with_support": [_chances_data(chances) for chances in attack.with_support],
    }


def _waiting_data(waiting: Waiting) -> dict[str, object]:
    return {
        "in": waiting.place,
        "ip_to_be_there": waiting.ip_to_be_there,
        "values": str(waiting.battle),
        "arrives": exact(waiting.arrives),
        "chances": _chances_data(waiting.chances),
        "exact": _chances_data(waiting.exact) | {"no_battle": exact(waiting.no_battle)},
    }


def _chances_data(chances: Chances) -> dict[str, object]:
    return {str(outcome): exact(chance) for outcome, chance in chances.items()}
