"""What we claim about the rules, how each claim is derived and certified, and what it hangs on.

============== ==================================================================================================
`fact`         the nouns: `Kind` of claim, `Fact`, exact values and their text
`families`     all kinds, family by family; each family is a module of its own
`boardrows`    all rows of a board as text, and the digest by which facts name it
`certificates` what the certificates of all facts have in common
`index`        ``proofs/index.json``: what is proved, and in which file
`proving`      derives all facts, writes certificates and index; goes on where it was interrupted
`checking`     holds index and certificates against the checker, the board and the library
`changes`      the boards that differ in one uncertain row
`robust`       what becomes of facts there
`doubts`       the uncertain rows, by what hangs on them
`saying`       words for sentences
`statements`   certificates of statements that the checker works out by itself
`smallest`     the smallest sets of provinces that meet a demand, certified by formulas without a solution
============== ==================================================================================================
"""
