"""The report of a trial: JSON, and one HTML file with the pictures of what was not right.

The verdict's limits were fitted to simulated trials beside simulated evenings at the same tables.
"""

import base64
import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from math import inf
from pathlib import Path
from statistics import median, quantiles
from typing import get_args

from jinja2 import Template

from table_assist.game.events import (
    Answered,
    Asked,
    Claimed,
    Discarded,
    End,
    Event,
    Settled,
    Transfers,
)
from table_assist.game.people import Names
from table_assist.game.turn import on_turn
from table_assist.languages.words import View, Words, phrase, words_view
from table_assist.live.manifest import RecordedLook
from table_assist.live.recorder import load_recording
from table_assist.record.course import BESIDE_PLAY, in_order, key_of, matched
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.upkeep.trial.courses import NOT_LAID, Script, TrialAct, named
from table_assist.upkeep.trial.script import Mark, Progress
from web.view.sentences import sentence

# The comparison of the followed table with the laid one: event by event, and the settlement.

# Neither seen nor missed: told, or said by the rules.
_NOT_LAID = (*BESIDE_PLAY, *NOT_LAID, *get_args(End))


def is_laid(event: Event) -> bool:
    """Whether a camera sees it: neither told, nor said by the rules."""
    return not isinstance(event, _NOT_LAID)


class LaidFate(StrEnum):
    """The table's reading of something that was laid."""

    RIGHT = "right"
    ASKED = "asked"  # not on record as it was, and people are asked, or it stands there as "?"
    WRONG = "wrong"  # something else is on record, and people are asked
    SILENT = "silent"  # something else, or nothing, and nobody is asked
    VOID = "void"  # skipped, or laid otherwise: it says nothing


FATES = {
    LaidFate.RIGHT: Words("right", "正确"),
    LaidFate.ASKED: Words("asked", "已询问"),
    LaidFate.WRONG: Words("wrong, and asked", "有误，已询问"),
    LaidFate.SILENT: Words("wrong without a question", "有误且未询问"),
    LaidFate.VOID: Words("not counted", "不计"),
}


@dataclass(frozen=True, slots=True)
class JudgedEvent:
    """One event.

    Attributes:
        step: of the script; None for what is on record and was never laid.
        recorded: what stands in its place.
        seen_s: from its step's end until it was on record as it was.
    """

    step: int | None
    event: Event
    fate: LaidFate
    recorded: tuple[Event, ...] = ()
    seen_s: float | None = None


@dataclass(frozen=True, slots=True)
class TrialSettlement:
    """The short hand's true transfers, and the table's; None: nothing is settled."""

    truth: Transfers | None
    ledger: Transfers | None
    fate: LaidFate


@dataclass(frozen=True, slots=True)
class ComparedTrial:
    """A trial's acts two and three beside what was followed.

    Attributes:
        questions: what people were asked, when, in order.
    """

    judged: tuple[JudgedEvent, ...]
    settlement: TrialSettlement | None
    questions: tuple[tuple[float, Asked], ...]

    def count(self, fate: LaidFate) -> int:
        """How many events fared so."""
        return sum(each.fate is fate for each in self.judged)

    @property
    def is_silently_wrong(self) -> bool:
        """Something is wrong, and nobody was asked about it."""
        wrong_points = self.settlement is not None and self.settlement.fate is LaidFate.SILENT
        return bool(self.count(LaidFate.SILENT)) or wrong_points


@dataclass(frozen=True, slots=True)
class _Laid:
    """An event of the script that somebody came to."""

    step: int
    event: Event
    mark: Mark
    shown_t: float
    done_t: float


@dataclass(frozen=True, slots=True)
class _Questions:
    """The questions that people were asked.

    Attributes:
        mistake_t: from then on the table does right to ask, and asking says nothing against it.
        record: by their numbers the entries that are asked about.
        held: from when to when a question stood that holds the hand up.
        out_of_turn: the discards where another one was due: people are told so.
    """

    asked: Sequence[tuple[float, Asked]]
    mistake_t: float
    record: Mapping[int, Event]
    held: Sequence[tuple[float, float]] = ()
    out_of_turn: Container[int] = ()

    def is_held(self, t: float) -> bool:
        """Whether people knew then that the hand does not go on without them."""
        return any(since <= t < until for since, until in self.held)

    def fate(self, fate: LaidFate, t: float) -> LaidFate:
        """The fate that it counts as."""
        return LaidFate.VOID if fate is not LaidFate.SILENT and t >= self.mistake_t else fate


@dataclass(frozen=True, slots=True)
class _Got:
    """An event on record, and when it was so."""

    seq: int
    event: Event
    t: float


def compare(script: Script, progress: Progress, entries: Sequence[Entry]) -> ComparedTrial:
    """Beside the log's entries what the marks say that was laid."""
    record = Record(None, lambda: 0.0, entries)
    laid = list(_laid(script, progress))
    got = [
        _Got(seq, event, record.last_word(seq).t)
        for seq, event in record.counting
        if is_laid(event)
    ]
    answered = {e.question for _, e in record.counting if isinstance(e, Answered) and e.answer}
    questions = tuple(  # but for what only people can know and have said
        (record.entries[seq - 1].t, event)
        for seq, event in record.counting
        if isinstance(event, Asked) and event.question not in answered
    )
    on_record = {each.seq: each.event for each in got}
    # When a person first laid what the rules forbid, because the script says so
    shown_t = [progress.since, *(marked.t for marked in progress.marks)]
    mistake_t = next(
        (
            t
            for t, marked in zip(shown_t, progress.marks, strict=False)
            if script.steps[marked.step].is_mistake and marked.mark is Mark.DONE
        ),
        inf,
    )
    held, astray = tuple(_held(record)), set(_out_of_turn(record))
    judged = _judge(laid, got, _Questions(questions, mistake_t, on_record, held, astray))
    return ComparedTrial(judged, _settlement(script, progress, record, questions), questions)


def _laid(script: Script, progress: Progress) -> Iterator[_Laid]:
    shown_t = progress.since
    for marked in progress.marks:
        for event in script.steps[marked.step].events:
            if is_laid(event):
                yield _Laid(marked.step, event, marked.mark, shown_t, marked.t)
        shown_t = marked.t


def _out_of_turn(record: Record) -> Iterator[int]:
    """The discards of who was not to discard."""
    for at, (seq, event) in enumerate(record.counting):
        if isinstance(event, Discarded) and on_turn(record.state_before(at)) != event.seat:
            yield seq


def _held(record: Record) -> Iterator[tuple[float, float]]:
    """From when to when questions stood that hold the hand up."""
    ended = {
        event.question: record.entries[seq - 1].t
        for seq, event in record.counting
        if isinstance(event, Answered)
    }
    for seq, event in record.counting:
        if isinstance(event, Asked) and event.blocks:
            yield record.entries[seq - 1].t, ended.get(event.question, inf)


def _judge(
    laid: Sequence[_Laid], got: Sequence[_Got], questions: _Questions
) -> tuple[JudgedEvent, ...]:
    # What was not laid as the script says, and what rests on a discard that was not
    void: list[_Laid] = []
    rests = 0
    for one in laid:
        is_amiss = one.mark is not Mark.DONE
        if is_amiss or rests:
            void.append(one)
        # The discard after it may count as its owner's, and what is claimed then rests on both.
        rests = isinstance(one.event, Discarded) and (2 if is_amiss else max(0, rests - 1))
    counted = [each for each in laid if each not in void]
    truth, recorded = [each.event for each in counted], [each.event for each in got]
    pairs, to = in_order(truth, recorded), dict(matched(truth, recorded))
    # Entries that are right but not in their order: they were seen late
    free = [at for at in range(len(got)) if at not in to.values()]
    for place, event in enumerate(truth):
        other = next((at for at in free if key_of(recorded[at]) == key_of(event)), None)
        if place not in to and other is not None:
            free.remove(other)
            to[place] = other
    left = [key_of(each.event) for each in void]
    found = [JudgedEvent(each.step, each.event, LaidFate.VOID) for each in void]
    for gap in _gaps(pairs, counted, got, void):
        surplus = [each for at, each in gap.got if at not in to.values()]
        surplus = [each for each in surplus if key_of(each.event) not in left]
        missing = [each for at, each in gap.laid if at not in to]
        found += [
            JudgedEvent(each.step, each.event, LaidFate.VOID)
            if gap.is_void
            else _missing(each, surplus, gap, questions)
            for each in missing
        ]
        stands_in = {type(each.event) for each in missing}
        if not gap.is_void:
            seqs = {each.seq for each in surplus} | {gap.follows}
            found += [_extra(e, seqs, questions) for e in surplus if type(e.event) not in stands_in]
    for at, other in to.items():
        one, seen = counted[at], got[other]
        late_s = max(0.0, seen.t - one.done_t)
        found.append(JudgedEvent(one.step, one.event, LaidFate.RIGHT, (seen.event,), late_s))
    return tuple(sorted(found, key=lambda each: inf if each.step is None else each.step))


@dataclass(frozen=True, slots=True)
class _Gap:
    """Between two events that agree: what was laid and what is on record, with their places.

    Attributes:
        precedes: the entry that agrees before it, with which a claim that is missing begins.
        follows: the entry that agrees next; a question about it may be about the gap.
        is_void: something was laid there that says nothing.
    """

    laid: tuple[tuple[int, _Laid], ...]
    got: tuple[tuple[int, _Got], ...]
    precedes: int
    follows: int
    is_void: bool


def _gaps(
    pairs: Sequence[tuple[int, int]],
    laid: Sequence[_Laid],
    got: Sequence[_Got],
    void: Sequence[_Laid],
) -> Iterator[_Gap]:
    first = low = 0
    after = -1
    for at, other in (*sorted(pairs), (len(laid), len(got))):
        until = laid[at].step if at < len(laid) else inf
        yield _Gap(
            tuple(enumerate(laid))[first:at],
            tuple(enumerate(got))[low:other],
            got[low - 1].seq if low else 0,
            got[other].seq if other < len(got) else 0,
            any(after <= each.step <= until for each in void),
        )
        first, low = at + 1, other + 1
        after = laid[at].step if at < len(laid) else after


def _missing(
    one: _Laid,
    surplus: Sequence[_Got],
    gap: _Gap,
    questions: _Questions,
) -> JudgedEvent:
    """An event that is not on record as it was laid."""
    alike = [each for each in surplus if type(each.event) is type(one.event)]
    recorded = tuple(each.event for each in alike)
    seat = getattr(one.event, "seat", None)
    seqs = {each.seq for each in surplus} | {gap.follows}
    if isinstance(one.event, Claimed):
        seqs.add(gap.precedes)
    asked = gap.follows in questions.out_of_turn or any(
        _is_about(each, t, seat, seqs, one.shown_t)
        or (t >= one.shown_t and _takes_for(each, one.event, questions.record))
        for t, each in questions.asked
    )
    fate = LaidFate.WRONG if asked else LaidFate.SILENT
    is_known = asked or questions.is_held(one.done_t)  # nothing of it counts before an answer
    if any(_is_unread(each.event) for each in alike) or (is_known and not alike):
        fate = LaidFate.ASKED
    return JudgedEvent(one.step, one.event, questions.fate(fate, one.done_t), recorded)


def _extra(extra: _Got, seqs: set[int], questions: _Questions) -> JudgedEvent:
    """An entry that was never laid.

    Args:
        seqs: what else is on record there: a discard is inferred from a claim that is asked about.
    """
    seat = getattr(extra.event, "seat", None)
    asked = any(_is_about(each, t, seat, seqs, extra.t) for t, each in questions.asked)
    fate = (
        LaidFate.ASKED if _is_unread(extra.event) else LaidFate.WRONG if asked else LaidFate.SILENT
    )
    return JudgedEvent(None, extra.event, questions.fate(fate, extra.t), (extra.event,))


def _is_about(asked: Asked, t: float, seat: int | None, seqs: set[int], since: float) -> bool:
    """Whether the question may be about this: by its entry, else by seat and time."""
    if asked.about:
        return asked.about in seqs
    return t >= since and asked.question.seat in (None, seat)


def _takes_for(asked: Asked, event: Event, record: Mapping[int, Event]) -> bool:
    """Whether it asks if an earlier discard there is this one: it lies where that lay.

    That one was claimed, and the claim was missed.
    """
    before = record.get(asked.about)
    return (
        isinstance(event, Discarded)
        and isinstance(before, Discarded)
        and before.seat == event.seat
        and str(event.tile) in asked.choices
    )


def _is_unread(event: Event) -> bool:
    """Whether a face of it stands as "?"."""
    values = [getattr(event, name, None) for name in ("tile", "winning_tile")]
    for name in ("tiles", "concealed"):
        values += getattr(event, name, None) or ()
    return Tile.UNKNOWN in values


def _settlement(
    script: Script,
    progress: Progress,
    record: Record,
    questions: Sequence[tuple[float, Asked]],
) -> TrialSettlement | None:
    """None where the short hand was not laid to its end."""
    marked = [m for m in progress.marks if script.steps[m.step].act is TrialAct.HAND]
    ends = [e for m in marked for e in script.steps[m.step].events if isinstance(e, Settled)]
    if not ends:
        return None
    settled = [e for _, e in record.counting if isinstance(e, Settled)]
    ledger = settled[0].transfers if settled else None
    truth = ends[0].transfers
    of_hand = [
        m for m in marked if any(not isinstance(e, Settled) for e in script.steps[m.step].events)
    ]
    if any(each.mark is not Mark.DONE for each in of_hand):
        return TrialSettlement(truth, ledger, LaidFate.VOID)
    if ledger == truth:
        return TrialSettlement(truth, ledger, LaidFate.RIGHT)
    asked = 1 in {asked.question.hand for _, asked in questions}
    fate = LaidFate.SILENT if not asked else LaidFate.ASKED if ledger is None else LaidFate.WRONG
    return TrialSettlement(truth, ledger, fate)


FILES = ("report.html", "report.json")
# Of the events laid those that are on record as they were, without a question.
LIVE_SHARE, ROWS_SHARE = 1.0, 0.9815
LEAST_EVENTS = 20  # fewer say nothing of an evening


class TableFit(StrEnum):
    """The use that the table is fit for."""

    LIVE = "live"
    ROWS = "rows"
    PHOTOGRAPHS = "photographs"
    UNKNOWN = "unknown"


FIT_WORDS = {
    TableFit.LIVE: Words("Fit to be followed live.", "适合实时跟踪。"),
    TableFit.ROWS: phrase("report.fit_to_be_followed"),
    TableFit.PHOTOGRAPHS: phrase("report.not_fit"),
    TableFit.UNKNOWN: phrase("report.too_little_was_laid"),
}
_REPORT_WORDS = {
    "title": Words("The trial", "试局"),
    "laid": Words("What was laid", "所摆内容"),
    "settled": Words("settlement, laid / followed", "结算：实际 / 记录"),
    "seconds": Words("seconds until seen: median, nine in ten", "看到所需秒数"),
    "asked": Words("What was asked", "提出的问题"),
    "amiss": Words("What was not right", "不正确之处"),
}
# Compiled when a trial is over: to do it at each start took a tenth of that.
_PAGE = partial(
    Template,
    """<!doctype html>
{%- macro both(w) %}{{ w.en }}{% if w.en != w.zh %} <i lang="zh-Hans">{{ w.zh }}</i>{% endif %}
{%- endmacro %}
<html lang="en"><head><meta charset="utf-8"><title>{{ said.title.en }}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:18px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#1f2823;background:#fcfaf4}i{color:#59645e;font-style:normal}li{margin:.6rem 0}
img{max-width:100%;border-radius:.5rem}th{padding-right:.8rem;text-align:left}
.fit{font-size:1.3rem;font-weight:600}</style></head>
<body><h1>{{ both(said.title) }}</h1><p class="fit">{{ both(view.verdict) }}</p>
<h2>{{ both(said.laid) }}</h2><table>
{% for fate, words in fates %}
<tr><th>{{ both(words) }}</th><td>{{ view.events[fate] }}</td></tr>
{% endfor %}
{% if view.settlement %}<tr><th>{{ both(said.settled) }}</th>
<td>{{ view.settlement.truth }} / {{ view.settlement.ledger }}
({{ view.settlement.fate }})</td></tr>
{% endif %}
{% if view.seconds %}<tr><th>{{ both(said.seconds) }}</th>
<td>{{ view.seconds.median }}, {{ view.seconds.p90 }}</td></tr>{% endif %}</table>
{% if view.questions %}<h2>{{ both(said.asked) }}</h2><ul>
{% for each in view.questions %}<li>{{ both(each) }}</li>{% endfor %}</ul>{% endif %}
{% if view.not_right %}<h2>{{ both(said.amiss) }}</h2><ul>{% for row in view.not_right %}
<li><b>{{ both(row.said) }}</b>{% if row.script %}<br>{{ both(row.script) }}{% endif %}
{% for each in row.recorded %}<br>→ {{ both(each) }}{% endfor %}
{% for picture in pictures.get(row.step, ()) %}
<br><img alt="" src="data:image/jpeg;base64,{{ picture }}">{% endfor %}</li>{% endfor %}</ul>
{% endif %}</body></html>
""",
    autoescape=True,
    trim_blocks=True,
)


def make_report(
    folder: Path, script: Script, progress: Progress, entries: Sequence[Entry], names: Names
) -> View:
    """Compare, write ``report.json`` and ``report.html``, and return what a page shows."""
    view = report_view(script, compare(script, progress, entries), names)
    text = json.dumps(view, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
    shown = {row["step"] for row in view["not_right"]}
    done_t = {each.step: each.t for each in progress.marks if each.step in shown}
    page = _PAGE().render(
        view=view,
        said={name: words_view(words) for name, words in _REPORT_WORDS.items()},
        fates=[(fate.value, words_view(words)) for fate, words in FATES.items()],
        pictures=_pictures(folder, done_t),
    )
    (folder / "report.html").write_text(page, encoding="utf-8")
    return view


def report_view(script: Script, compared: ComparedTrial, names: Names) -> View:
    """Everything that the report says, as JSON values."""
    counted = len(compared.judged) - compared.count(LaidFate.VOID)
    share = compared.count(LaidFate.RIGHT) / counted if counted >= LEAST_EVENTS else None
    fit = fit_of(share, is_silent=compared.is_silently_wrong)
    settlement = compared.settlement
    told = [e for e in compared.judged if e.fate not in (LaidFate.RIGHT, LaidFate.VOID)]
    seconds = None  # from the end of a step until it was on record
    if seen := [each.seen_s for each in compared.judged if each.seen_s is not None]:
        p90 = quantiles(seen, n=10)[-1] if len(seen) > 1 else seen[0]
        times = {"median": median(seen), "p90": p90, "most": max(seen)}
        seconds = {name: round(time_s, 1) for name, time_s in times.items()}
    return {
        "fit": fit.value,
        "verdict": words_view(FIT_WORDS[fit]),
        "right_share": share,
        "events": {fate.value: compared.count(fate) for fate in LaidFate},
        "not_right": [_row(script, each, names) for each in told],
        "settlement": settlement and asdict(settlement),
        "questions": [words_view(named(asked.text, names)) for _, asked in compared.questions],
        "seconds": seconds,
        "rules": script.rules,
        "seed": script.seed,
        "acts": [str(act) for act in script.acts],
    }


def fit_of(share: float | None, *, is_silent: bool) -> TableFit:
    """The use that a table is fit for by its trial.

    Args:
        is_silent: something was wrong in it without a question.
    """
    if share is None:
        return TableFit.UNKNOWN
    if is_silent or share < ROWS_SHARE:
        return TableFit.PHOTOGRAPHS
    return TableFit.LIVE if share >= LIVE_SHARE else TableFit.ROWS


def _row(script: Script, each: JudgedEvent, names: Names) -> View:
    step = None if each.step is None else script.steps[each.step]
    recorded = [sentence(event, names, find_rules(script.rules)) for event in each.recorded]
    return {
        "step": each.step,
        "fate": each.fate.value,
        "said": words_view(FATES[each.fate]),
        "script": None if step is None else words_view(named(step.says, names)),
        "recorded": [words_view(words) for words in recorded],
    }


def _pictures(folder: Path, done_t: Mapping[int, float]) -> dict[int, list[str]]:
    """By step what each camera saw at its end, from the recordings; base64."""
    found: dict[tuple[int, str], Path] = {}
    for part in sorted(folder.glob("recording-*")):
        recording = load_recording(part)
        for moment in recording.moments():
            if isinstance(moment, RecordedLook) and moment.picture:
                t = recording.manifest.started_s + moment.t
                for step, until in done_t.items():
                    if t <= until:
                        found[step, moment.camera] = part / moment.picture
    shown: dict[int, list[str]] = {}
    for (step, _), path in sorted(found.items()):
        shown.setdefault(step, []).append(base64.b64encode(path.read_bytes()).decode("ascii"))
    return shown
