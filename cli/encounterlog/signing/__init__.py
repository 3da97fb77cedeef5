"""Signatures: keys, and what was signed with them."""
