"""The voice without a language model (DESIGN: models)."""

from .voice import OfflineVoice

__all__ = ["OfflineVoice"]
