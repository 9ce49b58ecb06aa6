"""Checks certificates of tetrasolve: ``python proofs/checker [--board FILE] CERTIFICATE...``.

It needs Python 3.11 and nothing else: only the standard library is imported, and nothing of tetrasolve. For each file it
prints one line. Exit code: 0 all are confirmed, 1 one is refuted, 2 one cannot be read (and none is refuted).

``--index FILE [FACT...]`` checks all facts of an index, or some of them; it prints a line for each fact that is not proved,
and one for the whole, which also says what was not checked. ``--rows BOARD`` prints those rows of a board file whose SHA-256
certificates of turns name.
"""

import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

HERE = Path(__file__).resolve().parent
if __package__:  # python -m checker
    sys.path.insert(0, str(HERE))

from board import Board, read_board  # noqa: E402  # after the path is known
from claimed import Fact  # noqa: E402
from difference import check_difference  # noqa: E402
from facts import PROVERS, check_fact, count_fact, form_of  # noqa: E402
from files import LARGEST_CERTIFICATE, read_file  # noqa: E402
from finem import actions, answers  # noqa: E402
from finem import facts as finem_facts  # noqa: E402
from finem.map import Map, is_map, read_map  # noqa: E402
from forms import FORM_OF  # noqa: E402
from index import check_facts, read_index  # noqa: E402
from lrat import check_unsatisfiable  # noqa: E402
from options import check_options  # noqa: E402
from plandifference import check_plan_difference  # noqa: E402
from recounted import check_module_turn  # noqa: E402
from text import Lines, Refuted, Unreadable  # noqa: E402
from turns import check_turn  # noqa: E402
from unique import check_unique  # noqa: E402

CONFIRMED, REFUTED, UNREADABLE = range(3)
VERDICTS = ("confirmed", "refuted", "unreadable")
NOT_CHECKED = "not checked: sentences, robustness, whether facts are missing"

# Where the board files lie beside this folder: in the source tree, and in an installed library
FILES = (("tetrarchia", "tetrarchia.toml"), ("finem", "game.toml"))
BOARDS = tuple(
    folder / game / "data" / name for folder in (HERE.parent.parent / "tetrasolve", HERE.parent) for game, name in FILES
)


def examine(data: bytes, boards: list[Path]) -> Fact | str:
    """What a certificate proves: a fact, or something else, in a sentence."""
    lines = Lines(data)
    maps, boards = tables_in(boards)

    def find_board(name: str, digest: str, digest_of: Callable[[Board], str] = Board.digest) -> Board:
        found = [board for board in map(read_board, boards) if (board.id, digest_of(board)) == (name, digest)]
        if not found:
            known = ", ".join(dict.fromkeys(board.name for board in boards)) or "no board file"
            raise lines.unreadable(f"this is not the board in {known}; name its file with --board")
        return found[0]

    kind = lines.field("kind")
    if kind == finem_facts.KIND:
        return finem_facts.check_fact(lines, maps)
    if kind == actions.KIND:
        return actions.check_actions(lines, maps)
    if kind == answers.KIND:
        return answers.check_answer(lines, maps)
    if kind == "turn":
        return check_turn(lines, find_board)
    if kind == "module-turn":
        return check_module_turn(lines, find_board)
    if kind == "unique":
        return check_unique(lines, find_board)
    if kind == "options":
        return check_options(lines, find_board)
    if kind == "difference":
        return check_difference(lines, find_board)
    if kind == "plan-difference":
        return check_plan_difference(lines, find_board)
    if kind == "unsatisfiable":
        return check_unsatisfiable(lines)
    if kind in PROVERS:
        return check_fact(lines, kind, lambda name, digest: find_board(name, digest, Board.whole_digest))
    known = ", ".join(
        [
            *("turn", "module-turn", "unique", "options", "difference", "plan-difference", "unsatisfiable"),
            *(*PROVERS, finem_facts.KIND, actions.KIND, answers.KIND),
        ]
    )
    raise lines.unreadable(f"the kinds that this checker knows are {known}")


def tables_in(files: list[Path]) -> tuple[list[Map], list[Path]]:
    """The maps of the second game among board files, and the files of the first."""
    of_finem = [file for file in files if is_map(file)]
    return [read_map(file) for file in of_finem], [file for file in files if file not in of_finem]


def any_form(kind: str) -> str:
    """The form of the proofs of a kind of facts of either game; no kind belongs to both."""
    return form_of(kind) if kind in FORM_OF else finem_facts.form_of(kind)


def check(data: bytes, boards: list[Path]) -> str:
    """What a certificate proves, in one sentence."""
    found = examine(data, boards)
    return f"{found.id}: {counted(len(found.values), 'value')}" if isinstance(found, Fact) else found


def check_all(path: Path, wanted: list[str], boards: list[Path]) -> tuple[int, list[str]]:
    """The exit code for an index, or for some facts of it, and the lines to print: each that is wrong, then the whole."""
    maps, others = tables_in(boards)
    known: list[Board | Map] = [*map(read_board, others), *maps]
    facts, board = read_index(path, known, any_form)
    missing = [name for name in wanted if name not in facts]
    if missing:
        raise Unreadable(f"no fact {missing[0]}")
    chosen = [facts[name] for name in wanted] if wanted else list(facts.values())
    lines, codes = [], set()
    for name, reason in check_facts(
        path.parent, chosen, lambda data: examine(data, boards), lambda fact: count(fact, board)
    ):
        code = REFUTED if isinstance(reason, Refuted) else UNREADABLE
        codes.add(code)
        lines.append(f"{name}: {VERDICTS[code]}: {reason}")
    kinds = {fact["id"].partition("/")[0] for fact in chosen}
    of = f"{counted(len(chosen), 'fact')} of {counted(len(kinds), 'kind')}"
    if lines:
        code = worst(codes)
        return code, [*lines, f"{path}: {VERDICTS[code]}: {len(lines)} of {of} not proved"]
    return CONFIRMED, [f"{path}: confirmed: the values of {of}; {NOT_CHECKED}"]


def count(fact: str, board: Board | Map) -> Fact:
    """A fact about a board that is counted again."""
    return finem_facts.count_fact(fact, board) if isinstance(board, Map) else count_fact(fact, board)


def main(arguments: list[str]) -> int:
    """Check all files, or an index, and give the exit code."""
    boards = [path for path in BOARDS if path.exists()]
    if arguments == ["--help"]:
        print(__doc__)
        return 0
    if arguments[:1] == ["--rows"] and len(arguments) == 2:
        return print_rows(Path(arguments[1]))
    if arguments[:1] == ["--board"]:
        boards, arguments = [Path(arguments[1])] if len(arguments) > 1 else [], arguments[2:]
    if arguments[:1] == ["--index"] and len(arguments) > 1:
        code, lines = index_verdict(Path(arguments[1]), arguments[2:], boards)
        print("\n".join(lines))
        return code
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
            code, text = verdict(read_file(Path(name), LARGEST_CERTIFICATE), boards)
        except Unreadable as error:
            code, text = UNREADABLE, f"unreadable: {error}"
        codes.add(code)
        print(f"{name}: {text}")
    return worst(codes)


def print_rows(path: Path) -> int:
    """Print the rows of a board file that certificates of turns name, and give the exit code."""
    try:
        print("\n".join(read_board(path).rows()))
    except Unreadable as reason:
        print(f"unreadable: {reason}")
        return UNREADABLE
    return 0


def verdict(data: bytes, boards: list[Path]) -> tuple[int, str]:
    """The exit code for one certificate, and the message."""
    try:
        return CONFIRMED, f"confirmed: {check(data, boards)}"
    except Refuted as reason:
        return REFUTED, f"refuted: {reason}"
    except Unreadable as reason:
        return UNREADABLE, f"unreadable: {reason}"
    except Exception as error:  # noqa: BLE001  # a mistake of this program, or no memory: it proves nothing, and refutes nothing
        return UNREADABLE, f"unreadable: this program cannot check it ({type(error).__name__}: {error})"


def index_verdict(path: Path, wanted: list[str], boards: list[Path]) -> tuple[int, list[str]]:
    """The exit code for an index, and the lines to print."""
    try:
        return check_all(path, wanted, boards)
    except Refuted as reason:
        return REFUTED, [f"{path}: refuted: {reason}"]
    except Unreadable as reason:
        return UNREADABLE, [f"{path}: unreadable: {reason}"]
    except Exception as error:  # noqa: BLE001  # as above
        return UNREADABLE, [f"{path}: unreadable: this program cannot check it ({type(error).__name__}: {error})"]


def worst(codes: set[int]) -> int:
    """The exit code for all of them: refuted above all."""
    return REFUTED if REFUTED in codes else max(codes)


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number} {what}{'s' if number != 1 else ''}"


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # files may have names that cannot be shown
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyboardInterrupt, OSError) as error:  # stopped, or nobody reads what it prints
        print(f"unreadable: stopped ({type(error).__name__})", file=sys.stderr)
        sys.exit(UNREADABLE)
