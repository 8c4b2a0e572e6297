"""VGDL: what distinguishes the classes of sprites before a description says anything about them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from oponente.games.vgdl.kinds import DOWN, LEFT, RIGHT, UP, USE
from oponente.games.vgdl.ontology import CLASSES

NOWHERE = (0.0, 0.0)
EAST = (1.0, 0.0)
NOT_DRAWN = (-1.0, -1.0)
"""The orientation of a RandomMissile until its first update."""


@dataclass(frozen=True)
class ClassFacts:
    """The defaults of a class."""

    speed: float = 0.0
    orientation: tuple[float, float] = NOWHERE
    oriented: bool = False
    """Whether it has an orientation even if none is given."""
    static: bool = False
    npc: bool = False
    portal: bool = False
    resource: bool = False
    avatar: bool = False
    rotates: bool = False
    """Whether a move in another direction than its own only turns it."""
    acts: bool = False
    """Whether it does anything in a tick, apart from moving along its orientation and from ageing."""
    lingers: bool = False
    """Whether it is a flicker."""
    spreads: bool = False
    continuous: bool = False
    """Whether it has continuous physics if nothing else is said."""
    lands: bool = False
    """Whether it knows that it stands on something."""
    jump: float = 0.0
    """jump_strength."""
    turn: float = 0.0
    """angle_diff."""
    max_speed: float = -1.0
    """Pixels a tick; -1: any."""
    actions: tuple[int, ...] = ()
    """Of an avatar, in the framework's order; doing nothing is always possible."""
    makes: str = "stype"
    """The key that names what it makes, chases or leads to."""
    probability: str = "prob"
    """The key of its probability."""
    default_probability: float = 1.0


_MOVES = (LEFT, RIGHT, DOWN, UP)
_SHOOTS = (USE, *_MOVES)
_NPC = ClassFacts(speed=1.0, npc=True, acts=True)
_CHASER = _NPC
_PATHS = ClassFacts(speed=1.0, npc=True, acts=True, makes="stype1", probability="epsilon", default_probability=0.0)
_BOMBER = ClassFacts(orientation=EAST, oriented=True, npc=True, acts=True)
_WALKER = ClassFacts(
    speed=5.0,
    orientation=EAST,
    oriented=True,
    npc=True,
    acts=True,
    continuous=True,
    lands=True,
    max_speed=5.0,
    jump=1.0,
    probability="probability",
    default_probability=0.1,
)
_MOVER = ClassFacts(speed=1.0, avatar=True, actions=_MOVES)
_TURNER = ClassFacts(speed=1.0, avatar=True, orientation=EAST, oriented=True, rotates=True, actions=_MOVES)
_SHOOTER = ClassFacts(speed=1.0, avatar=True, orientation=EAST, oriented=True, rotates=True, actions=_SHOOTS)
_ONGOING = ClassFacts(speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=_MOVES)

_PLATFORMER = ClassFacts(speed=1.0, avatar=True, continuous=True, lands=True, jump=10.0, max_speed=30.0)

FACTS: dict[str, ClassFacts] = {
    "Immovable": ClassFacts(static=True),
    "Door": ClassFacts(static=True, portal=True),
    "Passive": ClassFacts(),
    "Resource": ClassFacts(resource=True),
    "ResourcePack": ClassFacts(resource=True, static=True),
    "Flicker": ClassFacts(acts=True, lingers=True),
    "OrientedFlicker": ClassFacts(acts=True, lingers=True, oriented=True),
    "Spreader": ClassFacts(acts=True, lingers=True, spreads=True, probability="spreadprob"),
    "Conveyor": ClassFacts(static=True, oriented=True),
    "Missile": ClassFacts(speed=1.0, oriented=True),
    "RandomMissile": ClassFacts(speed=1.0, orientation=NOT_DRAWN, oriented=True, acts=True),
    "ErraticMissile": ClassFacts(speed=1.0, oriented=True),
    "RandomNPC": _NPC,
    "RandomInertial": ClassFacts(speed=1.0, npc=True, acts=True, continuous=True, oriented=True),
    "Chaser": _CHASER,
    "Fleeing": _CHASER,
    "LOSChaser": _CHASER,
    "AlternateChaser": _PATHS,
    "RandomAltChaser": _PATHS,
    "PathChaser": ClassFacts(speed=1.0, npc=True, acts=True),
    "PathAltChaser": _PATHS,
    "RandomPathAltChaser": _PATHS,
    "SpawnPoint": ClassFacts(static=True, acts=True),
    "SpawnPointMultiSprite": ClassFacts(static=True, acts=True, orientation=EAST, oriented=True, makes="stypes"),
    "Bomber": _BOMBER,
    "RandomBomber": ClassFacts(speed=1.0, orientation=EAST, oriented=True, npc=True, acts=True),
    "BomberRandomMissile": ClassFacts(orientation=EAST, oriented=True, npc=True, acts=True, makes="stypeMissile"),
    "Portal": ClassFacts(static=True, portal=True),
    "Walker": _WALKER,
    "WalkerJumper": _WALKER,
    "MovingAvatar": _MOVER,
    "HorizontalAvatar": ClassFacts(speed=1.0, avatar=True, actions=(LEFT, RIGHT)),
    "VerticalAvatar": ClassFacts(speed=1.0, avatar=True, actions=(UP, DOWN)),
    "NullAvatar": ClassFacts(speed=1.0, avatar=True),
    "FlakAvatar": ClassFacts(speed=1.0, avatar=True, actions=(USE, LEFT, RIGHT)),
    "OrientedAvatar": _TURNER,
    "ShootAvatar": _SHOOTER,
    "ShootOnlyAvatar": ClassFacts(
        speed=1.0, avatar=True, orientation=EAST, oriented=True, rotates=True, actions=_SHOOTS
    ),
    "OngoingAvatar": _ONGOING,
    "OngoingTurningAvatar": ClassFacts(
        speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=_MOVES, makes="spawnBehind"
    ),
    "OngoingShootAvatar": ClassFacts(speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=_SHOOTS),
    "MissileAvatar": ClassFacts(speed=1.0, avatar=True, oriented=True, actions=_MOVES),
    "AimedAvatar": ClassFacts(
        speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=(USE, DOWN, UP), continuous=True, turn=0.15
    ),
    "BirdAvatar": ClassFacts(
        speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=(USE,), continuous=True, jump=10.0
    ),
    "CarAvatar": ClassFacts(
        speed=1.0, avatar=True, oriented=True, orientation=EAST, actions=_MOVES, continuous=True, turn=0.15
    ),
    "LanderAvatar": ClassFacts(speed=1.0, avatar=True, oriented=True, actions=_MOVES, continuous=True, turn=0.3),
    "SpaceshipAvatar": ClassFacts(speed=1.0, avatar=True, oriented=True, actions=_SHOOTS, continuous=True, turn=0.3),
    "PlatformerAvatar": replace(_PLATFORMER, actions=(LEFT, RIGHT, USE)),
    "WizardAvatar": replace(_PLATFORMER, speed=0.0, actions=(LEFT, RIGHT, USE, UP)),
}
"""By class."""

assert set(FACTS) == set(CLASSES)
