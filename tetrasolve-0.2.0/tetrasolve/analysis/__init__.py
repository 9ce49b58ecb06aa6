"""The analysis protocol: requests and answers as lines of JSON. Independent of the game.

============== ==================================================================================================
`messages`     reads requests strictly and writes answers
`server`       queues requests by priority and answers each id once
`worker`       a process that handles one request after the other
`several`      requests that ask several others
============== ==================================================================================================

An *engine* defines the kinds of requests: a module with a table ``HANDLERS`` of handlers and a function ``about``
(`tetrasolve.analysis.worker`).
"""
