"""Each part of notation by itself."""
