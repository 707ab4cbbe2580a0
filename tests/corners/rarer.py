"""Changes to what a hand of bots came to, by which whole hands are others: see `alter`."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    HandLaidDown,
    HandShown,
    IrregularityNoted,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile, parse_tiles
from tests.accountant.loaded import LoadedRandom
from tests.corners.places import (
    Events,
    declared_at,
    drew_it,
    first_that,
    shown_of,
    started_of,
    unclaimed,
    with_event,
    won_discard,
)

# A win with one of these has a name in some rule set.
_NAMED = parse_tiles("1p5p2s")
_DEAD = {
    DeadHand.LONG: "fourteen_tiles_after_discard",
    DeadHand.SHORT: "twelve_tiles_after_discard",
}


def another_hand(events: Events, random: Random) -> Events | None:
    """The winner holds a rare hand instead, and wins with one of its tiles."""
    shown, at = shown_of(events), declared_at(events)
    if shown.rush or sum(isinstance(e, HandShown) for e in events[at:]) > 1:
        return None
    held = LoadedRandom(random.random()).rare_hand((len(shown.concealed) - 2) // 3)
    if not held:
        return None
    named = [tile for tile in held if tile in _NAMED]
    last = random.choice(named if named and random.random() < 0.5 else held)
    came = _came_as(events, at, last)
    if came is None:
        return None
    hand = replace(shown, concealed=tuple(held), winning_tile=last)
    return [hand if event is shown else event for event in came]


def _came_as(events: Events, at: int, tile: Tile) -> Events | None:
    """The tile that is won is another one; none where it was robbed."""
    before = events[at - 1]
    if isinstance(before, Discarded) or drew_it(events, at):
        assert isinstance(before, Discarded | Drew)
        return with_event(events, at - 1, replace(before, tile=tile))
    return None


def laid_down(events: Events, random: Random) -> Events | None:
    """Sets of the winner's hand lie there as claimed ones, or as kongs."""
    shown, first = shown_of(events), unclaimed(events)
    ready = any(isinstance(e, ReadyDeclared) and e.seat == shown.seat for e in events)
    if first is None or shown.rush or ready:  # a ready hand lays nothing more
        return None
    held = list(shown.concealed)
    held.remove(shown.winning_tile)
    started = started_of(events)[1]
    kinds = find_rules(started.rules).with_options(dict(started.options)).meld_kinds
    laid: Events = []
    for _ in range(random.choice((1, 2, 3, 4))):
        parts = _sets(held, chows=MeldKind.CHOW in kinds)
        if not parts or len(held) < 4:
            break
        part = random.choice(parts)
        for tile in part:
            held.remove(tile)
        laid += _claimed(shown.seat, part, random)
    hand = replace(shown, concealed=(*held, shown.winning_tile))
    rest = [hand if event is shown else event for event in events[first + 1 :]]
    return [*events[: first + 1], *laid, *rest] if laid else None


def _sets(held: Sequence[Tile], *, chows: bool) -> list[tuple[Tile, ...]]:
    """Triplets and runs of which the tiles are there."""
    there = sorted(set(held))
    runs = [
        (tile, Tile(tile + 1), Tile(tile + 2))
        for tile in there
        if chows and tile.is_suited and tile.number <= 7
    ]
    triplets = [(tile,) * 3 for tile in there if held.count(tile) >= 3]
    return [*triplets, *(run for run in runs if set(run) <= set(held))]


def _claimed(seat: int, part: tuple[Tile, ...], random: Random) -> Events:
    """What brings the set down: a claim, or a fourth tile, and then a discard."""
    tile, thrown = part[0], Discarded(seat, random.choice(SUITED))
    if len(set(part)) == 1 and random.random() < 0.4:
        kong = KongDeclared(seat, MeldKind.KONG_CONCEALED, tile)
        return [Drew(seat, tile), kong, Drew(seat), thrown]
    is_chow = len(set(part)) > 1
    giver = (seat + (3 if is_chow else random.choice((1, 2, 3)))) % 4
    kind = MeldKind.CHOW if is_chow else MeldKind.PUNG
    return [Drew(giver, tile), Discarded(giver, tile), Claimed(seat, kind, part, giver), thrown]


def golden_kong(events: Events, random: Random) -> Events | None:
    """A set of the winner's hand is a kong of wild tiles, whose replacement wins."""
    shown, at = shown_of(events), declared_at(events)
    held = list(shown.concealed)
    wilds = replay(events[:at]).wilds
    if not wilds or not drew_it(events, at) or len(held) < 5:
        return None
    held.remove(shown.winning_tile)
    parts = _sets(held, chows=True)
    if not parts:
        return None
    for tile in random.choice(parts):
        held.remove(tile)
    wild = random.choice(sorted(wilds))
    kong = [Drew(shown.seat, wild), KongDeclared(shown.seat, MeldKind.KONG_CONCEALED, wild)]
    hand = replace(shown, concealed=(*held, shown.winning_tile))
    rest = [hand if event is shown else event for event in events[at - 1 :]]
    return [*events[: at - 1], *kong, *rest]


def dead_hand(events: Events, random: Random) -> Events | None:
    """A hand that has not won is dead."""
    rules, at = find_rules(started_of(events)[1].rules), declared_at(events)
    if rules.irregularities is None:
        return None
    seat = random.choice([seat for seat in range(4) if seat != shown_of(events).seat])
    dead = random.choice(tuple(DeadHand))
    return [*events[:at], IrregularityNoted(seat, _DEAD[dead], dead), *events[at:]]


def won_at_first(events: Events, random: Random) -> Events | None:
    """The dealer wins with the dealt hand, or another with its first tile, or the first discard.

    Of its first tile a pung may have gone before.
    """
    shown, first = shown_of(events), first_that(events, lambda e: isinstance(e, Discarded))
    held = LoadedRandom(random.random()).rare_hand()
    if first is None or not held:
        return None
    dealer, last = started_of(events)[1].dealer, random.choice(held)
    began = [e for e in events[:first] if not isinstance(e, Claimed | KongDeclared)]
    way, other = random.randrange(4), (dealer + random.choice((1, 2, 3))) % 4
    seat = (dealer, (dealer + 1) % 4, other, (dealer + 2) % 4)[way]
    thrown, taker = random.choice(SUITED), (dealer + 1) % 4
    pung = Claimed(taker, MeldKind.PUNG, (thrown,) * 3, dealer)
    turn: Events = [
        [],
        [Discarded(dealer, thrown), Drew(seat, last)],
        [Discarded(dealer, last)],
        [Discarded(dealer, thrown), pung, Discarded(taker, thrown), Drew(seat, last)],
    ][way]
    win = replace(shown, seat=seat, concealed=tuple(held), winning_tile=last, rush=False)
    win = replace(win, self_drawn=way != 2)
    open_hands = [e for e in events if isinstance(e, HandLaidDown) and e.seat != seat]
    if open_hands and shown.seat != seat:
        open_hands.append(HandLaidDown(shown.seat, shown.concealed[1:]))
    return [*began, *turn, WinDeclared(seat), win, *open_hands]


def won_late(events: Events, random: Random) -> Events | None:
    """The next player has drawn before the discard is won, and puts the tile back."""
    at = won_discard(events)
    if at is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    after = (discarded.seat + 1) % 4
    if after == shown_of(events).seat:
        return None
    return [*events[: at + 1], Drew(after), *events[at + 1 :]]


def same_first_discards(events: Events, random: Random) -> Events | None:
    """All discard first what the dealer discards first."""
    places = [at for at, event in enumerate(events) if isinstance(event, Discarded)][:4]
    thrown = [event for event in events if isinstance(event, Discarded)][:4]
    claimed = first_that(events, lambda e: isinstance(e, Claimed | KongDeclared))
    if len({event.seat for event in thrown}) < 4 or places[3] >= declared_at(events) - 1:
        return None
    if claimed is not None and claimed < places[3] + 2:
        return None
    tile = random.choice(SUITED)
    for at, event in zip(places, thrown, strict=True):
        events = with_event(events, at, replace(event, tile=tile))
    return events


def nobody_won(events: Events, random: Random) -> Events:
    """The hand up to its win, as one that is drawn; perhaps all four left the last tile."""
    kept, rules = events[: declared_at(events)], find_rules(started_of(events)[1].rules)
    passed = rules.last_tile_may_be_passed and random.random() < 0.5
    return [*kept, *(LastTilePassed(seat) for seat in range(4) if passed)]


RARER = (
    another_hand,
    another_hand,
    another_hand,
    another_hand,
    laid_down,
    golden_kong,
    dead_hand,
    won_at_first,
    won_late,
    same_first_discards,
)
