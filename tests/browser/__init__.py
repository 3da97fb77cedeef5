"""The HTML replay in a real browser: `pytest -m browser`. Plain `pytest` leaves these tests out."""
