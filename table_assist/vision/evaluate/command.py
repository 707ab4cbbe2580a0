"""The command ``table-assist evaluate``: a labelled folder in, lines out."""

import json
from collections.abc import Iterator
from pathlib import Path

from table_assist.vision.evaluate.gallery import Gallery, write_page
from table_assist.vision.evaluate.labelled import read_folder
from table_assist.vision.evaluate.report import tell, to_json
from table_assist.vision.evaluate.run import evaluate
from table_assist.vision.evaluate.spoil import parse_spoil
from table_assist.vision.reading.read import Reader


def evaluation_lines(
    folder: Path,
    reader: Reader,
    *,
    empty: bool = False,
    partial: bool = False,
    spoil: str | None = None,
    gallery: Path | None = None,
    as_json: bool = False,
) -> Iterator[str]:
    """Evaluate and tell; one JSON object is one line.

    Raises:
        LabelError: the folder cannot be used.
        SpoilError: pictures cannot be spoilt so.
        PictureError: the gallery cannot be written.
    """
    pictures = Gallery()
    evaluation = evaluate(
        read_folder(folder, empty=empty),
        reader.read,
        partial=partial,
        spoil=None if spoil is None else parse_spoil(spoil),
        watcher=None if gallery is None else pictures,
    )
    told = list(tell(str(folder), evaluation))
    if gallery is not None:
        write_page(gallery, pictures.page(f"What was read in {folder.name}", told))
    if as_json:
        yield json.dumps(to_json(str(folder), evaluation), ensure_ascii=False)
    else:
        yield from told
