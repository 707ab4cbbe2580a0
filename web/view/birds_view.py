"""The birds turned after a win, one by one, with what each makes of every payment.

Nothing is reckoned here: the rules settle the hand with one bird more each time.
"""

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.winners import who_won
from table_assist.languages.words import Words
from table_assist.rules.verdict import Birds, Settlement, Transfers
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words
from web.view.vocabulary import player


class BirdStep(NamedTuple):
    """A winner's payments without any bird, before this one, and after it."""

    bare: Transfers
    before: Transfers
    after: Transfers


def birds_views(snapshot: Snapshot, settlement: Settlement) -> list[View]:
    """The birds of each winner; none where the rules turn none."""
    if snapshot.rules.birds is None:
        return []
    by_count = _settlements(snapshot)
    return [_birds(snapshot, settlement, winner, by_count) for winner in settlement.winners]


def _settlements(snapshot: Snapshot) -> list[Settlement]:
    """As the rules settle the hand with none of the birds, with the first, and so on."""
    state = snapshot.state
    try:
        return [
            who_won(snapshot.rules, replace(state, birds=state.birds[:count]))
            for count in range(len(state.birds) + 1)
        ]
    except ValueError:  # corrected hands need not have been won together
        return []


def _birds(
    snapshot: Snapshot, settlement: Settlement, winner: int, by_count: list[Settlement]
) -> View:
    assert snapshot.rules.birds is not None
    birds = settlement.birds.get(winner)
    turned = () if birds is None else birds.tiles
    steps = [] if birds is None else _steps(snapshot, settlement, winner, by_count)
    return {
        "winner": winner,
        "turned": [
            {
                "tile": str(tile),
                "text": words_view(_words(snapshot, birds, index, step)),
                "payments": [] if step is None else _payments(winner, step),
            }
            for index, (tile, step) in enumerate(zip(turned, steps, strict=True))
        ],
        "due": max(snapshot.rules.birds.count, len(turned)),
        "multiplier": 1 if birds is None else birds.multiplier,
    }


def _steps(
    snapshot: Snapshot, settlement: Settlement, winner: int, by_count: list[Settlement]
) -> list[BirdStep | None]:
    """The change by each of the winner's birds; None where this view cannot tell."""
    count = len(settlement.birds[winner].tiles)
    before = _before(snapshot, settlement, winner)
    told = by_count[before : before + count + 1]
    is_told = (
        len(told) == count + 1
        and all(winner in each.winners for each in told)
        and told[-1].verdicts[winner].payments == settlement.verdicts[winner].payments
    )
    if not is_told:  # the settlement knows more than this view: then it says nothing
        return [None] * count
    paid = [each.verdicts[winner].payments for each in told]
    return [BirdStep(paid[0], before, after) for before, after in pairwise(paid)]


def _before(snapshot: Snapshot, settlement: Settlement, winner: int) -> int:
    """How many birds were turned before the winner's first: each may draw its own."""
    assert snapshot.rules.birds is not None
    if snapshot.rules.birds.shared(snapshot.rules.chosen):
        return 0
    earlier = settlement.winners[: settlement.winners.index(winner)]
    return sum(len(settlement.birds[seat].tiles) for seat in earlier if seat in settlement.birds)


def _payments(winner: int, step: BirdStep) -> list[View]:
    return [
        {"from": payer, "to": winner, "before": -step.before[payer], "after": -points}
        for payer, points in enumerate(step.after)
        if points < 0
    ]


def _words(snapshot: Snapshot, birds: Birds | None, index: int, step: BirdStep | None) -> Words:
    assert birds is not None
    tile: Tile = birds.tiles[index]
    face = tile_words(tile)
    if step is None or index >= len(birds.seats):
        return face
    who, effect = player(snapshot.names, birds.seats[index]), _effect(step)
    if effect is None:
        return Words("{face} names {who}", "{face}指{who}", face=face, who=who)
    return Words(
        "{face} names {who}: {effect}", "{face}指{who}：{effect}", face=face, who=who, effect=effect
    )


def _effect(step: BirdStep) -> Words | None:
    """The effect in two words; None where it differs from payer to payer."""
    payers = [seat for seat, points in enumerate(step.after) if points < 0]
    if step.before == step.after:
        return Words("no change", "不变")
    times = {step.after[seat] / step.bare[seat] for seat in payers}
    if len(times) > 1:
        return None
    factor = f"{times.pop():g}"
    return Words("payments ×{factor}", "输赢×{factor}", factor=factor)
