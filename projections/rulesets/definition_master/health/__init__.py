"""Health: hit points and non-lethal damage, wounds, death rolls, massive damage, recovery."""
