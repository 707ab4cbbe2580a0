"""A table that is followed, with everything about it counted: opened from its settings."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from table_assist.health.measuring import CountedDetector, counted
from table_assist.live.live_table import LiveTable
from table_assist.live.phone_sight import PhoneSight
from table_assist.live.phones import Phones
from table_assist.live.replay_folder import start_recording
from table_assist.live.sight import Sight
from table_assist.record.private import keep_new_files_private, make_private
from table_assist.settings.config import Config, load_config
from table_assist.settings.edit import pictures_of, profile_of
from table_assist.trust.installation import InstallationKeyError, open_key
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.sources import PHONE
from table_assist.vision.reading.read import Reader, open_reader

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Running:
    """A table and what is counted of it.

    Attributes:
        table: not started yet.
        camera: None for a table without one, as with ``detector``.
        text: the settings' bytes as they were read.
        started_s: seconds since the epoch.
    """

    config: Config
    table: LiveTable
    camera: Sight | None
    detector: CountedDetector | None
    text: bytes
    started_s: float


def open_table(
    settings: Path,
    *,
    record: Path | None = None,
    now: Callable[[], float] = time.time,
    eyes: Callable[[Config], Reader] | None = None,
    phones: Phones | None = None,
    adapted: Callable[[Config], Config] = lambda config: config,
    recorded: Callable[[Config], Path | None] = lambda config: None,
) -> Running:
    """Open what the settings name.

    Args:
        settings: the table's TOML file.
        record: where everything is kept for a replay; None for nothing.
        eyes: opens the reader; by default the trained one, with the table's own set.
        phones: that may watch the table, where the settings say so.
        adapted: makes other settings of the file's, as a trial needs them.
        recorded: where everything is to be kept, where `record` says nothing.

    Raises:
        ConfigError: the settings cannot be used, or do not fit together.
        CameraError: there is no such file or folder of pictures.
        WeightsError: the networks are missing or damaged.
        OwnSetError: the tile set is missing, or was learnt with another recogniser.
        StoreError: the log cannot be opened.
        RecordingError: the recording cannot be begun.
    """
    config = adapted(load_config(settings))
    record = record or recorded(config)
    text = settings.read_bytes()
    profile_of(config)
    keep_new_files_private()
    # Close files that earlier programs left open to all: settings, the log, backups
    log = Path(config.log.path)
    folder = Path(config.backup.folder) if config.backup.folder else None
    there = [settings, log, *log.parent.glob(f"{log.name}?*")]
    if folder is not None and folder.is_dir():
        there += [folder, *folder.iterdir()]
    for each in there:
        if each.exists():
            with suppress(OSError):  # another's file stays as it is
                make_private(each)
    camera = detector = reader = recorder = sight = None
    if config.camera.source:
        source = pictures_of(config)
        own_eyes = open_reader(own_set=find_set(config.eyes.set)) if eyes is None else eyes(config)
        reader, detector = counted(own_eyes)
    if record is not None:
        recorder = start_recording(config, record)
    if config.camera.source.whole == PHONE and reader is not None:
        note_place = recorder.placed if recorder else lambda device, path: None
        sight = PhoneSight(config, phones or Phones(), reader, now, note_place)
    elif reader is not None:
        camera = Camera(source, stale_s=config.camera.stale_s, now=now)
    table = LiveTable(
        config,
        camera=camera,
        reader=reader,
        now=now,
        recorder=recorder,
        vouches=_public_key(),
        sight=sight,
    )
    return Running(config, table, table.eyes.sight, detector, text, now())


def _public_key() -> str:
    """Empty where there is no key to be had: then the log does not vouch, and play goes on."""
    try:
        return open_key().public
    except InstallationKeyError as error:
        logger.warning("the log vouches for nothing: %s", error)
        return ""
