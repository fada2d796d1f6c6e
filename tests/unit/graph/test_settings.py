"""What the environment may say, and what is answered when it says something else."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from perdure.graph.settings import Settings, load_settings, variable
from perdure.stores.errors import InvalidInput

KEY = "sk-very-secret-0123456789"


def test_without_an_environment_everything_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PERDURE_HOME")
    settings = load_settings()
    assert settings.home.name == "perdure"
    assert (settings.user, settings.persona, settings.embeddings) == ("me", "luna", "auto")
    assert (settings.recall_tokens, settings.window_tokens) == (1500, 3000)
    assert (settings.timezone, settings.openai_api_key, settings.openai_base_url) == (None, None, None)


def test_the_environment_is_read_with_a_prefix_and_openais_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_MODEL", "anthropic:claude-sonnet-4-5")
    monkeypatch.setenv("PERDURE_RECALL_TOKENS", "900")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:11434/v1/")
    settings = load_settings()
    assert settings.model == "anthropic:claude-sonnet-4-5"
    assert settings.recall_tokens == 900
    assert settings.openai_api_key == SecretStr(KEY)
    assert settings.openai_base_url == "http://localhost:11434/v1"


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "OPENAI_BASE_URL", "PERDURE_TIMEZONE", "PERDURE_CHROMA_URL"]
)
def test_a_blank_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch, name: str, blank: str) -> None:
    monkeypatch.setenv(name, blank)
    assert getattr(load_settings(), name.removeprefix("PERDURE_").lower()) is None


@pytest.mark.parametrize("field", ["user", "model", "home", "recall_tokens", "model_timeout", "persona"])
def test_an_empty_variable_leaves_the_default(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    monkeypatch.delenv("PERDURE_HOME")
    default = getattr(load_settings(), field)
    monkeypatch.setenv(variable(field), "")
    assert getattr(load_settings(), field) == default


def test_a_pasted_key_loses_the_line_feed_that_came_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert load_settings().openai_api_key == SecretStr(KEY)


def test_an_argument_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://from-the-environment/v1")
    monkeypatch.setenv("PERDURE_USER", "ben")
    settings = load_settings(openai_base_url="http://given/v1", user="ana")
    assert (settings.openai_base_url, settings.user) == ("http://given/v1", "ana")


def test_a_home_below_the_users_directory_may_be_written_with_a_tilde() -> None:
    assert load_settings(home="~/luna").home == Path.home() / "luna"


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("PERDURE_RECALL_TOKENS", "many", "valid integer"),
        ("PERDURE_RECALL_TOKENS", "-1", "greater than or equal to 0"),
        ("PERDURE_WINDOW_TOKENS", "5", "greater than or equal to 100"),
        ("PERDURE_MODEL_TIMEOUT", "0", "greater than 0"),
        ("PERDURE_MODEL_RETRIES", "11", "less than or equal to 10"),
        ("PERDURE_TIMEZONE", "Mars/Olympus", "IANA name"),
        ("PERDURE_TIMEZONE", "../etc/passwd", "IANA name"),
        ("PERDURE_USER", "   ", "blank"),
        ("PERDURE_MODEL", " ", "blank"),
        ("OPENAI_BASE_URL", "localhost:11434", "http://"),
        ("PERDURE_CHROMA_URL", "chroma.local", "http://"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_variable_and_the_reason(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput) as caught:
        load_settings()
    message = str(caught.value)
    assert message.startswith(f"{name} (")
    assert why in message
    assert "Correct or unset it" in message


def test_every_fault_is_told_at_once_and_unknown_settings_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_RECALL_TOKENS", "many")
    monkeypatch.setenv("PERDURE_TIMEZONE", "Mars/Olympus")
    with pytest.raises(InvalidInput) as caught:
        load_settings(nonsense=1)
    assert len(str(caught.value).splitlines()) == 3
    assert "no setting nonsense" in str(caught.value)


def test_a_key_in_the_wrong_variable_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "PERDURE_TIMEZONE", "PERDURE_WINDOW_TOKENS"):
        monkeypatch.setenv(name, KEY)
    with pytest.raises(InvalidInput) as caught:
        load_settings(openai_api_key=KEY)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(ValidationError) as raw:
        Settings()
    assert KEY not in str(raw.value)


def test_the_key_does_not_show_in_the_settings() -> None:
    assert KEY not in repr(load_settings(openai_api_key=KEY))


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        load_settings().user = "ben"
