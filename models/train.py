"""Trains the detector and the recogniser: `python models/train.py --data ../shared/data`.

Both resume from their checkpoints in `--run` when started again with the same options.
"""

import argparse
from pathlib import Path

import cv2

from models.detector_data import prepare
from models.tables import sets_for, write_tables
from models.train_recogniser import RecogniserPlan, train_recogniser
from models.world import WorldLooks
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.weights import load_weights

HERE = Path(__file__).parent


def main(arguments: list[str] | None = None) -> None:
    """Draw the tables that are missing, then train the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="see its README for the layout")
    parser.add_argument("--run", type=Path, default=HERE / "runs" / "v1")
    parser.add_argument("--tables", type=Path, default=HERE / "runs" / "tables")
    parser.add_argument("--nothing", type=Path, default=HERE / "runs" / "nothing")
    parser.add_argument("--fonts", type=Path, help="a folder: sets are invented and restyled, too")
    parser.add_argument("--table-count", type=int, default=200, help="in usual looks")
    parser.add_argument("--world-count", type=int, default=900, help="in the world's looks")
    parser.add_argument("--part", choices=["both", "detector", "recogniser"], default="both")
    parser.add_argument("--recogniser-hours", type=float, default=0.6)
    parser.add_argument("--recogniser-steps", type=int, default=1_000_000, help="at most")
    parser.add_argument("--recogniser-from", type=Path, help="an earlier recogniser.pt or .onnx")
    parser.add_argument("--recogniser-rate", type=float, default=4e-3, help="at its peak")
    parser.add_argument("--detector-hours", type=float, default=1.0)
    parser.add_argument("--detector-from", type=Path, help="an earlier last.pt or .onnx")
    parser.add_argument("--detector-rate", type=float, default=1e-3, help="at its peak")
    parser.add_argument("--detector-batch", type=int, default=12)
    parser.add_argument("--detector-size", type=int, default=640, help="px")
    parser.add_argument("--variants", type=int, default=3, help="of each photo")
    parser.add_argument("--check-with", type=Path, help="weights that look for unlabelled tiles")
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    sets = sets_for(options.data, options.fonts)
    write_tables(options.tables, sets, options.table_count, seed=0)
    write_tables(options.tables, sets, options.world_count, seed=0, looks=WorldLooks.WORLD)
    if options.part != "recogniser":
        _train_detector(options)
    if options.part != "detector":
        train_recogniser(
            RecogniserPlan(
                data=options.data,
                tables=options.tables,
                nothing=options.nothing,
                run=options.run,
                hours=options.recogniser_hours,
                peak_rate=options.recogniser_rate,
                most_steps=options.recogniser_steps,
                batch=options.batch,
                workers=options.workers,
                threads=options.threads,
                start_from=options.recogniser_from,
            )
        )


def _train_detector(options: argparse.Namespace) -> None:
    # Imported here: ultralytics takes seconds, and the recogniser does without it.
    from models.train_detector import DetectorPlan, train_detector

    prepared = options.run / "pictures"
    description = prepared / "data.yaml"
    if not description.exists():
        check = None
        if options.check_with:
            check = OnnxDetector(load_weights(options.check_with).detector, threads=1)
        prepare(
            prepared,
            options.data,
            options.tables,
            options.nothing,
            variants=options.variants,
            check=check,
        )
    train_detector(
        DetectorPlan(
            description=description,
            run=options.run,
            hours=options.detector_hours,
            start_from=options.detector_from,
            batch=options.detector_batch,
            rate=options.detector_rate,
            size=options.detector_size,
            workers=options.workers,
            threads=options.threads,
        )
    )


if __name__ == "__main__":
    main()
