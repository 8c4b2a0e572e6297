"""The agents of Ferrari (UFSM 2022), "Risk-Agents", exactly as their programs behave.

They play two-player games without cards, hidden things or a set-up (``rules=thesis-2022``). Where a choice is tied, the
first in an order counts: that in which the owner got the territories (*owned order*), that of the map (*id order*), or
that of a territory's neighbours. All attack with the most dice.
"""
