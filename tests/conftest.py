"""How long the random tests look: a few examples that are the same each time, or many new ones.

    pytest --hypothesis-profile=ci -m hypothesis
    pytest --hypothesis-profile=long tests/projections/test_laws.py

A test that is quick or slow takes so many times what the profile gives, or a part of it.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "short", max_examples=30, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("ci", settings.get_profile("short"), max_examples=100, derandomize=False, print_blob=True)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000, derandomize=False)
settings.load_profile("short")
