"""Sphinx: how the documentation is built. `sphinx-build -W docs build/docs`, with the extra `docs` installed.

The reference is written from the program itself when the build begins (generated.py); nothing of it is in the repository.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]  # generated.py, terms.py; what tests count for the reference

import generated  # noqa: E402 – found by the line above

from encounterlog import api  # noqa: E402
from projections.judging.audit import Finding  # noqa: E402
from projections.views.steps import Change  # noqa: E402

api.Change, api.Finding = (
    Change,
    Finding,
)  # signatures name them, which autodoc evaluates; the program imports them for types alone

project = "Encounterlog"
author = "the engineers of Encounterlog"
extensions = ["myst_parser", "sphinx.ext.autodoc", "terms"]
html_theme = "furo"
smartquotes = False  # two hyphens before an option stay two
html_title = "Encounterlog"
html_show_copyright = False
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "none"  # signatures say them
suppress_warnings = [
    "myst.xref_missing",  # pages that are read in the repository, too, link to its files
    "misc.highlighting_failure",  # a log's lines may be shortened in the middle
]

exclude_patterns = ["reference/generated/parts"]  # what pages include
html_extra_path = ["reference/generated/replays"]

generated.write(HERE / "reference" / "generated")
generated.write_replays(HERE / "reference" / "generated" / "replays")
