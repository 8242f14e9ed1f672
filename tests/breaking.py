"""Breaking off a call at any of its instructions, as the handler of a signal may."""

import gc
import sys
from pathlib import Path

import laffa

PACKAGE = str(Path(laffa.__file__).parent)


class Broken(BaseException):
    """What a handler raises."""


def broken_at(number, work, folders=(PACKAGE,)):
    """Call `work` and raise `Broken` at an instruction, counted from 1, of the Python files in `folders`; whether there were so many."""
    left, before = number, sys.gettrace()

    def trace(frame, event, _arg):
        nonlocal left
        if not frame.f_code.co_filename.startswith(folders):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode":
            left -= 1
            if left == 0:
                raise Broken  # Python stops tracing then
        return trace

    gc.disable()  # what is raised in a finaliser gets nowhere
    sys.settrace(trace)
    try:
        work()
    except Broken:
        return True
    finally:
        sys.settrace(before)
        gc.enable()
    return False
