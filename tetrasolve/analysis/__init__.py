"""The analysis protocol: a service asks in JSON lines and is answered in JSON lines. Free of the game.

============== ==================================================================================================
`messages`     requests strictly read, and the answers that there are
`server`       takes requests, keeps them in order of priority, answers each id once
`worker`       a process that does the work, one request after the other
============== ==================================================================================================

What can be asked is up to an *engine*, a module with a table ``HANDLERS`` of handlers and a function ``about``
(`tetrasolve.analysis.worker`).
"""
