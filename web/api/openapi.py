"""The API's description in OpenAPI 3.1, made from what the endpoints declare about themselves."""

from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from web.access.guard import TOKEN_HEADER
from web.access.roles import declared
from web.api.bodies import KEY_HEADER, Fields, schema_of
from web.api.json_schema import whole_number
from web.api.stream import LONGEST_STREAM_DELAY_S

ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {"en": {"type": "string"}, "zh": {"type": "string"}},
            "required": ["en", "zh"],
            # The language that the request asks for besides: "ja", "zh-Hant".
            "additionalProperties": {"type": "string"},
        }
    },
    "required": ["error"],
}
# The answers of every endpoint beside 200.
READING = {
    400: "The request cannot be understood.",
    403: "The viewer's role does not allow it.",
    404: "There is none (now).",
    421: "The table does not answer to this name.",
}
# Pages where it is usual that nobody kept a picture: none need complain.
BARE = {"/api/evidence/<id>/crop.jpg"}
GIVING = {
    **READING,
    409: "It cannot be done now; the sentence says why.",
    413: "The body is too long.",
    415: "The body is no JSON.",
    422: "It is no picture that can be read.",
    429: "Too many tries.",
    503: "It is not on disk (yet), or was withdrawn: the same key tells, and does nothing twice.",
}
STREAMING = {**READING, 503: "All places for live viewers are taken."}
LATE = {
    "/api/table": READING,
    "/api/stream": STREAMING,
    "/api/table/<number:table>": GIVING,  # at a club's hub
}  # what can be had some seconds late
_CONTENT = {
    "/api/stream": "text/event-stream",
    ".jpg": "image/jpeg",
    ".csv": "text/csv",
}


def describe(app: Flask) -> dict[str, Any]:
    """The description of every endpoint under /api."""
    roles = declared(app)
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        if not rule.rule.startswith("/api/"):
            continue
        pieces = _pieces(rule.rule)
        # As OpenAPI writes it: ``/api/evidence/{id}``
        path = "".join(f"{{{name}}}" if is_dynamic else name for is_dynamic, name in pieces)
        in_path = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for is_dynamic, name in pieces
            if is_dynamic
        ]
        kinds = (kind for end, kind in _CONTENT.items() if rule.rule.endswith(end))
        kind = next(kinds, "application/json")
        operations = paths.setdefault(path, {})
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            role = roles[rule.endpoint]
            view = app.view_functions[rule.endpoint]
            errors = GIVING if method == "POST" else LATE.get(rule.rule, READING)
            failed = {"application/json": {"schema": ERROR}}
            operation: dict[str, Any] = {
                "operationId": rule.endpoint.replace(".", "_"),
                "summary": (view.__doc__ or "").strip().split("\n")[0],
                "x-role": None if role is None else role.value,
                "parameters": [*in_path, *_beside(rule, view, method)],
                "responses": {
                    "200": {"description": "Done.", "content": {kind: {}}},
                    **(
                        {"204": {"description": "No picture was kept."}}
                        if rule.rule in BARE
                        else {}
                    ),
                    **{
                        str(code): {"description": why, "content": failed}
                        for code, why in errors.items()
                    },
                },
            }
            content = _sent(view)
            if content:
                operation["requestBody"] = {"required": True, "content": content}
            operations[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "table-assist",
            "version": "1",
            "description": "The dashboard's API. Each operation names the least role "
            "that may use it under x-role.",
        },
        "paths": paths,
    }


def _pieces(rule: str) -> list[tuple[bool, str]]:
    found: list[tuple[bool, str]] = []
    for piece in rule.replace(">", "<").split("<"):
        is_dynamic = len(found) % 2 == 1
        found.append((is_dynamic, piece.split(":")[-1] if is_dynamic else piece))
    return found


def _beside(rule: Rule, view: Any, method: str) -> list[dict[str, Any]]:
    """The parameters in the query and in headers."""
    found = []
    if rule.rule in LATE:
        found.append(
            {"name": "delay", "in": "query", "required": False,
             "schema": whole_number(0, LONGEST_STREAM_DELAY_S),
             "description": "How many seconds old the view is to be."}
        )  # fmt: skip
    signed_by: str = getattr(view, "signed_by", "")
    if signed_by:
        found.append(
            _header(signed_by, "The table's key and its signature of the body (docs/WIRE.md).")
        )
    elif method == "POST":
        found += [
            _header(TOKEN_HEADER, "The token of the viewer's own page."),
            _header(
                KEY_HEADER,
                "Made up for this very command, and the same when it comes again.",
                required=False,
                pattern="^[A-Za-z0-9-]{16,64}$",
            ),
        ]
    return found


def _header(name: str, description: str, *, required: bool = True, **more: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": required,
        "schema": {"type": "string", **more},
        "description": description,
    }


def _sent(view: Any) -> dict[str, Any]:
    """The request's possible body, by its type."""
    fields: Fields | None = getattr(view, "body", None)
    if fields is not None:
        return {"application/json": {"schema": schema_of(fields)}}
    media: tuple[str, ...] = getattr(view, "media", ())
    return {each: {"schema": {"type": "string", "format": "binary"}} for each in media}
