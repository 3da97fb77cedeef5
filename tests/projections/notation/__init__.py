"""Each part of the table grammar by itself."""
