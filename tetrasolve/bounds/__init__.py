"""Upper bounds on what the best policy of a decision process can reach, independent of the game.

================ ===================================================================================================
module           what it gives
================ ===================================================================================================
`process`        what a process must give, and its optimum by backward induction, for those small enough
`relaxation`     the bound of a player who knows the dice beforehand and pays a penalty for it
`supersolution`  the bound of a function that no action raises on average, checked on every state
`losses`         the bound of losses that nothing prevents in a part of the game, over sampled starts; with a relaxed process
`bound`          an upper bound with its certainty: proved, or statistical
================ ===================================================================================================

No bound rests on how somebody plays: what one policy reaches is a lower bound, and says nothing about better ones.
"""

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.losses import bound_of_losses, bound_with_later, least_loss
from tetrasolve.bounds.process import Process, optimum
from tetrasolve.bounds.relaxation import penalised, penalised_exactly
from tetrasolve.bounds.supersolution import greatest_excess, potential_bound

__all__ = [
    "Process",
    "UpperBound",
    "bound_of_losses",
    "bound_with_later",
    "greatest_excess",
    "least_loss",
    "optimum",
    "penalised",
    "penalised_exactly",
    "potential_bound",
]
