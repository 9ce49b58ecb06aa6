"""What programs can ask about the game: the engine of the analysis protocol, behind ``analyse`` and ``serve``.

============== ======================================================================================================
`engine`       all kinds of requests, and their JSON Schema
`positions`    reading, legal actions, carrying out an action, the picture
`courses`      a phase or an attack, die by die and decision by decision
`survey`       everything about a position in one call, and lists of positions
`boards`       rows of the board, checks, and what a change alters
`games`        set-ups and records
`questions`    plans, fights, campaigns, reviews and findings
`puzzles`      puzzles of the collection, answers to them, help; one finding
`reading`      fields that several requests have
`data`         their answers as JSON data
============== ======================================================================================================
"""
