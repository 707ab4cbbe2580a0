"""The rows of a seat: hand, open melds, flowers, wall; where they lie, says `Fit`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table_assist.twin.fit import BONUS_FIRST_R, HAND_FIRST_R, MELDS_RIGHT_R, PASSING_D, Fit
from table_assist.twin.holdings import Hand, LaidGroup
from table_assist.twin.places import on_table
from table_assist.twin.scene import Point, Pose
from table_assist.twin.wall import PieceWall


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
class RowSpot:
    """Where in a seat's axes a piece lies, and how."""

    piece: int
    r: float
    d: float
    pose: Pose = Pose.FACE_UP
    turn: float = 0.0


def hand_row(hand: Hand, pieces: Sequence[int], spacing: Spacing, fit: Fit) -> Iterator[RowSpot]:
    """A seat's hand, these pieces in order and the drawn one apart."""
    pitch = fit.width + spacing.neighbours
    r = HAND_FIRST_R
    for piece in pieces:
        yield RowSpot(piece, r, fit.hand_d, _in_hand(hand, piece))
        r += pitch
    if hand.drawn is not None:
        gap = spacing.won if hand.drawn in hand.shown else spacing.drawn
        yield RowSpot(
            hand.drawn, r + gap - spacing.neighbours, fit.hand_d, _in_hand(hand, hand.drawn)
        )


def _in_hand(hand: Hand, piece: int) -> Pose:
    return Pose.FACE_UP if piece in hand.shown else Pose.STANDING


def group_row(
    seat: int, groups: Sequence[LaidGroup], *, turns_claimed: bool, spacing: Spacing, fit: Fit
) -> Iterator[RowSpot]:
    """A seat's open melds, the oldest first, from the right."""
    right = MELDS_RIGHT_R
    for group in groups:
        sideways = group.pieces[0] if turns_claimed and group.discarder is not None else None
        order = _order(seat, group)
        for place in reversed(range(len(order))):
            piece = order[place]
            turned = piece == sideways
            width = fit.length if turned else fit.width
            yield RowSpot(
                piece,
                right - width / 2,
                # Sideways tiles are flush with the others at the player's side.
                fit.melds_d + (fit.length - fit.width) / 2 * turned,
                Pose.FACE_DOWN if piece in group.down else Pose.FACE_UP,
                90.0 * turned,
            )
            right -= width + spacing.neighbours
        right -= spacing.melds


def _order(seat: int, group: LaidGroup) -> tuple[int, ...]:
    """The pieces from left to right: the claimed one on its discarder's side, added ones left."""
    laid = group.pieces
    if group.discarder is not None:
        rest = sorted(laid[1:])
        # The next seat sits to the right, the one before to the left.
        place = {1: len(rest), 2: 1, 3: 0}[(group.discarder - seat) % 4]
        laid = (*rest[:place], laid[0], *rest[place:])
    return (*reversed(group.added), *laid)


def bonus_row(pieces: Sequence[int], spacing: Spacing, fit: Fit) -> Iterator[RowSpot]:
    """Flowers and seasons in the order laid, from the left."""
    for index, piece in enumerate(pieces):
        yield RowSpot(piece, BONUS_FIRST_R + (fit.width + spacing.neighbours) * index, fit.melds_d)


def passing_row(pieces: Sequence[int], spacing: Spacing, fit: Fit) -> Iterator[RowSpot]:
    """Tiles that are passed on, face down before the seat."""
    pitch = fit.width + spacing.neighbours
    first = -pitch * (len(pieces) - 1) / 2
    for index, piece in enumerate(pieces):
        yield RowSpot(piece, first + pitch * index, PASSING_D, Pose.FACE_DOWN)


def wall_row(wall: PieceWall, fit: Fit) -> Iterator[tuple[int, RowSpot]]:
    """Each stack that is left, as (seat, its uppermost piece)."""
    for column in wall.columns():
        seat, height = column.place.seat, len(column.pieces)
        if column.turned:
            pose = (Pose.FACE_UP, Pose.TURNED)[height - 1]
        else:
            pose = (Pose.FACE_DOWN, Pose.STACKED, Pose.TOPPED)[height - 1]
        r = fit.stack_r(wall.stacks[seat], column.place.stack)
        yield seat, RowSpot(column.pieces[-1], r, fit.wall_d, pose)


def wall_place(wall: PieceWall, spot: int, fit: Fit) -> Point:
    """Where on the table a spot of the wall is."""
    place = wall.place(spot)
    r = fit.stack_r(wall.stacks[place.seat], place.stack)
    return on_table(place.seat, r, fit.wall_d)
