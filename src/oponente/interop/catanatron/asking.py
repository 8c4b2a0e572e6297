"""Whom Catanatron asks when an offer is made.

It asks the seats in ascending order, the offering one included, unless that is seat 0. A seat that takes its own offer
may then be confirmed as the partner. By the rule book only the others answer, so none of this is in our states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oponente.games.catan.cards import unpack
from oponente.games.catan.moves import CONFIRMING
from oponente.interop.catanatron.notation import Action, legal_texts, text
from oponente.kernel import State


@dataclass
class Asking:
    """An offer as Catanatron handles it, from its answers on until a trade is made or called off."""

    offerer: int
    counts: list[Any]
    """Five cards given, five wanted."""
    players: int
    answers: dict[int, bool] = field(default_factory=dict)
    """Whether each seat so far takes the offer."""

    @property
    def asked(self) -> int | None:
        """The seat that is asked; None if all have answered."""
        for seat in range(self.players):
            if seat not in self.answers and (seat != self.offerer or seat > 0):
                return seat
        return None

    def answer(self, takes: bool) -> None:
        """Note the answer of the seat that is asked."""
        assert self.asked is not None
        self.answers[self.asked] = takes

    @property
    def asks_offerer(self) -> bool:
        """Whether the offerer is asked about its own offer."""
        return self.asked == self.offerer

    @property
    def over(self) -> bool:
        """Whether all have answered, and nobody takes it."""
        return self.asked is None and not any(self.answers.values())

    @property
    def taken_by_offerer(self) -> bool:
        """Whether the offerer takes its own offer."""
        return self.answers.get(self.offerer, False)

    @property
    def confirms_self(self) -> bool:
        """Whether the offerer may confirm the trade with itself."""
        return self.asked is None and self.taken_by_offerer

    @property
    def self_confirmation(self) -> Action:
        """The confirmation of the trade with oneself."""
        return [self.offerer, "CONFIRM_TRADE", [*self.counts, self.offerer]]

    def adjust(self, state: State, fields: dict[str, Any], legal: set[str]) -> set[str]:
        """Change what our state says to what Catanatron's says where the offerer's own answer makes them differ.

        Returns:
            The legal actions; `fields` is changed in place.
        """
        if self.asks_offerer:
            fields["prompt"], fields["actor"] = "DECIDE_TRADE", self.offerer
            held = unpack(state.record.known[self.offerer][self.offerer])
            kinds = ["REJECT_TRADE"]
            if all(have >= want for have, want in zip(held, self.counts[5:], strict=True)):
                kinds.append("ACCEPT_TRADE")
            return {text([self.offerer, kind, self.counts]) for kind in kinds}
        if self.confirms_self:
            fields["prompt"], fields["actor"] = "DECIDE_ACCEPTEES", self.offerer
            partners = set(legal_texts(state)) if state.record.phase == CONFIRMING else set()
            return partners | {text([self.offerer, "CANCEL_TRADE", None]), text(self.self_confirmation)}
        return legal
