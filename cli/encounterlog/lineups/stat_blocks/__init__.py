"""Stat blocks of the fifth edition, as other tools keep them: Improved Initiative, Obsidian's Fantasy Statblocks, Open5e.

Each tool has a module that reads its form as a `Block`; sheets.py makes the sheet of it, and prose.py reads the sentences.
"""
