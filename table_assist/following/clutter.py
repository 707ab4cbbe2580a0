"""What lay on the table before the hand: emblems, chips and crumbs are no tiles of its play.

Nothing lies in a river or among the melds, and no face in a wall, before the walls stand and the
dice have fallen. What was seen there before that, and lies there still, is clutter for the whole
hand, whatever it looks like.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import hypot

from table_assist.tiles.tile import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_tracker import SAME_PLACE_MM
from table_assist.vision.table.zones import LYING, ZoneKind

# A hand that is begun by a tap may have been played for long: then what is read may be its tiles,
# and so much that was never read no clutter.
PLAYED_S, FEW_UNREAD = 60.0, 3
# What was seen itself longer ago may have been cleared away while nobody could see it: it is no
# clutter, and nothing else either until it is seen again.
UNSEEN_S = 5.0


class Clutter:
    """Remembers what lay there when the hand was dealt.

    Attributes:
        places: of clutter, in mm; of this hand, or as they were kept over a restart.
    """

    def __init__(self) -> None:
        self.places: tuple[Point, ...] = ()
        self._since: dict[int, float] = {}
        self._ids: frozenset[int] = frozenset()
        self._kept: tuple[Point, ...] = ()
        self._hand = 0

    def keep(self, hand: int, places: Iterable[Point]) -> None:
        """What was clutter of a hand before the program was started anew."""
        self._hand, self.places = hand, tuple(places)
        self._kept = self.places

    def add(self, id: int, place: Point) -> None:
        """Something that was taken for a tile, and is none."""
        self._ids |= {id}
        self.places = (*self.places, place)

    def without(
        self, observation: Observation, hand: int, dealt_t: float | None, *, is_dealt: bool
    ) -> Observation:
        """The observation without clutter.

        Args:
            hand: the number of the hand that runs.
            dealt_t: when its dice fell or its walls stood, or may have; None: no hand runs.
            is_dealt: they did; else a tap began it.
        """
        # What stands in the wall is read as this and that, but lies face down.
        lying = [
            each
            for each in observation.tiles
            if (each.zone.kind in LYING and each.tile is not Tile.BACK)
            or (each.zone.kind is ZoneKind.WALL and each.tile.is_face)
        ]
        self._since = {
            each.id: self._since.get(each.id, observation.t) for each in lying if each.id
        }
        if dealt_t is None:
            return observation
        if hand != self._hand:
            old = [
                each
                for each in lying
                if each.age_s < UNSEEN_S and self._since.get(each.id, dealt_t) < dealt_t
            ]
            if not is_dealt:
                old = [each for each in old if not each.tile.is_face]
                old = old if len(old) <= FEW_UNREAD else []
            self._ids, self._kept = frozenset(each.id for each in old), ()
            self._hand, self.places = hand, tuple((each.x_mm, each.y_mm) for each in old)
        # By their identity, else by their place, after a restart
        old = [
            each
            for each in lying
            if each.id in self._ids
            or (each.age_s >= UNSEEN_S and observation.t - each.age_s < dealt_t)
            or any(hypot(x - each.x_mm, y - each.y_mm) < SAME_PLACE_MM / 2 for x, y in self._kept)
        ]
        return replace(observation, tiles=tuple(x for x in observation.tiles if x not in old))
