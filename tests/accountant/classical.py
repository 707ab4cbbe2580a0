"""Chinese Classical from the rules specification, part 5: points, doubles, four hands settled."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from tests.accountant.story import KONGS, Laid, Money, Options, Shown, Story, Wall
from tests.accountant.ways import FACES, HONOURS, Part, complete, is_outer, is_triplet, without

SPECIALS_PLAYED = (
    "thirteen_unique_wonders",
    "nine_gates",
    "hidden_treasure",
    "fourfold_plenty",
    "three_great_scholars",
    "four_blessings",
    "heads_and_tails",
    "carrying_pole",
    "plum_blossom",
    "moon",
)
DEFAULTS: Options = {
    "equipment": "tiles",
    "game_variant": "mixed_hand",
    "rounds": 4,
    "limit": 500,
    "settlement": "winner_full",
    "kong_box_replenish": "none",
    "bonus_replacement": "kong_box",
    "original_hand": "east_only",
    "earthly_first_discard": "limit",
    "standing_hand": "allowed",
    "standing_wait": "one_kind",
    "dead_hand_payment": "no_collect",
    "draw_dealer": "stay",
    "unmarked_triplets": "concealed",
    "tile_into_hand": "points_lost",
    "going_out_points": 20,
    "bouquet_doubles": 1,
    **{f"special_{name}": True for name in SPECIALS_PLAYED},
    "special_imperial_jade": False,
    "special_heavenly_twins": False,
}
WINDS = "ESWN"
ORPHANS = sorted(face for face in FACES if is_outer(face))
GREEN = {"2s", "3s", "4s", "6s", "8s", "F"}
BOX_KEPT_AT = 14
STREAK = 13


class Classical(Wall):
    """From the box as long as it lasts, which may be filled up (CL-10, CL-23).

    The loose cards are made up from the bottom of the pack (CL-15).
    """

    @staticmethod
    def replace(story: Story, what: str) -> None:
        options = story.options
        from_wall = what == "flower" and options["bonus_replacement"] == "live_wall"
        kept = options["kong_box_replenish"] == "keep_14" and story.dead <= BOX_KEPT_AT
        if options["equipment"] == "cards" or from_wall or not story.dead or kept:
            story.live -= 1
            story.replaced -= from_wall  # no loose tile is used
        elif options["kong_box_replenish"] == "loose_pair" and story.replaced % 2:
            story.live, story.dead = story.live - 2, story.dead + 1
        else:
            story.dead -= 1


# --- Who deals next (CL-02, CL-71, CL-73, CL-74)


def next_dealers(story: Story) -> list[int]:
    """Empty once the game is over."""
    follows, _ = after(story)
    return [] if follows is None else [follows]


def after(story: Story) -> tuple[int | None, str]:
    """The next East, none at the end of the game, and the prevailing wind."""
    winner = story.shown[0].seat if story.shown else None
    stays = winner == story.dealer and not is_thirteenth(story)
    if winner is None:
        stays = story.options["draw_dealer"] == "stay"
    if stays:
        return story.dealer, story.prevailing
    follows = (story.dealer + 1) % 4
    if follows != story.first_east:
        return follows, story.prevailing
    number = WINDS.index(story.prevailing) + 1
    if number >= int(story.options["rounds"]):
        return None, story.prevailing
    return follows, WINDS[number]


def is_thirteenth(story: Story) -> bool:
    won = bool(story.shown) and story.shown[0].seat == story.dealer
    return won and story.streak + 1 >= STREAK


# --- Settlement (CL-09, CL-38, CL-75)


def money(story: Story) -> list[Money]:
    if not story.shown:
        return []
    winner = story.nearest_first()[0]
    limit = int(story.options["limit"])
    values = {winner.seat: limit if is_thirteenth(story) else best(story, winner)}
    for seat in range(4):
        if seat != winner.seat:
            values[seat] = lost(story, seat, winner)
    paid = [[0, 0, 0, 0]]
    for payer, to in permutations(range(4), 2):
        debt = owes(story, winner.seat, payer, to, {k: min(limit, v) for k, v in values.items()})
        debt *= 2 if story.dealer in (payer, to) else 1
        moved = [0, 0, 0, 0]
        moved[payer], moved[to] = -debt, debt
        paid.append(moved)
    return paid


def owes(story: Story, winner: int, payer: int, to: int, values: dict[int, int]) -> int:
    """What one seat pays another, East's double apart."""
    dead, options = story.players[payer].dead, story.options
    if story.players[to].dead is not None:
        return 0
    if dead is not None:
        deducts = dead == "short" and options["dead_hand_payment"] == "by_tile_count"
        return max(0, values[to] - (values[payer] if deducts else 0))
    if options["settlement"] == "winner_full" and winner in (payer, to):
        return values[to] if to == winner else 0
    return max(0, values[to] - values[payer])


def fine(story: Story, seat: int) -> Money:
    """A false Mah-Jong costs nothing at once: the hand is dead (CL-68)."""
    return [0, 0, 0, 0]


# --- A hand that lost


def lost(story: Story, seat: int, winner: Shown) -> int:
    player = story.players[seat]
    held = Counter(story.open_hands.get(seat, ()))
    robbed = story.robs(winner)
    groups: list[tuple[Part, bool]] = []
    for laid in player.melds:
        groups += as_group(laid, robbed=laid is robbed)
    hidden = not lies_unmarked(story, seat)
    groups += [((tile,) * 3, hidden) for tile, count in held.items() if count >= 3]
    pairs = [pair_points(story, seat, tile) for tile, count in held.items() if count == 2]
    points = sum(set_points(part, hidden=hidden) for part, hidden in groups)
    points += max(pairs, default=0) + 4 * len(player.flowers)
    doubles = of_honours(story, seat, [part for part, _ in groups]) + of_flowers(story, seat)
    return int(points * 2**doubles)


def lies_unmarked(story: Story, seat: int) -> bool:
    """The triplets held count as exposed (CL-67)."""
    noted = "triplets_not_marked" in story.players[seat].notes
    return noted and story.options["unmarked_triplets"] == "exposed"


def as_group(laid: Laid, *, robbed: bool) -> list[tuple[Part, bool]]:
    """The set and whether it is concealed; a robbed kong is what it was before."""
    hidden = laid.kind == "kong_concealed"
    return [(laid.tiles[:3] if robbed else laid.tiles, hidden)]


def set_points(part: Part, *, hidden: bool) -> int:
    if not is_triplet(part):
        return 0
    points = 8 if len(part) == 4 else 2
    return points * (2 if is_outer(part[0]) else 1) * (2 if hidden else 1)


def own_wind(story: Story, seat: int) -> str:
    return WINDS[(seat - story.dealer) % 4]


def pair_points(story: Story, seat: int, tile: str) -> int:
    return 2 * sum((tile in "CFP", tile == own_wind(story, seat), tile == story.prevailing))


def of_honours(story: Story, seat: int, parts: list[Part]) -> int:
    triplets = [part[0] for part in parts if is_triplet(part)]
    named = ("C", "F", "P", own_wind(story, seat), story.prevailing)
    return sum(triplets.count(face) for face in named)


def of_flowers(story: Story, seat: int) -> int:
    flowers, doubles = story.players[seat].flowers, 0
    for suit in "fq":
        own = f"{(seat - story.dealer) % 4 + 1}{suit}"
        doubles += own in flowers
        if sum(tile[1] == suit for tile in flowers) == 4:
            doubles += int(story.options["bouquet_doubles"])
    return doubles


# --- A hand that won


@dataclass
class Reading:
    """Sets with whether each is concealed, and the pair; none for an irregular hand."""

    sets: list[tuple[Part, bool, bool]]
    """(tiles, concealed, a kong)"""
    pair: str


def best(story: Story, shown: Shown) -> int:
    """What the hand counts, limit applied (CL-70, CL-75)."""
    options, limit = story.options, int(story.options["limit"])
    counts, melds = Counter(shown.tiles), story.players[shown.seat].melds
    values = [value(story, shown, reading) for reading in readings(story, shown)]
    if not melds and sorted(counts) == ORPHANS and options["special_thirteen_unique_wonders"]:
        values.append(limit)
    pairs = not melds and all(count in (2, 4) for count in counts.values())
    if pairs and options["special_heavenly_twins"]:
        values.append(limit)
    valid = [worth for worth in values if worth is not None]
    assert valid, f"{shown} does not win"
    return max(valid)


def readings(story: Story, shown: Shown) -> Iterator[Reading]:
    melds = [
        (meld.tiles, meld.kind == "kong_concealed", meld.kind in KONGS)
        for meld in story.players[shown.seat].melds
    ]
    for laid, pair in complete(shown.tiles):
        places: list[int] = [at for at, part in enumerate(laid) if shown.last in part]
        for place in places + ([-1] if pair == shown.last else []):
            hidden = not lies_unmarked(story, shown.seat)
            own = [
                (part, hidden and (at != place or shown.drawn), False)
                for at, part in enumerate(laid)
            ]
            yield Reading([*melds, *own], pair)


def value(story: Story, shown: Shown, reading: Reading) -> int | None:
    """None where the variant of the game asks for more (CL-65)."""
    options, seat, sets = story.options, shown.seat, reading.sets
    faces = [tile for part, _, _ in sets for tile in part] + [reading.pair] * 2
    if options["game_variant"] == "cleared_hand" and not is_cleared(faces):
        return None
    limit = int(options["limit"])
    if is_limit(story, shown, reading, faces):
        return limit
    pair = pair_points(story, seat, reading.pair)
    points = int(options["going_out_points"]) + pair + 4 * len(story.players[seat].flowers)
    into_hand = "winning_tile_into_hand" in story.players[seat].notes
    if not into_hand or options["tile_into_hand"] == "points_kept":
        points += 2 * shown.drawn + 2 * (len(places_left(story, shown)) == 1)
    points += sum(set_points(part, hidden=hidden) for part, hidden, _ in sets)
    chows = not any(is_triplet(part) for part, _, _ in sets)
    doubles = of_honours(story, seat, [part for part, _, _ in sets]) + of_faces(faces)
    doubles += all(is_triplet(part) for part, _, _ in sets) + (chows and not pair)
    doubles += of_events(story, shown)
    if options["game_variant"] == "one_double" and not doubles:
        return None
    return int(min(limit, points * 2 ** (doubles + of_flowers(story, seat))))


def is_cleared(faces: list[str]) -> bool:
    suits = {face[1] for face in faces if len(face) == 2}
    return len(suits) <= 1 or all(is_outer(face) for face in faces)


def of_faces(faces: list[str]) -> int:
    suits = {face[1] for face in faces if len(face) == 2}
    if not suits:
        return 3
    clear = 0 if len(suits) > 1 else 1 if any(face in HONOURS for face in faces) else 3
    return clear + all(is_outer(face) for face in faces)


def is_last_tile(story: Story, shown: Shown) -> bool:
    """The last tile that can be drawn; a loose tile from the box is none (CL-22)."""
    from_wall = story.replacing == "flower" and story.options["bonus_replacement"] == "live_wall"
    boxed = shown.drawn and story.replacing and story.dead and not from_wall
    return story.left(shown) == 0 and not boxed


def of_events(story: Story, shown: Shown) -> int:
    robs, options = story.robs(shown) is not None, story.options
    doubles = robs + (is_last_tile(story, shown) and not robs)
    doubles += story.after_own_kong(shown) is not None
    standing = options["standing_hand"] == "allowed"
    doubles += standing and story.players[shown.seat].ready_with == 1 and stands(story, shown)
    whose = options["original_hand"]
    east = shown.seat == story.dealer
    if is_first(story, shown) and (whose == "any_first_14" or (whose == "east_only" and east)):
        doubles += 3
    return doubles


def is_first(story: Story, shown: Shown) -> bool:
    """The first fourteen tiles of a hand, nothing laid down."""
    player = story.players[shown.seat]
    return shown.drawn and not player.discards and not player.melds


def is_limit(story: Story, shown: Shown, reading: Reading, faces: list[str]) -> bool:
    options = story.options
    if any(options[f"special_{name}"] for name in specials(story, shown, reading, faces)):
        return True
    if is_first(story, shown):
        return options["original_hand"] == "limit" and shown.seat == story.dealer
    thrown = [len(player.discards) for player in story.players]
    giver = story.giver(shown)
    first = giver == story.dealer and sum(thrown) == 1 and story.robs(shown) is None
    return first and options["earthly_first_discard"] == "limit"


def specials(story: Story, shown: Shown, reading: Reading, faces: list[str]) -> list[str]:
    robs = story.robs(shown) is not None
    sets, last = reading.sets, shown.last
    triplets = [part[0] for part, _, _ in sets if is_triplet(part)]
    numbers = Counter(face[0] for face in faces)
    one_suit = len({face[-1] for face in faces}) == 1 and len(faces[0]) == 2
    gates = all(numbers[n] >= (3 if n in "19" else 1) for n in "123456789")
    met = {
        "nine_gates": one_suit and gates and not story.players[shown.seat].melds,
        "hidden_treasure": len(triplets) == 4 and all(hidden for _, hidden, _ in sets),
        "fourfold_plenty": all(kong for _, _, kong in sets),
        "three_great_scholars": set("CFP") <= set(triplets),
        "four_blessings": set("ESWN") <= set(triplets),
        "heads_and_tails": all(len(face) == 2 and is_outer(face) for face in faces),
        "carrying_pole": robs and last == "2s",
        "plum_blossom": last == "5p" and story.after_own_kong(shown) is not None,
        "moon": last == "1p" and is_last_tile(story, shown) and not robs,
        "imperial_jade": set(faces) <= GREEN,
    }
    return [name for name, holds in met.items() if holds]


def stands(story: Story, shown: Shown) -> bool:
    """The wait is such as was agreed (CL-28)."""
    if story.options["standing_wait"] == "any_tile":
        return True
    held = without(shown.tiles, shown.last)
    there = Counter(without(story.tiles_of(shown), shown.last))
    kinds = [face for face in FACES if there[face] < 4]
    return sum(wins_with(story, replace(shown, tiles=[*held, face])) for face in kinds) <= 1


def wins_with(story: Story, shown: Shown) -> bool:
    options, counts = story.options, Counter(shown.tiles)
    if not story.players[shown.seat].melds:
        if sorted(counts) == ORPHANS and options["special_thirteen_unique_wonders"]:
            return True
        pairs = all(count in (2, 4) for count in counts.values())
        if pairs and options["special_heavenly_twins"]:
            return True
    cleared = options["game_variant"] != "cleared_hand"
    melded = [tile for meld in story.players[shown.seat].melds for tile in meld.tiles]
    return any(complete(shown.tiles)) and (cleared or is_cleared([*melded, *shown.tiles]))


def places_left(story: Story, shown: Shown) -> list[str]:
    """The tiles that complete the hand and of which the player has not all four."""
    held = without(shown.tiles, shown.last)
    there = Counter(without(story.tiles_of(shown), shown.last))
    return [face for face in FACES if there[face] < 4 and any(complete([*held, face]))]
