"""How long the random tests look: a few examples that are the same each time, or many new ones.

    pytest --hypothesis-profile=long tests/projections/test_laws.py

A test may say `@settings(max_examples=…)` for itself; the others take what the profile gives.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "short", max_examples=30, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000, derandomize=False)
settings.load_profile("short")
