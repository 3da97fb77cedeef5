"""The System Reference Documents on monsters and spells, as tables of facts for each edition (ATTRIBUTION.md)."""
