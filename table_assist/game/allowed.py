"""Why the rules do not allow what is laid down or said, and the choices of who is on turn.

``refuse(state, event)``: of a kong, a claim, an egg, a tile appended to one, a declaration of
ready, a discard. What rests on tiles in hand is asked only where the hand is followed. The fold
asks it, too: what was laid against the rules lies there, and is not paid.
"""

from collections import Counter
from collections.abc import Iterator

from table_assist.game import holding
from table_assist.game.choices import (
    INCOMPLETE,
    KNOWN_SHAPES,
    NOTHING_DRAWN,
    TURN_LOST,
    Choice,
    claim_of,
    far_from_complete,
    offer_of,
    refuse_replacement,
    treasure_unknown,
    wilds_unknown,
)
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    KongDeclared,
    Melded,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import offer_now
from table_assist.game.state import Phase, TableState
from table_assist.game.win import (
    barred,
    circumstances,
    counted_left,
    declared_hand,
    is_locked,
    refuse_melds,
)
from table_assist.rules.calls import (
    LAST_DISCARD,
    ONLY_WIN_MAY_ROB,
    PUNG_EXPOSED,
    by_condition,
    has_pung,
    may_kong_when_ready,
)
from table_assist.rules.calls import refuse as refuse_call
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import Appended, Replaces
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Call, Offer, ReadyHand, TileSource
from table_assist.rules.verdict import Refusal
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.ready import shanten
from table_assist.tiles.tile import Tile, Tiles

READY_LOCKED = Refusal.of("ready_locked-discard")
BONUS_DISCARDED = Refusal.of("bonus_not_discarded")
KONG_UNDRAWN = Refusal.of("kong_needs_a_draw")
KONG_HELD = Refusal.of("kong_added_was_held")
_NO_SUCH_MELD = Refusal.of("call_forbidden")
_NOT_HELD = Refusal.of("tiles_do_not_match")
_NO_EGGS = Refusal.of("no_eggs")
_NO_SUCH_EGG = Refusal.of("no_such_egg")
_NOT_INITIAL = Refusal.of("not_initial_hand")
_AFTER_DEALER = Refusal.of("not_initial_hand-dealer")
_NO_WAIT = Refusal.of("no_wait")
_NO_READY = Refusal.of("no_ready")

_CALLS = {
    MeldKind.CHOW: Call.CHOW,
    MeldKind.PUNG: Call.PUNG,
    MeldKind.KONG_EXPOSED: Call.KONG,
    MeldKind.KONG_CONCEALED: Call.KONG_CONCEALED,
    MeldKind.KONG_ADDED: Call.KONG_ADDED,
}


def refuse(state: TableState, event: Event) -> Refusal | None:
    """Why the rules forbid what happens at this state; None if they allow it."""
    match event:
        case Claimed():
            return _refuse_claim(state, event)
        case KongDeclared():
            return refuse_kong(with_due_draw(state, event.seat), event)
        case EggLaid():
            return _refuse_egg(state, event)
        case EggAppended():
            return _refuse_appended(state, event)
        case ReadyDeclared(seat):
            return refuse_ready(state, seat)
        case Discarded(_, tile):
            return BONUS_DISCARDED if tile in rules_in_force(state).bonus_tiles else None
        case _:
            return None


def with_due_draw(state: TableState, seat: int) -> TableState:
    """The state once the seat has drawn what is due to it, told or not."""
    return holding.settled_debts(state) if state.holder == seat else holding.drawn(state, seat)


# --- Calls and kongs


def _refuse_claim(state: TableState, event: Claimed) -> Refusal | None:
    rules, offer, call = rules_in_force(state), offer_now(state), _CALLS.get(event.kind)
    if call is None or offer is None:
        return None
    if event.kind not in rules.meld_kinds:
        return _NO_SUCH_MELD
    if offer.source not in (TileSource.DISCARD, TileSource.EGG_SUPPLEMENT):
        return ONLY_WIN_MAY_ROB
    if is_locked(state, event.seat) and not holding.declares_now(state, event.seat):
        return READY_LOCKED
    if call is Call.KONG and has_pung(state.seats[event.seat].melds, offer.tile):
        return PUNG_EXPOSED
    claim = claim_of(state, event.seat, call, (), offer.tile)
    refusal = by_condition(rules, offer, claim)
    if refusal is not None:
        return refusal
    if state.wall_left == 0:
        return LAST_DISCARD
    if call is Call.CHOW and event.seat in state.turns_lost:
        return TURN_LOST
    return refuse_replacement(state) if call is Call.KONG else None


def refuse_kong(state: TableState, event: KongDeclared) -> Refusal | None:
    """Why the holder may not lay the kong, whatever else it holds."""
    rules, call, seat = rules_in_force(state), _CALLS[event.kind], event.seat
    if event.kind not in rules.meld_kinds:
        return _NO_SUCH_MELD
    claimed = state.holder == seat and state.claimed
    if claimed and (call is Call.KONG_ADDED or rules.kongs_after_draw):
        return KONG_UNDRAWN
    if call is Call.KONG_ADDED and _held_before(state, event):
        return KONG_HELD
    offer = offer_of(state, event.tile, seat, TileSource.OWN_DRAW)
    refusal = by_condition(rules, offer, claim_of(state, seat, call, (), event.tile))
    if refusal is not None:
        return refusal
    if is_locked(state, seat) and not may_kong_when_ready(rules, call):
        return READY_LOCKED
    return refuse_replacement(state)


def _held_before(state: TableState, event: KongDeclared) -> bool:
    """The tile was not drawn just now, as far as is known, where only such a one may be added."""
    drawn_tile = state.drawn_tile if state.holder == event.seat else Tile.UNKNOWN
    known = drawn_tile.is_face and event.tile.is_face
    only_drawn = rules_in_force(state).chosen.get("kong_added_tile") == "drawn_only"
    return only_drawn and known and drawn_tile is not event.tile


def refuse_with_held(state: TableState, event: Melded) -> Refusal | None:
    """Why the tiles in hand forbid it, where they are followed."""
    seat, call, rules = event.seat, _CALLS.get(event.kind), rules_in_force(state)
    offer: Offer | None
    if isinstance(event, KongDeclared):
        state = with_due_draw(state, seat)
        offer = offer_of(state, event.tile, seat, TileSource.OWN_DRAW)
    else:
        offer = offer_now(state)
        state = holding.undrawn(state) if holding.is_late(state) else state
    held = list(state.seats[seat].concealed or (Tile.UNKNOWN,))
    if offer is None or call is None or Tile.UNKNOWN in held or holding.declares_now(state, seat):
        return None
    if isinstance(event, KongDeclared):
        if event.tile not in held:
            return _NOT_HELD
        held.remove(event.tile)
    return refuse_call(rules, offer, claim_of(state, seat, call, tuple(held), offer.tile))


# --- Eggs


def _refuse_egg(state: TableState, event: EggLaid) -> Refusal | None:
    rules, own = rules_in_force(state), state.seats[event.seat]
    if rules.eggs is None:
        return _NO_EGGS
    if rules.eggs.kind_of(event.tiles, rules.chosen) is None:
        return _NO_SUCH_EGG
    if own.discards:
        return _NOT_INITIAL
    early = rules.chosen.get("egg_timing") == "before_dealer_first_discard"
    if early and state.seats[state.dealer].discards:
        return _AFTER_DEALER
    if Tile.UNKNOWN not in (own.concealed or (Tile.UNKNOWN,)) and (
        Counter(event.tiles) - Counter(holding.dealt_tiles(state, event.seat))
    ):
        return _NOT_INITIAL
    if len(event.tiles) < rules.eggs.needs_replacement:
        return None
    return refuse_replacement(state, Replaces.EGG)


def _refuse_appended(state: TableState, event: EggAppended) -> Refusal | None:
    rules, offer, seat = rules_in_force(state), offer_now(state), event.seat
    if rules.eggs is None:
        return _NO_EGGS
    eggs = state.seats[seat].eggs
    if event.egg >= len(eggs):
        return _NO_SUCH_EGG
    given = offer is not None and offer.source is TileSource.DISCARD and offer.seat != seat
    if given and state.holder is None:
        appended = Appended(
            eggs[event.egg].tiles,
            event.tile,
            drawn=False,
            wall_remaining=counted_left(state, state.wall_left),
        )
        refusal = rules.eggs.refuse(appended, rules.chosen) or (
            READY_LOCKED if is_locked(state, seat) else None
        )
        # Of who is not on turn the tile can only be the discard; who is may have drawn another.
        if state.turn != seat or (
            refusal is None and offer is not None and offer.tile is event.tile
        ):
            return refusal
    return refuse_append(with_due_draw(state, seat), seat, eggs[event.egg], event.tile)


def refuse_append(state: TableState, seat: int, egg: Meld, tile: Tile) -> Refusal | None:
    """Why the holder may not put a tile of its own to its egg (CC-12, CC-13, CC-26, CC-33)."""
    rules, own = rules_in_force(state), state.seats[seat]
    if rules.eggs is None:
        return _NO_EGGS
    appended = Appended(
        egg.tiles,
        tile,
        drawn=not (state.holder == seat and state.claimed),
        dealer_first_turn=seat == state.dealer and own.discards == 0,
        wall_remaining=counted_left(state, state.wall_left),
    )
    locked = READY_LOCKED if is_locked(state, seat) else None
    refusal = rules.eggs.refuse(appended, rules.chosen) or locked
    return refusal or refuse_replacement(state, Replaces.EGG)


# --- Ready


def refuse_ready(state: TableState, seat: int) -> Refusal | None:
    """Why the seat may not declare ready, by what lies open (CC-25, WZ-15, CL-28, CL-62)."""
    rules, own = rules_in_force(state), state.seats[seat]
    if rules.ready is None:
        return _NO_READY
    if own.ready:
        return None  # said twice, it is said
    due = state.holder == seat or (state.holder is None and state.turn == seat)
    refusal = refuse_melds(state, seat, own.melds, max(own.discards + due, 1))
    held = own.concealed
    if refusal or state.holder != seat or not held or Tile.UNKNOWN in held:
        return refusal
    # Where the hand is followed: a discard must leave one that may be declared ready
    refusals = [refuse_held(rules, state, seat, tile) for tile in dict.fromkeys(held)]
    return None if None in refusals else refusals[0]


def refuse_held(rules: RuleSet, state: TableState, seat: int, discard: Tile) -> Refusal | None:
    """Why the followed hand may not be declared ready with this discard."""
    own = state.seats[seat]
    left = list(own.concealed or ())
    left.remove(discard)
    hand = ReadyHand(
        tuple(left),
        own.melds,
        seat,
        state.dealer,
        state.wilds,
        state.treasures,
        discard_number=own.discards + 1,
    )
    assert rules.ready is not None
    for condition in rules.ready.on_hand:
        if condition.first and not condition.predicate(hand, rules.chosen):
            return Refusal(condition.id, condition.words)
    if KNOWN_SHAPES.issuperset(s.id for s in rules.shapes) and shanten(left, len(own.melds)) > 0:
        return _NO_WAIT
    verdict = declare_ready(rules, hand)
    return verdict.refusals[0] if verdict.refusals else None


def refuse_declaring(state: TableState, event: Discarded) -> Refusal | None:
    """Why the ready that was declared with this discard is none; None where none was."""
    own, rules = state.seats[event.seat], rules_in_force(state)
    if not own.ready or own.ready_discard != own.discards + 1 or rules.ready is None:
        return None
    refusal = refuse_melds(state, event.seat, own.melds, own.ready_discard)
    held = own.concealed
    if refusal or state.holder != event.seat or not held or Tile.UNKNOWN in held:
        return refusal
    return refuse_held(rules, state, event.seat, event.tile) if event.tile in held else None


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
    bonus = tuple(tile for tile in held if tile in rules.bonus_tiles)
    return (
        *_wins(rules, state, seat, held),
        *_kongs(rules, state, seat, held),
        *_eggs(rules, state, seat, held),
        *(Choice(seat, (BonusLaid(seat, tiles),)) for tiles in (bonus,) if tiles),
        *_discards(rules, state, seat, held),
    )


def _wins(rules: RuleSet, state: TableState, seat: int, held: Tiles) -> Iterator[Choice]:
    tile, rest = held[-1], held[:-1]
    events = (WinDeclared(seat), HandShown(seat, tuple(sorted(held)), tile, self_drawn=True))
    if not holding.has_drawn(state, seat):
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
    refusal = refusal or refuse_call(rules, offer_of(state, tile, seat, TileSource.OWN_DRAW), claim)
    if refusal is not None and treasure_unknown(rules, state, seat):
        return
    yield Choice(seat, events, Call.WIN, refusal)


def _kongs(rules: RuleSet, state: TableState, seat: int, held: Tiles) -> Iterator[Choice]:
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
            refusal = refuse_kong(state, event) or refuse_call(rules, offer, claim)
            yield Choice(seat, (event,), call, refusal)


def _eggs(rules: RuleSet, state: TableState, seat: int, held: Tiles) -> Iterator[Choice]:
    """The drawn tile may be put to an egg."""
    if rules.eggs is None:
        return
    for number, egg in enumerate(state.seats[seat].eggs):
        refusal = refuse_append(state, seat, egg, held[-1])
        events = (EggAppended(seat, number, held[-1]),)
        yield Choice(seat, events, Call.EGG_SUPPLEMENT, refusal)


def _discards(rules: RuleSet, state: TableState, seat: int, held: Tiles) -> Iterator[Choice]:
    own = state.seats[seat]
    may_declare = rules.ready is not None and not own.ready
    for tile in dict.fromkeys(held):
        event = Discarded(seat, tile)
        refusal = refuse_discard(rules, state, seat, tile) or refuse_declaring(state, event)
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
    if tile is own.concealed[-1] or not holding.has_drawn(state, seat):
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
                whole = tuple(sorted((*held, tile)))
                shown = HandShown(seat, whole, tile, self_drawn=False, rush=True)
                refusals = judge(rules, declared_hand(state, shown)).refusals
                refusal = barred(rules, state, seat) or (refusals[0] if refusals else None)
                found.append(Choice(seat, (WinDeclared(seat), shown), Call.WIN, refusal))
    return tuple(found)
