"""Attacks: what is wielded, rolls and armour class, damage, and strikes at what provokes them."""
