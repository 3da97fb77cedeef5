"""A real FUSE file system in memory: one folder of files, served through /dev/fuse by a process of its own.

It speaks as much of the kernel's protocol as an image of a disk needs, and keeps each write and sync: a line with place and size,
then the bytes; without a size, a sync.
"""

import ctypes
import errno
import os
import signal
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IFDIR, S_IFREG
from struct import pack, unpack_from

from tests.faults.campaign import NotTried
from tests.faults.processes import Child

ROOT = 1
_HEAD, _LARGEST = 40, 1 << 18
_SIZE = 1 << 3
"""Of what a call to change attributes may say, that it says the size."""


@contextmanager
def fuse(kind: str, record: Path) -> Iterator[Path]:
    """Give an empty folder on a FUSE file system whose type is `kind`; raise NotTried where that cannot be.

    In `record` every write to a file and every sync is kept, in the order in which the kernel asked for them.
    """
    if sys.platform != "linux" or os.geteuid():
        raise NotTried("to mount a FUSE file system needs root on Linux")
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        raise NotTried(f"/dev/fuse: {error.strerror}") from None
    with tempfile.TemporaryDirectory(prefix="fault-fuse-") as name:
        options = f"fd={device},rootmode=40755,user_id=0,group_id=0,default_permissions,allow_other"
        if libc.mount(b"faults", name.encode(), kind.encode(), 0, options.encode()):
            os.close(device)
            raise NotTried(f"mount: {os.strerror(ctypes.get_errno())}")
        server = Child(lambda _: _Server(device, record).serve())
        os.close(device)
        try:
            yield Path(name)
        finally:
            libc.umount2(name.encode(), 2)
            server.kill()  # whoever still has a file open there keeps it from ending by itself


class _Server:
    """Answers the kernel's questions until the file system is unmounted. A file is known by a number, its node."""

    def __init__(self, device: int, record: Path) -> None:
        signal.alarm(0)  # it lives as long as what is mounted
        self.device, self._record = device, record.open("ab", buffering=0)
        self.data: dict[int, bytearray] = {ROOT: bytearray()}
        self.names: dict[bytes, int] = {}
        self.answers: dict[int, Callable[[int, bytes], bytes]] = {
            1: self.lookup,
            3: self.attributes,
            4: self.change,
            14: self.opened,
            15: self.read,
            16: self.write,
            17: lambda *_: pack("<QQQQQIII28x", 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 4096, 255, 4096),
            18: self.nothing,
            20: self.synced,
            25: self.nothing,
            26: self.init,
            27: self.opened,
            29: self.nothing,
            30: self.nothing,
            34: self.nothing,
            35: self.create,
        }

    def serve(self) -> None:
        with suppress(OSError):  # ENODEV: it was unmounted
            while True:
                asked = os.read(self.device, _LARGEST)
                code, unique, node = unpack_from("<IQQ", asked, 4)
                if code in (2, 36, 42):  # forget, interrupt, forget several: they expect no answer
                    continue
                error, answer = self.answer(code, node, asked[_HEAD:])
                os.write(self.device, pack("<IiQ", 16 + len(answer), -error, unique) + answer)

    def answer(self, code: int, node: int, asked: bytes) -> tuple[int, bytes]:
        try:
            return 0, self.answers[code](node, asked)
        except OSError as error:
            return error.errno or errno.EIO, b""
        except KeyError:  # no such call, or no such name
            return errno.ENOENT if code in self.answers else errno.ENOSYS, b""

    def init(self, _node: int, asked: bytes) -> bytes:
        return pack("<IIIIHHIIHHI28x", 7, 31, unpack_from("<I", asked, 8)[0], 0, 12, 9, 1 << 16, 1, 0, 0, 0)

    def nothing(self, _node: int, _asked: bytes) -> bytes:
        return b""

    def opened(self, _node: int, _asked: bytes) -> bytes:
        return bytes(16)

    def attributes(self, node: int, _asked: bytes) -> bytes:
        return bytes(16) + self._attributes(node)

    def _attributes(self, node: int) -> bytes:
        size, mode = len(self.data[node]), (S_IFDIR | 0o755) if node == ROOT else (S_IFREG | 0o644)
        return pack("<QQQ24x12xIIIIIII", node, size, size // 512 + 1, mode, 1, 0, 0, 0, 4096, 0)

    def _entry(self, node: int) -> bytes:
        return pack("<Q32x", node) + self._attributes(node)

    def lookup(self, _node: int, asked: bytes) -> bytes:
        return self._entry(self.names[asked.partition(b"\0")[0]])

    def change(self, node: int, asked: bytes) -> bytes:
        if unpack_from("<I", asked)[0] & _SIZE:
            size = unpack_from("<Q", asked, 16)[0]
            self.data[node] = self.data[node][:size].ljust(size, b"\0")
        return self.attributes(node, asked)

    def create(self, node: int, asked: bytes) -> bytes:
        made = max(self.data) + 1
        self.data[made] = bytearray()
        self.names[asked[16:-1]] = made
        return self._entry(made) + self.opened(node, asked)

    def synced(self, _node: int, _asked: bytes) -> bytes:
        self._record.write(b"sync\n")
        return b""

    def read(self, node: int, asked: bytes) -> bytes:
        _, start, size = unpack_from("<QQI", asked)
        return bytes(self.data[node][start : start + size])

    def write(self, node: int, asked: bytes) -> bytes:
        _, start, size = unpack_from("<QQI", asked)
        self._record.write(b"%d %d\n" % (start, size) + asked[40 : 40 + size])
        self.data[node][start : start + size] = asked[40 : 40 + size]
        return pack("<II", size, 0)


assert struct.calcsize("<QQQ24x12xIIIIIII") == 88
