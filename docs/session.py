"""python docs/session.py: draws the README's first session as docs/pictures/session.svg, line after line as it would be typed.

The session itself is run by tests/test_readme.py, so the picture shows what the program prints. It plays once and ends complete;
where nothing moves (print, reduced motion), all of it is seen at once.
"""

import re
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "session.svg"
LINE, COLUMN, MARGIN, TOP = 19, 8.43, 16, 46
TYPED, READ, PAUSE = 0.025, 0.25, 0.9
"""The seconds of a typed character, of a printed line, and before the next command."""
STYLE = """
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#c9d1d9;white-space:pre}
.command{fill:#fff;font-weight:600}.breach{fill:#ff7b72}.rule{fill:#79c0ff}
g{animation:appear .01s linear both}
@keyframes appear{from{opacity:0}to{opacity:1}}
@media (prefers-reduced-motion:reduce){g{animation:none}}
"""


def session(page: str) -> list[str]:
    """Return the lines of the first console of a page."""
    (block, *_) = re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return str(block).splitlines()


def picture(lines: list[str]) -> str:
    """Return lines of a console as SVG; a command is typed, its output appears line by line."""
    width = round(max(map(len, lines)) * COLUMN) + 2 * MARGIN
    height = TOP + len(lines) * LINE + MARGIN
    made, at = list[str](), 0.5
    for number, line in enumerate(lines):
        y = TOP + number * LINE
        if line.startswith("$ "):
            at += PAUSE
            for place, word in enumerate(re.findall(r" *\S+", line)):
                x = MARGIN + COLUMN * sum(map(len, re.findall(r" *\S+", line)[:place]))
                made.append(_text(word, x, y, at, "command"))
                at += TYPED * len(word)
        else:
            made.append(_text(line, MARGIN, y, at, "breach" if "breach" in line else ""))
        at += READ
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>A fight is typed; why a spell ended; what the audit finds</title><style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
        *(f'<circle cx="{18 + 20 * n}" cy="18" r="6" fill="{each}"/>' for n, each in enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))),
        *made,
        "</svg>",
        "",
    ])  # fmt: skip


def _text(text: str, x: float, y: int, at: float, kind: str) -> str:
    said = re.sub(r"(\([a-z0-9-]+\.[a-z0-9-]+\))", r'<tspan class="rule">\1</tspan>', escape(text, quote=False))
    return f'<g style="animation-delay:{at:.2f}s"><text x="{x:.1f}" y="{y}" class="{kind}">{said}</text></g>'


if __name__ == "__main__":
    PICTURE.write_text(picture(session((ROOT / "README.md").read_text("utf-8"))), "utf-8")
