"""How well the offline extractor learns facts from short conversations; half of them are traps.

`conversations.jsonl` is the balanced set, read by default; `hard.jsonl` is mostly one-line traps.
"""
