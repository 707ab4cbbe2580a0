"""The report as one HTML file, in both languages, with the pictures of what was not right."""

import base64
import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from table_assist.contract.view import View, words_view
from table_assist.languages.words import Words
from table_assist.upkeep.trial.advice import camera_name
from table_assist.upkeep.trial.compare import FATES, LaidFate
from table_assist.upkeep.trial.pictures import pictures_of

TITLE = Words("The trial", "试局")
FACES = {
    "laid": Words("laid", "已摆"),
    "right": Words("right", "正确"),
    "asked": Words("asked", "未认出"),
    "wrong": Words("wrong", "认错"),
}
FIGURES = {
    "tile_px": Words("a tile's width, pixels", "牌宽（像素）"),
    "tile_mm": Words("a tile's width, mm", "牌宽（毫米）"),
    "light": Words("light of the brightest parts, 0 to 255", "最亮处亮度（0–255）"),
    "white_share": Words("share without any drawing for too much light", "过曝部分所占比例"),
    "sharpness": Words("sharpness", "清晰度"),
    "tilt_deg": Words("the camera looks askew, degrees", "摄像头倾斜（度）"),
}
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
        yield _head(Words("What would help most", "最有帮助的改动"))
        yield _list(
            " ".join(_both(words) for words in (each, each["gain"]) if words)
            for each in view["advice"]
        )
    yield _head(Words("What was laid", "所摆内容"))
    rows = [(_both(words_view(FATES[fate])), str(view["events"][fate.value])) for fate in LaidFate]
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
        yield _head(Words("What was asked", "提出的问题"))
        yield _list(_both(each) for each in view["questions"])
    if view["not_right"]:
        yield _head(Words("What was not right", "不正确之处"))
        yield _list(_not_right(each, pictures) for each in view["not_right"])
    faces = view["faces"]
    if faces is not None:
        yield _head(Words("Faces", "牌面"))
        yield _table(_face_rows(faces))
        if faces["alike"]:
            yield _head(Words("Faces that look alike here", "在此容易混淆的牌面"))
            yield _list(_both(each) for each in faces["alike"])
    yield from _camera_sections(view["cameras"], pictures)


def _camera_sections(cameras: Sequence[View], pictures: Path) -> Iterator[str]:
    """Of several each with its picture: it says which one it is."""
    for number, camera in enumerate(cameras, start=1):
        figures = [
            (_both(words_view(said)), str(camera[key]))
            for key, said in FIGURES.items()
            if camera[key] is not None
        ]
        if len(cameras) == 1:
            yield _head(Words("The picture", "画面"))
        else:
            name = camera_name(number)
            yield _head(Words("By {name} alone", "仅凭{name}", name=name))
            yield _shown(pictures / camera["picture"])
            yield _table(_face_rows(camera["faces"]))
        yield _table(figures)


def _face_rows(faces: View) -> list[tuple[str, str]]:
    return [(_both(words_view(said)), str(faces[key])) for key, said in FACES.items()]


def _not_right(row: View, pictures: Path) -> str:
    said = [f"<b>{_both(row['said'])}</b>"]
    if row["script"] is not None:
        said.append(_both(row["script"]))
    said += [f"→ {_both(each)}" for each in row["recorded"]]
    if row["step"] is not None:
        said += (_shown(path) for path in pictures_of(pictures, row["step"]).values())
    return "<br>".join(said)


def _shown(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<img alt="" src="data:image/jpeg;base64,{data}">'


def _both(words: View) -> str:
    en, zh = html.escape(words["en"]), html.escape(words["zh"])
    return en if en == zh else f'{en} <span lang="zh-Hans">{zh}</span>'


def _head(words: Words) -> str:
    return f'<h2>{words.en} <span lang="zh-Hans">{words.zh}</span></h2>'


def _list(items: Iterator[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _table(rows: Sequence[tuple[str, str]] | Iterator[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"
