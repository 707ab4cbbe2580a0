"""Reading picture after picture of one camera: only what changed is looked at again."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from table_assist.vision.pictures.daylight import in_the_light_of
from table_assist.vision.pictures.motion import (
    BLOCK,
    Box,
    Watched,
    changed_blocks,
    clusters,
    renew,
    touched,
    watch,
)
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.areas import grown, holds, in_any, meet, outwards, pieces_for
from table_assist.vision.reading.detect import (
    COARSEST_STEP,
    Detections,
    Detector,
    box_area,
    shared_areas,
)
from table_assist.vision.reading.motion_gate import MotionGate
from table_assist.vision.reading.named_boxes import NamedBoxes, same_boxes, unmatched
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.rechecks import Rechecks
from table_assist.vision.reading.recognise import without_parts
from table_assist.vision.reading.tiling import (
    SAME_THING,
    Found,
    PicturePiece,
    in_picture,
    merge,
    plan_pieces,
    select,
)

# A small change is looked at in a small part of the picture: a pass costs what its area costs.
#
# A discard on a table of 1080 lines takes a sixth of a whole piece's time, and only one pass where
# up to four pieces show it.

# Pixels of the detector's around a change. With two tiles' widths of a small picture one back of a
# wall in twenty was not found that a whole piece shows; with 96 no more than another piece misses.
CONTEXT_PX = 96
MOST_CHANGED = 0.75  # of a whole input's area: a larger change is read in whole pieces


def part_around(
    area: Box, piece: PicturePiece, size_wh: tuple[int, int], input_size: int
) -> PicturePiece | None:
    """The part in which a change is looked at; None: whole pieces show it better.

    Args:
        area: what changed, with all that it touches, in the picture's pixels.
        piece: any, for its scale.
        size_wh: the picture's.
    """
    gain = round(piece.gain)
    if not math.isclose(gain, piece.gain, rel_tol=1e-3):
        return None  # the whole picture is one piece
    spans = [
        _span(area[axis] // gain, -(-area[axis + 2] // gain), size_wh[axis] // gain)
        for axis in (0, 1)
    ]
    (left, right), (top, bottom) = spans
    width, height = right - left, bottom - top
    if max(width, height) > input_size or width * height > MOST_CHANGED * input_size**2:
        return None
    ltrb = left * gain, top * gain, right * gain, bottom * gain
    inner = left > 0, top > 0, right < size_wh[0] // gain, bottom < size_wh[1] // gain
    return PicturePiece(ltrb, (width, height), inner, piece.level)


def joined(areas: Sequence[Box], part_of: Callable[[Box], PicturePiece | None]) -> list[Box]:
    """The areas, of which those are one that are looked at sooner together than one by one."""
    left, done = list(areas), []
    while left:
        one = left.pop()
        for index, other in enumerate(left):
            low = min(one[0], other[0]), min(one[1], other[1])
            both = (*low, max(one[2], other[2]), max(one[3], other[3]))
            parts = [part_of(area) for area in (both, one, other)]
            if None not in parts and _pixels(parts[0]) <= _pixels(parts[1]) + _pixels(parts[2]):
                left[index] = both
                break
        else:
            done.append(one)
    return done


def _pixels(part: PicturePiece | None) -> int:
    return 0 if part is None else part.size_wh[0] * part.size_wh[1]


def _span(low: int, high: int, most: int) -> tuple[int, int]:
    """With what is around, in whole steps where there is room for them."""
    wanted = high - low + 2 * CONTEXT_PX
    length = min(-(-wanted // COARSEST_STEP) * COARSEST_STEP, most)
    start = min(max((low + high - length) // 2, 0), most - length)
    return start, start + length


# Boxes on a thing that is too large for a tile: an emblem on the cloth, a tray.
#
# With an emblem's ring around them the detector finds the emblem, and of the tiles that lie on it
# none. Without its edge there is no emblem, and they are found as on plain cloth.

# Times a tile's width: a tile across a square is 1.7 of it, seen from low above twice as much at
# the near side of the table.
LARGEST_TILE = 3.4
EDGE_LEFT_OUT = 0.1  # of a large thing's sides, each way, that is left out
# Tiles on four emblems had 0.73 to 0.84 each without the ring; on the bare ones nothing was found.
SURE_WITHOUT_RING = 0.5


def _seen_on(
    detector: Detector, image: Image, piece: PicturePiece, box: Array, tile_px: float
) -> Found:
    """The boxes whole within a large thing's edge."""
    edge = EDGE_LEFT_OUT * (box[2:] - box[:2])
    left, top, right, bottom = np.round([*(box[:2] + edge), *(box[2:] - edge)]).astype(int).tolist()
    width, height = round((right - left) / piece.gain), round((bottom - top) / piece.gain)
    if min(width, height) < 1:
        return Found(Detections(box[:0].reshape(-1, 4), box[:0]), np.empty(0, np.bool_))
    inside = PicturePiece((left, top, right, bottom), (width, height), (True,) * 4, piece.level)
    found = in_picture(detector.detect_part(inside.cut(image)), inside)
    is_sure = found.detections.score >= SURE_WITHOUT_RING
    return select(found, is_sure & ~found.cut_off & ~_is_large(found, tile_px))


def _is_large(found: Found, tile_px: float) -> Mask:
    xyxy = found.detections.xyxy
    longest = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0.0)
    return np.asarray(longest > LARGEST_TILE * tile_px, np.bool_)


CALM_AFTER_CHANGE_S = 0.3  # after the last change


@dataclass(frozen=True, slots=True)
class ReaderWork:
    """A live reader's work since it was made.

    Attributes:
        pieces_possible: the passes that reading every picture whole would have taken.
        healed: faces that a second look saw otherwise than they were remembered, though nothing
            had changed there: zero on a good day.
    """

    pictures: int = 0
    pieces_possible: int = 0
    pieces_read: int = 0
    crops_recognised: int = 0
    healed: int = 0


@dataclass(frozen=True, slots=True)
class _Look:
    """Areas that are read now.

    Attributes:
        pieces: show them whole between them.
        is_part: it is one part as small as the change, seen at its own scale.
    """

    areas: tuple[Box, ...]
    pieces: tuple[PicturePiece, ...]
    is_part: bool = False


class LiveReader:
    """Reads the pictures of one camera in turn. Not for several threads.

    What moves is not read before it lies still. Then the part of the picture around it is read: a
    small change in a part of its size, a large one in whole pieces. When it has lain for a second
    it is read once more in whole pieces, and each piece now and then though nothing changed: some
    pictures after the last change the readings are those of reading the picture whole. A picture
    of another size starts afresh.

    Args:
        tile_px: how wide a tile is in the pictures, where that is known: wide ones are not looked
            for at native size.

    Attributes:
        unread: (rows, columns) of blocks in which something changed that has not been read: it
            moves.
    """

    def __init__(self, reader: Reader, tile_px: float | None = None) -> None:
        self.work = ReaderWork()
        self.unread = np.zeros((0, 0), np.bool_)
        self._reader = reader
        self._tile_px = tile_px
        self._resting = MotionGate()
        self._again = Rechecks()
        self._changed_t: float | None = None
        self._pieces: tuple[PicturePiece, ...] = ()
        self._seen = merge(())
        self._reference: Watched | None = None  # what was last read of each place
        self._named = NamedBoxes(reader)
        self._readings: Readings | None = None

    @property
    def healed(self) -> int:
        """As `ReaderWork.healed`."""
        return self.work.healed

    def read(self, image: Image, t: float | None = None) -> Readings:
        """The readings of the picture (h, w, 3) BGR; the very same value where nothing changed.

        Args:
            t: when it was taken, in seconds; None: nothing in it moves.
        """
        now = watch(image)
        known = self._reference
        if self._readings is None or known is None or known.size_wh != now.size_wh:
            self._resting.begin(now, t)
            return self._read_whole(image, now, t)
        every_change = self._changed(now)
        changed = self._resting.at_rest(now, every_change, t)
        self.unread = every_change & ~changed & ~self._resting.noise
        if changed.any():
            looks, again, is_second = self._at_changes(now, changed, t), False, False
        else:
            looks, again, is_second = self._once_more(now, t)
        if changed.any() or self.unread.any():
            self._changed_t = t
        pieces_read = sum(len(look.pieces) for look in looks)
        self._count(pictures=1, pieces_possible=len(self._pieces), pieces_read=pieces_read)
        if not looks:
            # Unsure boxes in one more picture; the very same value where that tells nothing new.
            assert self._readings is not None
            if t is None:
                return self._readings
            found = self._named.view_more(image, now, every_change, t)
            self._count(crops_recognised=found.crops)
            return self._tell(now) if found.is_new else self._readings
        for look in looks:
            self._look(image, now, look, again=again)
        areas = [area for look in looks for area in look.areas if again]
        return self._name_again(image, now, changed, areas, is_second=is_second)

    def _changed(self, now: Watched) -> Mask:
        """Blocks that are not as they were last read, daylight aside."""
        assert self._reference is not None
        changed = changed_blocks(self._reference, now)
        lit = in_the_light_of(self._reference, now) if changed.any() else self._reference
        if lit is self._reference:
            return changed
        self._reference = lit
        return changed_blocks(lit, now)

    def read_afresh(self, area: Box) -> None:
        """Look at a part of the picture again with the next one, whatever is known of it.

        Args:
            area: left, top, right, bottom in the picture's pixels.
        """
        meeting = {i for i, piece in enumerate(self._pieces) if meet(area, piece.ltrb)}
        self._again.wanted |= meeting

    def expect(self, tile_px: float) -> None:
        """Tiles are so wide; where another scale shows them better, all is read at it next."""
        self._tile_px = tile_px
        known = self._reference
        input_size = self._reader.detector.input_size
        if known is None:
            return
        if plan_pieces(*known.size_wh, input_size, tile_px=tile_px) != self._pieces:
            self._readings = None

    def _at_changes(self, now: Watched, changed: Mask, t: float | None) -> list[_Look]:
        """What to read at once; what was found there is forgotten."""
        assert self._reference is not None
        self._reference = renew(self._reference, now, changed)
        self._again.changed(changed, None if self._tile_px is None else t)
        boxes = self._seen.xyxy
        is_there = touched(boxes, now, changed)
        # A tile is named by its first box, and found again by one that ends elsewhere by a pixel.
        meeting = np.concatenate([boxes, self._named.xyxy])[np.tile(is_there, 2)]
        self._seen = _select(self._seen, ~is_there)
        parts: list[_Look] = []
        large: dict[tuple[PicturePiece, ...], tuple[Box, ...]] = {}
        around = [grown(change, meeting) for change in clusters(changed, now.size_wh)]
        for area in joined(around, lambda area: self._part_around(area, now)):
            part = self._part_around(area, now)
            if part is not None:
                parts.append(_Look((area,), (part,), is_part=True))
                continue
            pieces = self._showing(area)
            large[pieces] = (*large.get(pieces, ()), area)
        return [*parts, *(_Look(areas, pieces) for pieces, areas in large.items())]

    def _once_more(self, now: Watched, t: float | None) -> tuple[list[_Look], bool, bool]:
        """While nothing new lies still, what to look at again.

        Returns:
            That nothing is believed there, and whether it is a second look: what is remembered
            should be what it sees.
        """
        again, since = self._again, self._changed_t
        due = set(again.wanted)
        # What was just read goes its way first.
        is_over = t is None or since is None or not 0 <= t - since < CALM_AFTER_CHANGE_S
        if not due and is_over and not self.unread.any():
            areas = again.settled(now, t)
            if areas:
                again.looked_at(now, areas[0])
                return [_Look(areas[:1], self._showing(areas[0]))], True, False
            due = again.due(t)
        again.done(due, t)
        pieces = tuple(self._pieces[index] for index in due)
        return [_Look((piece.ltrb,), (piece,)) for piece in pieces], True, True

    def _showing(self, area: Box) -> tuple[PicturePiece, ...]:
        return tuple(self._pieces[index] for index in pieces_for(area, self._pieces))

    def _read_whole(self, image: Image, now: Watched, t: float | None) -> Readings:
        detector = self._reader.detector
        self.unread = np.zeros(tuple(side // BLOCK for side in now.grey.shape), np.bool_)
        self._pieces = plan_pieces(*now.size_wh, detector.input_size, tile_px=self._tile_px)
        self._seen = merge(each for piece in self._pieces for each in self._find(image, piece))
        self._again.begin(self.unread.shape, len(self._pieces), t)
        self._reference = now
        crops = self._named.begin(image, now, self._seen.xyxy)
        pieces = len(self._pieces)
        self._count(pictures=1, pieces_possible=pieces, pieces_read=pieces, crops_recognised=crops)
        return self._tell(now)

    def _look(self, image: Image, now: Watched, look: _Look, *, again: bool) -> None:
        """Take over what lies in some areas; where something moves, what was found there stays.

        Args:
            again: nothing is believed there but what plainly shows its face as it did.
        """
        found = (self._find(image, piece, is_part=look.is_part) for piece in look.pieces)
        seen, new = self._seen, merge(select(one, ~one.cut_off) for each in found for one in each)
        new = _select(new, in_any(new.xyxy, look.areas) & ~touched(new.xyxy, now, self.unread))
        if again:
            told = in_any(seen.xyxy, look.areas) & ~touched(seen.xyxy, now, self.unread)
            told &= np.array(
                [any(holds(p, outwards(box)) for p in look.pieces) for box in seen.xyxy], bool
            )
            lost = told & ~_overlap(seen.xyxy, new.xyxy)
            told[lost] = ~self._named.are_plain(image, seen.xyxy[lost])
            seen = _select(seen, ~told)
        is_new = [old is None for old in same_boxes(new.xyxy, seen.xyxy)]
        both = seen, _select(new, np.array(is_new, np.bool_))
        self._seen = merge(Found(each, np.zeros(len(each), np.bool_)) for each in both)

    def _find(self, image: Image, piece: PicturePiece, *, is_part: bool = False) -> list[Found]:
        """The boxes in a piece, without those too large for a tile, and with those on them."""
        detector, tile_px = self._reader.detector, self._tile_px
        look = detector.detect_part if is_part else detector.detect
        found = in_picture(look(piece.cut(image)), piece)
        if tile_px is None:
            return [found]
        is_large = _is_large(found, tile_px)
        large = found.detections.xyxy[is_large]
        on_them = (_seen_on(detector, image, piece, box, tile_px) for box in large)
        return [select(found, ~is_large), *on_them]

    def _part_around(self, area: Box, now: Watched) -> PicturePiece | None:
        """A small part that shows a change as well as whole pieces do; None: there is none."""
        if self._tile_px is None:
            return None  # a thing of any size may lie there
        input_size = self._reader.detector.input_size
        return part_around(area, self._pieces[0], now.size_wh, input_size)

    def _name_again(
        self,
        image: Image,
        now: Watched,
        changed: Mask,
        again: list[Box],
        *,
        is_second: bool,
    ) -> Readings:
        """Name boxes that are new or whose crop changed; the others stay exactly as they were.

        Args:
            again: areas of which nothing is believed.
            is_second: they were looked at before, since what lies there came.
        """
        assert self._readings is not None
        named = self._named
        xyxy, names = named.xyxy, named.names
        found = named.update(image, now, self._seen.xyxy, changed)
        looked = named.doubt(image, now, again)
        healed = 0
        if is_second:
            healed = looked.differing + unmatched(xyxy, names, named.xyxy)
            healed += unmatched(named.xyxy, named.names, xyxy)
        self._count(crops_recognised=found.crops + looked.crops, healed=healed)
        if not found.is_new and not looked.is_new:
            return self._readings
        return self._tell(now)

    def _tell(self, now: Watched) -> Readings:
        named = self._named
        # What is named so teaches no other tile, and keeps its name though its examples are hidden
        named.names = self._reader.named_together(named.names)
        names = without_parts(named.names)
        self._readings = box_readings(now.size_wh, named.xyxy, names)
        return self._readings

    def _count(self, **more: int) -> None:
        was = self.work
        self.work = replace(was, **{name: getattr(was, name) + n for name, n in more.items()})


def _select(seen: Detections, mask: Mask) -> Detections:
    return Detections(seen.xyxy[mask], seen.score[mask])


def _overlap(xyxy: Array, others: Array) -> Mask:
    """(n,) of boxes whether they are one thing with one of others, by `SAME_THING`."""
    shared = shared_areas(xyxy[:, None], others)
    smaller = np.minimum(box_area(xyxy)[:, None], box_area(others))
    return np.asarray((shared > SAME_THING * smaller).any(axis=1), np.bool_)
