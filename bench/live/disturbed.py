"""``python -m bench live disturbed``: one unread or false thing at each place of a hand.

A hand is seen by eyes that do not err, then followed again with a fault put into every look: what
it costs beside the fault itself must stay where the fault is. Some are tried together, in places
drawn by chance: what costs little together costs little alone. Else each half is tried.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import count, product
from random import Random

from bench import report, sets_of
from bench.live.evening import Looked
from bench.live.eyes import CAMERAS, ModelledEyes
from bench.live.hands import WantedHands
from bench.live.rates import Rates
from bench.live.recorded import RecordedHand, follow_again, noted_hand
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import SUITED, Tile
from table_assist.twin.moment import CameraMoment, Spoiled
from table_assist.twin.scene import Point
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Zone, from_seat, zone_at

# Rows of rivers, melds, hands and walls, and the dice: half as long, and so far from the centre.
ROWS_MM = ((150, 120), (150, 175), (340, 318), (340, 370), (340, 255), (20, 10))
STEP_MM = 60  # from one false thing's place to the next
UNREAD = 0.6  # how likely the right face of an unread tile is
FALSE_SURE = 0.95
FAULTS_TOGETHER = 5  # faults: many new things at once are tiles being washed
LOOKS_S = 5  # a second
DISTURBED_HANDS = 4
MOST_LOST = 2
ID_STEP = 10_000  # from one tile's id to the next: false things have theirs between
Fault = Callable[[Observation], Observation]
Placed = tuple[str, Fault]  # what and where, in words


class FlawlessEyes(ModelledEyes):
    """Eyes that do not err."""

    def __init__(self, seed: int) -> None:
        right = Rates(1, 0, {}, (0.999, 0.999), {}, (0.0, 0.0, 1.0, 1.0), (0.01,) * 4)
        never = dict.fromkeys(map(str, Spoiled), right)
        super().__init__(never, CAMERAS["overhead"], limits=Limits.alike(0.88), seed=seed)

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Eyes.look`."""
        told = super().look(moment, t)
        return replace(told, tiles=tuple(replace(x, id=ID_STEP * x.id) for x in told.tiles))


@cache
def seen_hand(rules_id: str, seed: int) -> RecordedHand:
    """A hand as flawless eyes see it."""
    rules, eyes = find_rules(rules_id), FlawlessEyes(seed)
    return noted_hand("usual", WantedHands(1, seed), rules, eyes)


def unread(piece: int, seen: Observation) -> Observation:
    """A tile is never read; its face is the likeliest."""
    tiles = list(seen.tiles)
    for place, tile in enumerate(seen.tiles):
        if tile.id == piece:
            other = Tile.M2 if tile.tile is Tile.M1 else Tile.M1
            named = ((tile.tile, UNREAD), (other, 0.95 - UNREAD))
            tiles[place] = replace(tile, tile=Tile.UNKNOWN, confidence=UNREAD, candidates=named)
    return replace(seen, tiles=tuple(tiles))


def false_thing(
    tile: Tile, zone: Zone, place_mm: Point, since: float, id: int, seen: Observation
) -> Observation:
    """Something that is no tile is read as one, from a look on to the end."""
    if seen.t < since:
        return seen
    sure = FALSE_SURE if tile.is_face else 0.5
    named = ((tile if tile.is_face else Tile.P8, sure),)
    pictures = 1 + round(LOOKS_S * (seen.t - since))
    thing = SeenTile(tile, sure, *place_mm, seen.tile_mm, zone, named, pictures, id)
    return replace(seen, tiles=(*seen.tiles, thing))


def faults(hand: RecordedHand) -> Iterator[Placed]:
    """One at each place: of every tile that was read open, and all over the table."""
    looks = [each.observation for each in hand.moments if isinstance(each, Looked)]
    pieces = {
        tile.id: tile for seen in looks for tile in seen.tiles if tile.tile.is_face and tile.id
    }
    for piece, tile in pieces.items():
        yield f"{tile.tile} unread, {tile.zone.kind} {tile.zone.seat}", partial(unread, piece)
    middle, numbers = len(looks) // 2, count(1)
    newest = max(each.id for seen in looks[:middle] for each in seen.tiles)
    for (long, d), seat in product(ROWS_MM, range(4)):
        for r in range(-long, long + 1, STEP_MM):
            x, y = from_seat(r, d, seat)
            zone = zone_at(x, y, looks[-1].layout)
            where = f"at {x:.0f}, {y:.0f}, {zone.kind} {zone.seat}"
            for since, before in ((0, 0), (middle, newest)):
                for number in (next(numbers), next(numbers)):
                    face = SUITED[number % len(SUITED)] if number % 2 else Tile.UNKNOWN
                    told = partial(false_thing, face, zone, (x, y), looks[since].t, before + number)
                    yield f"{face} {where} from look {since}", told


def lost(hand: RecordedHand, *placed: Placed) -> int:
    """How many events faults cost that are there together; all where nobody is told of it."""
    moments = [
        replace(each, observation=reduce(lambda seen, one: one[1](seen), placed, each.observation))
        if isinstance(each, Looked)
        else each
        for each in hand.moments
    ]
    figures, _ = follow_again(replace(hand, moments=tuple(moments)))
    right = 0 if figures.is_silently_wrong else figures.events_right
    return figures.events_true - right


def costs(hand: RecordedHand, some: Sequence[Placed]) -> Iterator[tuple[str, int]]:
    """What faults cost: together where that is little, else each alone."""
    cost = lost(hand, *some)
    if len(some) == 1 or cost <= MOST_LOST:
        yield "; ".join(what for what, _ in some), cost
    else:
        for half in (some[::2], some[1::2]):
            yield from costs(hand, half)


def run(options: argparse.Namespace) -> int:
    """Try faults of four hands of each rule set, or of so many; 1 where one costs more."""
    hands = tried = worst = 0
    seeds = range(options.seed, options.seed + (options.hands or DISTURBED_HANDS))
    for rules, seed in product(sets_of(options), seeds):
        hand = seen_hand(rules.id, seed)
        every = [*faults(hand)]
        Random(seed).shuffle(every)
        every = every[: options.most]
        for first in range(0, len(every), FAULTS_TOGETHER):
            for what, cost in costs(hand, every[first : first + FAULTS_TOGETHER]):
                worst = max(worst, cost)
                if options.json or cost > MOST_LOST:
                    row = {"rules": rules.id, "seed": seed, "what": what, "lost": cost}
                    report(row, as_json=True)
        hands, tried = hands + 1, tried + len(every)
    report({"hands": hands, "faults": tried, "worst": worst}, as_json=True)
    return int(worst > MOST_LOST)
