"""A hand's waits, what each is worth, and whether it may be declared ready.

``legal_waits(rules, hand) -> Tiles``, ``declare_ready(rules, hand) -> ReadyVerdict``.
Only tiles that make a *legal* win count, drawn or claimed: every one of them is read both ways.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from table_assist.languages.words import WordsError
from table_assist.rules.judge import failed_conditions, judge, readings
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEAT_COUNT, Circumstance, ReadyHand, ShownHand
from table_assist.rules.shown_hand_validity import strange_tiles, too_many_copies, turned_tile
from table_assist.rules.verdict import Refusal, Verdict
from table_assist.rules.win import Win
from table_assist.tiles.divide import count_tiles
from table_assist.tiles.melds import tile_noted
from table_assist.tiles.ready import completing
from table_assist.tiles.tile import HONOURS, SUITED, Tile, Tiles

_WAITING_TILES = 13
# Of one hand the same is asked again and again: with each discard, by pages, for each condition.
_REMEMBERED = 512
_ORPHANS = tuple(t for t in SUITED + HONOURS if t.is_honour or t.number in (1, 9))


@dataclass(frozen=True, slots=True)
class ReadyVerdict:
    """Whether a hand may be declared ready.

    Attributes:
        waits: the tiles that would make a legal win, in tile order.
        refusals: every reason why it may not; empty if it may.
    """

    waits: Tiles
    refusals: tuple[Refusal, ...] = ()

    @property
    def ready(self) -> bool:
        """Nothing speaks against it."""
        return not self.refusals


def legal_waits(rules: RuleSet, hand: ReadyHand) -> Tiles:
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
    conditions = (*rules.conditions, *rules.ready.on_completion)
    lacking = [
        failed_conditions(conditions, win) for _, wins in _completed(rules, hand) for win in wins
    ]
    refusals = (
        *(refusal for first, refusal in on_hand if first),
        *(min(lacking, key=len) if lacking else [Refusal.of("no_wait")]),
        *(refusal for first, refusal in on_hand if not first),
    )
    return ReadyVerdict(legal_waits(rules, hand), refusals)


def _wrong_tiles(rules: RuleSet, hand: ReadyHand) -> tuple[Refusal, ...]:
    tiles = hand.concealed + tuple(tile for meld in hand.melds for tile in meld.tiles)
    if any(not tile.is_face for tile in tiles):
        return (Refusal.of("unknown_tile"),)
    strange = sorted({tile for tile in tiles if not rules.copies_of(tile)})
    if strange:
        return (strange_tiles(strange),)
    expected = _WAITING_TILES - 3 * len(hand.melds)
    if len(hand.concealed) != expected:
        return (
            Refusal.of(
                "tile_count-waiting",
                count=len(hand.concealed),
                count_2=len(hand.melds),
                expected=expected,
            ),
        )
    return tuple(too_many_copies(rules, tiles))


@lru_cache(maxsize=_REMEMBERED)
def _completed(rules: RuleSet, hand: ReadyHand) -> tuple[tuple[Tile, list[Win]], ...]:
    """Each tile that completes the hand's form, with every reading of it, drawn and claimed.

    A tile that does not complete it when drawn does not when it is claimed.
    """
    held = Counter(hand.concealed)
    held.update(tile for meld in hand.melds for tile in meld.tiles + meld.supplements)
    if rules.wilds is not None:
        turned = turned_tile(rules, rules.wilds, hand.wilds)
        held.update([] if turned is None else [turned])
    # Of tiles that there cannot be nothing is won, whatever comes
    impossible = any(too_many_copies(rules, held.elements()))
    found = []
    for tile in () if impossible else _candidates(rules, hand):
        if held[tile] < rules.copies:
            drawn = _read(rules, hand, tile, drawn=True)
            if drawn:
                found.append((tile, [*drawn, *_read(rules, hand, tile, drawn=False)]))
    return tuple(found)


def _candidates(rules: RuleSet, hand: ReadyHand) -> Sequence[Tile]:
    """The kinds that may complete the hand's form, by the shapes there are; all if one is strange.

    What is wild may stand for anything.
    """
    near = [_NEAR.get(shape.id) for shape in rules.shapes]
    known = [each for each in near if each is not None]
    strange = hand.wilds or not all(tile.is_face for tile in hand.concealed)
    if strange or len(known) < len(near):
        return rules.kinds
    found = {tile for each in known for tile in each(hand.concealed)}
    return [tile for tile in rules.kinds if tile in found]


_NEAR: dict[str, Callable[[Tiles], Sequence[Tile]]] = {
    "sets_and_pair": lambda tiles: completing(count_tiles(tiles)),
    "seven_pairs": lambda tiles: [tile for tile, held in Counter(tiles).items() if held % 2],
    "thirteen_orphans": lambda tiles: _ORPHANS,
}


def _read(rules: RuleSet, hand: ReadyHand, tile: Tile, *, drawn: bool) -> list[Win]:
    """The hand won with that tile, drawn or discarded by the next player."""
    shown = ShownHand(
        concealed=(*hand.concealed, tile),
        winning_tile=tile,
        winner=hand.seat,
        dealer=hand.dealer,
        melds=hand.melds,
        self_drawn=drawn,
        discarder=None if drawn else (hand.seat + 1) % SEAT_COUNT,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        wilds=hand.wilds,
    )
    return readings(rules, shown)


# Faults of the tiles and melds themselves, whatever comes.
_ON_TILES = (
    "tile_set",
    "tile_limit",
    "tile_count",
    "meld_invalid",
    "chow_meld",
    "wild_tiles",
    "wild_in_meld",
)


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that makes a legal win.

    Attributes:
        unseen: copies that lie neither in the hand nor among the tiles seen.
        drawn: the verdict if it is drawn; none if that is no win, or was not asked for.
        claimed: the verdicts by discarder, of those whose tile wins.
    """

    tile: Tile
    unseen: int
    drawn: Verdict | None
    claimed: Mapping[int, Verdict]


@dataclass(frozen=True, slots=True)
class ReadyHelp:
    """A hand's waits.

    Attributes:
        shown: the hand and its situation; its winning tile says nothing.
        refusals: why there are no waits: what the nearest completion lacks.
        declaring: whether ready may be declared; none where the rules have no such call.
    """

    shown: ShownHand
    waits: tuple[Wait, ...]
    refusals: tuple[Refusal, ...] = ()
    declaring: ReadyVerdict | None = None

    @property
    def good(self) -> bool:
        """It waits for something."""
        return bool(self.waits)


def ready_help(rules: RuleSet, shown: ShownHand, seen: Tiles) -> ReadyHelp:
    """Judge the hand with every tile that it might get: drawn, and from every discarder.

    Args:
        shown: the hand **without** a winning tile; whatever stands in its place is not looked at.
            Self-drawn or with a discarder it is asked about that alone.
        seen: tiles that lie open elsewhere: discards, others' melds. A tile turned up to name the
            wild ones counts by itself.

    Raises:
        ValueError: hand and tiles seen hold more of a kind than the set.
    """
    hand = ReadyHand(
        shown.concealed,
        shown.melds,
        seat=shown.winner,
        dealer=shown.dealer,
        wilds=shown.wilds,
        treasures=shown.treasures,
    )
    if not all(tile.is_face for tile in shown.tiles):
        return ReadyHelp(shown, (), (Refusal.of("unknown_tile-hand"),))
    unseen = _unseen(rules, shown, seen)
    waits, refused = [], []
    for tile in rules.kinds:
        if shown.tiles.count(tile) >= rules.copies:
            continue
        # The verdicts on that tile, drawn and from each discarder, as far as they were asked for
        whole = replace(
            shown,
            concealed=(*shown.concealed, tile),
            winning_tile=tile,
            self_drawn=False,
            discarder=None,
        )
        drawn: tuple[Verdict, ...] = ()
        if shown.discarder is None:
            drawn = (judge(rules, replace(whole, self_drawn=True)),)
        asked = [seat for seat in range(SEAT_COUNT) if seat != shown.winner]
        if shown.discarder is not None:
            asked = [shown.discarder]
        elif shown.self_drawn:
            asked = []
        claimed = {seat: judge(rules, replace(whole, discarder=seat)) for seat in asked}
        refused += [each for each in (*drawn, *claimed.values()) if not each.valid]
        won = next((each for each in drawn if each.valid), None)
        taken = {seat: each for seat, each in claimed.items() if each.valid}
        if won or taken:
            waits.append(Wait(tile, unseen[tile], won, taken))
    if waits:
        declaring = declare_ready(rules, hand) if rules.ready else None
        return ReadyHelp(shown, tuple(waits), declaring=declaring)
    return ReadyHelp(shown, (), _nearest(refused))


def _nearest(refused: list[Verdict]) -> tuple[Refusal, ...]:
    """The defects of the completion nearest to a win; any form is nearer than none."""
    refusals = min(
        (each.refusals for each in refused), key=lambda each: (_shapeless(each), len(each))
    )
    if not _shapeless(refusals):
        return refusals
    other = tuple(refusal for refusal in refusals if refusal.id in _ON_TILES)
    return (*other, Refusal.of("no_wait"))


def _shapeless(refusals: tuple[Refusal, ...]) -> bool:
    return any(refusal.id == "structure" for refusal in refusals)


def _unseen(rules: RuleSet, shown: ShownHand, seen: Tiles) -> Counter[Tile]:
    """Copies of each kind that nobody at this seat has seen.

    Raises:
        ValueError: there are more of a kind than the set holds.
    """
    known = Counter((*shown.tiles, *seen))
    if rules.wilds is not None:
        turned = turned_tile(rules, rules.wilds, shown.wilds)
        known.update([] if turned is None else [turned])
    for tile in sorted(known):
        if seen and known[tile] > rules.copies_of(tile):
            raise WordsError.told(
                "copies", known=known[tile], value=tile_noted(tile), copies_of=rules.copies_of(tile)
            )
    return Counter({tile: rules.copies - known[tile] for tile in rules.kinds})
