"""The tiles before one player, as they are drawn."""

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.events import Claimed, Discarded, EggAppended, HandLaidDown, KongDeclared
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.record.log import event_to_dict
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from web.view import sentences
from web.view.names import player
from web.view.views import happened, in_order, meld_view
from web.view.vocabulary import PLACES

SEATS = 4


def seat_views(snapshot: Snapshot) -> list[View]:
    """The four seats."""
    turned = _turned_tiles(snapshot)
    claims = _claim_entries(snapshot)
    discards = _discard_entries(snapshot)
    views = [_seat(snapshot, seat, turned, discards[seat]) for seat in range(SEATS)]
    for seat, view in enumerate(views):
        for number, meld in enumerate(view["melds"]):
            meld["event"] = claims.get((seat, number))
    return views


def _seat(
    snapshot: Snapshot, seat: int, turned: dict[tuple[int, int], int], discards: list[int]
) -> View:
    state = snapshot.state
    own = state.seats[seat]
    score = state.scores[seat]
    shown = next((hand for hand in state.shown if hand.seat == seat), None)
    laid = next((hand for hand in state.laid_down if hand.seat == seat), None)
    last = state.last_discard
    wind = sentences.wind_of(seat, state.dealer) if state.hand else Words("", "")
    place = 1 + sum(other > score for other in state.scores)
    return {
        "number": seat,
        "name": snapshot.names[seat],
        "who": words_view(player(snapshot.names, seat)),
        "wind": words_view(wind),
        "dealer": state.hand > 0 and seat == state.dealer,
        "turn": _has_turn(snapshot, seat),
        "declared": seat in state.declared,
        "ready": own.ready,
        "dead": own.dead is not None,
        "score": score,
        "change": state.last_transfers[seat],
        "place": place,
        "rank": words_view(PLACES[place - 1]) if len(set(state.scores)) > 1 else None,
        "river": [str(tile) for tile in own.river],
        "entries": discards if len(discards) == len(own.river) else [],
        "last": last is not None and last[0] == seat and bool(own.river),
        "melds": [
            _as_laid(meld, turned.get((seat, number))) for number, meld in enumerate(own.melds)
        ],
        "bonus": [str(tile) for tile in own.bonus],
        "holds": state.hand_size(seat) if _is_dealt(state) else 0,
        "drew": state.holder == seat and state.owed is None and not state.claimed,
        "shown": None if shown is None else in_order(shown.concealed, shown.winning_tile),
        "winning": None if shown is None else str(shown.winning_tile),
        "laid": None if laid is None else in_order(laid.concealed, Tile.BACK),
        "laid_entry": _laid_entry(snapshot, seat),
    }


def _laid_entry(snapshot: Snapshot, seat: int) -> View | None:
    """The entry of the hand that the seat has laid down, and its event as the log has it."""
    found = [
        {"seq": seq, "event": event_to_dict(event)}
        for seq, event in happened(snapshot)
        if isinstance(event, HandLaidDown) and event.seat == seat
    ]
    return found[-1] if found else None


def _as_laid(meld: Meld, claimed_at: int | None) -> View:
    """The meld with the claimed tile lying across."""
    return {**meld_view(meld), "turned": claimed_at} | _claimed_first(meld, claimed_at)


def _claimed_first(meld: Meld, claimed_at: int | None) -> View:
    """A chow's tiles in the order in which they lie: the claimed one where its giver sits."""
    if claimed_at is None or meld.kind is not MeldKind.CHOW:
        return {}
    claimed = meld.tiles[claimed_at]
    rest = sorted(meld.tiles[:claimed_at] + meld.tiles[claimed_at + 1 :])
    return {"tiles": [str(claimed), *map(str, rest)], "turned": 0}


def _turned_tiles(snapshot: Snapshot) -> dict[tuple[int, int], int]:
    """For (seat, its meld's number): which of the meld's tiles was claimed, where it lies.

    As at the table: left for a tile from the left, in the middle from across, right from the right.
    """
    taken: dict[int, list[tuple[tuple[Tile, ...], int]]] = {seat: [] for seat in range(SEATS)}
    offered = Tile.UNKNOWN
    for _, event in happened(snapshot):
        match event:
            case Discarded(_, tile) | EggAppended(_, _, tile) | KongDeclared(_, _, tile):
                offered = tile
            case Claimed(seat, kind, tiles, giver):
                taken[seat].append((tiles, _lies_at(kind, tiles, offered, (giver - seat) % SEATS)))
            case _:
                pass
    found = {}
    for seat, claims in taken.items():
        for number, meld in enumerate(snapshot.state.seats[seat].melds):
            at = next((each for each in claims if each[0] == meld.tiles[: len(each[0])]), None)
            if meld.kind.is_claimed and at is not None:
                claims.remove(at)
                found[seat, number] = at[1]
    return found


def _lies_at(kind: MeldKind, tiles: tuple[Tile, ...], claimed: Tile, seats_on: int) -> int:
    if kind is MeldKind.CHOW:
        return tiles.index(claimed) if claimed in tiles else 0
    return {3: 0, 2: 1, 1: len(tiles) - 1}.get(seats_on, 0)


def _claim_entries(snapshot: Snapshot) -> dict[tuple[int, int], View]:
    """For (seat, its meld's number): the entry that laid it, and its event as the log has it."""
    found = {}
    for seat in range(SEATS):
        laid = [
            (seq, event)
            for seq, event in happened(snapshot)
            if isinstance(event, Claimed | KongDeclared) and event.seat == seat
        ]
        for number, meld in enumerate(snapshot.state.seats[seat].melds):
            at = next((each for each in laid if _made(each[1], meld)), None)
            if at is not None:
                laid.remove(at)
                found[seat, number] = {"seq": at[0], "event": event_to_dict(at[1])}
    return found


def _made(event: Claimed | KongDeclared, meld: Meld) -> bool:
    if isinstance(event, KongDeclared):
        return event.kind is meld.kind and event.tile in meld.tiles
    return event.kind is meld.kind and event.tiles == meld.tiles


def _discard_entries(snapshot: Snapshot) -> list[list[int]]:
    """For each seat the entries of the discards that still lie in its river."""
    rivers: list[list[int]] = [[], [], [], []]
    for seq, event in happened(snapshot):
        match event:
            case Discarded(seat, _):
                rivers[seat].append(seq)
            case Claimed(_, _, _, giver) if rivers[giver]:
                rivers[giver].pop()
            case _:
                pass
    return rivers


def _is_dealt(state: TableState) -> bool:
    return state.phase in (Phase.PLAYING, Phase.SHOWING)


def _has_turn(snapshot: Snapshot, seat: int) -> bool:
    """As far as it is known: at a table that nobody follows a turn is not."""
    state = snapshot.state
    match state.phase:
        case Phase.PLAYING if not sentences.is_unfollowed(snapshot):
            return seat == (state.turn if state.holder is None else state.holder)
        case Phase.SHOWING:
            return seat in state.declared
        case _:
            return False
