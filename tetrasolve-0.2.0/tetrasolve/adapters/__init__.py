"""Adapters: the game as other frameworks expect it.

`moments` is the game tree in plain Python. Each other module is for one framework, requires an extra of the package, and is
imported by name: ``import tetrasolve.adapters.openspiel``.
"""
