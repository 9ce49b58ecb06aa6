"""Each row of the rulebook has changes of the rules that break it, and its own tests find every one of them."""

import subprocess
import sys

import pytest
from mutation import table

pytestmark = pytest.mark.skipif(not (table.ROOT / "docs" / "rulebook.py").exists(), reason="the rulebook is not there")


def covered():
    return [
        row for chapter in table.rulebook().read(table.ROOT).chapters if not chapter.uncovered for row in chapter.rules
    ]


def test_each_row_has_a_mutant_or_says_why_none_can_be_written():
    stated = table.stated()

    assert list(stated) == covered()
    for row, changes in stated.items():
        assert len(changes) > 20 if isinstance(changes, str) else changes, row


def test_every_mutant_is_killed_by_a_test_of_its_row():
    """After a change of a rule, a mutant or the names of the tests: `make mutants`."""
    mutants, results = table.mutants(), table.stored()

    assert [mutant.id for mutant in table.outdated(mutants, results)] == []
    assert list(results) == list(mutants)
    for mutant in mutants.values():
        by = results[mutant.id].by.partition("[")[0]
        assert by in mutant.tests or results[mutant.id].how == "out of time"


def test_no_mutant_is_stated_twice_for_a_row():
    changes = [(mutant.row, mutant.change) for mutant in table.mutants().values()]

    assert len(set(changes)) == len(changes)


def test_a_sample_is_killed_again():
    """Others whenever the stored results change."""
    run = subprocess.run([sys.executable, table.HERE, "5"], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("5 killed\n")


def test_a_mutant_that_changes_nothing_survives():
    """The verdict of the runner depends on what the tests do."""
    code = (
        "from mutation import running, table; from mutation.tetrarchia import TETRARCHIA\n"
        "from tetrasolve.lint.changes import Change; from dataclasses import replace\n"
        "running.prepare(TETRARCHIA)\n"
        "old = table.mutants()['p08-sail/1']\n"
        "no_other = Change('numbers.py', 'SAIL_COST', '1', '2 - 1')\n"
        "cannot_run = Change('rules/movement.py', 'sail', 'position.fleets', 'position.flets')\n"
        "forever = Change('rules/movement.py', 'sail', 'fleets = list(', 'while True: pass\\n    fleets = list(')\n"
        "running.SECONDS = 1\n"
        "for change in (no_other, cannot_run, forever):\n"
        "    print(*[(r.state, r.how) for r in running.run([replace(old, change=change)], TETRARCHIA)])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=table.HERE.parent, capture_output=True, text=True, check=True
    )

    assert run.stdout.splitlines() == ["('survived', '')", "('broken', 'AttributeError')", "('killed', 'out of time')"]
