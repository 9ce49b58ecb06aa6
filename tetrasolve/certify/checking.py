"""Runs the checker of `proofs/checker` in a separate interpreter that does not import tetrasolve.

The checker is a folder with a program, not a package of the library. In the source tree it is ``proofs/checker``; a wheel
has the same folder as ``tetrasolve/checker``, so that users of the library can read and run it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ProofError, shown
from tetrasolve.stop import Stop

PACKAGE = Path(__file__).resolve().parents[1]
ASKED_EVERY = 0.02  # seconds between looks at a flag while the checker runs
CONFIRMED = "confirmed"  # what `verdict_on` says of a certificate that the checker confirms
FOLDERS = (PACKAGE / "checker", PACKAGE.parent / "proofs" / "checker")  # in a wheel, in the source tree


def checker_folder() -> Path:
    """The folder of the checker: ``python FOLDER CERTIFICATE`` runs it.

    :raises ProofError: when it is neither beside the library nor in a source tree around it.
    """
    for folder in FOLDERS:
        if (folder / "__main__.py").is_file():
            return folder
    raise ProofError(f"the checker is missing: expected it in {' or '.join(map(str, FOLDERS))}")


def run_checker(
    files: Sequence[str], board: str | Path | None = None, program: Path | None = None, stop: Stop | None = None
) -> tuple[int, str]:
    """The exit code of the checker (0 confirmed, 1 refuted, 2 unreadable) and what it prints, a line for each file.

    It runs isolated (``python -I -S``): no environment, no site packages, no tetrasolve.

    :param board: the board file of the certificates; None for the one beside the checker.
    :param program: the checker, a folder or a file that Python runs; None for the one that comes with the library.
    :raises ProofError: when there is no checker to run, or it failed.
    :raises Stopped: when `stop` is set before the checker has ended; it is ended then.
    """
    return _run(["--", *files], board, program, stop)


def verdict_on(certificate: Certificate, stop: Stop | None = None, board: str | Path | None = None) -> str:
    """What the checker says about a certificate that is in no file: ``confirmed``, or its whole verdict.

    :param board: the board file of the certificate; None for the one beside the checker.
    :raises ProofError: when there is no checker to run, or it failed.
    :raises Stopped: when `stop` is set before the checker has ended; it is ended then.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer.cert"
        certificate.write(path)
        code, said = run_checker([str(path)], board, stop=stop)
    return CONFIRMED if code == 0 else said.strip()


def run_checker_on_index(
    index: str | Path,
    facts: Sequence[str] = (),
    board: str | Path | None = None,
    program: Path | None = None,
    stop: Stop | None = None,
) -> tuple[int, str]:
    """The exit code of the checker for an index of facts, or for some of its facts, and what it prints.

    A line for each fact that is not proved, then one for the whole. Parameters and errors are those of `run_checker`.
    """
    return _run(["--index", str(index), *facts], board, program, stop)


def _run(
    arguments: Sequence[str], board: str | Path | None, program: Path | None, stop: Stop | None
) -> tuple[int, str]:
    options = [] if board is None else ["--board", str(board)]
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(program or checker_folder()), *options, *arguments]
    try:
        process = subprocess.Popen(  # noqa: S603  # our own program
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
    except (OSError, ValueError) as error:  # an invalid argument is an invalid name of a file too
        raise ProofError(f"the checker cannot be run on {shown(list(arguments))} ({error})") from None
    with process:
        try:
            lines, problem = _communicate(process, stop)
        except BaseException:  # the time is over, or Ctrl-C: nobody needs its verdict any more
            process.kill()
            raise
    if process.returncode not in (0, 1, 2) or problem:
        raise ProofError(f"the checker failed: {problem.strip().rpartition(chr(10))[2]}")
    return process.returncode, lines


def _communicate(process: subprocess.Popen[str], stop: Stop | None) -> tuple[str, str]:
    """What it writes until it ends.

    :raises Stopped: when `stop` is set before.
    """
    while True:
        try:
            return process.communicate(timeout=None if stop is None else ASKED_EVERY)
        except subprocess.TimeoutExpired:
            if stop is not None:
                stop.check()
