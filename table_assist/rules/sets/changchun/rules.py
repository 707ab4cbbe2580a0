"""Changchun "Lucky Egg" mahjong. The numbers (CC-01 ...) are those of the rules specification.

Where the document contradicts itself, its worked example and payout tables were preferred to its
prose, and the readings that remain are options. Two departures: the treasure is the tile after the
indicator, not both, as the example that says so is another game's (CC-28); the draw keeps the
dealer (CC-04). The count of tiles left that a hand comes with is taken as the table counts it,
without the dead wall or with it (``end_count_base``).

Terms: an egg (蛋) is a combination laid from the dealt hand; the treasure (宝牌) is the kind named
by a turned tile; a Rush (冲宝) wins with the treasure without drawing it; a clamp (夹胡) fills an
edge, closed or single wait.
"""

from collections import Counter
from functools import partial

from table_assist.languages.words import Words, same
from table_assist.rules import play_rules
from table_assist.rules import win as patterns
from table_assist.rules.options import Options, read_asked, read_book
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sets.changchun import eggs_wall_payments as payments
from table_assist.rules.settlement import pay_agreed_penalty
from table_assist.rules.shown import (
    Call,
    Circumstance,
    Claim,
    Offer,
    ReadyHand,
    ShownHand,
    Situation,
    TileSource,
)
from table_assist.rules.verdict import Refusal
from table_assist.rules.waiting import declare_ready, legal_waits
from table_assist.rules.wall import stays_or_passes
from table_assist.rules.win import Condition, Shape, Win
from table_assist.tiles.divide import (
    EGG,
    NO_TRIPLETS,
    Division,
    HandSet,
    SetKind,
    divide,
    divide_counted,
    kinds_of,
    triplet_bits,
)
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import HONOURS, SUITED, Tile, Tiles

_ASKED = read_asked("changchun")

# Which calls Changchun forbids (CC-13, CC-18, CC-20, CC-33, CC-34).

END_OF_GAME = "Changchun > End of the Game"
# With so many tiles left after the draw, the discard is one of the last four (CC-34).
_LAST_FOUR = 3
_KONGS = (Call.KONG, Call.KONG_CONCEALED, Call.KONG_ADDED, Call.EGG_SUPPLEMENT)


def _at_end(offer: Offer, tiles: int) -> bool:
    left = offer.wall_remaining
    return offer.last_four or (left is not None and left <= tiles)


def _late_call(offer: Offer, claim: Claim, options: Options) -> bool:
    called = claim.call in (Call.CHOW, Call.PUNG)
    return called and options["last_four_calls"] == "none" and _at_end(offer, _LAST_FOUR)


def _late_win(offer: Offer, claim: Claim, options: Options) -> bool:
    """Where the count is not known: else the hand itself is refused."""
    claimed = claim.call is Call.WIN and offer.source is not TileSource.OWN_DRAW
    return claimed and offer.last_four


CLAIM_CONDITIONS = (
    play_rules.ClaimCondition(
        "egg_tile_not_for_chow",
        lambda offer, claim, options: (
            offer.source is TileSource.EGG_SUPPLEMENT and claim.call is Call.CHOW
        ),
        *_ASKED["egg_tile_not_for_chow"],
    ),
    play_rules.ClaimCondition(
        "no_kong_last_twelve",
        lambda offer, claim, options: claim.call in _KONGS and _at_end(offer, payments.LAST_TWELVE),
        *_ASKED["no_kong_last_twelve"],
    ),
    play_rules.ClaimCondition("last_four_no_calls", _late_call, *_ASKED["last_four_no_calls"],
                              only_if=("last_four_calls", "none")),
    play_rules.ClaimCondition("self_draw_only_last_twelve", _late_win,
                              *_ASKED["self_draw_only_last_twelve"]),
)  # fmt: skip


# Bits of sets and of kinds that conditions and multipliers look for.
_TRIPLETS = triplet_bits(SUITED + HONOURS)
_TRIPLETS_AND_EGGS = _TRIPLETS | 1 << EGG
_NO_TRIPLETS_NOR_EGGS = NO_TRIPLETS & ~(1 << EGG)
_TERMINALS = kinds_of(tile for tile in SUITED if tile.is_terminal)
_TERMINALS_AND_RED = _TERMINALS | kinds_of([Tile.RED])
_SUITS = tuple(kinds_of(tile for tile in SUITED if tile.suit == suit) for suit in "mps")


# --- Shapes (CC-30, CC-36)


def _four_sets(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """Four sets and a pair; a ready player's drawn treasure may stand for any tile."""
    found = divide_counted(counts)
    if shown.treasures and _is_wild(shown, options):
        rest = list(shown.concealed)
        rest.remove(shown.winning_tile)
        found += divide(rest, 4 - len(shown.melds), wilds=1)
    return found


def _is_wild(shown: ShownHand, options: Options) -> bool:
    if Circumstance.READY_DECLARED not in shown.circumstances:
        return False
    if shown.winning_tile not in shown.treasures or shown.winning_tile not in shown.concealed:
        return False
    discarded = shown.discarder is not None
    return shown.self_drawn or (discarded and bool(options["treasure_wild_on_discard"]))


# --- What a win must have (CC-33, CC-37 to CC-39, CC-48)


def _kinds(win: Win) -> int:
    """The kinds of tile as they are read: a wild treasure as what it stands for."""
    if win.filled is None or not win.filled.wilds:
        return win.kinds
    laid = [tile for meld in win.shown.melds for tile in meld.tiles + meld.supplements]
    return kinds_of([*laid, *(tile for part in win.division.sets for tile in part.tiles)])


def _has_triplet(win: Win) -> bool:
    return bool(win.parts & (_TRIPLETS_AND_EGGS if win.options["egg_as_triplet"] else _TRIPLETS))


def _has_terminal(win: Win) -> bool:
    red = win.options["red_dragon_terminal"]
    return bool(_kinds(win) & (_TERMINALS_AND_RED if red else _TERMINALS))


def _has_three_suits(win: Win) -> bool:
    kinds = _kinds(win)
    characters, dots, bamboo = _SUITS
    return bool(kinds & characters and kinds & dots and kinds & bamboo)


def _may_be_claimed(win: Win) -> bool:
    left = win.shown.wall_remaining
    return left is None or left > payments.LAST_TWELVE


def _no_regular_kong(won: Situation, options: Options) -> bool:
    """Only an egg's appended tile can be robbed."""
    if won.came_by(Circumstance.ROBBED_REGULAR_KONG):
        return False
    egg = won.came_by(Circumstance.ROBBED_EGG_SUPPLEMENT)
    return egg or not won.came_by(Circumstance.ROBBING_KONG)


def _is_rush(won: Situation, options: Options) -> bool:
    return won.came_by(Circumstance.TREASURE_RUSH)


def _may_rush(win: Win) -> bool:
    """A Rush takes a ready player whose awaited tile is the treasure."""
    ready = win.came_by(Circumstance.READY_DECLARED)
    return ready and win.shown.winning_tile in win.shown.treasures


_CONDITIONS = (
    Condition("triplet", _has_triplet, *_ASKED["triplet"]),
    Condition("terminal", _has_terminal, *_ASKED["terminal"], needs_reading=False),
    Condition("three_suits", _has_three_suits, *_ASKED["three_suits"], needs_reading=False),
    Condition("self_draw_only_last_twelve", _may_be_claimed, *_ASKED["self_draw_only_last_twelve"],
              needs_reading=False, unless=lambda won, options: won.self_drawn),
    Condition("regular_kong_cannot_be_robbed", patterns.no_tiles,
              *_ASKED["regular_kong_cannot_be_robbed"], needs_reading=False,
              unless=_no_regular_kong),
    Condition("treasure_rush", _may_rush, *_ASKED["treasure_rush"], needs_reading=False,
              unless=lambda won, options: not _is_rush(won, options)),
)  # fmt: skip


# --- Multipliers (CC-42)


def _is_clamp(win: Win) -> bool:
    """The winning tile fills an edge, closed or single wait (CC-42a)."""
    part = win.filled
    if part is None or (part.wilds and not win.options["clamp_on_wild_draw"]):
        return False
    if not _fills_clamp(part, win.shown.winning_tile):
        return False
    return win.options["clamp_definition"] == "any_reading" or len(_waits(win)) == 1


def _fills_clamp(part: HandSet, tile: Tile) -> bool:
    if part.kind is SetKind.PAIR:
        return True
    if part.kind is not SetKind.CHOW:
        return False
    place = part.wilds[0] if part.wilds else part.tiles.index(tile)
    low = part.tiles[0].number
    return place == 1 or (place, low) in ((2, 1), (0, 7))


def _waits(win: Win) -> Tiles:
    """The hand's waits before the winning tile came."""
    return legal_waits(RULES.with_options(win.options), win.shown.before_the_win)


def _profits(won: Situation, options: Options) -> bool:
    """Whether the winner may know the treasure at all (CC-29, CC-30)."""
    return won.came_by(Circumstance.READY_DECLARED) or not options["treasure_needs_ready"]


def _profits_from_tile(won: Situation, options: Options) -> bool:
    only_straight = _is_rush(won, options) and options["rush_multipliers"] == "straight_only"
    return _profits(won, options) and not only_straight


def _profits_straight(won: Situation, options: Options) -> bool:
    any_match = options["straight_scope"] == "any_match"
    return _profits(won, options) and (_is_rush(won, options) or any_match)


def _wins_with_treasure(win: Win) -> bool:
    return win.shown.winning_tile in win.shown.treasures


def _needs_treasure(win: Win) -> bool:
    """The winning tile is the treasure, and no wild: the hand needs that very tile."""
    wild = win.filled is not None and bool(win.filled.wilds)
    return _wins_with_treasure(win) and not wild


def _self_draw(won: Situation, options: Options) -> bool:
    as_if = options["rush_multipliers"] == "straight_treasure_self_draw"
    return won.self_drawn or (_is_rush(won, options) and as_if)


def _hidden(win: Win) -> int:
    """Treasures held when ready was declared (CC-42e)."""
    held = Counter(win.shown.concealed)
    held[win.shown.winning_tile] -= 1
    return sum(held[tile] for tile in set(win.shown.treasures))


def _hidden_value(win: Win) -> int:
    each = win.options["hidden_treasure_each"] == "per_tile"
    return 1 << (_hidden(win) if each else 1)


def _pure_pung(win: Win) -> bool:
    return not win.parts & (_NO_TRIPLETS_NOR_EGGS if win.options["egg_as_triplet"] else NO_TRIPLETS)


def _opens(kind: MeldKind, options: Options) -> bool:
    egg = kind is MeldKind.LUCKY_EGG and bool(options["egg_is_exposed_meld"])
    return kind.is_claimed or egg


def _standing(win: Win) -> bool:
    return not win.shown.melds or not any(
        _opens(meld.kind, win.options) for meld in win.shown.melds
    )


_TABLE = "Changchun > Payout Table"
_pattern = partial(patterns.pattern, _TABLE, value=2)
_PATTERNS = (
    _pattern("clamp_win", "Clamp Win", "夹胡", _is_clamp),
    _pattern("self_draw", "Self-Draw", "自摸", when=_self_draw),
    _pattern("treasure_tile_win", "Treasure Tile Win", "宝牌", _wins_with_treasure,
             _profits_from_tile),
    _pattern("straight_to_treasure", "Straight to the Treasure", "对宝", _needs_treasure,
             _profits_straight),
    _pattern("hidden_treasure", "Hidden Treasure", "暗宝", lambda win: _hidden(win) > 0,
             lambda won, options: won.came_by(Circumstance.READY_DECLARED), value=_hidden_value),
    _pattern("treasure_inside_treasure", "Treasure Inside Treasure", "宝中宝",
             lambda win: _needs_treasure(win) and _is_clamp(win), _profits, value=8),
    _pattern("pure_pung", "Pure Pung", "飘胡", _pure_pung),
    _pattern("dealer_win", "Dealer Win", "庄胡",
             when=lambda won, options: won.winner == won.dealer),
    _pattern("standing_win", "Standing Win", "立胡", _standing),
)  # fmt: skip


# --- Ready (CC-24 to CC-26)


def _held_sets(win: Win) -> tuple[HandSet, ...]:
    """The sets that were there before the winning tile came."""
    sets = list(win.sets)
    if win.filled in sets:
        sets.remove(win.filled)
    return tuple(sets)


def _on_held_tiles(win: Win) -> bool:
    return win.options["ready_requirements_on"] == "held_tiles"


def _ready_sequence(win: Win) -> bool:
    if not win.options["ready_sequence_required"] and _pure_pung(win):
        return True
    sets = _held_sets(win) if _on_held_tiles(win) else win.sets
    return any(part.kind is SetKind.CHOW for part in sets)


def _ready_triplet(win: Win) -> bool:
    if not _on_held_tiles(win) or not _has_triplet(win):
        return True
    return any(
        part.is_triplet or (part.kind is SetKind.EGG and bool(win.options["egg_as_triplet"]))
        for part in _held_sets(win)
    )


def _ready_terminal(win: Win) -> bool:
    if not _on_held_tiles(win) or not _has_terminal(win):
        return True
    held = list(win.tiles)
    held.remove(win.shown.winning_tile)
    red = bool(win.options["red_dragon_terminal"])
    return any(tile.is_terminal or (tile is Tile.RED and red) for tile in held)


def _ready_open(hand: ReadyHand, options: Options) -> bool:
    if not options["ready_requires_open"]:
        return True
    return any(_opens(meld.kind, options) for meld in hand.melds)


def _void_ready(shown: ShownHand, options: Options) -> tuple[Refusal, ...]:
    """Why the winner was not ready (CC-25): only that lets the treasure pay (CC-29, CC-30)."""
    faces = all(tile.is_face for tile in shown.tiles)
    if not shown.treasures or not faces or shown.winning_tile not in shown.concealed:
        return ()
    hand = shown.before_the_win
    refusals = declare_ready(RULES.with_options(options), hand).refusals
    before = shown.situation.came_by(Circumstance.READY_AFTER_KONG)
    if not before and any(meld.kind is MeldKind.KONG_CONCEALED for meld in shown.melds):
        # It was laid after the declaration, of tiles that were still in hand.
        refusals = tuple(each for each in refusals if each.id != "ready_four_tiles")
    return refusals


_READY = play_rules.ReadyRule(
    on_hand=(
        play_rules.ReadyCondition(
            "ready_open_hand",
            _ready_open,
            *_ASKED["ready_open_hand"],
            only_if=("ready_requires_open", True),
        ),
        play_rules.ReadyCondition(
            "ready_four_tiles",
            lambda hand, options: len(hand.concealed) >= 4,
            *_ASKED["ready_four_tiles"],
        ),
    ),
    on_completion=(
        Condition(
            "triplet",
            _ready_triplet,
            *_ASKED["triplet-held"],
            only_if=("ready_requirements_on", "held_tiles"),
        ),
        Condition(
            "terminal",
            _ready_terminal,
            *_ASKED["terminal-held"],
            only_if=("ready_requirements_on", "held_tiles"),
        ),
        Condition("ready_sequence", _ready_sequence, *_ASKED["ready_sequence"]),
    ),
    kongs=lambda options: options["ready_concealed_kong"] == "allowed",
    void=_void_ready,
)


# --- Treasure, dealer (CC-04, CC-27 to CC-32)


def _treasures(indicator: Tile, options: Options) -> Tiles:
    match options["treasure_tiles"]:
        case "indicator_only":
            return (indicator,)
        case "indicator_and_next":
            return (indicator, play_rules.following(indicator))
        case _:
            return (play_rules.following(indicator),)


def _concealed(options: Options) -> Words:
    return same(str(2 * int(options["base_score"])))


def _exposed(options: Options) -> Words:
    return same(str(int(options["exposed_kong_payout"]) * int(options["base_score"])))


_OPTIONS, _LAWS = read_book("changchun", concealed=_concealed, exposed=_exposed)

RULES = RuleSet(
    id="changchun",
    names=Words("Changchun", "长春麻将"),
    source="Changchun",
    kinds=SUITED + HONOURS,
    melds=frozenset(MeldKind),
    shapes=(
        Shape(
            "sets_and_pair",
            Words("four sets and a pair", "四组一对"),
            _four_sets,
            "Changchun > Winning in Changchun Mahjong",
        ),
    ),
    conditions=_CONDITIONS,
    patterns=_PATTERNS,
    total=payments.total,
    explain_total=payments.explain,
    pay=payments.pay,
    next_dealer=stays_or_passes,
    wall=payments.WALL,
    starting_tiles=lambda is_dealer, options: 14 if is_dealer else 13,
    settles_together=lambda options: False,
    places_winning_tile=True,
    false_win=pay_agreed_penalty,
    laid=play_rules.LaidRule(payments.pay_laid, at_once=False),
    ready=_READY,
    claim_conditions=CLAIM_CONDITIONS,
    eggs=payments.EGGS,
    treasure=play_rules.TreasureRule(
        _treasures, fewest_tiles=5, rushing_from=payments.LAST_TWELVE + 1, visible=3
    ),
    well_formed=payments.is_meld,
    lying=lambda options: play_rules.LyingTile(concealed_kong_up=(1, 2)),
    unit=Words("multiplier", "倍"),
    laws=_LAWS,
    options=_OPTIONS,
    argued=(
        "base_score",
        "cap_scope",
        "egg_timing",
        "exposed_kong_payout",
        "kongs_paid_on_draw",
        "false_win_amount",
    ),
)
