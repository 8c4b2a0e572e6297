"""Games of the Risk program of Ferrari (UFSM 2022), replayed by our rules."""
