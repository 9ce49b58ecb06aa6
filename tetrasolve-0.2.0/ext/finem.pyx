# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, embedsignature=True, binding=True, auto_pickle=False, freethreading_compatible=True
"""The rules of Et finem Imperii Romani on packed states.

It is written from docs/explanation/et-finem-rules.md, apart from the reference rules in ``tetrasolve/finem/rules``; both meet in
tests.
``tetrasolve/finem/kernel.pyi`` documents the values.
"""

include "machine.pxi"        # counting bits, checks, stop flags
include "finemtypes.pxi"     # numbers, readings, steps, a state, the rules of a game
include "random.pxi"         # random numbers
include "finemcubes.pxi"     # cubes, dice, outbreaks: what changes on the table
include "finemcampaign.pxi"  # the phase of the campaign with its events
include "finemturn.pxi"      # the other phases, and what can come at each step
include "finemgames.pxi"     # set-up, random games, counting actions
include "finempolicies.pxi"  # who decides inside the phases
include "finemexact.pxi"     # a turn, exactly
include "finembest.pxi"      # the best policy of a turn
include "finemfeatures.pxi"  # a state as a row of numbers
include "finemnetwork.pxi"   # the evaluation: the chance to win
include "finemmind.pxi"      # the best actions and decisions by the evaluation
include "finemdiscs.pxi"     # a plain greedy policy
include "finemsearch.pxi"    # games with given luck, search by playing turns out
include "finemface.pxi"      # State and Kernel, the Python classes
include "finemplayer.pxi"    # Networks and Player, the Python classes of who plays whole games
