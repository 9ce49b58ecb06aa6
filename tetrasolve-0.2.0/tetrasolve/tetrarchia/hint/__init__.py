"""Hints: an evaluation of positions, the best plans for a turn, and reasons.

============== ==================================================================================================
`features`     the features of the evaluation
`weights`      the evaluation's weights, and the command that made them; `learn` makes new ones
`evaluation`   the evaluation of a position
`players`      a pool of compiled players, so that threads do not share one
`policy`       the best ways to play a turn, by search within a budget
`rollout`      estimates from games played to their end
`calibration`  from raw values of the evaluation to shares of games won; `calibrate` makes it
`prospects`    the ends of a plan's turn, and the exact risk of the phase after it
`opinion`      the calibrated chance to win
`ideas`        which plans differ in idea
`reasons`      reasons for a plan, as data and in words
`advice`       hints: the best plans with all of the above
`contrast`     what one plan leaves on the table that another does not
`decisive`     what decided between two plans
`aftermath`    what the coming phase does after a plan
`comparison`   why not my plan: a plan beside the best one
`review`       reviews of games: luck and skill; `plot` draws them
`service`      the requests of the analysis protocol
============== ==================================================================================================
"""
