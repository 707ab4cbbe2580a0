"""A declared win as JSON: the tiles as read, the verdict, the birds one by one, who pays whom."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from table_assist.game.events import (
    DeclaredHand,
    HandShown,
    HandTold,
    PlayedOut,
    Transfers,
)
from table_assist.game.offered import who_won
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.state import Phase, TableState
from table_assist.game.win import may_seek_again
from table_assist.languages.words import View, Words, joined, phrase, player_at, words_view
from table_assist.record.json_rows import to_row
from table_assist.record.snapshot import Snapshot
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Birds, Counted, Settlement, Verdict
from table_assist.tiles.melds import MeldKind, tile_words
from table_assist.tiles.tile import Tile
from web.view.vocabulary import (
    happened,
    in_order,
    is_open,
    meld_view,
    player,
    sure_words,
    with_names,
)

# The birds turned after a win, one by one, with what each makes of every payment.
#
# Nothing is reckoned here: the rules settle the hand with one bird more each time.


class BirdStep(NamedTuple):
    """A winner's payments without any bird, before this one, and after it."""

    bare: Transfers
    before: Transfers
    after: Transfers


def birds_views(snapshot: Snapshot, settlement: Settlement) -> list[View]:
    """The birds of each winner; none where the rules turn none."""
    if snapshot.rules.birds is None:
        return []
    # As the rules settle the hand with none of the birds, with the first, and so on
    state = snapshot.state
    by_count: list[Settlement] = []
    with suppress(ValueError):  # corrected hands need not have been won together
        by_count = [
            who_won(snapshot.rules, replace(state, birds=state.birds[:count]))
            for count in range(len(state.birds) + 1)
        ]
    return [_birds(snapshot, settlement, winner, by_count) for winner in settlement.winners]


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
                "payments": []
                if step is None
                else [
                    {"from": payer, "to": winner, "before": -step.before[payer], "after": -points}
                    for payer, points in enumerate(step.after)
                    if points < 0
                ],
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
    assert snapshot.rules.birds is not None
    count = len(settlement.birds[winner].tiles)
    before = 0  # birds that were turned before the winner's first: each may draw its own
    if not snapshot.rules.birds.shared(snapshot.rules.chosen):
        earlier = settlement.winners[: settlement.winners.index(winner)]
        birds = settlement.birds
        before = sum(len(birds[seat].tiles) for seat in earlier if seat in birds)
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


def _words(snapshot: Snapshot, birds: Birds | None, index: int, step: BirdStep | None) -> Words:
    assert birds is not None
    tile: Tile = birds.tiles[index]
    face = tile_words(tile)
    if step is None or index >= len(birds.seats):
        return face
    who = player(snapshot.names, birds.seats[index])
    effect = Words("no change", "不变")
    if step.before != step.after:
        payers = [seat for seat, points in enumerate(step.after) if points < 0]
        times = {step.after[seat] / step.bare[seat] for seat in payers}
        if len(times) > 1:  # the effect differs from payer to payer
            return Words("{face} names {who}", "{face}指{who}", face=face, who=who)
        effect = Words("payments ×{factor}", "输赢×{factor}", factor=f"{times.pop():g}")
    return phrase("outcome.names", face=face, who=who, effect=effect)


# People's changes to a hand that they told: a photograph's tile renamed, or the hand tapped in.

# A told hand beside the photographs that it was read from: what people have changed by hand.


def retold(read: Iterable[Tile], told: Iterable[Tile]) -> Words | None:
    """The differences between the told hand and the read one; None where it is all the same.

    A tile that could not be read may be any: whoever names it changes nothing.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> retold(parse_tiles("123m ?"), parse_tiles("124m 9p")).en
    '3 characters read, 4 characters, 9 dots told'
    >>> retold(parse_tiles("123m ?"), parse_tiles("123m 9p"))
    """
    seen, said = Counter(read), Counter(told)
    unread = sum(count for tile, count in seen.items() if not tile.is_face)
    added = said - seen
    gone = Counter({tile: n for tile, n in (seen - said).items() if tile.is_face})
    if not gone and added.total() <= unread:
        return None
    now, was = _named(added), _named(gone)
    if not gone:
        return Words("{now} added", "添加{now}", now=now)
    if not added:
        return Words("{was} left out", "去掉{was}", was=was)
    return Words("{was} read, {now} told", "读作{was}，报为{now}", was=was, now=now)


def _named(tiles: Counter[Tile]) -> Words:
    return joined(
        [
            tile_words(tile)
            if count == 1
            else Words("{tile} ×{n}", "{tile}×{n}", tile=tile_words(tile), n=count)
            for tile, count in sorted(tiles.items())
        ]
    )


TAPPED = Words("tapped in by hand, no photograph", "手动录入，无照片")


def changed_words(snapshot: Snapshot, seat: int) -> Words | None:
    """How this seat's told hand differs from its photographs; None: it does not, or has none."""
    told = _told(snapshot, seat)
    if told is None or told.read is None:
        return None
    if not told.read:
        return phrase("outcome.tapped_in_by_hand")
    melds = (tile for meld in told.melds for tile in (*meld.tiles, *meld.supplements))
    how = retold(told.read, [*told.concealed, *told.bonus, *melds])
    return None if how is None else Words("Changed by hand: {how}", "手动改过：{how}", how=how)


def is_tapped(snapshot: Snapshot, seat: int) -> bool:
    """This seat's hand was told without any photograph, now and before it was told anew."""
    told = _told(snapshot, seat)
    if told is None or told.read is not None:
        return False
    pictured = dict(snapshot.entry_evidence)
    return not any(
        isinstance(entry.event, HandTold) and entry.event.seat == seat and entry.seq in pictured
        for entry in snapshot.entries
    )


def _told(snapshot: Snapshot, seat: int) -> HandTold | None:
    return next((hand for hand in reversed(snapshot.state.told) if hand.seat == seat), None)


_HIDDEN = Words("A treasure is set, hidden until a ready player wins", "宝牌已定，报听者和牌时揭晓")
_HIDDEN_FROM_ALL = Words("A treasure is set, hidden until a win", "宝牌已定，和牌时揭晓")
_TO_BE_TOLD = Words("Which tile the treasure is must still be told", "宝牌是哪张尚待报出")
_NEVER_TOLD = Words("Which tile the treasure was, nobody has told", "宝牌是哪张无人报出")
_KEPT = Words("Nobody won: the treasure stays hidden", "无人和牌，宝牌不揭晓")


def verdict_views(snapshot: Snapshot) -> list[View]:
    """Each shown hand with what the judge says of it."""
    settled = snapshot.settlement.verdicts if snapshot.settlement is not None else {}
    return [
        _verdict(snapshot, seat, settled.get(seat, verdict)) for seat, verdict in snapshot.verdicts
    ]


def settlement_view(snapshot: Snapshot) -> View | None:
    """The hand's transfers with the birds turned so far; None while nobody has won or drawn."""
    state, settlement = snapshot.state, snapshot.settlement
    if settlement is None or not settlement.winners:
        return _drawn(snapshot)
    ended: HandEnd | None = None
    with suppress(ValueError):  # these wins need not be reckoned together
        ended = end_of_hand(state)
    total = settlement.payments if ended is None else ended.total
    steps = settlement.steps if ended is None else ended.steps
    final = state.settled is not None
    if state.settled is not None:
        total = state.settled.transfers
        steps = state.settled.steps
    return {
        **_moved(snapshot, total, final=final),
        "steps": [words_view(with_names(step, snapshot.names)) for step in steps],
        "unsure": []
        if final or ended is None
        else [
            words_view(with_names(each, snapshot.names))
            for each in (*ended.unsure, *_others_tellings(snapshot), *sure_words(snapshot.sureness))
        ],
        "payments": [
            {"from": payer, "to": winner, "points": -points}
            for winner in settlement.winners
            for payer, points in enumerate(settlement.verdicts[winner].payments)
            if points < 0
        ],
        "birds": birds_views(snapshot, settlement),
    }


def _others_tellings(snapshot: Snapshot) -> list[Words]:
    """The changes that people made to hands that lie open for the settlement, and have not won."""
    seats = [told.seat for told in snapshot.state.told if told.winning_tile is None]
    said = [
        (seat, changed_words(snapshot, seat) or (TAPPED if is_tapped(snapshot, seat) else None))
        for seat in seats
    ]
    return [
        Words("{who}: {how}", "{who}：{how}", who=player(snapshot.names, seat), how=how)
        for seat, how in said
        if how is not None
    ]


def treasure_view(snapshot: Snapshot) -> View | None:
    """This snapshot's view of the treasure; None in rules without one."""
    state = snapshot.state
    if snapshot.rules.treasure is None or not state.is_running | (state.phase is Phase.SETTLED):
        return None
    return {
        "set": bool(state.indicators),
        "tiles": [str(tile) for tile in state.treasures],
        "words": words_view(with_names(_treasure_words(snapshot), snapshot.names)),
    }


def _treasure_words(snapshot: Snapshot) -> Words:
    """The public words on it: this snapshot's tiles are those that its viewer knows."""
    state, over = snapshot.state, snapshot.state.phase is Phase.SETTLED
    winners = () if snapshot.settlement is None else snapshot.settlement.winners
    if not state.indicators:
        if over:
            return Words("No treasure was set", "本局未定宝牌")
        return Words("No treasure yet", "尚无宝牌")
    if winners and state.treasures:
        faces = joined([tile_words(tile) for tile in state.treasures])
        return Words("Treasure: {faces}", "宝牌：{faces}", faces=faces)
    if winners and not over:
        counts = any(state.seats[seat].ready for seat in winners)
        return _TO_BE_TOLD if counts else phrase("outcome.treasure_stays_hidden_until")
    if over:
        return _NEVER_TOLD if winners else _KEPT
    if state.treasures and may_seek_again(snapshot.rules, state):
        # Only who knows the treasure is shown this: to the others it would tell which it is.
        return phrase("outcome.three_treasures_lie_open", first_ready=player_at(state.first_ready))
    needs_ready = snapshot.rules.chosen.get("treasure_needs_ready", True)
    return _HIDDEN if needs_ready else _HIDDEN_FROM_ALL


def _drawn(snapshot: Snapshot) -> View | None:
    """The end of a hand that nobody won."""
    event = next((event for _, event in happened(snapshot) if isinstance(event, PlayedOut)), None)
    if snapshot.state.phase is not Phase.SETTLED or event is None:
        return None
    steps = event.steps
    return {
        **_moved(snapshot, event.transfers, final=True),
        "steps": [words_view(with_names(step, snapshot.names)) for step in steps],
        "unsure": [],
        "payments": [],
        "birds": [],
    }


def _moved(snapshot: Snapshot, total: Transfers, *, final: bool) -> View:
    """Each seat's gain or loss, and the standing before and after."""
    scores = snapshot.state.scores
    before = [score - moved * final for score, moved in zip(scores, total, strict=True)]
    after = [score + moved for score, moved in zip(before, total, strict=True)]
    return {"transfers": list(total), "final": final, "before": before, "after": after}


def _verdict(snapshot: Snapshot, seat: int, verdict: Verdict) -> View:
    state, names = snapshot.state, snapshot.names
    shown = next((hand for hand in state.shown if hand.seat == seat), None)
    entry = next(
        (
            each
            for each in reversed(snapshot.entries)
            if (isinstance(each.event, DeclaredHand) and each.event.seat == seat)
        ),
        None,
    )
    changed = changed_words(snapshot, seat)
    return {
        "seat": seat,
        "who": words_view(player(names, seat)),
        "entry": None if entry is None else entry.seq,
        "confidence": None if entry is None else entry.confidence,
        "evidence": None if entry is None else dict(snapshot.entry_evidence).get(entry.seq),
        "told": any(hand.seat == seat for hand in state.told),
        "tapped": is_tapped(snapshot, seat),
        "changed": None if changed is None else words_view(changed),
        "event": None if entry is None else to_row(entry.event),
        "unit": words_view(snapshot.rules.unit),
        "open": is_open(verdict, state),
        "self_drawn": None if shown is None else shown.self_drawn,
        "robbed": "" if shown is None else robbed_from(state, shown),
        "tiles": [] if shown is None else in_order(shown.concealed, shown.winning_tile),
        "winning": None if shown is None else str(shown.winning_tile),
        "melds": [meld_view(meld) for meld in state.seats[seat].melds],
        "steps": [words_view(with_names(step, names)) for step in verdict.steps],
        "completions": [
            {
                "tiles": [str(tile) for tile in completion.tiles],
                "total": completion.total,
                "patterns": words_view(joined([each.names for each in completion.patterns])),
            }
            for completion in verdict.completions
        ],
        **judged_view(snapshot, verdict),
    }


def robbed_from(state: TableState, shown: HandShown) -> str:
    """From what a won tile was robbed: ``kong``, ``egg``, or nothing."""
    if shown.self_drawn or shown.rush or state.robbable is None:
        return ""
    return "egg" if state.robbable.kind is MeldKind.LUCKY_EGG else "kong"


def judged_view(snapshot: Snapshot, verdict: Verdict) -> View:
    """Whether a hand wins, what it is made of, and what speaks against it."""
    return {
        "valid": verdict.valid,
        "patterns": [
            {"name": words_view(counted.names), "value": _counts(snapshot.rules, counted)}
            for counted in verdict.patterns
        ],
        "total": verdict.total,
        "refusals": [
            words_view(with_names(refusal.words, snapshot.names)) for refusal in verdict.refusals
        ],
    }


def _counts(rules: RuleSet, counted: Counted) -> int | str:
    """A pattern's count: a factor says so, and a limit hand's own row says nothing."""
    if not counted.value:
        return ""
    return f"×{counted.value}" if rules.unit.en == "multiplier" else counted.value
