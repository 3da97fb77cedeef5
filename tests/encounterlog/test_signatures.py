"""`encounter sign` and `encounter verify --key`: an anchor that proves itself, as long as the log agrees with it."""

import json
import os
import resource
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from encounterlog.errors import how_to_install
from eventstore.chain import withhold_payload
from tests.encounterlog.support import append, encounter, environment, quarrel, spawn
from tests.encounterlog.terminals import Terminal
from tests.eventstore.logs import rehashed

ROUND = '{"type":"round_ended"}\n'
OPENSSH, PEM = forms.PrivateFormat.OpenSSH, forms.PrivateFormat.PKCS8
PUBLIC = {
    OPENSSH: (forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH),
    PEM: (forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo),
}


def pair(folder: Path, name: str, key: Any = None, form: forms.PrivateFormat = OPENSSH, passphrase: str = "") -> Path:
    """Write a pair of keys, NAME and NAME.pub, and return the path of the private one."""
    key = key or Ed25519PrivateKey.generate()
    lock = forms.BestAvailableEncryption(passphrase.encode()) if passphrase else forms.NoEncryption()
    (folder / name).write_bytes(key.private_bytes(forms.Encoding.PEM, form, lock))
    (folder / f"{name}.pub").write_bytes(key.public_key().public_bytes(*PUBLIC[form]) + b"\n")
    return folder / name


@pytest.fixture
def key(folder: Path) -> Path:
    return pair(folder, "gm")


def sign(log: Path, key: Path, *words: object) -> str:
    done = encounter("sign", log, "--key", key, *words)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.endswith("\n")
    return done.stdout.removesuffix("\n")


def proof(log: Path, *words: object, key: str = "gm.pub") -> tuple[int, list[str], bool]:
    """Return the exit code of verify, what each signature shows, and whether the log is sound."""
    done = encounter("verify", log, "--key", key, "--json", *words)
    value = json.loads(done.stdout)
    return done.exit_code, [one["shows"] for one in value["signatures"]], value["sound"]


def beside(log: Path) -> Path:
    return log.with_name(log.name + ".sig")


def refused(done: Any, says: str, code: int = 2) -> None:
    assert (done.exit_code, done.stdout) == (code, "")
    assert says in done.stderr
    assert done.stderr.startswith("encounter: ")


# ---------------------------------------------------------------- signing


@pytest.mark.parametrize("form", [OPENSSH, PEM])
def test_what_was_signed_is_proven_by_the_public_key(folder: Path, log: Path, form: forms.PrivateFormat) -> None:
    key = pair(folder, "gm", form=form)
    line = sign(log, key)
    assert beside(log).read_text() == line + "\n"
    done = encounter("verify", log, "--key", "gm.pub")
    assert done.exit_code == 0
    assert "  line 1: proven, records 1 to 19 were signed by the owner of the key\nsound\n" in done.stdout
    assert "unanchored" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 100


def test_each_evening_adds_a_line_and_the_same_again_adds_nothing(log: Path, key: Path) -> None:
    first = sign(log, key)
    assert "already in halvaine.jsonl.sig" in encounter("sign", log.name, "--key", key).stderr
    append(log, ROUND)
    second = sign(log, key)
    assert beside(log).read_text().splitlines() == [first, second]
    assert proof(log) == (0, ["proven", "proven"], True)
    append(log, ROUND)
    assert "  the records after 20 are not signed\n" in encounter("verify", log, "--key", "gm.pub").stdout


def test_verify_mentions_signatures_that_nobody_asked_it_to_check(folder: Path, log: Path, key: Path) -> None:
    assert "signature in" not in encounter("verify", log).stdout
    sign(log, key)
    sign(log, pair(folder, "ada"))
    with beside(log).open("a") as file:
        file.write("Dear diary\n")
    assert (
        "\n2 signatures in halvaine.jsonl.sig, not checked: --key PUBLIC does\n" in encounter("verify", log.name).stdout
    )
    assert json.loads(encounter("verify", log, "--json").stdout)["unchecked"] == 2
    assert json.loads(encounter("verify", log, "--json", "--key", "gm.pub").stdout)["unchecked"] == 0
    beside(log).unlink()
    beside(log).mkdir()
    assert encounter("verify", log).exit_code == 0


@pytest.mark.parametrize("damage", [(b'"amount":3}', b'"amount":2}'), (b"\n", b"\r\n")])
def test_a_damaged_log_is_not_signed(log: Path, key: Path, damage: tuple[bytes, bytes]) -> None:
    log.write_bytes(log.read_bytes().replace(*damage))
    refused(encounter("sign", log, "--key", key), f"{log}, line ", 3)
    assert not beside(log).exists()


# ---------------------------------------------------------------- the file of signatures


def test_where_a_signature_cannot_be_added_nothing_changes(log: Path, key: Path) -> None:
    for name in (log.parent, "none/here", "x" * 300):
        refused(encounter("sign", log, "--key", key, "--to", name), "not written", 6)
    sign(log, key)
    append(log, ROUND)
    held = beside(log).read_bytes()

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(held) + 50, len(held) + 50))

    done = spawn("sign", log, "--key", key, preexec_fn=limited)
    assert (done.returncode, done.stdout, beside(log).read_bytes()) == (6, b"", held)
    assert b"not written: file too large" in done.stderr


# ---------------------------------------------------------------- what signatures show


def test_a_cut_and_a_rewritten_log_contradict_what_was_signed(log: Path, key: Path) -> None:
    early = log.read_bytes()
    sign(log, key)
    append(log, ROUND)
    sign(log, key)
    whole = log.read_bytes()
    log.write_bytes(early)
    assert proof(log) == (1, ["proven", "cut off"], False)
    assert "cut off, record 20 was signed and is no longer there" in encounter("verify", log, "--key", "gm.pub").stdout
    forged = whole.replace(b'"amount":3}', b'"amount":2}')
    log.write_bytes(rehashed(forged.splitlines(keepends=True)))
    assert encounter("verify", log).exit_code == 0
    assert proof(log) == (1, ["rewritten", "rewritten"], False)
    log.write_bytes(forged)
    assert proof(log) == (3, ["not reached", "not reached"], False)
    log.write_bytes(whole[:-20])
    assert proof(log) == (3, ["proven", "cut off"], False)
    log.write_bytes(whole)
    assert proof(log) == (0, ["proven", "proven"], True)


def test_withheld_payloads_take_nothing_from_what_was_signed(log: Path, key: Path) -> None:
    sign(log, key)
    rows = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([rows[0], *map(withhold_payload, rows[1:])]))
    assert proof(log) == (0, ["proven"], True)


def test_of_two_who_sign_each_is_proven_by_his_own_key(folder: Path, log: Path, key: Path) -> None:
    sign(log, key)
    sign(log, pair(folder, "ada"))
    assert proof(log) == (0, ["proven", "another key"], True)
    assert proof(log, key="ada.pub") == (0, ["another key", "proven"], True)
    pair(folder, "bo")
    assert proof(log, key="bo.pub") == (1, ["another key", "another key"], False)
    assert "nothing is proven by this key" in encounter("verify", log, "--key", "bo.pub").stdout


def test_a_changed_or_forged_signature_is_not_taken(log: Path, key: Path) -> None:
    line = sign(log, key, "--to", "-")
    start = len("encounterlog 1 ")
    for place in (*range(start, len(line), 7), len(line) - 1):
        changed = line[:place] + chr(ord(line[place]) ^ 1) + line[place + 1 :]
        code, shows, sound = proof(log, "--signature", changed)
        assert (code, sound, len(shows)) == (1, False, 1)
        assert shows[0] in ("not genuine", "another key", "no signature"), changed
    line = sign(log, key, "--to", "-")
    append(log, ROUND)
    forged = line.replace(line.split(" ")[3], encounter("head", log).stdout.strip())
    (log.parent / "sigs").write_text(f"{line}\n\n{forged}\nDear diary\n{line[:90]}\n")
    assert proof(log, "--signature", "sigs") == (1, ["proven", "not genuine", "no signature", "no signature"], False)
    done = encounter("verify", log, "--key", "gm.pub", "--signature", "sigs")
    assert "  line 3: not genuine, the owner of the key did not sign this line\n" in done.stdout
    assert "  line 4: is no signature\n" in done.stdout
    assert "sound" not in done.stdout


def test_a_signature_of_another_log_or_none_proves_nothing(log: Path, key: Path) -> None:
    assert key.exists()
    for words, says in (
        (("--key", "gm.pub", "--signature", "gone"), "gone is not there\nhint: --signature takes"),
        (("--key", "gm.pub", "--signature", "gm/"), "address: gm/ names a folder"),
        (("--key", "gm.pub", "--signature", log.parent), "is not an ordinary file\nhint: --signature takes"),
        (("--signature", "gone"), "--signature needs the key of the signer\nhint: --key PUBLIC"),
    ):
        refused(encounter("verify", log, *words), says)
    line = sign(quarrel(log.with_name("other.jsonl")), key)
    assert proof(log, "--signature", line) == (1, ["another log"], False)
    assert "line 1: signs another log" in encounter("verify", log, "--key", "gm.pub", "--signature", line).stdout


# ---------------------------------------------------------------- keys


FORMAT = Path(__file__).parents[2] / "eventstore" / "FORMAT.md"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen on this machine")
def test_ssh_keygen_alone_proves_a_signature_as_the_format_says(folder: Path, log: Path, key: Path) -> None:
    log.rename(folder / "ford.jsonl")
    line = sign(folder / "ford.jsonl", key)
    script = FORMAT.read_text("utf-8").split("```sh\n")[1].split("```")[0]

    def checked() -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-euc", script], cwd=folder, capture_output=True, text=True, check=False)

    done = checked()
    assert (done.returncode, done.stderr) == (0, "")
    assert f'Good "encounterlog" signature for gm with ED25519 key {line.split()[4]}' in done.stdout
    forged = line.replace(line.split()[3], f"9:{'0' * 64}")
    (folder / "ford.jsonl.sig").write_text(forged + "\n")
    assert checked().returncode != 0


P = 2**255 - 19
OF_ORDER_8 = ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")  # fmt: skip
SMALL = [*(int.from_bytes(bytes.fromhex(each), "little") for each in OF_ORDER_8), 0, 1, P - 1, P, P + 1]
"""The points of small order on the curve, in every spelling of y that 255 bits allow."""


def test_public_keys_of_small_order_and_several_keys_are_refused(folder: Path, log: Path, key: Path) -> None:
    assert key.exists()
    for raw in ((y | sign << 255).to_bytes(32, "little") for y in SMALL for sign in (0, 1)):
        blob = b"".join(pack(">I", len(part)) + part for part in (b"ssh-ed25519", raw))
        (folder / "weak.pub").write_bytes(b"ssh-ed25519 " + b64encode(blob) + b"\n")
        refused(encounter("verify", log, "--key", "weak.pub"), "weak.pub: is a key of small order")
    (folder / "keys").write_bytes((folder / "gm.pub").read_bytes() * 2)
    refused(encounter("verify", log, "--key", "keys"), "is not one public key\nhint: one key in a file")


@pytest.mark.parametrize("form", [OPENSSH, PEM])
def test_a_passphrase_is_asked_for_and_a_wrong_one_refused(folder: Path, log: Path, form: forms.PrivateFormat) -> None:
    key = pair(folder, "gm", form=form, passphrase="Sesam, öffne dich")
    done = encounter("sign", log, "--key", key, stdin="Sesam, bitte\n")
    assert (done.exit_code, "gm: cannot be read with this passphrase\nhint: try again" in done.stderr) == (2, True)
    assert not beside(log).exists()
    assert encounter("sign", log, "--key", key, stdin="Sesam, öffne dich\n").exit_code == 0
    assert proof(log) == (0, ["proven"], True)
    says = "gm: its passphrase was not given: the input ended\nhint: type it"
    done = encounter("sign", log, "--key", key, stdin="")
    assert (done.exit_code, says in done.stderr) == (2, True)


def test_a_passphrase_is_read_from_the_terminal_and_not_shown(folder: Path, log: Path) -> None:
    terminal = Terminal("sign", log, "--key", pair(folder, "gm", passphrase="sesame"), ready="Passphrase")
    said = terminal.prompt()
    terminal.sends("sesame\r")
    assert terminal.end() == 0
    assert "sesame" not in f"{said}{terminal.child.before}"
    assert proof(log) == (0, ["proven"], True)


@pytest.mark.parametrize("form", [OPENSSH, PEM])
@pytest.mark.parametrize("other", [rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())])
def test_keys_of_other_kinds_are_refused_with_a_hint(
    folder: Path, log: Path, other: Any, form: forms.PrivateFormat
) -> None:
    key = pair(folder, "other", other, form)
    for done in (encounter("sign", log, "--key", key), encounter("verify", log, "--key", f"{key}.pub")):
        refused(done, "is a key of another kind; signatures are Ed25519\nhint: ssh-keygen -t ed25519 -f KEY makes")
    assert not beside(log).exists()


@pytest.mark.parametrize("form", [OPENSSH, PEM])
def test_private_and_public_keys_are_not_mistaken_for_each_other(
    folder: Path, log: Path, form: forms.PrivateFormat
) -> None:
    key = pair(folder, "gm", form=form)
    refused(encounter("sign", log, "--key", "gm.pub"), "gm.pub: is a public key; signing needs the private one\nhint: ")
    refused(
        encounter("verify", log, "--key", key),
        "gm: is a private key, which nobody else should see\nhint: name the public",
    )


@pytest.mark.parametrize("content", [
    b"",
    b"\xff\0",
    b"Dear diary",
    b"ssh-ed25519",
    b"ssh-ed25519 AAAA",
    b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI gm@table",
    b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
    b"-----BEGIN OPENSSH PRIVATE KEY-----",
    b"x" * (1 << 17),
])  # fmt: skip
def test_what_is_no_key_is_refused(folder: Path, log: Path, content: bytes) -> None:
    (folder / "key").write_bytes(content)
    for verb in ("sign", "verify"):
        refused(encounter(verb, log, "--key", "key"), "encounter: key: ")
        refused(encounter(verb, log, "--key", "gone"), "gone: no such file")
        refused(encounter(verb, log, "--key", folder), "is a directory")


# ---------------------------------------------------------------- the library


@pytest.mark.parametrize("words", [("sign", "--key", "gm"), ("verify", "--key", "gm.pub")])
def test_without_the_library_it_says_what_to_install(log: Path, key: Path, words: tuple[str, ...]) -> None:
    assert key.exists()
    without = "import sys; sys.modules['cryptography'] = None; from encounterlog.__main__ import main; main()"
    command = [sys.executable, "-c", without, words[0], str(log), *words[1:]]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "encounter: signatures need the library cryptography, which is not installed",
        f"hint: {how_to_install('sign')}",
    ]


# ---------------------------------------------------------------- files that are none of signatures


@pytest.mark.usefixtures("key")
def test_a_pipe_in_the_place_of_the_signatures_is_not_waited_for(log: Path) -> None:
    os.mkfifo(f"{log}.sig")
    refused(encounter("verify", log, "--key", "gm.pub"), "is not an ordinary file")


def test_a_file_of_signatures_is_read_whole_or_not_at_all(log: Path, key: Path) -> None:
    sign(log, key)
    with Path(f"{log}.sig").open("ab") as file:
        file.write(b"\n" * (1 << 24) + b"encounterlog 1 forged\n")
    refused(encounter("verify", log, "--key", "gm.pub"), "is larger than")
