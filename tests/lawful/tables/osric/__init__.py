"""OSRIC at a table of its own: people, the sums of the catalogue, acts, spells, a fight, and breaches of its rules."""
