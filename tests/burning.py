"""The tests beside processes that burn: no test may depend on load.

python -m tests.burning [--processes N] [PYTEST…]

N processes (6) compute without a pause while pytest runs with the other options, by default the first tier. The exit code is
that of pytest.
"""

import argparse
import subprocess
import sys

BURN = "while True: pass"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.burning")
    parser.add_argument("--processes", type=int, default=6, metavar="N")
    asked, options = parser.parse_known_args()
    burning = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(asked.processes)]
    try:
        return subprocess.run([sys.executable, "-m", "pytest", "-n", "auto", *options], check=False).returncode
    finally:
        for each in burning:
            each.kill()
            each.wait()


if __name__ == "__main__":
    sys.exit(main())
