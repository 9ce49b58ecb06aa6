"""Fights as tables."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from tetrasolve.tables import titled
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.risk.combat import Chances, Fight, Fights, Waiting


def fight_parts(found: Fights) -> Iterator[RenderableType]:
    """For each army the chances of attacking it, and those of waiting for it."""
    board = found.position.board
    if not found.fights:
        yield "no army is on the board" if found.status == "complete" else "the time ran out"
    for fight in found.fights:
        yield attack_table(fight, board)
        if fight.waiting is not None:
            yield from waiting_lines(fight.waiting, board)
        yield ""


def attack_table(fight: Fight, board: Board) -> Table:
    """The chances of an attack on an army from each province, with each number of supporting Emperors."""
    title = f"The army in {board[fight.army].name}: attack (victory, draw, defeat of 36)"
    table = titled(title, "from", "IP", "values", "now", "no support", "1 Emperor", "2 Emperors", "3 Emperors")
    for attack in fight.attacks:
        ip = "-" if attack.ip is None else str(attack.ip)
        columns = [_of_36(chances) for chances in (attack.chances, *attack.with_support)]
        table.add_row(board[attack.origin].name, ip, str(attack.battle), *columns)
    return table


def waiting_lines(waiting: Waiting, board: Board) -> list[str]:
    """The chances of a battle if an Emperor waits on the army's path."""
    exact = "unknown, the time ran out"
    if waiting.exact is not None:
        parts = ", ".join(f"{outcome} {chance}" for outcome, chance in waiting.exact.items())
        exact = f"{parts}, no battle {waiting.no_battle}"
    return [
        f"waiting in {board[waiting.place].name} ({waiting.ip_to_be_there} IP to be there): {waiting.battle},",
        f"  {_of_36(waiting.chances)} of 36 if it comes, and it comes with chance {waiting.arrives};",
        f"  with all that can happen before (exact): {exact}",
    ]


def _of_36(chances: Chances) -> str:
    return "/".join(str(int(36 * chance)) for chance in chances.values())
