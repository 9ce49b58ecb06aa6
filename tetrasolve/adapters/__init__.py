"""The game in the forms that other frameworks take.

`moments` tells it as a tree in plain Python; each other module is for one framework, is an extra of the package, and is
imported by name: ``import tetrasolve.adapters.openspiel``.
"""
