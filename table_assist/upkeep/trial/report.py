"""The report of a trial: JSON, and one HTML file with the pictures of what was not right.

The verdict's limits were fitted to simulated trials beside simulated evenings at the same tables.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import median, quantiles

from jinja2 import Template

from table_assist.capture.moments import RecordedLook
from table_assist.capture.reading import load_recording
from table_assist.contract.view import View, words_view
from table_assist.game.people import Names
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.upkeep.trial.compare import FATES, ComparedTrial, JudgedEvent, LaidFate, compare
from table_assist.upkeep.trial.instruction import Script, named
from table_assist.upkeep.trial.marks import Progress
from web.view.sentences import sentence

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
    TableFit.ROWS: Words(
        "Fit to be followed where discards lie in rows; not where they lie in a heap.",
        "弃牌排成行时适合实时跟踪；堆放时不适合。",
    ),
    TableFit.PHOTOGRAPHS: Words(
        "Not fit to be followed yet: keep the score by photographs of the hands.",
        "尚不适合实时跟踪：请用手牌照片记分。",
    ),
    TableFit.UNKNOWN: Words(
        "Too little was laid to say: do the short hand to its end.",
        "所摆太少，无法判断：请把短牌摆完。",
    ),
}
_SAID = {
    "title": Words("The trial", "试局"),
    "laid": Words("What was laid", "所摆内容"),
    "settled": Words("settlement, laid / followed", "结算：实际 / 记录"),
    "seconds": Words("seconds until seen: median, nine in ten", "看到所需秒数"),
    "asked": Words("What was asked", "提出的问题"),
    "amiss": Words("What was not right", "不正确之处"),
}
_PAGE = Template(
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
    page = _PAGE.render(
        view=view,
        said={name: words_view(words) for name, words in _SAID.items()},
        fates=[(fate.value, words_view(words)) for fate, words in FATES.items()],
        pictures=_pictures(folder, done_t),
    )
    (folder / "report.html").write_text(page, encoding="utf-8")
    return view


def report_view(script: Script, compared: ComparedTrial, names: Names) -> View:
    """Everything that the report says, as JSON values."""
    fit = fit_of(right_share(compared), is_silent=compared.is_silently_wrong)
    settlement = compared.settlement
    told = [e for e in compared.judged if e.fate not in (LaidFate.RIGHT, LaidFate.VOID)]
    return {
        "fit": fit.value,
        "verdict": words_view(FIT_WORDS[fit]),
        "right_share": right_share(compared),
        "events": {fate.value: compared.count(fate) for fate in LaidFate},
        "not_right": [_row(script, each, names) for each in told],
        "settlement": None
        if settlement is None
        else {
            "truth": settlement.truth,
            "ledger": settlement.ledger,
            "fate": settlement.fate.value,
        },
        "questions": [words_view(named(asked.text, names)) for _, asked in compared.questions],
        "seconds": _seconds(compared),
        "rules": script.rules,
        "seed": script.seed,
        "acts": [str(act) for act in script.acts],
    }


def right_share(compared: ComparedTrial) -> float | None:
    """Of the events that count, those that are right; None where too few do."""
    counted = len(compared.judged) - compared.count(LaidFate.VOID)
    return compared.count(LaidFate.RIGHT) / counted if counted >= LEAST_EVENTS else None


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
    recorded = [sentence(event, names, lambda code: Words(code, code)) for event in each.recorded]
    return {
        "step": each.step,
        "fate": each.fate.value,
        "said": words_view(FATES[each.fate]),
        "script": None if step is None else words_view(named(step.says, names)),
        "recorded": [words_view(words) for words in recorded],
    }


def _seconds(compared: ComparedTrial) -> dict[str, float] | None:
    """From the end of a step until it was on record."""
    seen = [each.seen_s for each in compared.judged if each.seen_s is not None]
    if not seen:
        return None
    p90 = quantiles(seen, n=10)[-1] if len(seen) > 1 else seen[0]
    return {"median": round(median(seen), 1), "p90": round(p90, 1), "most": round(max(seen), 1)}


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
