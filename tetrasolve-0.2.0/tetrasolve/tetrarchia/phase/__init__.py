"""One Barbarian phase: its exact figures, its events, and bounds on the rounding of the kernel's doubles.

`plan` and `risk` both use it; it uses neither.
"""
