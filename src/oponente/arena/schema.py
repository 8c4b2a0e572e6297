"""The tables in which played games are kept.

``oponente_schema``: one row that marks the database as ours
    ``version``: version of this schema.

``matches``: one row per match
    ``id``;
    ``digest``: identity, 32 hexadecimal digits (:attr:`~oponente.arena.match.MatchSpec.digest`);
    ``game``, ``game_file``, ``options`` (JSON object of texts), ``agents`` (JSON list of specs), ``agent_files`` (JSON
    list), ``games`` (how many are wanted), ``seed``, ``opening_plies``, ``seconds``, ``max_plies``, ``rotate`` (null in
    matches of schema version 1, which all did): the match;
    ``package_version``: of oponente;
    ``created``: UTC.

``games``: one row per finished game
    ``match_id``, ``number``: primary key; the index of the game in its match, from 0;
    ``block``: games with equal block share start position, opening and chance;
    ``start_seed``: ``game.start(start_seed)`` is the start position;
    ``opening``: how many of the actions, at the beginning, were drawn at random;
    ``actions`` (JSON list): actions and chance outcomes, in order; ``length``: how many;
    ``returns`` (JSON list): utility of each seat;
    ``status``: ``played``, ``forfeit`` or ``limit``; ``reason``: why, if not by the rules; ``forfeited_by``: seat;
    ``reproducible``: whether the same match gives the same game again;
    ``finished``: UTC.

``seats``: one row per seat of a finished game
    ``match_id``, ``number``, ``seat``: primary key;
    ``agent``: which agent of the match sat there, from 0;
    ``decisions``: how many it took; ``total_ms``: time of all together;
    ``decision_ms``: time of each, as little-endian 32-bit floats;
    ``nodes``: nodes or simulations of all together, null if the agent does not tell;
    ``facts`` (JSON object of numbers): facts about the seat at the end, null if the game has none or they were not
    noted (schema version 1).

Version 2 added ``matches.rotate`` and ``seats.facts``. A database of version 1 gets them when it is opened for
writing, and is read as it is otherwise.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

SCHEMA_VERSION = 2

metadata = sa.MetaData()

schema_table = sa.Table("oponente_schema", metadata, sa.Column("version", sa.Integer, nullable=False))

matches_table = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.String(32), nullable=False, index=True),
    sa.Column("game", sa.String(200), nullable=False),
    sa.Column("game_file", sa.Text),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("agents", sa.JSON, nullable=False),
    sa.Column("agent_files", sa.JSON, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("opening_plies", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Double),
    sa.Column("max_plies", sa.Integer),
    sa.Column("rotate", sa.Boolean),
    sa.Column("package_version", sa.String(50), nullable=False),
    sa.Column("created", sa.DateTime, nullable=False),
)

games_table = sa.Table(
    "games",
    metadata,
    sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("block", sa.Integer, nullable=False),
    sa.Column("start_seed", sa.BigInteger, nullable=False),
    sa.Column("opening", sa.Integer, nullable=False),
    sa.Column("actions", sa.JSON, nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    sa.Column("returns", sa.JSON, nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("forfeited_by", sa.Integer),
    sa.Column("reproducible", sa.Boolean, nullable=False),
    sa.Column("finished", sa.DateTime, nullable=False),
)

seats_table = sa.Table(
    "seats",
    metadata,
    sa.Column("match_id", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("agent", sa.Integer, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("total_ms", sa.Double, nullable=False),
    sa.Column("decision_ms", sa.LargeBinary, nullable=False),
    sa.Column("nodes", sa.BigInteger),
    sa.Column("facts", sa.JSON(none_as_null=True)),
    sa.ForeignKeyConstraint(["match_id", "number"], ["games.match_id", "games.number"]),
)

ADDED: dict[int, tuple[sa.Column[Any], ...]] = {2: (matches_table.c.rotate, seats_table.c.facts)}
"""Columns that came with each later version; all may be null."""
