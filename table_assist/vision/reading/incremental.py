"""Reading picture after picture of one camera: only what changed is looked at again."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.daylight import in_the_light_of
from table_assist.vision.pictures.motion import (
    BLOCK,
    Box,
    Watched,
    changed_blocks,
    clusters,
    renew,
    taken_over,
    touched,
    watch,
)
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.areas import grown, holds, is_within, meet, outwards, pieces_for
from table_assist.vision.reading.detect import STEP, Detections, Detector
from table_assist.vision.reading.motion_gate import MotionGate
from table_assist.vision.reading.named_boxes import NamedBoxes, same_boxes, unmatched
from table_assist.vision.reading.occluded_background import (
    OccludedBackground,
    beside_bare,
    cover,
    forget,
    forget_old,
    join,
    nothing_under,
    uncover,
    within,
    without,
)
from table_assist.vision.reading.periodic_recheck import PeriodicRecheck
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import without_parts
from table_assist.vision.reading.settled_recheck import SettledRecheck, elsewhere, select, unseen
from table_assist.vision.reading.tiling import (
    Found,
    PicturePiece,
    find,
    in_picture,
    merge,
    plan_pieces,
)

# A small change is looked at in a small part of the picture: a pass costs what its area costs.
#
# A discard on a table of 1080 lines takes a sixth of a whole piece's time, and only one pass where
# up to four pieces show it.

# Pixels of the detector's around a change. With two tiles' widths of a small picture one back of a
# wall in twenty was not found that a whole piece shows; with 96 no more than another piece misses.
CONTEXT_PX = 96
MOST = 0.75  # of a whole input's area: a larger change is read in whole pieces


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
    if max(width, height) > input_size or width * height > MOST * input_size**2:
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
    length = min(-(-wanted // STEP) * STEP, most)
    start = min(max((low + high - length) // 2, 0), most - length)
    return start, start + length


def look_at_part(detector: Detector, image: Image, part: PicturePiece, area: Box) -> Found:
    """The boxes in the area; one that the part's edges cut off lies outside of it."""
    found = in_picture(detector.detect_part(part.cut(image)), part)
    xyxy = found.detections.xyxy
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    inside = ((area[:2] <= middle) & (middle <= area[2:])).all(axis=1)
    return _only(found, inside & ~found.cut_off)


def put_in(found: Sequence[Found], pieces: Sequence[PicturePiece], new: Found) -> list[Found]:
    """The boxes of all pieces with a part's new ones: each piece gets those it would see whole."""
    xyxy, together = new.detections.xyxy, []
    for piece, each in zip(pieces, found, strict=True):
        is_new = [old is None for old in same_boxes(xyxy, each.detections.xyxy)]
        together.append(join(each, _only(new, np.array(is_new, bool) & _whole_in(piece, xyxy))))
    return together


def _whole_in(piece: PicturePiece, xyxy: NDArray[np.float32]) -> NDArray[np.bool_]:
    low, high = np.array(piece.ltrb[:2]), np.array(piece.ltrb[2:])
    return np.asarray(((low <= xyxy[:, :2]) & (xyxy[:, 2:] <= high)).all(axis=1), np.bool_)


def _only(found: Found, mask: NDArray[np.bool_]) -> Found:
    seen = found.detections
    return Found(Detections(seen.xyxy[mask], seen.score[mask]), found.cut_off[mask])


# Boxes on a thing that is too large for a tile: an emblem on the cloth, a tray.
#
# With an emblem's ring around them the detector finds the emblem, and of the tiles that lie on it
# none. Without its edge there is no emblem, and they are found as on plain cloth.

# Times a tile's width: a tile across a square is 1.7 of it, seen from low above twice as much at
# the near side of the table.
LARGEST = 3.4
EDGE = 0.1  # of a large thing's sides, each way, that is left out
# Tiles on four emblems had 0.73 to 0.84 each without the ring; on the bare ones nothing was found.
SURE = 0.5


def _seen_on(
    detector: Detector, image: Image, piece: PicturePiece, box: NDArray[np.float32], tile_px: float
) -> Found:
    """The boxes whole within a large thing's edge."""
    edge = EDGE * (box[2:] - box[:2])
    left, top, right, bottom = np.round([*(box[:2] + edge), *(box[2:] - edge)]).astype(int).tolist()
    width, height = round((right - left) / piece.gain), round((bottom - top) / piece.gain)
    if min(width, height) < 1:
        return Found(Detections(box[:0].reshape(-1, 4), box[:0]), np.empty(0, np.bool_))
    inside = PicturePiece((left, top, right, bottom), (width, height), (True,) * 4, piece.level)
    found = in_picture(detector.detect_part(inside.cut(image)), inside)
    is_sure = found.detections.score >= SURE
    return select(found, is_sure & ~found.cut_off & ~_is_large(found, tile_px))


def _is_large(found: Found, tile_px: float) -> NDArray[np.bool_]:
    xyxy = found.detections.xyxy
    longest = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0.0)
    return np.asarray(longest > LARGEST * tile_px, np.bool_)


NO_BOXES = np.empty((0, 4), np.float32)
CALM_S = 0.3  # after the last change


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


class LiveReader:
    """Reads the pictures of one camera in turn. Not for several threads.

    What moves is not read before it lies still. Then a small change is looked at in a small part
    of the picture, and a large one in a piece that holds it whole, where there is one. The other
    pieces that show a large one are owed, and read one by one while nothing changes, and so is what
    came to light again where an arm was drawn back: some pictures after the last change the
    readings are those of reading the picture whole. Now and then each piece is read again though
    nothing changed. A picture of another size starts afresh.

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
        self._second_look = PeriodicRecheck()
        self._once_more = SettledRecheck()
        self._changed_t: float | None = None
        self._pieces: tuple[PicturePiece, ...] = ()
        self._found: list[Found] = []
        self._owed: set[int] = set()
        self._reference: Watched | None = None  # what was last read of each place
        self._under: OccludedBackground | None = None
        self._back: set[bytes] = set()
        self._lost = NO_BOXES  # tiles beside what came to light
        self._hidden = NO_BOXES  # tiles that were seen no more where something large lies
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
        if (
            self._readings is None
            or self._reference is None
            or self._reference.size_wh != now.size_wh
        ):
            self._resting.begin(now, t)
            return self._read_whole(image, now, t)
        every_change = self._changed(now)
        bare = self._uncover(now, every_change, t)
        every_change &= ~bare
        changed, large = self._resting.at_rest(now, every_change, t)
        self.unread = every_change & ~changed & ~self._resting.noise
        if self.unread.any():
            self._changed_t = t
        again: list[Box] = []
        is_second = False
        parts: list[tuple[PicturePiece, Box]] = []
        lost = NO_BOXES if bare.any() else self._open_again(now)
        if changed.any() or len(lost):
            self._cover(changed, large, t)
            pieces, parts = self._turn_to_changes(now, changed, lost)
            self._reference = renew(self._reference, now, changed)
            self._once_more.changed(changed, None if self._tile_px is None else t)
            self._changed_t = t
        else:
            pieces, again, is_second = self._idle_pieces(now, t)
        self._owed -= pieces
        for index in pieces:
            self._found[index] = self._read_piece(image, now, changed, index)
        for part, area in parts:
            # Look at a small change; where something moves, what was found there stays
            found = look_at_part(self._reader.detector, image, part, area)
            seen = self._tile_sized(image, part, found)
            self._found = put_in(self._found, self._pieces, without(seen, now, self.unread))
        self._count(len(pieces) + len(parts))
        if not pieces and not parts and not bare.any():
            return self._view_more(image, now, every_change, t)
        return self._name_again(image, now, changed, bare, pieces, again, is_second=is_second)

    def _changed(self, now: Watched) -> NDArray[np.bool_]:
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
        self._second_look.wanted |= meeting

    def expect(self, tile_px: float) -> None:
        """Tiles are so wide; where another scale shows them better, all is read at it next."""
        self._tile_px = tile_px
        known = self._reference
        input_size = self._reader.detector.input_size
        if known is None:
            return
        if plan_pieces(*known.size_wh, input_size, tile_px=tile_px) != self._pieces:
            self._readings = None

    def _idle_pieces(self, now: Watched, t: float | None) -> tuple[set[int], list[Box], bool]:
        """While nothing new lies still, what to look at again.

        Returns:
            The pieces to read, where nothing is believed, and whether that is a second look: what
            is remembered should be what it sees.
        """
        second_look = self._second_look
        if second_look.wanted:
            second = set(second_look.wanted)
        elif not self._is_calm(t):
            return set(), [], False
        elif self._owed:
            return {min(self._owed)}, [], False
        else:
            pieces, areas = self._once_more_there(now, t)
            if areas:
                return pieces, areas, False
            second = second_look.due(t)
        second_look.done(second, t)
        return second, [self._pieces[index].ltrb for index in second], True

    def _once_more_there(self, now: Watched, t: float | None) -> tuple[set[int], list[Box]]:
        """Pieces that show well what has changed and lies still, and where that is in them."""
        areas = self._once_more.due(now, t)
        if not areas:
            return set(), []
        pieces = pieces_for(areas[0], self._pieces, set())
        # Boxes that have not lain for as long are seen along with it: for a moment all of it was
        # calm.
        waiting = self._once_more.waiting(now)
        along = [area for area in waiting if any(holds(self._pieces[i], area) for i in pieces)]
        there = [areas[0], *along]
        looked_at = [self._pieces[index] for index in pieces]
        for area in there:
            self._once_more.done(now, area)
            # Boxes that other pieces found in a part of the picture are not to stand beside it.
            for index in set(range(len(self._pieces))) - pieces:
                self._found[index] = elsewhere(self._found[index], area, looked_at)
        return pieces, there

    def _uncover(
        self, now: Watched, changed: NDArray[np.bool_], t: float | None
    ) -> NDArray[np.bool_]:
        """Blocks from which something was taken away: what was read there before holds again.

        It holds until there is time to read it: then the picture is asked.
        """
        assert self._under is not None
        assert self._reference is not None
        self._under = forget_old(self._under, t or 0.0)
        bare = self._under.bare_again(now, changed)
        self._back = set()
        if bare.any():
            self._under, back = uncover(self._under, bare)
            self._back = {box.tobytes() for each in back for box in each.detections.xyxy}
            seen = [
                join(without(found, now, bare & changed), old)
                for found, old in zip(self._found, back, strict=True)
            ]
            if self._tile_px is not None:  # else no small part shows them: they are owed
                named = self._named.xyxy[[name is not None for name in self._named.names]]
                known = np.concatenate([named, self._hidden])
                self._lost = beside_bare(self._under, bare, now, known, self._lost, seen)
                self._hidden = self._hidden[~touched(self._hidden, now, bare)]
            self._found = seen
            self._once_more.leave(bare)
            self._reference = taken_over(self._reference, now, bare)
            self._owed |= {
                index
                for area in clusters(bare, now.size_wh)
                for index, piece in enumerate(self._pieces)
                if meet(area, piece.ltrb)
            }
        return bare

    def _open_again(self, now: Watched) -> NDArray[np.float32]:
        """The boxes that were lost and lie still: they are looked at now."""
        moves = touched(self._lost, now, self.unread)
        still, self._lost = self._lost[~moves], self._lost[moves]
        return still

    def _cover(self, changed: NDArray[np.bool_], large: NDArray[np.bool_], t: float | None) -> None:
        """Remember what was read where something large lies now; the rest of it is read anew."""
        assert self._under is not None
        assert self._reference is not None
        if large.any():
            self._named.remember(anew=not self._under.covered.any())
            self._under = cover(self._under, self._reference, self._found, large, t or 0.0)
        self._under = forget(self._under, changed & ~large)

    def _is_calm(self, t: float | None) -> bool:
        """Whether there is time for what is owed: what was just read goes its way first."""
        since = self._changed_t
        is_over = t is None or since is None or not 0 <= t - since < CALM_S
        return is_over and not self.unread.any()

    def _read_whole(self, image: Image, now: Watched, t: float | None) -> Readings:
        detector = self._reader.detector
        self.unread = np.zeros(tuple(side // BLOCK for side in now.grey.shape), np.bool_)
        self._pieces = plan_pieces(*now.size_wh, detector.input_size, tile_px=self._tile_px)
        self._found = [self._find(image, piece) for piece in self._pieces]
        self._owed, self._lost, self._hidden = set(), NO_BOXES, NO_BOXES
        self._second_look.begin(len(self._pieces), t)
        self._once_more.begin(self.unread.shape)
        self._reference = now
        self._under = nothing_under(now, self._found, self.unread)
        crops = self._named.begin(image, merge(self._found).xyxy)
        self._count(len(self._pieces))
        self.work = replace(self.work, crops_recognised=self.work.crops_recognised + crops)
        return self._tell(now)

    def _read_piece(
        self, image: Image, now: Watched, changed: NDArray[np.bool_], index: int
    ) -> Found:
        """The boxes in a piece now; where something moves in it, those found there before."""
        found = self._find(image, self._pieces[index])
        lost = unseen(without(self._found[index], now, changed | self.unread), found)
        found = join(found, select(lost, self._named.are_plain(image, lost.detections.xyxy)))
        if not self.unread.any():
            return found
        kept = within(without(self._found[index], now, changed), now, self.unread)
        return join(without(found, now, self.unread), kept)

    def _find(self, image: Image, piece: PicturePiece) -> Found:
        return self._tile_sized(image, piece, find(self._reader.detector, image, piece))

    def _tile_sized(self, image: Image, piece: PicturePiece, found: Found) -> Found:
        if self._tile_px is None:
            return found
        # A piece's boxes, without those too large for a tile, and with those on them
        detector = self._reader.detector
        tile_px = self._tile_px
        is_large = _is_large(found, tile_px)
        small = select(found, ~is_large)
        for box in found.detections.xyxy[is_large]:
            small = join(small, _seen_on(detector, image, piece, box, tile_px))
        return small

    def _turn_to_changes(
        self, now: Watched, changed: NDArray[np.bool_], lost: NDArray[np.float32]
    ) -> tuple[set[int], list[tuple[PicturePiece, Box]]]:
        """Choose what to read at once; what others found where it changed is forgotten.

        Args:
            lost: boxes of what is looked at again though it is as it was.

        Returns:
            Pieces, and parts with the areas for which they are looked at.
        """
        # A tile's box ends elsewhere by a pixel in each piece: all of it is to be found again.
        found = [each.detections.xyxy for each in self._found]
        boxes = np.concatenate([self._named.xyxy, *found])
        meeting = np.concatenate([boxes[touched(boxes, now, changed)], lost])
        chosen: set[int] = set()
        shown: set[int] = set()
        parts: list[tuple[PicturePiece, Box]] = []

        def part_of(area: Box) -> PicturePiece | None:
            return self._part_around(area, now)

        around = [grown(change, meeting) for change in clusters(changed, now.size_wh)]
        beside = [outwards(box) for box in lost]
        around += [area for area in beside if not any(is_within(area, other) for other in around)]
        for area in joined(around, part_of):
            part = part_of(area)
            if part is not None:
                parts.append((part, area))
                continue
            chosen |= pieces_for(area, self._pieces, chosen)
            shown |= {i for i, piece in enumerate(self._pieces) if meet(area, piece.ltrb)}
        for index in set(range(len(self._pieces))) - chosen:
            self._found[index] = without(self._found[index], now, changed)
        self._owed |= shown - chosen
        return chosen, parts

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
        changed: NDArray[np.bool_],
        bare: NDArray[np.bool_],
        read: set[int],
        again: list[Box],
        *,
        is_second: bool,
    ) -> Readings:
        """Name boxes that are new or whose crop changed; the others stay exactly as they were.

        Args:
            read: the pieces that were read: what came back there without being read is named.
            again: areas of which nothing is believed.
            is_second: they were looked at before, since what lies there came.
        """
        assert self._readings is not None
        named = self._named
        xyxy, names = named.xyxy, named.names
        found = named.update(
            image, now, merge(self._found).xyxy, changed=changed, bare=bare, back=self._back
        )
        # Remember which of the tiles known before are seen no more where something large lies. They
        # come back by what lies under it, unless something new lay at their edge meanwhile: then
        # they are looked at when it goes.
        known = xyxy[[name is not None for name in names]]
        assert self._under is not None
        gone = [same is None for same in same_boxes(known, self._named.xyxy)]
        hidden = np.concatenate([self._hidden, known[gone]])
        self._hidden = hidden[touched(hidden, now, self._under.covered)]
        areas = again or [self._pieces[index].ltrb for index in read]
        looked = named.doubt(image, areas, restored_only=not again)
        healed = 0
        if is_second:
            healed = looked.differing + unmatched(xyxy, names, named.xyxy)
            healed += unmatched(named.xyxy, named.names, xyxy)
        crops = self.work.crops_recognised + found.crops + looked.crops
        self.work = replace(self.work, crops_recognised=crops, healed=self.work.healed + healed)
        if not found.is_new and not looked.is_new:
            return self._readings
        return self._tell(now)

    def _view_more(
        self, image: Image, now: Watched, changed: NDArray[np.bool_], t: float | None
    ) -> Readings:
        """Unsure boxes in one more picture; the very same value where that tells nothing new."""
        assert self._readings is not None
        if t is None:
            return self._readings
        found = self._named.view_more(image, now, changed, t)
        crops = self.work.crops_recognised + found.crops
        self.work = replace(self.work, crops_recognised=crops)
        return self._tell(now) if found.is_new else self._readings

    def _tell(self, now: Watched) -> Readings:
        named = self._named
        names = without_parts(named.names)
        self._readings = box_readings(now.size_wh, named.xyxy, names)
        return self._readings

    def _count(self, pieces_read: int) -> None:
        self.work = replace(
            self.work,
            pictures=self.work.pictures + 1,
            pieces_possible=self.work.pieces_possible + len(self._pieces),
            pieces_read=self.work.pieces_read + pieces_read,
        )
