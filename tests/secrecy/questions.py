"""All that a client may ask a server for, and by what it may try to find the treasure out."""

import re

from flask import Flask

from table_assist.game.events import Discarded, IndicatorTurned
from table_assist.rules.play_rules import following
from table_assist.tiles.tile import Tile
from tests.secrecy.stage import LeakStage


def readable(app: Flask, stage: LeakStage) -> list[str]:
    """Everything that can be got but the stream, which is read anyway."""
    found = []
    ids = [id for _, id in stage.snapshot.entry_evidence]
    steps = len(stage.snapshot.entries)
    given = {"id": ids[-1:] + ids[:1], "number": ["0", "2"], "step": [str(steps), str(steps - 2)]}
    for rule in app.url_map.iter_rules():
        path = rule.rule
        if "GET" not in (rule.methods or ()) or path.startswith(("/static/", "/api/stream")):
            continue
        for turn in range(2):
            told = path
            for name in rule.arguments:
                value = given.get(name, ["1"])[-turn]
                told = re.sub(rf"<(\w+:)?{name}>", value, told)
            found.append(told)
    indicators = [
        id
        for seq, id in stage.snapshot.entry_evidence
        if any(
            entry.seq == seq and isinstance(entry.event, IndicatorTurned)
            for entry in stage.snapshot.entries
        )
    ]
    for id in indicators[-1:]:
        found += [f"/api/evidence/{id}", f"/api/evidence/{id}/crop.jpg"]
    return sorted(set(found))


def guesses(stage: LeakStage, tile: Tile) -> list[tuple[str, object]]:
    """Commands by which somebody may try to find the treasure out."""
    turned = [
        (entry.seq, entry.event)
        for entry in stage.snapshot.entries
        if isinstance(entry.event, IndicatorTurned)
    ]
    seq, event = turned[-1]
    guess = {"type": "IndicatorTurned", "tile": str(tile), "column": event.column}
    hand = ["1m"] * 13
    shown = {
        "type": "HandShown",
        "seat": 0,
        "concealed": [*hand, str(tile)],
        "winning_tile": str(tile),
        "self_drawn": True,
    }
    discards = [entry for entry in stage.snapshot.entries if isinstance(entry.event, Discarded)]
    discarded = {"type": "Discarded", "seat": 1, "tile": str(tile)}
    kong = {"type": "KongDeclared", "seat": 1, "kind": "kong_concealed", "tile": str(tile)}
    bodies: list[tuple[str, dict[str, object]]] = [
        ("correct", {"seq": discards[-1].seq, "event": discarded}),
        ("insert", {"before": discards[-1].seq, "event": discarded}),
        ("insert", {"before": 0, "event": kong}),
        ("undo", {"seq": discards[-1].seq}),
        ("correct", {"seq": seq, "event": guess}),
        ("insert", {"before": 0, "event": guess}),
        ("insert", {"before": 0, "event": shown}),
        ("treasure", {"seat": 0, "tile": str(tile)}),
        ("undo", {"seq": seq}),
        ("end", {}),
        ("win", {"seat": 0}),
    ]
    found: list[tuple[str, object]] = [(f"/api/{name}", body) for name, body in bodies]
    found += [("/api/preview", {"command": name, "body": body}) for name, body in bodies]
    return found + _reckonings(stage, following(tile))


def _reckonings(stage: LeakStage, treasure: Tile) -> list[tuple[str, object]]:
    """A hand with the treasure for its pair: what does it come to?

    A ready player's, or that of who has declared a win: nobody gets advice on another one.
    """
    state = stage.snapshot.state
    ready = (seat for seat, each in enumerate(state.seats) if each.ready)
    seat = next(iter((*state.declared, *ready)))
    kept = ["4p", "5p", "6p", "7s", "8s", "9s", str(treasure)]
    melds = [
        {"type": "Meld", "kind": "pung", "tiles": ["W", "W", "W"], "supplements": []},
        {"type": "Meld", "kind": "chow", "tiles": ["1m", "2m", "3m"], "supplements": []},
    ]
    waiting = {"seat": seat, "concealed": kept, "melds": melds}
    won = {
        "seat": seat,
        "concealed": [*kept, str(treasure)],
        "melds": melds,
        "winning_tile": str(treasure),
        "wall_left": 30,
    }
    return [
        ("/api/told", {"hand": won, "dealer": 0}),
        ("/api/waits", {"hand": waiting, "dealer": 0}),
    ]
