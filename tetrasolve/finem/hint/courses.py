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
NO_GAME = ("E-PACIFY", "E-MAP")  # drawn apart from the others, or part of the set-up


def drawn(seed: int, number: int) -> Ruleset:
    """The ruleset of game `number`.

    >>> str(drawn(1, 0)) == str(drawn(1, 0))
    True
    """
    random = Random(f"et-finem course {seed} {number}")
    (level,) = random.choices([name for name, _ in LEVELS], [weight for _, weight in LEVELS])
    ruleset = Ruleset.from_text(level)
    readings = {"E-PACIFY": random.choice(PACIFY)}
    if random.random() < OTHER:
        fits = [
            one for one in EARLIER_READINGS.values() if one.name not in NO_GAME and one.applies(level, ruleset.options)
        ]
        reading = random.choice(fits)
        readings[reading.name] = random.choice(reading.earlier)
    return ruleset.with_readings(readings.items())
