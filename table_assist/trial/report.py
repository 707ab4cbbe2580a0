"""What a trial has shown: JSON, and one HTML file with the pictures of what was not right."""

import base64
import html
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from table_assist.contract.view import View, words_view
from table_assist.game.people import Names
from table_assist.record.log import Entry
from table_assist.trial.compare import Compared, Fate, Judged, compare
from table_assist.trial.desk import PICTURES
from table_assist.trial.faces import Seen
from table_assist.trial.gains import HELPS, Change, Helps, gain_of, worth_of
from table_assist.trial.instruction import Script
from table_assist.trial.progress import Progress
from table_assist.trial.steps_words import listed
from table_assist.trial.verdict import FIT_WORDS, fit_of, right_share
from table_assist.words import Words
from web.view.sentences import sentence

FATES = {
    Fate.RIGHT: Words("right", "正确"),
    Fate.ASKED: Words("asked", "已询问"),
    Fate.WRONG: Words("wrong, and asked", "有误，已询问"),
    Fate.SILENT: Words("wrong without a question", "有误且未询问"),
    Fate.VOID: Words("not counted", "不计"),
}
TITLE = Words("The trial", "试局")
SMALL_PX = 26  # of a tile's width: below, more pixels help most
LEARN_SHARE = 0.9  # of the faces: below, the set is to be learnt
MOST_ADVICE = 3
ASKEW_DEG = 30.0
LATE_S = 8.0


def make_report(
    folder: Path,
    script: Script,
    progress: Progress,
    entries: Sequence[Entry],
    seen: Seen,
    names: Names,
) -> View:
    """Compare, write ``report.json`` and ``report.html``, and return what a page shows."""
    compared = compare(script, progress, entries)
    view = report_view(script, compared, seen, names)
    text = json.dumps(view, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
    (folder / "report.html").write_text(page(view, folder / PICTURES), encoding="utf-8")
    return view


def report_view(script: Script, compared: Compared, seen: Seen, names: Names) -> View:
    """Everything that the report says, as JSON values."""
    share = right_share(compared)
    fit = fit_of(share, is_silent=compared.is_silently_wrong)
    settlement = compared.settlement
    return {
        "fit": fit.value,
        "verdict": words_view(FIT_WORDS[fit]),
        "right_share": share,
        "events": {fate.value: compared.count(fate) for fate in Fate},
        "not_right": [_row(script, each, names) for each in compared.judged if _is_told(each)],
        "settlement": None
        if settlement is None
        else {
            "truth": settlement.truth,
            "ledger": settlement.ledger,
            "fate": settlement.fate.value,
        },
        "questions": [words_view(_named(asked.text, names)) for _, asked in compared.questions],
        "seconds": _seconds(compared),
        "faces": _faces(seen),
        "picture": _picture(seen),
        "advice": [_advice_view(each) for each in advice(compared, seen)],
        "rules": script.rules,
        "seed": script.seed,
        "acts": [str(act) for act in script.acts],
    }


def _advice_view(each: Change) -> View:
    gain = gain_of(each.helps)
    return {
        **words_view(each.says),
        "helps": each.helps and each.helps.value,
        "gain": None if gain is None else words_view(gain),
    }


def advice(compared: Compared, seen: Seen) -> list[Change]:
    """The few changes that would help most, what helps most first."""
    found = [Change(each.words, HELPS.get(each.trouble)) for each in seen.advice]
    faces = len(seen.faces)
    sure = faces - seen.wrong - seen.asked
    width = None if seen.conditions is None else seen.conditions.width_px
    if width is not None and width < SMALL_PX and not found:
        found.append(
            Change(
                Words(
                    f"a tile is {width:.0f} pixels wide: bring the camera nearer until it is "
                    f"{SMALL_PX}, {SMALL_PX / width:.1f} times as near",
                    f"每张牌宽 {width:.0f} 像素：请移近摄像头，至 {SMALL_PX} 像素，"
                    f"约近到 {SMALL_PX / width:.1f} 倍",
                ),
                Helps.NEARER,
            )
        )
    if faces and sure < LEARN_SHARE * faces:
        found.append(
            Change(
                Words(
                    f"{faces - sure} of {faces} faces were not read: learn the set from the "
                    "pictures of this trial",
                    f"{faces} 种牌面中有 {faces - sure} 种未能认出：请用本次试局的画面录入这副牌",
                ),
                Helps.LEARN,
            )
        )
    if seen.tilt_deg is not None and seen.tilt_deg > ASKEW_DEG:
        found.append(
            Change(
                Words(
                    f"the camera looks {seen.tilt_deg:.0f}° askew: hang it higher, nearer the "
                    "table's middle",
                    f"摄像头倾斜 {seen.tilt_deg:.0f}°：请挂得更高、更靠近桌子正上方",
                ),
                Helps.ABOVE,
            )
        )
    late = _seconds(compared)
    if late is not None and late["p90"] > LATE_S:
        found.append(
            Change(
                Words(
                    f"one event in ten was seen later than {late['p90']:.0f} s: keep hands and "
                    "arms off the tiles for a moment",
                    f"十分之一的事件在 {late['p90']:.0f} 秒后才被看到：手和手臂请稍离开牌面",
                )
            )
        )
    return sorted(found, key=lambda each: -worth_of(each.helps))[:MOST_ADVICE]


def _is_told(each: Judged) -> bool:
    return each.fate not in (Fate.RIGHT, Fate.VOID)


def _row(script: Script, each: Judged, names: Names) -> View:
    step = None if each.step is None else script.steps[each.step]
    recorded = [sentence(event, names, lambda code: Words(code, code)) for event in each.recorded]
    return {
        "step": each.step,
        "fate": each.fate.value,
        "said": words_view(FATES[each.fate]),
        "script": None if step is None else words_view(_named(step.says, names)),
        "recorded": [words_view(words) for words in recorded],
        "picture": None if each.step is None else f"{each.step:04}.jpg",
    }


def _named(words: Words, names: Names) -> Words:
    en, zh = words.en, words.zh
    for seat, name in enumerate(names):
        en, zh = en.replace(f"{{{seat}}}", name), zh.replace(f"{{{seat}}}", name)
    return Words(en, zh)


def _seconds(compared: Compared) -> dict[str, float] | None:
    """From the end of a step until it was on record."""
    seen = [each.seen_s for each in compared.judged if each.seen_s is not None]
    if not seen:
        return None
    p90 = quantiles(seen, n=10)[-1] if len(seen) > 1 else seen[0]
    return {"median": round(median(seen), 1), "p90": round(p90, 1), "most": round(max(seen), 1)}


def _faces(seen: Seen) -> View | None:
    if not seen.faces:
        return None
    return {
        "laid": len(seen.faces),
        "right": len(seen.faces) - seen.wrong - seen.asked,
        "asked": seen.asked,
        "wrong": seen.wrong,
        "each": [
            {
                "tile": str(face.tile),
                "read": None if face.read is None else str(face.read),
                "confidence": face.confidence,
            }
            for face in seen.faces
        ],
        "alike": [words_view(listed(pair)) for pair in seen.alike],
    }


def _picture(seen: Seen) -> View | None:
    conditions = seen.conditions
    if conditions is None:
        return None
    return {
        "tile_px": _rounded(conditions.width_px),
        "tile_mm": _rounded(seen.tile_mm),
        "light": round(conditions.highlight),
        "white_share": round(conditions.clipped, 3),
        "sharpness": _rounded(conditions.sharpness, 2),
        "tilt_deg": _rounded(seen.tilt_deg),
    }


def _rounded(value: float | None, places: int = 1) -> float | None:
    return None if value is None else round(value, places)


# --- One HTML file

_STYLE = """body{font:18px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#1f2823;background:#fcfaf4}h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}
[lang=zh-Hans]{color:#59645e}li{margin:.6rem 0}img{max-width:100%;border-radius:.5rem}
td,th{padding:.2rem .8rem .2rem 0;text-align:left}.fit{font-size:1.3rem;font-weight:600}"""


def page(view: View, pictures: Path) -> str:
    """The report as a page that needs nothing else, in both languages."""
    body = "\n".join(_sections(view, pictures))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE.en}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{_both(words_view(TITLE))}</h1>{body}</body></html>\n"
    )


def _sections(view: View, pictures: Path) -> Iterator[str]:
    yield f'<p class="fit">{_both(view["verdict"])}</p>'
    if view["advice"]:
        yield _head("What would help most", "最有帮助的改动")
        yield _list(
            " ".join(_both(words) for words in (each, each["gain"]) if words)
            for each in view["advice"]
        )
    yield _head("What was laid", "所摆内容")
    rows = [(_both(words_view(FATES[fate])), str(view["events"][fate.value])) for fate in Fate]
    if view["settlement"] is not None:
        settled = view["settlement"]
        said = f"{settled['truth']} / {settled['ledger'] or '—'}"
        name = _both(words_view(Words("settlement, laid / followed", "结算：实际 / 记录")))
        rows.append((name, html.escape(f"{said} ({settled['fate']})")))
    if view["seconds"] is not None:
        name = _both(words_view(Words("seconds until seen: median, nine in ten", "看到所需秒数")))
        rows.append((name, f"{view['seconds']['median']}, {view['seconds']['p90']}"))
    yield _table(rows)
    if view["questions"]:
        yield _head("What was asked", "提出的问题")
        yield _list(_both(each) for each in view["questions"])
    if view["not_right"]:
        yield _head("What was not right", "不正确之处")
        yield _list(_not_right(each, pictures) for each in view["not_right"])
    yield from _seen_sections(view)


def _seen_sections(view: View) -> Iterator[str]:
    faces, picture = view["faces"], view["picture"]
    if faces is not None:
        yield _head("Faces", "牌面")
        names = {"laid": ("laid", "已摆"), "right": ("right", "正确"), "asked": ("asked", "未认出"),
                 "wrong": ("wrong", "认错")}  # fmt: skip
        yield _table(
            (_both(words_view(Words(*said))), str(faces[key])) for key, said in names.items()
        )
        if faces["alike"]:
            yield _list(_both(each) for each in faces["alike"])
    if picture is not None:
        yield _head("The picture", "画面")
        yield _table((html.escape(name), str(value)) for name, value in picture.items())


def _not_right(row: View, pictures: Path) -> str:
    said = [f"<b>{_both(row['said'])}</b>"]
    if row["script"] is not None:
        said.append(_both(row["script"]))
    said += [f"→ {_both(each)}" for each in row["recorded"]]
    path = None if row["picture"] is None else pictures / row["picture"]
    if path is not None and path.is_file():
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        said.append(f'<img alt="" src="data:image/jpeg;base64,{data}">')
    return "<br>".join(said)


def _both(words: View) -> str:
    en, zh = html.escape(words["en"]), html.escape(words["zh"])
    return en if en == zh else f'{en} <span lang="zh-Hans">{zh}</span>'


def _head(en: str, zh: str) -> str:
    return f'<h2>{en} <span lang="zh-Hans">{zh}</span></h2>'


def _list(items: Iterator[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _table(rows: Sequence[tuple[str, str]] | Iterator[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"
