"""A session and what comes to it, act by act. The rows are `golden/seen/acts.jsonl`.

An act is what is put on record (``put``), what the board says (``hear``), how a source does
(``health``), what a person gives (``say``), a look (``look``, as in `looks.jsonl`, so many
``times``, half a second apart), that time goes by (``wait``), or that the program starts anew
(``restart``). What it brings follows: ``then``
the entries, ``asked`` what is open if that changed, ``refused`` why not; where a row wants it whose
word the entries are (``sources``), ``notices``, and what must be seen now (``wanted``). ``obey``,
``ask`` and ``accept`` come to the commands' handler, and in a row with ``handler`` all does. At the
end stands the state.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from firmware_bridge import events as board
from firmware_bridge.receiver import EventsLost
from table_assist.game.acceptance import AcceptedBy
from table_assist.game.doubt import Doubt
from table_assist.game.events import Answered, Asked, HandStarted, Settled, WallExhausted
from table_assist.record import commands
from table_assist.record.json_rows import from_row
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.profile import Profile, plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from tests.following.test_looks import event_of, row_of, seen
from tests.stages.evenings import NAMES
from tests.stages.on_paper import english
from tests.stages.plain_session import command as tell

GOLDEN = Path(__file__).parents[1] / "golden" / "seen" / "acts.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
Act = dict[str, Any]
BROUGHT = {"then", "asked", "refused", "sources", "notices", "wanted"}


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


class Stage:
    """The session or handler of a row, on a clock of its own."""

    def __init__(self, row: dict[str, Any], pieces: Path) -> None:
        self.row, self.t, self.pieces = row, 1.0, pieces
        profile = plain_profile(find_rules(row["rules"]).with_options(row.get("options", {})))
        self.record = Record(None, lambda: self.t)
        self.session: Session | None = None
        if "handler" in row:
            by = AcceptedBy(row.get("accepted_by", "payers"))
            self.handler = CommandHandler(profile, NAMES, self.record, accepted_by=by)
        else:
            self.start(profile)

    def start(self, profile: Profile) -> None:
        heap = self.row.get("heap", False)
        self.session = Session(
            profile, NAMES, self.record, now=lambda: self.t, heap=heap, pieces=self.pieces
        )
        self.handler = self.session._handler

    def act(self, act: Act) -> str | None:
        """What a person is told who is refused."""
        refused = None
        match act:
            case {"obey": command, "by": by}:
                refused = english(self.handler.execute(value_of(commands, command), by))
            case {"accept": _}:
                assert self.handler.accept()
            case {"ask": doubt}:
                self.handler.ask(from_row(Doubt, doubt))
            case {"put": events, "source": source}:
                for event in events:
                    self.record.append(event_of(event), Source(source))
            case _:
                assert self.session is not None
                return self._come(self.session, act)
        if self.session is None:
            self.handler.conclude()
        return refused

    def _come(self, session: Session, act: Act) -> str | None:
        match act:
            case {"hear": content}:
                is_lost = content["type"] == "EventsLost"
                heard = from_row(EventsLost, content) if is_lost else value_of(board, content)
                session.process(BoardSignal(heard, act.get("origin", "")))
            case {"health": row}:
                session.process(from_row(SourceHealth, row))
            case {"look": runs, "t": first}:
                for number in range(act.get("times", 1)):
                    t = first + number / 2
                    self.t = self.t if self.row.get("still") else t
                    session.process(seen(act, runs, t))
            case {"say": command, "by": by}:
                return tell(session, value_of(commands, command), by)
            case {"restart": _}:
                self.start(self.handler.profile)
            case {"wait": t}:
                self.t = t
                session.process(None)
            case _:
                raise AssertionError(f"{act} is no act")
        return None


def done(row: dict[str, Any]) -> Iterator[Act]:
    """Each act as it went, and how the hand stands after the last one."""
    with TemporaryDirectory() as folder:
        yield from _played(Stage(row, Path(folder) / "pieces"), row)


def _played(stage: Stage, row: dict[str, Any]) -> Iterator[Act]:
    record = stage.record
    open_before: list[str] = []
    for act in row["acts"]:
        seq = record.seq + len(act.get("put", ()))
        refused = stage.act(act)
        came: Act = {
            "then": [told(each.event, with_words="words" in row) for each in record.entries[seq:]],
            "asked": [str(each.question) for each in record.state.questions],
            "refused": refused,
        }
        if came["asked"] == open_before:
            del came["asked"]
        else:
            open_before = came["asked"]
        if "sources" in row:
            came["sources"] = [f"{each.source} {each.by}".strip() for each in record.entries[seq:]]
        session = stage.session
        if session is not None and "notices" in row:
            came["notices"] = [[each.en, each.zh] for each in session.snapshot.notices]
        if session is not None and "attention" in row:
            wanted = session.attention.wanted
            came["wanted"] = sorted([each.kind.value, each.seat] for each in wanted)
        given = {name: value for name, value in act.items() if name not in BROUGHT}
        yield given | {name: told for name, told in came.items() if told or name == "asked"}
    state = record.state
    yield {
        "phase": state.phase.value,
        "scores": list(state.scores),
        "history": [list(map(str, each)) for each in record.history],
        "rivers": [" ".join(map(str, seat.river)) for seat in state.seats],
        "hands": [told(each) for each in (*state.shown, *state.laid_down)],
    }


def followed(row: dict[str, Any]) -> dict[str, Any]:
    """The row with what follows now."""
    *acts, end = done(row)
    now: dict[str, Any] = json.loads(json.dumps(row | {"acts": acts, "end": end}))
    return now


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ROWS])
def test_what_comes_to_the_table_leads_to_this(row: dict[str, Any]) -> None:
    now = followed(row)
    for act, wanted in zip(now["acts"], row["acts"], strict=True):
        assert act == wanted
    assert now["end"] == row["end"]


if __name__ == "__main__":  # what follows now becomes what must follow: read the difference
    now = [json.dumps(followed(row), ensure_ascii=False) for row in ROWS]
    GOLDEN.write_text("\n".join([*now, ""]), encoding="utf-8")
