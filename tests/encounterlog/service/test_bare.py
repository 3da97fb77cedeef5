"""Scripts and styles of the page without what only people need: whatever means something stays."""

import pytest

from encounterlog.service.live import bare

SCRIPTS = {
    "const [a, b] = [1, 2]; // two\n/* more */\nlet c = a + +b;": "const[a,b]=[1,2];let c=a+ +b;",
    "say(\"a  //  b\", '/* c */');": "say(\"a  //  b\",'/* c */');",
    'return `a  ${b ? `  ${c}  ` : "}"}  // d`;': 'return`a  ${b ? `  ${c}  ` : "}"}  // d`;',
    'x = y.replace(/[/ ]+ ["\'`]/g, " ") / 2 / z;': 'x=y.replace(/[/ ]+ ["\'`]/g," ")/2/z;',
    "const f = (x) => /^a  b$/.test(x);": "const f=(x)=>/^a  b$/.test(x);",
    "const a = 1\nconst b = {\n  c,\n  d,\n}\n(e)": "const a=1\nconst b={c,d,}\n(e)",
    "if (a in b) delete c.d; else throw new E;": "if(a in b)delete c.d;else throw new E;",
    "a ++ ; b - - c": "a++;b- -c",
}


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_script_keeps_its_texts_its_patterns_and_what_parts_its_words(text: str) -> None:
    assert bare.script(text) == SCRIPTS[text]


def test_a_style_keeps_its_texts_and_its_selectors() -> None:
    text = '/* c */ a b:not(.c, .d) > e { margin: 0 1px; content: "a, b; {"; }\n@media (x) { f { g: h; } }'
    assert bare.style(text) == 'a b:not(.c,.d) > e{margin:0 1px;content:"a, b; {"}@media (x){f{g:h}}'
