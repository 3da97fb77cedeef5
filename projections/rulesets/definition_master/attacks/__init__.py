"""Attacks: weapons in hand, attack rolls and armour class, damage."""
