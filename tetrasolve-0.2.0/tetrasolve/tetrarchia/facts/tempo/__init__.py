"""Tempo: how much one turn can do at most, and how soon the game can be won.

============== ==================================================================================================
`most`         the most that one turn can do of each thing: a bound over all positions, and a position where it is done
`soonest`      how soon the game can be won, by tours that nobody disturbs and by a game that takes no longer
`tours`        what each Emperor could do in some turns if nobody disturbed him
`games`        short games that have been found, as data
`finding`      how they were found
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.tempo import most, soonest

TOPICS = (*most.TOPICS, *soonest.TOPICS)
