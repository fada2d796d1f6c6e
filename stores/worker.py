"""A thread for work that nobody waits for."""

import logging
import threading
from collections.abc import Callable

from .errors import PerdureError

logger = logging.getLogger(__name__)


class Worker:
    """Runs `task` `pause` seconds after it is woken, and once more before it stops; it may be woken again then.

    The thread is a daemon: what it does must be safe to lose at any moment.
    """

    def __init__(self, name: str, task: Callable[[], None], *, pause: float = 0.0) -> None:
        self._name = name
        self._pause = pause
        self._task = task
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()

    def wake(self) -> None:
        """Have the task run soon."""
        with self._guard:
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._wake.set()

    def stop(self, timeout: float | None = None) -> bool:
        """Run the task a last time and end the thread; False when that takes more than `timeout` seconds."""
        with self._guard:
            if self._thread is not None:
                self._stop.set()
                self._wake.set()
                self._thread.join(timeout)
                if self._thread.is_alive():
                    return False
                self._thread = None
            return True

    def _run(self) -> None:
        while True:
            self._wake.wait()
            last = self._stop.wait(self._pause)
            self._wake.clear()
            try:
                self._task()
            except PerdureError as error:
                logger.warning("%s stopped: %s", self._name, error)
            if last:
                return
