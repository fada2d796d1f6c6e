"""Accepted personas: kept under their name for their owner alone, found again, never overwritten by accident."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from perdure.identity import AgentIdentity, luna
from perdure.identity.cards import as_card
from perdure.identity.persona import Persona, persona_of
from perdure.identity.persona_folder import (
    FOLDER,
    KEPT_LIMIT,
    accept,
    file_stem,
    find_persona,
    known_personas,
)
from perdure.stores.errors import InvalidInput, NotFound

from ...cards.pictures import PICTURE
from ...cards.whole import V2, V3

IVES = replace(persona_of(as_card(V3)), picture=PICTURE)


def named(name: str) -> Persona:
    return Persona(AgentIdentity.model_validate(luna.model_dump() | {"name": name}))


def test_an_accepted_persona_is_found_by_name_with_its_card_and_picture(tmp_path: Path) -> None:
    accept(IVES, tmp_path)

    for name in ("ives", "Ives", " IVES "):
        assert find_persona(name, tmp_path) == IVES
    assert find_persona("ives", tmp_path).as_card().raw == V3
    assert [one.name for one in known_personas(tmp_path)] == ["bram", "luna", "vera", "ives"]


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = accept(IVES, tmp_path / "new" / "home")

    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert {file.name for file in path.parent.iterdir()} - {".lock"} == {"ives.json", "ives.png"}


def test_built_in_personas_are_found_by_short_and_full_name(tmp_path: Path) -> None:
    assert find_persona("LUNA", tmp_path).identity == luna
    assert find_persona("bram ironladle", tmp_path) == find_persona("bram", tmp_path)


@pytest.mark.parametrize(
    "name", ["Luna", "LUNA", "luna\u200b", "ＬＵＮＡ", "Bram", "Bram-Ironladle", "vera!"]
)
def test_a_name_that_reads_as_a_built_in_one_is_refused_because_memory_goes_by_it(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(InvalidInput, match=r"built-in persona.*--name"):
        accept(named(name), tmp_path)
    assert not (tmp_path / FOLDER).exists()


def test_a_taken_name_is_refused_until_it_is_to_be_replaced(tmp_path: Path) -> None:
    accept(IVES, tmp_path)
    other = Persona(IVES.identity.model_copy(update={"backstory": "Another."}))

    with pytest.raises(InvalidInput, match=r"ives already.*--replace"):
        accept(other, tmp_path)
    assert find_persona("ives", tmp_path) == IVES

    accept(other, tmp_path, replacing=True)
    assert find_persona("ives", tmp_path) == other
    assert not (tmp_path / FOLDER / "ives.png").exists()


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Dr. Vex", "dr-vex"),
        ("../../etc/passwd", "etc-passwd"),
        ("/etc/passwd", "etc-passwd"),
        ("C:\\windows", "c-windows"),
        ("小满", "小满"),
        (".hidden", "hidden"),
        ("x" * 80, "x" * 48),
        ("con\u202egnp.exe", "con-gnp-exe"),
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str, stem: str) -> None:
    assert file_stem(name) == stem
    path = accept(named(name.replace("\u202e", "")), tmp_path)
    assert path.parent == tmp_path / FOLDER
    assert path.resolve().parent == (tmp_path / FOLDER).resolve()


@pytest.mark.parametrize("name", ["..", "../..", "/", "~", "…", " "])
def test_a_name_without_a_letter_or_digit_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="no letter or digit"):
        file_stem(name)


@pytest.mark.parametrize("name", ["../ives", "personas/ives", "./ives", "ives\0", "..\\ives", "..", ""])
def test_a_path_is_never_taken_for_an_accepted_name(tmp_path: Path, name: str) -> None:
    accept(IVES, tmp_path)

    with pytest.raises((NotFound, InvalidInput)):
        find_persona(name, tmp_path)


def test_an_unknown_name_lists_the_accepted_ones(tmp_path: Path) -> None:
    accept(IVES, tmp_path)

    with pytest.raises(NotFound, match=r"no persona 'yves'.*Accepted: ives\."):
        find_persona("yves", tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "not written by this program"),
        ({"identity": {}}, "'name' is missing"),
        ({"card": {"spec": "chara_card_v2"}}, "no character card"),
    ],
)
def test_a_file_changed_by_hand_is_listed_with_what_is_wrong(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    path = accept(IVES, tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))

    with pytest.raises(InvalidInput, match=said):
        find_persona("ives", tmp_path)
    [listed] = [one for one in known_personas(tmp_path) if one.name == "ives"]
    assert listed.persona is None
    assert listed.fault


def test_an_edit_of_the_core_by_hand_changes_just_that_field_of_the_card(tmp_path: Path) -> None:
    path = accept(persona_of(as_card(V2)), tmp_path)
    kept = json.loads(path.read_text())
    kept["identity"]["boundaries"] = ["Will not row"]
    path.write_text(json.dumps(kept))

    raw = find_persona("keeper ives", tmp_path).as_card().raw

    assert raw["data"]["extensions"].pop("perdure") == {"boundaries": ["Will not row"]}
    assert raw == V2


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(IVES, tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InvalidInput, match="cannot be written: No space left"):
        accept(named("Ives"), tmp_path, replacing=True)
    monkeypatch.undo()

    assert find_persona("ives", tmp_path).identity == IVES.identity
    assert {file.name for file in (tmp_path / FOLDER).iterdir()} - {".lock"} == {"ives.json", "ives.png"}


def test_of_acceptances_at_once_one_counts_and_the_others_are_told(tmp_path: Path) -> None:
    others = [
        Persona(IVES.identity.model_copy(update={"backstory": f"Number {number}."})) for number in range(8)
    ]

    def accepted(persona: Persona) -> Persona | str:
        try:
            accept(persona, tmp_path)
        except InvalidInput as error:
            return str(error)
        return persona

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(accepted, others))

    [winner] = [each for each in told if isinstance(each, Persona)]
    assert sum("ives already" in each for each in told if isinstance(each, str)) == 7
    assert find_persona("ives", tmp_path) == winner


def test_a_home_that_cannot_hold_a_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")

    with pytest.raises(InvalidInput, match="cannot be written"):
        accept(IVES, tmp_path / "home")


def test_a_card_that_is_deep_and_wide_can_be_read_again_once_it_is_kept(tmp_path: Path) -> None:
    nested: object = [1] * 1000
    for _ in range(90):
        nested = [nested]
    raw = {"spec": "chara_card_v3", "data": {"name": "Deep", "extensions": {"x": [nested] * 300}}}
    accept(persona_of(as_card(raw)), tmp_path)

    assert find_persona("deep", tmp_path).as_card().raw == raw


def test_a_card_that_would_be_too_large_to_read_again_is_not_kept(tmp_path: Path) -> None:
    raw = {"spec": "chara_card_v3", "data": {"name": "Large", "extensions": {"x": ["y" * KEPT_LIMIT]}}}

    with pytest.raises(InvalidInput, match="at most 12,582,912 are kept"):
        accept(persona_of(as_card(raw)), tmp_path)
    assert not (tmp_path / FOLDER).exists()
