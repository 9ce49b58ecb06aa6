"""How hard hypothesis looks for counterexamples, by name: `--hypothesis-profile NAME`.

No profile has a deadline: how long one example takes is a matter of the machine, and of sanitizers.
"""

from hypothesis import settings

# The same examples each time, so that a test that passed passes again
settings.register_profile("steady", deadline=None, derandomize=True, database=None, print_blob=True)
# A quick look, for builds that are many times slower
settings.register_profile("short", settings.get_profile("steady"), max_examples=20)
# New examples each time, and many of them; what fails is remembered
settings.register_profile("search", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile("steady")
