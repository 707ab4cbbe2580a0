"""Choices of the seat with the extra tile: discard, ready, kong, egg, flower, win."""

from collections.abc import Iterator

from table_assist.game.allowed import (
    BONUS_DISCARDED,
    READY_LOCKED,
    refuse_append,
    refuse_declaring,
    refuse_held,
    refuse_kong,
)
from table_assist.game.choices import (
    INCOMPLETE,
    NOTHING_DRAWN,
    Choice,
    claim_of,
    far_from_complete,
    offer_of,
    treasure_unknown,
    wilds_unknown,
)
from table_assist.game.events import (
    BonusLaid,
    Discarded,
    EggAppended,
    Event,
    HandShown,
    KongDeclared,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.game.holding import has_drawn
from table_assist.game.in_force import rules_in_force
from table_assist.game.ready import barred, is_locked
from table_assist.game.state import Phase, TableState
from table_assist.game.win import circumstances, declared_hand
from table_assist.rules.calls import refuse
from table_assist.rules.judge import judge
from table_assist.rules.offer import Call, TileSource
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ReadyHand
from table_assist.rules.verdict import Refusal
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

_LAST_TILE = Refusal.of("last_tile_is_discarded")


def own_choices(state: TableState) -> tuple[Choice, ...]:
    """Everything the holder might do; nothing where nobody holds or its tiles are not followed."""
    seat = state.holder
    if seat is None or state.owed is not None or not state.is_running:
        return ()
    held = state.seats[seat].concealed
    if not held or Tile.UNKNOWN in held:
        return ()
    rules = rules_in_force(state)
    return (
        *_wins(rules, state, seat, held),
        *_kongs(rules, state, seat, held),
        *_eggs(rules, state, seat, held),
        *_bonus(rules, state, seat, held),
        *_discards(rules, state, seat, held),
    )


def _wins(rules: RuleSet, state: TableState, seat: int, held: tuple[Tile, ...]) -> Iterator[Choice]:
    tile, rest = held[-1], held[:-1]
    events = (WinDeclared(seat), HandShown(seat, tuple(sorted(held)), tile, self_drawn=True))
    if not has_drawn(state, seat):
        yield Choice(seat, events, Call.WIN, NOTHING_DRAWN)
        return
    if wilds_unknown(rules, state):
        return
    if far_from_complete(rules, state, seat, spare=0):
        yield Choice(seat, events, Call.WIN, INCOMPLETE)
        return
    came_by = circumstances(state, seat, self_drawn=True)
    claim = claim_of(state, seat, Call.WIN, rest, tile, came_by)
    refusal = barred(rules, state, seat)
    refusal = refusal or refuse(rules, offer_of(state, tile, seat, TileSource.OWN_DRAW), claim)
    if refusal is not None and treasure_unknown(rules, state, seat):
        return
    yield Choice(seat, events, Call.WIN, refusal)


def _kongs(
    rules: RuleSet, state: TableState, seat: int, held: tuple[Tile, ...]
) -> Iterator[Choice]:
    own = state.seats[seat]
    pungs = {meld.tiles[0] for meld in own.melds if meld.kind is MeldKind.PUNG}
    for tile in dict.fromkeys(held):
        for call, kind, holds in (
            (Call.KONG_CONCEALED, MeldKind.KONG_CONCEALED, held.count(tile) == rules.copies),
            (Call.KONG_ADDED, MeldKind.KONG_ADDED, tile in pungs),
        ):
            if not holds:
                continue
            rest = list(held)
            rest.remove(tile)
            claim = claim_of(state, seat, call, tuple(rest), tile)
            offer = offer_of(state, tile, seat, TileSource.OWN_DRAW)
            event = KongDeclared(seat, kind, tile)
            refusal = refuse_kong(state, event) or refuse(rules, offer, claim)
            yield Choice(seat, (event,), call, refusal)


def _eggs(rules: RuleSet, state: TableState, seat: int, held: tuple[Tile, ...]) -> Iterator[Choice]:
    """The drawn tile may be put to an egg."""
    if rules.eggs is None:
        return
    own = state.seats[seat]
    eggs = [meld for meld in own.melds if meld.kind is MeldKind.LUCKY_EGG]
    for number, egg in enumerate(eggs):
        refusal = refuse_append(state, seat, egg, held[-1])
        events = (EggAppended(seat, number, held[-1]),)
        yield Choice(seat, events, Call.EGG_SUPPLEMENT, refusal)


def _bonus(
    rules: RuleSet, state: TableState, seat: int, held: tuple[Tile, ...]
) -> Iterator[Choice]:
    tiles = tuple(tile for tile in held if tile in rules.bonus_tiles)
    if tiles:
        yield Choice(seat, (BonusLaid(seat, tiles),))


def _discards(
    rules: RuleSet, state: TableState, seat: int, held: tuple[Tile, ...]
) -> Iterator[Choice]:
    own = state.seats[seat]
    may_declare = rules.ready is not None and not own.ready
    for tile in dict.fromkeys(held):
        event: Event = Discarded(seat, tile)
        refusal = refuse_discard(rules, state, seat, tile)
        refusal = refusal or refuse_declaring(state, Discarded(seat, tile))
        yield Choice(seat, (event,), None, refusal)
        if may_declare and tile not in rules.bonus_tiles:
            refusal = refusal or refuse_held(rules, state, seat, tile)
            yield Choice(seat, (ReadyDeclared(seat), event), None, refusal)


def refuse_discard(rules: RuleSet, state: TableState, seat: int, tile: Tile) -> Refusal | None:
    """Why the holder may not discard the tile; where its hand is not followed that is not asked."""
    own = state.seats[seat]
    if tile in rules.bonus_tiles:
        return BONUS_DISCARDED
    if not own.concealed or own.concealed[-1] is Tile.UNKNOWN or not tile.is_face:
        return None
    if tile is own.concealed[-1] or not has_drawn(state, seat):
        return None
    if is_locked(state, seat) and own.ready_discard <= own.discards:
        return READY_LOCKED
    drawn_last = state.wall_left == 0 and state.after_kong != seat
    if rules.last_tile_may_be_passed and drawn_last:
        return _LAST_TILE
    return None


def rush_choices(state: TableState) -> tuple[Choice, ...]:
    """Ready seats that wait for the treasure win by it alone, without a draw."""
    if not state.treasures or state.phase is not Phase.PLAYING:
        return ()
    rules = rules_in_force(state)
    found = []
    for seat, own in enumerate(state.seats):
        held = own.concealed
        if not own.ready or held is None or Tile.UNKNOWN in held or state.holder == seat:
            continue
        waits = declare_ready(
            rules, ReadyHand(held, own.melds, seat, state.dealer, treasures=state.treasures)
        ).waits
        for tile in waits:
            if tile in state.treasures:
                found.append(_rush(rules, state, seat, tile))
    return tuple(found)


def _rush(rules: RuleSet, state: TableState, seat: int, tile: Tile) -> Choice:
    held = state.seats[seat].concealed or ()
    shown = HandShown(seat, tuple(sorted((*held, tile))), tile, self_drawn=False, rush=True)
    refusals = judge(rules, declared_hand(state, shown)).refusals
    refusal = barred(rules, state, seat) or (refusals[0] if refusals else None)
    return Choice(seat, (WinDeclared(seat), shown), Call.WIN, refusal)
