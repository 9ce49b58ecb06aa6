"""Hints: a learned evaluation, policies that use it, search, hints and reviews."""
