"""What the rule understander goes by, one matter a file. Pure; silence beats a wrong memory."""
