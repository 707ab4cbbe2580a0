"""Each tile of the record keeps its piece: no entry ever takes another one's."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.following.pieces import Piece, Pieces, Slot, find_again, piece_of
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import ZoneKind
from tests.following.test_infer import river, tile

# Few faces: many tiles are equal, and none is known by its face alone.
FACES = (Tile.P9, Tile.M1, Tile.UNKNOWN)
PITCH_MM = 26.0


def slots_of(faces: list[Tile]) -> list[Slot]:
    return [Slot((seq, 0), face, ZoneKind.RIVER, 0) for seq, face in enumerate(faces, 1)]


def followed(tiles: list[SeenTile], first: int = 1) -> list[SeenTile]:
    return [replace(seen, id=id) for id, seen in enumerate(tiles, first)]


def bound(slots: list[Slot], tiles: list[SeenTile]) -> Pieces:
    return {slot.key: piece_of(seen) for slot, seen in zip(slots, tiles, strict=True)}


class Row:
    """Real tiles of a row, whose identities the test knows and the program does not."""

    def __init__(self, faces: list[Tile]) -> None:
        self.faces = faces
        self.r = [-65 + PITCH_MM * number for number in range(len(faces))]
        self.ids = list(range(1, len(faces) + 1))
        self._last = len(faces)

    def look(self, seen: list[bool], unread: list[bool], moved: list[float]) -> dict[int, SeenTile]:
        """Each tile that is seen, by its number; one that is missed is followed no more."""
        found = {}
        for number, (is_seen, is_unread, by) in enumerate(zip(seen, unread, moved, strict=True)):
            self.r[number] += by
            if not is_seen:
                self._last += 1
                self.ids[number] = self._last
                continue
            face = Tile.UNKNOWN if is_unread else self.faces[number]
            found[number] = replace(tile(face, self.r[number], 98, 0), id=self.ids[number])
        return found


@settings(max_examples=150)
@given(st.data())
def test_no_entry_ever_takes_another_ones_piece(data: st.DataObject) -> None:
    """Tiles that are pushed a little, hidden, seen again, or misread, beside new equal ones.

    Where one is hidden and another misread in one look, it looks as if all were pushed on.
    """
    faces = data.draw(st.lists(st.sampled_from(FACES), min_size=2, max_size=6))
    known = data.draw(st.integers(1, len(faces)))
    slots, row = slots_of(faces[:known]), Row(faces)
    flags = st.lists(st.booleans(), min_size=len(faces), max_size=len(faces))
    pushes = st.lists(st.floats(-1.5, 1.5), min_size=len(faces), max_size=len(faces))
    first = row.look([True] * len(faces), [False] * len(faces), [0.0] * len(faces))
    pieces = bound(slots, [first[number] for number in range(known)])
    for _ in range(2):
        seen, unread = data.draw(flags), data.draw(flags)
        there = row.look(seen, [all(seen) and each for each in unread], data.draw(pushes))
        found = find_again(slots, list(there.values()), pieces, 1.0)
        for number, slot in enumerate(slots):
            assert found.get(slot.key) is there.get(number), "and each is found that is seen"
        pieces = dict(pieces) | {key: piece_of(seen) for key, seen in found.items()}


@settings(max_examples=100)
@given(st.permutations(range(5)), st.floats(-30, 30), st.floats(-30, 30))
def test_a_table_that_was_bumped_keeps_its_pieces(
    order: list[int], right: float, up: float
) -> None:
    """Tiles are followed over a bump, however far; the rest of what is followed tells which."""
    slots = slots_of([Tile.P9] * 5)
    before = followed([tile(Tile.P9, -65 + PITCH_MM * n, 98, 0) for n in range(5)])
    pieces = bound(slots, before)
    steps = 4  # the observer fits the table anew: what is left of a bump is small
    for _ in range(steps):
        before = [
            replace(seen, x_mm=seen.x_mm + right / steps, y_mm=seen.y_mm + up / steps)
            for seen in before
        ]
        found = find_again(slots, [before[n] for n in order], pieces, 1.0)
        pieces = {key: piece_of(seen) for key, seen in found.items()}
    assert pieces == bound(slots, before)


@given(st.lists(st.booleans(), min_size=2, max_size=6), st.floats(-40, 40))
def test_of_a_river_that_was_pushed_unseen_each_is_found(unread: list[bool], by: float) -> None:
    """As a whole, by a place and a half at most, and one face is read."""
    faces = [Tile.UNKNOWN if each else Tile(n) for n, each in enumerate((*unread, False))]
    slots = slots_of(faces)
    before = [tile(face, -65 + PITCH_MM * n, 98, 0) for n, face in enumerate(faces)]
    lying = [replace(seen, x_mm=seen.x_mm + by) for seen in before]
    found = find_again(slots, lying, bound(slots, before), 1.0)
    assert [found[slot.key] for slot in slots] == lying


def test_another_runs_identity_far_off_is_not_the_piece() -> None:
    slots = slots_of([Tile.P9])
    pieces = {slots[0].key: Piece(1, 0.0, -98.0)}
    there = replace(tile(Tile.P9, 65, 98, 0), id=1)
    assert find_again(slots, [there], pieces, 1.0) == {}


def test_what_was_pushed_on_is_told_from_the_tile_at_its_place() -> None:
    """A tile laid in a wrong row is moved on, and the next discard lies where it lay."""
    slots, before = slots_of([Tile.S4]), followed(river(0, "4s"))
    new, moved = followed(river(0, "6p4s"))
    found = find_again(slots, [new, replace(moved, id=7)], bound(slots, before), 1.0)
    assert found[slots[0].key].id == 7
