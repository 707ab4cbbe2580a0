"""A page over many rounds answers soon, once the logs are folded; the size is asked for.

`TABLE_ASSIST_SEASON=100x12x8 pytest -s tests/club/test_season_speed.py` fills 100 tables with 12
rounds of 8 hands each.
"""

import os
import time

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.stages.club_season import season

SOON_S = 0.3


def answered_s(client: FlaskClient, path: str) -> float:
    begun = time.perf_counter()
    assert client.get(path).status_code == 200
    return time.perf_counter() - begun


@pytest.mark.usefixtures("counted")
def test_pages_of_a_season_answer_soon(app: Flask) -> None:
    count, rounds, hands = map(int, os.environ.get("TABLE_ASSIST_SEASON", "5x2x2").split("x"))
    made, client = season(app, count, rounds, hands), app.test_client()
    took: dict[str, float] = {}
    for name, path in (
        ("first of all", f"/api/standings/{made.session}"),
        ("standings", f"/api/standings/{made.session}"),
        ("ratings, first", "/api/ratings"),
        ("ratings", "/api/ratings"),
        ("player", "/api/player/1"),
        ("seating", f"/api/seating/{made.session}"),
        ("hall", "/api/hall"),
    ):
        took[name] = min(answered_s(client, path) for _ in range(1 if "first" in name else 3))
    told = ", ".join(f"{name} {1000 * s:.0f} ms" for name, s in took.items())
    print(f"{app.extensions['base'].dialect.name}: {made.entries} entries: {told}")
    late = {name: s for name, s in took.items() if "first" not in name and s > SOON_S}
    assert late == {}
