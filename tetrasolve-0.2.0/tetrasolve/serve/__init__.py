"""The HTTP service: the analysis protocol for browsers and programs elsewhere. Independent of the game.

============== ======================================================================================================
`settings`     what a service takes and who may ask
`runs`         questions in work, each for all who ask the same
`pool`         the workers of the analysis protocol, awaited
`document`     the calls, and their OpenAPI document, from the JSON Schema of the protocol
`problems`     errors as ``application/problem+json``
`bodies`       request bodies, read strictly
`metrics`      counters for Prometheus
`connections`  how many connections there may be, and how long each may take to ask
`guard`        what holds for every request: its id, hosts, headers, the log
`database`     what holds the tables, and their versions
`sqlite`       an SQLite file
`postgres`     a Postgres database
`store`        answers that were given once
`jobstore`     jobs and their events as rows
`jobs`         questions that go on without their client
`jobcalls`     the routes of jobs
`keys`         API keys and their quotas
`rates`        how many requests a client may send
`app`          the routes
`run`          the process: from its first connection to its end
============== ======================================================================================================

All of it requires the extra ``serve``, and `postgres` the extra ``postgres``.
"""
