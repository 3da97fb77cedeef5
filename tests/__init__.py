"""The tests of the three packages. They use the rule lab from its folder, whether it is installed or not."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli" / "plugins" / "encounterlog-rulelab"))
