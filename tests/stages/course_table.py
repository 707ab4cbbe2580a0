"""A table at which a test says what lies where, for the tests of the course of a hand."""

import json
from pathlib import Path

from table_assist.game.events import Event, HandStarted
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.record.log import event_from_dict
from table_assist.rules.profile import differing
from table_assist.rules.registry import find_rules
from table_assist.rules.wall import dead_tiles, live_after_deal
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import parse_tiles

FILE = Path(__file__).parents[1] / "golden" / "courses.jsonl"
COURSES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
# Thirteen tiles that fit nothing, and a fourteenth for the dealer.
DULL = "1m4m7m 2p5p8p 3s6s9s ESWN"


def dealt(
    rules_id: str,
    *hands: str,
    dealer: int = 0,
    wall_left: int | None = None,
    options: dict[str, bool | int | str] | None = None,
) -> TableState:
    """A hand that begins with these tiles; seats that are not named hold dull ones."""
    rules = find_rules(rules_id).with_options(options or {})
    suited = not rules.kinds[-1].is_honour
    dull = "147m258p369s147m2p" if suited else DULL
    texts = [*hands, *[dull] * (4 - len(hands))]
    tiles = [parse_tiles(text) for text in texts]
    if len(tiles[dealer]) % 3 == 1:
        tiles[dealer] = (*tiles[dealer], rules.kinds[4])
    left = live_after_deal(rules) if wall_left is None else wall_left
    started = HandStarted(
        1,
        rules_id,
        dealer,
        left,
        dead_tiles(rules),
        first_east=dealer,
        options=tuple((options or {}).items()),
        hands=tuple(tiles),
    )
    return replay([started])


def course_events(row: dict[str, object]) -> list[Event]:
    """The events of a row of the golden courses."""
    given = row["given"]
    assert isinstance(given, dict)
    rules = find_rules(str(row["ruleset"])).with_options(given.get("options", {}))
    begun = {"rules": rules.id, "options": [list(each) for each in sorted(differing(rules))]}
    return [
        event_from_dict(({"hand": 1} | begun | each) if each["type"] == "HandStarted" else each)
        for each in given["events"]
    ]


def then(state: TableState, *events: Event) -> TableState:
    """The state after some more events."""
    return replay(events, state)


def parse_meld(kind: str, tiles: str, supplements: str = "") -> Meld:
    return Meld(MeldKind(kind), parse_tiles(tiles), parse_tiles(supplements))
