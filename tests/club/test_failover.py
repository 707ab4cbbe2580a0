"""The primary dies in mid-load, the standby is promoted: nothing that was acknowledged is lost."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from secrets import token_hex

import psycopg
import pytest
from sqlalchemy.exc import SQLAlchemyError

from bench.club.load import LoadTable, stored_logs, stored_rows
from table_assist.club.hub.database import open_base
from table_assist.club.hub.desk import ask_in, let_in
from table_assist.club.hub.intake import Sent, take
from table_assist.club.wire import Batch, HubReply
from tests.club import faults
from tests.stages.club_table import PAIR, Cluster, address_of, replicated


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    with replicated() as made:
        yield made


def test_a_promoted_standby_has_all_that_was_acknowledged(pair: tuple[Cluster, Cluster]) -> None:
    primary, standby = pair
    base = open_base(address_of(primary, standby))
    table = LoadTable(0, token_hex(16), [], Random(5))
    ask_in(base, table.key.public, "CODE")
    assert let_in(base, "CODE", "Table 1")
    stop, troubles = threading.Event(), list[float]()

    def play() -> None:
        turn = 0
        while not stop.is_set():
            table.make(None)
            turn += 1
            after = table.acknowledged
            rows = tuple(table.rows[after:][:200])
            try:
                (answer,) = take(
                    base, [Sent(table.key.public, Batch(table.epoch, turn, after, rows))]
                )
            except SQLAlchemyError:
                troubles.append(time.monotonic())
                time.sleep(0.05)
                continue
            if answer.said is HubReply.TURN:
                turn = answer.turn
            elif answer.said is HubReply.KEPT:
                assert answer.have >= table.acknowledged
                table.acknowledged = answer.have
            else:
                raise AssertionError(answer)

    playing = threading.Thread(target=play)
    playing.start()
    try:
        wait_until(lambda: table.acknowledged > 50)
        primary.kill()
        before = table.acknowledged
        standby.promote()
        wait_until(lambda: table.acknowledged > before + 50)
    finally:
        stop.set()
        playing.join()
    assert troubles
    ((log, _, epoch, have),) = stored_logs(base)
    assert epoch == table.epoch
    assert have >= table.acknowledged
    own = [(seq, seal, line) for seq, (seal, line) in enumerate(table.rows, start=1)]
    assert stored_rows(base, log) == own[:have]
    base.dispose()


def test_an_old_primary_that_comes_back_acknowledges_nothing(
    pair: tuple[Cluster, Cluster],
) -> None:
    """It comes first in the address, and waits with each commit for a standby that is none now."""
    old, new = pair
    base = open_base(address_of(old, new))
    table = LoadTable(0, token_hex(16), [], Random(5))
    ask_in(base, table.key.public, "CODE")
    assert let_in(base, "CODE", "Table 1")
    table.make(None)
    sent = Sent(table.key.public, Batch(table.epoch, 1, 0, tuple(table.rows)))
    old.kill()
    new.promote()
    new.say("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
    old.start(PAIR)
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(take, base, [sent])
        wait_until(lambda: waits_for_standby(old))
        assert not waits.done()
        old.kill()  # as CLUB.md says
        assert isinstance(waits.exception(), SQLAlchemyError)
    (answer,) = take(base, [sent])
    assert (answer.said, answer.have) == (HubReply.KEPT, 1)
    base.dispose()


def waits_for_standby(server: Cluster) -> bool:
    with psycopg.connect(server.address()) as line:
        query = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        return line.execute(query).fetchone() is not None


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 40
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.timeout(1200)  # a minute on a quiet machine
def test_ten_faults_lose_nothing_double_nothing_and_give_nothing_to_others() -> None:
    """After each of them every table goes on."""
    chosen = (
        faults.hub_killed, faults.clock_moved, faults.failed_over, faults.old_returned,
        faults.both_primary, faults.primary_frozen, faults.standby_killed, faults.network_cut,
        faults.restored, faults.disk_filled,
    )  # fmt: skip
    done = faults.run(chosen, seed=7, tables=12)
    assert done.wrong == []
    assert len(done.again_s) == len(chosen)
    assert any(session for table in done.tables for session, _ in table.points)  # they were seated
