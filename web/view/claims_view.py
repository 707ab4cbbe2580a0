"""The claims that are possible now and whose, from the rules and the open tiles.

Nobody's concealed tiles are looked at: a call is named if the rules would allow it to a hand that
has the tiles, and if so many of them are not on the table yet.
"""

from collections.abc import Iterator

from table_assist.game.choices import claim_of, refuse_replacement
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import offer_now
from table_assist.game.people import Names
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.win import barred
from table_assist.languages.words import (
    COMMA,
    NOTHING,
    SEMICOLON,
    View,
    Words,
    capitalised,
    joined,
    words_view,
)
from table_assist.rules.calls import LAST_DISCARD, refuse
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Call, Offer, TileSource
from table_assist.rules.verdict import Refusal
from table_assist.tiles.melds import MeldKind, tile_words
from table_assist.tiles.tile import COPIES, Tile
from web.view.vocabulary import player

# Conditions that no discard, or no kong, can meet, whatever the hand.
_NEVER = {
    TileSource.DISCARD: frozenset({"self_draw_only"}),
    TileSource.KONG_ADDED: frozenset({"regular_kong_cannot_be_robbed"}),
}
_CALL_WORDS = {
    Call.CHOW: Words("chow", "吃"),
    Call.PUNG: Words("pung", "碰"),
    Call.KONG: Words("kong", "杠"),
    Call.WIN: Words("win", "和"),
}


def claims_view(state: TableState, names: Names) -> View | None:
    """The tile that lies to be claimed and each seat's calls; None while there is none."""
    offer = offer_now(state) if state.phase is Phase.PLAYING else None
    if offer is None or not offer.tile.is_face:
        return None
    calls = {seat: possible_calls(state, offer, seat) for seat in SEATS if seat != offer.seat}
    # The seats and their calls, the calls of all three said once
    face = tile_words(offer.tile)
    shared = set.intersection(*(set(each) for each in calls.values()))
    parts = []
    if shared:
        giver = player(names, offer.seat)
        said = _list([call for call in _CALL_WORDS if call in shared])
        parts.append(
            Words("anyone but {giver} may {said}", "除{giver}外都可{said}", giver=giver, said=said)
        )
    for seat, each in calls.items():
        own = [call for call in each if call not in shared]
        if own:
            who, said = player(names, seat), _list(own)
            parts.append(
                Words(
                    "{who} may {also}{said}",
                    "{who}{also}可{said}",
                    who=who,
                    also=Words("also ", "还") if shared else NOTHING,
                    said=said,
                )
            )
    may = joined(parts, SEMICOLON) or Words("Nobody may claim it", "无人可要")
    return {
        "tile": str(offer.tile),
        "from": offer.seat,
        "calls": [[call.value for call in calls.get(seat, ())] for seat in SEATS],
        "words": words_view(
            Words("{face}: {may}.", "{face}：{may}。", face=capitalised(face), may=may)
        ),
    }


def possible_calls(state: TableState, offer: Offer, seat: int) -> tuple[Call, ...]:
    """The calls that the rules would let the seat make with the tile if it had the others."""
    return tuple(call for call in _CALL_WORDS if why_not(state, offer, seat, call) is None)


def why_not(state: TableState, offer: Offer, seat: int, call: Call) -> Refusal | None:
    """Why the rules would not let the seat do that, whatever it holds; None if they would."""
    rules = rules_in_force(state)
    if call is Call.WIN:
        if (bar := barred(rules, state, seat)) is not None:
            return bar
        never = _NEVER.get(offer.source, frozenset())
        claim = claim_of(state, seat, Call.WIN, (), offer.tile)
        refusing = [Refusal(each.id, each.words) for each in rules.conditions if each.id in never]
        refusing += [
            Refusal(each.id, each.words)
            for each in rules.claim_conditions
            if each.refuses(offer, claim, rules.chosen)
        ]
        return refusing[0] if refusing else None
    if state.wall_left == 0:
        return LAST_DISCARD
    refused = refuse_replacement(state) if call is Call.KONG else None
    if refused is not None:
        return refused
    hands = tuple(_hands_for(rules, state, offer.tile, call)) or ((),)
    found = [refuse(rules, offer, claim_of(state, seat, call, each, offer.tile)) for each in hands]
    return None if None in found else found[0]


def _hands_for(
    rules: RuleSet, state: TableState, tile: Tile, call: Call
) -> Iterator[tuple[Tile, ...]]:
    """The tiles that the call takes beside the offered one, as far as they can be in a hand."""
    if call is not Call.CHOW:
        needed = 2 if call is Call.PUNG else 3
        if unseen(rules, state, tile) >= needed:
            yield (tile,) * needed
        return
    if MeldKind.CHOW not in rules.meld_kinds or not tile.is_suited:
        return
    for low in range(max(1, tile.number - 2), min(7, tile.number) + 1):
        run = [Tile(tile - tile.number + number) for number in range(low, low + 3)]
        rest = tuple(other for other in run if other is not tile)
        if all(unseen(rules, state, other) for other in rest):
            yield rest


def unseen(rules: RuleSet, state: TableState, tile: Tile) -> int:
    """Copies of a tile that do not lie open on the table."""
    lying = [each for seat in state.seats for each in seat.river]
    lying += [
        each
        for seat in state.seats
        for meld in seat.melds
        for each in (*meld.tiles, *meld.supplements)
    ]
    if rules.wilds is not None:
        lying += [turned.tile for turned in state.indicators]
    copies = rules.copies_of(tile) if tile in rules.kinds else COPIES
    return max(0, copies - lying.count(tile))


def _list(calls: list[Call]) -> Words:
    *others, last = [_CALL_WORDS[call] for call in calls]
    if not others:
        return last
    return Words("{others} or {last}", "{others}、{last}", others=joined(others, COMMA), last=last)
