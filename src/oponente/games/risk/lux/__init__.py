"""Agents that play as those of the game Lux do, written from a description of how they behave.

They play 2 to 6 players with cards. Each is a *profile*: how it picks territories, places, attacks, moves in, moves at
the end of a turn, and when it trades cards (:mod:`oponente.games.risk.lux.profiles`). Lux runs an agent's attacks as a
whole; here it is asked throw by throw, and remembers at which step, and at which territory, it is.
"""
