"""People's words become entries of the record, or are refused."""

from table_assist.contract.commands import Command
from table_assist.evidence.album import Album
from table_assist.languages.words import Words
from table_assist.session.command_handler import CommandHandler


class PeopleInput:
    """Tells the command handler what people say.

    Args:
        album: keeps the pictures of what is corrected.
    """

    def __init__(self, handler: CommandHandler, album: Album) -> None:
        self._handler = handler
        self._album = album

    def handle(self, command: Command, by: str, key: str) -> Words | None:
        """Do what a person says, all of it or nothing, and once; why not, for that person to read.

        Args:
            by: who says it, with name and role.
            key: of this very command: what was done under it is not done again.
        """
        record = self._handler.record
        if record.done_by(key):
            return None
        seq = record.seq
        self._album.hold(command)
        try:
            return self._handler.execute(command, by, key)
        except Exception:
            record.forget(seq)
            raise
