"""A hand's waits, what each is worth, and how many copies may still come."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from table_assist.languages.words import WordsError
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEATS, ReadyHand, ShownHand
from table_assist.rules.shown_hand_validity import turned_tile
from table_assist.rules.verdict import Refusal, Verdict
from table_assist.rules.waiting import ReadyVerdict, declare_ready
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_noted

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


def ready_help(rules: RuleSet, shown: ShownHand, seen: tuple[Tile, ...] = ()) -> ReadyHelp:
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
        asked = [seat for seat in range(SEATS) if seat != shown.winner]
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


def _unseen(rules: RuleSet, shown: ShownHand, seen: tuple[Tile, ...]) -> Counter[Tile]:
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
