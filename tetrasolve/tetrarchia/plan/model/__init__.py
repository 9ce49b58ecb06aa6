"""A turn as sentences that solvers of many kinds can read: the rules once more, on layers of IP spent."""
