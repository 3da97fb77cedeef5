"""What a distribution of `cli/plugins` brings is refused without it, in a sentence that says what installs it."""

from pathlib import Path

import pytest

from tests.encounterlog.support import encounter


@pytest.mark.parametrize(("words", "what", "plugin"), [
    (("import", "fireball", "a.jsonl", "b.jsonl"), "the format fireball", "avrae"),
    (("rules", "plain", "--unnoticed"), "the proof unnoticed", "rulelab"),
    (("rules", "plain", "--unnoticed", "--places"), "the proof places", "rulelab"),
    (("rules", "plain", "--reasons", "--plays"), "the proof reasons", "rulelab"),
    (("rules", "plain", "--golden", "pages"), "the proof golden", "rulelab"),
])  # fmt: skip
def test_what_a_plugin_brings_is_refused_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], what: str, plugin: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("encounterlog.installed.entry_points", lambda _: ())
    done = encounter(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"encounter: {what} is in another distribution, which is not installed\n"
        f"hint: in a clone of Encounterlog: pip install ./cli/plugins/encounterlog-{plugin}\n"
    )
    assert not any(tmp_path.iterdir())
