"""The declared language: sentences at the table, read by the shapes of one table, each word of a line consumed, with nothing by guess."""
