"""The HTML replay: one file that needs no network, with the log, the picture and the state at every event.

The sources of the page are the files beside this module; nothing is built. The log's text stands in the page only as
JSON in an element that is not run, and the page's content policy allows this one script and this one style.
"""

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from string import Template

from encounterlog.exporters.html.data import replay_of
from encounterlog.exporters.html.rows import json_pieces
from encounterlog.exporters.session import Session
from eventstore.wording import visible

SCRIPTS = (
    "model.js", "words.js", "log.js", "picture.js", "state.js", "entries.js", "why.js", "paper.js", "fair.js", "page.js", "play.js", "begin.js",
)  # fmt: skip
"""The parts of the script, one module when they are put together, in this order."""
STILL = "<p>This page needs JavaScript to replay the log; it loads nothing and sends nothing.</p>"
"""The text for readers without JavaScript."""
POLICY = "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'"
"""The content policy: nothing is loaded, nothing is run but the page's script, and it can send nothing."""


def write(session: Session) -> Iterator[bytes]:
    """Yield the page; every state in it was computed by the projections, and most of it stands outside memory until it is written."""
    script, style = "\n".join(map(read_source, SCRIPTS)), read_source("page.css")
    before, after = read_source("page.html").split("$data")
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style))
    own_script, own_style = (f"'sha256-{each}'" for each in hashes)
    fields = {
        "policy": POLICY.format(own_script, own_style),
        "head": escape(str(session.head)),
        "title": escape(visible(session.title)),
        "style": style,
        "script": script,
        "controls": read_source("controls.html"),
        "still": STILL,
    }
    fields["panes"] = Template(read_source("panes.html")).substitute(fields)
    yield Template(before).substitute(fields).encode()
    yield from json_pieces(replay_of(session))
    yield Template(after).substitute(fields).encode()


def read_source(name: str) -> str:
    """Return one of the files that the page is made of."""
    return files(__package__).joinpath(name).read_text("utf-8")
