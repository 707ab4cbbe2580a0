"""Changchun's lucky eggs (下蛋), which there are and what they are paid; its wall, its sums."""

from collections import Counter
from collections.abc import Sequence
from math import prod

from table_assist.languages.words import Words, joined
from table_assist.rules import play_rules
from table_assist.rules.options import Options
from table_assist.rules.ruleset import Total
from table_assist.rules.settlement import (
    Laid,
    LaidIn,
    LaidKind,
    Owed,
    Payment,
    collect,
    formula_of,
    together,
)
from table_assist.rules.shown import SEAT_COUNT
from table_assist.rules.verdict import NO_TRANSFERS, Refusal
from table_assist.rules.win import Win
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tiles

# From so many tiles left on there are no kongs, and only self-drawn wins (CC-33).
LAST_TWELVE = 12

EGG_NAMES = {
    "whirlwind": Words("Whirlwind Kong", "旋风杠"),
    "joy": Words("Joy", "喜杠"),
    "yao_jiu": Words("Yao Jiu", "幺九蛋"),
    "great_terminal": Words("Great Terminal", "大蛋"),
    "peacock": Words("Peacock Flying Southeast", "孔雀东南飞"),
    "gun_down": Words("Gun Down the East Bamboo", "枪毙东条"),
    "drum": Words("Beating the Drum and Cursing Cao Cao", "击鼓骂曹"),
}
# The eggs of given tiles (CC-11a to c, e and g).
_FIXED = {
    tuple(sorted(parse_tiles(text))): id
    for text, id in (
        ("ESWN", "whirlwind"),
        ("CFP", "joy"),
        ("1m1p1s", "yao_jiu"),
        ("9m9p9s", "yao_jiu"),
        ("1sES", "peacock"),
        ("2s1pP", "drum"),
    )
}


def kind_of(tiles: Sequence[Tile], options: Options) -> str | None:
    """The egg that these tiles form (CC-11)."""
    fixed = _FIXED.get(tuple(sorted(tiles)))
    if fixed is not None:
        return fixed
    if len(tiles) == 3 and {Tile.P7, Tile.EAST} < set(tiles) and any(t.suit == "s" for t in tiles):
        return "gun_down"
    distinct = len(set(tiles)) == len(tiles) or not options["great_terminal_distinct"]
    if len(tiles) == 4 and distinct and all(t.is_terminal or t.is_dragon for t in tiles):
        return "great_terminal"
    return None


def matches(egg: Sequence[Tile], tile: Tile, options: Options) -> bool:
    """Whether a tile may be appended to an egg, as far as its face goes (CC-12)."""
    kind = kind_of(egg, options)
    if kind == "gun_down" and options["gun_down_bamboo_supplement"] == "any" and tile.suit == "s":
        return True
    return kind is not None and tile in egg


def is_meld(meld: Meld, options: Options) -> bool:
    """Any set of the usual kinds, or an egg with what is appended to it."""
    if meld.kind is not MeldKind.LUCKY_EGG:
        return meld.is_well_formed
    if kind_of(meld.tiles, options) is None:
        return False
    return all(matches(meld.tiles, tile, options) for tile in meld.supplements)


def _refuse(appended: play_rules.Appended, options: Options) -> Refusal | None:
    """Why a tile may not be appended (CC-12, CC-13, CC-33)."""
    from_discard = bool(options["egg_supplement_from_discard"])
    left = appended.wall_remaining
    for id, holds in (
        ("no_such_egg", kind_of(appended.egg, options) is not None),
        ("does_not_match", matches(appended.egg, appended.tile, options)),
        ("dealer_first_turn", not appended.dealer_first_turn),
        ("must_be_drawn", appended.drawn or from_discard),
        ("no_kong_last_twelve", left is None or left > LAST_TWELVE),
    ):
        if not holds:
            return Refusal.of(id)
    return None


EGGS = play_rules.EggRule(EGG_NAMES, kind_of, _refuse)


def pay_laid(laid: tuple[Laid, ...], where: LaidIn, options: Options) -> Payment:
    """Eggs and kongs, from each other seat, the dealer like the others (CC-46 to CC-48)."""
    if where.drawn and not options["kongs_paid_on_draw"]:
        words = Words("Eggs and kongs are not paid in a drawn hand.", "流局时蛋和杠不计分。")
        return Payment(NO_TRANSFERS, (words,) if laid else ())
    return together(_pay_one(each, options) for each in laid)


def _pay_one(laid: Laid, options: Options) -> Payment:
    units = _units(laid, options)
    base = int(options["base_score"])
    if units == 0:
        return Payment(NO_TRANSFERS, (_why_nothing(laid),))
    others = [seat for seat in range(SEAT_COUNT) if seat != laid.seat]
    return collect(laid.seat, others, lambda payer: Owed(base * units, (base, units)))


def _why_nothing(laid: Laid) -> Words:
    if laid.robbed:
        return Words(
            "The egg of seat {seat} is not paid: a tile appended to it was taken.",
            "座位 {seat} 的蛋不计分：补蛋的牌被要走。",
            seat=laid.seat,
        )
    return Words(
        "The kong of seat {seat} is not paid: one made with a discard earns nothing.",
        "座位 {seat} 的杠不计分：杠他家打出的牌不计分。",
        seat=laid.seat,
    )


def _units(laid: Laid, options: Options) -> int:
    match laid.kind:
        case LaidKind.LUCKY_EGG:
            _check_egg(laid, options)
            broken = laid.robbed and options["broken_egg_scope"] == "whole_egg"
            return 0 if broken else 1 + len(laid.supplements)
        case LaidKind.KONG_CONCEALED:
            return 2
        case LaidKind.KONG_ADDED:
            return 1
        case LaidKind.KONG_EXPOSED:
            return int(options["exposed_kong_payout"])
        case _:
            raise ValueError(f"Changchun has no {laid.kind}")


def _check_egg(laid: Laid, options: Options) -> None:
    """Refuse to pay for what is no egg.

    Raises:
        ValueError: the tiles form none, one appended does not fit, or there is a fifth copy.
    """
    text = " ".join(map(str, (*laid.tiles, *laid.supplements)))
    if laid.tiles and not is_meld(Meld(MeldKind.LUCKY_EGG, laid.tiles, laid.supplements), options):
        raise ValueError(f"{text} is no lucky egg")
    if max(Counter((*laid.tiles, *laid.supplements)).values(), default=0) > 4:
        raise ValueError(f"{text} holds a tile five times")


DEAD_WALL = 14


def _after_kongs(live: int, dead: int, kongs: int, options: Options) -> tuple[int, int]:
    """Each kong puts two tiles more into the dead wall; the replacement comes out of it, or not."""
    if options["kong_replacement_source"] == "tail":
        return live - 2 * kongs, dead + kongs
    return live - 3 * kongs, dead + 2 * kongs


def _replacement(replacement: play_rules.Replacement, options: Options) -> tuple[int, int]:
    """An egg's comes from the tail, whose dead tiles are made up from the live ones.

    Unless a four-tile egg and an appended tile are taken for kongs that add to the dead wall.
    """
    if (
        replacement.what is play_rules.Replaces.KONG
        or options["dead_wall_grows"] == "kongs_and_eggs"
    ):
        return _after_kongs(replacement.live, replacement.dead, 1, options)
    return replacement.live - 1, replacement.dead


def _counted(live: int, dead: int, options: Options) -> int:
    """The number of tiles left: with the dead tiles or without them."""
    return live if options["end_count_base"] == "live" else live + dead


WALL = play_rules.WallPlan(
    stacks=lambda dealer, options: (17, 17, 17, 17),
    first_side=lambda options: 0 if options["break_count_start"] == "own_wall" else 1,
    deal=(*play_rules.FOURS, (0, 2), (1, 1), (2, 1), (3, 1)),
    dealer_jumps=lambda options: options["last_deal_pick"] == "first_and_fifth",
    dead=DEAD_WALL,
    after_kongs=_after_kongs,
    is_ending=lambda left, dead, options: _counted(left - dead, dead, options) <= LAST_TWELVE,
    replacement=_replacement,
    replaced_from=play_rules.replaced_from_option,
    counted=_counted,
)


# No hand is paid more (CC-45).
CAP = 1000


def _factors(factor: int, options: Options, *, dealer_loses: bool) -> tuple[int, ...]:
    """One payer's debt before any cap, as factors; ``factor`` is the product of the multipliers."""
    extra = factor > 1 or options["formula_extra_two"] == "always"
    extra = extra or (dealer_loses and bool(options["dealer_loss_triggers_extra"]))
    loss = 2 if dealer_loses else 1
    return (int(options["base_score"]), *[each for each in (1 + extra, factor, loss) if each > 1])


def _debts(win: Win, factor: int) -> dict[int, Owed]:
    """Each payer's debt, capped."""
    shown, options = win.shown, win.options
    debts = {}
    for payer in shown.payers:
        factors = _factors(factor, options, dealer_loses=payer == shown.dealer)
        debts[payer] = Owed(prod(factors), factors)
    if options["cap_scope"] == "per_payer":
        return {
            payer: debt if debt.points <= CAP else Owed(CAP, debt.formula, debt.points)
            for payer, debt in debts.items()
        }
    whole = sum(debt.points for debt in debts.values())
    if whole <= CAP:
        return debts
    # Nobody pays a part of a point, so the winner may get a point or two less than the cap.
    return {
        payer: Owed(debt.points * CAP // whole, f"{debt.words} × {CAP} / {whole}")
        for payer, debt in debts.items()
    }


def total(win: Win) -> Total:
    """The figure is the product of the multipliers; the dealer's loss lies between two seats."""
    factor = prod([each.value for each in win.counted])
    if win.options["cap_scope"] == "winner_total" and win.shown.discarder is None:
        debts = _debts(win, factor)
        points = min(d.points for payer, d in debts.items() if payer != win.shown.dealer)
    else:
        points = min(CAP, prod(_factors(factor, win.options, dealer_loses=False)))
    return Total(points, {"factor": factor})


def explain(win: Win, total: Total) -> tuple[Words, ...]:
    """The multipliers and the formula, in words."""
    counted = win.counted
    met = [
        Words("{name} × {value}", "{name} ×{value}", name=each.names, value=each.value)
        for each in counted
    ]
    plain = _factors(total.figures["factor"], win.options, dealer_loses=False)
    formula = f"{formula_of(plain)} = {prod(plain)}"
    return (
        Words("Multipliers: {met}.", "番：{met}。", met=joined(met))
        if counted
        else Words("No multiplier applies.", "没有番。"),
        Words("The hand is worth {formula}.", "此牌计 {formula}。", formula=formula),
    )


def pay(win: Win, total: Total) -> Payment:
    """The discarder or the robbed player alone; all three on a self-draw or a Rush."""
    debts = _debts(win, total.figures["factor"])
    return collect(win.shown.winner, win.shown.payers, lambda payer: debts[payer])
