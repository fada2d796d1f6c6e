"""Shows a person what a proposal would change, and does what they decide. Asks first, writes after."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict

from ..stores.errors import InvalidInput, PerdureError
from ..stores.profile.profiles import NotPending, Profiles
from ..stores.profile.values import Change, Proposal, ProposalState
from ..stores.records import Scope

BY = "review"
"""Who decided, in the history of a profile."""

ANSWER = 'Answer {"decision": "approve"}, {"decision": "reject"}, or {"decision": "edit", "lines": [...]}'


class Reviewed(TypedDict, total=False):
    """State of a review: which proposal, and what became of it. Ids and words of ours only."""

    proposal: str
    outcome: str
    """"applied", "rejected", "void" (its base has changed or was forgotten), or "nothing pending"."""
    said: str


def review(
    state: Reviewed, *, profiles: Profiles, scope: Scope, ask: Callable[[Mapping[str, Any]], Any]
) -> dict[str, Any]:
    """Ask about a held proposal until the answer can be used, and decide it. One decided before asks nothing."""
    proposal = profiles.proposal(scope, state.get("proposal", ""))
    if proposal.state is not ProposalState.HELD:
        said = f"Proposal {proposal.id[:8]} is {proposal.state.value}; nothing is pending."
        return {"outcome": "nothing pending", "said": said}
    problem = ""
    while True:
        answer = ask({**question(proposal), "problem": problem})
        try:
            decided = decide(profiles, scope, proposal.id, answer)
        except NotPending as late:
            return {"outcome": "nothing pending", "said": str(late)}
        except InvalidInput as error:
            problem = str(error)
        else:
            return {"outcome": decided.state.value, "said": outcome_of(decided)}


def question(proposal: Proposal) -> dict[str, Any]:
    """What a person is shown: the diff, how far it moves the identity, and why it waits."""
    takes_effect = proposal.effective_at
    return {
        "question": "Shall the profile be changed like this?",
        "proposal": proposal.id,
        "changes": [shown(change) for change in proposal.changes],
        "distance": round(proposal.distance, 3),
        "why": proposal.why,
        "takes_effect_at": None if takes_effect is None else takes_effect.isoformat(),
        "answer": ANSWER,
    }


def shown(change: Change) -> dict[str, Any]:
    """One line of the diff."""
    return {
        "action": change.action,
        "about": change.line.about,
        "before": None if change.before is None else change.before.text,
        "after": None if change.after is None else change.after.text,
    }


def decide(profiles: Profiles, scope: Scope, proposal_id: str, answer: Any) -> Proposal:
    """Do what an answer says. Raises InvalidInput when it says nothing that can be done, NotPending when it is late."""
    given: Mapping[str, Any] = answer if isinstance(answer, Mapping) else {"decision": answer}
    decision = str(given.get("decision", "")).strip().lower()
    if decision == "reject":
        return profiles.reject(scope, proposal_id, who=BY)
    if decision == "approve":
        return profiles.approve(scope, proposal_id, who=BY)
    if decision == "edit":
        lines = given.get("lines")
        if not isinstance(lines, Sequence) or isinstance(lines, str):
            raise InvalidInput('"edit" needs "lines": one text for each line that the proposal writes.')
        return profiles.approve(scope, proposal_id, who=BY, texts=[str(line) for line in lines])
    raise InvalidInput(f"{ANSWER}.")


def outcome_of(decided: Proposal) -> str:
    """What came of a decision, in a sentence."""
    match decided.state:
        case ProposalState.APPLIED:
            return f"Proposal {decided.id[:8]} is applied."
        case ProposalState.REJECTED:
            return f"Proposal {decided.id[:8]} is rejected; the profile stays as it is."
        case ProposalState.VOID:
            return (
                f"Proposal {decided.id[:8]} is void: what it was made on has changed or was forgotten since. "
                "Nothing was changed; what still holds is proposed anew."
            )
        case _:
            raise PerdureError(f"Proposal {decided.id[:8]} is not decided.")
