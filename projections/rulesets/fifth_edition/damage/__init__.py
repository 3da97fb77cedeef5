"""Damage: what a target takes of it, and checks of that."""
