"""Who speaks, by the settings: a built-in persona, an accepted one, or a file."""

from ..identity.persona import Persona
from ..identity.persona_folder import find_persona
from .settings import Settings


def chosen_persona(settings: Settings, name: str | None = None) -> Persona:
    """The persona of that name or file, or the one the settings name. Raises NotFound or InvalidInput."""
    return find_persona(name or settings.persona, settings.home)
