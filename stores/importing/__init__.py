"""Past conversations from files of other programs: read into plain values, without touching the record. Pure."""

from .reading import Conversation, Problem, Read, read_file

__all__ = ["Conversation", "Problem", "Read", "read_file"]
