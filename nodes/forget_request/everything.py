"""A request to forget all there is."""

EVERYTHING = "everything about me"
"""Stands for a request to forget a person wholly: it ends a user, and so is never carried out on the way."""
