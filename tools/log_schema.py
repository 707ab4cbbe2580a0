"""The JSON Schema of a line of the published log: `python tools/log_schema.py` writes it.

It is made of the events' own annotations, so that it cannot say something else; a test compares.
"""

import json
import sys
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from table_assist.game.question import QuestionId  # noqa: E402
from table_assist.languages.words import Words  # noqa: E402
from table_assist.record.log import Logged, Source  # noqa: E402
from table_assist.record.seal import EXPORT_FORMAT, EXPORT_VERSION  # noqa: E402
from table_assist.tiles.tile import Tile  # noqa: E402

OUT = ROOT / "docs" / "log.schema.json"
Schema = dict[str, Any]
_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def schema() -> Schema:
    """The whole schema."""
    kinds: dict[str, Schema] = {}
    events = [_of(kind, kinds) for kind in get_args(Logged)]
    entry = {
        "seq": {"type": "integer", "minimum": 1},
        "t": {"type": "number"},
        "source": {"enum": [source.value for source in Source]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "origin": {"type": "string"},
        "event": {"oneOf": events},
        "by": {"type": "string"},
        "cause": {"type": "integer"},
        "key": {"type": "string"},
    }
    header = {
        "format": {"const": EXPORT_FORMAT},
        "version": {"const": EXPORT_VERSION},
        "program": {"type": "string"},
        "names": {"type": "array", "items": {"type": "string"}, "minItems": 4, "maxItems": 4},
    }
    line = {
        "seal": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "entry": _object(entry, list(entry)[:6]),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a table-assist log",
        "oneOf": [_object(header, list(header)), _object(line, list(line))],
        "$defs": {
            "tile": {"enum": [str(tile) for tile in Tile], "description": "? is not read"},
            **dict(sorted(kinds.items())),
        },
    }


def _object(properties: Schema, required: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _of(hint: Any, kinds: dict[str, Schema]) -> Schema:
    """The schema of an annotation; dataclasses go into `kinds`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return {"anyOf": [_of(each, kinds) for each in arguments]}
    if origin is tuple and arguments[-1] is ...:
        return {"type": "array", "items": _of(arguments[0], kinds)}
    if origin is tuple:
        items = [_of(each, kinds) for each in arguments]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
    if hint is Tile:
        return {"$ref": "#/$defs/tile"}
    if hint is QuestionId:
        return {"type": "string"}
    if hint is Words:
        return {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
    if hint in _JSON_TYPES:
        return {"type": _JSON_TYPES[hint]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if is_dataclass(hint) and isinstance(hint, type):
        name = hint.__name__
        if name not in kinds:
            kinds[name] = {}  # an event that holds an event
            hints = get_type_hints(hint)
            properties: Schema = {"type": {"const": name}}
            required = ["type"]
            for field in fields(hint):
                properties[field.name] = _of(hints[field.name], kinds)
                if field.default is MISSING and field.default_factory is MISSING:
                    required.append(field.name)
            kinds[name] = _object(properties, required)
        return {"$ref": f"#/$defs/{name}"}
    return {}


def text() -> str:
    """The file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    OUT.write_text(text(), encoding="utf-8")
    print(f"{OUT.relative_to(ROOT)} is written")
