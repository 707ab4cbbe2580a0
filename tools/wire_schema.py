"""The wire between a table and its hub, for other programs.

``python tools/wire_schema.py`` writes the JSON Schema of each message, and messages with keys and
signatures to try a program with. A test compares both with what the program says and takes.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from table_assist.club import wire  # noqa: E402
from table_assist.club.calling import Admission, code_of  # noqa: E402
from table_assist.club.orders import Order, OrderKind  # noqa: E402
from table_assist.record.seal import seal_after  # noqa: E402
from table_assist.trust.installation import (  # noqa: E402
    CODE_BYTES,
    key_of_secret,
    new_share,
)

SCHEMA, VECTORS = ROOT / "docs" / "wire.schema.json", ROOT / "docs" / "wire.vectors.json"
Schema = dict[str, Any]
_STRING: Schema = {"type": "string"}
_LETTERS_SCHEMA: Schema = {"type": "string", "maxLength": wire.MOST_LETTERS}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": wire.WIRE_MOST_NUMBER}
_ANY: Schema = {
    "type": "integer",
    "minimum": -wire.WIRE_MOST_NUMBER,
    "maximum": wire.WIRE_MOST_NUMBER,
}
_BOTH: Schema = {"type": "object", "properties": {"en": _LETTERS_SCHEMA, "zh": _LETTERS_SCHEMA}}


def _hex(letters: int, *, empty: bool = False) -> Schema:
    return {"type": "string", "pattern": f"^[0-9a-f]{{{letters}}}$" + ("|^$" if empty else "")}


def _object(properties: Schema, *optional: str, more: bool = True) -> Schema:
    needed = [name for name in properties if name not in optional]
    found = {"type": "object", "properties": properties, "required": needed}
    return found if more else found | {"additionalProperties": False}


def _four(each: Schema) -> Schema:
    return {"type": "array", "items": each, "minItems": 4, "maxItems": 4}


def schema() -> Schema:
    """Of every message."""
    call = {"key": _hex(32), "reason": _LETTERS_SCHEMA, "seat": _ANY}
    view = {
        "hand": _ANY, "phase": _LETTERS_SCHEMA, "headline": _BOTH, "names": _four(_LETTERS_SCHEMA),
        "scores": _four(_ANY), "dealer": _ANY | {"type": ["integer", "null"]},
        "wall": _ANY | {"type": ["integer", "null"]}, "rules": _BOTH, "profile": _LETTERS_SCHEMA,
        "house": _LETTERS_SCHEMA, "questions": _ANY, "behind": _ANY,
        "call": {"anyOf": [{"type": "null"}, _object(call, *call, more=False)]},
        "pictures": {"const": True}, "made": {"type": "number"},
    }  # fmt: skip
    order = {
        "key": _hex(32), "kind": {"enum": [kind.value for kind in OrderKind]},
        "content": {"type": "object"}, "by": _STRING, "signature": _STRING,
    }  # fmt: skip
    said = {"enum": [each.value for each in wire.HubReply]}
    batch = {
        "format": {"const": wire.LINE_FORMAT}, "version": {"const": wire.LINE_VERSION},
        "epoch": _hex(32), "turn": _COUNT, "after": _COUNT,
        "view": _object(view, *view, more=False),
    }  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a table and a club's hub say to each other (docs/WIRE.md)",
        "$defs": {
            "signature": _object({"key": _hex(64), "signature": _hex(128)}),
            "key": _object({
                "key": _hex(64), "authority": _STRING,
                "versions": {"type": "array", "items": {"type": "integer"}},
            }, "versions"),
            "join": _object({
                "salt": {"type": "string", "pattern": "^[A-Za-z0-9]{1,64}$"}, "ticket": _STRING,
            }, "ticket"),
            "joined": _object({"in": _STRING, "name": _STRING, "table": _hex(64)}, "name", "table"),
            "batch": _object(batch, "view"),
            "order": _object(order),
            "answer": _object({
                "said": said, "turn": _COUNT, "have": _COUNT, "seal": _hex(64, empty=True),
                "orders": {"type": "array", "items": {"$ref": "#/$defs/order"}}, "room": _COUNT,
                "line": {"type": "boolean"},
            }, "room", "line"),
            "hello": _object({
                "version": {"const": wire.LINE_VERSION}, "hub": _hex(64), "share": _hex(64),
            }),
            "welcome": _object({"table": _hex(64), "to": _hex(64), "share": _hex(64)}),
            "piece": _object({
                "order": _hex(32), "digest": _hex(64), "size": _COUNT, "at": _COUNT,
            }),
            "piece answer": _object({"have": _COUNT}),
        },
    }  # fmt: skip


def vectors() -> dict[str, Any]:
    """Messages that a program can compare with its own."""
    hub, table = key_of_secret("01" * 32), key_of_secret("02" * 32)
    code = code_of(hub.public, "", table.public, "5a17")
    event = '{"type":"DealerChosen","seat":1}'
    line = (
        '{"seq":1,"t":1000.0,"source":"person","confidence":1.0,"origin":"","event":' + event + "}"
    )
    seal = seal_after("", line)
    message = {"en": "Round 1", "zh": "第一轮"}
    order = Order("0f" * 16, OrderKind.MESSAGE, message, "Ada").signed(hub, table.public)
    asked = json.dumps({"salt": "5a17"}).encode()
    up = wire.batch_bytes(
        wire.Batch("ab" * 16, 7, 0, ((seal, line),), {"hand": 1, "scores": [0, 0, 0, 0]})
    )
    down = wire.answer_bytes(wire.BatchAnswer(wire.HubReply.KEPT, 7, 1, seal, (order,)))
    joined = Admission(code, "Table 1", table.public).answer()
    shares = {"table": "03" * 32, "hub": "04" * 32}
    calling = wire.Calling(table, hub.public, new_share(shares["table"]))
    welcome, other = wire.take_call(hub, calling.hello(), new_share(shares["hub"]))
    own = calling.heard(welcome)
    return {
        "hub": {"secret": "01" * 32, "key": hub.public},
        "table": {"secret": "02" * 32, "key": table.public},
        "code": {"authority": "", "salt": "5a17", "code": code},
        "seal": {"before": "", "entry": line, "seal": seal},
        "messages": [
            {"of": who, "purpose": purpose, "schema": name, "body": body.decode(),
             "signature": key.sign(purpose, body).decode()}
            for who, key, purpose, name, body in (
                ("table", table, wire.JOIN, "join", asked),
                ("hub", hub, wire.JOIN, "joined", joined),
                ("table", table, wire.UP, "batch", up),
                ("hub", hub, wire.DOWN, "answer", down),
            )
        ],
        "line": {
            "shares": shares, "hello": calling.hello().decode(), "welcome": welcome.decode(),
            "up": [own.sends.packed(up)[:CODE_BYTES].hex() for _ in range(2)],
            "down": [other.sends.packed(down)[:CODE_BYTES].hex() for _ in range(2)],
        },
    }  # fmt: skip


def text(value: object) -> str:
    """As it is written."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(text(schema()), encoding="utf-8")
    VECTORS.write_text(text(vectors()), encoding="utf-8")
