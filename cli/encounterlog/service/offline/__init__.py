"""The files that a browser installs: the manifest, icons, and the worker that shows the last known state if the service cannot be reached.

None of these files says anything of an encounter, and none needs a token, so the worker may keep them on any device. The page
itself (`live/keeping.js`) writes the words of an encounter that a device keeps: those that a player or an onlooker reads there,
never those of a game master.
"""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files

KEPT = ("offline.html", "offline.js")
"""The files of the shell that the worker keeps beside the style and the icon of all pages; a change of them is a new version of the worker."""
HEAD = '<link rel="icon" href="/assets/icon.svg"><link rel="apple-touch-icon" href="/assets/icon-192.png"><link rel="manifest" href="/assets/app.webmanifest">'
"""The lines for installation in the head of every page."""
MANIFEST = {
    "id": "/",
    "name": "Encounterlog",
    "short_name": "Encounter",
    "description": "The fights at your table: the order, whose turn it is, what happened.",
    "start_url": "/#app",
    "scope": "/",
    "display": "standalone",
    "background_color": "#fbfaf7",
    "theme_color": "#12395c",
    "icons": [
        {"src": "/assets/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/assets/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/assets/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "/assets/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ],
}


def manifest() -> str:
    """Return the web app manifest."""
    return json.dumps(MANIFEST)


@cache
def worker() -> str:
    """Return the worker, whose version is that of the files that it keeps."""
    version = sha256("".join(map(source, KEPT)).encode()).hexdigest()[:12]
    return source("worker.js").replace("$version", version)


def source(name: str) -> str:
    """Return one of the files beside this module that are text."""
    return files(__package__).joinpath(name).read_text("utf-8")


def icon(name: str) -> bytes:
    """Return an icon."""
    return files(__package__).joinpath(name).read_bytes()
