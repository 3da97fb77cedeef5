"""The page of the table grammar in the documentation, made from the tables of forms."""

from collections.abc import Iterator

from eventstore.paths import beside
from projections.language.notation import forms
from projections.language.notation.forms import Form
from projections.rulesets import RULESETS, find

HEAD = """# The table grammar

The lines that you type at a table: with `encounter add`, in `encounter play`, on the page, in scripts and in tests. A line is one fact
or a few.

| line | meaning |
|---|---|
| `b o 14 6` | Brand attacks the ogre, rolls 14, and hits for 6: who, whom, die, amount |
| `b -6`, `b +4` | Brand loses 6 hit points, or regains 4 |
| `g is prone for 2r` | a condition with its duration |
| `m c web o` | Mira casts a web at the ogre |
| `i b14 o9` | initiative dice |
| `u` | the last line is taken back |

[People's words](#as-people-say-it) will do as well. [How a line is read](#how-a-line-is-read) has names, dice, options and the clock in
detail. This page is made from the tables by which the program reads, prints and explains the grammar ([forms.toml](forms.toml), and
one in the folder of each ruleset).

In the patterns below, fill in `{slot}`; `[…]` may be left out, `(…)+` may be repeated.
"""

DETAILS = """
## How a line is read

- **Names** are ids or display names. They may be as short as they are unique among those in the fight; case and accents do not
  count; `g2` is goblin-2. Commas or blanks join several targets; `all goblins` and `all foes` are groups. A fact about several
  becomes a fact for each: `all goblins -4`, `b g1,g2 -3`; a roll is against one. After a name that ends with a number a die
  follows a colon: `i orc-1:8`. A name that is also a word of the grammar stands after a colon: `:round -3`. A name in another
  alphabet gets an id of ASCII letters.
- **Verbs** may be in the third person (`b attacks o`, `g flees`) or in the past. Typographic quotation marks and minus signs, and a
  blank after a sign (`b - 6`), do not matter. Words
  without a name after a blow or a spell (`o hits m for 8, con save 4 fails, prone`) are about its target, with the blow as their cause.
- **Words** of several parts are joined by `_` or quoted: `tip_a_table_over`, `"tip a table over"`.
- **Weapons and spells** have any name. Quote a new one, which is on no sheet and in no earlier line, if the target is left out or the
  word is near a combatant's name (`b attack "poker" 14 6`); otherwise it is taken for a mistyped target. A quoted word that is
  exactly a combatant's name is that combatant: `o attacks "Sir Bo" 14 5`.
- **Amounts of time and distance** are one word or two: `3r`, `3 rounds`, `10min`, `10 minutes`, `30ft`, `30 feet`.
- **Options** stand at the end. `key=value` sets any field of the facts that the line leaves open (`cost=reaction`, `trigger=12`,
  `modifiers=base+6,str-1`); the key may be as short as it is unique. `@4` is the segment (or second), `@E` the slot of the round.
  `^` makes the last fact the cause, `^2` the one before, also in `trigger=^`. After `check`, `join`, `sheet` and `rule override`,
  whose own words have the form key=value, a dot stands before an option: `.reason="as agreed"`.
- **Dice** are one face (`14`), dice with faces (`d6:4`, `2d20kh1:10x,18`: x marks a dropped die), or dice without faces, which the
  program rolls (`d20+5`). The log notes which dice it rolled. A line has at most 100 dice of 1000 sides.
- **The clock** moves by itself to the segment, slot or turn of an act (by its kind, its weapon, its declaration), and says so. It
  never goes back, and begins only the turn that comes next. Otherwise, or if the rules leave it open, it stays, and the line says
  why. `act` or `move` in front of a line leaves the clock alone, and so do a reaction and an act with its own slot or segment (`@`).
- **`secret`** in front of a line withholds it from players. Facts about a combatant who joined in secret are withheld by themselves
  until a reveal; the clock's moves are not, unless they name a hidden combatant.
- `#` begins a comment, `"` a note. A line of JSON is a fact.

In a shell, quote a line that begins with `"`, `#` or `{` or has an apostrophe; the shell may take `?` and `*` as patterns if files
match them. Options of `encounter add` stand before FILE.
"""

SENTENCES = """
## Sentences

A line in none of these forms may be a sentence of the declared language: names may have blanks (`orc 1`), several names are listed or
counted (`ana, bo and cy`, `all orcs`), articles may stand. `help WORD` lists the sentences with a word, and completion what can come next. A line that is in neither
is refused: it says where it stopped, and offers lines that will do, or the meanings of a line that has several. Words that no table has are never
taken for a name, an act, a condition or a spell; words of your own are quoted. `I` and `me`
are the combatant whom the writer plays: `--by mira`, or the combatant of an invitation.
"""


def page() -> str:
    """Return the page as Markdown."""
    common = forms.read(forms.COMMON).form
    pieces = [HEAD, *_table("In every game", common)]
    pieces += [SENTENCES, DETAILS]
    for key in RULESETS:
        own = forms.read(beside(find(key).rules, "forms.toml"))
        clock = f"The clock moves by {own.clock}s. " if own.clock else ""
        rolled = f"Rolled: {', '.join(own.rolls.split())}." if own.rolls else "Blows are not rolled."
        pieces += [*_table(f"`{key}`", own.form), "", clock + rolled]
    return "\n".join(pieces) + "\n"


def _table(title: str, rows: tuple[Form, ...]) -> Iterator[str]:
    yield f"\n## {title}"
    yield "\n| example | pattern | meaning | facts |\n|---|---|---|---|"
    for form in rows:
        patterns = " or ".join(f"`{_cell(pattern)}`" for pattern in form.patterns)
        says = form.says + (f" *{form.reads}*" if form.reads else "")
        made = ", ".join(str(fact["type"]).partition(".")[0] for fact in form.makes) or form.rest
        yield f"| `{_cell(form.example)}` | {patterns} | {_cell(says)} | {made or 'combatant_joined'} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
