"""Claims about a game: how each is derived, certified and checked, and which data of the game it depends on.

No module here names a game. A game gives its claims (`Claims`) and what they are about (`Subject`).

============== ==================================================================================================
`fact`         a `Topic` of claims, a `Fact`, exact values and their text
`families`     `Claims`: the families of kinds that a game gives
`subject`      `Subject`: the board that facts are about, and the boards that differ from it in one uncertain row
`certificates` what the certificates of all facts have in common
`index`        ``index.json``: what is proved, and in which file
`proving`      derives all facts, writes certificates and index; resumes after an interruption
`checking`     compares index and certificates with the checker, the board and the library
`robust`       which facts change when a row of the board is wrong
`doubts`       the uncertain rows, ordered by how many facts depend on them
`saying`       words for sentences
============== ==================================================================================================
"""
