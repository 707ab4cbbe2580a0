"""Which program this is: its version, the commit that it was built from, its networks."""

import tomllib

from table_assist.parts import VERSION, commit
from table_assist.vision.reading.weights import MANIFEST, WEIGHTS


def lines() -> list[str]:
    """Version, commit, and each network by the beginning of its sha256 and its date."""
    told = [f"table-assist {VERSION}", f"commit {commit() or 'unknown'}"]
    try:
        manifest = tomllib.loads((WEIGHTS / MANIFEST).read_text(encoding="utf-8"))
        for name in ("detector", "recogniser"):
            network = manifest[name]
            told.append(f"{name} {network['sha256'][:12]} of {network['date']}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        told.append(f"networks unknown: {error}")
    return told
