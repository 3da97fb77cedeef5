"""Work that kills its worker, in a module by itself: a worker imports nothing else for it."""

import os
import signal
from pathlib import Path

from encounterlog.bulk.checking import AuditedLog, Task, audit_task


def fatal(task: Task) -> AuditedLog | None:
    """Audit a log; h-1 kills its worker each time, h-2 until there is a file of the name that is told as `by`."""
    name, mark = Path(task.log).name, Path(task.by)
    if name == "h-1.jsonl" or (name == "h-2.jsonl" and not mark.exists()):
        if name == "h-2.jsonl":
            mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return audit_task(Task(task.log))
