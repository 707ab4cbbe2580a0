"""From what lies in a photo of one declared hand to what a judge needs.

A hand lies in one row or in a few beside each other; melds, the winning tile and flowers are told
by where they lie and what they are. What cannot be told is a doubt, in a sentence.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.melds import Meld, MeldKind, is_set
from table_assist.tiles import COPIES, Tile, format_tiles
from table_assist.vision.hand_rows import HAND, hand_rows, is_bonus, without_unread_ends
from table_assist.vision.readings import Readings, tile_of
from table_assist.vision.rows import Row

Group = tuple[int, ...]  # indices into the readings, in order


@dataclass(frozen=True, slots=True)
class ArrangedHand:
    """A declared hand as it lies.

    Attributes:
        concealed: with the winning tile; in the order in which they lie; unread tiles are UNKNOWN.
        melds: what lies apart as a set.
        winning_tile: the tile set apart; None: there is none, or the hand is a tile short.
        bonus: flowers and seasons beside the hand.
        doubts: a sentence each for what the picture does not settle.
        left_out: indices of the readings that were not taken as part of the hand.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    winning_tile: Tile | None
    bonus: tuple[Tile, ...]
    doubts: tuple[str, ...]
    left_out: tuple[int, ...]


def arrange_hand(readings: Readings) -> ArrangedHand:
    """Find the declared hand among everything that was read."""
    rows = hand_rows(readings)
    if not rows:
        return ArrangedHand((), (), None, (), ("there are no tiles in the picture",), ())
    return _Arranger(readings, rows, without_unread_ends(readings, rows)).arrange()


class _Arranger:
    """Sorts the groups of a hand's rows into parts, and keeps the doubts that arise."""

    def __init__(self, readings: Readings, seen: Sequence[Row], rows: Sequence[Row]) -> None:
        self._readings = readings
        self._rows = rows
        self._members = [index for row in rows for index in row.members]
        # A die stands as UNKNOWN here, and is in no row.
        tiles = (tile_of(label) for label in readings.labels)
        self._tiles = [Tile.UNKNOWN if tile is None else tile for tile in tiles]
        self._bonus = [index for index in self._members if is_bonus(readings, index)]
        groups = [self._without_bonus(group) for row in rows for group in row.groups]
        self._groups: list[Group] = [group for group in groups if group]
        self._melds: list[Meld] = []
        self._doubts: list[str] = []
        dropped = sum(len(row.members) for row in seen) - len(self._members)
        if dropped:
            self._doubts.append(
                f"unread things at the end of a row that has tiles enough, left out: {dropped}"
            )

    def arrange(self) -> ArrangedHand:
        winning = self._take_winning()
        self._take_melds()
        concealed = [index for group in self._groups for index in group]
        concealed = self._take_kongs_in_row(concealed, winning)
        winning_tile = self._settle_winning(concealed, winning)
        if winning is not None:
            concealed.append(winning)
        self._check_count(len(concealed))
        self._doubt_tiles(concealed)
        left_out = tuple(
            index
            for index, label in enumerate(self._readings.labels)
            if index not in self._members and tile_of(label) is not None
        )
        if left_out:
            self._doubts.append(
                f"other tiles in the picture, not taken as part of the hand: {len(left_out)}"
            )
        return ArrangedHand(
            tuple(self._tiles[index] for index in concealed),
            tuple(self._melds),
            winning_tile,
            tuple(self._tiles[index] for index in self._bonus),
            tuple(self._doubts),
            left_out,
        )

    def _without_bonus(self, group: Group) -> Group:
        return tuple(index for index in group if index not in self._bonus)

    def _names(self, group: Sequence[int]) -> str:
        return format_tiles(self._tiles[index] for index in group)

    def _take_winning(self) -> int | None:
        """The one tile that lies alone; others that do are left to the concealed tiles."""
        if len(self._groups) == 1:
            return None
        alone = [group for group in self._groups if len(group) == 1]
        faces = [group for group in alone if self._tiles[group[0]] is not Tile.BACK]
        if len(faces) != 1:
            if faces:
                lone = self._names([index for group in faces for index in group])
                self._doubts.append(f"more than one tile lies alone: {lone}")
            return None
        self._groups.remove(faces[0])
        if any(row.members == faces[0] for row in self._rows):
            self._doubts.append(
                f"{self._names(faces[0])} lies beside the hand and is taken as the winning tile"
            )
        return faces[0][0]

    def _take_melds(self) -> None:
        """Groups that are sets are melds, if there is a concealed part that is none."""
        melds = {group: meld for group in self._groups if (meld := self._meld_of(group))}
        rest = [group for group in self._groups if group not in melds]
        if melds and all(len(group) <= 2 for group in rest):
            # The last of the sets may be claimed or not; only kongs are certain to be melds.
            sets = [group for group, meld in melds.items() if not meld.kind.is_kong]
            if sets:
                names = ", ".join(self._names(group) for group in sets)
                self._doubts.append(
                    f"every set lies apart ({names}): they are taken as concealed, "
                    "the picture does not tell which were claimed"
                )
            melds = {group: meld for group, meld in melds.items() if meld.kind.is_kong}
        for group, meld in melds.items():
            self._groups.remove(group)
            self._melds.append(meld)
            self._doubt_meld(group, meld)
        for group in rest:
            if len(self._groups) > 1 and 3 <= len(group) <= 4:
                self._doubts.append(f"{self._names(group)} lie apart and are not a set")

    def _meld_of(self, group: Group) -> Meld | None:
        tiles = tuple(self._tiles[index] for index in group)
        if len(tiles) == 4 and Tile.BACK in tiles:
            faces = {tile for tile in tiles if tile is not Tile.BACK}
            if len(faces) > 1:
                return None
            return Meld(MeldKind.KONG_CONCEALED, (faces.pop() if faces else Tile.UNKNOWN,) * 4)
        for kind in (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_EXPOSED):
            if is_set(kind, tiles):
                return Meld(kind, tiles)
        return self._guess(tiles)

    def _guess(self, tiles: tuple[Tile, ...]) -> Meld | None:
        """A group of three or four in which a tile was not read, by those that were."""
        known = [tile for tile in tiles if tile is not Tile.UNKNOWN]
        if len(known) == len(tiles) or len(known) < 2 or len(tiles) not in (3, 4):
            return None
        if len(set(known)) == 1:
            return Meld(MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_EXPOSED, tiles)
        low, high = min(known), max(known)
        if len(tiles) == 3 and low.is_suited and low.suit == high.suit and high - low <= 2:
            return Meld(MeldKind.CHOW, tiles)
        return None

    def _doubt_meld(self, group: Group, meld: Meld) -> None:
        if meld.kind is MeldKind.KONG_EXPOSED:
            self._doubts.append(
                f"the kong {self._names(group)} is taken as claimed; "
                "whether it was concealed or added cannot be seen"
            )
        if meld.kind is MeldKind.KONG_CONCEALED and Tile.UNKNOWN in meld.tiles:
            self._doubts.append("a concealed kong shows no face")

    def _take_kongs_in_row(self, concealed: list[int], winning: int | None) -> list[int]:
        """More than fourteen tiles in a closed row: four alike beside each other are a kong."""
        spare = len(concealed) + (winning is not None) + 3 * len(self._melds) - HAND
        position = 0
        while spare > 0 and position + 4 <= len(concealed):
            group = tuple(concealed[position : position + 4])
            tiles = tuple(self._tiles[index] for index in group)
            if is_set(MeldKind.KONG_EXPOSED, tiles):
                meld = Meld(MeldKind.KONG_EXPOSED, tiles)
                self._melds.append(meld)
                self._doubt_meld(group, meld)
                del concealed[position : position + 4]
                spare -= 1
            else:
                position += 1
        return concealed

    def _settle_winning(self, concealed: list[int], winning: int | None) -> Tile | None:
        count = len(concealed) + (winning is not None) + 3 * len(self._melds)
        if winning is not None:
            return self._tiles[winning]
        if count != HAND or not concealed:
            return None
        last = self._tiles[concealed[-1]]
        self._doubts.append(f"no tile is set apart: the last one, {last}, is taken as winning")
        return last

    def _check_count(self, concealed: int) -> None:
        count = concealed + 3 * len(self._melds)
        if count != HAND:
            self._doubts.append(
                f"the hand has {count} tiles, kongs counted as three; a declared hand has {HAND}"
            )

    def _doubt_tiles(self, concealed: Sequence[int]) -> None:
        for index in self._members:
            if self._tiles[index] is Tile.UNKNOWN:
                choice = " or ".join(
                    f"{candidate.label} ({candidate.confidence:.0%})"
                    for candidate in self._readings.candidates[index]
                )
                self._doubts.append(f"a tile of the hand was not read: {choice}")
        in_melds = [tile for meld in self._melds for tile in meld.tiles]
        loose = [self._tiles[index] for index in concealed]
        counts = Counter(tile for tile in (*in_melds, *loose) if tile.is_face)
        for tile, count in counts.items():
            if count > COPIES:
                self._doubts.append(f"{count} tiles were read as {tile}, there are {COPIES}")
        if Tile.BACK in loose:
            self._doubts.append("a tile of the hand lies face down")
