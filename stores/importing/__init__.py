"""Past conversations from files of other programs: read into plain values, without touching the record. Pure."""

from .reading import IMPORTED, Conversation, Problem, Read, read_file

__all__ = ["IMPORTED", "Conversation", "Problem", "Read", "read_file"]
