"""The rule linter of the game: the smallest positions in which two readings of an open sentence differ.

`small` enumerates positions by their size, `sampled` draws some at random, `compare` finds what differs under two values of a
reading, `search` puts them together, and `stored` has the findings that come with the library, and checks them.

`steps` divides a recorded game into small steps (`turnsteps`, `phasesteps`), `inplay` says which rules apply in them,
and `profile` counts that over many games.
"""
