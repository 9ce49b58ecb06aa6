"""The rulesets of the games that the evaluation learns from and is calibrated on: all levels and options, and drawn readings."""

from __future__ import annotations

from random import Random

from tetrasolve.finem.ruleset import EARLIER_READINGS, Reading, Ruleset

# How often each level is drawn; the standard level is the one that is played most
LEVELS = (
    ("standard", 8),
    ("introductory", 4),
    ("expert+corner", 1),
    ("expert+sphere", 1),
    ("expert+cap3", 1),
    ("expert+corner+sphere+cap3", 1),
)
PACIFY = ("automatic", "action")  # `free` wins in the first turn; there is nothing to learn
OTHER = 0.2  # the share of games with another reading drawn as well
TWO = 0.3  # the share of the rulesets of a pool with two other readings
NO_GAME = ("E-PACIFY", "E-MAP")  # drawn apart from the others, or part of the set-up


def drawn(seed: int, number: int) -> Ruleset:
    """The ruleset of game `number` of the training.

    >>> str(drawn(1, 0)) == str(drawn(1, 0))
    True
    """
    random = Random(f"et-finem course {seed} {number}")
    ruleset = _level(random)
    if random.random() < OTHER:
        reading = random.choice([one for one in _fitting(ruleset) if one.name not in NO_GAME])
        ruleset = ruleset.with_readings([(reading.name, random.choice(reading.earlier))])
    return ruleset


def drawn_of_pool(seed: int, number: int) -> Ruleset:
    """Ruleset `number` of those that are calibrated together: one other reading at least is not at its default.

    >>> [str(drawn_of_pool(1, number)) for number in range(2)]
    ['expert+corner?E-ORDER=dice-first,E-PACIFY=action', 'standard?E-LAST=put,E-PACIFY=action']
    """
    random = Random(f"et-finem pool {seed} {number}")
    level = _level(random)
    fitting = [one for one in _fitting(level) if one.name != "E-PACIFY"]
    ruleset = level
    while ruleset == level:  # some values matter only beside another
        chosen = random.sample(fitting, 1 + (random.random() < TWO))
        others = [[value for value in one.earlier if value != one.default] for one in chosen]
        readings = [(one.name, random.choice(values)) for one, values in zip(chosen, others, strict=True)]
        ruleset = level.with_readings(readings)
    return ruleset


def _level(random: Random) -> Ruleset:
    """A level with a value of E-PACIFY."""
    (level,) = random.choices([name for name, _ in LEVELS], [weight for _, weight in LEVELS])
    return Ruleset.from_text(level).with_readings([("E-PACIFY", random.choice(PACIFY))])


def _fitting(ruleset: Ruleset) -> list[Reading]:
    """The readings that matter there and had several values when the evaluation learned."""
    return [one for one in EARLIER_READINGS.values() if one.applies(ruleset.level, ruleset.options)]
