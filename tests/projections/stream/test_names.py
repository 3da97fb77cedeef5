"""Names in free text: plurals, kinds, and the parts of names that mean somebody."""

import pytest

from projections.stream.names import forms, short_names


@pytest.mark.parametrize(("name", "means"), [
    ("ghoul-1", ["ghoul"]),
    ("black knight", ["knight"]),
    ("fire giant", ["giant"]),
    ("erik the red", ["erik"]),
    ("captain vess", ["captain", "vess"]),
    ("knight of the rose", ["knight", "rose"]),
    ("xul", ["xul"]),
    ("the-2", []),
])  # fmt: skip
def test_words_of_a_name_mean_its_bearer_unless_they_only_describe(name: str, means: list[str]) -> None:
    assert [*short_names(name)] == means


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("ghoul", "ghouls"), ("wolf", "wolves"), ("witch", "witches"), ("harpy", "harpies"), ("swordsman", "swordsmen"), ("boss", "bosses"),
        ("incubus", "incubi"), ("black knight", "black knights"), ("rat", "rats"),
    ],
)  # fmt: skip
def test_a_name_has_its_plural_among_its_forms_and_a_plural_its_singular(one: str, several: str) -> None:
    assert several in forms(one)
    assert one in forms(several) or several.endswith("i")
    assert forms("ghoul-1") == ("ghoul-1",)


def test_no_form_of_a_name_is_a_word_of_every_sentence() -> None:
    assert "are" not in forms("ares")
