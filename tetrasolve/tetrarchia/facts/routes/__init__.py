"""Routes: what it costs one Emperor to get from province to province, on ground where nobody stands and nothing lies.

============== ==================================================================================================
`travel`       the board as he travels it: links, coasts with a fleet, fleets that sail; shortest ways
`potentials`   the certificate of shortest ways, and the kinds that rest on it
`reach`        IP to reach and to secure each border, provinces farthest away
`turns`        turns to secure each border, what a single turn can do
`worth`        what a fleet, a sail and an entry at one's capital save
`blocked`      the same ways with revolts put where they hinder most
`barred`       the fewest armies that cut off Roma, the fewest revolts that make all ways dearer
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.routes import barred, blocked, reach, turns, worth

KINDS = (*reach.KINDS, *turns.KINDS, *worth.KINDS, *blocked.KINDS, *barred.KINDS)
