"""People who come again: counted by name from the logs, kept, handed to a club, deleted."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from table_assist.live.live_table import LiveTable
from table_assist.record.commands import BeginGame, NamePlayer, Settle, TellBirds, TellHand
from table_assist.record.export import played_hands
from table_assist.record.regulars import (
    NOBODY,
    Regular,
    Regulars,
    RegularsService,
    games,
    open_regulars,
    played_by,
)
from table_assist.settings.config import Config, LogConfig
from table_assist.tiles.tile import parse_tiles
from tests.session.test_manual_hands import told
from tests.stages.phone import Phone
from tests.stages.web_fakes import Evening, FakeTable
from web import create_app
from web.serve import serve

HANDS = (
    told(1, "123m456m789s123p55s", "3p"),
    told(1, "111m999m111s999s55s", "5s", discarder=2),
    told(3, "123m456m789s123p55s", "3p", discarder=2),
)
NAMES = ("Ana", "Ben", "小赵", "Dora")


def evening(path: Path, names: tuple[str, ...] = NAMES, start: float = 1000.0) -> tuple:
    """The entries of an evening of three hands; its log is closed."""
    now, config = [start], Config(log=LogConfig(str(path)))
    table = LiveTable(config, camera=None, reader=None, now=lambda: now[0])
    table.start()
    assert table.submit(BeginGame(100)) is None
    for seat, name in enumerate(names):
        assert table.submit(NamePlayer(seat, name)) is None
    for number, hand in enumerate(HANDS):
        now[0] += 100
        assert table.submit(TellHand(hand, dealer=0 if number == 0 else None)) is None
        assert table.submit(TellBirds(parse_tiles("1m9p"))) is None
        assert table.submit(Settle()) is None
    entries = table.entries()
    table.stop()
    return entries


def counted(desk: RegularsService, entries: tuple) -> dict:
    return {each.regular.name: dict(each.tallies) for each in desk.known(entries, NOBODY)}


def test_people_are_counted_by_name_from_every_log_and_a_copy_is_no_other_log(
    tmp_path: Path,
) -> None:
    entries = evening(tmp_path / "now.sqlite")
    evening(tmp_path / "before.sqlite", ("BEN ", "Eve", "小赵", "Ana"), 100.0)
    shutil.copy(tmp_path / "now.sqlite", tmp_path / "copy.sqlite")
    (tmp_path / "broken.sqlite").write_text("no log")
    desk = RegularsService(Regulars(), tmp_path / "now.sqlite")
    for name in ("Ana", "Ben", "小赵"):
        desk.kept.keep(Regular(name))
    found = counted(desk, entries)
    assert {name: own["changsha"].hands for name, own in found.items()} == dict.fromkeys(found, 6)
    # Ben won two at the second seat, one of them drawn; 小赵 gave two of three each time.
    ben, zhao, ana = (found[name]["changsha"] for name in ("Ben", "小赵", "Ana"))
    assert (ben.wins, ben.drawn, ben.gave) == (2, 1, 0)
    assert (zhao.wins, zhao.gave) == (0, 4)
    assert (ana.wins, ana.gave) == (1, 0)  # at the fourth seat, the evening before
    assert ben.chance == pytest.approx(6 / 4)


def test_points_are_those_of_the_ledger(tmp_path: Path) -> None:
    entries = evening(tmp_path / "log.sqlite")
    desk = RegularsService(Regulars())
    for name in NAMES:
        desk.kept.keep(Regular(name))
    last = played_hands(entries)[-1]
    points = [own["changsha"].points for own in (counted(desk, entries)[name] for name in NAMES)]
    assert points == [score - 100 for score in last.scores]
    assert sum(points) == 0


def test_who_is_deleted_does_not_come_back_with_the_name(tmp_path: Path) -> None:
    entries = evening(tmp_path / "log.sqlite")
    path = tmp_path / "log.sqlite.regulars.sqlite"
    desk = RegularsService(Regulars(path))
    desk.kept.keep(Regular("Ana", large=True))
    desk.kept.keep(Regular("Ben"))
    assert desk.kept.forget("ana", now=2000.0)
    assert not desk.kept.forget("ana", now=2000.0)
    assert "Ana" not in counted(desk, entries)
    assert b"Ana" not in path.read_bytes()
    again = desk.kept.keep(Regular("Ana"))
    assert not again.large
    assert counted(desk, entries)["Ana"] == {}, "what was played before is not counted again"
    [(players, _)] = games(played_by(played_hands(entries), NOBODY), [again])
    assert "ana" not in players
    desk.kept.close()


def test_hands_of_before_do_not_count(tmp_path: Path) -> None:
    entries = evening(tmp_path / "log.sqlite")  # three hands, until 1300
    desk = RegularsService(Regulars())
    secret = desk.kept.meet(Regular("Ana", since=1150.0))
    assert secret is not None
    [ana] = desk.known(entries, NOBODY)
    assert (dict(ana.tallies)["changsha"].hands, ana.uncounted) == (2, 1)
    assert desk.kept.meet(Regular("ANA")) is None, "the name is hers"
    desk.kept.forget("Ana", now=1250.0)
    assert desk.kept.proved([secret]) == frozenset()
    desk.kept.meet(Regular("Ana"))
    [ana] = desk.known(entries, NOBODY)
    assert (dict(ana.tallies)["changsha"].hands, ana.uncounted) == (1, 0), "deleted is deleted"


def test_who_says_a_name_at_the_same_time_as_another_is_not_met() -> None:
    kept, start = Regulars(), Barrier(8)

    def say(_: int) -> str | None:
        start.wait()
        return kept.meet(Regular("Ana"))

    with ThreadPoolExecutor(8) as people:
        said = list(people.map(say, range(8)))
    assert sum(each is not None for each in said) == 1


def test_a_file_of_before_keeps_its_people_and_proves_none_of_them(tmp_path: Path) -> None:
    path = tmp_path / "regulars.sqlite"
    first = Regulars(path)
    first.keep(Regular("Ana", colour=3))
    first.close()
    with closing(sqlite3.connect(path)) as base:
        base.executescript("DROP TABLE proofs; PRAGMA user_version = 1;")
    again = Regulars(path)
    assert [each.name for each in again.all()] == ["Ana"]
    assert again.phones("Ana") == 0
    assert again.proved(["another"]) == frozenset()
    again.close()


def test_what_was_chosen_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "regulars.sqlite"
    first = Regulars(path)
    first.keep(Regular("Ana", colour=3, language="zh", large=True, voice=True))
    first.close()
    assert Regulars(path).find("ANA") == Regular("Ana", 0.0, 3, "zh", large=True, voice=True)
    assert path.stat().st_mode & 0o077 == 0


def test_ratings_rise_for_who_wins_and_are_those_of_the_club(tmp_path: Path) -> None:
    entries = evening(tmp_path / "log.sqlite")
    desk = RegularsService(Regulars())
    for name in NAMES:
        desk.kept.keep(Regular(name))
    course = {each.regular.name: each.course for each in desk.known(entries, NOBODY)}
    assert {len(each) for each in course.values()} == {1}, "an evening is one game"
    assert course["Ben"][-1] == max(each[-1] for each in course.values())
    assert course["小赵"][-1] == min(each[-1] for each in course.values())


SWALLOWS = """CREATE TRIGGER quiet BEFORE INSERT ON regulars
    BEGIN SELECT RAISE(IGNORE); END"""


@pytest.mark.parametrize("is_program", [False, True])
def test_a_file_of_another_program_is_not_touched(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_program: bool
) -> None:
    path = tmp_path / "regulars.sqlite"
    if is_program:
        Regulars(path).close()
        with sqlite3.connect(path) as base:
            base.execute(SWALLOWS)
        base.close()
    else:
        path.write_text("something else, of somebody else, long enough to be no database")
    before = path.read_bytes()
    with pytest.raises(sqlite3.DatabaseError):
        Regulars(path)
    table = RegularsService(open_regulars(path))
    assert "nobody is remembered" in caplog.text
    serving = serve(create_app(FakeTable(Evening().snapshot()), regulars=table), port=0)
    phone = Phone(int(serving.url.split(":")[2].strip("/")), 1)
    chosen = {"colour": 0, "language": "", "large": True, "strong": False, "still": False}
    assert phone.post("/api/regulars/seat/0", chosen | {"voice": False})[0] == 200
    assert [each.large for each in table.kept.all()] == [True], "it plays on, and swallows nothing"
    serving.close()
    table.kept.close()
    assert path.read_bytes() == before
