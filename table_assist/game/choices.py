"""A seat's choices now, with its dealt hand, too, and why not the rest.

``choices(state, seat)``: every call and discard that the seat's known tiles make thinkable, each
with the reason that forbids it, if one does. The hand must be followed (`SeatState.concealed`), or
only what needs no tiles is known. A choice's events, applied in order, are what it does.
"""

from dataclasses import dataclass
from itertools import combinations

from table_assist.game.events import EggLaid, Event, StartingHandShown
from table_assist.game.holding import dealt_tiles, may_still_open
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.game.win import counted_left, discard_round, is_ready
from table_assist.rules.play_rules import Replacement, Replaces
from table_assist.rules.reckoning import instant_wins
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Call, Circumstance, Claim, Offer, Since, TileSource
from table_assist.rules.verdict import Refusal
from table_assist.tiles.ready import shanten
from table_assist.tiles.tile import Tile

INCOMPLETE = Refusal.of("structure-incomplete")
# Shapes whose nearness `shanten` knows; for others the judge is asked.
KNOWN_SHAPES = {"sets_and_pair", "seven_pairs"}
_NO_REPLACEMENT = Refusal.of("no_replacement")


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a seat could do.

    Attributes:
        call: none for a discard, a draw and what is done before play.
        events: what it comes to.
        refusal: why it is not allowed; none if it is.
    """

    seat: int
    events: tuple[Event, ...]
    call: Call | None = None
    refusal: Refusal | None = None

    @property
    def allowed(self) -> bool:
        """Nothing forbids it."""
        return self.refusal is None


def far_from_complete(rules: RuleSet, state: TableState, seat: int, spare: int) -> bool:
    """Whether the hand surely wins with none of the tiles there are, told without judging it.

    Args:
        rules: in force.
        state: of the table.
        seat: whose tiles are followed.
        spare: tiles that may still come: 1 for a hand that waits, 0 for one that holds them all.
    """
    own = state.seats[seat]
    if own.concealed is None or not KNOWN_SHAPES.issuperset(s.id for s in rules.shapes):
        return False
    if rules.treasure is not None and own.ready:
        return False
    plain = [tile for tile in own.concealed if tile not in state.wilds]
    if any(tile in rules.bonus_tiles for tile in plain):
        return False
    wilds = len(own.concealed) - len(plain)
    return shanten(plain, len(own.melds), wilds=wilds) >= spare


def wilds_unknown(rules: RuleSet, state: TableState) -> bool:
    """Nobody has said which tiles are wild, so that no hand can be judged."""
    return rules.wilds is not None and not state.wilds


TREASURE_UNKNOWN = Refusal.of("treasure_unknown")


def treasure_unknown(rules: RuleSet, state: TableState, seat: int) -> bool:
    """The treasure is a secret that might complete the seat's hand."""
    secret = rules.treasure is not None and bool(state.indicators) and not state.treasures
    return secret and is_ready(state, seat)


TURN_LOST = Refusal.of("turn_lost")
NOTHING_DRAWN = Refusal.of("nothing_drawn")


def offer_of(state: TableState, tile: Tile, seat: int, source: TileSource) -> Offer:
    """A tile at this state, as the rules of calls want to see it."""
    return Offer(
        tile,
        seat,
        state.dealer,
        source,
        wall_remaining=counted_left(state, state.wall_left),
        wilds=state.wilds,
        treasures=state.treasures,
        since=Since.NOTHING,
        antes=state.antes,
        discard_round=discard_round(state),
        prevailing=state.prevailing,
    )


def claim_of(
    state: TableState,
    seat: int,
    call: Call,
    hand: tuple[Tile, ...],
    tile: Tile,
    circumstances: frozenset[Circumstance] = frozenset(),
) -> Claim:
    """The seat's claim on a tile, with what it let go and threw away before."""
    own = state.seats[seat]
    if is_ready(state, seat):
        circumstances |= {Circumstance.READY_DECLARED}
    return Claim(
        seat,
        call,
        hand,
        own.melds,
        circumstances,
        passed=tile.is_face and tile in own.seen[:-1],  # an unread one may have been any
        sacred=tile.is_face and tile in own.thrown,
        bonus=own.bonus,
    )


def refuse_replacement(state: TableState, what: Replaces = Replaces.KONG) -> Refusal | None:
    """A kong is refused where the wall has no tile to replace it."""
    rules = rules_in_force(state)
    wall = state.wall
    left, dead = rules.wall.replacement(
        Replacement(what, wall.left, wall.dead, wall.from_tail + len(wall.rolled)), rules.chosen
    )
    return _NO_REPLACEMENT if left < 0 or dead < 0 else None


_EGG_SIZES = (3, 4)


def may_open(state: TableState, seat: int) -> bool:
    """Whether the seat may show its dealt hand for what scores in it, once (CS-29)."""
    shown = any(opening.seat == seat for opening in state.openings)
    return bool(rules_in_force(state).opening) and may_still_open(state, seat) and not shown


def opening_choices(state: TableState, seat: int) -> tuple[Choice, ...]:
    """Showing the dealt hand, where that scores before play."""
    rules = rules_in_force(state)
    held = state.seats[seat].concealed
    if held is None or not may_open(state, seat):
        return ()
    tiles = held[: rules.starting_tiles(seat == state.dealer, rules.chosen)]
    if not instant_wins(rules, tiles, seat=seat, dealer=state.dealer).wins:
        return ()
    return (Choice(seat, (StartingHandShown(seat, tiles),)),)


def egg_choices(state: TableState, seat: int) -> tuple[Choice, ...]:
    """Each egg that the dealt tiles in hand would make, as long as eggs may be laid (CC-10)."""
    rules = rules_in_force(state)
    own = state.seats[seat]
    if rules.eggs is None or own.concealed is None or own.discards:
        return ()
    if rules.chosen.get("egg_timing") == "before_dealer_first_discard" and (
        state.seats[state.dealer].discards
    ):
        return ()
    dealt = dealt_tiles(state, seat)
    found = {
        tuple(sorted(tiles))
        for size in _EGG_SIZES
        for tiles in combinations(sorted(dealt), size)
        if rules.eggs.kind_of(tiles, rules.chosen) is not None
    }
    return tuple(Choice(seat, (EggLaid(seat, tiles),)) for tiles in sorted(found))
