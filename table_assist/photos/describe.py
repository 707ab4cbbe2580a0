"""A picture's readings for `read`, in words and as JSON."""

from collections.abc import Iterator

from table_assist.languages.words import Words
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.groups import laid_rows, rows_report, tell_row
from table_assist.vision.reading.readings import Readings, picture_report
from table_assist.vision.table.advice import Advice, advise


def look_report(picture: str, image: Image, readings: Readings) -> dict[str, object]:
    """The JSON object of one picture."""
    return picture_report(picture, readings) | {
        "rows": rows_report(readings, laid_rows(readings)),
        "advice": advice_report(advise(image, readings)),
    }


def look_lines(picture: str, image: Image, readings: Readings) -> Iterator[str]:
    """The same in words."""
    yield f"{picture}: {len(readings)} tiles and dice"
    for row in laid_rows(readings):
        yield f"  {tell_row(readings, row)}"
    for label, confidence in zip(readings.labels, readings.confidence, strict=True):
        yield f"  {label:5}{confidence:6.1%}"
    yield from advice_lines(advise(image, readings))


_ADVICE = Words("Advice: {advice}", "建议：{advice}")


def advice_report(advice: tuple[Advice, ...]) -> list[dict[str, object]]:
    """Advice as JSON, in both languages."""
    return [
        {"trouble": str(each.trouble), "en": each.words.en, "zh": each.words.zh} for each in advice
    ]


def advice_lines(advice: tuple[Advice, ...], language: str = "en") -> Iterator[str]:
    """Advice in words."""
    for each in advice:
        yield _ADVICE.filled(advice=each.words).said(language)
