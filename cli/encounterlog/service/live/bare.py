"""Scripts and styles without the parts for people: comments, indentation, blanks between signs; texts and names stay as they are."""

import re

PIECES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<template>`)"""
    r"""|(?P<blank>\s+)|(?P<slash>/)|(?P<code>[^\s"'`/]+)""",
    re.DOTALL,
)
PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
"""A regular expression as JavaScript writes it."""
BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};>]|\breturn)$")
"""The ends of code after which a slash begins a regular expression, and is no division."""
NAME = re.compile(r"[\w$]")
OPEN, CLOSED = frozenset("{([,;:"), frozenset("})],;:.")
"""The signs after which, and before which, no line needs to end."""


def script(text: str) -> str:
    """Return a script without comments and without blanks that have no meaning."""
    made, at = list[str](), 0
    while at < len(text):
        found = _piece(text, at)
        kind, piece, at = found.lastgroup, found[0], found.end()
        if kind == "template":
            at = _behind_template(text, found.start())
            piece = text[found.start() : at]
        elif (
            kind == "slash"
            and BEFORE_PATTERN.search("".join(made[-2:]).rstrip())
            and (of := PATTERN.match(text, found.start()))
        ):
            piece, at = of[0], of.end()
        elif kind in ("blank", "comment"):
            piece = "\n" if "\n" in piece else " "
            if made and made[-1] in ("\n", " "):
                piece = "\n" if "\n" in (piece, made.pop()) else " "
        made.append(piece)
    return "".join(_needed(made))


def _piece(text: str, at: int) -> re.Match[str]:
    """Return the piece that begins at a place; raise ValueError for a text that does not end."""
    found = PIECES.match(text, at)
    if found is None:
        raise ValueError(text[at : at + 80])
    return found


def _needed(pieces: list[str]) -> list[str]:
    """Return the pieces without the blanks that separate nothing."""
    found = list[str]()
    for place, piece in enumerate(pieces):
        if piece in ("\n", " "):
            before, after = found[-1][-1:] if found else "", pieces[place + 1][:1] if place + 1 < len(pieces) else ""
            if not (before and after) or not _parts(piece, before, after):
                continue
        found.append(piece)
    return found


def _parts(blank: str, before: str, after: str) -> bool:
    """Say whether a blank between two characters is necessary: between two names, between two signs that would form
    another one, or at the end of a line that needs it.
    """
    if blank == "\n":
        return not (before in OPEN or after in CLOSED)
    return bool(NAME.match(before) and NAME.match(after)) or (before == after and before in "+-/")


def _behind_template(text: str, at: int) -> int:
    """Return the place after the template that begins at a place."""
    at += 1
    while text[at] != "`":
        if text.startswith("${", at):
            at = _behind_expression(text, at + 2)
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def _behind_expression(text: str, at: int) -> int:
    """Return the place after the brace that ends an expression in a template."""
    depth = 0
    while True:
        found = _piece(text, at)
        if found.lastgroup == "template":
            at = _behind_template(text, at)
        elif found.lastgroup in ("text", "blank", "comment"):
            at = found.end()
        else:
            if text[at] == "}" and not depth:
                return at + 1
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1


def style(text: str) -> str:
    """Return a style without comments, and without blanks around braces, after the end of a declaration, after a comma, and before a value."""
    texts = re.findall(r'"[^"]*"', text := re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    text = re.sub(r",\s+", ",", re.sub(r'"[^"]*"', '""', text))
    text = re.sub(r";?\s*}\s*", "}", re.sub(r"\s*([{;])\s*", r"\1", text)).strip()
    rest = iter(texts)
    return re.sub('""', lambda _: next(rest), re.sub(r"([{;])([\w-]+): ", r"\1\2:", text))
