"""What a followed table says of a drawn one is compared tile by tile with what lies there."""

from models.placed import counted
from table_assist.tiles.tile import Tile
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.zones import Zone, ZoneKind

FAR = Viewpoint(0.0, 0.0, 1e9)
RIVER, HAND = Zone(ZoneKind.RIVER, 0), Zone(ZoneKind.HAND, 0)


def test_each_face_is_right_asked_wrong_or_not_seen_and_the_rest_is_where_nothing_is() -> None:
    river = [PlacedTile(Tile.P5, x, -110.0, 0.0) for x in (-60.0, -30.0, 0.0, 30.0)]
    standing = PlacedTile(Tile.P5, 0.0, -366.0, 0.0, Pose.STANDING)
    seen = [
        SeenTile(Tile.P5, 0.99, -60.0, -110.0, 26.0, RIVER),
        SeenTile(Tile.UNKNOWN, 0.4, -28.0, -110.0, 26.0, RIVER, why=WhyDoubtful.PART),
        SeenTile(Tile.P2, 0.99, 0.0, -112.0, 26.0, RIVER),
        SeenTile(Tile.P5, 0.99, 0.0, -360.0, 26.0, HAND),
        SeenTile(Tile.M1, 0.99, 100.0, -110.0, 26.0, RIVER),
    ]
    found = counted(Scene((*river, standing)), FAR, Observation(0.0, tuple(seen)))
    assert +found == {
        "right": 1,
        "? (part)": 1,
        "wrong": 1,
        "not seen": 1,
        "standing tiles told": 1,
        "faces where nothing is": 1,
    }
