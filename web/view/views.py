"""Small pieces that every view is made of."""

from collections.abc import Iterator

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.events import Event
from table_assist.game.state import TableState
from table_assist.record.log import Amended, Inserted, Retracted
from table_assist.rules.unread import MOST_UNREAD
from table_assist.rules.verdict import Verdict
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from web.view.vocabulary import MELDS


def happened(snapshot: Snapshot) -> Iterator[tuple[int, Event]]:
    """(entry's number, event) of this hand, without what only corrects other entries."""
    for entry in snapshot.entries:
        if not isinstance(entry.event, Retracted | Amended | Inserted):
            yield entry.seq, entry.event


def meld_view(meld: Meld) -> View:
    """A meld as it lies: a concealed kong's outer tiles face down."""
    tiles = [str(tile) for tile in meld.tiles + meld.supplements]
    if meld.kind is MeldKind.KONG_CONCEALED and len(tiles) == 4:
        tiles = ["#", tiles[1], tiles[2], "#"]
    return {
        "kind": meld.kind.value,
        "name": words_view(MELDS[meld.kind]),
        "tiles": tiles,
        "turned": None,
    }


def in_order(tiles: tuple[Tile, ...], winning: Tile) -> list[str]:
    """Sorted, unread ones last, without one copy of the winning tile: that lies apart."""
    rest = list(tiles)
    if winning in rest:
        rest.remove(winning)
    return [str(tile) for tile in sorted(rest, key=lambda tile: (not tile.is_face, tile))]


def is_open(verdict: Verdict, state: TableState) -> bool:
    """Whether a tile that nobody could read still decides between a win and none."""
    if [refusal.id for refusal in verdict.refusals] != ["unknown_tile"]:
        return False
    tiles = [tile for hand in state.shown for tile in hand.concealed]
    tiles += [tile for seat in state.seats for meld in seat.melds for tile in meld.tiles]
    unread = sum(not tile.is_face for tile in (*tiles, *state.birds))
    # With more unread tiles the judge does not try every face, so nothing is ruled out.
    return bool(verdict.completions) or unread > MOST_UNREAD
