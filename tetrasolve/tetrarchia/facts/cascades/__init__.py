"""Cascades: what uprisings, their echoes and the armies they bring can do in one Barbarian phase, and how likely it is.

============== ==================================================================================================
`uprisings`    each province's uprising on quiet ground, and what the dice name
`growth`       the most new revolts of one phase, over all positions without unrest
`chains`       how long chains of uprisings are, over all positions, and in one of the worst
`worst`        the longest chain that can be expected anywhere, to within a few hundredths
`marches`      how long an army is on its way to Roma
`phases`       the figures of single positions
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.cascades import chains, growth, marches, phases, uprisings, worst

KINDS = (*uprisings.KINDS, *growth.KINDS, *chains.KINDS, *worst.KINDS, *marches.KINDS, *phases.KINDS)
