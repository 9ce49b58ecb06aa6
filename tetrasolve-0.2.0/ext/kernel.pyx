# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, embedsignature=True, binding=True, auto_pickle=False, freethreading_compatible=True
"""The rules of Tetrarchia on bitboards.

A set of provinces is one 64-bit word (a *mask*), a whole position is one cache line of 64 bytes, and the board is passed as
tables at run time. The source is in the files below, included in this order. ``tetrasolve/tetrarchia/kernel.pyi`` documents the
values. A second kernel, ``whole.pyx``, plays modules, variants and rebels; it is made of the same files but for a few.
"""

include "machine.pxi"      # counting bits, wide integers, checks, stop flags
include "numbers.pxi"      # numbers of the rulebook, provinces, kinds of actions, outcomes
include "readings.pxi"     # the readings of open sentences
include "bare.pxi"         # a position of the base game, and the modules that it does without
include "types.pxi"        # boards, action codes
include "random.pxi"       # dice
include "tables.pxi"       # a board made from Python values
include "state.pxi"        # a position as a Python value,
include "barestate.pxi"    # of the base game
include "battle.pxi"       # groups, support, odds
include "actions.pxi"      # actions as they are listed, and found again
include "roman.pxi"        # the Roman phase: which actions are legal, what they cost, what they do
include "lasttwo.pxi"      # counting actions and sequences of two
include "perft.pxi"        # counting sequences of actions
include "book.pxi"         # a growing set of positions
include "ends.pxi"         # where a turn can end,
include "configurations.pxi"    # a turn by configurations of discs
include "spread.pxi"       # Barbarian phase 1: unrest that catches fire
include "echoes.pxi"       # Barbarian phase 2: positions after an uprising
include "weights.pxi"      # weights of what lies where
include "tallies.pxi"      # Barbarian phase: its figures
include "packed.pxi"       # Barbarian phase: its outcomes counted
include "order.pxi"        # Barbarian phase 3: which army goes first
include "sweep.pxi"        # Barbarian phase: what is kept while its outcomes are gathered
include "basechain.pxi"    # Barbarian phase 2 and 3: how positions of the base game are kept
include "activity.pxi"     # Barbarian phase 2: the activity, uprisings and echoes
include "advance.pxi"      # Barbarian phase 3: the armies march
include "barbarian.pxi"    # the Barbarian phase: exact distribution of what it can lead to
include "uprisings.pxi"    # the Barbarian phase: how many uprisings
include "events.pxi"       # the Barbarian phase: what has changed on the board
include "exact.pxi"        # the Barbarian phase: its figures as fractions
include "undecided.pxi"    # the Barbarian phase under a policy
include "scratch.pxi"      # the memory of sweeps
include "marginals.pxi"    # the Barbarian phase: how likely each thing is to lie where
include "skirmish.pxi"     # the same, with an Emperor in the way of an army
include "expect.pxi"       # what the end of a turn is worth after the phase that follows
include "outlook.pxi"      # the same as a fraction
include "games.pxi"        # the same, rolled; random games
include "rolled.pxi"       # a phase, a set-up
include "anyaction.pxi"    # an action
include "interface.pxi"    # Kernel and Line, the Python classes
include "expectinterface.pxi"    # expectations after a phase, as Python functions
include "turn.pxi"         # the rest of a turn as a graph
include "solve.pxi"        # the best policies in that graph
include "plain.pxi"        # what the ends of a turn are worth, outcome by outcome
include "expectimax.pxi"   # the best policy when the phase that follows is looked at too
include "recall.pxi"       # what holds for many positions of a turn, worked out once
include "lastborders.pxi"  # how soon the borders that are left can be secured
include "features.pxi"     # a position as numbers for an evaluation
include "network.pxi"      # the chance of winning, from these numbers
include "kept.pxi"         # the ends of a turn evaluated together
include "walk.pxi"         # a turn as a policy sees it
include "phasedice.pxi"    # phases rolled alike for positions that are compared
include "policies.pxi"     # what to do in a turn
include "contest.pxi"      # whole games by a policy
include "hintinterface.pxi"    # evaluations and policies as Python classes
