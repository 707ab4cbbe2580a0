"""The hub's tables, for PostgreSQL and SQLite alike; `versions/` makes them.

Logs and their entries are only ever added to. What people decide (players, sessions, orders, calls)
carries who did it and when, and is undone by another row or mark, not by deletion.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from table_assist.club.hub.numbers import NUMBER, numbered

metadata = MetaData()

# Where a table stands: it has asked, was let in, or was sent out.
ASKED, IN, OUT = "asked", "in", "out"

about = Table(
    "about",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
tables = Table(
    "tables",
    metadata,
    numbered(),
    Column("key", String(64), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("state", String(8), nullable=False),
    Column("code", String(16), nullable=False),
    Column("log", Integer),  # the one that goes on; earlier ones are closed
    Column("turn", BigInteger, nullable=False),
    Column("seen", Float, nullable=False),  # seconds since the epoch, by the hub
    Column("changed", BigInteger, nullable=False),  # another one whenever its view is; it grows
    Column("view", Text, nullable=False),
)
logs = Table(
    "logs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("epoch", String(32), nullable=False),
    Column("first", String(64), nullable=False),  # the first entry's seal: by it a log is known
    Column("have", Integer, nullable=False),
    Column("seal", String(64), nullable=False),
    Column("begun", Float, nullable=False),
    UniqueConstraint("table_id", "epoch", name="one_log_an_epoch"),
)
entries = Table(
    "entries",
    metadata,
    Column("log", ForeignKey("logs.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seal", String(64), nullable=False),
    Column("line", Text, nullable=False),
)
alarms = Table(
    "alarms",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("told", Text, nullable=False),  # with the numbers in it
    Column("at", Float, nullable=False),
    Column("done", String(80), nullable=False),  # who has seen to it
    UniqueConstraint("table_id", "kind", "told", name="one_alarm_a_fault"),
)
refused = Table(
    "refused",
    metadata,
    Column("why", String(16), primary_key=True),
    Column("count", BigInteger, nullable=False),
)
orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("order", Text, nullable=False),  # signed, as JSON
    Column("at", Float, nullable=False),
    Column("seq", Integer, nullable=False),  # of the entry that it became; 0: not yet
    Column("refused", Text, nullable=False),  # why the table did not carry it out
    Column("kind", String(16), nullable=False, server_default=""),  # as the order says
    Index("orders_waiting", "table_id", "seq"),
)
calls = Table(
    "calls",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("going", String(80), nullable=False),
    Column("done", Float, nullable=False),  # 0: somebody waits
)
players = Table(
    "players",
    metadata,
    numbered(),
    Column("name", String(80), nullable=False),
    Column("number", String(40), nullable=False, unique=True),  # the club's own, of any kind
    Column("hidden", Boolean, nullable=False),  # strangers see the number and not the name
)
sessions = Table(
    "sessions",
    metadata,
    numbered(),
    Column("name", String(80), nullable=False),
    Column("begun", Float, nullable=False),
    Column("public", Boolean, nullable=False),  # standings are shown to everybody
)
series = Table(  # a tournament of several sessions, or a season
    "series",
    metadata,
    numbered(),
    Column("name", String(80), nullable=False),
    Column("sessions", Text, nullable=False),  # JSON: their numbers; none: by the two dates
    Column("since", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("by", String(80), nullable=False),
    Column("undone", String(80), nullable=False),
)
plans = Table(
    "plans",
    metadata,
    Column("session_id", ForeignKey("sessions.id"), primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("tables", Text, nullable=False),  # JSON: four players of each table, East first
    Column("by", String(80), nullable=False),
    Column("seated", Float, nullable=False),  # when the tables were told; 0: not yet
)
corrections = Table(
    "corrections",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", ForeignKey("sessions.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("points", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by", String(80), nullable=False),
    Column("at", Float, nullable=False),
    Column("undone", String(80), nullable=False),
)
acts = Table(
    "acts",
    metadata,
    numbered(),
    Column("session_id", NUMBER, nullable=False),  # 0: of none
    Column("kind", String(16), nullable=False),
    Column("content", Text, nullable=False),  # JSON, by the kind
    Column("by", String(80), nullable=False),
    Column("at", Float, nullable=False),
    Column("undoes", ForeignKey("acts.id")),
    UniqueConstraint("undoes", name="undone_once"),
)
commands = Table(  # of the desk, that their pages gave keys
    "commands",
    metadata,
    Column("key", String(64), primary_key=True),  # sha256 of key, command and who gave it
    Column("answer", Text, nullable=False),  # as JSON; empty: not kept
)
files = Table(
    "files",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("order_key", String(32), nullable=False, unique=True),  # that asked for it
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("hand", Integer, nullable=False),
    Column("digest", String(64), nullable=False),  # sha256
    Column("size", Integer, nullable=False),
    Column("have", Integer, nullable=False),  # bytes that have come, in their order
    Column("at", Float, nullable=False),
)
pieces = Table(
    "pieces",
    metadata,
    Column("file", ForeignKey("files.id"), primary_key=True, autoincrement=False),
    Column("at", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),  # base64
)
pictures = Table(  # of won hands, as they are shown; the file is as it came
    "pictures",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", ForeignKey("files.id"), nullable=False, unique=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("log", ForeignKey("logs.id"), nullable=False),
    Column("entry", Integer, nullable=False),  # that showed the hand
    Column("hand", Integer, nullable=False),
    Column("content", Text, nullable=False),  # base64
    Column("at", Float, nullable=False),
)
heads = Table(
    "heads",
    metadata,
    Column("minute", Integer, primary_key=True, autoincrement=False),
    Column("heads", Text, nullable=False),  # JSON: (table's key, epoch, have, seal) of every log
    Column("signature", Text, nullable=False),
)
staff = Table(
    "staff",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),  # sha256 of a link or of a cookie
    Column("name", String(80), nullable=False),
    Column("role", String(16), nullable=False),
    Column("until", Float, nullable=False),
    Column("is_link", Boolean, nullable=False),
)
