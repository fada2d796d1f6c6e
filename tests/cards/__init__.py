"""Character cards written for this project: whole ones of both versions, and ones that are wrong in one way each."""
