"""The ends of a turn by configurations of discs against the same one position after the other."""

from random import Random

import pytest

from tetrasolve.tetrarchia import kernel, whole
from tetrasolve.tetrarchia.kernel import OFF, State

READINGS = {
    "default": (),
    "strict": ("pass_single", "entry_free_only", "fresh_wait"),
    "lenient": ("entry_may", "reserve_falls"),
}
ALONE = ("pirates", "goths", "mare_nostrum", "usurpator", "roma_aeterna", "barbaria")  # modules without a second mover
TOGETHER = ("dux", "vicarius", "via_romana", "imperium")


def scattered(random):
    """A legal position in the Roman phase with anything anywhere, as no game would have it."""
    places = random.sample(range(48), 48)
    discs = [places.pop() for _ in range(random.randint(0, 34))]
    kinds = {p: random.choice(("revolt", "unrest", 0, 1, 2, 3)) for p in discs}
    revolts = [p for p in discs if kinds[p] == "revolt"][:21]
    unrest = [p for p in discs if kinds[p] == "unrest"][: random.choice((3, 21, 21))]
    masks = [sum(1 << p for p in [p for p in discs if kinds[p] == i][:4]) for i in range(4)]
    order = random.sample(range(48), 48)
    emperors = [order.pop() if random.random() < 0.9 else OFF for _ in range(4)]
    mover = random.randrange(4)
    ip = random.choice((1, 2, 3, 4, 5, 6, 6))
    near = [e for i, e in enumerate(emperors) if i != mover and e != OFF]
    if near and random.random() < 0.2:  # he passes
        emperors[mover] = random.choice(near)
    armies = sum(1 << order.pop() for _ in range(random.randint(0, 3)))
    return State(
        revolts=sum(1 << p for p in revolts),
        unrest=sum(1 << p for p in unrest),
        garrisons=tuple(masks),
        armies=armies,
        emperors=tuple(emperors),
        fleets=random.randrange(8),
        to_move=mover,
        ip=6 if emperors[mover] == OFF else ip,
    )


def same_ends(engine, state):
    """How many there are, the same both ways and with the same IP left."""
    ends = engine.end_states(state)
    known = engine.end_states(state, by_position=True)
    assert len(ends) == len(set(ends)) == engine.ends(state) == engine.ends(state, by_position=True)
    assert set(ends) == set(known), state
    return len(ends)


@pytest.mark.parametrize("readings", READINGS)
def test_ends_of_scattered_positions(kit, readings):
    engine = kit.kernel(**dict.fromkeys(READINGS[readings], True))
    random = Random(f"ends {readings}")
    states = [scattered(random) for _ in range(1000)]
    counts = [same_ends(engine, state) for state in states]
    assert sum(counts) > 300_000
    assert min(counts) < 5  # where he cannot get on, or out


def test_ends_of_secured_borders(kit, base):
    """Five borders have garrisons, and the sixth is near: some ends are victories."""
    random = Random("sixth border")
    won = 0
    for _ in range(200):
        last = random.choice(kit.borders)
        others = [p for p in kit.borders if p != last]
        who = [random.randrange(4) for _ in others]
        masks = tuple(sum(1 << p for p, e in zip(others, who, strict=True) if e == i) for i in range(4))
        if max(mask.bit_count() for mask in masks) > 3:
            continue
        state = State(garrisons=masks, emperors=(last, OFF, OFF, OFF), ip=random.randint(2, 5))
        same_ends(base, state)
        won += sum(end.result == kernel.WON for end in base.end_states(state))
    assert won > 100


@pytest.mark.parametrize("modules", [ALONE, (*ALONE, *TOGETHER), TOGETHER], ids=["alone", "all", "together"])
def test_ends_with_modules(kit, modules):
    """With a second mover, or discs that move by themselves, one method stands in for the other."""
    engine = kit.whole(*modules)
    rng = whole.Rng(22)
    seen = 0
    while seen < (400 if modules == ALONE else 12):
        state = engine.setup(2, 2, 2, rng)
        for _ in range(150):
            if state.result != whole.OPEN:
                break
            if state.phase == whole.BARBARIAN:
                state = engine.sample(state, rng)
            else:
                if modules == ALONE or state.ip < 4:
                    seen += same_ends(engine, state) > 0
                state = engine.random_turn(state, rng)
