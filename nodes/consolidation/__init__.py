"""The boxes of the consolidation graph: load, extract, filter, reconcile, commit."""
