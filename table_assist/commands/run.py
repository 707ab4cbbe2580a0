"""Following a real table, and its dashboard."""

import argparse
import contextlib
from collections.abc import Iterator

from table_assist.commands.serving import serve_until_stopped
from table_assist.config import Config, load_config
from table_assist.live import LiveTable, followed_rules_of
from table_assist.recording.command import start_recording
from table_assist.vision.camera import Camera, open_pictures
from table_assist.vision.enrol_files import find_set
from table_assist.vision.read import open_reader


def command(options: argparse.Namespace) -> int:
    """As ``table-assist run``; returns the exit code."""
    config = load_config(options.config)
    followed_rules_of(config)
    camera = _camera(config)
    reader = open_reader(own_set=find_set(config.eyes.set)) if camera else None
    recorder = start_recording(config, options.record) if options.record else None
    table = LiveTable(config, camera=camera, reader=reader, recorder=recorder)
    with _running(table):
        return serve_until_stopped(table, options)


def _camera(config: Config) -> Camera | None:
    if not config.camera.source:
        return None
    return open_pictures(config.camera.source, stale_s=config.camera.stale_s)


@contextlib.contextmanager
def _running(table: LiveTable) -> Iterator[None]:
    table.start()
    try:
        yield
    finally:
        table.stop()
