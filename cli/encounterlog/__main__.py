"""The start of the command `encounter`."""

import gc
import sys

RARELY = 50_000
"""How many objects are made before the garbage collector looks for cycles among them: a tenth of a short command's time."""


def main() -> None:
    """Run the command; the garbage collector is seldom asked, and not at the end, when everything is freed anyway."""
    gc.set_threshold(RARELY)
    from encounterlog.direct import is_direct, run  # only now: what is imported stays, and is not worth a search

    try:
        if is_direct(sys.argv[1:]):
            run(sys.argv[1:])
        from encounterlog.command import encounter

        encounter(prog_name="encounter")
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
