"""What a user can get wrong: one sentence and exit code 2, no trace.

Only imported when something went wrong: it needs nearly all of the program.
"""

from firmware_bridge.chinese import in_chinese
from firmware_bridge.flashing import FlashError
from firmware_bridge.ports import PortError
from table_assist.backup.packing import BackupError
from table_assist.capture.manifest import RecordingError
from table_assist.cli.reach import NoLocalAdminError
from table_assist.dispute.file import DisputeError
from table_assist.evaluate.labelled import LabelError
from table_assist.evaluate.spoil import SpoilError
from table_assist.record.store import StoreError
from table_assist.rules.by_hand.typed import TypedHandError
from table_assist.rules.profile import ProfileError
from table_assist.settings.config import ConfigError
from table_assist.settings.edit import EditError
from table_assist.trust.installation import InstallationKeyError
from table_assist.trust.stamps import StampError
from table_assist.twin.faces import FacesError
from table_assist.vision.pictures.picture import PictureError
from table_assist.vision.pictures.sources import CameraError
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.calibration import CalibrationError
from table_assist.words import SaidError
from web.access.guard import NetworkRefusedError
from web.access.trust import TrustError
from web.serve import PortUnavailableError
from web.serving.authority import TlsError

USER_ERRORS = (
    ConfigError,
    StoreError,
    CalibrationError,
    CameraError,
    PictureError,
    WeightsError,
    OwnSetError,
    FacesError,
    PortUnavailableError,
    ProfileError,
    TypedHandError,
    LabelError,
    SpoilError,
    RecordingError,
    BackupError,
    EditError,
    DisputeError,
    NetworkRefusedError,
    NoLocalAdminError,
    TrustError,
    TlsError,
    InstallationKeyError,
    StampError,
    FlashError,
    PortError,
    SaidError,
)


def sentence(error: Exception, *, chinese: bool) -> str:
    """What went wrong, in the language that was asked for where it has words in it."""
    if chinese and isinstance(error, SaidError):
        return error.words.zh
    if chinese and isinstance(error, FlashError | PortError):
        return in_chinese(str(error))
    return str(error)
