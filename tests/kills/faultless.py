"""Eyes that make no mistake, for what has nothing to do with eyes."""

from table_assist.twin.scene import Scene
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, to_seat, zone_at


def faultless(scene: Scene, t: float) -> Observation:
    """The table as one picture would show it to a reader that knows everything."""
    tiles = []
    for placed in scene.tiles:
        face = placed.shows
        if face is None:
            continue
        zone = zone_at(placed.x_mm, placed.y_mm, Layout())
        if zone.kind is ZoneKind.ELSEWHERE:
            continue
        tiles.append(
            SeenTile(
                tile=face,
                confidence=1.0,
                x_mm=placed.x_mm,
                y_mm=placed.y_mm,
                width_mm=_width(placed.corners_mm(), zone),
                zone=zone,
                candidates=((face, 1.0),),
            )
        )
    values = tuple(sorted(die.value for die in scene.dice))
    dice = tuple(SeenDie(die.value, die.x_mm, die.y_mm) for die in scene.dice)
    return Observation(t, tuple(tiles), values, dice)


def _width(corners: tuple[tuple[float, float], ...], zone: Zone) -> float:
    across = [to_seat(x, y, zone.seat or 0)[0] for x, y in corners]
    return max(across) - min(across)
