"""What langgraph.json serves: the agent, its consolidation and its reviews.

They have no checkpointer: the server brings its own.
Settings come from the environment (PERDURE_*, OPENAI_*). Importing this opens no file and calls no model.
"""

from ..nodes.state import State
from ..stores.profile.profiles import Profiles
from .builder import compile_agent
from .consolidation import build_consolidation, reflector_for, understander_for
from .keepers import open_kept_parts
from .personas import chosen_persona
from .review import build_review
from .review_threads import review_opener
from .settings import load_settings

settings = load_settings()
persona = chosen_persona(settings)
identity = persona.identity
kept = open_kept_parts(settings)
parts = kept.parts

agent = compile_agent(
    identity, parts, settings, output_schema=State, background=persona.background, begun=kept.begun
)
consolidation = build_consolidation(
    parts,
    understander_for(parts, settings),
    agent_id=identity.name,
    policy=settings.policy,
    compact_after=settings.compact_after,
    open_review=review_opener(Profiles(parts.memory)),
    reflector=reflector_for(parts, settings),
)
review = build_review(parts.memory, agent_id=identity.name)
