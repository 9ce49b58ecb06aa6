"""Counts of the Roman phase in suite.perft, again by the reference rules and by the kernel."""

from pathlib import Path
from runpy import run_path

import pytest
from slowturn import ends_signature, perft, turn_ends
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import READINGS

SUITE = Path(__file__).with_name("suite.perft")
FEW_ENDS = 500  # the reference looks at them in a quick test


def read_suite(text):
    """The blocks of a suite by id: position, counts of 1 to 4 actions, number and signature of the ends."""
    lines = [line.partition(" ") for line in text.splitlines() if line and not line.startswith("#")]
    found = {}
    for start in range(0, len(lines), 4):
        (_, _, name), (_, _, position), (_, _, counts), (_, _, ends) = block = lines[start : start + 4]
        assert [word for word, _, _ in block] == ["id", "position", "perft", "ends"]
        assert name not in found
        count, signature = ends.split()
        found[name] = (Position.parse(position, MAP), tuple(map(int, counts.split())), int(count), signature)
    return found


ENTRIES = read_suite(SUITE.read_text("utf-8"))
NAMES = list(ENTRIES)


def engine_and_state(position):
    return fast.kernel_for(position.board, position.ruleset), fast.to_state(position)


def test_the_suite_is_large_enough():
    """The suite has at least 60 positions, all legal, and whatever an Emperor can do happens in it."""
    assert len(ENTRIES) >= 60
    kinds = set()
    for position, counts, _, _ in ENTRIES.values():
        assert position.status() == ()
        assert len(counts) == 4
        engine, state = engine_and_state(position)
        kinds |= {code & 15 for code in engine.legal(state)}
    assert kinds == set(range(kernel.END))


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_counts(name):
    """The reference rules count as many sequences of 1 to 4 actions as the suite says."""
    position, counts, _, _ = ENTRIES[name]
    known = {}
    assert tuple(perft(position, depth, known) for depth in (1, 2, 3, 4)) == counts


@pytest.mark.parametrize("name", [name for name in NAMES if ENTRIES[name][2] <= FEW_ENDS])
def test_the_reference_finds_the_ends(name):
    """The reference rules find the turn ends that the suite says, with the IP that can be left."""
    position, _, count, signature = ENTRIES[name]
    ends = turn_ends(position)
    assert (len(ends), ends_signature(ends)) == (count, signature)


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_counts(name):
    """The kernel counts the same, whether it plays the last action, counts it, or adds up the counts behind each first action."""
    position, counts, _, _ = ENTRIES[name]
    engine, state = engine_and_state(position)
    assert engine.perft(state, 0) == 1
    for depth, count in enumerate(counts, start=1):
        assert engine.perft(state, depth, bulk=True) == count
        assert engine.perft(state, depth, bulk=False) == count
        divided = engine.divide(state, depth)
        assert sum(part for _, part in divided) == count
        assert [code for code, _ in divided] == engine.legal(state)
        assert all(part == engine.perft(engine.play(state, code), depth - 1) for code, part in divided)


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_finds_the_ends(name):
    """The kernel finds the same turn ends, with the same IP left, and counts what it lists."""
    position, _, count, signature = ENTRIES[name]
    engine, state = engine_and_state(position)
    listed = [fast.to_position(end, MAP, position.ruleset) for end in engine.end_states(state)]
    ends = {end.replace(ip=0): end.ip for end in listed}
    assert engine.ends(state) == len(listed) == len(ends) == count
    assert ends_signature(ends) == signature


def test_deeper_counts_of_the_kernel_agree_with_themselves():
    """Counted or played, as many sequences of 5 and 6 actions come out, and none of 8: an entry and six actions are the most."""
    for position, *_ in list(ENTRIES.values())[::9]:
        engine, state = engine_and_state(position.replace(ip=min(position.ip, 5)) if position.here else position)
        for depth in (5, 6):
            assert engine.perft(state, depth, bulk=True) == engine.perft(state, depth, bulk=False)
        assert engine.perft(state, 8) == 0


@pytest.mark.parametrize("name", [name for name in NAMES if "?" in name])
def test_readings_change_the_counts(name):
    """A sentence of the rulebook read in the other way changes what can be done, in a position that stands beside in the suite."""
    plain, _, choice = name.partition("?")
    reading, _, value = choice.partition("=")
    position, *numbers = ENTRIES[plain]
    other, *other_numbers = ENTRIES[name]
    assert value in READINGS[reading].options
    assert other == position.replace(ruleset=position.ruleset.with_readings([(reading, value)]))
    assert other_numbers[:2] != numbers[:2]


@pytest.mark.slow
def test_the_suite_is_what_its_script_writes():
    """The script that made the suite writes it again, all ends of whole turns among it."""
    written = "".join(run_path(str(SUITE.with_name("make_suite.py")))["suite"]())
    assert written == SUITE.read_text("utf-8")
