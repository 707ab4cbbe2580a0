"""Where the rows of a seat lie: hand, what is laid open, flowers, wall, birds.

In a seat's own axes (see `places`), tile centres in mm:

* hand: d 362, from the left; the drawn tile 14 mm apart, a self-drawn winning tile of a shown hand
  20 mm apart;
* melds and eggs: d 300, packed from r 325 to the left, 8 mm between groups. Players who turn the
  claimed tile lay it sideways at the end or middle that points to its discarder. A concealed kong
  shows inner tiles. An added tile lies beside the left end of its group;
* flowers and seasons: the same row, from r -261 to the right;
* wall: d 247; birds and dice in the middle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table_assist.twin.holdings import Group, Hand
from table_assist.twin.places import on_table
from table_assist.twin.scene import TILE_LENGTH_MM, TILE_WIDTH_MM, Point, Pose
from table_assist.twin.wall import PieceWall

HAND_D, HAND_FIRST_R = 362.0, -307.0
MELDS_D, MELDS_RIGHT_R, BONUS_FIRST_R = 300.0, 325.0, -261.0
WALL_D, WALL_INNER_D = 247.0, 229.5
PASSING_D = 151.0
BIRDS_MM = tuple((x, y) for x in (30.0, 58.0) for y in (20.0, -25.0, 57.0, -60.0))


@dataclass(frozen=True, slots=True)
class Spacing:
    """The gaps that these players leave, in mm.

    Attributes:
        neighbours: between tiles of a row; crooked tiles need a little air.
        drawn: before the tile just drawn.
        won: before a self-drawn winning tile of a shown hand.
        melds: between two groups.
    """

    neighbours: float = 0.4
    drawn: float = 14.0
    won: float = 20.0
    melds: float = 8.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a seat's axes a piece lies, and how."""

    piece: int
    r: float
    d: float
    pose: Pose = Pose.FACE_UP
    turn: float = 0.0


def hand_row(hand: Hand, pieces: Sequence[int], spacing: Spacing) -> Iterator[Spot]:
    """A seat's hand, these pieces in order and the drawn one apart."""
    pitch = TILE_WIDTH_MM + spacing.neighbours
    r = HAND_FIRST_R
    for piece in pieces:
        yield Spot(piece, r, HAND_D, _in_hand(hand, piece))
        r += pitch
    if hand.drawn is not None:
        gap = spacing.won if hand.drawn in hand.shown else spacing.drawn
        yield Spot(hand.drawn, r + gap - spacing.neighbours, HAND_D, _in_hand(hand, hand.drawn))


def _in_hand(hand: Hand, piece: int) -> Pose:
    return Pose.FACE_UP if piece in hand.shown else Pose.STANDING


def group_row(
    seat: int, groups: Sequence[Group], *, turns_claimed: bool, spacing: Spacing
) -> Iterator[Spot]:
    """What a seat has laid open, the oldest first, from the right."""
    right = MELDS_RIGHT_R
    for group in groups:
        sideways = group.pieces[0] if turns_claimed and group.discarder is not None else None
        order = _order(seat, group)
        for place in reversed(range(len(order))):
            piece = order[place]
            turned = piece == sideways
            width = TILE_LENGTH_MM if turned else TILE_WIDTH_MM
            yield Spot(
                piece,
                right - width / 2,
                # Sideways tiles are flush with the others at the player's side.
                MELDS_D + (TILE_LENGTH_MM - TILE_WIDTH_MM) / 2 * turned,
                Pose.FACE_DOWN if piece in group.down else Pose.FACE_UP,
                90.0 * turned,
            )
            right -= width + spacing.neighbours
        right -= spacing.melds


def _order(seat: int, group: Group) -> tuple[int, ...]:
    """The pieces from left to right: the claimed one on its discarder's side, added ones left."""
    laid = group.pieces
    if group.discarder is not None:
        rest = sorted(laid[1:])
        # The next seat sits to the right, the one before to the left.
        place = {1: len(rest), 2: 1, 3: 0}[(group.discarder - seat) % 4]
        laid = (*rest[:place], laid[0], *rest[place:])
    return (*reversed(group.added), *laid)


def bonus_row(pieces: Sequence[int], spacing: Spacing) -> Iterator[Spot]:
    """Flowers and seasons in the order laid, from the left."""
    for index, piece in enumerate(pieces):
        yield Spot(piece, BONUS_FIRST_R + (TILE_WIDTH_MM + spacing.neighbours) * index, MELDS_D)


def passing_row(pieces: Sequence[int], spacing: Spacing) -> Iterator[Spot]:
    """Tiles that are passed on, face down before the seat."""
    pitch = TILE_WIDTH_MM + spacing.neighbours
    first = -pitch * (len(pieces) - 1) / 2
    for index, piece in enumerate(pieces):
        yield Spot(piece, first + pitch * index, PASSING_D, Pose.FACE_DOWN)


def wall_row(wall: PieceWall) -> Iterator[tuple[int, Spot]]:
    """Each stack that is left, as (seat, its uppermost piece)."""
    for column in wall.columns():
        seat, height = column.place.seat, len(column.pieces)
        if column.turned:
            pose = (Pose.FACE_UP, Pose.TURNED)[height - 1]
        else:
            pose = (Pose.FACE_DOWN, Pose.STACKED, Pose.TOPPED)[height - 1]
        r = stack_r(wall.stacks[seat], column.place.stack)
        yield seat, Spot(column.pieces[-1], r, WALL_D, pose)


def stack_r(stacks: int, stack: int) -> float:
    """Where a stack stands, counted from 1 at the seat's right; long sides stand like a pinwheel.

    >>> stack_r(13, 7), stack_r(18, 1)
    (0.0, 226.5)
    """
    overhang = max(stacks * TILE_WIDTH_MM / 2 - WALL_INNER_D, -1.0) + 1.0
    return (stacks - 1) * TILE_WIDTH_MM / 2 - TILE_WIDTH_MM * (stack - 1) + overhang


def wall_place(wall: PieceWall, spot: int) -> Point:
    """Where on the table a spot of the wall is."""
    place = wall.place(spot)
    return on_table(place.seat, stack_r(wall.stacks[place.seat], place.stack), WALL_D)
