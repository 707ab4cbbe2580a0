"""The simulated table: where each piece lies, from the washed wall to the birds.

Rows in a seat's own axes (see `places`), tile centres:

* hand: d 362, from the left; standing while playing, the drawn tile 14 mm apart; after a win face
  up, a self-drawn winning tile 20 mm apart;
* melds: d 300, packed from r 325 to the left, 8 mm between melds. Players who turn the claimed tile
  lay it sideways at the meld's end or middle that points to its discarder. A concealed kong shows
  its inner two tiles. An added tile lies beside the left end of its pung, and the later melds move
  over: all four tiles of a kong are seen from above;
* wall: d 247; river: rows of six from d 98 outwards; dice and birds in the middle.

Each piece keeps its own crookedness for the whole hand, and a tile in the river does not move.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from table_assist.melds import Meld, MeldKind
from table_assist.twin.deal import PIECES, Wall, face
from table_assist.twin.places import on_table, penetration, put
from table_assist.twin.scene import (
    TILE_LENGTH_MM,
    TILE_WIDTH_MM,
    PlacedDie,
    PlacedTile,
    Point,
    Pose,
    Scene,
)

HAND_D, HAND_FIRST_R = 362.0, -307.0
MELDS_D, MELDS_RIGHT_R = 300.0, 325.0
WALL_D = 247.0
RIVER_D, RIVER_FIRST_R, RIVER_ROW_MM = 98.0, -65.0, 35.5
RIVER_ROW, RIVER_ROWS = 6, 4
BIRDS_MM = ((30.0, 20.0), (30.0, -25.0))
# Discards are laid down less carefully than tiles that are pushed together in a row.
RIVER_JITTER_MM, RIVER_JITTER_DEG = 1.5, 1.7
RIVER_HABIT_DEG = 2.3
ROW_JITTER_R_MM, ROW_JITTER_D_MM, ROW_JITTER_DEG = 0.15, 0.8, 0.6
# Tiles that would press deeper than this into their neighbours push themselves aside.
TOUCH_MM = 0.3


@dataclass(frozen=True, slots=True)
class Spacing:
    """The gaps that these players leave, in mm.

    Attributes:
        neighbours: between tiles of a row; crooked tiles need a little air.
        drawn: before the tile just drawn.
        won: before a self-drawn winning tile of a shown hand.
        melds: between two melds.
    """

    neighbours: float = 0.4
    drawn: float = 14.0
    won: float = 20.0
    melds: float = 8.0


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld as it lies: which pieces, and who gave the claimed one.

    Attributes:
        pieces: in the order laid; of a claimed meld the claimed piece comes first.
        discarder: whose discard was claimed; None for a concealed kong.
    """

    kind: MeldKind
    pieces: tuple[int, ...]
    discarder: int | None = None

    @property
    def meld(self) -> Meld:
        """What it is by the rules, tiles ascending."""
        return Meld(self.kind, tuple(sorted(face(piece) for piece in self.pieces)))


@dataclass(frozen=True, slots=True)
class _Crookedness:
    """How a piece lies beside where it should: each from -1 to 1."""

    r: float
    d: float
    turn: float


class SimulatedTable:
    """Where all pieces lie. Methods say what was moved; `scene` is what there is to be seen.

    ``turns_claimed`` says for each seat whether the claimed tile of a meld is laid sideways.
    """

    def __init__(
        self, rng: Random, turns_claimed: Sequence[bool], spacing: Spacing | None = None
    ) -> None:
        self._rng = rng
        self._spacing = spacing or Spacing()
        self._turns_claimed = tuple(turns_claimed)
        self._river_turn = [rng.uniform(-1, 1) * RIVER_HABIT_DEG for _ in range(4)]
        self.clear()

    def clear(self) -> None:
        """Everything went into the machine."""
        rng = self._rng
        self._crooked = [
            _Crookedness(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in PIECES
        ]
        self._wall: dict[tuple[int, int, tuple[int, ...]], PlacedTile] = {}
        self._hands: list[tuple[PlacedTile, ...]] = [()] * 4
        self._melds: list[tuple[PlacedTile, ...]] = [()] * 4
        self._rivers: list[list[PlacedTile]] = [[], [], [], []]
        self._birds: list[PlacedTile] = []
        self._dice: tuple[PlacedDie, ...] = ()

    def scene(self) -> Scene:
        """The table as it lies now."""
        tiles = list(self._wall.values())
        for seat in range(4):
            tiles += self._hands[seat]
            tiles += self._melds[seat]
            tiles += self._rivers[seat]
        return Scene((*tiles, *self._birds), self._dice)

    def roll(self, values: tuple[int, int]) -> None:
        """The dice come to lie in their half of the middle, wherever they like."""
        rng = self._rng
        self._dice = tuple(
            PlacedDie(value, rng.uniform(-48, -22), side * rng.uniform(12, 38), rng.uniform(0, 360))
            for value, side in zip(values, (1, -1), strict=True)
        )

    def set_wall(self, wall: Wall) -> None:
        """The wall as it stands now."""
        now = {}
        for seat, index, pieces in wall.stacks():
            standing = self._wall.get((seat, index, pieces))
            now[seat, index, pieces] = standing or self._stack(wall, seat, index, pieces)
        self._wall = now

    def set_hand(self, seat: int, pieces: Iterable[int], drawn: int | None = None) -> None:
        """A seat's standing tiles in order, and the one just drawn, apart."""
        self._hands[seat] = self._hand_row(
            seat, sorted(pieces), drawn, gap=self._spacing.drawn, pose=Pose.STANDING
        )

    def show_hand(self, seat: int, pieces: Iterable[int], drawn: int | None = None) -> None:
        """A winner's tiles laid face up for the owner to read, a self-drawn winning tile apart."""
        self._hands[seat] = self._hand_row(
            seat, sorted(pieces), drawn, gap=self._spacing.won, pose=Pose.FACE_UP
        )

    def set_melds(self, seat: int, melds: Iterable[LaidMeld]) -> None:
        """A seat's melds, the oldest first."""
        placed: list[PlacedTile] = []
        right = MELDS_RIGHT_R
        for meld in melds:
            tiles, right = self._meld(seat, meld, right)
            placed += tiles
            right -= self._spacing.melds
        self._melds[seat] = tuple(placed)

    def discard(self, seat: int, piece: int) -> PlacedTile:
        """Lay a piece into the seat's river and say where it lies."""
        river = self._rivers[seat]
        row = min(len(river) // RIVER_ROW, RIVER_ROWS - 1)
        crooked = self._crooked[piece]
        r = RIVER_FIRST_R + TILE_WIDTH_MM * (len(river) - RIVER_ROW * row)
        r += crooked.r * RIVER_JITTER_MM
        d = RIVER_D + RIVER_ROW_MM * row + crooked.d * RIVER_JITTER_MM
        turn = self._river_turn[seat] + crooked.turn * RIVER_JITTER_DEG
        row_before = river[RIVER_ROW * row :]
        others = [tile for tiles in self._rivers for tile in tiles]
        placed = put(seat, face(piece), r=r, d=d, turn=turn)
        for _ in range(12):
            aside, outwards = _pressed(placed, row_before), _pressed(placed, others)
            if outwards == 0:
                break
            r, d = (r + aside, d) if aside else (r, d + outwards)
            placed = put(seat, face(piece), r=r, d=d, turn=turn)
        river.append(placed)
        return placed

    def take_discard(self, seat: int) -> None:
        """The seat's last discard is taken away."""
        self._rivers[seat].pop()

    def turn_bird(self, piece: int) -> None:
        """Lay a bird face up into its half of the middle."""
        x, y = BIRDS_MM[len(self._birds)]
        crooked = self._crooked[piece]
        self._birds.append(
            PlacedTile(
                face(piece),
                x + crooked.r * RIVER_JITTER_MM,
                y + crooked.d * RIVER_JITTER_MM,
                crooked.turn * RIVER_JITTER_DEG,
            )
        )

    def _stack(self, wall: Wall, seat: int, index: int, pieces: tuple[int, ...]) -> PlacedTile:
        crooked = self._crooked[pieces[0]]
        return put(
            seat,
            face(pieces[-1]),
            r=_stack_r(wall, seat, index),
            d=WALL_D + crooked.d * ROW_JITTER_D_MM,
            turn=crooked.turn * ROW_JITTER_DEG / 2,
            pose=Pose.STACKED if len(pieces) == 2 else Pose.FACE_DOWN,
        )

    def _hand_row(
        self, seat: int, pieces: list[int], drawn: int | None, *, gap: float, pose: Pose
    ) -> tuple[PlacedTile, ...]:
        pitch = TILE_WIDTH_MM + self._spacing.neighbours
        row = [(HAND_FIRST_R + pitch * index, piece) for index, piece in enumerate(pieces)]
        if drawn is not None:
            apart = gap - self._spacing.neighbours
            row.append((HAND_FIRST_R + pitch * len(pieces) + apart, drawn))
        return tuple(self._in_row(seat, piece, r=r, d=HAND_D, pose=pose) for r, piece in row)

    def _meld(self, seat: int, meld: LaidMeld, right: float) -> tuple[list[PlacedTile], float]:
        """The placed tiles of a meld whose right end is given, and where its left end is."""
        placed = []
        sideways = self._sideways(seat, meld)
        order = _meld_order(seat, meld)
        for place in reversed(range(len(order))):
            piece = order[place]
            turned = piece == sideways
            width = TILE_LENGTH_MM if turned else TILE_WIDTH_MM
            hidden = meld.kind is MeldKind.KONG_CONCEALED and place in (0, 3)
            placed.append(
                self._in_row(
                    seat,
                    piece,
                    r=right - width / 2,
                    # Sideways tiles are flush with the others at the player's side.
                    d=MELDS_D + (TILE_LENGTH_MM - TILE_WIDTH_MM) / 2 * turned,
                    pose=Pose.FACE_DOWN if hidden else Pose.FACE_UP,
                    turn=90.0 * turned,
                )
            )
            right -= width + self._spacing.neighbours
        return placed, right

    def _sideways(self, seat: int, meld: LaidMeld) -> int | None:
        """The piece that lies turned, if this player does that."""
        turned = self._turns_claimed[seat] and meld.discarder is not None
        return meld.pieces[0] if turned else None

    def _in_row(
        self, seat: int, piece: int, *, r: float, d: float, pose: Pose, turn: float = 0.0
    ) -> PlacedTile:
        crooked = self._crooked[piece]
        return put(
            seat,
            face(piece),
            r=r + crooked.r * ROW_JITTER_R_MM,
            d=d + crooked.d * ROW_JITTER_D_MM,
            turn=turn + crooked.turn * ROW_JITTER_DEG,
            pose=pose,
        )


def stack_place(wall: Wall, seat: int, index: int) -> Point:
    """Where a stack of the wall stands on the table."""
    return on_table(seat, _stack_r(wall, seat, index), WALL_D)


def _stack_r(wall: Wall, seat: int, index: int) -> float:
    """Stacks are counted from the seat's right."""
    return (wall.sides[seat] - 1) * TILE_WIDTH_MM / 2 - TILE_WIDTH_MM * index


def _meld_order(seat: int, meld: LaidMeld) -> tuple[int, ...]:
    """The pieces from left to right: the claimed one on its discarder's side."""
    if meld.discarder is None:
        return meld.pieces
    if meld.kind is MeldKind.KONG_ADDED:
        pung = LaidMeld(MeldKind.PUNG, meld.pieces[:3], meld.discarder)
        return (meld.pieces[3], *_meld_order(seat, pung))
    rest = sorted(meld.pieces[1:])
    # The next seat sits to the right, the one before to the left.
    place = {1: len(rest), 2: 1, 3: 0}[(meld.discarder - seat) % 4]
    return (*rest[:place], meld.pieces[0], *rest[place:])


def _pressed(placed: PlacedTile, others: Iterable[PlacedTile]) -> float:
    """How deep a tile presses into the others, where that is more than a touch; else 0."""
    corners = placed.corners_mm()
    near = (
        penetration(corners, other.corners_mm())
        for other in others
        if abs(other.x_mm - placed.x_mm) < 50 and abs(other.y_mm - placed.y_mm) < 50
    )
    deepest = max(near, default=0.0)
    return deepest if deepest > TOUCH_MM else 0.0
