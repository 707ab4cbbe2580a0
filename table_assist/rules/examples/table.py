"""Worked examples of what happens beside the hands: stakes, exchange, wild tiles, false wins."""

from table_assist.rules import wall
from table_assist.rules.before_play import (
    chase,
    drawable_tiles,
    exchange,
    first_dealer,
    make_wild,
    place_antes,
    refuse_selection,
)
from table_assist.rules.calls import Call, Claim, Offer, TileSource, refuse
from table_assist.rules.examples.given import Given, read_antes
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import NO_TRANSFERS
from table_assist.tiles.tile import format_tiles

# The JSON of a case's statement or an engine's answer.
_DIRECTIONS = {1: "right", 2: "across", 3: "left"}


def run_first_dealer(rules: RuleSet, given: Given) -> dict[str, object]:
    """The first dealer by the dice."""
    dealer = first_dealer(rules, given.whole("roller"), given.wholes("dice"))
    given.done()
    return {"dealer": dealer}


def run_exchange(rules: RuleSet, given: Given) -> dict[str, object]:
    """Which way tiles are passed, and what each seat receives."""
    passed = Given(given.object("passed"), "what is passed")
    tiles = {seat: passed.tiles(str(seat)) for seat in range(4)}
    passed.done()
    given.whole_or_none("dealer")
    exchanged = exchange(rules, given.whole("die"), tiles)
    given.done()
    return {
        "direction": _DIRECTIONS[exchanged.seats_on],
        "received": {str(seat): format_tiles(tiles) for seat, tiles in exchanged.received.items()},
    }


def run_selection(rules: RuleSet, given: Given) -> dict[str, object]:
    """Whether tiles may be laid aside for the exchange."""
    refusal = refuse_selection(rules, given.tiles("selection"), given.tiles("hand"))
    given.done()
    return {"legal": True} if refusal is None else {"legal": False, "failed": refusal.id}


def run_antes(rules: RuleSet, given: Given) -> dict[str, object]:
    """Whether stakes may be placed, and what they multiply."""
    stated = Given(given.object("tokens"), "the tokens")
    tokens = {seat: stated.whole(str(seat)) for seat in range(4) if str(seat) in stated}
    stated.done()
    placed = place_antes(
        rules,
        read_antes(given.object("antes")),
        dealer=given.whole("dealer"),
        tokens=tokens,
        after_deal=given.flag("after_deal"),
    )
    given.done()
    if placed.refusals:
        return {"legal": False, "failed": placed.refusals[0].id}
    return {
        "legal": True,
        "tokens_after": {str(seat): left for seat, left in placed.tokens_left.items()},
        "multipliers": {str(seat): factor for seat, factor in placed.factors.items()},
    }


def run_chase(rules: RuleSet, given: Given) -> dict[str, object]:
    """Whether the first round of discards chased the dealer's."""
    payment = chase(
        rules,
        given.tile_list("first_round_discards") or (),
        dealer=given.whole("dealer"),
        antes=read_antes(given.object("antes")),
    )
    given.done()
    transfers = NO_TRANSFERS if payment is None else payment.transfers
    return {"chase": payment is not None, "payments": list(transfers)}


def run_own_kong(rules: RuleSet, given: Given) -> dict[str, object]:
    """Whether four tiles in hand may be declared a concealed kong, and of which kind it is."""
    call = given.text("kong")
    if call != Call.KONG_CONCEALED:
        raise ValueError(f"a kong {call!r}; four in hand make a {Call.KONG_CONCEALED.value}")
    tile, hand = given.tile("tile"), list(given.tiles("hand"))
    wilds = given.tile_list("wild") or ()
    given.done()
    if tile in hand:
        hand.remove(tile)
    offer = Offer(tile, 0, 0, TileSource.OWN_DRAW, wilds=wilds)
    refusal = refuse(rules, offer, Claim(0, Call.KONG_CONCEALED, tuple(hand)))
    if refusal is not None:
        return {"legal": False, "failed": refusal.id}
    return {"legal": True, "type": "golden_kong" if tile in wilds else "kong_concealed"}


def run_wild(rules: RuleSet, given: Given) -> dict[str, object]:
    """The wild tiles, who rolls for the turned tile, and where that lies."""
    got: dict[str, object] = {}
    if "indicator" in given:
        wild = make_wild(rules, given.tile("indicator"))
        got |= {"wild": [str(tile) for tile in wild.kinds], "live_wild_tiles": wild.live}
    if rules.wilds is None:
        raise ValueError(f"{rules.id} has no wild tiles")
    dealer = given.whole_or_none("dealer")
    if "wild_dice" in given:
        column = wall.sum_of_dice(given.wholes("wild_dice"))
        got |= {"column": column, "drawable_after_deal": drawable_tiles(rules, column)}
        if dealer is not None:
            got["roller"] = (dealer + rules.wilds.roller) % 4
        if "broken_wall" in given:
            stacks = wall.stacks_of(rules, dealer or 0)
            opened = wall.open_at(stacks, given.whole("broken_wall"), given.whole("count"))
            place = wall.column_from_tail(stacks, opened.first_draw, column)
            got["column"] = {"seat": place.seat, "stack": place.stack}
    given.done()
    return got
