"""Links from each page to the glossary: the first use of a term in running text leads to its entry.

Pages stay as they are written; the links are made when Sphinx resolves a page.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx

GLOSSARY = "reference/glossary"
WITHOUT = (
    *("reference/generated/", "reference/glossary", "reference/benchmarks", "changelog", "reference/commands"),
    *("reference/facts", "reference/http", "reference/language", "reference/python", "reference/by-name"),
)
"""How the names of pages begin in which no term leads to the glossary: lists, and those who know the words."""
AMBIGUOUS = frozenset(
    [
        "address",
        "append",
        "cause",
        "clock",
        "commit",
        "encounter",
        "form",
        "head",
        "hidden",
        "language",
        "line",
        "offer",
        "option",
        "pattern",
        "proposal",
        "reading",
        "reason",
        "replay",
        "retry",
        "role",
        "secret",
        "sentence",
        "session",
        "shape",
        "side",
        "state",
        "stream",
        "strike",
        "view",
    ]
)
"""Terms that are common words as well, and are linked by hand where they are meant."""


def terms(page: str) -> dict[str, str]:
    """Return the anchors of the terms of a glossary that are linked, by term."""
    names = re.findall(r"^## (.+)$", page, re.MULTILINE)
    return {name: name.replace(" ", "-") for name in names if name not in AMBIGUOUS}


def pieces(text: str, wanted: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a text in pieces, each with the term that it is a first use of, or with nothing."""
    left, at = set(wanted), 0
    while left:
        words = "|".join(map(re.escape, sorted(left, key=len, reverse=True)))
        found = re.compile(rf"(?<![\w-])({words})(?:e?s)?(?![\w-])").search(text, at)
        if found is None:
            break
        yield from [(text[at : found.start()], "")] if found.start() > at else []
        yield found[0], found[1]
        left.discard(found[1])
        at = found.end()
    yield from [(text[at:], "")] if at < len(text) else []


def setup(app: "Sphinx") -> dict[str, bool]:
    """Let Sphinx link terms as it resolves a page."""
    from sphinx.transforms.post_transforms import SphinxPostTransform

    known = terms((Path(__file__).parent / f"{GLOSSARY}.md").read_text("utf-8"))

    class Linking(SphinxPostTransform):
        """Links the first use of each term."""

        default_priority = 900

        def run(self, **_: object) -> None:
            """Link the terms of one page."""
            page = self.env.docname
            if not page.startswith(WITHOUT):
                _link_all(self.document, known, self.app.builder.get_relative_uri(page, GLOSSARY))

    app.add_post_transform(Linking)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _link_all(page: "Element", known: dict[str, str], glossary: str) -> None:
    """Link the first use of each term in the running text of a page."""
    from docutils import nodes

    left = dict(known)
    for text in [each for part in page.findall(nodes.paragraph) for each in part.findall(nodes.Text)]:
        found = [] if _is_marked(text) else [*pieces(text.astext(), left)]
        if any(term for _, term in found):
            text.parent.replace(
                text, [_made(words, f"{glossary}#{left[term]}" if term else "") for words, term in found]
            )
            left = {term: anchor for term, anchor in left.items() if term not in dict(map(reversed, found))}


def _made(words: str, to: str) -> "Node":
    from docutils import nodes

    return nodes.reference("", words, refuri=to, internal=True) if to else nodes.Text(words)


def _is_marked(text: "Node") -> bool:
    """Say whether a text stands within what is no running text: a link, code, a title."""
    from docutils import nodes

    node = text.parent
    while node is not None and not isinstance(node, nodes.literal | nodes.reference | nodes.title | nodes.raw):
        node = node.parent
    return node is not None
