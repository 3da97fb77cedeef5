"""Movement: what it costs, how far it goes, where it leads."""
