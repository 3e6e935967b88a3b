"""What code costs: user instructions where the hardware counts them, else CPU time.

Instructions repeat to a hundredth on a busy machine; CPU time needs ratios of turns that alternate.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INSTRUCTIONS, CPU_TIME = "user instructions", "CPU time"
#: The number of perf_event_open(2), and a perf_event_attr of its first size: type and number of the
#: counter, and that neither the kernel nor a hypervisor is counted.
_CALLS = {"x86_64": 298, "aarch64": 241}
_SIZE, _HARDWARE, _COUNT_INSTRUCTIONS, _USER_ONLY = 64, 0, 1, 1 << 5 | 1 << 6


def open_meter() -> tuple[str, Callable[[], float]]:
    """Return what is counted, and what reads how much of it this thread has used so far."""
    file = _open_counter()
    if file is None:
        return CPU_TIME, time.process_time
    return INSTRUCTIONS, lambda: float(int.from_bytes(os.read(file, 8), sys.byteorder))


def _open_counter() -> int | None:
    """Return the file of a counter of this thread's instructions; None where there is none."""
    number = _CALLS.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return None
    head = struct.pack("=IIQQQQQ", _HARDWARE, _SIZE, _COUNT_INSTRUCTIONS, 0, 0, 0, _USER_ONLY)
    wanted = ctypes.create_string_buffer(head.ljust(_SIZE, b"\0"))
    file: int = ctypes.CDLL(None, use_errno=True).syscall(number, wanted, 0, -1, -1, 0)
    return None if file < 0 else file
