"""The wheel, installed beside a host project that has its own graph.py and nodes/ and embeds the agent."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / "tests" / "host_project"
HOUSES = ("stores", "identity", "nodes", "graph", "app", "evals")

NO_SOURCES = shutil.ignore_patterns(
    ".*", "__pycache__", "build", "dist", "*.egg-info", "*.sqlite", "node_modules"
)

PATIENCE = 120.0

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, so that nothing is left in the repo and no old build gets in."""
    copy = tmp_path_factory.mktemp("sources") / "perdure"
    shutil.copytree(ROOT, copy, ignore=NO_SOURCES)
    _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", copy / "dist"], cwd=copy)
    [built] = (copy / "dist").glob("*.whl")
    return built


@dataclass(frozen=True)
class Installed:
    """An environment that has perdure from the wheel, and everything else from this one."""

    environment: Path
    project: Path

    def run(self, *arguments: object) -> str:
        """Run a Python program from the host's folder."""
        return _run([self.environment / "bin" / "python", *arguments], cwd=self.project)

    def talk(self, folder: Path, account: str, thread: str, *messages: str) -> dict[str, Any]:
        """Visit the host's desk in a process of its own."""
        folder.mkdir(exist_ok=True)
        came: dict[str, Any] = json.loads(self.run("talk.py", folder, account, thread, *messages))
        return came


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", wheel]
    _run([sys.executable, "-m", "pip", "--python", python, *install], cwd=environment)
    base = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=base))
    # A path in a .pth file gives the packages there, not what their .pth files add: no editable perdure.
    shared = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (packages / "shared.pth").write_text("\n".join(shared))
    project = tmp_path_factory.mktemp("host") / "project"
    shutil.copytree(HOST, project, ignore=shutil.ignore_patterns("__pycache__"))
    return Installed(environment, project)


def test_the_wheel_holds_every_source_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    sources = {
        Path("perdure", path.relative_to(ROOT)).as_posix()
        for house in HOUSES
        for path in (ROOT / house).rglob("*")
        if path.is_file()
        and not {"__pycache__", "results"} & set(path.parts)  # results are figures of runs, not source
        and path.suffix != ".md"
        and not path.name.startswith(".")
    }

    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert held == sources
    assert {name for name in held if name.startswith("perdure/stores/migrations/versions/r")}
    assert {name for name in held if name.startswith("perdure/nodes/prompts/")}
    assert {name for name in held if name.startswith("perdure/identity/personas/") and name.endswith(".yaml")}
    assert {f"perdure/{house}/py.typed" for house in HOUSES} <= held


def test_the_host_and_the_agent_each_keep_their_own_graph_and_nodes(
    installed: Installed, tmp_path: Path
) -> None:
    where = installed.talk(tmp_path / "desk", "a-17", "monday", "Hello!")["where"]

    assert where["graph"] == str(installed.project.resolve() / "graph.py")
    assert where["nodes"] == str(installed.project.resolve() / "nodes" / "__init__.py")
    environment = str(installed.environment.resolve())
    assert where["perdure.graph"].startswith(environment)
    assert where["perdure.nodes"].startswith(environment)


def test_an_account_is_known_again_in_its_next_conversation_and_no_other_account_is(
    installed: Installed, tmp_path: Path
) -> None:
    desk = tmp_path / "desk"
    installed.talk(desk, "a-17", "monday", "I live in Ghent and I do not eat meat.")

    known = installed.talk(desk, "a-17", "tuesday", "Where do I live?")["turns"][0]
    stranger = installed.talk(desk, "b-5", "wednesday", "Where do I live?")["turns"][0]

    assert "Ghent" in known["reply"]
    assert "Ghent" not in stranger["reply"]


def test_the_hosts_own_nodes_state_and_checkpoints_work_as_if_alone(
    installed: Installed, tmp_path: Path
) -> None:
    desk = tmp_path / "desk"
    first = installed.talk(desk, "a-17", "monday", "I live in Ghent.", "Where is order 1007?")["turns"]
    again = installed.talk(desk, "a-17", "monday", "Where do I live?")["turns"][0]

    assert first[1]["reply"] == "Order 1007 of account a-17 is on its way."
    assert [turn["desk"]["route"] for turn in (*first, again)] == ["wren", "orders", "wren"]
    for turn in (*first, again):
        assert turn["desk"]["session_id"] == "till-2"
        assert turn["desk"]["attachments"] == ["receipt.pdf"]
    assert again["messages"] == 6
    assert "Ghent" in again["reply"]


def test_a_host_that_keeps_no_state_still_gets_the_conversation_and_streams_only_the_reply(
    installed: Installed, tmp_path: Path
) -> None:
    turns = installed.talk(
        tmp_path / "desk", "a-17", "monday", "--stateless", "I live in Ghent.", "Where do I live?"
    )["turns"]

    assert "Ghent" in turns[1]["reply"]
    for turn in turns:
        assert turn["streamed"] == {"llm": turn["reply"]}


def test_the_command_line_comes_with_the_wheel(installed: Installed) -> None:
    assert "chat" in _run([installed.environment / "bin" / "perdure", "--help"], cwd=installed.project)


def _run(command: list[Any], *, cwd: Path) -> str:
    """What a program prints; its errors when it fails."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(cwd),
        "LANG": "C.UTF-8",
        "LANGSMITH_TRACING": "false",
        "PERDURE_HOME": str(cwd / "never-used"),
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
