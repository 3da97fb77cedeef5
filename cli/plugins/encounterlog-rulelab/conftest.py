"""The two tiers of tests, and a folder for each test, as the core has them."""

pytest_plugins = ("tests.conftest", "tests.encounterlog.conftest")
