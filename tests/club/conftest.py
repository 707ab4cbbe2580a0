"""A hub on each of its two databases."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask

from table_assist.club.hub.database import open_base
from tests.stages.club_table import Cluster, new_cluster
from web.club.app import close_club_app, create_club_app

_numbers = itertools.count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with new_cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database."""
    if request.param == "sqlite":
        yield str(tmp_path / "club.sqlite")
        return
    made: Cluster = request.getfixturevalue("cluster")
    name = f"club{next(_numbers)}"
    made.say(f"CREATE DATABASE {name}")
    yield made.address(name)
    made.say(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(autouse=True)
def no_line_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One that is collected open is a warning, and fails whichever test runs just then."""
    opened: list[psycopg.Connection[Any]] = []
    connect = psycopg.connect

    def remembered(*place: str, **given: Any) -> psycopg.Connection[Any]:
        opened.append(line := connect(*place, **given))
        return line

    monkeypatch.setattr(psycopg, "connect", remembered)
    yield
    for line in opened:
        line.close()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players, sessions and tables are numbered 1, 2, 3, for a test that calls them so."""
    monkeypatch.setattr("table_assist.club.hub.database.drawn", lambda newest, now_s: newest + 1)


@pytest.fixture
def app(where: str) -> Iterator[Flask]:
    made = create_club_app(open_base(where))
    yield made
    close_club_app(made)
