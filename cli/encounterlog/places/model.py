"""A model that is asked for the meaning of a refused line, if the table has one: a chat endpoint as many local and hosted models have it.

No failure there is reported: a suggestion that does not come in time, or not at all, is none.
"""

import os
import threading
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from encounterlog.log.suggesting import Question

ADDRESS, NAME, KEY = "ENCOUNTER_READER", "ENCOUNTER_READER_MODEL", "ENCOUNTER_READER_KEY"
"""The variables of the environment: the endpoint, the name of the model, the key for it."""
PATIENCE = 2.0  # the longest time for an answer, in seconds
LARGEST, LONGEST = 1 << 16, 80  # the most bytes of an answer, and the most tokens that are asked for
_FREE = threading.BoundedSemaphore(4)  # the most open questions at once; a further one is not asked


class Model(Struct, frozen=True):
    """A model at an address, such as http://127.0.0.1:11434/v1."""

    address: str
    name: str = ""
    key: str = ""
    patience: float = PATIENCE

    def __repr__(self) -> str:
        return f"<Model at {self.address}>"

    def __call__(self, question: "Question") -> str:
        """Return the model's answer, "" if it does not come in time."""
        if not _FREE.acquire(blocking=False):
            return ""
        answers: list[str] = []
        asking = threading.Thread(target=self._ask, args=(question, answers), daemon=True)
        asking.start()
        asking.join(self.patience)  # a socket has a limit for each of its reads, and none for all of them
        return answers[0] if answers else ""

    def _ask(self, question: "Question", answers: list[str]) -> None:
        try:
            answers.append(self._answer(question))
        except Exception:  # noqa: BLE001, S110 – whatever fails is no suggestion, and may have the key in its message
            pass
        finally:
            _FREE.release()

    def _answer(self, question: "Question") -> str:
        """Return the content of the first choice; raise any error of the answer."""
        from urllib import request

        messages = [{"role": "system", "content": question.task}, {"role": "user", "content": question.about}]
        asked = {"messages": messages, "temperature": 0, "max_tokens": LONGEST, "stream": False}
        body = msgspec.json.encode(asked | ({"model": self.name} if self.name else {}))
        headers = {"content-type": "application/json", "user-agent": "encounterlog"}
        headers |= {"authorization": f"Bearer {self.key}"} if self.key else {}
        where, data, end = f"{self.address.rstrip('/')}/chat/completions", b"", monotonic() + self.patience
        made = request.OpenerDirector()  # HTTP alone, and no redirection, which would take the key elsewhere
        for handler in (request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler, request.HTTPErrorProcessor):
            made.add_handler(handler())
        made.add_handler(request.HTTPDefaultErrorHandler())
        asking = request.Request(where, body, headers, method="POST")  # noqa: S310 – only HTTP
        with made.open(asking, timeout=self.patience) as response:
            while len(data) < LARGEST and monotonic() < end and (piece := response.read1(LARGEST)):
                data += piece
        return msgspec.convert(msgspec.json.decode(data)["choices"][0]["message"]["content"], str)


class Later(Struct):
    """A model that is asked between two readings of a line: the first takes down the question, the second finds the answer."""

    model: Model
    question: "Question | None" = None
    answer: str = ""

    def __call__(self, question: "Question") -> str:
        """Take down the first question, and return the answer if there is one."""
        self.question = self.question or question
        return self.answer

    def ask(self) -> bool:
        """Ask the model the question taken down, and return whether it answers."""
        self.answer = self.model(self.question) if self.question else ""
        return bool(self.answer)


def find_model() -> Model | None:
    """Return the model that the environment names; None without one."""
    address, name, key = (os.environ.get(each, "").strip() for each in (ADDRESS, NAME, KEY))
    return Model(address, name, key) if address else None


def load_model_if_named() -> Later | None:
    """Return the model that the environment names, to be asked where nobody waits for the log; None without one."""
    model = find_model()
    return Later(model) if model else None
