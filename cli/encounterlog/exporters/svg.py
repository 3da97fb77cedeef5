"""The picture of a round as SVG: the lanes of the HTML replay, drawn once."""

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import chain

from encounterlog.ask.listing import refuse_round
from encounterlog.exporters.session import FactLine, Session, Walk
from eventstore.wording import visible
from projections.state import State
from projections.views.lane_shapes import IN_WORDS, KINDS, LEGEND, SIGNS, Head, Lane, Lanes, Mark, Span
from projections.views.lanes import Gathering

NAME, CELL, ROW, TRACK, LETTER, MARGIN = 150, 46, 30, 22, 7.2, 12
"""Widths and heights in pixels: the column of names, one of ticks, the marks of a lane, one track of spans, a letter, the margin."""
DRAWN = {"damage": "−n", "healing": "+n", "status": "in words:"}
"""The legend's signs for the kinds that are drawn in words."""


def write(session: Session) -> Iterator[bytes]:
    """Yield the drawing of the wanted rounds, by default the last; raise Refused if none of them was played."""
    gathering = Gathering()

    def see(one: FactLine, state: State | None) -> None:
        if one.step and state:
            gathering.mark_changes(one.step, state)

    walk = Walk(session, see, judged=True, before=gathering.keep_round)
    found = list(gathering.pictures(walk.state, walk.findings()))
    rounds = [each for each in found if session.wants(each.round)] if session.wanted.rounds else found[-1:]
    if not rounds:
        raise refuse_round("no such round", found[-1].round)
    names = {who: visible(one.name) for who, one in walk.state.combatants.items()}
    yield _Drawing(session, rounds, names).text().encode()


class _Drawing:
    """The drawing of some rounds, one below the other; `names` are those of the combatants."""

    def __init__(self, session: Session, rounds: list[Lanes], names: dict[str, str]) -> None:
        self.session, self.rounds, self.names = session, rounds, names
        self.widths = [self._column_width(lanes) for lanes in rounds]
        most = max(wide * len(lanes.columns) for wide, lanes in zip(self.widths, rounds, strict=True))
        self.width = NAME + max(most, 320) + 2 * MARGIN
        self.y = 0.0

    def _column_width(self, lanes: Lanes) -> float:
        marks = ((mark.words, 1) for lane in lanes.lanes for mark in lane.marks if mark.kind in IN_WORDS)
        heads = ((self._head(each), each.columns) for each in lanes.heads)
        needed = max(((len(words) * LETTER + 8) / columns for words, columns in (*marks, *heads)), default=0)
        return max(CELL, min(2 * CELL, needed))

    def text(self) -> str:
        drawn = (self._draw_round(lanes, wide) for wide, lanes in zip(self.widths, self.rounds, strict=True))
        body = "\n".join(chain.from_iterable(drawn))
        height, style = self.y + MARGIN, files(__package__).joinpath("picture.css").read_text("utf-8")
        title = f"{visible(self.session.title)}, {' and '.join(map(_round_words, self.rounds))}"
        used = ((lanes, lane) for lanes in self.rounds for lane in lanes.lanes if lane.marks or lane.spans)
        says = (
            f"{_round_words(lanes)}: {self._name(lane.combatant)}: {_describe_lane(lane, lanes)}."
            for lanes, lane in used
        )
        described = " ".join(says)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {height:g}" width="{self.width:g}" '
            f'height="{height:g}" role="img" aria-labelledby="title description">\n'
            f"<metadata>head {self.session.head}</metadata>\n"
            f'<title id="title">{escape(title)}</title>\n<desc id="description">{escape(described)}</desc>\n'
            f'<style>\n{style}</style>\n<rect class="ground" width="100%" height="100%"/>\n{body}\n</svg>\n'
        )

    def _name(self, who: str) -> str:
        return self.names.get(who) or visible(who) or "the table"

    def _head(self, head: Head) -> str:
        return self._name(head.turn) if head.turn else head.phase

    def _draw_round(self, lanes: Lanes, wide: float) -> Iterator[str]:
        title = f"{visible(self.session.title)} – {_round_words(lanes)}"
        yield _draw_text(MARGIN, self.y + 24, title, "title", self.width - 2 * MARGIN)
        for head in lanes.heads:
            room = wide * head.columns
            yield _draw_text(_x(head.first, wide) + room / 2, self.y + 52, self._head(head), "quiet", room - 4)
        for number, column in enumerate(lanes.columns):
            tick = str(column.segment or column.second or ("" if column.turn or column.phase else "start"))
            yield _draw_text(_x(number, wide) + wide / 2, self.y + 70, tick, "quiet", wide)
        self.y, tops = self.y + 78, list[float]()
        for lane in lanes.lanes:
            tops.append(self.y)
            yield from self._draw_lane(lane, wide)
        for tie in lanes.ties:
            x, top, bottom = _x(tie.column, wide) + 2, tops[tie.first] + 6, tops[tie.last] + 24
            words = escape("at once: " + ", ".join(map(self._name, tie.those)))
            yield f'<path class="tie" d="M{x + 5:g} {top:g}H{x:g}V{bottom:g}H{x + 5:g}"><title>{words}</title></path>'
        yield from self._draw_legend(lanes)

    def _draw_lane(self, lane: Lane, wide: float) -> Iterator[str]:
        yield f'<line class="line" x1="{MARGIN}" x2="{self.width - MARGIN:g}" y1="{self.y:g}" y2="{self.y:g}"/>'
        yield _draw_text(MARGIN, self.y + 20, self._name(lane.combatant), "name", NAME - 8)
        columns: dict[int, list[Mark]] = {}
        for mark in lane.marks:
            columns.setdefault(mark.column, []).append(mark)
        for column, marks in columns.items():
            for place, mark in enumerate(marks):
                yield from _draw_mark(mark, _x(column, wide) + wide / 2, self.y + place * TRACK + 15, wide)
        below = self.y + ROW + (max(map(len, columns.values()), default=1) - 1) * TRACK
        for span in lane.spans:
            yield from _draw_span(span, _x(span.first, wide), _x(span.last + 1, wide), below + span.track * TRACK)
        self.y = below + TRACK * (1 + max((span.track for span in lane.spans), default=-1))

    def _draw_legend(self, lanes: Lanes) -> Iterator[str]:
        kinds = (*lanes.kinds, *(("together",) if lanes.ties else ()))
        words = [f"{DRAWN.get(kind) or LEGEND[kind].sign} {LEGEND[kind].means}" for kind in kinds]
        self.y, wide = self.y + 10, self.width - 2 * MARGIN
        for each in _break_lines(words, int(wide / LETTER)):
            yield _draw_text(MARGIN, self.y + 14, each, "legend", wide)
            self.y += 16
        self.y += 8


def _x(column: int, wide: float) -> float:
    return MARGIN + NAME + column * wide


def _break_lines(words: list[str], most: int) -> Iterator[str]:
    held = ""
    for each in words:
        longer = f"{held} · {each}" if held else each
        if held and len(longer) > most:
            yield held
            longer = each
        held = longer
    yield held


def _round_words(lanes: Lanes) -> str:
    return f"round {lanes.round}" if lanes.round else "before round 1"


def _draw_mark(mark: Mark, x: float, y: float, wide: float) -> Iterator[str]:
    title = escape(_describe_mark(mark))
    if mark.kind in IN_WORDS:
        yield f"<g><title>{title}</title>{_draw_text(x, y + 4, mark.words, f'mark {mark.kind}', wide)}</g>"
        return
    shape = mark.kind if mark.kind in ("act", "effect") else "box"
    inside = f"mark {'inside' if shape != 'box' else mark.kind}"
    yield (
        f'<g><title>{title}</title><rect class="{shape}" x="{x - 9:g}" y="{y - 9:g}" width="18" height="18" '
        f'rx="{9 if shape == "effect" else 3}"/>{_draw_text(x, y + 4, SIGNS[mark.kind], inside, wide)}</g>'
    )


def _draw_span(span: Span, left: float, right: float, y: float) -> Iterator[str]:
    title, wide = escape(_describe_mark(span)), right - left - 6
    words = f"✕ {span.words}" if span.kind == "spoiled" else span.words
    if span.kind == "concentration":
        hold = f'<line class="hold" x1="{left:g}" x2="{right:g}"'
        lines = "".join(f'{hold} y1="{y + at:g}" y2="{y + at:g}"/>' for at in (14, 18))
        yield f"<g><title>{title}</title>{lines}{_draw_text(left + 3, y + 10, words, '', wide)}</g>"
        return
    bar = f'<rect class="bar {span.kind}" x="{left + 2:g}" y="{y:g}" width="{right - left - 4:g}" height="18" rx="4"/>'
    yield f"<g><title>{title}</title>{bar}{_draw_text(left + 6, y + 13, words, '', wide - 4)}</g>"


def _describe_mark(one: Mark | Span) -> str:
    status = f", {one.status}" if one.status not in ("", "done", one.kind) else ""
    return visible(f"{KINDS[one.kind]}{f': {one.words}' if one.words else ''}{status}")


def _describe_lane(lane: Lane, lanes: Lanes) -> str:
    found, drawn = list[str](), list[Mark | Span]([*lane.spans, *lane.marks])
    for one in drawn:
        first = lanes.columns[one.column if isinstance(one, Mark) else one.first]
        where = " ".join(str(part) for part in (first.phase, first.segment or first.second or "") if part)
        found.append(f"{_describe_mark(one)}{f' ({where})' if where else ''}")
    return "; ".join(found)


def _draw_text(x: float, y: float, words: str, style: str, room: float) -> str:
    shown, most = visible(words), max(1, int(room / LETTER))
    cut = shown if len(shown) <= most else f"{shown[: most - 1]}…"
    kind = f' class="{style}"' if style else ""
    return f'<text{kind} x="{x:g}" y="{y:g}">{escape(cut)}</text>'
