"""`table-assist run --record` and `table-assist replay`."""

import time
from pathlib import Path

from table_assist.config import Config
from table_assist.live import profile_of
from table_assist.recording.manifest import current_weights, make_manifest
from table_assist.recording.recorder import Recorder


def start_recording(config: Config, folder: Path) -> Recorder:
    """Begin to record a table that is about to run.

    Raises:
        ConfigError: the profile cannot be used.
        RecordingError: the folder holds something already, or cannot be made.
    """
    weights = current_weights(config.eyes.set) if config.camera.source else {}
    manifest = make_manifest(config, profile_of(config), weights, time.time())
    return Recorder(folder, manifest, config)
