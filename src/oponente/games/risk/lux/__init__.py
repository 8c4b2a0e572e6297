"""Agents that play as those of the game Lux do, written from a description of how they behave.

They play 2 to 6 players with cards. Each is a *profile*: how it picks territories, places, attacks, moves in, moves at
the end of a turn, and when it trades cards (:mod:`oponente.games.risk.lux.profiles`). A routine of attacks that Lux
runs as a whole is found anew after each throw here: the first one in the agent's order that attacks.
"""
