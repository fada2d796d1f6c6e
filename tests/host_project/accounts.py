"""Who visits the help desk of Wren Books."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Account:
    """A customer, as the shop knows them."""

    id: str
    tier: str = "standard"


@dataclass(frozen=True)
class Visit:
    """The context of every run of the desk."""

    account: Account
