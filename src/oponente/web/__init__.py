"""The page: a server on this machine, and what browsers load from it, to play, watch and analyse games.

:mod:`~oponente.web.app` puts together what the server answers. A *room* (:mod:`~oponente.web.room`) is a game that is
played, or a record that is looked at (:mod:`~oponente.web.replaying`); the *lobby* (:mod:`~oponente.web.lobby`) knows
the rooms by the tokens in links. Each browser that has a link open is a *visitor* of a room
(:mod:`~oponente.web.visitors`), and gets only what the seat of its link may see.
"""
