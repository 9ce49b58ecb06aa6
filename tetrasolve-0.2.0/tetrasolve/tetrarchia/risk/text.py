"""Fights as tables."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from tetrasolve.tables import titled
from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import DUX
from tetrasolve.tetrarchia.risk.combat import Attack, Chances, Fight, Fights, Waiting

EMPERORS = 4


def fight_parts(found: Fights) -> Iterator[RenderableType]:
    """For each army the chances of attacking it, and those of waiting for it."""
    board = found.position.board
    if not found.fights:
        yield "no army is on the board" if found.status == "complete" else "the time ran out"
    for fight in found.fights:
        yield attack_table(fight, board)
        for attack in fight.attacks:
            yield from disc_lines(attack, board)
        for waiting in fight.waits:
            yield from waiting_lines(waiting, board, _policy(found))
        yield ""


def attack_table(fight: Fight, board: Board) -> Table:
    """The chances of an attack on an army from each province, with each number of supporting generals."""
    who = "The Pirates" if fight.army == PIRATES else f"The army in {board[fight.army].name}"
    fleet = "" if fight.fleet is None else f", rebels whom nobody attacks without a fleet in zone {fight.fleet}"
    most = max((len(attack.with_support) for attack in fight.attacks), default=1)
    has_dux = any(attack.leader == DUX for attack in fight.attacks)
    what = "general" if most > EMPERORS or has_dux else "Emperor"
    support = [f"{number} {what}{'s' * (number > 1)}" for number in range(1, most)]
    table = titled(
        f"{who}{fleet}: attack (victory, draw, defeat of 36)",
        *(["leader"] if has_dux else []),
        *("from", "IP", "values", "now", "no support", *support),
    )
    for attack in fight.attacks:
        ip = "-" if attack.ip is None else str(attack.ip)
        columns = [_of_36(chances) for chances in (attack.chances, *attack.with_support)]
        columns += [""] * (most - len(attack.with_support))
        leader = [attack.leader.title()] if has_dux else []
        table.add_row(*leader, board[attack.origin].name, ip, str(attack.battle), *columns)
    return table


def disc_lines(attack: Attack, board: Board) -> Iterator[str]:
    """The chances of Galerius when he pays for his die, where he can attack in this turn."""
    if attack.with_discs and attack.ip is not None:
        shown = ", ".join(f"{number}: {_of_36(chances)}" for number, chances in enumerate(attack.with_discs, start=1))
        yield f"from {board[attack.origin].name} with up to so many discs paid after the roll {shown}"


def waiting_lines(waiting: Waiting, board: Board, policy: str | None = None) -> list[str]:
    """The chances of a battle if a general waits on the army's path."""
    exact = (
        "too many decisions for exact best play; decline or eager give exact chances"
        if waiting.is_too_large
        else ("unknown, the time ran out")
    )
    if waiting.exact is not None:
        parts = ", ".join(f"{outcome} {chance}" for outcome, chance in waiting.exact.items())
        exact = f"{parts}, no battle {waiting.no_battle}"
    who = "the Dux waiting" if waiting.leader == DUX else "waiting"
    choices = f", choices: {policy}" if policy else ""
    return [
        f"{who} in {board[waiting.place].name} ({waiting.ip_to_be_there} IP to be there): {waiting.battle},",
        f"  {_of_36(waiting.chances)} of 36 if it comes, and it comes with chance {waiting.arrives};",
        f"  with all that can happen before (exact{choices}): {exact}",
    ]


def _policy(found: Fights) -> str | None:
    """How the choices of the phase are answered, in words."""
    if found.wanted is None:
        return found.policy
    price = f", each disc for {found.price}" if found.price else ""
    return f"{found.policy} for {found.wanted}{price}"


def _of_36(chances: Chances) -> str:
    return "/".join(str(int(36 * chance)) for chance in chances.values())
