"""The GVGAI framework: its recordings replayed."""
