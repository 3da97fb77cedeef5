"""Logs in PostgreSQL: the same lines, a row each, behind the same promises. Needs psycopg, which is imported only here."""
