"""Work in shares for a few threads, which no signal's handler can leave half done.

Python runs the handlers of signals in the main thread, between any two of its instructions, and what a handler raises, such as the
KeyboardInterrupt of Ctrl-C, ends the function that it hits. So a `Task` is work that can be gone on with: each share is done by one thread
only, it notes when it is done, and whoever is broken off in `finish` calls it again. No handler runs in the threads of a `Crew`.
"""

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

ATTEMPTS = 100
"""So many exceptions of handlers are held back; the next one is let through, and the work has to be gone on with later."""


class Task:
    """Work in shares.

    Args:
        work: does the share of a number. One share is always done by the same thread, which may be told so twice: the second time nothing
            may come of it.
        shares: how many there are.
        crew: whose threads do them; None if there is only the caller's.
        result: what stands when all are done.
        own: whether share 0 is done by the thread that calls `finish`.
    """

    def __init__(self, work: Callable[[int], None], shares: int, crew: "Crew | None", result: Any = None, *, own: bool = True) -> None:
        self.result = result
        self.taken = False  # for whoever hands the result out
        self.over = False
        self.error: BaseException | None = None  # what a thread of the crew met with
        self.pid = os.getpid()
        self._work, self._crew, self._own = work, crew, own
        self._done = [False] * shares
        self._bells = {number: _silent_bell() for number in range(int(own), shares)}
        self._sent = False

    @classmethod
    def finished(cls, result: Any) -> "Task":
        """One that never had anything to do, and whose result was handed out."""
        task = cls(_nothing, 0, None, result, own=False)
        task.finish()
        task.taken = True
        return task

    def send(self) -> None:
        """Give the crew its shares."""
        for number in self._bells:
            self._crew.give(number, self)  # pyright: ignore[reportOptionalMemberAccess] - whoever gives shares away has a crew
        self._sent = True

    def finish(self) -> None:
        """Do one's own share and wait for the others; to be called again if a signal's handler broke it off."""
        if self.over:
            return
        if not self._sent:
            self.send()
        if self._own and not self._done[0]:
            self._work(0)
            self._done[0] = True
        for number, bell in self._bells.items():
            if not self._done[number]:  # else the bell has been heard, or need not be
                bell.acquire()
        self.over = True
        self.let_go()
        if self.error is not None:
            raise self.error

    def do(self, number: int) -> None:
        """A share, in a thread of the crew."""
        if self._done[number]:
            return
        try:
            self._work(number)
        except BaseException as error:
            self.error = error
        self._done[number] = True
        self._bells[number].release()

    def let_go(self) -> None:
        """Forget what was needed for the work alone, which may refer to whoever holds this task."""
        self.over = True
        self._work = _nothing
        self._crew = None

    def __getstate__(self) -> dict[str, Any]:
        """A task that is over, as a copy needs it."""
        return self.__dict__ | {"_work": _nothing, "_crew": None, "_bells": {}, "error": None}


def _nothing(_number: int) -> None:
    """The work of a task that is over."""


def _silent_bell() -> threading.Lock:
    """A lock that is held until a share is done."""
    bell = threading.Lock()
    bell.acquire()
    return bell


def hold(work: Callable[[], None]) -> None:
    """Call `work`, and again as long as something is raised in it, until it comes to its end; then raise what was raised first.

    For work that goes on where it was broken off. What is raised between two calls is not held back, nor the last of `ATTEMPTS`.
    """
    held: BaseException | None = None
    for _ in range(ATTEMPTS):
        try:
            work()
            break
        except BaseException as error:
            held = held or error
    if held is not None:
        try:
            raise held
        finally:
            del held  # its traceback holds this frame


class Crew:
    """Threads that wait for shares, made when they are first needed. They end with this object, and do not keep Python from ending.

    A forked process has none of its parent's threads, so it needs a crew of its own: `pid` is whose this one is.
    """

    def __init__(self, size: int) -> None:
        self.pid = os.getpid()
        self._mail: list[SimpleQueue[Any] | None] = [None] * size
        self._open: list[SimpleQueue[Any]] = []
        weakref.finalize(self, _dismiss, self._open)

    def hire(self, first: int) -> None:
        """See to it that there are threads for the shares from `first` on."""
        for number in range(first, len(self._mail)):
            if self._mail[number] is None:
                mail: SimpleQueue[Any] = SimpleQueue()
                self._open.append(mail)
                threading.Thread(target=_serve, args=(mail,), name=f"laffa-{number}", daemon=True).start()
                self._mail[number] = mail

    def give(self, number: int, task: Task) -> None:
        """Let the thread of share `number` do it."""
        self._mail[number].put((task, number))  # pyright: ignore[reportOptionalMemberAccess] - hired before


def _serve(mail: "SimpleQueue[Any]") -> None:
    """A thread of a crew; it keeps nothing of a task that it has done."""
    while True:
        given = mail.get()
        if given is None:
            return
        given[0].do(given[1])
        del given


def _dismiss(mails: "list[SimpleQueue[Any]]") -> None:
    for mail in mails:
        mail.put(None)
