"""The checker of `proofs/checker`, run by an interpreter of its own: nothing of tetrasolve is imported there.

The checker is a folder with a program, not a package of the library. In the source tree it is ``proofs/checker``; a wheel
carries the same folder as ``tetrasolve/checker``, so that whoever has the library can read and run what judges its proofs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tetrasolve.errors import ProofError, shown

PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (PACKAGE / "checker", PACKAGE.parent / "proofs" / "checker")  # in a wheel, in the source tree


def checker_folder() -> Path:
    """The folder of the checker: ``python FOLDER CERTIFICATE`` runs it.

    :raises ProofError: when it is neither beside the library nor in a source tree around it.
    """
    for folder in FOLDERS:
        if (folder / "__main__.py").is_file():
            return folder
    raise ProofError(f"the checker is missing: expected it in {' or '.join(map(str, FOLDERS))}")


def run_checker(files: Sequence[str], board: str | Path | None = None, program: Path | None = None) -> tuple[int, str]:
    """The exit code of the checker (0 confirmed, 1 refuted, 2 unreadable) and what it prints, a line for each file.

    It runs isolated (``python -I -S``): no environment, no site packages, no tetrasolve.

    :param board: the board file of the certificates; None for the one beside the checker.
    :param program: the checker, a folder or a file that Python runs; None for the one that comes with the library.
    :raises ProofError: when there is no checker to run, or it failed.
    """
    return _run(["--", *files], board, program)


def run_checker_on_index(
    index: str | Path, facts: Sequence[str] = (), board: str | Path | None = None, program: Path | None = None
) -> tuple[int, str]:
    """The exit code of the checker for an index of facts, or for some of its facts, and what it prints.

    A line for each fact that is not proved, then one for the whole. Parameters and errors are those of `run_checker`.
    """
    return _run(["--index", str(index), *facts], board, program)


def _run(arguments: Sequence[str], board: str | Path | None, program: Path | None) -> tuple[int, str]:
    options = [] if board is None else ["--board", str(board)]
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(program or checker_folder()), *options, *arguments]
    try:
        result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603  # our own program
    except (OSError, ValueError) as error:  # what can be no argument of a program can be no name of a file
        raise ProofError(f"the checker cannot be run on {shown(list(arguments))} ({error})") from None
    if result.returncode not in (0, 1, 2) or result.stderr:
        raise ProofError(f"the checker failed: {result.stderr.strip().rpartition(chr(10))[2]}")
    return result.returncode, result.stdout
