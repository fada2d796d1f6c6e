"""What langgraph.json serves: the agent without a checkpointer, which the server brings itself.

Settings come from the environment (PERDURE_*, OPENAI_*). Importing this opens no file and calls no model.
"""

from ..identity.persona_files import load_persona
from ..nodes.state import State
from .builder import build_agent
from .settings import load_settings

settings = load_settings()

agent = build_agent(identity=load_persona(settings.persona), settings=settings, output_schema=State)
