"""``python -m bench live disturbed``: one unread or false thing at each place of a hand.

A hand is seen by eyes that do not err, then followed again with one fault put into every look:
what it costs beside the fault itself must stay where the fault is.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

from bench.live.eyes import CAMERAS, ModelledEyes, rates_of
from bench.live.hands import WantedHands
from bench.live.moments import About, Looked, RecordedHand
from bench.live.rates import load_rates, rates_path
from bench.live.record import Notes
from bench.live.replay import follow_again
from models.world import WorldLooks
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile
from table_assist.twin.moment import CameraMoment
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind, from_seat, zone_at

STEP_MM = 60.0  # from one false thing's place to the next
UNREAD = 0.6  # how likely the right face of an unread tile is
FALSE_FACES = (Tile.P8, Tile.UNKNOWN)
FALSE_SURE = 0.95
Fault = Callable[[Observation], Observation]
Placed = tuple[str, Fault]  # what and where, in words


class FlawlessEyes:
    """Tells every look of eyes that do not err."""

    def __init__(self, seed: int, notes: Notes) -> None:
        measured = rates_of(load_rates(rates_path(WorldLooks.USUAL)), "overhead", "built-in")
        never = {
            name: replace(
                each, outcomes={}, ghosts=(), stuck={}, confidences=(0.999, 0.999),
                box_mean=(0.0, 0.0, 1.0, 1.0), box_spread=(0.01, 0.01, 0.01, 0.01),
            )
            for name, each in measured.items()
        }  # fmt: skip
        limits = Limits.alike(0.88)
        self._eyes = ModelledEyes(never, CAMERAS["overhead"], limits=limits, seed=seed)
        self._notes, self.tile_set = notes, ""

    def attend(self, attention: Attention) -> None:
        """As `Eyes.attend`."""
        self._eyes.attend(attention)

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Eyes.look`."""
        told = self._eyes.look(moment, t)
        self._notes.moments.append(Looked(t, told, Attention()))
        return told


@cache
def seen_hand(rules_id: str, seed: int) -> RecordedHand:
    """A hand as flawless eyes see it."""
    notes, rules, wanted = Notes(), find_rules(rules_id), WantedHands(1, seed)
    table = wanted.table(rules, FlawlessEyes(seed, notes), seed, heap=False, listener=notes)
    list(wanted.follow(table, rules, seed, 1))
    about = About(
        "first", "usual", rules_id, seed, 1, False, "built-in", "", (1920, 1080), 0.0, "", ()
    )
    return RecordedHand(about, tuple(notes.moments), tuple(table.record.entries))


def unread(piece: int) -> Fault:
    """A tile is never read; its face is the likeliest."""

    def fault(seen: Observation) -> Observation:
        return replace(seen, tiles=tuple(_unread(t) if t.id == piece else t for t in seen.tiles))

    return fault


def _unread(tile: SeenTile) -> SeenTile:
    other = Tile.M1 if tile.tile is not Tile.M1 else Tile.M2
    named = ((tile.tile, UNREAD), (other, 1 - UNREAD - 0.05))
    return replace(tile, tile=Tile.UNKNOWN, confidence=UNREAD, candidates=named)


def false_thing(tile: Tile, zone: Zone, x_mm: float, y_mm: float, *, since: int) -> Fault:
    """Something that is no tile is read as one, from a look on to the end.

    Args:
        since: the place of the first such look in the hand.
    """
    looks = last_id = 0

    def fault(seen: Observation) -> Observation:
        nonlocal looks, last_id
        looks += 1
        tiles = tuple(replace(each, id=2 * each.id) for each in seen.tiles)
        if looks <= since:
            last_id = max((last_id, *(each.id for each in tiles)))
            return replace(seen, tiles=tiles)
        sure = FALSE_SURE if tile.is_face else 0.5
        named = ((Tile.P8, sure),)
        thing = SeenTile(
            tile, sure, x_mm, y_mm, seen.tile_mm, zone, named, looks - since, last_id + 1
        )
        return replace(seen, tiles=(*tiles, thing))

    return fault


def faults(hand: RecordedHand) -> Iterator[Placed]:
    """One at each place: of every tile that was read open, and all over the table."""
    looks = [each.observation for each in hand.moments if isinstance(each, Looked)]
    pieces = {
        tile.id: tile for seen in looks for tile in seen.tiles if tile.tile.is_face and tile.id
    }
    for piece, tile in pieces.items():
        yield f"{tile.tile} unread, {tile.zone.kind} {tile.zone.seat}", unread(piece)
    layout = looks[-1].layout
    for kind in (ZoneKind.RIVER, ZoneKind.MELDS, ZoneKind.HAND, ZoneKind.WALL, ZoneKind.DICE):
        for seat in range(4):
            for r, d in _places(kind):
                x, y = from_seat(r, d, seat)
                zone = zone_at(x, y, layout)
                for face in FALSE_FACES:
                    for since in (0, len(looks) // 2):
                        yield (
                            f"{face} at {x:.0f}, {y:.0f} from look {since}, "
                            f"{zone.kind} {zone.seat}",
                            false_thing(face, zone, x, y, since=since),
                        )


def _places(kind: ZoneKind) -> Iterator[tuple[float, float]]:
    """Before seat 0: to the right, and away from the centre, in mm."""
    away = {"river": (120, 175), "melds": (318,), "hand": (370,), "wall": (255,), "dice": (10,)}
    wide = 150 if kind is ZoneKind.RIVER else 340 if kind is not ZoneKind.DICE else 20
    for d in away[kind.value]:
        r = -float(wide)
        while r <= wide:
            yield r, float(d)
            r += STEP_MM


def lost(hand: RecordedHand, placed: Placed) -> tuple[int, bool, int]:
    """Events that are lost, whether the hand is silently wrong, and the questions."""
    moments = [
        replace(each, observation=placed[1](each.observation)) if isinstance(each, Looked) else each
        for each in hand.moments
    ]
    figures = follow_again(replace(hand, moments=tuple(moments))).figures
    missing = figures.events_true - figures.events_right
    return missing, figures.is_silently_wrong, len(figures.questions)


def run(options: argparse.Namespace) -> int:
    """Try the faults of four hands of each rule set, or so many of each; 1 where one costs more."""
    ids = options.rules or [rules.id for rules in rule_sets()]
    hands = tried = worst = wrong = 0
    for id, seed in product(ids, range(options.seed, options.seed + HANDS)):
        hand = seen_hand(id, seed)
        every = list(faults(hand))
        some = Random(seed).sample(every, min(len(every), options.hands or len(every)))
        for placed in some:
            missing, silent, asked = lost(hand, placed)
            worst, wrong = max(worst, missing), wrong + silent
            row = {"rules": id, "seed": seed, "what": placed[0], "lost": missing,
                   "silent": silent, "asked": asked, "of": len(hand.truth)}  # fmt: skip
            if options.json or missing > MOST_LOST or silent:
                print(json.dumps(row, ensure_ascii=False), flush=True)
        hands, tried = hands + 1, tried + len(some)
    print(json.dumps({"hands": hands, "faults": tried, "worst": worst, "wrong": wrong}))
    return int(worst > MOST_LOST or wrong > 0)


HANDS = 4
MOST_LOST = 2
