"""Alembic's entry: runs inside the transaction that stores.database hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
