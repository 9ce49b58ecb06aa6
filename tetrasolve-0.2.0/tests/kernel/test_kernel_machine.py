"""Lines, states and random numbers driven at random: whatever is done to them, they keep their laws."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import BARBARIAN, OPEN, KernelError, Line, Rng, State

SEEDS = st.integers(min_value=0, max_value=2**64 - 1)
READINGS = (
    {},
    {"entry_may": True, "pass_single": True, "garrisons": 3},
    {"entry_free_only": True, "reserve_falls": True, "border_defeat_removes": True, "garrisons": 5},
    {"group_under_army": True, "battle_unbroken": True, "one_roll": True, "fresh_wait": True, "order_file": True},
)


class LineMachine(RuleBasedStateMachine):
    """A line of actions that are made and taken back, beside a list of every state it has been in."""

    kit = None  # set below, where pytest hands it over

    @initialize(seed=SEEDS, reading=st.sampled_from(READINGS), steps=st.integers(0, 120))
    def start(self, seed, reading, steps):
        self.engine = self.kit.kernel(**reading)
        rng = Rng(seed)
        state = self.engine.setup(2, 2, 2, rng)
        for _ in range(steps):
            after = self.engine.sample(state, rng) if state.phase == BARBARIAN else self.engine.random_turn(state, rng)
            if after.result != OPEN:
                break
            state = after
        self.line = Line(self.engine, state)
        self.states = [state]
        self.codes = []

    def choices(self):
        state = self.states[-1]
        return self.engine.legal(state) + [kernel.END] * self.engine.may_end(state)

    @precondition(lambda self: self.choices())
    @rule(number=st.integers(0, 2**16))
    def make(self, number):
        choices = self.choices()
        code = choices[number % len(choices)]
        self.line.make(code)
        self.states.append(self.engine.play(self.states[-1], code))
        self.codes.append(code)

    @precondition(lambda self: self.codes)
    @rule()
    def undo(self):
        assert self.line.undo() == self.codes.pop()
        self.states.pop()

    @rule()
    def undo_all(self):
        while self.codes:
            assert self.line.undo() == self.codes.pop()
        del self.states[1:]
        with pytest.raises(KernelError):
            self.line.undo()

    @rule(code=st.integers(0, 2**14))
    def make_what_is_illegal(self, code):
        if code not in self.choices():
            with pytest.raises(KernelError):
                self.line.make(code)

    @invariant()
    def it_is_where_the_list_says(self):
        if hasattr(self, "line"):
            assert bytes(self.line.state) == bytes(self.states[-1])
            assert self.line.state == self.states[-1]
            assert self.line.codes == tuple(self.codes)


class RngMachine(RuleBasedStateMachine):
    """Random numbers whose state is saved and put back at any time: what followed once follows again."""

    saved = Bundle("saved")

    @initialize(seed=SEEDS)
    def start(self, seed):
        self.rng = Rng(seed)
        assert self.rng.words == Rng(seed).words

    @rule(target=saved, draws=st.integers(0, 20))
    def save(self, draws):
        words = self.rng.words
        copied = Rng(1)
        copied.words = words
        drawn = [copied.next() for _ in range(draws)]
        assert self.rng.words == words
        return words, drawn

    @rule(what=saved)
    def restore(self, what):
        words, drawn = what
        self.rng.words = words
        assert [self.rng.next() for _ in drawn] == drawn
        self.rng.words = words

    @rule()
    def draw(self):
        before = self.rng.words
        assert 0 <= self.rng.next() < 2**64
        assert self.rng.words != before

    @rule()
    def roll(self):
        assert 1 <= self.rng.d6() <= 6


def test_lines_keep_their_laws(kit):
    """Whatever is made and taken back, a line is byte for byte where playing its actions one by one leads."""
    machine = type("BoundLineMachine", (LineMachine,), {"kit": kit})
    run_state_machine_as_test(machine, settings=settings(stateful_step_count=30))


def test_random_numbers_keep_their_laws():
    """Putting saved words back gives the same numbers again, and a copy does not disturb its original."""
    run_state_machine_as_test(RngMachine, settings=settings(stateful_step_count=30))


FIELDS = ("revolts", "unrest", "garrisons", "armies", "emperors", "fleets", "to_move", "ip", "phase", "result")


@given(seed=SEEDS, steps=st.integers(0, 60))
def test_a_state_is_equal_by_value(base, seed, steps):
    """A state made again from its fields, its bytes, a copy or a pickle is equal, hashes the same, and has the same bytes."""
    rng = Rng(seed)
    state = base.setup(1, 2, 1, rng)
    for _ in range(steps):
        after = base.sample(state, rng) if state.phase == BARBARIAN else base.random_turn(state, rng)
        if after.result != OPEN:
            break
        state = after
    again = State(**{field: getattr(state, field) for field in FIELDS})
    pickled = pickle.loads(pickle.dumps(state))  # noqa: S301  # our own bytes
    for other in (again, State.from_bytes(bytes(state)), copy.copy(state), copy.deepcopy(state), pickled):
        assert other == state
        assert hash(other) == hash(state)
        assert bytes(other) == bytes(state)
        assert len(bytes(other)) == 64
        assert {field: getattr(other, field) for field in FIELDS} == {field: getattr(state, field) for field in FIELDS}


@given(seed=SEEDS, steps=st.integers(0, 60), field=st.sampled_from(FIELDS[:-2]), number=st.integers(0, 47))
def test_a_state_that_differs_is_not_equal(base, seed, steps, field, number):
    """Two states that differ in one field are not equal and have other bytes."""
    rng = Rng(seed)
    state = base.setup(1, 2, 1, rng)
    for _ in range(steps):
        if state.phase == BARBARIAN or state.result != OPEN:
            break
        state = base.random_turn(state, rng)
    fields = {name: getattr(state, name) for name in FIELDS}
    value = fields[field]
    if field == "ip":
        fields[field] = (value + 1 + number % 6) % 7
    elif field == "to_move":
        fields[field] = (value + 1 + number % 3) % 4
    elif field == "fleets":
        fields[field] = value ^ 1 << number % 3
    elif field == "emperors":
        fields[field] = (number if value[0] != number else (number + 1) % 48, *value[1:])
    elif field == "garrisons":
        fields[field] = (value[0] ^ 1 << number, *value[1:])
    else:
        fields[field] = value ^ 1 << number
    try:
        other = State(**fields)
    except KernelError:
        return  # two discs in one province, or the like
    assert other != state
    assert bytes(other) != bytes(state)
    assert state == State.from_bytes(bytes(state))
    assert len({state, other, State.from_bytes(bytes(other))}) == 2


@given(data=st.binary(max_size=80))
def test_bytes_without_sense_are_refused_or_read_as_they_are(data):
    """Any bytes are refused, or they are those of a state."""
    try:
        state = State.from_bytes(data)
    except KernelError:
        return
    assert bytes(state) == data


@given(seed=SEEDS, byte=st.integers(0, 63), change=st.integers(1, 255))
def test_a_changed_byte_is_refused_or_makes_another_state(base, seed, byte, change):
    """Bytes of a state with one of them changed are refused, or they are those of another state."""
    state = base.setup(2, 2, 2, Rng(seed))
    data = bytearray(bytes(state))
    data[byte] ^= change
    try:
        other = State.from_bytes(bytes(data))
    except KernelError:
        return
    assert other != state
    assert bytes(other) == bytes(data)


@given(seed=SEEDS)
def test_nothing_changes_a_state(base, seed):
    """Playing, counting, rolling and solving leave the state they were given as it was."""
    rng = Rng(seed)
    state = base.setup(1, 2, 1, rng)
    for _ in range(8):
        data = bytes(state)
        if state.phase == BARBARIAN:
            base.phase(state)
            after = base.sample(state, rng)
        else:
            base.perft(state, 2)
            base.divide(state, 1)
            after = base.random_turn(state, rng)
        assert bytes(state) == data
        if after.result != OPEN:
            break
        state = after
    with pytest.raises((AttributeError, TypeError)):
        state.ip = 3
