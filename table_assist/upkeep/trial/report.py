"""The report of a trial: JSON, and one HTML file with the pictures of what was not right."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

from table_assist.contract.view import View, words_view
from table_assist.game.people import Names
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.upkeep.trial.advice import advice
from table_assist.upkeep.trial.compare import FATES, ComparedTrial, JudgedEvent, LaidFate, compare
from table_assist.upkeep.trial.faces import SeenBy, SeenFaces, TrialFaces
from table_assist.upkeep.trial.gains import TableChange, gain_of
from table_assist.upkeep.trial.instruction import Script, named
from table_assist.upkeep.trial.pictures import FOLDER
from table_assist.upkeep.trial.progress import Progress
from table_assist.upkeep.trial.report_page import page
from table_assist.upkeep.trial.steps_words import listed
from table_assist.upkeep.trial.verdict import FIT_WORDS, fit_of, right_share
from web.view.sentences import sentence


def make_report(
    folder: Path,
    script: Script,
    progress: Progress,
    entries: Sequence[Entry],
    seen: SeenFaces,
    names: Names,
) -> View:
    """Compare, write ``report.json`` and ``report.html``, and return what a page shows."""
    compared = compare(script, progress, entries)
    view = report_view(script, compared, seen, names)
    text = json.dumps(view, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
    (folder / "report.html").write_text(page(view, folder / FOLDER), encoding="utf-8")
    return view


def report_view(script: Script, compared: ComparedTrial, seen: SeenFaces, names: Names) -> View:
    """Everything that the report says, as JSON values."""
    share = right_share(compared)
    fit = fit_of(share, is_silent=compared.is_silently_wrong)
    settlement, seconds = compared.settlement, _seconds(compared)
    changes = advice(seen, None if seconds is None else seconds["p90"])
    return {
        "fit": fit.value,
        "verdict": words_view(FIT_WORDS[fit]),
        "right_share": share,
        "events": {fate.value: compared.count(fate) for fate in LaidFate},
        "not_right": [_row(script, each, names) for each in compared.judged if _is_told(each)],
        "settlement": None
        if settlement is None
        else {
            "truth": settlement.truth,
            "ledger": settlement.ledger,
            "fate": settlement.fate.value,
        },
        "questions": [words_view(named(asked.text, names)) for _, asked in compared.questions],
        "seconds": seconds,
        "faces": _faces(seen.faces),
        "cameras": [_camera(each, seen.tile_mm) for each in seen.cameras],
        "advice": [_advice_view(each) for each in changes],
        "rules": script.rules,
        "seed": script.seed,
        "acts": [str(act) for act in script.acts],
    }


def _advice_view(each: TableChange) -> View:
    gain = gain_of(each.helps)
    return {
        **words_view(each.says),
        "helps": each.helps and each.helps.value,
        "gain": None if gain is None else words_view(gain),
    }


def _is_told(each: JudgedEvent) -> bool:
    return each.fate not in (LaidFate.RIGHT, LaidFate.VOID)


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


def _faces(faces: TrialFaces) -> View | None:
    if not faces:
        return None
    return {
        **_counted(faces),
        "each": [
            {
                "tile": str(face.tile),
                "read": None if face.read is None else str(face.read),
                "confidence": face.confidence,
            }
            for face in faces.each
        ],
        "alike": [words_view(listed(pair)) for pair in faces.alike],
    }


def _counted(faces: TrialFaces) -> dict[str, int]:
    laid = len(faces)
    return {"laid": laid, "right": faces.right, "asked": faces.asked, "wrong": faces.wrong}


def _camera(seen: SeenBy, tile_mm: float | None) -> View:
    conditions = seen.conditions
    return {
        "picture": seen.picture.name,
        "faces": _counted(seen.faces),
        "tile_px": _rounded(conditions.width_px),
        "tile_mm": _rounded(tile_mm),
        "light": round(conditions.highlight),
        "white_share": round(conditions.clipped, 3),
        "sharpness": _rounded(conditions.sharpness, 2),
        "tilt_deg": _rounded(seen.tilt_deg),
    }


def _rounded(value: float | None, places: int = 1) -> float | None:
    return None if value is None else round(value, places)
