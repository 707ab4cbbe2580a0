"""Faults of a shown hand's tiles and melds themselves, whatever the sets are."""

from collections import Counter
from collections.abc import Iterable, Iterator

from table_assist.languages.words import NOTHING, Plural, Words, phrase
from table_assist.rules.play_rules import WildRule
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance, ShownHand, Situation
from table_assist.rules.verdict import Refusal
from table_assist.tiles.melds import MELD_NAMES, Meld, MeldKind, meld_words, tile_noted, tiles_words
from table_assist.tiles.tile import Tile

_HAND_TILES = 14


def held_by_winner(melds: int) -> int:
    """How many tiles a winner holds beside so many melds; fewer than two are none."""
    return max(0, _HAND_TILES - 3 * melds)


def strange_tiles(strange: Iterable[Tile]) -> Refusal:
    """The refusal of tiles that the game does not have."""
    return Refusal.of("tile_set", text=tiles_words(strange))


def too_many_copies(rules: RuleSet, tiles: Iterable[Tile]) -> Iterator[Refusal]:
    """A refusal for each kind of which there are more than the set holds."""
    for tile, count in sorted(Counter(tiles).items()):
        copies = rules.copies_of(tile)
        if 0 < copies < count:
            yield Refusal.of("tile_limit", count=count, value=tile_noted(tile), copies=copies)


def tile_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    """The faults of the tiles and melds themselves, whatever the sets are."""
    tiles = shown.tiles + (shown.birds or ()) + shown.bonus
    strange = sorted({tile for tile in tiles if tile.is_face and not rules.copies_of(tile)})
    if strange:
        yield strange_tiles(strange)
    expected = held_by_winner(len(shown.melds))
    held = len(shown.concealed)
    if held != expected or expected < 2:
        melds = len(shown.melds)
        beside = Plural(melds, " beside {n} meld", " beside {n} melds", "{n} 组副露外")
        yield Refusal.of(
            "tile_count", held=held, beside=beside if melds else NOTHING, expected=expected
        )
    birds_turned = rules.birds.count if rules.birds else 0
    if len(shown.birds or ()) > birds_turned:
        yield Refusal.of(
            "tile_count-birds", count=len(shown.birds or ()), birds_turned=birds_turned
        )
    yield from too_many_copies(rules, tiles)
    # All copies of a robbed tile are those of the kong
    tile = shown.winning_tile
    if robs_kong(shown.situation) and tile.is_face and shown.tiles.count(tile) > 1:
        yield Refusal.of("tile_limit-robbed", copies=rules.copies, tile=tile_noted(tile))
    if shown.winning_tile not in shown.concealed:
        yield Refusal.of("winning_tile", value=tile_noted(shown.winning_tile))
    yield from discarder_refusals(shown.situation)
    yield from fact_refusals(rules, shown)
    yield from _meld_refusals(rules, shown)
    if rules.wilds is not None:
        yield from _wild_refusals(rules, rules.wilds, shown)


def robs_kong(won: Situation) -> bool:
    """Whether the winning tile was to be a kong's fourth."""
    of_egg = won.came_by(Circumstance.ROBBED_EGG_SUPPLEMENT)
    return won.came_by(Circumstance.ROBBING_KONG) and not of_egg


def is_first_turn_over(rules: RuleSet, own: Iterable[Meld], others: Iterable[Meld] = ()) -> bool:
    """Whether melds tell that a seat does not win with its dealt tiles and the first one drawn.

    A kong from the own hand is replaced by another tile. It is declared and not called: it ends no
    other seat's first turn (TJ-36, CS-21k, CL-27).

    Args:
        own: the seat's.
        others: those of all other seats, as far as they are known.
    """
    called = rules.first_turn_ends_with_a_call and any(meld.kind.is_claimed for meld in others)
    return called or any(meld.kind is not MeldKind.LUCKY_EGG for meld in own)


def discarder_refusals(won: Situation) -> Iterator[Refusal]:
    """It is not clear whose tile was won, or what is said of it cannot all be."""
    yield from _contradictions(won)
    if won.self_drawn and won.discarder is not None:
        yield Refusal.of("discarder-drawn", discarder=won.discarder)
    unclaimed = won.self_drawn or Circumstance.TREASURE_RUSH in won.circumstances
    if not unclaimed and won.discarder is None:
        yield Refusal.of("discarder")


_AFTER_KONGS = {
    Circumstance.AFTER_KONG_CONCEALED: MeldKind.KONG_CONCEALED,
    Circumstance.AFTER_KONG_EXPOSED: MeldKind.KONG_EXPOSED,
    Circumstance.AFTER_KONG_ADDED: MeldKind.KONG_ADDED,
}
_OWN, _OTHER = "self-drawn", "of another seat"
_RUSH, _SACRED = Circumstance.TREASURE_RUSH, Circumstance.SACRED_DISCARD
_FIRST, _REGULAR = Circumstance.FIRST_TURN, Circumstance.ROBBED_REGULAR_KONG
_EGG, _AFTER = Circumstance.ROBBED_EGG_SUPPLEMENT, Circumstance.AFTER_KONG_DISCARD
_ROBBED = (Circumstance.ROBBING_KONG, _REGULAR, _EGG)
_REPLACED = (Circumstance.AFTER_KONG, *_AFTER_KONGS)
_ON_LAST_TILE = (Circumstance.LAST_TILE, Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT)
_READY_DECLARED, _READY_KONG = Circumstance.READY_DECLARED, Circumstance.READY_AFTER_KONG
_BONUS = Circumstance.AFTER_BONUS
_FEW, _EARLY = 4, 4  # tiles; rounds of discards, in which not half of a wall is drawn
_SAID_OF: dict[str, Words] = {
    _OWN: Words("self-drawn", "自摸"),
    _RUSH: Words("a Rush, which takes no tile", "冲宝（不取牌）"),
    _AFTER: Words("the discard after a kong", "杠后打出的牌"),
    **dict.fromkeys(_ROBBED[:2], Words("robbed from a kong", "抢杠的牌")),
    _EGG: Words("robbed from an egg", "抢蛋的牌"),
    _REPLACED[0]: Words("the replacement of the winner's own kong", "自己杠后补的牌"),
    **{
        each: Words("the replacement after the {kind}", "{kind}后补的牌", kind=MELD_NAMES[kind])
        for each, kind in _AFTER_KONGS.items()
    },
    _SACRED: Words("such as the winner discarded", "自己打过的牌"),
    _BONUS: Words("the replacement of a flower", "补花摸到的牌"),
    _FIRST: Words("of the first turn", "第一轮的牌"),
    **dict.fromkeys((_READY_DECLARED, _READY_KONG), Words("{ready}", "{ready}")),
    **dict.fromkeys(_ON_LAST_TILE, Words("the last of the wall", "海底牌")),
}
# Each of the one and each of the other: bots' evenings of every rule set have none of it
# (`tests/rules/test_judge.py`).
_EXCLUDE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    ((_OWN,), (_AFTER, *_ROBBED, _RUSH, _SACRED)),
    ((*_REPLACED, _BONUS), (_AFTER, *_ROBBED, _OTHER, _RUSH)),
    ((_RUSH,), (_AFTER, *_ROBBED, _OTHER, _SACRED, _FIRST, *_ON_LAST_TILE)),
    (_ROBBED, (_AFTER,)),
    ((_REGULAR,), (_EGG, _SACRED)),
    ((_FIRST,), (_SACRED, *_REPLACED)),
    (_REPLACED[1:2], _REPLACED[2:]),
    (_REPLACED[2:3], _REPLACED[3:]),
)


def _contradictions(won: Situation) -> Iterator[Refusal]:
    """Two things that are said of the winning tile and cannot both be."""
    said = {each: words for each, words in _SAID_OF.items() if each in won.circumstances}
    if robs_kong(won):
        said[_REGULAR] = _SAID_OF[_REGULAR]
    if won.self_drawn:
        said[_OWN] = _SAID_OF[_OWN]
    elif won.discarder is not None:
        said[_OTHER] = phrase("shown_hand_validity.tile_of_seat", discarder=won.discarder)
    for ones, others in _EXCLUDE:
        for one in ones:
            for other in others:
                if one in said and other in said:
                    yield Refusal.of("contradiction", one=said[one], two=said[other])
                    return


def fact_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    """What is said of the win cannot be beside the wall, the melds, the birds that are told."""
    yield from _laid_refusals(shown)
    yield from _wall_refusals(rules, shown)
    if shown.is_said:
        yield from _said_refusals(rules, shown)


def _laid_refusals(shown: ShownHand) -> Iterator[Refusal]:
    """A tile was drawn in place of another: what it was drawn for lies there."""
    won, kinds = shown.situation, {meld.kind for meld in shown.melds}
    if shown.is_said and won.came_by(_BONUS) and not shown.bonus:
        yield Refusal.of("contradiction-no_flower", one=_SAID_OF[_BONUS])
    replaced = [
        each for each, kind in _AFTER_KONGS.items() if won.came_by(each) and kind not in kinds
    ]
    none = shown.is_said and all(not kind.is_kong for kind in kinds)
    if none and won.self_drawn:
        replaced += [each for each in (_REPLACED[0], _ON_LAST_TILE[1]) if won.came_by(each)]
    if replaced:
        yield Refusal.of("contradiction-no_kong", one=_SAID_OF[replaced[0]])


def _wall_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    left, won = shown.wall_remaining, shown.situation
    is_last = won.came_by(_ON_LAST_TILE[0]) or won.came_by(_ON_LAST_TILE[1])
    dead_count = rules.wall.counted(0, 1, rules.chosen) > 0
    if left and is_last and not dead_count:
        yield Refusal.of("contradiction-last_tile", left=left)
    if left is not None and len(shown.birds or ()) > left:
        yield Refusal.of("contradiction-birds", count=len(shown.birds or ()), left=left)
    if is_last and not shown.is_followed and (won.came_by(_FIRST) or shown.discard_round == 1):
        yield Refusal.of("contradiction", one=_SAID_OF[_FIRST], two=_SAID_OF[_ON_LAST_TILE[0]])
    few = is_last or (left is not None and left < _FEW)
    early = won.came_by(_FIRST) or (shown.discard_round or _EARLY + 1) <= _EARLY
    if few and early and shown.is_said:
        yield Refusal.of("contradiction-early")


def _said_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    """What people say and no play gives, whatever its wall: its own rules see to it there."""
    won, ready = shown.situation, rules.ready_names
    has: dict[Circumstance, object] = {
        _READY_DECLARED: rules.ready,
        _READY_KONG: rules.ready,
        _RUSH: rules.treasure,
        _EGG: rules.eggs,
        _BONUS: rules.bonus_tiles,
    }
    for each, it in has.items():
        if won.came_by(each) and not it:
            yield Refusal.of("contradiction-not_played", said=_SAID_OF[each].filled(ready=ready))
    has_kong = any(meld.kind is MeldKind.KONG_CONCEALED for meld in shown.melds)
    if won.came_by(_READY_KONG) and not (won.came_by(_READY_DECLARED) and has_kong):
        yield Refusal.of("contradiction-ready_kong", ready=ready)
    if won.came_by(_FIRST):
        yield from _first_turn_refusals(rules, shown)


def _first_turn_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    """Who wins in the first turn has discarded nothing, and may win on one discard alone."""
    won, others = shown.situation, {shown.discarder} - {None, shown.dealer}
    if not won.self_drawn and (won.winner == won.dealer or others):
        yield Refusal.of("contradiction-first_turn")
    if won.came_by(_READY_DECLARED):
        yield Refusal.of("contradiction-ready_first", ready=rules.ready_names)
    is_early = won.winner == won.dealer or rules.first_turn_ends_with_a_call
    if is_early and (shown.discard_round or 1) > 1:
        yield Refusal.of("contradiction-round", n=shown.discard_round)


def _meld_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    for meld in shown.melds:
        if any(not tile.is_face for tile in meld.tiles + meld.supplements):
            continue
        said = meld_words(meld)
        if meld.kind is MeldKind.CHOW and meld.kind not in rules.meld_kinds:
            yield Refusal.of("chow_meld", said=said)
        elif not rules.is_meld(meld):
            yield Refusal.of("meld_invalid", said=said)


def turned_tile(rules: RuleSet, rule: WildRule, wilds: tuple[Tile, ...]) -> Tile | None:
    """The tile whose turning makes these wild: one copy of it lies open."""
    for tile in wilds:
        if tile in rules.kinds and set(rule.kinds(tile)) == set(wilds):
            return tile
    return None


def _wild_refusals(rules: RuleSet, rule: WildRule, shown: ShownHand) -> Iterator[Refusal]:
    """Wild tiles unknown or such as no turned tile makes, in wrong melds, or a copy too many."""
    if not shown.wilds:
        yield Refusal.of("wild_tiles")
        return
    turned = turned_tile(rules, rule, shown.wilds)
    if turned is None:
        yield Refusal.of("wild_tiles-unturned", text=tiles_words(shown.wilds))
        return
    for meld in shown.melds:
        if meld.kind not in rule.melds and meld.is_well_formed and meld.tiles[0] in shown.wilds:
            yield Refusal.of("wild_in_meld", said=meld_words(meld))
    if shown.tiles.count(turned) == rules.copies:
        yield Refusal.of("tile_limit-turned", copies=rules.copies, value=tile_noted(turned))
