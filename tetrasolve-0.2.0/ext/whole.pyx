# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, embedsignature=True, binding=True, auto_pickle=False, freethreading_compatible=True
"""The whole rulebook of Tetrarchia on bitboards: the base game with its modules, variants and rebels.

It is made of the files of ``kernel.pyx`` and of some of its own, which replace simpler ones of the base game; these are named in
parentheses. The two kernels are compiled separately, so that modules cost the base game nothing.
``tetrasolve/tetrarchia/whole.pyi`` documents the values.
"""

include "machine.pxi"      # counting bits, wide integers, checks, stop flags
include "numbers.pxi"      # numbers of the rulebook, provinces, kinds of actions, outcomes
include "readings.pxi"     # the readings of open sentences
include "wholenumbers.pxi"    # numbers of the modules
include "figures.pxi"      # a position with Dux, Vicarius, Pirates, Goths, rebels and glory   (kernel.pyx: bare.pxi)
include "types.pxi"        # boards, action codes
include "random.pxi"       # dice
include "tables.pxi"       # a board made from Python values
include "modules.pxi"      # and what the modules add to it
include "house.pxi"        # numbers of the rulebook that house rules change
include "state.pxi"        # a position as a Python value,
include "figurestate.pxi"  # with all its figures                                              (barestate.pxi)
include "battle.pxi"       # groups, support, odds
include "pirates.pxi"      # the battle against Pirates, and how they come back
include "imperium.pxi"     # what a power costs, and what it does to a battle
include "actions.pxi"      # actions as they are listed, and found again
include "roman.pxi"        # the Roman phase
include "wholeroman.pxi"   # and what the modules add to it                                    (lasttwo.pxi)
include "perft.pxi"        # counting sequences of actions
include "book.pxi"         # a growing set of positions
include "ends.pxi"         # where a turn can end,
include "wholeturn.pxi"    # what modules add to a turn as a graph
include "configurations.pxi"    # a turn by configurations of discs
include "spread.pxi"       # Barbarian phase 1: unrest that catches fire
include "order.pxi"        # Barbarian phase 3: which army goes first
include "tallies.pxi"      # Barbarian phase: its figures
include "barbaria.pxi"     # what can be decided in the Barbarian phase, and the policies that decide
include "tree.pxi"         # the Barbarian phase with decisions: what one position leads to
include "wholesweep.pxi"   # Barbarian phase: what is kept while its outcomes are gathered      (echoes.pxi, packed.pxi, sweep.pxi)
include "wholechain.pxi"   # Barbarian phase 2 and 3: how positions are kept, and what modules add (basechain.pxi)
include "activity.pxi"     # Barbarian phase 2: the activity, uprisings and echoes
include "advance.pxi"      # Barbarian phase 3: the armies march
include "wholephase.pxi"   # the Barbarian phase: exact distribution of what it can lead to     (barbarian.pxi, uprisings.pxi)
include "events.pxi"       # the Barbarian phase: what has changed on the board
include "wholeexact.pxi"   # the Barbarian phase: its figures as fractions                     (exact.pxi)
include "decided.pxi"      # the Barbarian phase with decisions                                (undecided.pxi)
include "decidedexact.pxi"    # its figures as fractions
include "weights.pxi"      # weights of what lies where
include "scratch.pxi"      # the memory of sweeps
include "games.pxi"        # the same, rolled; random games
include "rolled.pxi"       # a phase, a set-up
include "wholerolled.pxi"  # and what the modules add to them
include "wholeanyaction.pxi"    # an action                                                    (anyaction.pxi)
include "decidedrolled.pxi"    # a phase with decisions
include "interface.pxi"    # Kernel and Line, the Python classes
include "wholeinterface.pxi"    # what the whole rulebook adds to them
include "optimum.pxi"      # a phase with decisions, under best play
include "turn.pxi"         # the rest of a turn as a graph
include "solve.pxi"        # the best policies in that graph
include "recall.pxi"       # what holds for many positions of a turn, worked out once
include "lastborders.pxi"  # how soon the borders that are left can be secured
include "features.pxi"     # a position as numbers for an evaluation,
include "modulefeatures.pxi"    # and what the modules add to them
include "network.pxi"      # the chance of winning, from these numbers
include "kept.pxi"         # the ends of a turn evaluated together
include "wholewalk.pxi"    # what of a turn a policy does not look at
include "walk.pxi"         # a turn as a policy sees it
include "phasedice.pxi"    # phases rolled alike for positions that are compared
include "policies.pxi"     # what to do in a turn
include "opponent.pxi"     # who plays the Barbarians in them
include "contest.pxi"      # whole games by a policy
include "hintinterface.pxi"    # evaluations and policies as Python classes
