"""One hand as its events tell it: what a careful onlooker would remember when it is paid.

Of the program only tiles and events are known here, as data. Tiles are texts ("5m", "E"), seats are
numbers, and nothing of the table's state, of the rule sets or of the settlement is imported.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    LastTilePassed,
    Penalised,
    ReadyDeclared,
    Settled,
    StartingHandShown,
    WallExhausted,
    WinRefused,
)

Money = list[int]
Options = dict[str, bool | int | str]
KONGS = ("kong_concealed", "kong_exposed", "kong_added")
CLAIMED = ("chow", "pung", "kong_exposed", "kong_added")


@dataclass
class Laid:
    """A set on the table.

    ``kind`` is the meld's; ``giver`` whose discard is in it; ``extra`` what was put to an egg;
    ``void`` that it is not paid: a robbed kong, a broken egg, a kong whose next discard was won.
    """

    seat: int
    kind: str
    tiles: tuple[str, ...]
    giver: int | None = None
    extra: list[str] = field(default_factory=list)
    robbed: bool = False
    shot: bool = False


@dataclass
class Player:
    melds: list[Laid] = field(default_factory=list)
    flowers: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    ready_with: int | None = None
    """The number of the discard that ready was declared with."""
    dead: str | None = None
    notes: list[str] = field(default_factory=list)
    """What a referee noted of how the hand was laid down."""
    owed: list[str] = field(default_factory=list)
    """What replacements are still to be drawn for: "kong", "egg" or "flower"."""


@dataclass
class Shown:
    """A hand that was declared and not refused; how it was won is told of the moment before."""

    seat: int
    tiles: list[str]
    last: str
    drawn: bool
    rush: bool


@dataclass
class Story:
    """All that was seen of the hand, up to its end."""

    rules: str
    dealer: int
    options: Options
    live: int
    dead: int
    prevailing: str
    first_east: int
    events: Sequence[Event] = ()
    players: list[Player] = field(default_factory=lambda: [Player() for _ in range(4)])
    laid: list[Laid] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    open_hands: dict[int, list[str]] = field(default_factory=dict)
    openings: dict[int, list[str]] = field(default_factory=dict)
    birds: list[str] = field(default_factory=list)
    indicators: list[str] = field(default_factory=list)
    tail: list[tuple[int, int]] = field(default_factory=list)
    """(stack, layer) of the wall's last tiles, where it matters which are left."""
    down: bool = False
    tokens: Sequence[int] = (0, 0, 0, 0)
    refused: list[int] = field(default_factory=list)
    fines: list[Money] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    moves: list[Event] = field(default_factory=list)
    """What moved tiles, in order; refused wins and what was said left out."""
    last_drawer: int | None = None
    replacing: str = ""
    """What the last drawn tile replaced; empty for a tile of the wall's front."""
    last_draw: int | None = None
    """Live tiles before the last draw, for who puts the tile back."""
    replaced: int = 0
    fresh_kong: Laid | None = None
    """A kong since which its owner has not discarded."""
    shooter: Laid | None = None
    """The kong that the last discard came right after."""
    offered: tuple[int, str, Laid | None] | None = None
    """(giver, tile, the set it was put to): what another may win now."""
    calls: int = 0
    streak: int = 0
    """Hands that the dealer has won in a row before this one."""
    end: Settled | WallExhausted | None = None

    # --- What is asked of it

    def last_move(self) -> Event | None:
        return self.moves[-1] if self.moves else None

    def tiles_of(self, shown: Shown) -> list[str]:
        melded = [t for m in self.players[shown.seat].melds for t in (*m.tiles, *m.extra)]
        return [*shown.tiles, *melded]

    def giver(self, shown: Shown) -> int | None:
        """Whose tile was won: none for a drawn one, or for the treasure alone."""
        if shown.drawn or shown.rush or self.offered is None:
            return None
        return self.offered[0]

    def robs(self, shown: Shown) -> Laid | None:
        """The kong or egg whose tile the hand is won with."""
        if shown.drawn or shown.rush or self.offered is None:
            return None
        return self.offered[2]

    def round_of_discards(self, shown: Shown) -> int:
        """The one in progress, from 1; who has drawn, to win or for a kong, is in its next one."""
        most, robbed = max(len(player.discards) for player in self.players), self.robs(shown)
        drawer = shown.seat if shown.drawn else None if robbed is None else robbed.seat
        own = 0 if drawer is None else len(self.players[drawer].discards) + 1
        return max(1, most, own)

    def after_own_kong(self, shown: Shown) -> Laid | None:
        kong = self.fresh_kong
        return kong if shown.drawn and kong is not None and kong.seat == shown.seat else None

    def left(self, shown: Shown) -> int:
        """Live tiles when the hand is won: a tile drawn meanwhile by another goes back."""
        late = not shown.drawn and isinstance(self.last_move(), Drew) and self.offered is not None
        return self.last_draw if late and self.last_draw is not None else self.live

    def nearest_first(self) -> list[Shown]:
        """The winners, the nearest after the giver first."""
        giver = next((g for hand in self.shown if (g := self.giver(hand)) is not None), 0)
        return sorted(self.shown, key=lambda hand: (hand.seat - giver - 1) % 4)


def read(events: Sequence[Event], defaults: Options, wall: "type[Wall]", instead: Options) -> Story:
    """Read a hand's events, from the first dice to its end.

    ``instead``: options at other values than the hand was started with.
    """
    started = next(event for event in events if isinstance(event, HandStarted))
    story = Story(
        started.rules,
        started.dealer,
        {**defaults, **dict(started.options), **instead},
        started.wall_left,
        started.dead,
        str(started.prevailing),
        started.first_east,
        events,
    )
    reader = _Reader(story, wall)
    for event in events:
        reader.take(event)
    return story


class Wall:
    """How replacements take tiles from the wall; each rule set has its own."""

    @staticmethod
    def replace(story: Story, what: str) -> None:
        """Take the tile that replaces another: of a kong, an egg or a flower."""
        story.live -= 1

    @staticmethod
    def turn(story: Story, column: int) -> None:
        """An indicator is turned."""


class _Reader:
    def __init__(self, story: Story, wall: type[Wall]) -> None:
        self.story, self.wall = story, wall

    def take(self, event: Event) -> None:
        if isinstance(event, Settled | WallExhausted):
            self.story.end = event
            return
        arm = getattr(self, "on_" + type(event).__name__, None)
        if arm is not None:
            arm(event)
        if isinstance(event, _MOVES):
            self.story.moves.append(event)

    def on_AntesPlaced(self, event: AntesPlaced) -> None:  # noqa: N802 - named as the events are
        self.story.down, self.story.tokens = event.double_down, event.challenges

    def on_StartingHandShown(self, event: StartingHandShown) -> None:  # noqa: N802
        self.story.openings[event.seat] = texts(event.tiles)

    def on_IndicatorTurned(self, event: IndicatorTurned) -> None:  # noqa: N802
        self.story.indicators.append(str(event.tile))
        self.wall.turn(self.story, event.column)

    def on_ReadyDeclared(self, event: ReadyDeclared) -> None:  # noqa: N802
        player = self.story.players[event.seat]
        if player.ready_with is None:
            player.ready_with = len(player.discards) + 1

    def on_BonusLaid(self, event: BonusLaid) -> None:  # noqa: N802
        player = self.story.players[event.seat]
        player.flowers += texts(event.tiles)
        player.owed += ["flower"] * len(event.tiles)

    def on_EggLaid(self, event: EggLaid) -> None:  # noqa: N802
        self._lay(Laid(event.seat, "lucky_egg", tuple(texts(event.tiles))))
        if len(event.tiles) == 4:
            self.story.players[event.seat].owed.append("egg")

    def on_EggAppended(self, event: EggAppended) -> None:  # noqa: N802
        story = self.story
        eggs = [meld for meld in story.players[event.seat].melds if meld.kind == "lucky_egg"]
        egg = eggs[event.egg]
        egg.extra.append(str(event.tile))
        story.players[event.seat].owed.append("egg")
        claimed = isinstance(story.last_move(), Discarded)
        story.offered = None if claimed else (event.seat, str(event.tile), egg)
        story.shooter = None

    def on_Drew(self, event: Drew) -> None:  # noqa: N802
        story, player = self.story, self.story.players[event.seat]
        story.last_draw = story.live
        if player.owed:
            what = player.owed.pop(0)
            self.wall.replace(story, what)
            story.replaced += 1
            story.replacing = what
        else:
            story.live -= 1
            story.replacing = ""
            for other in story.players:
                other.owed.clear()
        story.last_drawer = event.seat
        if not isinstance(story.last_move(), Discarded):
            story.offered = None
        story.shooter = story.shooter if story.offered else None

    def on_LastTilePassed(self, event: LastTilePassed) -> None:  # noqa: N802
        self.story.passed.append(event.seat)

    def on_Discarded(self, event: Discarded) -> None:  # noqa: N802
        story = self.story
        story.players[event.seat].discards.append(str(event.tile))
        story.offered = (event.seat, str(event.tile), None)
        fresh = story.fresh_kong
        story.shooter = fresh if fresh is not None and fresh.seat == event.seat else None
        story.fresh_kong = None

    def on_Claimed(self, event: Claimed) -> None:  # noqa: N802
        story = self.story
        story.calls += 1
        if isinstance(story.last_move(), Drew):  # it goes back: the discard before was claimed
            story.live = story.last_draw if story.last_draw is not None else story.live
        if story.offered is not None and story.offered[2] is not None:
            egg = story.offered[2]
            egg.extra.pop()
            egg.robbed = True
            story.players[egg.seat].owed.clear()
        story.offered, story.shooter, story.fresh_kong = None, None, None
        self._lay(Laid(event.seat, str(event.kind), tuple(texts(event.tiles)), event.discarder))
        if event.kind.is_kong:
            story.fresh_kong = story.laid[-1]
            story.players[event.seat].owed.append("kong")

    def on_KongDeclared(self, event: KongDeclared) -> None:  # noqa: N802
        story, tile = self.story, str(event.tile)
        story.calls += 1
        kong = Laid(event.seat, str(event.kind), (tile,) * 4)
        if kong.kind == "kong_added":
            melds = story.players[event.seat].melds
            pung = next(each for each in melds if each.kind == "pung" and tile in each.tiles)
            melds.remove(pung)
        self._lay(kong)
        story.offered = (event.seat, tile, kong)
        story.shooter, story.fresh_kong = None, kong
        story.players[event.seat].owed.append("kong")

    def _lay(self, laid: Laid) -> None:
        self.story.laid.append(laid)
        self.story.players[laid.seat].melds.append(laid)

    def on_HandShown(self, event: HandShown) -> None:  # noqa: N802
        self.story.shown = [hand for hand in self.story.shown if hand.seat != event.seat]
        self.story.shown.append(
            Shown(
                event.seat,
                texts(event.concealed),
                str(event.winning_tile),
                event.self_drawn,
                event.rush,
            )
        )

    def on_WinRefused(self, event: WinRefused) -> None:  # noqa: N802
        self.story.shown = [hand for hand in self.story.shown if hand.seat != event.seat]
        self.story.refused.append(event.seat)

    def on_Penalised(self, event: Penalised) -> None:  # noqa: N802
        self.story.fines.append(list(event.transfers))

    def on_IrregularityNoted(self, event: IrregularityNoted) -> None:  # noqa: N802
        self.story.players[event.seat].notes.append(event.irregularity)
        if event.dead is not None:
            self.story.players[event.seat].dead = str(event.dead)

    def on_HandLaidDown(self, event: HandLaidDown) -> None:  # noqa: N802
        self.story.open_hands[event.seat] = texts(event.concealed)

    def on_BirdTurned(self, event: BirdTurned) -> None:  # noqa: N802
        self.story.birds.append(str(event.tile))


_MOVES = (BonusLaid, EggLaid, EggAppended, Drew, Discarded, Claimed, KongDeclared, LastTilePassed)


def texts(tiles: Sequence[object]) -> list[str]:
    return [str(tile) for tile in tiles]


def paid_by(seat: int, debts: Sequence[int]) -> Money:
    """Every other seat pays the seat what stands in its place."""
    money = [0 if payer == seat else -debt for payer, debt in enumerate(debts)]
    money[seat] = -sum(money)
    return money


def total(parts: Sequence[Money]) -> Money:
    return [sum(part[seat] for part in parts) for seat in range(4)]
