"""Changsha from the rules specification, part 2: small and big wins, birds, dealt hands."""

from collections import Counter

from tests.accountant.story import Money, Options, Shown, Story, Wall, paid_by
from tests.accountant.ways import complete, is_triplet, number

DEFAULTS: Options = {
    "multiple_winners": "all",
    "dealer_succession": "winner",
    "bird_origin": "dealer",
    "birds_multi_winner": "shared",
    "bird_self_draw_payer": "no_effect",
    "bird_shortage": "turn_what_is_left",
    "all_generals_needs_sets": False,
    "luxurious_two_quads": "once",
    "luxurious_combination": "adds_two_units",
    "generals_in_seven_pairs": True,
    "beggar_kongs": True,
    "instant_wins": True,
    "instant_wins_stack": "sum",
    "quad_is_triplet_for_six_six": True,
    "draw_no_last_drawer": "dealer_stays",
    "false_win_penalty": "report_only",
    "false_win_amount": 0,
}
GENERALS = "258"


class Changsha(Wall):
    """No tile is dead: whatever is drawn, from either end or by dice, is one less."""


def winners(story: Story) -> list[Shown]:
    nearest = story.nearest_first()
    return nearest[:1] if story.options["multiple_winners"] == "closest" else nearest


def next_dealers(story: Story) -> list[int]:
    """CS-04; with nobody having taken the last tile see SPEC 2.6 #16."""
    if story.options["dealer_succession"] == "rotate":
        return [(story.dealer + 1) % 4]
    if story.shown:
        return sorted(shown.seat for shown in winners(story))
    if len(set(story.passed)) == 4:
        stays = story.options["draw_no_last_drawer"] == "dealer_stays"
        return [story.dealer if stays else story.passed[-1]]
    return [story.dealer if story.last_drawer is None else story.last_drawer]


def money(story: Story) -> list[Money]:
    parts = [opening(story, seat) for seat in story.openings]
    birds = [number(tile) for tile in story.birds]
    won = winners(story)
    each = story.options["birds_multi_winner"] == "each" and len(won) > 1
    for place, shown in enumerate(won):
        own = birds[2 * place : 2 * place + 2] if each else birds[:2]
        parts.append(pay(story, shown, own))
    return parts


def fine(story: Story, seat: int) -> Money:
    agreed = story.options["false_win_penalty"] == "custom"
    amount = int(story.options["false_win_amount"]) if agreed else 0
    return [-money for money in paid_by(seat, [amount] * 4)]


# --- Dealt hands (CS-29, CS-30)


def opening(story: Story, seat: int) -> Money:
    if not story.options["instant_wins"]:
        return [0, 0, 0, 0]
    met = starts(story.openings[seat], story.options)
    if story.options["instant_wins_stack"] == "single":
        met = min(met, 1)
    rates = [2 if story.dealer in (payer, seat) else 1 for payer in range(4)]
    return paid_by(seat, [met * rate for rate in rates])


def starts(tiles: list[str], options: Options) -> int:
    counts = Counter(tiles)
    triplets = sum(
        count == 3 or (count == 4 and bool(options["quad_is_triplet_for_six_six"]))
        for count in counts.values()
    )
    same = any(all(counts[f"{n}{suit}"] >= 2 for suit in "mps") for n in range(1, 10))
    return sum(
        (
            4 in counts.values(),
            not any(tile[0] in GENERALS for tile in tiles),
            len({tile[1] for tile in tiles}) < 3,
            triplets >= 2,
            same,
        )
    )


# --- The hand


def big_wins(story: Story, shown: Shown) -> list[tuple[list[int], int]]:
    """Each way to see the hand: its units, and by how much the whole is doubled for luxury.

    A small win is an empty list of units.
    """
    options = story.options
    tiles, melds = story.tiles_of(shown), story.players[shown.seat].melds
    everywhere: list[int] = []
    generals = all(tile[0] in GENERALS for tile in tiles)
    everywhere += [1] * generals + [1] * (len({tile[1] for tile in tiles}) == 1)
    beggar = ["chow", "pung"] + ["kong_exposed", "kong_added"] * bool(options["beggar_kongs"])
    if len(melds) == 4 and not shown.drawn and all(meld.kind in beggar for meld in melds):
        everywhere.append(1)
    found = []
    for laid, pair in complete(shown.tiles):
        units = list(everywhere)
        units += [1] * all(is_triplet(part) for part in [*laid, *[m.tiles for m in melds]])
        if pair[0] in GENERALS:
            found.append((units + [1] * events(story, shown), 1))
        elif units:
            found.append((units, 1))
    counts = Counter(shown.tiles)
    if not melds and all(count in (2, 4) for count in counts.values()):
        found.append(seven_pairs(story, shown, counts, everywhere, generals=generals))
    if generals and not options["all_generals_needs_sets"]:
        found.append((everywhere + [1] * events(story, shown), 1))
    return found


def seven_pairs(
    story: Story, shown: Shown, counts: Counter[str], everywhere: list[int], *, generals: bool
) -> tuple[list[int], int]:
    fours = list(counts.values()).count(4)
    luxury = 0
    if fours:
        luxury = 2 if story.options["luxurious_two_quads"] == "once" else 2 * fours
    served = any(tile[0] in GENERALS for tile in counts)
    if not story.options["generals_in_seven_pairs"]:
        served = generals
    units = everywhere + [1] * (events(story, shown) if served else 0)
    if not luxury:
        return [*units, 1], 1
    if story.options["luxurious_combination"] == "doubles_total":
        return [*units, 1], luxury
    return [*units, luxury], 1


def events(story: Story, shown: Shown) -> int:
    """The rows that want a General pair and look at how it was won (CS-21f to l)."""
    player = story.players[shown.seat]
    kong, last = story.after_own_kong(shown), story.live == 0
    if shown.drawn:
        first = not player.discards and not player.melds
        return sum((last and story.replacing != "kong", kong is not None, first))
    if story.robs(shown) is not None:
        return 1
    sea = last and story.replacing != "kong"
    return sea + (story.shooter is not None)


def pay(story: Story, shown: Shown, birds: list[int]) -> Money:
    ways = big_wins(story, shown)
    assert ways, f"{shown} does not win"
    giver = story.giver(shown)
    best: Money = []
    for units, times in ways:
        debts = [0, 0, 0, 0]
        for payer in range(4) if giver is None else [giver]:
            dealer = story.dealer in (payer, shown.seat)
            rate = (7 if dealer else 6) * sum(units) * times if units else (2 if dealer else 1)
            debts[payer] = rate * (1 + hits(story, shown, birds, payer))
        money = paid_by(shown.seat, debts)
        if not best or money[shown.seat] > best[shown.seat]:
            best = money
    return best


def hits(story: Story, shown: Shown, birds: list[int], payer: int) -> int:
    """CS-26, CS-27."""
    options, giver = story.options, story.giver(shown)
    if len(birds) < 2 and options["bird_shortage"] == "none":
        return 0
    origin = story.dealer if options["bird_origin"] == "dealer" else shown.seat
    seats = [(origin + bird - 1) % 4 for bird in birds]
    met = sum(seat in (shown.seat, giver) for seat in seats)
    if giver is None and options["bird_self_draw_payer"] == "doubles_that_payer":
        met += seats.count(payer)
    return met
