"""A persona: the core of an agent, and what a character card brings along beside it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from ..stores.errors import InvalidInput
from .card_fields import changes_for, examples_of, fields_of
from .cards import Card, new_card, with_data
from .core import AgentIdentity
from .faults import told
from .lorebook import Lorebook, lorebook_of


@dataclass(frozen=True, slots=True)
class Background:
    """What a character knows and how it sounds, beside its core: data for the prompt, within a budget."""

    lorebook: Lorebook = field(default_factory=Lorebook)
    examples: tuple[str, ...] = ()
    """Example conversations, each with its lines."""
    greetings: tuple[str, ...] = ()
    """How it opens a conversation, the usual way first."""


@dataclass(frozen=True, slots=True)
class Persona:
    """Who can speak. `card` and `picture` (a PNG file without its card) are kept as they came."""

    identity: AgentIdentity
    card: Card | None = None
    picture: bytes | None = None

    @property
    def background(self) -> Background:
        """What the card brings beside the core; nothing without a card."""
        if self.card is None:
            return Background()
        data = self.card.data
        greetings = (text.strip() for text in (data.first_mes, *data.alternate_greetings))
        return Background(
            lorebook_of(data.character_book), examples_of(data.mes_example), tuple(filter(None, greetings))
        )

    def as_card(self) -> Card:
        """The persona as a card: the one it came from, with no field changed but those that the identity changed."""
        if self.card is None:
            return _written(new_card({"name": self.identity.name}), self.identity)
        return _written(self.card, self.identity)


def persona_of(card: Card, where: str = "The card", **changed: Any) -> Persona:
    """The persona that a card describes; `changed` replaces fields of the core.

    Raises InvalidInput when it does not fit into a core.
    """
    return Persona(_identity(fields_of(card) | changed, where), card)


def _identity(fields: Mapping[str, Any], where: str) -> AgentIdentity:
    try:
        return AgentIdentity.model_validate(dict(fields))
    except ValidationError as error:
        raise InvalidInput(
            f"{where} does not fit into a persona: {told(error)}. Change the card, then import it again."
        ) from None


def _written(card: Card, identity: AgentIdentity) -> Card:
    """The card, changed where it does not say what the identity says."""
    changes = changes_for(card, {name: getattr(identity, name) for name in AgentIdentity.model_fields})
    return with_data(card, changes) if changes else card
