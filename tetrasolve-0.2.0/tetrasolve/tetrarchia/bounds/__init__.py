"""Upper bounds on the share of games that Rome can win.

=============== ====================================================================================================
module          what it gives
=============== ====================================================================================================
`shrunken`      games small enough to be solved exactly, on which every kind of bound is validated
`unavoidable`   the proved bound of each level: losses that nothing prevents, by a relaxed process
=============== ====================================================================================================
"""
