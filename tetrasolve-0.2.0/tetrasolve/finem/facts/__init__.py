"""What we claim about the rules of this game; `tetrasolve.claims` derives, certifies, indexes and checks it.

============== ==================================================================================================
`families`     `CLAIMS`: all kinds, family by family
`subject`      the map and the numbers as the subject of claims
`dice`         the dice alone, turn by turn: a relaxation of the game in which no cube is in the way
`ground`       the map: adjacencies and distances, flat and on the sphere
`chains`       chains of outbreaks: their order, the longest
`tempo`        the fewest turns to win and to lose, with games that take them
`doom`         positions in which every card loses
`idle`         what never happens
============== ==================================================================================================
"""
