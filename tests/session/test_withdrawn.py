"""A command is done once or not at all, however late the writer comes to it."""

import threading
import time

import pytest

from table_assist.game.events import Penalised
from table_assist.languages.words import Words
from table_assist.record.commands import NotKeptError, Rule, StartHand, key_of
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session import session as session_module
from table_assist.session.session import Session
from tests.stages.recorded_table import NAMES

RULING = Rule(0, "", (-100, 100, 0, 0), Words("a ruling of 100", ""))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(session_module, "COMMAND_TIMEOUT_S", 0.05)
    profile = plain_profile(find_rules("changsha"))
    made = Session(profile, NAMES, Record(None, time.time), now=time.time)
    made.put_command(StartHand(0))
    made.drain()
    return made


def rulings(table: Session) -> int:
    return sum(isinstance(entry.event, Penalised) for entry in table.entries())


def test_a_command_that_was_answered_busy_is_not_done_later(table: Session) -> None:
    with pytest.raises(NotKeptError) as told:
        table.submit(RULING)  # nobody writes: the writer is busy with something else
    assert told.value.is_withdrawn
    table.drain()
    assert rulings(table) == 0
    table.put_command(RULING)
    table.drain()
    assert rulings(table) == 1


def test_a_command_that_the_writer_is_at_is_known_when_it_comes_again(
    table: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(RULING, "Ana, referee", "0123456789abcdef")
    at_it, free = threading.Event(), threading.Event()
    conclude, take = table._conclude, session_module._Request.take

    def slowly() -> None:
        at_it.set()
        free.wait()
        conclude()

    def take_after_the_writer(request: session_module._Request) -> bool:
        if threading.current_thread() is giver:
            at_it.wait()
        return take(request)

    monkeypatch.setattr(table, "_conclude", slowly)
    monkeypatch.setattr(session_module._Request, "take", take_after_the_writer)
    told: list[NotKeptError] = []

    def give() -> None:
        try:
            table.submit(RULING, "Ana, referee", key)
        except NotKeptError as error:
            told.append(error)

    giver = threading.Thread(target=give)
    giver.start()
    while table.waiting == 0:
        time.sleep(0.001)
    writer = threading.Thread(target=table.drain)
    writer.start()
    giver.join()
    assert not told[0].is_withdrawn, "it may be done at any moment: nobody says that it is not"
    free.set()
    writer.join()
    assert table.was_done(key)
    monkeypatch.undo()  # this time it is waited for as long as at a table
    again = threading.Thread(target=give)
    again.start()
    while again.is_alive():
        table.drain()
    assert len(told) == 1
    assert rulings(table) == 1


def test_a_key_is_of_one_command_by_one_person() -> None:
    key = "0123456789abcdef"
    names = {
        key_of(RULING, "Ana, referee", key),
        key_of(RULING, "Ben, referee", key),
        key_of(StartHand(0), "Ana, referee", key),
        key_of(RULING, "Ana, referee", key[::-1]),
    }
    assert len(names) == 4
    assert key_of(RULING, "Ana, referee", "") == ""
