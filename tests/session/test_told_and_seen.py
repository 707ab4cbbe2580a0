"""A session and what comes to it, act by act. The rows are `golden/acts.jsonl`.

An act is what is put on record (``put``), what the board says (``hear``), what a person gives
(``say``), or a look at the table (``look``, as in `golden/looks.jsonl`, so many ``times``,
half a second apart). What it brings follows: ``then`` the entries, ``asked`` what is open if that
changed, ``refused`` why not. In a row with ``handler`` all comes to the commands' handler alone
(``obey``, ``accept``). At the end stands the state.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import events as board
from firmware_bridge.receiver import EventsLost
from table_assist.contract import commands
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.acceptance import AcceptedBy
from table_assist.game.events import Answered, Asked, HandStarted, Settled, WallExhausted
from table_assist.record.json_rows import from_row
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.vision.table.observation import Observation
from tests.following.test_looks import event_of, lying, row_of
from tests.stages.evenings import NAMES
from tests.stages.on_paper import english
from tests.stages.plain_session import command as tell

GOLDEN = Path(__file__).parents[1] / "golden" / "acts.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
Act = dict[str, Any]


def value_of(module: object, row: dict[str, Any]) -> Any:
    return from_row(getattr(module, row["type"]), row)


def told(entry: Any, *, with_words: bool = False) -> object:
    """An entry as a row has it."""
    match entry:
        case Asked():
            return f"asks {entry.question}" + (f": {entry.text.en}" if with_words else "")
        case Answered():
            return f"{entry.question}: {entry.answer or 'nothing'}"
        case HandStarted() | Settled() | WallExhausted():
            # What a profile is and how a hand is reckoned is tried elsewhere.
            row: Any = row_of(entry)
            return {k: v for k, v in row.items() if k not in ("profile", "hash", "steps")}
        case _:
            return row_of(entry)


def look(session: Session, act: Act, now: Callable[[float], None]) -> None:
    for number in range(act.get("times", 1)):
        t = act["t"] + number / 2
        now(t)
        session.process(Observation(t, lying(act["look"])))


def done(row: dict[str, Any]) -> Iterator[Act]:
    """Each act as it went, and how the hand stands after the last one."""
    time = [1.0]
    record = Record(None, lambda: time[0])
    profile = plain_profile(find_rules(row["rules"]).with_options(row.get("options", {})))
    session = Session(profile, NAMES, record, now=lambda: time[0], heap=row.get("heap", False))
    accepted_by = AcceptedBy(row.get("accepted_by", "payers"))
    handler = CommandHandler(profile, NAMES, Record(None, lambda: 1.0), accepted_by=accepted_by)
    if "handler" in row:
        record = handler.record
    open_before: list[str] = []
    for act in row["acts"]:
        seq, refused = record.seq, None
        match act:
            case {"put": events, "source": source}:
                for event in events:
                    record.append(event_of(event), Source(source))
                seq = record.seq
                if "handler" in row:
                    handler.conclude()
            case {"hear": content}:
                said = EventsLost if content["type"] == "EventsLost" else None
                heard = from_row(said, content) if said else value_of(board, content)
                session.process(BoardSignal(heard, act.get("origin", "")))
            case {"health": told_of}:
                session.process(from_row(SourceHealth, told_of))
            case {"look": _}:
                look(session, act, lambda t: None if row.get("still") else time.__setitem__(0, t))
            case {"say": command, "by": by}:
                refused = tell(session, value_of(commands, command), by)
            case {"obey": command, "by": by}:
                refused = english(handler.execute(value_of(commands, command), by))
                handler.conclude()
            case {"accept": _}:
                assert handler.accept()
                handler.conclude()
        came: Act = {
            "then": [told(each.event, with_words="words" in row) for each in record.entries[seq:]],
            "asked": [str(each.question) for each in record.state.questions],
            "refused": refused,
        }
        if came["asked"] == open_before:
            del came["asked"]
        else:
            open_before = came["asked"]
        given = {name: act[name] for name in act.keys() - {"then", "asked", "refused"}}
        yield given | {name: told for name, told in came.items() if told or name == "asked"}
    state = record.state
    yield {
        "phase": state.phase.value, "scores": list(state.scores),
        "history": [list(map(str, each)) for each in record.history],
        "rivers": [" ".join(map(str, seat.river)) for seat in state.seats],
        "hands": [told(each) for each in (*state.shown, *state.laid_down)],
    }  # fmt: skip


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ROWS])
def test_what_comes_to_the_table_leads_to_this(row: dict[str, Any]) -> None:
    *acts, end = done(row)
    for act, wanted in zip(acts, row["acts"], strict=True):
        assert act == wanted
    assert json.loads(json.dumps(end)) == row["end"]
