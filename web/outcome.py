"""A declared win as JSON: the tiles as read, the verdict, the birds one by one, who pays whom."""

import re
from typing import Any

from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Birds, Completion, Settlement, Verdict
from table_assist.rules.words import Words
from table_assist.snapshot import Snapshot
from table_assist.tiles import Tile
from web.sentences import Names, player
from web.views import View, in_order, is_open, meld_view, words_view
from web.words import joined, tile_words

# "seat 2", "Seats 1, 3", "座位 2", "座位 1、3"
_SEATS_EN = re.compile(r"\b[Ss]eats? ([0-3](?:, [0-3]\b)*)(?![0-9])")
_SEATS_ZH = re.compile(r"座位 ?([0-3](?:(?:、|, ?)[0-3])*)(?![0-9])(?: (?![0-9]))?")


def verdict_views(snapshot: Snapshot) -> list[View]:
    """Each shown hand with what the judge says of it."""
    settled = snapshot.settlement.verdicts if snapshot.settlement is not None else {}
    return [
        _verdict(snapshot, seat, settled.get(seat, verdict)) for seat, verdict in snapshot.verdicts
    ]


def settlement_view(snapshot: Snapshot) -> View | None:
    """What the wins are paid with the birds turned so far; None while nobody has won."""
    settlement = snapshot.settlement
    if settlement is None or not settlement.winners:
        return None
    return {
        "transfers": list(settlement.payments),
        "final": snapshot.state.settled is not None,
        "payments": _payments(settlement),
        "birds": [
            {"winner": seat, **_birds(snapshot, settlement, seat)} for seat in settlement.winners
        ]
        if snapshot.rules.birds is not None
        else [],
    }


def with_names(words: Words, names: Names) -> Words:
    """The same sentence with names: the rules speak of seats."""

    def named(seats: str) -> Words:
        return joined([player(names, int(seat)) for seat in re.findall(r"[0-3]", seats)], zh="、")

    return Words(
        _SEATS_EN.sub(lambda found: named(found[1]).en, words.en),
        _SEATS_ZH.sub(lambda found: named(found[1]).zh, words.zh),
    )


def _verdict(snapshot: Snapshot, seat: int, verdict: Verdict) -> View:
    state, names = snapshot.state, snapshot.names
    shown = next((hand for hand in state.shown if hand.seat == seat), None)
    return {
        "seat": seat,
        "valid": verdict.valid,
        "open": is_open(verdict, state),
        "self_drawn": None if shown is None else shown.self_drawn,
        "tiles": [] if shown is None else in_order(shown.concealed, shown.winning_tile),
        "winning": None if shown is None else str(shown.winning_tile),
        "melds": [meld_view(meld) for meld in state.seats[seat].melds],
        "patterns": [
            {"name": words_view(counted.names), "value": counted.value}
            for counted in verdict.patterns
        ],
        "total": verdict.total,
        "steps": [words_view(with_names(step, names)) for step in verdict.steps],
        "refusals": [words_view(with_names(refusal.words, names)) for refusal in verdict.refusals],
        "completions": [_completion(completion) for completion in verdict.completions],
    }


def _completion(completion: Completion) -> View:
    return {
        "tiles": [str(tile) for tile in completion.tiles],
        "total": completion.total,
        "patterns": words_view(joined([each.names for each in completion.patterns], zh="、")),
    }


def _payments(settlement: Settlement) -> list[View]:
    """Who pays whom how much, winner after winner."""
    return [
        {"from": payer, "to": winner, "points": -points}
        for winner in settlement.winners
        for payer, points in enumerate(settlement.verdicts[winner].payments)
        if points < 0
    ]


def _birds(snapshot: Snapshot, settlement: Settlement, winner: int) -> dict[str, Any]:
    assert snapshot.rules.birds is not None
    birds = settlement.birds.get(winner)
    turned = () if birds is None else birds.tiles
    effects = [] if birds is None else _effects(snapshot, winner, birds)
    return {
        "turned": [
            {"tile": str(tile), "text": words_view(effect)}
            for tile, effect in zip(turned, effects, strict=True)
        ],
        "due": max(snapshot.rules.birds.count, len(turned)),
        "multiplier": 1 if birds is None else birds.multiplier,
    }


def _effects(snapshot: Snapshot, winner: int, birds: Birds) -> list[Words]:
    """What each bird does, in the order turned, by reckoning with one bird more each time."""
    state, rules = snapshot.state, snapshot.rules
    shown = next((hand for hand in state.shown if hand.seat == winner), None)
    giver = state.given_up
    discarder = None if shown is None or shown.self_drawn or giver is None else giver[0]
    before, effects = 1, []
    for count, (tile, seat) in enumerate(zip(birds.tiles, birds.seats, strict=False), start=1):
        after = _multiplier(rules, birds.tiles[:count], state.dealer, winner, discarder)
        effects.append(_effect(tile, player(snapshot.names, seat), before, after))
        before = after
    if before != birds.multiplier or len(effects) != len(birds.tiles):
        # The settlement knows more than this view: then say what lies there and nothing else.
        return [tile_words(tile) for tile in birds.tiles]
    return effects


def _multiplier(
    rules: RuleSet, birds: tuple[Tile, ...], dealer: int, winner: int, discarder: int | None
) -> int:
    assert rules.birds is not None
    return rules.birds.reckon(
        birds, dealer=dealer, winner=winner, discarder=discarder, options=rules.chosen
    ).multiplier


def _effect(tile: Tile, who: Words, before: int, after: int) -> Words:
    face = tile_words(tile)
    if after == before:
        return Words(f"{face.en} names {who.en}: no change", f"{face.zh}指{who.zh}：不变")
    return Words(
        f"{face.en} names {who.en}: payments ×{after}", f"{face.zh}指{who.zh}：输赢×{after}"
    )
