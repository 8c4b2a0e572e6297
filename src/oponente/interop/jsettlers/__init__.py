"""Catan on a JSettlers server: its messages, a mirror of its games in our rules, and a client that plays in them."""
