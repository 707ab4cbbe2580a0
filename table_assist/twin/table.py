"""The simulated table: everything that is held, laid out as people would.

Each piece keeps its own crookedness for the whole hand, and a tile in the river does not move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from firmware_bridge.events import EventContent
from table_assist.game.events import Event
from table_assist.game.state import SEATS, TableState
from table_assist.record.commands import Answer, Command
from table_assist.twin.holdings import Hand, Holdings, LaidGroup
from table_assist.twin.river import (
    BONUS_FIRST_R,
    HAND_FIRST_R,
    MELDS_RIGHT_R,
    PASSING_D,
    RIVER_JITTER_DEG,
    RIVER_JITTER_MM,
    Fit,
    Rivers,
    RiverStyle,
    put,
)
from table_assist.twin.scene import PlacedDie, PlacedTile, Pose, Scene

# The rows of a seat: hand, open melds, flowers, wall; where they lie, says `Fit`.


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


def passing_row(pieces: Sequence[int], spacing: Spacing, fit: Fit) -> Iterator[RowSpot]:
    """Tiles that are passed on, face down before the seat."""
    pitch = fit.width + spacing.neighbours
    first = -pitch * (len(pieces) - 1) / 2
    for index, piece in enumerate(pieces):
        yield RowSpot(piece, first + pitch * index, PASSING_D, Pose.FACE_DOWN)


ROW_JITTER_R_MM, ROW_JITTER_D_MM, ROW_JITTER_DEG = 0.15, 0.8, 0.6
PLAIN_SPACING = Spacing()
# The seats that lay the claimed tile of a meld sideways.
TURNS_CLAIMED = (True, False, True, False)
# The seats that take the winning discard among their own tiles; the others leave it where it lies.
TAKES_WON = (False, True, True, False)


@dataclass(frozen=True, slots=True)
class Manners:
    """How people handle the tiles.

    Attributes:
        turns_claimed: for each seat, whether the claimed tile of a meld is laid sideways.
        takes_won: for each seat, whether it takes the discard that it wins from the river.
        tile_scale: times as large as usual their tiles are.
    """

    turns_claimed: tuple[bool, bool, bool, bool] = TURNS_CLAIMED
    takes_won: tuple[bool, bool, bool, bool] = TAKES_WON
    spacing: Spacing = PLAIN_SPACING
    river: RiverStyle = RiverStyle.ROWS
    tile_scale: float = 1.0


@dataclass(frozen=True, slots=True)
class _Crookedness:
    """How a piece lies beside where it should: each from -1 to 1."""

    r: float
    d: float
    turn: float


class SimulatedTable:
    """The visible table of holdings.

    Attributes:
        manners: how these people handle them.
        fit: where tiles of their size lie.
    """

    def __init__(self, rng: Random, manners: Manners, pieces: int) -> None:
        self._rng = rng
        self.manners = manners
        self._count = pieces
        self.fit = Fit(manners.tile_scale)
        self.rivers = Rivers(rng, manners.river, self.fit)
        self.clear()

    def clear(self) -> None:
        """Everything went into the machine."""
        rng = self._rng
        self._crooked = [
            _Crookedness(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))
            for _ in range(self._count)
        ]
        self.rivers.clear()
        self._placed: dict[tuple[int, RowSpot], PlacedTile] = {}
        self._dice: tuple[PlacedDie, ...] = ()

    def roll(self, values: tuple[int, ...]) -> None:
        """The dice come to lie in their half of the middle, wherever they like."""
        rng, share = self._rng, 76.0 / max(len(values), 2)
        self._dice = tuple(
            PlacedDie(
                value,
                rng.uniform(-48, -22),
                38 - share * index - rng.uniform(12, share - 12),
                rng.uniform(0, 360),
            )
            for index, value in enumerate(values)
        )

    def scene(self, holdings: Holdings | None) -> Scene:
        """The table as it lies now; without holdings the tiles are in the machine."""
        if holdings is None:
            return Scene((), self._dice)
        tiles: list[PlacedTile] = []
        manners, fit = self.manners, self.fit
        pitch = fit.width + manners.spacing.neighbours
        for column in holdings.wall.columns():  # each stack's uppermost piece
            seat, height = column.place.seat, len(column.pieces)
            if column.turned:
                pose = (Pose.FACE_UP, Pose.TURNED)[height - 1]
            else:
                pose = (Pose.FACE_DOWN, Pose.STACKED, Pose.TOPPED)[height - 1]
            r = fit.stack_r(holdings.wall.stacks[seat], column.place.stack)
            spot = RowSpot(column.pieces[-1], r, fit.wall_d, pose)
            tiles.append(self._in_row(holdings, seat, spot, straight=0.5))
        for seat in SEATS:
            hand = holdings.seats[seat]
            spots = (
                *hand_row(hand, sorted(hand.pieces), manners.spacing, fit),
                *group_row(
                    seat,
                    hand.groups,
                    turns_claimed=manners.turns_claimed[seat],
                    spacing=manners.spacing,
                    fit=fit,
                ),
                *(  # flowers and seasons in the order laid, from the left
                    RowSpot(piece, BONUS_FIRST_R + pitch * index, fit.melds_d)
                    for index, piece in enumerate(hand.bonus)
                ),
                *passing_row(hand.passing, manners.spacing, fit),
            )
            tiles += [self._in_row(holdings, seat, spot) for spot in spots]
            faces = [holdings.set.face(piece) for piece in hand.river]
            self.rivers.update(seat, hand.river, faces)
        lying = Pose.FACE_DOWN if holdings.discards_down else Pose.FACE_UP
        tiles += (replace(tile, pose=lying) for tile in self.rivers.tiles())
        # Birds; or what was looked at, face down until it is turned up
        hidden = set(holdings.looked_at) - holdings.revealed
        pieces = (*holdings.birds, *holdings.looked_at)
        for piece, (x, y) in zip(pieces, self.fit.birds, strict=False):
            crooked = self._crooked[piece]
            tiles.append(
                PlacedTile(
                    holdings.set.face(piece),
                    x + crooked.r * RIVER_JITTER_MM,
                    y + crooked.d * RIVER_JITTER_MM,
                    crooked.turn * RIVER_JITTER_DEG,
                    Pose.FACE_DOWN if piece in hidden else Pose.FACE_UP,
                    self.fit.scale,
                )
            )
        return Scene(tuple(tiles), self._dice)

    def _in_row(
        self, holdings: Holdings, seat: int, spot: RowSpot, *, straight: float = 1.0
    ) -> PlacedTile:
        known = self._placed.get((seat, spot))
        if known is not None:
            return known
        crooked = self._crooked[spot.piece]
        placed = self._placed[seat, spot] = put(
            seat,
            holdings.set.face(spot.piece),
            r=spot.r + crooked.r * ROW_JITTER_R_MM * (straight == 1.0),
            d=spot.d + crooked.d * ROW_JITTER_D_MM,
            turn=spot.turn + crooked.turn * ROW_JITTER_DEG * straight,
            pose=spot.pose,
            scale=self.fit.scale,
        )
        return placed


@dataclass(frozen=True, slots=True)
class ArmReach:
    """Whose hand reached over the table, and how far, to bring the step about."""

    seat: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class TableStep:
    """One thing that happened at the table.

    Attributes:
        hand: the hand's number in the evening, from 1.
        scene: the table when the step is done.
        signals: what the board reports, in order, when the step begins.
        events: the truth: what a perfect observer would record.
        text: what happened, for people who follow the simulation.
        seconds: how long people take for it, the pause after it included.
        commands: what people tap on the page, before anything else of the step. The question of an
            `Answer` has the hand, kind and seat of the one that the program asks.
        game: the game's number in the evening, from 1; a new one begins with nothing on record.
    """

    hand: int
    scene: Scene
    text: str
    seconds: float
    signals: tuple[EventContent, ...] = ()
    events: tuple[Event, ...] = ()
    reach: ArmReach | None = None
    commands: tuple[Command, ...] = ()
    game: int = 1


Steps = Iterator[TableStep]


def tapped(command: Command, state: TableState) -> Command | None:
    """The tap on the page: an answer to the question that is open; None if it is not.

    Args:
        state: as the program has it.
    """
    if not isinstance(command, Answer):
        return command
    for question in state.questions:
        if replace(question.question, entry=0, subject="") == command.question:
            return replace(command, question=question.question)
    return None
