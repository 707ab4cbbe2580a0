"""Requests that are made of an app's own description, as a stranger from the network sends them."""

from collections.abc import Callable
from dataclasses import dataclass

import requests
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation

from web.access import guard
from web.access.guard import TOKEN_HEADER
from web.api import openapi

STRANGER = {"X-Forwarded-For": "192.0.2.9"}


def described(app: Flask) -> schemathesis.BaseSchema:
    """The app's own description."""
    return schemathesis.openapi.from_dict(openapi.describe(app))


def operations(schema: schemathesis.BaseSchema) -> list[tuple[str, str]]:
    """Every operation of the API but the stream, which does not end."""
    found = [result.ok() for result in schema.get_all_operations()]
    return [(each.method, each.path) for each in found if each.path != "/api/stream"]


def drawn(
    operation: APIOperation, mode: GenerationMode, examples: int
) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Makes of a check of one case a check of so many, the same ones in each run."""
    drawn_by = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    cases = given(case=operation.as_strategy(generation_mode=mode))
    return lambda check: drawn_by(cases(check))


@dataclass(frozen=True)
class Said:
    """What is known of an operation: the answers that it names, and the role that it asks for."""

    statuses: frozenset[int]
    role: str
    takes_a_body: bool


def said_of(app: Flask, method: str, path: str) -> Said:
    """The operation's own description."""
    definition = openapi.describe(app)["paths"][path][method]
    statuses = frozenset(int(code) for code in definition["responses"])
    return Said(statuses, definition["x-role"], "requestBody" in definition)


def sender(app: Flask, cookie: str = "") -> dict[str, str]:
    """The headers of somebody in the network, with the page's token."""
    headers = dict(STRANGER)
    if cookie:
        headers["Cookie"] = cookie
    with app.test_request_context("/", headers=headers):
        headers[TOKEN_HEADER] = guard.token()
    return headers


def send(app: Flask, case: Case, headers: dict[str, str]) -> tuple[int, str, bytes]:
    """The case as it is, but for who sends it: status, kind and content of the answer."""
    prepared = case.as_transport_kwargs(base_url="http://127.0.0.1")
    sent = {**prepared.get("headers", {}), **headers}
    client = app.test_client(use_cookies=False)
    request = requests.Request(**{**prepared, "headers": sent}).prepare()
    answer = client.open(
        request.path_url,
        method=request.method,
        headers=list(request.headers.items()),
        data=request.body,
        base_url="http://127.0.0.1",
    )
    return answer.status_code, answer.mimetype, answer.get_data()
