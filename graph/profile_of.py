"""One agent's evolving identity with one user, as an object: what it is, how it came about, and deciding on it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..identity.core import AgentIdentity
from ..identity.drift import Drift, drift
from ..identity.evolution import Policy
from ..identity.profile import Change, Profile
from ..stores.errors import InvalidInput
from ..stores.profile.profiles import Profiles
from ..stores.profile.values import ProfileVersion, Proposal, ProposalState
from ..stores.records import Scope


class ProfileOf:
    """The profile of a scope. Calls are synchronous and short; each is one transaction.

    `who` stands in the history for what is decided here.
    """

    def __init__(
        self, core: AgentIdentity, profiles: Profiles, scope: Scope, policy: Policy, *, who: str = "api"
    ) -> None:
        self.core = core
        self.scope = scope
        self.policy = policy
        self._profiles = profiles
        self._who = who

    def now(self) -> Profile:
        """The profile as it stands."""
        return Profile(self._profiles.version(self.scope), self._profiles.current(self.scope))

    def at(self, version: int) -> Profile:
        """The profile of a version, but what was forgotten since. Raises NotFound."""
        return Profile(version, self._profiles.at(self.scope, version))

    def as_of(self, moment: datetime) -> Profile:
        """The profile as it stood at a time."""
        return self.at(self._profiles.as_of(self.scope, moment))

    def history(self) -> list[ProfileVersion]:
        """Every version, oldest first: when, who, why, and from which proposal."""
        return self._profiles.history(self.scope)

    def diff(self, before: int, after: int) -> tuple[Change, ...]:
        """What changed from one version to another; 0 is the core alone. Raises NotFound."""
        return self._profiles.diff(self.scope, before, after)

    def held(self) -> list[Proposal]:
        """The proposals that wait for a person, oldest first."""
        return self._profiles.proposals(self.scope, ProposalState.HELD)

    def proposals(self) -> list[Proposal]:
        """Every proposal there was, oldest first."""
        return self._profiles.proposals(self.scope)

    def approve(self, proposal_id: str, lines: Sequence[str] | None = None) -> Proposal:
        """Apply a held proposal, with `lines` in these words; it comes back applied, or void when what it was made on
        has changed. Raises NotFound, InvalidInput, and NotPending when it was decided before."""
        return self._profiles.approve(self.scope, proposal_id, who=self._who, texts=lines)

    def reject(self, proposal_id: str) -> Proposal:
        """Turn a held proposal down; it is not proposed again. Raises NotFound, NotPending."""
        return self._profiles.reject(self.scope, proposal_id, who=self._who)

    def roll_back(self, version: int) -> ProfileVersion:
        """Stand as in a version again, as a new version; nothing forgotten comes back. Raises NotFound."""
        if version < 0:
            raise InvalidInput("Versions are counted from 0, the core alone.")
        return self._profiles.roll_back(self.scope, version, who=self._who)

    def drift(self) -> list[Drift]:
        """How far each version stands from the core and from the last that was reviewed, oldest first."""
        return drift(self._profiles.timeline(self.scope))

    def as_object(self, profile: Profile) -> dict[str, Any]:
        """The identity as JSON values: `core`, `profile` and its `version`."""
        return {
            "core": self.core.model_dump(mode="json"),
            "profile": [
                {
                    "id": line.id,
                    "about": line.about,
                    "key": line.key,
                    "text": line.text,
                    "salience": line.salience,
                    "confidence": line.confidence,
                    "origin": line.origin.value,
                    "pinned": line.pinned,
                    "cites": list(line.cites),
                }
                for line in profile.lines
            ],
            "version": profile.version,
        }
