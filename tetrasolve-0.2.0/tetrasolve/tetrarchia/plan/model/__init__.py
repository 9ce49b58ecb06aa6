"""A solver-independent model of a turn: the rules as constraints, in layers of IP spent."""
