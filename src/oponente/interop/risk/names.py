"""The territories of the Risk program of Ferrari (UFSM 2022), in its spelling and in its order."""

from __future__ import annotations

from oponente.games.risk.world import classic

_SPELLINGS = {
    "Western United States": "Western America",
    "Eastern United States": "Eastern America",
    "Northwest Territory": "Northwest America",
    "Indonesia": "Indoneasia",
    "New Guinea": "Papua New Guinea",
    "Scandinavia": "Skandinavia",
    "Afghanistan": "Afganistan",
}
"""Where the program's spelling is not that of the classic map, which has its borders and its order."""

TERRITORIES = tuple(_SPELLINGS.get(territory.name, territory.name) for territory in classic().territories)
"""The program's names, by our numbers."""
NUMBERS = {name: number for number, name in enumerate(TERRITORIES)}
"""Our numbers, by the program's names."""
