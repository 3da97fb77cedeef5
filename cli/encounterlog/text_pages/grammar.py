"""The page of the table grammar in the documentation, made from the tables of forms."""

from collections.abc import Iterator

from eventstore.paths import beside
from projections.grammar import forms
from projections.grammar.forms import Form
from projections.rulesets import RULESETS, find

HEAD = """# The table grammar

Lines for fingers: at a table (`encounter add`), in scripts and in tests. A line is one fact or a few: who, what, whom, die,
amount. This page is made from the tables that the grammar is parsed, printed and explained by
([forms.toml](forms.toml), and one in the folder of each ruleset).

- **Names** are ids or display names, as far as they are unique among those in the fight, without regard to case and
  accents; `g2` is goblin-2. Several targets are joined by commas or blanks; `all goblins` and `all foes` are groups. What
  befalls several is a fact for each: `all goblins -4`, `b g1,g2 -3`; a roll is against one. Behind a name
  that ends with a number a die follows a colon: `i orc-1:8`. A name that is also a word of the grammar stands behind a colon: `:round -3`. A name with another alphabet gets an id of ASCII letters.
- **As people write**: kinds of action in the third person (`b attacks o`, `g flees`), quotation marks and minus signs of
  typography, a blank behind a sign (`b - 6`). A line may tell of several one after the other, as if each stood on a line of its own: `o hits b for 4, g misses m`.
  What stands behind a blow or a spell without a name (`o hits m for 8, con save 4 fails, prone`) befalls its target and has it as its cause. Verbs may be in the past.
- **Words** of several parts are joined by `_` or quoted: `tip_a_table_over`, `"tip a table over"`.
- **Weapons and spells** go by any name. One that nobody's sheet has, and no line before, is quoted where the target is left out
  or the word is near a combatant's name (`b attack "poker" 14 6`): otherwise it is taken for a mistyped target.
  What is quoted and exactly a combatant's name is that person: `o attacks "Sir Bo" 14 5`.
- **Amounts of time and distance** are one word or two: `3r`, `3 rounds`, `10min`, `10 minutes`, `30ft`, `30 feet`.
- **Options** follow: `key=value` sets any field of the facts that the line does not say (`cost=reaction`, `trigger=12`,
  `modifiers=base+6,str-1`), with a key as short as it is unique; `@4` is the segment (or second), `@E` the slot of the round; `^` makes
  the last fact the cause, `^2` the one before, also in `trigger=^`. After `check`, `join`, `sheet` and `rule override`, whose own words
  have the form key=value, a dot stands before an option: `.reason="as agreed"`.
- **Dice** are one face (`14`), dice with faces (`d6:4`, `2d20kh1:10x,18`: x marks a dropped die), or dice without faces, which the
  program rolls (`d20+5`). The log notes which dice were rolled so. At most 100 dice of 1000 sides.
- **The clock** moves by itself to the segment, slot or turn of what is done (by its kind, its weapon, what was declared), and
  says so. It never goes back, and begins a turn only if that comes next; where that is not so, or the rules leave it open, it
  stays, and the line says why. `act` or `move` in front of a line leaves it where it is, and so does what answers another act or
  says its own slot or segment with `@`.
- **`secret`** in front of a line withholds it from players. So is what concerns a combatant who joined in secret, until a reveal; that
  the clock moves is not, unless it names one who is hidden. `#` begins a comment, `"` a note. A line of JSON is a fact.

In a shell, what begins with `"`, `#` or `{` has to be quoted, and so has an apostrophe; the shell may take `?` and `*` as
patterns if files match them. Options of `encounter add` stand before FILE.

In the patterns below `{slot}` is to be filled, `[…]` may be left out, `(…)+` may be repeated.
"""

PEOPLE = """
## As people say it

Who has not learnt the forms writes as at any table. Such a line is read by its meaning, which the page of the reader explains:
names may have blanks (`orc 1`), several are listed or counted (`orcs 2-4`, `ana, bo and cy`, `everyone`), articles and prepositions
may stay. A line that can mean several things is refused with them, each as what would be recorded, and so is one of which a word
is not understood. `help WORD` shows what is told with a word.
"""


def page() -> str:
    """Return the page as Markdown."""
    common = forms.read(forms.COMMON).form
    pieces = [HEAD, *_table("In every game", common)]
    pieces.append(PEOPLE)
    for key in RULESETS:
        own = forms.read(beside(find(key).rules, "forms.toml"))
        clock = f"The clock moves by {own.clock}s. " if own.clock else ""
        rolled = f"Rolled: {', '.join(own.rolls.split())}." if own.rolls else "Blows are not rolled."
        pieces += [*_table(f"`{key}`", own.form), "", clock + rolled]
    return "\n".join(pieces) + "\n"


def _table(title: str, rows: tuple[Form, ...]) -> Iterator[str]:
    yield f"\n## {title}"
    yield "\n| example | pattern | what it means | facts |\n|---|---|---|---|"
    for form in rows:
        patterns = " or ".join(f"`{_cell(pattern)}`" for pattern in form.patterns)
        says = form.says + (f" *{form.reads}*" if form.reads else "")
        made = ", ".join(str(fact["type"]).partition(".")[0] for fact in form.makes) or form.rest
        yield f"| `{_cell(form.example)}` | {patterns} | {_cell(says)} | {made or 'combatant_joined'} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
