"""Squares: where combatants stand, which squares they threaten, and acts that provoke."""
