"""Cascades: what uprisings, their echoes and the armies they bring can do in one Barbarian phase, and how likely it is.

============== ==================================================================================================
`uprisings`    each province's uprising on quiet ground, and what the dice name
`openings`     new revolts of the first phase at each level
`growth`       the most new revolts of one phase, over all positions
`chains`       how long chains of uprisings can be expected to be at most
`marches`      how long an army is on its way to Roma
`covers`       how few revolts or garrisons are near to all provinces, how much unrest is apart
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.cascades import (
    chains,
    covers,
    growth,
    marches,
    openings,
    uprisings,
)

TOPICS = (
    *uprisings.TOPICS,
    *openings.TOPICS,
    *growth.TOPICS,
    *chains.TOPICS,
    *marches.TOPICS,
    *covers.TOPICS,
)
