"""Places: changes to one place at a time inside functions, and whether anything notices (`tests/tools/unnoticed.py`)."""
