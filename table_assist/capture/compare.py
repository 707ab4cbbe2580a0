"""Two logs of one evening beside each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from table_assist.record.course import differences
from table_assist.record.log import Entry, event_to_dict


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two logs differ.

    Attributes:
        recorded: the entry that was recorded; None: the replay has one more.
        replayed: the replay's entry; None: it has none here.
        cause: what the replayed entry came by; empty where there is none.
    """

    recorded: Entry | None
    replayed: Entry | None
    cause: str = ""

    @property
    def kind(self) -> str:
        """``differs``, ``missing`` or ``added``."""
        if self.recorded is None:
            return "added"
        return "missing" if self.replayed is None else "differs"


def compare(
    recorded: Sequence[Entry], replayed: Sequence[Entry], causes: dict[int, str]
) -> tuple[Difference, ...]:
    """Where they differ in what happened, or in who said so; times and confidences may differ.

    A picture that was kept as JPEG is read a little less or more surely than it was before. The
    sentences of a settlement are no facts either: another version may word them otherwise.
    """
    ours, theirs = [_key(entry) for entry in recorded], [_key(entry) for entry in replayed]
    found: list[Difference] = []
    for kind, a, b, c, d in differences(ours, theirs):
        if kind != "equal":
            for one, other in zip_longest(recorded[a:b], replayed[c:d]):
                cause = causes.get(other.seq, "") if other is not None else ""
                found.append(Difference(one, other, cause))
    return tuple(found)


def difference_lines(difference: Difference, started_s: float) -> Iterator[str]:
    """A difference for people: ``-`` was recorded, ``+`` is the replay's."""
    if difference.recorded is not None:
        yield f"- {_told(difference.recorded, started_s)}"
    if difference.replayed is not None:
        cause = f"   (from {difference.cause})" if difference.cause else ""
        yield f"+ {_told(difference.replayed, started_s)}{cause}"


def difference_to_json(difference: Difference) -> dict[str, object]:
    """A difference for programs."""
    return {
        "kind": difference.kind,
        "recorded": _row(difference.recorded),
        "replayed": _row(difference.replayed),
        "cause": difference.cause,
    }


def _key(entry: Entry) -> str:
    return f"{entry.source} {entry.origin} {_facts(event_to_dict(entry.event))}"


def _facts(event: dict[str, Any]) -> dict[str, Any]:
    """All but the sentences; a correction holds an event in it."""
    return {
        name: _facts(value) if isinstance(value, dict) else value
        for name, value in event.items()
        if name != "steps"
    }


def _row(entry: Entry | None) -> dict[str, object] | None:
    if entry is None:
        return None
    return {"seq": entry.seq, "source": entry.source, "event": event_to_dict(entry.event)}


def _told(entry: Entry, started_s: float) -> str:
    minutes, seconds = divmod(max(0.0, entry.t - started_s), 60)
    event = event_to_dict(entry.event)
    fields = ", ".join(f"{name} {_plain(value)}" for name, value in event.items() if name != "type")
    return (
        f"{int(minutes)}:{seconds:04.1f} entry {entry.seq} {entry.source} {event['type']} {fields}"
    )


def _plain(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
