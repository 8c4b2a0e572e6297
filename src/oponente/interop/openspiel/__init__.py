"""OpenSpiel (https://github.com/google-deepmind/open_spiel): our games in it, its bots in our matches.

The module `games` needs the package ``open_spiel``; the agent ``openspiel`` needs it when it plays.
"""
