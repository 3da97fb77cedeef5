"""Stat blocks of the fifth edition, as other tools keep them: Improved Initiative, Obsidian's Fantasy Statblocks, Open5e.

Each tool has a table, in tools.py, by which its form is read as a `Block`; sheets.py makes the sheet of it, and prose.py reads the sentences.
"""
