"""What the club's doctor says of a database, and that every sentence is about something real."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from table_assist.cli.club import certificate_finding
from table_assist.cli.main import main
from table_assist.club.hub.archive import examine, write_archive
from table_assist.club.hub.database import SERVER, open_base
from table_assist.health.checks import State
from tests.stages.postgres import Cluster, address_of, replicated
from web.serving.authority import CERTIFICATE, LASTS, own


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    with replicated() as made:
        yield made


def said(where: str, backups: Path | None = None) -> dict[str, list[tuple[State, str]]]:
    found: dict[str, list[tuple[State, str]]] = {}
    for each in examine(where, backups):
        found.setdefault(each.id, []).append((each.state, each.says.en))
    return found


def test_a_file_has_a_disk_and_needs_backups(tmp_path: Path) -> None:
    where = tmp_path / "club.sqlite"
    assert said(str(where)) == {"database": [(State.BAD, f"There is no {where}.")]}
    assert not where.exists()
    base = open_base(str(where))
    assert said(str(where))["backup"] == [(State.BAD, "No backup is known.")]
    write_archive(base, tmp_path / "club.jsonl")
    assert said(str(where))["backup"] == [(State.GOOD, "The newest backup is 0.0 days old.")]
    assert said(str(where))["database"] == [(State.GOOD, "It can be used; 0 tables are in.")]
    assert main(["club", "doctor", "--base", str(where)]) == 0
    base.dispose()


def test_backups_may_lie_elsewhere(tmp_path: Path) -> None:
    where, folder = str(tmp_path / "club.sqlite"), tmp_path / "backups"
    open_base(where).dispose()
    folder.mkdir()
    (folder / "monday").touch()
    assert said(where, folder)["backup"][0][0] is State.GOOD
    assert main(["club", "doctor", "--base", where, "--backups", str(folder)]) == 0


def test_of_two_servers_each_is_told(pair: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    primary, standby = pair
    where = address_of(primary, standby)
    open_base(where).dispose()
    told = said(where)
    assert told["primary"][0][0] is told["standby"][0][0] is State.GOOD
    assert "servers" not in told
    standby.kill()
    told = said(where)
    assert [state for state, _ in told["servers"]] == [State.BAD] * len(told["servers"])
    assert f"127.0.0.1:{standby.port} does not answer." in [each for _, each in told["servers"]]
    standby.start("-c fsync=off")
    primary.kill()
    told = said(where)
    assert "No database server of the club may be written" in str(told["servers"])
    assert "all of them" not in str(told)
    standby.promote()
    told = said(where)
    assert "wait for no standby" in told["primary"][0][1]
    assert f"127.0.0.1:{standby.port}: fsync is off" in str(told["servers"])


def test_hubs_are_told_by_their_connections(
    pair: tuple[Cluster, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = address_of(*pair)
    open_base(where).dispose()
    assert said(where)["hubs"] == [(State.DOUBT, "0 hubs are connected: none.")]
    with monkeypatch.context() as patch:
        patch.setitem(SERVER, "application_name", "table-assist club1:7")
        base = open_base(where)
    assert said(where)["hubs"] == [(State.GOOD, "1 hubs are connected: club1:7.")]
    base.dispose()


def test_a_certificate_is_told_before_it_runs_out(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert own(tmp_path, ["localhost"], now=now).context is not None
    file = tmp_path / CERTIFICATE
    states = [
        certificate_finding(file, now + later).state
        for later in (timedelta(), LASTS - timedelta(days=10), LASTS + timedelta(days=1))
    ]
    assert states == [State.GOOD, State.DOUBT, State.BAD]
    shutil.rmtree(tmp_path)
    assert certificate_finding(file, now).state is State.BAD
