"""One look at a running hand: what lies there, and what follows; rows of `golden/seen/looks.jsonl`.

``before`` are the events on record, as the log has them; ``"0 1m"`` is a discard. ``lies`` are runs
of tiles: ``river``, ``melds`` or ``hand`` of a seat, or ``at`` a seat's r and d in millimetres;
``.`` is a place left free, ``/`` begins another meld, ``|`` sets the next tile apart; then
what `SeenTile` says of them otherwise. All that is not told in a row must not follow.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from table_assist.following.infer import Inferred, step
from table_assist.game.events import Discarded, Event
from table_assist.game.fold import replay
from table_assist.record.json_rows import to_row
from table_assist.record.log import event_from_dict
from table_assist.tiles.tile import parse_tile
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat, zone_at

GOLDEN = Path(__file__).parents[1] / "golden" / "seen" / "looks.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
PITCH = 26.5


def places(kind: str, names: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Each tile of a run, and where it lies before its seat."""
    r = 312.0 if kind == "melds" else -307.0
    n = 0
    for name in names:
        if name in "/|":
            r += -8 if name == "/" else 20
            continue
        if name != ".":
            in_river = (-65.0 + 26 * (n % 6), 98 + 35.5 * (n // 6))
            yield (
                name,
                *(in_river if kind == "river" else (r, 300.0 if kind == "melds" else 362.0)),
            )
        n, r = n + 1, r + (-PITCH if kind == "melds" else PITCH)


def lying(runs: list[list[Any]]) -> tuple[SeenTile, ...]:
    """The tiles of a look."""
    found = []
    for where, names, *rest in runs:
        kind, seat, *at = where.split()
        told = [(names, *map(float, at))] if at else places(kind, names.split())
        for name, r, d in told:
            x, y = from_seat(r, d, int(seat))
            how = {"confidence": 0.99, "pictures": 9} | (rest[0] if rest else {})
            face, zone = parse_tile(name), zone_at(x, y, Layout())
            may = how.pop("candidates", {name: how["confidence"]})
            candidates = tuple((parse_tile(each), share) for each, share in may.items())
            if "zone" in how:
                zone = zone_of(how.pop("zone"))
            seen = SeenTile(face, 0.99, x, y, 26.0, zone, candidates)
            found.append(replace(seen, **how))
    return tuple(found)


def zone_of(row: list[Any]) -> Zone:
    return Zone(ZoneKind(row[0]), row[1])


def event_of(row: str | dict[str, Any]) -> Event:
    """An event of a row."""
    if isinstance(row, str):
        seat, face = row.split()
        return Discarded(int(seat), parse_tile(face))
    event: Event = event_from_dict(row)
    return event


def row_of(event: Any) -> str | dict[str, Any]:
    """As a row tells it: only what is not the usual."""
    if isinstance(event, Discarded) and event == Discarded(event.seat, event.tile):
        return f"{event.seat} {event.tile}"
    usual = {each.name: each.default for each in fields(event)}
    return {name: value for name, value in to_row(event).items()
            if name == "type" or getattr(event, name) != usual[name]}  # fmt: skip


def told(found: Inferred) -> dict[str, Any]:
    """What follows, as a row has it."""
    every = {
        "found": [row_of(each.event) for each in found.proposed],
        "may": [list(map(str, each.candidates)) for each in found.proposed if each.candidates],
        "or": [row_of(each.otherwise) for each in found.proposed if each.otherwise],
        "asks": [str(each.question) for each in found.doubts],
        "blocks": [str(each.question) for each in found.doubts if each.blocks],
        "reread": [[each.seat, each.index, str(each.tile)] for each in found.reread],
        "flowers": [[each.seat, each.index, str(each.tile)] for each in found.flowers],
        "lying": [row_of(event) for event in found.lying],
        "partly": sorted(found.partly),
        "revealed": found.revealed and [found.revealed.number, str(found.revealed.tile)],
        "last": [each.name for each in fields(found.last) if getattr(found.last, each.name)],
        "exposed": found.exposed and list(map(str, found.exposed.tiles)),
        "covered": found.covered,
        "washed": found.washed,
    }
    return {name: value for name, value in every.items() if value}


def seen(row: dict[str, Any], runs: list[list[Any]], t: float = 0.0) -> Observation:
    """A look, with what of the table cannot be seen."""
    hidden = [OccludedZone(zone_of(each), 0.0, WhyUnseen.HIDDEN) for each in row.get("hidden", ())]
    return Observation(
        t, lying(runs), tuple(row.get("dice", ())), unavailable=tuple(hidden),
        partly_hidden=frozenset(map(zone_of, row.get("partly_hidden", ()))),
    )  # fmt: skip


def followed(row: dict[str, Any]) -> dict[str, Any]:
    """The row with what follows now."""
    given = ("id", "why", "before", "lies", "heap", "dice", "hidden", "partly_hidden")
    state = replay(map(event_of, row["before"]))
    found = step(state, seen(row, row["lies"]), heap=row.get("heap", False))
    return {name: row[name] for name in given if name in row} | told(found)


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ROWS])
def test_what_lies_there_says_what_happened(row: dict[str, Any]) -> None:
    assert followed(row) == row


if __name__ == "__main__":  # what follows now becomes what must follow: read the difference
    now = [json.dumps(followed(row), ensure_ascii=False) for row in ROWS]
    GOLDEN.write_text("\n".join([*now, ""]), encoding="utf-8")
