"""One moment of a table as a camera meets it: what lies there, and what becomes of the picture."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.twin.scene import Point, Scene


class Spoiled(StrEnum):
    """The damage to a picture on its way."""

    CLEAR = "clear"
    BLURRED = "blurred"  # something moved, or the camera looked for its focus
    TINTED = "tinted"  # the white balance is wrong


@dataclass(frozen=True, slots=True)
class CameraMoment:
    """The camera's circumstances at one moment.

    Attributes:
        seconds: since the moment before.
        arrives: the picture is not lost on its way.
        is_frozen: the picture before this one comes again.
        moved_mm: how far the table lies from where the camera saw it first.
    """

    scene: Scene
    seconds: float
    spoiled: Spoiled = Spoiled.CLEAR
    arrives: bool = True
    is_frozen: bool = False
    moved_mm: Point = (0.0, 0.0)
