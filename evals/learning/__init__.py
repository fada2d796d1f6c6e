"""How well the offline extractor learns facts from short conversations; half of them are traps.

`conversations.jsonl` is the balanced set, read by default; `hard.jsonl` is mostly one-line traps;
`unseen_*.jsonl` were each measured once before the rules knew them (README.md).
"""
