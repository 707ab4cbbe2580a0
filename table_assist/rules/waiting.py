"""What a hand waits for, and whether it may be declared ready.

``legal_waits(rules, hand) -> tuple[Tile, ...]``, ``declare_ready(rules, hand) -> ReadyVerdict``.
Only tiles that make a *legal* win count, drawn or claimed: every one of them is read both ways.
"""

from collections import Counter
from dataclasses import dataclass

from table_assist.rules.judge import failed_conditions, readings, strange_tiles, too_many_copies
from table_assist.rules.ruleset import RuleSet, Win
from table_assist.rules.shown import SEATS, Circumstance, ReadyHand, ShownHand
from table_assist.rules.sound import turned_tile
from table_assist.rules.verdict import Refusal
from table_assist.tiles import Tile
from table_assist.words import Words

_HELD = 13


@dataclass(frozen=True, slots=True)
class ReadyVerdict:
    """Whether a hand may be declared ready.

    Attributes:
        waits: the tiles that would make a legal win, in tile order.
        refusals: every reason why it may not; empty if it may.
    """

    waits: tuple[Tile, ...]
    refusals: tuple[Refusal, ...] = ()

    @property
    def ready(self) -> bool:
        """Nothing speaks against it."""
        return not self.refusals


def legal_waits(rules: RuleSet, hand: ReadyHand) -> tuple[Tile, ...]:
    """The kinds of which one more tile makes a legal win, drawn or claimed, in tile order."""
    return tuple(
        tile
        for tile, wins in _completed(rules, hand)
        if any(not failed_conditions(rules.conditions, win) for win in wins)
    )


def declare_ready(rules: RuleSet, hand: ReadyHand) -> ReadyVerdict:
    """Say what the hand waits for, or every reason why it may not be declared ready.

    Raises:
        ValueError: the rules have no such declaration.
    """
    if rules.ready is None:
        raise ValueError(f"{rules.id} has no ready declaration")
    refusals = _wrong_tiles(rules, hand)
    if refusals:
        return ReadyVerdict((), refusals)
    on_hand = [
        (each.first, Refusal(each.id, each.words))
        for each in rules.ready.on_hand
        if not each.predicate(hand, rules.chosen)
    ]
    refusals = (
        *(refusal for first, refusal in on_hand if first),
        *_wrong_waits(rules, hand),
        *(refusal for first, refusal in on_hand if not first),
    )
    return ReadyVerdict(legal_waits(rules, hand), refusals)


def _wrong_tiles(rules: RuleSet, hand: ReadyHand) -> tuple[Refusal, ...]:
    tiles = hand.concealed + tuple(tile for meld in hand.melds for tile in meld.tiles)
    if any(not tile.is_face for tile in tiles):
        return (Refusal("unknown_tile", Words("A tile could not be read.", "有牌无法辨认。")),)
    strange = sorted({tile for tile in tiles if not rules.copies_of(tile)})
    if strange:
        return (strange_tiles(strange),)
    expected = _HELD - 3 * len(hand.melds)
    if len(hand.concealed) != expected:
        words = Words(
            f"{len(hand.concealed)} tiles in hand; beside {len(hand.melds)} melds it is "
            f"{expected} after the discard.",
            f"手牌 {len(hand.concealed)} 张；{len(hand.melds)} 组副露外应为 {expected} 张。",
        )
        return (Refusal("tile_count", words),)
    return tuple(too_many_copies(rules, tiles))


def _wrong_waits(rules: RuleSet, hand: ReadyHand) -> list[Refusal]:
    """What the completion nearest to a legal one lacks; nothing if one lacks nothing."""
    assert rules.ready is not None
    conditions = (*rules.conditions, *rules.ready.on_completion)
    lacking = [
        failed_conditions(conditions, win) for _, wins in _completed(rules, hand) for win in wins
    ]
    if not lacking:
        return [Refusal("no_wait", Words("No tile completes the hand.", "没有听牌。"))]
    return min(lacking, key=len)


def _completed(rules: RuleSet, hand: ReadyHand) -> list[tuple[Tile, list[Win]]]:
    """Each tile that completes the hand's form, with every reading of it, drawn and claimed."""
    held = Counter(hand.concealed)
    held.update(tile for meld in hand.melds for tile in meld.tiles + meld.supplements)
    if rules.wilds is not None:
        turned = turned_tile(rules, rules.wilds, hand.wilds)
        held.update([] if turned is None else [turned])
    found = []
    for tile in rules.kinds:
        if held[tile] < rules.copies:
            wins = [win for drawn in (True, False) for win in _read(rules, hand, tile, drawn=drawn)]
            if wins:
                found.append((tile, wins))
    return found


def _read(rules: RuleSet, hand: ReadyHand, tile: Tile, *, drawn: bool) -> list[Win]:
    """The hand won with that tile, drawn or discarded by the next player."""
    shown = ShownHand(
        concealed=(*hand.concealed, tile),
        winning_tile=tile,
        winner=hand.seat,
        dealer=hand.dealer,
        melds=hand.melds,
        self_drawn=drawn,
        discarder=None if drawn else (hand.seat + 1) % SEATS,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        wilds=hand.wilds,
    )
    return readings(rules, shown)
