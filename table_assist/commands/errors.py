"""What a user can get wrong: one sentence and exit code 2, no trace.

Only imported when something went wrong: it needs nearly all of the program.
"""

from table_assist.config import ConfigError
from table_assist.dispute.file import DisputeError
from table_assist.evaluate.labelled import LabelError
from table_assist.evaluate.spoil import SpoilError
from table_assist.game.store import StoreError
from table_assist.keeping.editing import EditError
from table_assist.keeping.packing import BackupError
from table_assist.recording.manifest import RecordingError
from table_assist.rules.profile import ProfileError
from table_assist.rules.typed import TypedHandError
from table_assist.twin.faces import FacesError
from table_assist.vision.calibration import CalibrationError
from table_assist.vision.enrol import OwnSetError
from table_assist.vision.picture import PictureError
from table_assist.vision.sources import CameraError
from table_assist.vision.weights import WeightsError
from web.guard import NetworkRefusedError
from web.serve import PortUnavailableError

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
)
