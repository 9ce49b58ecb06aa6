"""Routes: what it costs one Emperor to get from province to province.

============== ==================================================================================================
`travel`       the board as an Emperor travels it: links, coasts with a fleet, fleets that sail; shortest ways
`reach`        IP and turns to reach and to secure each border, provinces farthest away, what one turn reaches
`blocked`      the same ways with revolts put where they hinder most
`barred`       the fewest armies that cut off Roma, the fewest revolts that make all ways cost more
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.routes import barred, blocked, reach

TOPICS = (*reach.TOPICS, *blocked.TOPICS, *barred.TOPICS)
