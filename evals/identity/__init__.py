"""How well a persona stays itself: probes under pressure, before and after a hundred sessions.

`python -m perdure.evals.identity` runs them for every built-in persona. README.md says what is scored and how.
"""
