"""Run mypy --strict on the packages under the names they are installed by.

mypy cannot see through setuptools' package-dir mapping, so the folders are linked (or, where links are not
allowed, copied) into build/typecheck/perdure first.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "typecheck"
PACKAGES = ("stores", "identity", "nodes", "graph", "app", "evals")


def main() -> int:
    """Lay the tree out and check it; returns mypy's status."""
    shutil.rmtree(TREE, ignore_errors=True)
    (TREE / "perdure").mkdir(parents=True)
    for package in PACKAGES:
        try:
            (TREE / "perdure" / package).symlink_to(ROOT / package, target_is_directory=True)
        except OSError:
            shutil.copytree(ROOT / package, TREE / "perdure" / package)
    cache = ["--cache-dir", str(ROOT / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *cache, "."]
    return subprocess.run(command, cwd=TREE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
