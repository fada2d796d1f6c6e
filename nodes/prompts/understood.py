"""The answer to the understanding prompt: its JSON schema, and reading it entry by entry.

Every list and string is bounded, so that a model that loops comes to an end. An entry that cannot be read is dropped
with a reason, and the others are kept.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...stores.records import Tone
from ..json_answer import Unreadable

STATEMENTS, COMMITMENTS, SETTLED, TOPICS = 24, 8, 20, 8
SUMMARY = 900


def _one_of(default: str, **others: str) -> BeforeValidator:
    """Any case, some synonyms; what is missing or unknown becomes the default, which is the careful choice."""

    def read(value: object) -> str:
        word = str(value).strip().casefold().replace("-", "_").replace(" ", "_")
        return others.get(word, default)

    return BeforeValidator(read)


def _same(*words: str, **synonyms: str) -> dict[str, str]:
    return {word: word for word in words} | synonyms


def _cut(limit: int) -> BeforeValidator:
    def read(value: object) -> object:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        return value.strip()[:limit] if isinstance(value, str) else value

    return BeforeValidator(read)


def _blank_is_none(value: object) -> object:
    unsaid = isinstance(value, str) and value.strip().casefold() in ("", "null", "none", "unknown", "n/a")
    return None if unsaid else value


def _polarity(value: object) -> object:
    word = str(value).strip().casefold()
    return {"positive": True, "affirmed": True, "negative": False, "denied": False}.get(word, value)


_KIND = _one_of("fact", **_same("fact", "procedure", "self", rule="procedure", instruction="procedure",
                                method="procedure", agent="self", assistant="self"))  # fmt: skip
_DURABILITY = _one_of("stable", **_same("stable", "transient", "one_off", temporary="transient", mood="transient",
                                        short_term="transient", once="one_off", oneoff="one_off"))  # fmt: skip
_TONE = _one_of("neutral", **_same("positive", "neutral", "frustrating", "mixed", negative="frustrating",
                                   frustrated="frustrating"))  # fmt: skip
_WHO = _one_of("", **_same("user", "agent", assistant="agent"))

_Date = Annotated[str | None, Field(max_length=25), BeforeValidator(_blank_is_none)]


class Statement(BaseModel):
    """One thing the messages say."""

    model_config = ConfigDict(extra="ignore")

    statement: Annotated[str, Field(max_length=240), _cut(240)] = ""
    subject: Annotated[str, Field(max_length=80), _cut(80)] = "user"
    attribute: Annotated[str, Field(min_length=1, max_length=60), _cut(60)]
    value: Annotated[str, Field(min_length=1, max_length=200), _cut(200)]
    polarity: Annotated[bool, BeforeValidator(_polarity)] = True
    ends: bool = False
    kind: Annotated[Literal["fact", "procedure", "self"], _KIND] = "fact"
    durability: Annotated[Literal["stable", "transient", "one_off"], _DURABILITY] = "stable"
    explicit: bool = True
    valid_from: _Date = None
    valid_to: _Date = None
    message: int = 0
    quote: Annotated[str, Field(min_length=1, max_length=400), _cut(400)]


class Promise(BaseModel):
    """One open end."""

    model_config = ConfigDict(extra="ignore")

    who: Annotated[Literal["user", "agent", ""], _WHO] = ""
    what: Annotated[str, Field(min_length=1, max_length=240), _cut(240)]
    message: int = 0
    quote: Annotated[str, Field(min_length=1, max_length=400), _cut(400)]


_Topic = Annotated[str, Field(min_length=1, max_length=40), _cut(40)]


class Understood(BaseModel):
    """What was made of a stretch of a session."""

    model_config = ConfigDict(extra="ignore")

    summary: Annotated[str, Field(max_length=SUMMARY), _cut(SUMMARY)] = ""
    tone: Annotated[Literal["positive", "neutral", "frustrating", "mixed"], _TONE] = "neutral"
    topics: Annotated[list[_Topic], Field(max_length=TOPICS)] = []
    statements: Annotated[list[Statement], Field(max_length=STATEMENTS)] = []
    commitments: Annotated[list[Promise], Field(max_length=COMMITMENTS)] = []
    settled: Annotated[list[int], Field(max_length=SETTLED)] = []


def check(document: dict[str, Any]) -> None:
    """Raise Unreadable for an object that is no answer: without a summary or statements, or none of them legible."""
    given = document.get("statements", document.get("facts"))
    if given is None and not isinstance(document.get("summary"), str):
        raise Unreadable("the answer has neither a summary nor statements")
    if given is not None and not isinstance(given, list):
        raise Unreadable("the statements in the answer are not a list")
    if given and not understood(document)[0].statements:
        raise Unreadable("none of the statements in the answer has the form asked for")


def understood(document: dict[str, Any]) -> tuple[Understood, list[str]]:
    """Read an answer; with it, why each entry that was left out could not be read (free of its text)."""
    left_out: list[str] = []
    if "statements" not in document and "facts" in document:  # the word many models have for it
        document = {**document, "statements": document["facts"]}
    read = Understood(
        summary=document["summary"] if isinstance(document.get("summary"), str) else "",
        tone=document.get("tone", Tone.NEUTRAL.value),
    )
    lists: dict[str, list[Any]] = {
        "topics": _entries(document, "topics", TOPICS, _topic, left_out),
        "statements": _entries(document, "statements", STATEMENTS, Statement.model_validate, left_out),
        "commitments": _entries(document, "commitments", COMMITMENTS, Promise.model_validate, left_out),
        "settled": _entries(document, "settled", SETTLED, int, left_out),
    }
    if not isinstance(document.get("summary", ""), str | None):
        left_out.append("summary: not text")
    return read.model_copy(update=lists), left_out


_T = TypeVar("_T")


def _entries(
    document: dict[str, Any], name: str, limit: int, read: Callable[[Any], _T], left_out: list[str]
) -> list[_T]:
    given = document.get(name)
    if given is None:
        return []
    if not isinstance(given, list):
        left_out.append(f"{name}: not a list")
        return []
    entries = []
    for number, entry in enumerate(given[:limit], 1):
        try:
            entries.append(read(entry))
        except ValidationError as error:
            fault = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in fault["loc"]) or "entry"
            left_out.append(f"{name} {number}: {place} cannot be read ({fault['type']})")
        except (ValueError, TypeError):
            left_out.append(f"{name} {number}: cannot be read")
    if len(given) > limit:
        left_out.append(f"{name}: {len(given) - limit} beyond the first {limit}")
    return entries


def _topic(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value.strip()[:40]


def answer_schema() -> dict[str, Any]:
    """The JSON schema of an answer, references resolved; every key is required, so that none is passed over."""
    return {
        "title": "understanding",
        "description": "What a stretch of a conversation says.",
        **closed_schema(Understood),
    }


def closed_schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema, references resolved, every key required and no other allowed."""
    schema = model.model_json_schema()
    found: dict[str, Any] = _closed(schema, schema.get("$defs", {}))
    return found


def _closed(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_closed(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _closed(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    properties = node.get("properties")
    if properties is None:
        return {k: _closed(v, definitions) for k, v in node.items() if k not in ("title", "default")}
    return {
        "type": "object",
        "properties": {name: _closed(part, definitions) for name, part in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }
