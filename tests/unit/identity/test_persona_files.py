"""Personas from files: the built-in one, one's own, and every way a file can be wrong."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from perdure.identity import AgentIdentity, load_persona, luna
from perdure.identity.persona_files import SIZE_LIMIT, personas, read_persona
from perdure.identity.png import plain_picture
from perdure.stores.errors import InvalidInput, NotFound

GOOD = {
    "name": "Orla",
    "personality_traits": ["dry"],
    "communication_style": "Short sentences.",
    "values": ["candour"],
    "boundaries": ["Will not flatter"],
    "backstory": "Orla sorts maps.",
}


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_luna_is_built_in_with_the_traits_values_and_boundaries_she_was_given() -> None:
    assert "luna" in personas()
    assert luna.name == "Luna"
    assert luna.personality_traits == ("curious", "warm", "slightly witty", "patient")
    assert luna.values == ("intellectual honesty", "kindness", "growth mindset")
    assert len(luna.boundaries) == 3
    assert all(
        word in " ".join(luna.boundaries)
        for word in ("human experiences", "medical", "legal", "harmful", "gently")
    )
    assert "metaphor" in luna.communication_style
    assert "research" in luna.backstory


@pytest.mark.parametrize("name", ["luna", "Luna", " LUNA "])
def test_a_built_in_persona_is_found_by_name_in_any_case(name: str) -> None:
    assert load_persona(name) == luna


def test_every_built_in_persona_loads() -> None:
    assert all(isinstance(load_persona(name), AgentIdentity) for name in personas())


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json", ".YAML", ".JSON", ".txt", ""])
def test_a_persona_file_is_read_whatever_its_suffix(tmp_path: Path, suffix: str) -> None:
    text = json.dumps(GOOD) if suffix.lower() == ".json" else yaml.safe_dump(GOOD)
    path = write(tmp_path / f"orla{suffix}", text)

    assert load_persona(path) == load_persona(str(path)) == AgentIdentity.model_validate(GOOD)


def test_a_byte_order_mark_and_other_scripts_are_fine(tmp_path: Path) -> None:
    path = write(
        tmp_path / "lan.yaml", "\ufeff" + yaml.safe_dump(GOOD | {"name": "小兰"}, allow_unicode=True)
    )

    assert load_persona(path).name == "小兰"


def test_a_path_may_start_at_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "orla.yaml", yaml.safe_dump(GOOD))

    assert load_persona("~/orla.yaml").name == "Orla"


def test_a_file_named_like_a_built_in_persona_is_read_when_given_as_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "luna", yaml.safe_dump(GOOD))

    assert load_persona(Path("luna")).name == "Orla"
    assert load_persona("./luna").name == "Orla"
    assert load_persona("luna") == luna


def test_an_unknown_name_lists_the_built_in_ones() -> None:
    with pytest.raises(NotFound, match=r"no persona 'lunna'.*Built in: bram, luna, vera"):
        load_persona("lunna")


@pytest.mark.parametrize("name", ["absent.yaml", "absent/orla.json"])
def test_a_missing_file_is_named_and_the_built_in_ones_listed(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound, match=r"no persona file .*absent.*luna"):
        load_persona(tmp_path / name)


def test_a_file_used_as_a_folder_is_a_missing_file(tmp_path: Path) -> None:
    write(tmp_path / "orla.yaml", yaml.safe_dump(GOOD))

    with pytest.raises(NotFound, match=r"orla\.yaml"):
        load_persona(tmp_path / "orla.yaml" / "more.yaml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must hold the fields"),
        ("just words", "must hold the fields"),
        ("- a\n- b", "must hold the fields"),
        ("name: [unclosed", r"not valid YAML \(line 1\)"),
        ("name: Orla\n\tvalues: []", r"not valid YAML \(line 2\)"),
        ("name: !!python/object/apply:os.system [ls]", "not valid YAML"),
        ("name: !!bool maybe", "not valid YAML"),
        ("name: 2020-13-45", "not valid YAML"),
        ("[" * 5000, "not valid YAML"),
        ("name: a\x00b", "not valid YAML"),
        (yaml.safe_dump(GOOD | {"mood": "sunny"}), "'mood' is unknown"),
        (yaml.safe_dump(GOOD | {3: "x"}), "'3' is unknown"),
        (yaml.safe_dump({k: v for k, v in GOOD.items() if k != "values"}), "'values' is missing"),
        (yaml.safe_dump(GOOD | {"name": 42}), "'name'.*string"),
        (yaml.safe_dump(GOOD | {"name": ""}), "'name' is blank"),
        (yaml.safe_dump(GOOD | {"values": "candour"}), "'values' must be a list"),
        (yaml.safe_dump(GOOD | {"boundaries": ["Will not lie", 7]}), "'boundaries.1'.*string"),
        (yaml.safe_dump(GOOD | {"boundaries": None}), "'boundaries' must be a list"),
        ("&a [*a]", "must hold the fields"),
    ],
)
def test_a_wrong_yaml_file_is_refused_with_file_and_fault(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path / "orla.yaml", text)

    with pytest.raises(InvalidInput, match=rf"orla\.yaml.*{said}"):
        load_persona(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", r"not valid JSON \(line 1\)"),
        ("name: Orla", "not valid JSON"),
        ("[]", "must hold the fields"),
        ("[" * 100_000, "not valid JSON"),
        ('{"name": ' + "9" * 5000 + "}", "not valid JSON"),
        (json.dumps(GOOD | {"name": "\ud800"}), "'name'"),
    ],
)
def test_a_wrong_json_file_is_refused_with_file_and_fault(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path / "orla.json", text)

    with pytest.raises(InvalidInput, match=rf"orla\.json.*{said}"):
        load_persona(path)


def test_every_fault_is_told_at_once_and_the_fields_are_listed(tmp_path: Path) -> None:
    path = write(tmp_path / "orla.yaml", yaml.safe_dump({"name": "", "mood": "sunny"}))

    with pytest.raises(InvalidInput) as raised:
        load_persona(path)

    message = str(raised.value)
    assert "'name' is blank" in message
    assert "(and " in message
    assert (
        "The fields are name, personality_traits, communication_style, values, boundaries, backstory."
        in message
    )


def test_what_stands_in_a_refused_file_is_not_repeated(tmp_path: Path) -> None:
    path = write(tmp_path / "orla.yaml", yaml.safe_dump(GOOD | {"values": "hunter2", "name": ["hunter2"]}))

    with pytest.raises(InvalidInput) as raised:
        load_persona(path)

    assert "hunter2" not in str(raised.value)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "orla.yaml", "name: Zoë".encode("latin-1"))

    with pytest.raises(InvalidInput, match=r"orla\.yaml is not UTF-8 \(byte 8\)"):
        load_persona(path)


@pytest.mark.parametrize("read", [load_persona, read_persona])
@pytest.mark.parametrize("raw", [bytes(range(256)), b"just words", plain_picture(0x336699)])
def test_a_picture_without_a_card_is_told_so(
    tmp_path: Path, read: Callable[[Path], object], raw: bytes
) -> None:
    path = write(tmp_path / "orla.png", raw)

    with pytest.raises(InvalidInput, match="holds no character card"):
        read(path)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "orla.yaml", b"#" * (SIZE_LIMIT + 1))

    with pytest.raises(InvalidInput, match=r"orla\.yaml is larger than 256 kB"):
        load_persona(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is a folder"):
        load_persona(tmp_path)


def test_a_device_is_refused_and_not_waited_for() -> None:
    with pytest.raises(InvalidInput, match="not a regular file"):
        load_persona(Path(os.devnull))


@pytest.mark.parametrize("name", ["x" * 300, "lu\x00na", "lu\ud800na"])
def test_a_name_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises((InvalidInput, NotFound)):
        load_persona(name)


@given(st.binary(max_size=400))
def test_no_content_makes_it_fail_in_another_way(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any.yaml", content)

    with pytest.raises(InvalidInput):
        load_persona(path)
