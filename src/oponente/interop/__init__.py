"""What connects the package to other engines: their notation, and their recordings replayed by our rules."""
