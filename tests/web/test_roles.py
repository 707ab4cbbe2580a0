"""Who asks is decided on the server."""

import pytest
from flask import Flask

from web.access.roles import Role, Viewer, declared, require, viewer


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)

    @app.get("/who")
    @require(Role.TELEVISION)
    def who() -> str:
        return viewer().by

    @app.get("/desk")
    @require(Role.REFEREE)
    def desk() -> str:
        return "desk"

    return app


def test_a_role_includes_all_below_it_and_none_above() -> None:
    order = [Role.TELEVISION, Role.SEAT, Role.SCORER, Role.REFEREE, Role.ADMIN]
    for place, role in enumerate(order):
        assert [role.includes(other) for other in order] == [
            other <= place for other in range(len(order))
        ]


@pytest.mark.parametrize("other", Role)
def test_a_camera_does_nothing_else_and_nobody_is_one_in_its_place(other: Role) -> None:
    assert Role.CAMERA.includes(other) is (other in (Role.CAMERA, Role.TELEVISION))
    assert other.includes(Role.CAMERA) is (other is Role.CAMERA)


def test_only_a_seat_has_a_seat() -> None:
    with pytest.raises(ValueError, match="has the seat None"):
        Viewer(Role.SEAT)
    with pytest.raises(ValueError, match="has the seat 2"):
        Viewer(Role.SCORER, 2)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_the_local_machine_is_admin(app: Flask, address: str) -> None:
    answer = app.test_client().get("/who", environ_base={"REMOTE_ADDR": address})
    assert answer.text == "admin"


@pytest.mark.parametrize("address", ["192.168.1.20", "10.0.0.1", "fe80::1", "", "localhost"])
def test_a_stranger_of_the_network_sees_the_television(app: Flask, address: str) -> None:
    client = app.test_client()
    assert client.get("/who", environ_base={"REMOTE_ADDR": address}).text == "television"
    assert client.get("/desk", environ_base={"REMOTE_ADDR": address}).status_code == 403


def test_an_endpoint_without_a_role_is_found(app: Flask) -> None:
    app.add_url_rule("/open", "open", lambda: "open")
    assert declared(app) == {
        "static": Role.TELEVISION,
        "who": Role.TELEVISION,
        "desk": Role.REFEREE,
        "open": None,
    }
