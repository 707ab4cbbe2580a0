"""Wanzhou from the rules specification, part 3: fans, and kongs paid at once."""

from collections import Counter

from tests.accountant.story import Laid, Money, Options, Shown, Story, Wall, paid_by
from tests.accountant.ways import complete, is_triplet, without

DEFAULTS: Options = {
    "multi_win_with_dealer": "discarder",
    "additional_fan": "power",
    "robbing_kong_payment": "robbed_pays_discard_x2",
    "implied_patterns_stack": True,
    "last_four_threshold": "fewer_than_four",
    "cancel_covers_concealed": True,
    "false_win_penalty": "report_only",
    "false_win_amount": 0,
}
EXPOSED = ("chow", "pung", "kong_exposed", "kong_added")


class Wanzhou(Wall):
    """No tile is dead (WZ-12)."""


def next_dealers(story: Story) -> list[int]:
    """WZ-04."""
    won = story.nearest_first()
    if not won:
        return [story.dealer]
    if len(won) == 1:
        return [won[0].seat]
    stays = story.options["multi_win_with_dealer"] == "dealer_stays"
    if stays and story.dealer in [shown.seat for shown in won]:
        return [story.dealer]
    giver = story.giver(won[0])
    assert giver is not None
    return [giver]


def money(story: Story) -> list[Money]:
    robbed = [story.robs(shown) for shown in story.shown]
    shot = [story.shooter] if any(not shown.drawn for shown in story.shown) else []
    return [
        *[kong(story, laid, [*robbed, *shot]) for laid in story.laid],
        *[pay(story, shown) for shown in story.shown],
    ]


def kong(story: Story, laid: Laid, cancelled: list[Laid | None]) -> Money:
    """WZ-21, WZ-22."""
    if any(laid is each for each in cancelled) and (
        laid.kind != "kong_concealed" or story.options["cancel_covers_concealed"]
    ):
        return [0, 0, 0, 0]
    worth = {"kong_concealed": 2, "kong_exposed": 2, "kong_added": 1}.get(laid.kind, 0)
    payers = range(4) if laid.kind != "kong_exposed" else [laid.giver]
    return paid_by(laid.seat, [worth if seat in payers else 0 for seat in range(4)])


def fine(story: Story, seat: int) -> Money:
    agreed = story.options["false_win_penalty"] == "custom"
    amount = int(story.options["false_win_amount"]) if agreed else 0
    return [-money for money in paid_by(seat, [amount] * 4)]


# --- Fans (WZ-26)


def fans(story: Story, shown: Shown) -> int:
    """Of the best way to see the hand."""
    melds, stack = story.players[shown.seat].melds, bool(story.options["implied_patterns_stack"])
    flush = len({tile[1] for tile in story.tiles_of(shown)}) == 1
    kinds = [meld.kind for meld in melds]
    golden = sum(kind in EXPOSED for kind in kinds) == 4
    left = sorted(Counter(without(shown.tiles, shown.last)).values())
    triple = flush and len(kinds) == 3 and left == [2, 2]
    triple = triple and all(kind in EXPOSED and kind != "chow" for kind in kinds)
    ways = []
    for laid, _ in complete(shown.tiles):
        pungs = all(is_triplet(part) for part in [*laid, *[meld.tiles for meld in melds]])
        counted = golden + triple
        counted += pungs and (stack or not (golden or triple))
        counted += flush and (stack or not triple)
        ways.append(counted)
    counts = Counter(shown.tiles)
    if not melds and all(count in (2, 4) for count in counts.values()):
        ways.append(1 + list(counts.values()).count(4) + flush)
    assert ways, f"{shown} does not win"
    return max(ways) + events(story, shown)


def events(story: Story, shown: Shown) -> int:
    ready = story.players[shown.seat].ready_with
    few = 4 if story.options["last_four_threshold"] == "four_or_fewer" else 3
    robs = story.robs(shown) is not None
    return sum(
        (
            story.round_of_discards(shown) <= 4,
            story.left(shown) <= few,
            robs or (not shown.drawn and story.shooter is not None),
            ready is not None and ready <= 4,
        )
    )


def pay(story: Story, shown: Shown) -> Money:
    """WZ-23, WZ-24, WZ-27."""
    count, robs = fans(story, shown), story.robs(shown) is not None
    assert shown.drawn or count, f"{shown} is no big hand"
    way = str(story.options["robbing_kong_payment"]) if robs else ""
    amount = 12
    if shown.drawn or way.endswith("self_draw_x2"):
        amount = 8 if count else 2
    if story.options["additional_fan"] == "power":
        amount *= 2 ** max(0, count - 1)
    elif count > 1:
        amount *= 2 * (count - 1)
    amount *= 2 if robs else 1
    everyone = shown.drawn or way.startswith("all_pay")
    giver = story.giver(shown)
    return paid_by(shown.seat, [amount if everyone or seat == giver else 0 for seat in range(4)])
