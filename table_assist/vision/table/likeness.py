"""Whether a followed table is like the pictures that the reader's limits were fitted on."""

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.reading.limits import Usual
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import ZoneKind

LASTS_S = 20.0  # what is new is hardly sure for a second or two: more pictures of it follow
LYING = (ZoneKind.RIVER, ZoneKind.MELDS)  # a standing hand's faces are seen from the side


class Likeness:
    """Takes in what is steady on a table; says once, and while it lasts, that it is unlike.

    Attributes:
        words: what people can do about it, with the figure; nothing where all is well.
    """

    def __init__(self, usual: Usual | None) -> None:
        self.words = NOTHING
        self._usual = usual
        self._since_t: float | None = None

    def update(self, seen: Observation) -> None:
        """Take in a steady observation."""
        usual = self._usual
        if usual is None:
            return
        sure = [tile.confidence for tile in seen.tiles if _tells(tile)]
        if not usual.is_unlike(sure):
            self._since_t, self.words = None, NOTHING
            return
        if self._since_t is None or seen.t < self._since_t:  # clocks are set back
            self._since_t = seen.t
        if seen.t - self._since_t >= LASTS_S and not self.words:
            self.words = _words(usual.hardly_sure(sure), len(sure))


def _tells(tile: SeenTile) -> bool:
    is_face = bool(tile.candidates) and tile.candidates[0][0].is_face
    is_whole = tile.why in (None, WhyDoubtful.FACE) and tile.is_clear and tile.age_s == 0
    return is_face and is_whole and tile.zone.kind in LYING


def _words(hardly_sure: int, faces: int) -> Words:
    return Words(
        "{hardly_sure} of {faces} faces are read less surely than usual: learn this tile set "
        "with three photographs (enrol), or look at the light.",
        "{faces} 张牌中有 {hardly_sure} 张认得不如平常有把握：请用三张照片录入这副牌（enrol"
        "），或检查光线。",
        hardly_sure=hardly_sure,
        faces=faces,
    )
