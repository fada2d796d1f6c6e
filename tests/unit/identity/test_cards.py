"""Character cards: lossless both ways, mapped onto a core, and a clear error for everything that is wrong."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.identity import AgentIdentity, luna
from perdure.identity.cards import Card, as_v2, as_v3, read_card, to_json
from perdure.identity.core import LINES_LIMIT
from perdure.identity.persona import Persona, persona_of
from perdure.identity.persona_files import load_persona, personas, read_persona
from perdure.identity.png import card_texts, plain_picture, with_cards, without_cards
from perdure.stores.errors import InvalidInput

from ...cards import malformed
from ...cards.pictures import EXTRA, PICTURE, coded, compressed, holding, international, text
from ...cards.whole import CHINESE, EVERY, MINIMAL_V2, NULLS, V2, V3


def card(raw: Any) -> Card:
    return read_card(json.dumps(raw).encode())


def read(tmp_path: Path, name: str, content: bytes) -> Persona:
    path = tmp_path / name
    path.write_bytes(content)
    return read_persona(path)


@pytest.mark.parametrize("name", EVERY)
def test_a_card_comes_out_as_it_went_in_field_for_field(tmp_path: Path, name: str) -> None:
    persona = read(tmp_path, "card.json", json.dumps(EVERY[name]).encode())

    assert json.loads(to_json(persona.as_card())) == EVERY[name]
    assert list(json.loads(to_json(persona.as_card()))["data"]) == list(EVERY[name]["data"])


@pytest.mark.parametrize("name", EVERY)
def test_a_card_comes_out_of_a_picture_as_it_went_in(tmp_path: Path, name: str) -> None:
    first = persona_of(card(EVERY[name])).as_card()
    png = with_cards(PICTURE, {"chara": to_json(as_v2(first)), "ccv3": to_json(as_v3(first))})

    persona = read(tmp_path, "card.png", png)

    assert persona.as_card().raw == EVERY[name]
    assert persona.picture == PICTURE


def test_a_picture_keeps_every_chunk_that_is_no_card(tmp_path: Path) -> None:
    persona = read(tmp_path, "card.png", holding(EXTRA, text("chara", V2)))

    assert persona.picture == holding(EXTRA)
    again = with_cards(persona.picture, {"chara": b"{}"})
    assert without_cards(again) == holding(EXTRA)
    assert card_texts(again) == {"chara": b"{}"}


@pytest.mark.parametrize(
    "chunk",
    [
        text("Chara", V2),
        compressed("chara", coded(V2)),
        international("chara", coded(V2), packed=True),
        international("chara", coded(V2), packed=False),
        text("chara", json.dumps(V2, ensure_ascii=False).encode()),
    ],
)
def test_a_card_is_found_in_every_kind_of_text_chunk(tmp_path: Path, chunk: bytes) -> None:
    assert read(tmp_path, "card.png", holding(chunk)).as_card().raw == V2


def test_of_two_different_cards_in_a_picture_v3_counts(tmp_path: Path) -> None:
    other = copy.deepcopy(V2)
    other["data"]["name"] = "Somebody Else"

    persona = read(tmp_path, "card.png", holding(text("chara", other), text("ccv3", V3)))

    assert persona.as_card().raw == V3


@pytest.mark.parametrize(("name", "content", "said"), malformed.every(), ids=lambda value: str(value)[:40])
def test_a_malformed_file_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said) as raised:
        read(tmp_path, name, content)

    assert len(str(raised.value)) < 700
    assert raised.value.__cause__ is None


def test_the_fields_of_a_card_become_those_of_a_core() -> None:
    identity = persona_of(card(V3)).identity

    assert identity.name == "Ives"
    assert identity.personality_traits == ("wry", "watchful", "fond of weather")
    assert identity.communication_style == (
        "Answer as {{char}}, in short paragraphs. {{original}}\nKeep the storm in mind."
    )
    assert identity.backstory.endswith("They never arrive.\nScenario: A storm is two hours out.")
    assert identity.boundaries == identity.values == ()
    assert persona_of(card(CHINESE)).identity.personality_traits == ("沉静", "认真", "爱喝茶")


def test_the_prompt_of_a_card_has_its_macros_rendered_and_no_notes_tags_or_makers() -> None:
    prompt = persona_of(card(V3)).identity.to_system_prompt()

    assert "Ives keeps the harbour light and writes the user letters.\n  They never arrive." in prompt
    assert "{{" not in prompt
    for unused in ("Best by lamplight", "Slow", "the perdure tests", "1.2", "Mind the third step"):
        assert unused not in prompt
    assert "you are an AI" in prompt


def test_what_a_card_brings_beside_the_core_is_its_background() -> None:
    background = persona_of(card(V2)).background

    assert background.greetings == ("Mind the third step, {{user}}.", "Back again?", "The kettle is on.")
    assert background.examples[1] == "{{user}}: Hm."
    assert len(background.lorebook.entries) == 3
    assert persona_of(card(NULLS)).background.greetings == ()
    assert Persona(luna).background.greetings == ()


@pytest.mark.parametrize("raw", [V2, V3, CHINESE])
@pytest.mark.parametrize(
    ("field", "value", "changed"),
    [
        ("name", "Ivo", {"name", "nickname"}),
        ("personality_traits", ("loud",), {"personality"}),
        ("communication_style", "Shouts.", {"system_prompt", "post_history_instructions"}),
        ("backstory", "New.\nScenario: A storm is two hours out.", {"description"}),
        ("backstory", "New.", {"description", "scenario"}),
        ("values", ("salt",), {"extensions"}),
        ("boundaries", ("Will not row", "a, b"), {"extensions"}),
        ("personality_traits", ("loud, then quiet",), {"personality", "extensions"}),
    ],
)
def test_an_edited_field_changes_only_what_says_it(
    raw: Any, field: str, value: Any, changed: set[str]
) -> None:
    persona = persona_of(card(raw))
    edited = AgentIdentity.model_validate(persona.identity.model_dump() | {field: value})

    after = Persona(edited, persona.card).as_card()

    differ = {key for key in after.raw["data"] if after.raw["data"][key] != raw["data"].get(key)}
    assert differ <= changed
    assert differ
    assert {k: v for k, v in after.raw.items() if k != "data"} == {
        k: v for k, v in raw.items() if k != "data"
    }
    assert after.raw["data"]["extensions"]["fav"] is False
    assert persona_of(after).identity == edited
    assert persona_of(after).as_card().raw == after.raw


@pytest.mark.parametrize("name", personas())
def test_a_persona_that_never_was_a_card_survives_the_way_there_and_back(name: str) -> None:
    identity = load_persona(name)

    written = Persona(identity).as_card()

    assert written.version == 3
    assert persona_of(read_card(to_json(written))).identity == identity
    assert persona_of(read_card(to_json(as_v2(written)))).identity == identity


def test_v2_for_old_programs_says_so_and_has_no_decorators() -> None:
    old = as_v2(card(V3)).raw["data"]

    assert "Best by lamplight." in old["creator_notes"]
    assert "written as V2" in old["creator_notes"]
    assert old["character_book"]["entries"][-1]["content"] == "Storms are named after aunts."
    assert old["nickname"] == "Ives"
    assert as_v3(card(MINIMAL_V2)).raw["data"]["group_only_greetings"] == []


def test_a_newer_specification_is_taken_and_noticed() -> None:
    assert card(CHINESE).newer
    assert not card(V3).newer


def test_control_and_hidden_characters_of_a_card_never_reach_the_core_and_stay_in_the_card() -> None:
    raw = copy.deepcopy(V2)
    raw["data"] |= {
        "name": "I\u200bves\x07",
        "description": "\x1b[2JA\u2028B\u202e\x85C",
        "personality": "\x00wry",
    }
    persona = persona_of(card(raw))

    assert persona.identity.name == "Ives"
    assert persona.identity.backstory.startswith("[2JA\nB\nC")
    assert persona.identity.personality_traits == ("wry",)
    assert persona.as_card().raw == raw


def test_what_strangers_wrote_into_our_extension_is_checked_as_all_else_is() -> None:
    raw = copy.deepcopy(V2)
    raw["data"]["extensions"]["perdure"] = {"values": "salt", "boundaries": [1], "name": 7, "more": "kept"}
    assert persona_of(card(raw)).identity.values == ()
    assert persona_of(card(raw)).as_card().raw == raw

    raw["data"]["extensions"]["perdure"] = {"boundaries": ["x" * 501]}
    with pytest.raises(InvalidInput, match=r"'boundaries.0'.*at most 500"):
        persona_of(card(raw))


words = st.text(st.characters(exclude_categories=["C"]) | st.sampled_from("\n,;<>{}@"), max_size=60)
lines = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {"keys": st.lists(words, max_size=3), "content": words, "enabled": st.booleans()},
    optional={
        "insertion_order": st.integers(-99, 99),
        "priority": st.integers(-9, 9) | st.none(),
        "constant": st.booleans(),
        "selective": st.booleans(),
        "secondary_keys": st.lists(words, max_size=2),
        "use_regex": st.booleans(),
        "extensions": st.dictionaries(words, json_values, max_size=2),
        "stray": json_values,
    },
)
cards = st.builds(
    lambda spec, name, data, own, stray, root: {
        **root,
        "spec": spec,
        "spec_version": "2.0" if spec.endswith("2") else "3.0",
        "data": {**stray, **data, "name": name, "extensions": own},
    },
    st.sampled_from(["chara_card_v2", "chara_card_v3"]),
    lines,
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("description", "personality", "scenario", "first_mes", "mes_example", "system_prompt"), words
        )
        | {
            "character_book": st.fixed_dictionaries({"entries": st.lists(entries, max_size=3)}),
            "alternate_greetings": st.lists(words, max_size=2),
            "tags": st.lists(words, max_size=2),
        },
    ),
    st.dictionaries(words, json_values, max_size=3),
    st.dictionaries(words.map(lambda key: f"x_{key}"), json_values, max_size=2),
    st.dictionaries(words.map(lambda key: f"x_{key}"), json_values, max_size=2),
)
identities = st.builds(
    AgentIdentity,
    name=lines,
    personality_traits=st.lists(lines, max_size=4),
    communication_style=words,
    values=st.lists(lines, max_size=4),
    boundaries=st.lists(lines, max_size=4),
    backstory=words,
)


@given(cards)
def test_any_card_comes_out_as_it_went_in_as_json_and_in_a_picture(raw: dict[str, Any]) -> None:
    first = persona_of(read_card(json.dumps(raw).encode())).as_card()
    png = with_cards(plain_picture(0), {"chara": to_json(as_v2(first)), "ccv3": to_json(as_v3(first))})
    texts = card_texts(png)

    assert json.loads(to_json(first)) == raw
    assert raw in [json.loads(each) for each in texts.values()]


@given(identities, cards)
def test_any_identity_can_be_written_over_any_card_and_read_back(
    identity: AgentIdentity, raw: dict[str, Any]
) -> None:
    written = Persona(identity, card(raw)).as_card()

    assert persona_of(read_card(to_json(written))).identity == identity
    assert persona_of(written).as_card().raw == written.raw
    assert written.data.character_book == card(raw).data.character_book
    assert len(identity.values) <= LINES_LIMIT
