"""How long a turn takes without the chat model, stage by stage, beside its floor in the same run."""

from .filling import USER, fill, sentences

__all__ = ["USER", "fill", "sentences"]
