"""What we claim about the rules of this game; `tetrasolve.claims` derives, certifies, indexes and checks it.

============== ==================================================================================================
`families`     `CLAIMS`: all kinds, family by family; each family is a module or a package of its own
`subject`      a board as the subject of claims
`boardrows`    all rows of a board as text, and the digest by which facts name it
`certificates` the certificate of a fact about a board
`changes`      the boards that differ in one uncertain row
`saying`       words for sentences: provinces by name
`topics`       topics whose titles and sentences are data
`smallest`     the smallest sets of provinces that meet a demand, certified by unsatisfiable formulas
============== ==================================================================================================
"""
