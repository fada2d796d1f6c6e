"""Understands a session by rule, offline."""

from ...stores.consolidation import Claim
from ...stores.records import Insight, Memory


class RuleUnderstander:
    """Reads a stretch of a session by rules alone."""

    def understand(self, claim: Claim, known: list[Memory]) -> Insight:
        return Insight()

    async def aunderstand(self, claim: Claim, known: list[Memory]) -> Insight:
        return self.understand(claim, known)
