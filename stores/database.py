"""Connections to the record: the only module that makes a SQLAlchemy engine.

Invariants: every connection has WAL and a busy timeout; every writing transaction takes the write lock at its
start; the schema is at the head revision before the first statement; no transaction outlives its `with` block.
"""

import errno
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from . import dialect
from .errors import PerdureError, StoreUnavailable

HEAD = "0009"
"""The Alembic revision this code reads and writes (a test compares it with migrations/versions)."""

PIECE = 1 << 24
"""Bytes of the file that are searched at a time."""

_making = threading.Lock()


class Database:
    """A lazily opened SQLite database file, private to its owner (mode 0600)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine: Engine | None = None
        self._opening = threading.Lock()
        self._reading = threading.local()
        self._reader: int | None = None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent snapshot; nothing written in it is kept. A read inside a read of its thread shares it."""
        outer: Connection | None = getattr(self._reading, "connection", None)
        if outer is not None:
            yield outer
            return
        with _translated(self.path), self._open().connect() as connection:
            _begin(connection, dialect.BEGIN_READ)
            self._reading.connection = connection
            try:
                yield connection
            finally:
                self._reading.connection = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction holding the write lock; committed as a whole at the end, or not at all."""
        with _translated(self.path), self._open().begin() as connection:
            _begin(connection, dialect.BEGIN_WRITE)
            yield connection

    def close(self) -> None:
        """Close every connection; the next use opens anew."""
        with self._opening:
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None
            if self._reader is not None:
                os.close(self._reader)
                self._reader = None

    def check(self) -> str:
        """'ok', or what SQLite finds damaged."""
        with self.read() as connection:
            return str(connection.execute(text(dialect.CHECK)).scalar())

    def compact(self) -> None:
        """Leave no byte of deleted words in the keyword tables' segments or in the log.

        Raises StoreUnavailable while another reader holds the log.
        """
        with self.write() as connection:
            for statement in dialect.COMPACT_WORDS:
                connection.execute(text(statement))
        self.truncate_log()

    def vacuum(self) -> None:
        """Rewrite the file with what it holds now and nothing else."""
        with _translated(self.path), self._bare() as connection:
            connection.exec_driver_sql(dialect.VACUUM)
        self.truncate_log()

    def file_holds(self, traces: Sequence[bytes]) -> bool:
        """Whether the file holds any of the byte strings, unused pages included; it is read in pieces.

        The descriptor stays open for as long as the database does: see `_make_private`.
        """
        longest, tail = max(map(len, traces), default=0), b""
        with self._opening:
            if self._reader is None:
                self._reader = os.open(self.path, os.O_RDONLY)
            os.lseek(self._reader, 0, os.SEEK_SET)
            while piece := os.read(self._reader, PIECE):
                if any(trace in tail + piece for trace in traces):
                    return True
                tail = piece[-longest:] if longest else b""
        return False

    def truncate_log(self) -> None:
        """Write the log into the file and empty it; raises StoreUnavailable while a reader holds it."""
        with _translated(self.path), self._bare() as connection:
            busy = connection.exec_driver_sql(dialect.TRUNCATE_LOG).scalar()
        if busy:
            raise StoreUnavailable("Another process is reading the database.")

    @contextmanager
    def _bare(self) -> Iterator[Connection]:
        """A connection outside any transaction."""
        with self._open().connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def _open(self) -> Engine:
        if self._engine is None:
            with self._opening:
                if self._engine is None:
                    self._engine = self._create()
        return self._engine

    def _create(self) -> Engine:
        _make_private(self.path)
        engine = create_engine(f"sqlite:///{self.path}")
        event.listen(engine, "connect", _prepare)
        try:
            _migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        return engine


def connect_file(path: Path) -> sqlite3.Connection:
    """A plain connection to a private SQLite file, prepared as every connection here is, for any thread."""
    _make_private(path)
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        for pragma in dialect.PRAGMAS:
            connection.execute(pragma).close()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_private(path: Path) -> None:
    """Make the file, for its owner alone, when it is missing.

    An existing file is never opened here: closing any descriptor of it drops every lock that SQLite holds on it in
    this process, and then the next process to leave deletes the write-ahead log that this one still writes to.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _making, suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StoreUnavailable(
            f"Cannot open the database {path}: {error.strerror}. "
            "Check the folder's permissions and free space, or set PERDURE_HOME to another folder."
        ) from error


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # `_begin` decides how a transaction starts
    for pragma in dialect.PRAGMAS:
        connection.execute(pragma).close()


def _begin(connection: Connection, how: str) -> None:
    """Start a transaction of SQLite: by hand, as one listener on the engine slows every statement."""
    connection.connection.cursor().execute(how)


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        if _revision(connection) == HEAD:
            return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        _begin(connection, dialect.BEGIN_WRITE)
        found = _revision(connection)  # another process may have migrated while this one waited for the lock
        if found is not None and found > HEAD:
            raise StoreUnavailable(
                f"The database is at revision {found}, newer than this perdure ({HEAD}). Upgrade perdure."
            )
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""How SQLite calls a full disk, with and without noticing that it is full; the low byte of an error code."""
_ROOM = " Its disk may be full: make sure that there is free space."


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn a database failure into an error that names the file and never the statement's values."""
    try:
        yield
    except PerdureError:
        raise
    except (DBAPIError, sqlite3.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        room = _ROOM if getattr(cause, "sqlite_errorcode", 0) & 0xFF in _NO_ROOM else ""
        raise StoreUnavailable(
            f"The database {path} failed: {cause}.{room} Run 'perdure doctor' to see what is wrong."
        ) from error
    except SQLAlchemyError as error:
        raise StoreUnavailable(f"The database {path} failed: {type(error).__name__}.") from error
