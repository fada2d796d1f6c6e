"""Does the agent find again what was said? Questions with marked evidence, asked of the product's own recall.

    python -m perdure.evals.recall FILE [--json OUT] [--limit N] [--no-baselines] [--out DIR]

FILE is in the layout of LoCoMo or of LongMemEval, or `en` or `zh`: the matching sets that come along.
"""
