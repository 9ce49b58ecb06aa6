"""The rulesets of the games that the evaluation learns from and is calibrated on: all levels and options, and drawn readings."""

from __future__ import annotations

from random import Random

from tetrasolve.finem.ruleset import EARLIER_READINGS, Ruleset

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

    >>> [str(drawn(1, number)) for number in (0, 11)]
    ['expert+cap3?E-RAISE=may', 'expert+corner?E-PACIFY=action']
    """
    random = Random(f"et-finem course {seed} {number}")
    level, pacify = _level(random)
    readings = {"E-PACIFY": pacify}
    if random.random() < OTHER:
        options = Ruleset.from_text(level).options
        # The training asked with the name of the expert level and its options; to ask with `expert` would draw other games
        fits = [one for one in EARLIER_READINGS.values() if one.name not in NO_GAME and one.applies(level, options)]
        reading = random.choice(fits)
        readings[reading.name] = random.choice(reading.earlier)
    return Ruleset.from_text(level).with_readings(readings.items())


def drawn_of_pool(seed: int, number: int) -> Ruleset:
    """Ruleset `number` of those that are calibrated together: one other reading at least is not at its default.

    >>> [str(drawn_of_pool(1, number)) for number in range(2)]
    ['expert+corner?E-ORDER=dice-first,E-PACIFY=action', 'standard?E-LAST=put,E-PACIFY=action']
    """
    random = Random(f"et-finem pool {seed} {number}")
    name, pacify = _level(random)
    level = Ruleset.from_text(name).with_readings([("E-PACIFY", pacify)])
    applying = [one for one in EARLIER_READINGS.values() if one.applies(level.level, level.options)]
    fitting = [one for one in applying if one.name != "E-PACIFY"]
    ruleset = level
    while ruleset == level:  # some values matter only beside another
        chosen = random.sample(fitting, 1 + (random.random() < TWO))
        others = [[value for value in one.earlier if value != one.default] for one in chosen]
        readings = [(one.name, random.choice(values)) for one, values in zip(chosen, others, strict=True)]
        ruleset = level.with_readings(readings)
    return ruleset


def _level(random: Random) -> tuple[str, str]:
    """A level with its options, and a value of E-PACIFY."""
    (level,) = random.choices([name for name, _ in LEVELS], [weight for _, weight in LEVELS])
    return level, random.choice(PACIFY)
