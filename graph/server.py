"""What langgraph.json serves: the agent and its consolidation, without a checkpointer, which the server brings itself.

Settings come from the environment (PERDURE_*, OPENAI_*). Importing this opens no file and calls no model.
"""

from ..nodes.state import State
from .builder import compile_agent
from .consolidation import build_consolidation, understander_for
from .parts import open_parts
from .personas import chosen_persona
from .settings import load_settings

settings = load_settings()
persona = chosen_persona(settings)
identity = persona.identity
parts = open_parts(settings)

agent = compile_agent(identity, parts, settings, output_schema=State, background=persona.background)
consolidation = build_consolidation(
    parts, understander_for(parts, settings), agent_id=identity.name, compact_after=settings.compact_after
)
