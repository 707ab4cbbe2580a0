"""Draws docs/architecture.svg: the packages on their floors, from what they import.

``python tools/draw_architecture.py`` writes the file; a test compares it with the imports of today.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "architecture.svg"
# The content of each room, in a few words.
ROOMS = {
    "tiles": "faces, melds, a hand divided",
    "languages": "words in each language",
    "parts": "weights, faces, which build",
    "firmware_bridge": "the board's line",
    "vision": "pictures to tiles in zones",
    "rules": "rule sets, judge, sheets",
    "game": "events and their fold",
    "photos": "a declared hand's photo",
    "record": "the log on disk",
    "following": "seen things to events",
    "contract": "commands and snapshots",
    "settings": "the table's TOML file",
    "evidence": "kept pictures, disputes",
    "capture": "recordings",
    "health": "is everything well",
    "twin": "bots, a simulated table",
    "session": "the one writer",
    "trust": "keys that sign",
    "web": "pages and their API",
    "live": "camera, board, session",
    "upkeep": "desk, doctor, trial",
    "cli": "a file a command",
    "web.setup": "setting up, keeping",
}
KEEPING = ("admin", "metrics", "setup", "setup_app", "trial")  # the modules of web.setup's room
# The ways through the house: a mark stands in each room that the thing passes.
WAYS = {
    "a frame": (
        "#1b8a3a",
        (
            "table_assist/vision/pictures/camera.py",
            "table_assist/live/sight.py",
            "table_assist/vision/table/watcher.py",
            "table_assist/session/from_camera.py",
            "table_assist/following/infer.py",
            "table_assist/record/store.py",
        ),
    ),
    "a byte": (
        "#1f5fbf",
        (
            "firmware_bridge/receiver.py",
            "table_assist/live/live_table.py",
            "table_assist/session/from_board.py",
            "table_assist/record/store.py",
            "firmware_bridge/link.py",
        ),
    ),
    "a tap": (
        "#c2571a",
        (
            "web/api/commands.py",
            "table_assist/contract/commands.py",
            "table_assist/live/live_table.py",
            "table_assist/session/command_handler.py",
            "table_assist/record/store.py",
            "table_assist/contract/snapshot.py",
            "web/api/stream.py",
        ),
    ),
}
BOX_W, BOX_H, FLOOR_H, WIDTH, TOP = 168, 48, 76, 1180, 50
INK, GREY, PAPER, FILL = "#222222", "#9a9a9a", "#ffffff", "#f3f0e8"


def room_of(parts: tuple[str, ...]) -> str | None:
    """The room of a module, by the parts of its name."""
    if parts[:2] == ("web", "setup") and parts[2:3] and parts[2] in KEEPING:
        return "web.setup"
    if parts[0] in ("web", "firmware_bridge"):
        return parts[0]
    if parts[0] != "table_assist" or len(parts) == 1 or parts[1].startswith("__"):
        return None
    return parts[1]


def arrows() -> dict[str, set[str]]:
    """Each room and the rooms that it imports from."""
    found: dict[str, set[str]] = {}
    for package in ("table_assist", "firmware_bridge", "web"):
        for path in sorted((ROOT / package).rglob("*.py")):
            room = room_of(path.relative_to(ROOT).with_suffix("").parts)
            if room is not None:
                found.setdefault(room, set()).update(set(_imported(path)) - {room})
    return found


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            room = room_of(tuple(name.split(".")))
            if room is not None:
                yield room


def floors(imports: dict[str, set[str]]) -> list[list[str]]:
    """The rooms, lowest first: each stands right above the highest that it imports from."""
    level: dict[str, int] = {}

    def find(room: str) -> int:
        if room not in level:
            level[room] = 1 + max((find(other) for other in imports[room]), default=-1)
        return level[room]

    rows: list[list[str]] = [[] for _ in range(1 + max(find(room) for room in imports))]
    for room in sorted(imports):
        rows[level[room]].append(room)
    return rows


def needed(imports: dict[str, set[str]]) -> dict[str, list[str]]:
    """The arrows that no longer way tells already."""
    below: dict[str, set[str]] = {}

    def reach(room: str) -> set[str]:
        if room not in below:
            below[room] = set().union(*({other} | reach(other) for other in imports[room]))
        return below[room]

    return {
        room: sorted(o for o in others if not any(o in reach(x) for x in others if x != o))
        for room, others in imports.items()
    }


def places(rows: list[list[str]], drawn: dict[str, list[str]]) -> dict[str, tuple[float, float]]:
    """The middle of each room's box; rooms stand near the ones they import from."""
    found: dict[str, tuple[float, float]] = {}
    height = TOP + FLOOR_H * len(rows)
    for number, row in enumerate(rows):
        wish = {
            room: sum(found[o][0] for o in drawn[room]) / len(drawn[room])
            if drawn[room]
            else WIDTH / 2
            for room in row
        }
        gap = WIDTH / len(row)
        for at, room in enumerate(sorted(row, key=lambda each: (wish[each], each))):
            found[room] = (gap * (at + 0.5), height - FLOOR_H * (number + 0.5))
    return found


def marks() -> dict[str, list[tuple[str, int]]]:
    """The numbers in each room, with the colour of their way."""
    found: dict[str, list[tuple[str, int]]] = {}
    for colour, steps in WAYS.values():
        for number, step in enumerate(steps, start=1):
            if not (ROOT / step).exists():
                raise FileNotFoundError(f"the way leads through {step}, which is not there")
            room = room_of(Path(step).with_suffix("").parts)
            assert room is not None
            found.setdefault(room, []).append((colour, number))
    return found


def drawing() -> str:
    """The whole SVG.

    Raises:
        FileNotFoundError: a way leads through a file that is not there.
    """
    imports = arrows()
    rows, drawn, marked = floors(imports), needed(imports), marks()
    at = places(rows, drawn)
    height = TOP + FLOOR_H * len(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        f'<g stroke="{GREY}" stroke-width="1" fill="none">',
    ]
    for room in sorted(drawn):
        x, y = at[room]
        for other in drawn[room]:
            u, v = at[other]
            a, b = y + BOX_H / 2, v - BOX_H / 2
            middle = (a + b) / 2
            lines.append(
                f'<path d="M{x:.0f} {a:.0f}C{x:.0f} {middle:.0f} {u:.0f} {middle:.0f} '
                f'{u:.0f} {b:.0f}"/>'
            )
    lines.append("</g>")
    for room in sorted(at):
        lines += _box(room, at[room], marked.get(room, []))
    lines += _legend()
    return "\n".join([*lines, "</svg>", ""])


def _box(room: str, at: tuple[float, float], numbers: list[tuple[str, int]]) -> Iterator[str]:
    x, y = at
    left, top = x - BOX_W / 2, y - BOX_H / 2
    yield (
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{BOX_W}" height="{BOX_H}" rx="6" '
        f'fill="{FILL}" stroke="{INK}"/>'
    )
    yield (
        f'<text x="{x:.0f}" y="{y + 1:.0f}" text-anchor="middle" font-weight="bold" '
        f'fill="{INK}">{escape(room)}</text>'
    )
    yield (
        f'<text x="{x:.0f}" y="{y + 17:.0f}" text-anchor="middle" font-size="11" '
        f'fill="{INK}">{escape(ROOMS.get(room, ""))}</text>'
    )
    start = x - 9 * (len(numbers) - 1)
    for place, (colour, number) in enumerate(numbers):
        yield from _mark(start + 18 * place, top, colour, str(number))


def _mark(x: float, y: float, colour: str, text: str) -> Iterator[str]:
    yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="8" fill="{colour}"/>'
    yield (
        f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle" font-size="11" '
        f'fill="{PAPER}">{text}</text>'
    )


def _legend() -> Iterator[str]:
    yield (
        f'<text x="20" y="26" fill="{INK}">A line leads down to what a room imports; '
        "what follows from other lines is left out.</text>"
    )
    for place, (name, (colour, _)) in enumerate(WAYS.items()):
        x = 700 + 160 * place
        yield from _mark(x, 22, colour, "1")
        yield f'<text x="{x + 14}" y="26" fill="{INK}">the way of {escape(name)}</text>'


if __name__ == "__main__":
    OUT.write_text(drawing(), encoding="utf-8")
    print(f"{OUT.relative_to(ROOT)} is drawn")
