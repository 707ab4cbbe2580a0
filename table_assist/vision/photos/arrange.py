"""From what lies in a photo of one declared hand to what a judge needs.

A hand lies in one row or in a few beside each other; melds, the winning tile and flowers are told
by where they lie and what they are. What cannot be told is a doubt, in a sentence.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

import numpy as np

from table_assist.languages.words import Words, joined, phrase, same
from table_assist.tiles.melds import Meld, MeldKind, is_set, tile_noted, tiles_words
from table_assist.tiles.tile import COPIES, Tile, Tiles
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.groups import laid_rows, rows_report, tell_row
from table_assist.vision.reading.readings import Readings, picture_report, tile_of
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.rows import TileRow, find_rows, sizes, turned
from table_assist.vision.table.advice import Advice, advise


class Side(StrEnum):
    """From whom a meld's tile was claimed: where its turned tile lies, as the winner sees it."""

    LEFT = "left"
    ACROSS = "across"
    RIGHT = "right"

    @property
    def words(self) -> Words:
        """As it is said at the table."""
        return _SIDES[self]

    def seat(self, winner: int) -> int:
        """The seat on that side; seats count counter-clockwise.

        >>> Side.RIGHT.seat(0), Side.LEFT.seat(0)
        (1, 3)
        """
        return (winner + {"right": 1, "across": 2, "left": 3}[self.value]) % 4


_SIDES = {
    Side.LEFT: Words("left", "上家"),
    Side.ACROSS: Words("across", "对家"),
    Side.RIGHT: Words("right", "下家"),
}


def meld_of(tiles: Tiles) -> Meld | None:
    """The meld that three or four tiles are, also where one of them was not read.

    >>> str(meld_of((Tile.BACK, Tile.P5, Tile.P5, Tile.BACK)))
    'kong_concealed 5555p'
    """
    if len(tiles) == 4 and Tile.BACK in tiles:
        faces = {tile for tile in tiles if tile is not Tile.BACK}
        if len(faces) > 1:
            return None
        return Meld(MeldKind.KONG_CONCEALED, (faces.pop() if faces else Tile.UNKNOWN,) * 4)
    for kind in (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_EXPOSED):
        if is_set(kind, tiles):
            return Meld(kind, tiles)
    # A group of three or four in which a tile was not read, by those that were
    known = [tile for tile in tiles if tile is not Tile.UNKNOWN]
    if len(known) == len(tiles) or len(known) < 2 or len(tiles) not in (3, 4):
        return None
    if len(set(known)) == 1:
        return Meld(MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_EXPOSED, tiles)
    low, high = min(known), max(known)
    if len(tiles) == 3 and low.is_suited and low.suit == high.suit and high - low <= 2:
        return Meld(MeldKind.CHOW, tiles)
    return None


def claimed_from(meld: Meld, turned: Sequence[bool]) -> Side | None:
    """From whom a meld was claimed, by which of its tiles, left to right, are turned.

    None where not exactly one is. A chow is always claimed from the left.
    """
    if sum(turned) != 1:
        return None
    if meld.kind is MeldKind.CHOW or turned[0]:
        return Side.LEFT
    return Side.RIGHT if turned[-1] else Side.ACROSS


# Which rows of tiles in a photo are the declared hand.

HAND = 14  # tiles of a complete hand; each kong adds one
ROWS_BESIDE = 2.5  # tile sizes between the middles of a hand's rows: they touch, or nearly
PARALLEL = 0.94  # cosine: 20 degrees
ROWS_ALIKE = 1.45  # rows of one hand have tiles of about one size


def _playing(readings: Readings, rows: Sequence[TileRow]) -> int:
    """Tiles in the rows without flowers and seasons."""
    return sum(not is_bonus(readings, index) for row in rows for index in row.members)


def is_bonus(readings: Readings, index: int) -> bool:
    """A flower or a season; also one of which only the number is unsure."""
    tile = tile_of(readings.labels[index])
    if tile is not Tile.UNKNOWN:
        return tile is not None and tile.is_bonus
    bonus = other = 0.0
    for candidate in readings.candidates[index]:
        named = tile_of(candidate.label)
        if named is not None and named.is_bonus:
            bonus += candidate.confidence
        else:
            other += candidate.confidence
    return bonus > other


def _belongs(readings: Readings, row: TileRow, rows: Sequence[TileRow]) -> bool:
    """Whether a row is a part of the hand: near it, like it, and not more than is missing."""
    main = rows[0]
    size = sizes(readings)
    ratio = float(np.median(size[list(row.members)]) / np.median(size[list(main.members)]))
    # More would be a river or a wall in front of the hand.
    few_enough = _playing(readings, [*rows, row]) <= HAND + COPIES
    return (
        few_enough
        and 1 / ROWS_ALIKE < ratio < ROWS_ALIKE
        and any(_is_beside(readings, index, rows) for index in row.members)
        and _is_parallel(readings, row, main)
    )


def _is_beside(readings: Readings, index: int, rows: Sequence[TileRow]) -> bool:
    members = [member for row in rows for member in row.members]
    distances = np.hypot(*(readings.centres[members] - readings.centres[index]).T)
    size = sizes(readings)[members]
    # A box that fits its tile tightly makes it no smaller than its neighbours.
    return bool((distances < ROWS_BESIDE * np.maximum(size, np.median(size))).any())


def _is_parallel(readings: Readings, row: TileRow, main: TileRow) -> bool:
    """Also true of a single tile, which has no direction."""
    if len(row.members) < 2 or len(main.members) < 2:
        return len(row.members) < 2
    one, other = (
        readings.centres[each.members[-1]] - readings.centres[each.members[0]]
        for each in (row, main)
    )
    return bool(abs(one @ other) > PARALLEL * np.hypot(*one) * np.hypot(*other))


def _without_unread_end(readings: Readings, row: TileRow) -> TileRow | None:
    for index in (row.members[-1], row.members[0]):
        if len(row.members) > 1 and readings.labels[index] == UNKNOWN:
            groups = (tuple(i for i in group if i != index) for group in row.groups)
            members = tuple(i for i in row.members if i != index)
            return TileRow(members, tuple(group for group in groups if group))
    return None


def _kongs(readings: Readings, row: TileRow) -> int:
    """Four alike beside each other, or a group of four with backs."""
    labels = [readings.labels[index] for index in row.members]
    alike = sum(
        len(list(run)) // 4 for label, run in groupby(labels) if label not in (UNKNOWN, "back")
    )
    grouped = [[readings.labels[index] for index in group] for group in row.groups]
    return alike + sum(len(group) == 4 and "back" in group for group in grouped)


Group = tuple[int, ...]  # indices into the readings, in order


@dataclass(frozen=True, slots=True)
class ArrangedHand:
    """A declared hand as it lies.

    Attributes:
        concealed: with the winning tile; in the order in which they lie; unread tiles are UNKNOWN.
        melds: what lies apart as a set, or is marked as claimed by a turned tile.
        claimed_from: for each meld; None where no tile of it is turned.
        winning_tile: the tile set apart or turned; None: there is none.
        bonus: flowers and seasons beside the hand.
        doubts: a sentence each for what the picture does not settle.
        left_out: indices of the readings that were not taken as part of the hand.
        concealed_at, melds_at, bonus_at: the readings of each tile, in the same order.
    """

    concealed: Tiles
    melds: tuple[Meld, ...]
    claimed_from: tuple[Side | None, ...]
    winning_tile: Tile | None
    bonus: Tiles
    doubts: tuple[Words, ...]
    left_out: tuple[int, ...]
    concealed_at: Group = ()
    melds_at: tuple[Group, ...] = ()
    bonus_at: Group = ()


def arrange_hand(readings: Readings) -> ArrangedHand:
    """Find the declared hand among everything that was read."""
    # The main row, then those beside it while tiles are missing
    free = readings.tile_places
    rows = find_rows(readings, free)[:1]
    while rows and _playing(readings, rows) < HAND:
        taken = {index for row in rows for index in row.members}
        others = find_rows(readings, [index for index in free if index not in taken])
        row = next((row for row in others if _belongs(readings, row, rows)), None)
        if row is None:
            break
        rows.append(row)
    rows = sorted(rows, key=lambda row: float(readings.centres[list(row.members)][:, 1].mean()))
    if not rows:
        nothing = Words("there are no tiles in the picture", "图中没有牌")
        return ArrangedHand((), (), (), None, (), (nothing,), ())
    # In rows of too many tiles, what was not read at an end is hardly a tile of the hand
    spare = _playing(readings, rows) - HAND - sum(_kongs(readings, row) for row in rows)
    kept = list(rows)
    for position in range(len(kept)):
        while spare > 0 and (shorter := _without_unread_end(readings, kept[position])):
            kept[position] = shorter
            spare -= 1
    return _Arranger(readings, rows, kept).arrange()


class _Arranger:
    """Sorts the groups of a hand's rows into parts, and keeps the doubts that arise."""

    def __init__(
        self, readings: Readings, seen: Sequence[TileRow], rows: Sequence[TileRow]
    ) -> None:
        self._readings = readings
        self._rows = rows
        self._members = [index for row in rows for index in row.members]
        # A die stands as UNKNOWN here, and is in no row.
        tiles = (tile_of(label) for label in readings.labels)
        self._tiles = [Tile.UNKNOWN if tile is None else tile for tile in tiles]
        self._bonus = [index for index in self._members if is_bonus(readings, index)]
        self._across = frozenset[int]().union(*(turned(readings, row) for row in rows))
        groups = [
            tuple(index for index in group if index not in self._bonus)
            for row in rows
            for group in row.groups
        ]
        self._groups: list[Group] = [
            part for group in groups if group for part in self._parted(group)
        ]
        self._melds: list[Meld] = []
        self._melds_at: list[Group] = []
        self._claimed_from: list[Side | None] = []
        self._doubts: list[Words] = []
        dropped = sum(len(row.members) for row in seen) - len(self._members)
        if dropped:
            self._doubt(phrase("arrange.unread_things", dropped=dropped))

    def _doubt(self, words: Words) -> None:
        self._doubts.append(words)

    def arrange(self) -> ArrangedHand:
        winning = self._take_winning()
        self._take_melds()
        concealed = [index for group in self._groups for index in group]
        concealed = self._take_kongs_in_row(concealed, winning)
        winning_tile = None
        if winning is not None:
            winning_tile = self._tiles[winning]
            concealed.append(winning)
        count = len(concealed) + 3 * len(self._melds)
        if count != HAND:
            self._doubt(phrase("arrange.hand_has_tiles_kongs", count=count, hand=HAND))
        elif winning is None:
            self._doubt(phrase("arrange.no_tile_is_set"))
        self._doubt_tiles(concealed)
        left_out = tuple(
            index
            for index, label in enumerate(self._readings.labels)
            if index not in self._members and tile_of(label) is not None
        )
        if left_out:
            self._doubt(phrase("arrange.other_tiles", count=len(left_out)))
        return ArrangedHand(
            tuple(self._tiles[index] for index in concealed),
            tuple(self._melds),
            tuple(self._claimed_from),
            winning_tile,
            tuple(self._tiles[index] for index in self._bonus),
            tuple(self._doubts),
            left_out,
            tuple(concealed),
            tuple(self._melds_at),
            tuple(self._bonus),
        )

    def _names(self, group: Sequence[int]) -> Words:
        return tiles_words(self._tiles[index] for index in group)

    def _parted(self, group: Group) -> list[Group]:
        """A group without gaps, parted where turned tiles mark claimed sets at its ends."""
        before: list[Group] = []
        after: list[Group] = []
        while size := self._claimed_size(group, at_start=True):
            before.append(group[:size])
            group = group[size:]
        while size := self._claimed_size(group, at_start=False):
            after.insert(0, group[-size:])
            group = group[:-size]
        return [*before, group, *after]

    def _claimed_size(self, group: Group, *, at_start: bool) -> int:
        """How many tiles at one end are a claimed set that the rest lies against; 0: none are.

        A tile that is turned at the very end of the row is the winning one.
        """
        if group[-1] in self._across:
            return 0
        for size in (4, 3):
            part = group[:size] if at_start else group[-size:]
            meld = self._meld_of(part)
            # A chow is claimed from the left, where its turned tile lies.
            told = meld and (part[0] in self._across or meld.kind is not MeldKind.CHOW)
            if len(group) > size + 1 and told and self._is_marked(part):
                return size
        return 0

    def _is_marked(self, group: Group) -> bool:
        """A claimed set has one turned tile."""
        return 3 <= len(group) <= 4 and sum(index in self._across for index in group) == 1

    def _take_winning(self) -> int | None:
        """The one tile that lies alone, or else is turned; others stay with the concealed ones."""
        alone = [group for group in self._groups if len(group) == 1]
        faces = [group for group in alone if self._tiles[group[0]] is not Tile.BACK]
        if len(self._groups) == 1 or not faces:
            return self._take_turned()
        if len(faces) > 1:
            lone = self._names([index for group in faces for index in group])
            self._doubt(phrase("arrange.more_than_one_tile", lone=lone))
            return None
        self._groups.remove(faces[0])
        if any(row.members == faces[0] for row in self._rows):
            name = self._names(faces[0])
            self._doubt(phrase("arrange.lies_beside_the_hand", name=name))
        return faces[0][0]

    def _take_turned(self) -> int | None:
        """The one tile that is turned and marks no claimed set."""
        found = [
            (place, index)
            for place, group in enumerate(self._groups)
            if not (self._is_marked(group) and self._meld_of(group))
            for index in group
            if index in self._across
        ]
        if len(found) != 1:
            if found:
                names = self._names([index for _, index in found])
                self._doubt(phrase("arrange.more_than_one_tile_is_turned", names=names))
            return None
        place, index = found[0]
        self._groups[place] = tuple(each for each in self._groups[place] if each != index)
        return index

    def _take_melds(self) -> None:
        """Groups that are sets are melds, if there is a concealed part that is none."""
        melds = {group: meld for group in self._groups if (meld := self._meld_of(group))}
        rest = [group for group in self._groups if group not in melds]
        if melds and all(len(group) <= 2 for group in rest):
            # The last of the sets may be claimed or not; kongs and marked sets surely are melds.
            unsure = [
                group
                for group, meld in melds.items()
                if not meld.kind.is_kong and not self._is_marked(group)
            ]
            if unsure:
                names = [self._names(group) for group in unsure]
                self._doubt(phrase("arrange.every_set_lies_apart", names=joined(names)))
            melds = {group: meld for group, meld in melds.items() if group not in unsure}
        for group, meld in melds.items():
            self._groups.remove(group)
            self._add_meld(group, meld)
        for group in rest:
            if len(self._groups) > 1 and 3 <= len(group) <= 4:
                apart = self._names(group)
                self._doubt(phrase("arrange.lie_apart", apart=apart))

    def _add_meld(self, group: Group, meld: Meld) -> None:
        side = claimed_from(meld, [index in self._across for index in group])
        self._melds.append(meld)
        self._melds_at.append(group)
        self._claimed_from.append(side)
        if meld.kind is MeldKind.KONG_EXPOSED and side is None:
            kong = self._names(group)
            self._doubt(phrase("arrange.kong_is_taken", kong=kong))
        if meld.kind is MeldKind.KONG_CONCEALED and Tile.UNKNOWN in meld.tiles:
            self._doubt(Words("a concealed kong shows no face", "暗杠没有一张翻开"))

    def _meld_of(self, group: Group) -> Meld | None:
        return meld_of(tuple(self._tiles[index] for index in group))

    def _take_kongs_in_row(self, concealed: list[int], winning: int | None) -> list[int]:
        """More than fourteen tiles in a closed row: four alike beside each other are a kong."""
        spare = len(concealed) + (winning is not None) + 3 * len(self._melds) - HAND
        position = 0
        while spare > 0 and position + 4 <= len(concealed):
            group = tuple(concealed[position : position + 4])
            tiles = tuple(self._tiles[index] for index in group)
            if is_set(MeldKind.KONG_EXPOSED, tiles):
                meld = Meld(MeldKind.KONG_EXPOSED, tiles)
                self._add_meld(group, meld)
                del concealed[position : position + 4]
                spare -= 1
            else:
                position += 1
        return concealed

    def _doubt_tiles(self, concealed: Sequence[int]) -> None:
        for index in self._members:
            if self._tiles[index] is Tile.UNKNOWN:
                choice = [
                    same(f"{candidate.label} ({candidate.confidence:.0%})")
                    for candidate in self._readings.candidates[index]
                ]
                self._doubt(
                    Words(
                        "a tile of the hand was not read: {choice}",
                        "有一张牌未能辨认：{choice}",
                        choice=joined(choice, Words("{one} or {next}", "{one} 或 {next}")),
                    )
                )
        in_melds = [tile for meld in self._melds for tile in meld.tiles]
        loose = [self._tiles[index] for index in concealed]
        counts = Counter(tile for tile in (*in_melds, *loose) if tile.is_face)
        for tile, count in counts.items():
            if count > COPIES:
                self._doubt(
                    Words(
                        "{count} tiles were read as {value}, there are {copies}",
                        "读到 {count} 张{value}，全副只有 {copies} 张",
                        count=count,
                        value=tile_noted(tile),
                        copies=COPIES,
                    )
                )
        if Tile.BACK in loose:
            self._doubt(Words("a tile of the hand lies face down", "有一张牌扣着"))


def look_report(picture: str, image: Image, readings: Readings) -> dict[str, object]:
    """The JSON object of one picture."""
    return picture_report(picture, readings) | {
        "rows": rows_report(readings, laid_rows(readings)),
        "advice": advice_report(advise(image, readings)),
    }


def look_lines(picture: str, image: Image, readings: Readings) -> Iterator[str]:
    """The same in words."""
    yield f"{picture}: {len(readings)} tiles and dice"
    for row in laid_rows(readings):
        yield f"  {tell_row(readings, row)}"
    for label, confidence in zip(readings.labels, readings.confidence, strict=True):
        yield f"  {label:5}{confidence:6.1%}"
    yield from advice_lines(advise(image, readings))


_ADVICE_LINE = Words("Advice: {advice}", "建议：{advice}")


def advice_report(advice: tuple[Advice, ...]) -> list[dict[str, object]]:
    """Advice as JSON, in both languages."""
    return [
        {"trouble": str(each.trouble), "en": each.words.en, "zh": each.words.zh} for each in advice
    ]


def advice_lines(advice: tuple[Advice, ...], language: str = "en") -> Iterator[str]:
    """Advice in words."""
    for each in advice:
        yield _ADVICE_LINE.filled(advice=each.words).said(language)
