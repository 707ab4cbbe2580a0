"""Somebody at a browser that is none: an address, cookies, and the token of the page."""

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from web.access import guard
from web.access.guard import TOKEN_HEADER
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role

HERE, PHONE, OTHER = "127.0.0.1", "192.168.1.20", "192.168.1.66"


def page_token(page: str) -> str:
    """The token with which a page sends what is tapped on it."""
    return page.split('name="table-token" content="')[1].split('"')[0]


class Visitor:
    """Asks an app without a server; one with a role was let in before."""

    def __init__(
        self,
        app: Flask,
        address: str = HERE,
        role: Role | None = None,
        seat: int | None = None,
        name: str = "a phone",
    ) -> None:
        self.client = app.test_client()
        self.environ = {"REMOTE_ADDR": address}
        if role is not None:
            cookie = app.extensions["sessions"].open(role, seat, name, since=0.0)
            self.client.set_cookie(PAIRING_COOKIE, cookie)

    def get(self, path: str) -> TestResponse:
        """Open a page."""
        return self.client.get(path, environ_base=self.environ)

    def post(self, path: str, body: object, **headers: str) -> TestResponse:
        """Send what a page of the dashboard would."""
        return self.send(path, json.dumps(body).encode(), "application/json", **headers)

    def send(self, path: str, data: bytes, kind: str, **headers: str) -> TestResponse:
        """Send a file."""
        sent = {"Content-Type": kind, TOKEN_HEADER: self.token, **headers}
        return self.client.post(path, data=data, environ_base=self.environ, headers=sent)

    def give(self, path: str, **body: object) -> tuple[int, dict[str, object]]:
        """Give a command: the answer's status and what it says."""
        answer = self.post(path, body)
        return answer.status_code, answer.json

    @property
    def token(self) -> str:
        """As its pages have it."""
        with self.client:
            self.get("/nothing")
            return guard.token()

    def role(self) -> str:
        """As whom the table takes it."""
        found: str = self.get("/api/me").json["role"]
        return found


def violations(page: Page, context: str | None = None) -> list[dict[str, Any]]:
    """What axe-core finds; to tell what is right, too, would take it as long again."""
    found = Axe().run(page, context, {"resultTypes": ["violations"]})
    return list(found.response["violations"])
