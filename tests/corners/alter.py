"""Changes to what happened in a hand, towards what hands of bots hardly ever come to.

Each takes the events of a hand up to its end and says what might have happened instead; nothing
where it cannot. The dealt tiles are forgotten: nobody follows them, and so nothing is forbidden.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from table_assist.game.events import (
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
    KongDeclared,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.melds import MeldKind
from table_assist.rules.registry import find_rules
from table_assist.tiles import Tile, parse_tiles
from tests.accountant.loaded import LoadedRandom

Events = list[Event]
Change = Callable[[Events, Random], Events | None]
# So many tiles may be left where something begins or ends.
_LEFT = (0, 0, 0, 1, 2, 3, 4, 5, 12, 13)
# A win with one of these has a name in some rule set.
_NAMED = parse_tiles("1p5p2s")
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
        at, started = _started(events)
        left = started.wall_left - live + random.choice(_LEFT)
        return _with(events, at, replace(started, wall_left=left)) if left >= 0 else None

    return change


def another_wind(events: Events, random: Random) -> Events | None:
    """Another wind prevails."""
    at, started = _started(events)
    return _with(events, at, replace(started, prevailing=random.choice(parse_tiles("ESWN"))))


def ready_at_first(events: Events, random: Random) -> Events | None:
    """The winner, who has laid nothing, was ready with its first discard."""
    shown = _shown(events)
    laid = (Claimed, KongDeclared, EggLaid, ReadyDeclared)
    if any(isinstance(e, laid) and e.seat == shown.seat for e in events):
        return None
    at = _first(events, lambda e: isinstance(e, Discarded) and e.seat == shown.seat)
    return [*events[:at], ReadyDeclared(shown.seat), *events[at:]] if at is not None else None


def after_own_kong(events: Events, random: Random) -> Events | None:
    """The winner puts a tile to a pung and wins with the tile that replaces it."""
    shown, at = _shown(events), _declared(events)
    pungs = [
        e.tiles[0]
        for e in events
        if isinstance(e, Claimed) and e.seat == shown.seat and e.kind is MeldKind.PUNG
    ]
    if not pungs or not shown.self_drawn or not isinstance(events[at - 1], Drew):
        return None
    tile = random.choice(pungs)
    kong = [Drew(shown.seat, tile), KongDeclared(shown.seat, MeldKind.KONG_ADDED, tile)]
    return [*events[: at - 1], *kong, *events[at - 1 :]]


def after_a_flower(events: Events, random: Random) -> Events | None:
    """The winner draws a flower and wins with the tile that replaces it."""
    shown, at = _shown(events), _declared(events)
    bonus = [
        t for t in find_rules(_started(events)[1].rules).bonus_tiles if t not in _lying(events)
    ]
    if not bonus or not shown.self_drawn or not isinstance(events[at - 1], Drew):
        return None
    tile = random.choice(bonus)
    drawn = [Drew(shown.seat, tile), BonusLaid(shown.seat, (tile,))]
    return [*events[: at - 1], *drawn, *events[at - 1 :]]


def after_anothers_kong(events: Events, random: Random) -> Events | None:
    """Who discards the won tile has just laid a kong."""
    at = _won_discard(events)
    if at is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    tile = random.choice(find_rules(_started(events)[1].rules).kinds)
    kong = KongDeclared(discarded.seat, MeldKind.KONG_CONCEALED, tile)
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(discarded.seat)]
    laid = [*drawn, kong, Drew(discarded.seat)]
    return _fewer([*events[:at], *laid, *events[at:]], discarded.seat)


def robbed_kong(events: Events, random: Random) -> Events | None:
    """The won tile is not discarded, but put to a pung; for orphans a concealed kong will do."""
    at = _won_discard(events)
    if at is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    seat, tile = discarded.seat, discarded.tile
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(seat, tile)]
    if random.random() < 0.2:
        kong = KongDeclared(seat, MeldKind.KONG_CONCEALED, tile)
        return _fewer([*events[:at], *drawn, kong, *events[at + 1 :]], seat)
    giver = random.choice([other for other in range(4) if other != seat])
    first = _first(events, lambda e: isinstance(e, Discarded))
    if first is None or first >= at:
        return None
    pung = [
        Discarded(giver, tile),
        Claimed(seat, MeldKind.PUNG, (tile,) * 3, giver),
        Discarded(seat, random.choice(find_rules(_started(events)[1].rules).kinds)),
    ]
    kong = KongDeclared(seat, MeldKind.KONG_ADDED, tile)
    before = [*events[: first + 1], *pung, *events[first + 1 : at], *drawn, kong]
    return _fewer([*before, *events[at + 1 :]], seat)


def robbed_egg(events: Events, random: Random) -> Events | None:
    """The won tile is put to one of two eggs, which may have one like it already."""
    at, rules = _won_discard(events), find_rules(_started(events)[1].rules)
    eggs = rules.eggs
    if at is None or eggs is None:
        return None
    discarded = events[at]
    assert isinstance(discarded, Discarded)
    seat, tile = discarded.seat, discarded.tile
    fitting = [parse_tiles(each) for each in _EGGS if tile in parse_tiles(each)]
    laid = [e for e in events if isinstance(e, EggLaid) and e.seat == seat]
    first = _first(events, lambda e: isinstance(e, Discarded))
    if not fitting or laid or first is None or first >= at:
        return None
    two = random.choices(fitting, k=random.choice((1, 2)))
    which = random.randrange(len(two))
    more: list[Event] = []
    for number in range(len(two)):
        if random.random() < 0.6:
            more += [Drew(seat, tile), EggAppended(seat, number, tile), Drew(seat)]
    drawn = [] if isinstance(events[at - 1], Drew) else [Drew(seat, tile)]
    start = [*events[:first], *(EggLaid(seat, egg) for egg in two), *events[first:at]]
    return [*start, *more, *drawn, EggAppended(seat, which, tile), *events[at + 1 :]]


def another_wins_too(events: Events, random: Random) -> Events | None:
    """A second seat shows the same tiles for the same tile."""
    at = _won_discard(events)
    if at is None:
        return None
    discarded, shown = events[at], _shown(events)
    assert isinstance(discarded, Discarded)
    others = [seat for seat in range(4) if seat not in (shown.seat, discarded.seat)]
    seat = random.choice(others)
    if any(isinstance(e, HandShown) and e.seat == seat for e in events[at:]):
        return None
    if any(isinstance(e, Claimed | KongDeclared | EggLaid) and e.seat == seat for e in events):
        return None
    mine = [e for e in events if isinstance(e, Claimed | KongDeclared) and e.seat == shown.seat]
    if mine:
        return None
    kept = [e for e in events if not (isinstance(e, HandLaidDown) and e.seat == seat)]
    place = _declared(kept)
    return [*kept[:place], WinDeclared(seat), replace(shown, seat=seat), *kept[place:]]


def another_hand(events: Events, random: Random) -> Events | None:
    """The winner holds a rare hand instead, and wins with one of its tiles."""
    shown, at = _shown(events), _declared(events)
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
    if isinstance(before, Discarded | Drew):
        return _with(events, at - 1, replace(before, tile=tile))
    return None


CHANGES: tuple[Change, ...] = (
    another_hand,
    another_hand,
    another_wind,
    ready_at_first,
    after_own_kong,
    after_a_flower,
    after_anothers_kong,
    robbed_kong,
    robbed_egg,
    another_wins_too,
)


# --- Where things stand


def _started(events: Events) -> tuple[int, HandStarted]:
    return next((at, e) for at, e in enumerate(events) if isinstance(e, HandStarted))


def _shown(events: Events) -> HandShown:
    return next(e for e in reversed(events) if isinstance(e, HandShown))


def _declared(events: Events) -> int:
    """Where the wins that count begin to be declared."""
    at = len(events)
    while at and isinstance(events[at - 1], WinDeclared | HandShown | HandLaidDown):
        at -= 1
    return at


def _won_discard(events: Events) -> int | None:
    """Where the discard lies that was won; none where none was."""
    at, shown = _declared(events), _shown(events)
    if shown.self_drawn or shown.rush or not at or not isinstance(events[at - 1], Discarded):
        return None
    return at - 1


def _first(events: Events, is_it: Callable[[Event], bool]) -> int | None:
    return next((at for at, event in enumerate(events) if is_it(event)), None)


def _lying(events: Events) -> set[Tile]:
    return {tile for e in events if isinstance(e, BonusLaid) for tile in e.tiles}


def _with(events: Events, at: int, event: Event) -> Events:
    return [*events[:at], event, *events[at + 1 :]]


def _fewer(events: Events, seat: int) -> Events:
    """Three tiles of a hand that is laid down lie in the new meld instead."""
    return [
        replace(e, concealed=e.concealed[:-3])
        if isinstance(e, HandLaidDown) and e.seat == seat
        else e
        for e in events
    ]
