"""Makes the tables of monsters and spells out of two packages of data, and counts what they leave open."""
