"""What the System Reference Documents say of monsters and spells, as tables of facts for each edition (ATTRIBUTION.md)."""
