"""What an import tells of attacks, spells, saves, damage and healing is what the bot announced, in every recording."""

from pathlib import Path

import pytest

from announced import false_sentences, told
from encounterlog.importers.games import Game, game_of, list_games_with_imports
from encounterlog_avrae.recordings import read
from tests.few import few

RECORDINGS = sorted((Path(__file__).parent / "recordings" / "fireball").glob("*.jsonl*"))


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("game", [game_of(each) for each in list_games_with_imports()], ids=lambda game: game.ruleset)
@few(1, "path", RECORDINGS, ids=lambda path: path.name.partition(".")[0])
def test_each_sentence_names_what_the_announcing_message_names(path: Path, game: Game) -> None:
    facts = list(told(read(path, game=game), path))
    assert sum(one.message is not None for one in facts if one.event["type"] == "attack_rolled") > 0
    assert false_sentences(facts) == []
