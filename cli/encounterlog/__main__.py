"""The start of the command `encounter`."""

import gc
import os
import sys

RARELY = 200_000
"""The number of objects made before the garbage collector looks for cycles among them; its searches take a tenth of a short command's time."""


def main() -> None:
    """Run the command; the garbage collector runs seldom, and not at the end, when everything is freed anyway."""
    _understand_arguments()
    gc.set_threshold(RARELY)
    from encounterlog.cli.main import encounter  # only now: what is imported stays, and is not worth a search

    try:
        encounter(prog_name="encounter")
    finally:
        gc.freeze()


def _understand_arguments() -> None:
    """Start again where Python has turned letters of an argument into half surrogates, as in LC_ALL=C with PYTHONUTF8=0: names are UTF-8 here."""
    if not all(map(str.isascii, sys.argv)) and sys.getfilesystemencoding() == "ascii":
        os.execv(sys.executable, [sys.orig_argv[0], "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 – itself


if __name__ == "__main__":
    main()
