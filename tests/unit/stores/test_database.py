"""Connections to the record: private files, transactions that are done or not begun, clear errors."""

import resource
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

import perdure.stores.database as module
from perdure.stores import dialect
from perdure.stores.database import HEAD, Database, connect_file
from perdure.stores.errors import InvalidInput, StoreUnavailable
from perdure.stores.schema import metadata, scopes


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "home" / "memory.sqlite")
    yield opened
    opened.close()


def add(database: Database, key: str) -> None:
    with database.write() as connection:
        connection.execute(scopes.insert().values(agent_id="Luna", user_id=key, key=key))


def users(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.execute(text("SELECT user_id FROM scopes ORDER BY row")).scalars())


def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    Database(tmp_path / "home" / "memory.sqlite").close()
    assert list(tmp_path.iterdir()) == []


def test_folder_and_file_are_private_to_their_owner(database: Database) -> None:
    add(database, "ana")
    assert database.path.stat().st_mode & 0o777 == 0o600
    assert database.path.parent.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o077 == 0 for file in database.path.parent.iterdir())


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("busy_timeout", 15000),
        ("foreign_keys", 1),
        ("secure_delete", 1),
        ("synchronous", 2),
    ],
)
def test_every_connection_is_prepared(database: Database, pragma: str, value: object) -> None:
    add(database, "ana")
    with database.read() as reading, database.read() as another:
        assert reading.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
        assert another.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    plain = connect_file(database.path.with_name("other.sqlite"))
    assert plain.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    plain.close()


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def half() -> None:
        with database.write() as connection:
            connection.execute(scopes.insert().values(agent_id="Luna", user_id="ana", key="ana"))
            raise InvalidInput("changed my mind")

    with pytest.raises(InvalidInput):
        half()
    assert users(database) == []


def test_what_is_written_while_reading_is_not_kept(database: Database) -> None:
    with database.read() as connection:
        connection.execute(scopes.insert().values(agent_id="Luna", user_id="ana", key="ana"))
    assert users(database) == []


def test_a_reader_sees_one_moment(database: Database) -> None:
    add(database, "ana")
    with database.read() as connection:
        before = connection.execute(text("SELECT COUNT(*) FROM scopes")).scalar()
        add(database, "ben")
        assert connection.execute(text("SELECT COUNT(*) FROM scopes")).scalar() == before
    assert users(database) == ["ana", "ben"]


def test_writers_wait_for_each_other(database: Database) -> None:
    def write(number: int) -> None:
        with database.write() as connection:
            found = connection.execute(text("SELECT COUNT(*) FROM scopes")).scalar()
            connection.execute(scopes.insert().values(agent_id="Luna", user_id=f"{found}", key=f"{number}"))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert users(database) == [str(number) for number in range(12)]


def test_a_writer_that_cannot_have_its_turn_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "PRAGMAS", (*dialect.PRAGMAS, "PRAGMA busy_timeout=0"))
    one, other = Database(tmp_path / "m.sqlite"), Database(tmp_path / "m.sqlite")
    with one.read(), other.read():
        pass
    with one.write(), pytest.raises(StoreUnavailable, match="database is locked"), other.write():
        pass
    with other.write():
        pass
    one.close()
    other.close()


def test_the_code_and_the_migrations_agree(database: Database) -> None:
    migrations = ScriptDirectory(str(Path(module.__file__).parent / "migrations"))
    assert migrations.get_current_head() == HEAD
    with database.read() as connection:
        ours = MigrationContext.configure(
            connection, opts={"include_name": lambda name, kind, _: name in wanted(kind)}
        )
        assert compare_metadata(ours, metadata) == []


def wanted(kind: str) -> set[str | None]:
    tables = set(metadata.tables)
    names = {index.name for table in metadata.tables.values() for index in table.indexes}
    return (
        {None, *tables}
        if kind == "table"
        else {None, *names, *(c.name for t in metadata.tables.values() for c in t.c)}
    )


def test_opening_again_changes_nothing(database: Database) -> None:
    add(database, "ana")
    database.close()
    assert users(database) == ["ana"]
    assert database.check() == "ok"


def test_many_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    opened = [Database(tmp_path / "memory.sqlite") for _ in range(6)]
    threads = [threading.Thread(target=add, args=(one, f"user-{n}")) for n, one in enumerate(opened)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(users(opened[0])) == 6
    for one in opened:
        one.close()


def test_a_file_that_is_no_database_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"a letter to my mother " * 200)
    with pytest.raises(StoreUnavailable, match=r"memory\.sqlite failed: file is not a database\. Run"):
        users(Database(path))


def test_a_full_database_speaks_of_free_space(database: Database) -> None:
    def overflow() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
            connection.execute(scopes.insert().values(agent_id="Luna", user_id="x" * 100_000, key="k"))

    with pytest.raises(StoreUnavailable, match=r"is full\..* free space\. Run 'perdure doctor'"):
        overflow()


def test_a_write_that_fails_on_the_disk_speaks_of_free_space(database: Database) -> None:
    add(database, "ana")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StoreUnavailable, match=r"disk I/O error\..* free space\. Run 'perdure doctor'"):
            add(database, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_folder_that_cannot_be_made_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(StoreUnavailable, match=r"Cannot open the database .*PERDURE_HOME"):
        users(Database(tmp_path / "home" / "memory.sqlite"))


def test_a_database_of_a_newer_perdure_is_left_alone(database: Database) -> None:
    add(database, "ana")
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(StoreUnavailable, match=r"9999.*Upgrade perdure"):
        users(database)
    raw = sqlite3.connect(database.path)
    assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    raw.close()


def test_an_error_names_the_file_and_never_the_values(database: Database) -> None:
    def twice() -> None:
        add(database, "my secret")
        add(database, "my secret")

    with pytest.raises(StoreUnavailable) as caught:
        twice()
    assert "memory.sqlite failed" in str(caught.value)
    assert "my secret" not in str(caught.value)


def test_searching_the_file_leaves_the_log_to_whoever_still_writes(tmp_path: Path) -> None:
    """A descriptor closed in this process would drop its locks, and a leaving process delete the log."""
    database = Database(tmp_path / "record.sqlite")
    with database.write() as connection:
        connection.execute(text("CREATE TABLE told (words TEXT)"))
        connection.execute(text("INSERT INTO told VALUES ('Zebrastreet')"))
    database.truncate_log()
    assert database.file_holds([b"Zebrastreet"])
    assert not database.file_holds([b"Kanaristreet"])
    visit = (
        "import sys; from pathlib import Path; from perdure.stores.database import Database\n"
        "d = Database(Path(sys.argv[1]))\nwith d.read() as c: c.exec_driver_sql('SELECT * FROM told').all()\nd.close()"
    )
    for number in range(3):
        with database.write() as connection:
            connection.execute(text("INSERT INTO told VALUES (:number)"), {"number": str(number)})
        subprocess.run([sys.executable, "-c", visit, str(database.path)], check=True, timeout=120)
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM told")).scalar() == 4
    database.close()
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM told")).scalar() == 4
    database.close()
