"""Tianjin from the rules specification, part 4: wild tiles, points, antes, kongs, the chase."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from table_assist.game.events import Claimed, Discarded
from tests.accountant.story import Laid, Money, Options, Shown, Story, Wall, paid_by
from tests.accountant.ways import SUITED, without

DEFAULTS: Options = {
    "rob_add_on_kong": "robbed_pays",
    "pattern_bonus": "count_all",
    "kong_blossom_counting": "as_pattern",
    "heavenly_base": "sum_with_bonus",
    "heavenly_minimum": "multiplied_counts",
    "capture_five_wild": "final_tile",
    "single_wait_wild_pair": True,
    "wild_in_triplet_at_win": True,
    "challenge_stack": "product",
    "double_down_kong_scope": "dealer_pairs",
    "golden_kong_is_concealed": True,
    "next_dealer_after_loss": "next_counterclockwise",
    "false_win_penalty": "report_only",
    "false_win_amount": 0,
}
MINIMUM = 2


class Tianjin(Wall):
    """How many tiles are left moves no points."""


def next_dealers(story: Story) -> list[int]:
    """TJ-10."""
    if not story.shown or story.nearest_first()[0].seat == story.dealer:
        return [story.dealer]
    if story.options["next_dealer_after_loss"] == "winner":
        return [story.nearest_first()[0].seat]
    return [(story.dealer + 1) % 4]


def money(story: Story) -> list[Money]:
    won = story.nearest_first()[:1]
    robbed = story.robs(won[0]) if won else None
    parts = [kong(story, laid) for laid in story.laid if laid is not robbed]
    parts += chase(story)
    return parts + [pay(story, shown) for shown in won]


def fine(story: Story, seat: int) -> Money:
    agreed = int(story.options["false_win_amount"])
    amount = {"pay_minimum_to_each": MINIMUM, "custom": agreed}.get(
        str(story.options["false_win_penalty"]), 0
    )
    return [-money for money in paid_by(seat, [amount] * 4)]


# --- Antes


def stake(story: Story, one: int, other: int) -> int:
    """By what is multiplied that moves between two seats (TJ-05 to TJ-08)."""
    if story.dealer not in (one, other):
        return 1
    tokens = story.tokens[other if one == story.dealer else one]
    down, challenge = 2 if story.down else 1, [1, 2, 4][tokens]
    if story.options["challenge_stack"] == "sum" and story.down and tokens:
        return down + challenge
    return down * challenge


# --- What is paid at once


def wilds(story: Story) -> list[str]:
    """The turned kind and the next (TJ-20)."""
    turned = story.indicators[0] if story.indicators else ""
    for row in ("ESWN", "FCP"):
        if turned and turned in row:
            return [turned, row[(row.index(turned) + 1) % len(row)]]
    return [turned, f"{int(turned[0]) % 9 + 1}{turned[1]}"] if turned else []


def is_golden(story: Story, laid: Laid) -> bool:
    return laid.kind == "kong_concealed" and laid.tiles[0] in wilds(story)


def kong(story: Story, laid: Laid) -> Money:
    """TJ-27."""
    worth = {"kong_concealed": 2, "kong_exposed": 1, "kong_added": 1}.get(laid.kind, 0)
    worth = 8 if is_golden(story, laid) else worth
    whole = story.down and story.options["double_down_kong_scope"] == "all"
    debts = []
    for payer in range(4):
        outside = story.dealer not in (payer, laid.seat)
        debt = worth * stake(story, payer, laid.seat) * (2 if whole and outside else 1)
        debts.append(debt if laid.kind != "kong_exposed" or payer == laid.giver else 0)
    return paid_by(laid.seat, debts)


def chase(story: Story) -> list[Money]:
    """TJ-29."""
    first = [move for move in story.moves if isinstance(move, Discarded | Claimed)][:4]
    thrown = [move for move in first if isinstance(move, Discarded)]
    order = [(story.dealer + turn) % 4 for turn in range(4)]
    same = len({move.tile for move in thrown}) == 1
    if [move.seat for move in thrown] != order or not same:
        return []
    others = [seat for seat in range(4) if seat != story.dealer]
    debts = [0 if seat == story.dealer else stake(story, story.dealer, seat) for seat in range(4)]
    return [
        paid_by(seat, [debts[seat] if payer == story.dealer else 0 for payer in range(4)])
        for seat in others
    ]


# --- Every way to lay the hand with its wild tiles


class Lying(NamedTuple):
    """A tile as it lies in a set: the face it stands for."""

    face: str
    wild: bool = False
    last: bool = False


Part = tuple[Lying, ...]


def ways(tiles: list[Lying], pairs: int = 1) -> Iterator[list[Part]]:
    """Sets and one pair; the natural tiles come first, sorted, then the wild ones."""
    if not tiles:
        if pairs == 0:
            yield []
        return
    for part in {part for part in parts_of(tiles) if len(part) == 3 or pairs}:
        rest = Counter((tile.face if not tile.wild else "", tile.wild, tile.last) for tile in tiles)
        rest.subtract((tile.face if not tile.wild else "", tile.wild, tile.last) for tile in part)
        if min(rest.values()) < 0:
            continue
        left = [Lying(*each) for each in rest.elements()]
        left.sort(key=lambda tile: (tile.wild, tile.face, tile.last))
        for more in ways(left, pairs - (len(part) == 2)):
            yield [part, *more]


def parts_of(tiles: list[Lying]) -> Iterator[Part]:
    """Every set or pair with the first tile in it."""
    first = tiles[0]
    if first.wild:
        yield from of_wilds(tiles)
        return
    for faces in around(first.face):
        options = []
        others = list(faces)
        others.remove(first.face)
        for face in others:
            options.append(
                {Lying(face, tile.wild, tile.last) for tile in tiles[1:] if tile.wild}
                | {tile for tile in tiles[1:] if not tile.wild and tile.face == face}
            )
        for chosen in product(*options):
            part = [first, *chosen]
            yield tuple(sorted(part))


def around(face: str) -> Iterator[tuple[str, ...]]:
    """The faces of a pair, a triplet and the runs that a face can be in."""
    yield face, face
    yield face, face, face
    if len(face) == 2:
        for low in range(int(face[0]) - 2, int(face[0]) + 1):
            if 1 <= low <= 7:
                yield f"{low}{face[1]}", f"{low + 1}{face[1]}", f"{low + 2}{face[1]}"


def of_wilds(tiles: list[Lying]) -> Iterator[Part]:
    """Wild tiles alone: any run, or alike; two or three of them."""
    marks = sorted({(tile.last,) for tile in tiles}, reverse=True)
    last = any(mark[0] for mark in marks)
    runs = [faces for face in SUITED for faces in around(face) if faces[0] == face != faces[-1]]
    for faces in [*runs, ("E", "E", "E"), ("E", "E")]:
        for place in range(len(faces)) if last else [-1]:
            yield tuple(Lying(face, True, at == place) for at, face in enumerate(faces))
        if last and len(tiles) > len(faces):
            yield tuple(Lying(face, True) for face in faces)


# --- Points


def readings(story: Story, shown: Shown) -> Iterator[list[Part]]:
    named = wilds(story)
    held = [Lying(tile, tile in named) for tile in without(shown.tiles, shown.last)]
    held.append(Lying(shown.last, shown.last in named, last=True))
    tiles = [Lying("", True, tile.last) if tile.wild else tile for tile in held]
    tiles.sort(key=lambda tile: (tile.wild, tile.face, tile.last))
    for laid in ways(tiles):
        mixed = any(
            len(part) == 3
            and len({tile.face for tile in part}) == 1
            and 0 < sum(tile.wild for tile in part) < 3
            for part in laid
        )
        if not mixed or story.options["wild_in_triplet_at_win"]:
            yield laid


def patterns(story: Story, shown: Shown, laid: list[Part]) -> list[int]:
    """Points of the rows that are no multiplier (TJ-31a to e)."""
    named, options = wilds(story), story.options
    met = []
    if not any(tile in named for tile in story.tiles_of(shown)):
        met.append(2)
    (part,) = [part for part in laid if any(tile.last for tile in part)]
    (last,) = [tile for tile in part if tile.last]
    beside = sum(tile.wild and not tile.last for tile in part)
    if len(part) == 2 and beside and (not last.wild or options["single_wait_wild_pair"]):
        met.append(2)
    if len(part) == 3 and beside == 2:
        met.append(2)
    if captures(shown, laid, part, last, str(options["capture_five_wild"])):
        met.append(3)
    runs = {tuple(sorted(tile.face for tile in each)) for each in laid}
    for suit in "mps":
        if {tuple(f"{low + step}{suit}" for step in range(3)) for low in (1, 4, 7)} <= runs:
            met.append(4)
    return met


def captures(shown: Shown, laid: list[Part], part: Part, last: Lying, way: str) -> bool:
    """TJ-31d, SPEC 4.5 #6."""

    def is_456(each: Part) -> bool:
        return sorted(tile.face for tile in each) == ["4m", "5m", "6m"]

    if way == "any_wild_as_five" and any(
        is_456(each) and any(tile.wild and tile.face == "5m" for tile in each) for each in laid
    ):
        return True
    if not is_456(part) or last.face != "5m":
        return False
    return not last.wild or way != "natural_final_only" or shown.last == "5m"


def amount(story: Story, shown: Shown, met: list[int]) -> int | None:
    """What one owes before antes; none for less than the minimum (TJ-24, TJ-30, TJ-33 to 36)."""
    options, player = story.options, story.players[shown.seat]
    first = shown.drawn and not story.calls and not player.discards
    if first:
        times = 6 if shown.seat == story.dealer else 4
        if not met:
            return times if options["heavenly_minimum"] == "multiplied_counts" else None
        if options["heavenly_base"] == "highest_single":
            return times * max(met)
        own = options["heavenly_base"] == "adds_own_fan"
        return times * (sum(met) + own + different(len(met), options))
    kong = story.after_own_kong(shown)
    if kong is None:
        return sum(met) + different(len(met), options) if met else None
    way = options["kong_blossom_counting"]
    concealed = kong.kind == "kong_concealed"
    if is_golden(story, kong) and not options["golden_kong_is_concealed"]:
        concealed = False
    whole = sum(met) + different(len(met) + (way == "as_pattern"), options) + concealed
    return 2 * (whole + (way != "multiplier_only" or not met))


def different(count: int, options: Options) -> int:
    return 0 if count == 1 and options["pattern_bonus"] == "only_when_multiple" else count


def pay(story: Story, shown: Shown) -> Money:
    """TJ-37; a robbed kong is paid by its owner (SPEC 4.5 #1)."""
    giver = story.giver(shown)
    assert shown.drawn or (
        story.robs(shown) is not None and story.options["rob_add_on_kong"] != "forbidden"
    ), f"{shown} is won on another's tile"
    worths = {tuple(patterns(story, shown, laid)) for laid in readings(story, shown)}
    amounts = [amount(story, shown, list(met)) for met in worths]
    valid = [worth for worth in amounts if worth is not None]
    assert valid, f"{shown} does not win"
    everyone = giver is None or story.options["rob_add_on_kong"] == "all_pay"
    debts = [
        max(valid) * stake(story, payer, shown.seat) if everyone or payer == giver else 0
        for payer in range(4)
    ]
    return paid_by(shown.seat, debts)
