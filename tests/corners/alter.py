"""Changes to what happened in a hand, towards what hands of bots hardly ever come to.

Each takes the events of a hand up to its end and says what might have happened instead; nothing
where it cannot. The dealt tiles are forgotten: nobody follows them, and so nothing is forbidden.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.rules.play_rules import Appended
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.corners.places import (
    Events,
    bonus_lying,
    declared_at,
    drew_it,
    first_that,
    shown_of,
    started_of,
    unclaimed,
    with_event,
    with_fewer_held,
    won_discard,
)
from tests.corners.rarer import RARER

Change = Callable[[Events, Random], Events | None]
# So many tiles may be left where something begins or ends.
_LEFT = (0, 0, 0, 1, 2, 3, 4, 5, 12, 13)
_EGGS = ("CFP", "1m1p1s", "9m9p9s", "1sES", "2s1pP", "7pE3s", "7pE5s", "ESWN")


def unfollowed(events: Sequence[Event]) -> Events:
    """Without the dealt tiles."""
    return [replace(e, hands=()) if isinstance(e, HandStarted) else e for e in events]


def shorter_wall(live: int) -> Change:
    """So that few tiles, or none, are left at the end.

    Args:
        live: how many are left as it is.
    """

    def change(events: Events, random: Random) -> Events | None:
        at, started = started_of(events)
        turned = any(isinstance(e, IndicatorTurned) for e in events)
        if turned and find_rules(started.rules).treasure is not None:
            return None  # a treasure lies in a place of the wall as it was built
        left = random.choice(_LEFT)
        birds = [event for event in events if isinstance(event, BirdTurned)]
        kept = [event for event in events if event not in birds[left:]]
        before = started.wall_left - live + left
        return with_event(kept, at, replace(started, wall_left=before)) if before >= 0 else None

    return change


def another_wind(events: Events, random: Random) -> Events | None:
    """Another wind prevails, and another seat was the round's first East."""
    at, started = started_of(events)
    wind, first = random.choice(parse_tiles("ESWN")), random.randrange(4)
    return with_event(events, at, replace(started, prevailing=wind, first_east=first))


def ready_at_first(events: Events, random: Random) -> Events | None:
    """The winner, who has laid nothing, was ready with its first discard."""
    shown = shown_of(events)
    laid = (Claimed, KongDeclared, EggLaid, ReadyDeclared)
    if any(isinstance(e, laid) and e.seat == shown.seat for e in events):
        return None
    at = first_that(events, lambda e: isinstance(e, Discarded) and e.seat == shown.seat)
    if at is None:
        return None
    stood, drew = list(events), None
    for place, event in enumerate(events[at + 1 :], start=at + 1):
        if isinstance(event, Drew) and event.seat == shown.seat:
            drew = place
        elif isinstance(event, Discarded) and event.seat == shown.seat and drew is not None:
            stood[drew] = Drew(shown.seat, event.tile)  # whoever stands discards what is drawn
    return [*stood[:at], ReadyDeclared(shown.seat), *stood[at:]]


def after_own_kong(events: Events, random: Random) -> Events | None:
    """The winner puts a tile to a pung and wins with the tile that replaces it."""
    shown, at = shown_of(events), declared_at(events)
    added = [
        e.tile
        for e in events
        if isinstance(e, KongDeclared) and e.seat == shown.seat and e.kind is MeldKind.KONG_ADDED
    ]
    pungs = [
        e.tiles[0]
        for e in events
        if isinstance(e, Claimed) and e.seat == shown.seat and e.kind is MeldKind.PUNG
        if e.tiles[0] not in added
    ]
    if not pungs or not drew_it(events, at):
        return None
    tile = random.choice(pungs)
    kong = [Drew(shown.seat, tile), KongDeclared(shown.seat, MeldKind.KONG_ADDED, tile)]
    return [*events[: at - 1], *kong, *events[at - 1 :]]


def after_a_flower(events: Events, random: Random) -> Events | None:
    """The winner draws a flower and wins with the tile that replaces it."""
    shown, at = shown_of(events), declared_at(events)
    bonus = [
        t
        for t in find_rules(started_of(events)[1].rules).bonus_tiles
        if t not in bonus_lying(events)
    ]
    if not bonus or not drew_it(events, at):
        return None
    tile = random.choice(bonus)
    drawn = [Drew(shown.seat, tile), BonusLaid(shown.seat, (tile,))]
    return [*events[: at - 1], *drawn, *events[at - 1 :]]


def after_anothers_kong(events: Events, random: Random) -> Events | None:
    """Who discards the won tile has just laid a kong."""
    at = won_discard(events)
    if at is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    tile = random.choice(find_rules(started_of(events)[1].rules).kinds)
    kong = KongDeclared(discarded.seat, MeldKind.KONG_CONCEALED, tile)
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(discarded.seat)]
    laid = [*drawn, kong, Drew(discarded.seat)]
    return with_fewer_held([*events[:at], *laid, *events[at:]], discarded.seat)


def robbed_kong(events: Events, random: Random) -> Events | None:
    """The won tile is not discarded, but put to a pung; for orphans a concealed kong will do."""
    at = won_discard(events)
    if at is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    seat, tile = discarded.seat, discarded.tile
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(seat, tile)]
    if random.random() < 0.2:
        kong = KongDeclared(seat, MeldKind.KONG_CONCEALED, tile)
        return with_fewer_held([*events[:at], *drawn, kong, *events[at + 1 :]], seat)
    giver = random.choice([other for other in range(4) if other != seat])
    first = unclaimed(events)
    has_one = any(isinstance(e, Claimed) and e.tiles == (tile,) * 3 for e in events)
    if first is None or first >= at or has_one:
        return None
    pung = [
        Drew(giver, tile),
        Discarded(giver, tile),
        Claimed(seat, MeldKind.PUNG, (tile,) * 3, giver),
        Discarded(seat, random.choice(find_rules(started_of(events)[1].rules).kinds)),
    ]
    kong = KongDeclared(seat, MeldKind.KONG_ADDED, tile)
    before = [*events[: first + 1], *pung, *events[first + 1 : at], *drawn, kong]
    return with_fewer_held([*before, *events[at + 1 :]], seat)


def robbed_egg(events: Events, random: Random) -> Events | None:
    """The won tile is put to one of two eggs, which may have one like it already."""
    at, rules = won_discard(events), find_rules(started_of(events)[1].rules)
    eggs = rules.eggs
    if at is None or eggs is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    seat, tile = discarded.seat, discarded.tile
    chosen = rules.with_options(dict(started_of(events)[1].options)).chosen
    fitting = [
        egg
        for egg in map(parse_tiles, _EGGS)
        if eggs.refuse(Appended(tuple(egg), tile), chosen) is None
    ]
    laid = [e for e in events if isinstance(e, EggLaid) and e.seat == seat]
    first = first_that(events, lambda e: isinstance(e, Discarded))
    if not fitting or laid or first is None or first >= at:
        return None
    two = random.choices(fitting, k=random.choice((1, 2)))
    which = random.randrange(len(two))
    more: Events = []
    for number in range(len(two)):
        if random.random() < 0.6:
            more += [Drew(seat, tile), EggAppended(seat, number, tile), Drew(seat)]
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(seat, tile)]
    start = [*events[:first], *(EggLaid(seat, egg) for egg in two), *events[first:at]]
    return [*start, *more, *drawn, EggAppended(seat, which, tile), *events[at + 1 :]]


def another_wins_too(events: Events, random: Random) -> Events | None:
    """A second seat, which has laid nothing, shows the same tiles for the same tile."""
    at = won_discard(events)
    if at is None:
        return None
    discarded, shown = events[at], shown_of(events)
    assert isinstance(discarded, Discarded)
    laid = (Claimed, KongDeclared, EggLaid)
    free = [
        seat
        for seat in range(4)
        if seat not in (shown.seat, discarded.seat)
        and not any(isinstance(e, laid) and e.seat == seat for e in events)
        and not any(isinstance(e, HandShown) and e.seat == seat for e in events[at:])
    ]
    if not free:
        return None
    seat, own = random.choice(free), list(shown.concealed)
    for event in events:
        if isinstance(event, Claimed | KongDeclared) and event.seat == shown.seat:
            own += _set_of(event)
    if len(own) != 14:
        return None  # an egg, or a pung that became a kong
    kept = [e for e in events if not (isinstance(e, HandLaidDown) and e.seat == seat)]
    place = declared_at(kept)
    hand = replace(shown, seat=seat, concealed=tuple(own))
    return [*kept[:place], WinDeclared(seat), hand, *kept[place:]]


def _set_of(event: Claimed | KongDeclared) -> tuple[Tile, ...]:
    return event.tiles[:3] if isinstance(event, Claimed) else (event.tile,) * 3


CHANGES: tuple[Change, ...] = (
    *RARER,
    another_wind,
    ready_at_first,
    after_own_kong,
    after_a_flower,
    after_anothers_kong,
    robbed_kong,
    robbed_egg,
    another_wins_too,
)
