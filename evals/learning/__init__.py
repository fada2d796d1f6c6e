"""How well the offline extractor learns facts from short conversations, English and Chinese, half of them traps."""
