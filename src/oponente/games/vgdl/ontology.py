"""VGDL: the names that the language knows. What they mean is in the compiler and in the interpreter."""

from __future__ import annotations

CONSTANTS: dict[str, int | tuple[float, float]] = {
    "UP": (0.0, -1.0),
    "DOWN": (0.0, 1.0),
    "LEFT": (-1.0, 0.0),
    "RIGHT": (1.0, 0.0),
    "NONE": (0.0, 0.0),
    "NIL": (-1.0, -1.0),
    "DUP": (0.0, -1.0),
    "DDOWN": (0.0, 1.0),
    "DLEFT": (-1.0, 0.0),
    "DRIGHT": (1.0, 0.0),
    "GRID": 0,
    "CONT": 1,
}
"""Words that stand for a value: directions and kinds of physics."""

COLOURS: dict[str, str] = {
    "GREEN": "#00c800",
    "BLUE": "#0000c8",
    "RED": "#c80000",
    "GRAY": "#5a5a5a",
    "WHITE": "#fafafa",
    "BROWN": "#8c7864",
    "BLACK": "#000000",
    "ORANGE": "#faa000",
    "YELLOW": "#fafa00",
    "PINK": "#fac8c8",
    "GOLD": "#fad400",
    "LIGHTRED": "#fa3232",
    "LIGHTORANGE": "#fac864",
    "LIGHTBLUE": "#3264fa",
    "LIGHTGREEN": "#32fa32",
    "LIGHTGRAY": "#969696",
    "DARKGRAY": "#1e1e1e",
    "DARKBLUE": "#141464",
    "PURPLE": "#801480",
}
"""Words that stand for a colour."""

STRING_KEYS = frozenset({"win", "hidden", "invisible", "scoreChange", "scoreChangeIfKilled"})
"""Keys whose value ``true`` or ``false`` stays a text, because a list with one entry per player may stand there."""


def _keys(text: str = "") -> set[str]:
    return set(text.split())


COMMON_SPRITE_KEYS = _keys(
    "speed cooldown orientation singleton portal hidden invisible physicstype mass gravity friction max_speed "
    "jump_strength stationary rotateInPlace only_active is_npc is_static healthPoints maxHealthPoints "
    "limitHealthPoints timeToLive solid wMult hMult img orientedImg color shrinkfactor autotiling randomtiling "
    "frameRate"
)

_SHOOTER = _keys("stype ammo minAmmo ammoCost")
_SPAWNER = _keys("stype prob total spawnorientation")
_CHASER = _keys("stype cons maxDistance fleeing")
_PATH = _keys("stype stype1 stype2 fleeing randomTarget cons maxDistance")

CLASSES: dict[str, set[str]] = {
    "Immovable": _keys(),
    "Door": _keys(),
    "Passive": _keys(),
    "Resource": _keys("limit value"),
    "ResourcePack": _keys("limit value"),
    "Flicker": _keys("limit"),
    "OrientedFlicker": _keys("limit"),
    "Spreader": _keys("limit spreadprob stype"),
    "Conveyor": _keys(),
    "Missile": _keys(),
    "RandomMissile": _keys(),
    "ErraticMissile": _keys("prob"),
    "RandomNPC": _keys("cons"),
    "RandomInertial": _keys("cons"),
    "Chaser": _CHASER,
    "Fleeing": _CHASER,
    "LOSChaser": _CHASER,
    "AlternateChaser": _PATH,
    "RandomAltChaser": _PATH | _keys("epsilon"),
    "PathChaser": _PATH,
    "PathAltChaser": _PATH,
    "RandomPathAltChaser": _PATH | _keys("epsilon"),
    "SpawnPoint": _SPAWNER,
    "SpawnPointMultiSprite": _SPAWNER | _keys("stypes"),
    "Bomber": _SPAWNER,
    "RandomBomber": _SPAWNER,
    "BomberRandomMissile": _SPAWNER | _keys("stypeMissile"),
    "Portal": _keys("stype"),
    "Walker": _keys("airsteering"),
    "WalkerJumper": _keys("airsteering probability"),
    "MovingAvatar": _keys("alternate_keys"),
    "HorizontalAvatar": _keys(),
    "VerticalAvatar": _keys(),
    "NullAvatar": _keys(),
    "FlakAvatar": _SHOOTER,
    "OrientedAvatar": _keys(),
    "ShootAvatar": _SHOOTER,
    "ShootOnlyAvatar": _SHOOTER,
    "OngoingAvatar": _keys(),
    "OngoingTurningAvatar": _keys("spawnBehind"),
    "OngoingShootAvatar": _SHOOTER,
    "MissileAvatar": _keys(),
    "AimedAvatar": _SHOOTER | _keys("angle_diff"),
    "BirdAvatar": _keys(),
    "CarAvatar": _keys("angle_diff"),
    "LanderAvatar": _keys("angle_diff"),
    "SpaceshipAvatar": _SHOOTER | _keys("angle_diff"),
    "PlatformerAvatar": _keys("ground_speedup_factor air_slowdown_factor airsteering"),
    "WizardAvatar": _SHOOTER | _keys("ground_speedup_factor air_slowdown_factor airsteering facing_dir"),
}
"""The classes of sprites, with the keys that they add to those of every sprite."""

COMMON_EFFECT_KEYS = _keys("scoreChange counter counterElse prob repeat timer repeating nextExecution")

EFFECTS: dict[str, set[str]] = {
    "killSprite": _keys(),
    "killBoth": _keys(),
    "killAll": _keys("stype"),
    "killIfAlive": _keys(),
    "killIfHasMore": _keys("resource limit"),
    "killIfHasLess": _keys("resource limit"),
    "killIfOtherHasMore": _keys("resource limit subtract"),
    "killIfFromAbove": _keys(),
    "killIfFrontal": _keys(),
    "killIfNotFrontal": _keys(),
    "killIfSlow": _keys("limspeed"),
    "killIfFast": _keys("limspeed"),
    "killIfNotUpright": _keys(),
    "transformTo": _keys("stype killSecond forceOrientation"),
    "transformToAll": _keys("stype stypeTo killSecond forceOrientation"),
    "transformToSingleton": _keys("stype stype_other takeOrientation"),
    "transformToRandomChild": _keys("stype"),
    "transformIfCount": _keys("stype stypeCount geq leq estype"),
    "cloneSprite": _keys(),
    "spawn": _keys("stype"),
    "spawnAbove": _keys("stype stepBack"),
    "spawnBelow": _keys("stype stepBack"),
    "spawnLeft": _keys("stype stepBack"),
    "spawnRight": _keys("stype stepBack"),
    "spawnBehind": _keys("stype"),
    "spawnIfHasMore": _keys("resource limit stype spend"),
    "spawnIfHasLess": _keys("resource limit stype spend"),
    "spawnIfCounterSubTypes": _keys("stype estype stypeCount limit subTypesNum"),
    "stepBack": _keys("pixelPerfect"),
    "undoAll": _keys("notStype"),
    "bounceForward": _keys(),
    "pullWithIt": _keys("pixelPerfect"),
    "wrapAround": _keys("offset"),
    "turnAround": _keys(),
    "reverseDirection": _keys(),
    "flipDirection": _keys(),
    "attractGaze": _keys("align"),
    "align": _keys("orient"),
    "teleportToExit": _keys(),
    "collectResource": _keys("killResource"),
    "collectResourceIfHeld": _keys("heldResource value killResource"),
    "changeResource": _keys("resource value killResource"),
    "addHealthPoints": _keys("value killSecond"),
    "addHealthPointsToMax": _keys("value killSecond"),
    "subtractHealthPoints": _keys("value limit stype scoreChangeIfKilled"),
    "removeScore": _keys("stype killSecond"),
    "addTimer": _keys("timer ftype"),
    "shieldFrom": _keys("stype ftype"),
    "updateSpawnType": _keys("stype spawnPoint"),
    "increaseSpeedToAll": _keys("stype value"),
    "decreaseSpeedToAll": _keys("stype value"),
    "setSpeedForAll": _keys("stype value"),
    "halfSpeed": _keys(),
    "waterPhysics": _keys(),
    "wallStop": _keys(),
    "wallBounce": _keys(),
    "wallReverse": _keys(),
    "bounceDirection": _keys("maxBounceAngleDeg"),
}
"""The effects, with the keys that they add to those of every effect."""

TERMINATIONS: dict[str, set[str]] = {
    "SpriteCounter": _keys("stype limit win count_score"),
    "SpriteCounterMore": _keys("stype limit win count_score"),
    "MultiSpriteCounter": _keys("stype1 stype2 stype3 limit min win count_score"),
    "MultiSpriteCounterSubTypes": _keys("stype1 stype2 stype3 limit subTypesNum win count_score"),
    "Timeout": _keys("limit win count_score use_counter compare limits"),
    "StopCounter": _keys("stype1 stype2 stype3 limit min win count_score"),
}
"""The terminations, with their keys."""

NEEDED_BY_CLASS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Chaser", "Fleeing", "LOSChaser", "PathChaser"), ("stype",)),
    **dict.fromkeys(("AlternateChaser", "RandomAltChaser", "PathAltChaser", "RandomPathAltChaser"), ("stype1",)),
    **dict.fromkeys(("SpawnPoint", "Bomber", "RandomBomber"), ("stype",)),
    "SpawnPointMultiSprite": ("stypes",),
    "BomberRandomMissile": ("stypeMissile",),
    **dict.fromkeys(("FlakAvatar", "ShootAvatar", "ShootOnlyAvatar", "OngoingShootAvatar", "AimedAvatar"), ("stype",)),
}
"""The keys without which a class has nothing to chase, to make or to shoot."""

NEEDED_BY_EFFECT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("killAll", "transformTo", "transformToRandomChild"), ("stype",)),
    "transformToAll": ("stype", "stypeTo"),
    "transformToSingleton": ("stype", "stype_other"),
    "transformIfCount": ("stype", "stypeCount"),
    **dict.fromkeys(("spawn", "spawnAbove", "spawnBelow", "spawnLeft", "spawnRight", "spawnBehind"), ("stype",)),
    **dict.fromkeys(("spawnIfHasMore", "spawnIfHasLess"), ("stype", "resource")),
    "spawnIfCounterSubTypes": ("stypeCount",),
    **dict.fromkeys(("killIfHasMore", "killIfHasLess", "killIfOtherHasMore", "changeResource"), ("resource",)),
    "collectResourceIfHeld": ("heldResource",),
    "shieldFrom": ("stype",),
    "updateSpawnType": ("stype", "spawnPoint"),
    **dict.fromkeys(("increaseSpeedToAll", "decreaseSpeedToAll", "setSpeedForAll"), ("stype",)),
}
"""The keys without which an effect has nothing to work on."""

NEEDED_BY_TERMINATION: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("SpriteCounter", "SpriteCounterMore"), ("stype",)),
    **dict.fromkeys(
        ("MultiSpriteCounter", "MultiSpriteCounterSubTypes", "StopCounter"), ("stype1", "stype2", "stype3")
    ),
}
"""The keys of which a termination needs one, to have what it counts."""
