"""What is in deploy/, as far as it can be tried without systemd and without a builder of images."""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from encounterlog.cli.main import load_command
from tests.encounterlog.service.served import served
from tests.encounterlog.support import environment

DEPLOY = Path(__file__).parents[1] / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
UNIT = (DEPLOY / "encounterlog.service").read_text("utf-8")
SERVICES: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
SETTINGS = dict(re.findall(r"\b(ENCOUNTER_\w+)=(\S+)", CONTAINERFILE.partition("\nENV ")[2].partition("\n")[0]))
"""What the image sets."""


def test_every_setting_in_deploy_is_one_of_the_service() -> None:
    of_unit = re.findall(r"^#?Environment=(\w+)=", UNIT, re.MULTILINE)
    assert {*SETTINGS, *of_unit, *SERVICES["encounterlog"]["environment"]} <= {
        each.envvar for each in load_command("serve").params
    }
    assert SETTINGS.keys() >= {"ENCOUNTER_SHELF", "ENCOUNTER_HOST"}


def test_the_composed_service_believes_its_proxy_and_keeps_its_logs() -> None:
    service, proxy = SERVICES["encounterlog"], SERVICES["caddy"]
    assert service["environment"]["ENCOUNTER_PROXY"] == proxy["networks"]["table"]["ipv4_address"]
    (port,) = re.findall(r"^EXPOSE (\d+)$", CONTAINERFILE, re.MULTILINE)
    assert proxy["command"].endswith(f"--to encounterlog:{port}")
    assert service["volumes"] == [f"logs:{SETTINGS['ENCOUNTER_SHELF']}"]
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()


@pytest.mark.slow
def test_the_health_check_passes_while_the_service_runs_alone(tmp_path: Path) -> None:
    (words,) = re.findall(r"^HEALTHCHECK CMD (\[.+\])$", CONTAINERFILE, re.MULTILINE)
    _, *check = yaml.safe_load(words)
    with served(tmp_path) as server:
        command = [sys.executable, *(each.replace(":8317", f":{server.port}") for each in check)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
        server.stop()
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here")
def test_systemd_has_no_complaint_about_the_unit(tmp_path: Path) -> None:
    (command,) = re.findall(r"^ExecStart=(\S+) serve$", UNIT, re.MULTILINE)
    there = tmp_path / "encounter"
    text = UNIT.replace(command, str(there))

    def verified(written: str) -> tuple[int, str]:
        unit = tmp_path / "encounterlog.service"
        unit.write_text(written, "utf-8")
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, complaint = verified(text)
    assert (code, f"Command {there} is not executable" in complaint) == (1, True)
    there.symlink_to(sys.executable)
    assert verified(text) == (0, "")
    assert "ProtectSytem" in verified(text.replace("ProtectSystem=", "ProtectSytem="))[1]


def test_the_page_and_the_unit_name_where_the_command_is_installed() -> None:
    page = (DEPLOY.parent / "docs" / "how-to" / "deploy.md").read_text("utf-8")
    (folder,) = re.findall(r"^ExecStart=(\S+)/bin/encounter serve$", UNIT, re.MULTILINE)
    assert f"python3 -m venv {folder} && {folder}/bin/pip install '.[serve]'" in UNIT
    assert f"`{folder}/bin/encounter`" in page


@pytest.mark.slow
def test_the_service_runs_with_what_the_unit_sets(tmp_path: Path) -> None:
    given = dict(re.findall(r"^Environment=(\w+)=(\S+)$", UNIT, re.MULTILINE))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    here = environment(**given | {"ENCOUNTER_SHELF": str(tmp_path), "ENCOUNTER_PORT": port})
    words = [sys.executable, "-m", "encounterlog", "serve"]
    with subprocess.Popen(words, env=here, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(2)]
        process.terminate()
        assert process.wait(10) == 0
    assert f"serving {tmp_path} at http://127.0.0.1:{port}" in said[1]
