"""Checks certificates of tetrasolve: ``python proofs/checker [--board FILE] CERTIFICATE...``.

It needs Python 3.11 and nothing else: only the standard library is imported, and nothing of tetrasolve. For each file it
prints one line. Exit code: 0 all are confirmed, 1 one is refuted, 2 one cannot be read (and none is refuted).

``--rows BOARD`` prints those rows of a board file whose SHA-256 certificates of turns name.
"""

import sys
from io import TextIOWrapper
from pathlib import Path

HERE = Path(__file__).resolve().parent
if __package__:  # python -m checker
    sys.path.insert(0, str(HERE))

from board import Board, read_board  # noqa: E402  # after the path is known
from lrat import check_unsatisfiable  # noqa: E402
from text import Lines, Refuted, Unreadable  # noqa: E402
from turns import check_turn  # noqa: E402

CONFIRMED, REFUTED, UNREADABLE = range(3)

# Where the board file lies beside this folder: in the source tree, and in an installed library
BOARDS = (
    HERE.parent.parent / "tetrasolve" / "tetrarchia" / "data" / "tetrarchia.toml",
    HERE.parent / "tetrarchia" / "data" / "tetrarchia.toml",
)


def check(data: bytes, boards: list[Path]) -> str:
    """What a certificate proves, in one sentence."""
    lines = Lines(data)

    def find_board(name: str, digest: str) -> Board:
        found = [board for board in map(read_board, boards) if (board.id, board.digest()) == (name, digest)]
        if not found:
            known = ", ".join(dict.fromkeys(board.name for board in boards)) or "no board file"
            raise lines.unreadable(f"this is not the board in {known}; name its file with --board")
        return found[0]

    kind = lines.field("kind")
    if kind == "turn":
        return check_turn(lines, find_board)
    if kind == "unsatisfiable":
        return check_unsatisfiable(lines)
    raise lines.unreadable("the kinds that this checker knows are turn and unsatisfiable")


def main(arguments: list[str]) -> int:
    """Check all files, and give the exit code."""
    boards = [path for path in BOARDS if path.exists()]
    if arguments[:1] == ["--rows"] and len(arguments) == 2:
        print("\n".join(read_board(Path(arguments[1])).rows()))
        return 0
    if arguments[:1] == ["--board"]:
        boards, arguments = [Path(arguments[1])] if len(arguments) > 1 else [], arguments[2:]
    if arguments[:1] == ["--"]:  # what comes are files, whatever they are called
        arguments = arguments[1:]
    elif arguments and arguments[0].startswith("-"):
        arguments = []
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    codes = set()
    for name in arguments:
        try:
            code, text = verdict(Path(name).read_bytes(), boards)
        except OSError as error:
            code, text = UNREADABLE, f"unreadable: {error.strerror}"
        codes.add(code)
        print(f"{name}: {text}")
    return REFUTED if REFUTED in codes else max(codes)


def verdict(data: bytes, boards: list[Path]) -> tuple[int, str]:
    """The exit code for one certificate, and what is to be said of it."""
    try:
        return CONFIRMED, f"confirmed: {check(data, boards)}"
    except Refuted as reason:
        return REFUTED, f"refuted: {reason}"
    except Unreadable as reason:
        return UNREADABLE, f"unreadable: {reason}"


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # files may have names that cannot be shown
    sys.exit(main(sys.argv[1:]))
