"""Run times of kernels on a device, without the time for launching them from Python."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from typing import Final

from .device import Device
from .image import Image

LAUNCHES: Final = 4  # between two events
LONGEST: Final = 0.05  # s that a stream waits for launches

# One thread waits for a number of nanoseconds while launches queue up in the stream behind it.
PAUSE: Final = """.version 7.0
.target sm_60
.address_size 64
.visible .entry kernel(.param .u64 kernel_param_0)
{
	.reg .pred %p<2>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [kernel_param_0];
	mov.u64 %rd2, %globaltimer;
again:
	mov.u64 %rd3, %globaltimer;
	sub.s64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p1, %rd4, %rd1;
	@%p1 bra again;
	ret;
}
"""


@cache
def pause(device: Device) -> Image:
    """The kernel that waits."""
    return Image(device, PAUSE, "a pause")


def seconds(device: Device, stream: int, action: Callable[[], None], times: int = 5) -> float:
    """Time of one action on a stream [s]: the median of several runs, after some to warm up."""
    doing = f"timing on {device}"
    events = [ctypes.c_void_p() for _ in range(2)]
    found: list[float] = []
    action()
    begin = time.perf_counter()
    for _ in range(LAUNCHES):
        action()
    wait = ctypes.c_int64(int(1e9 * min(2 * (time.perf_counter() - begin), LONGEST)))
    table = (ctypes.c_void_p * 1)(ctypes.addressof(wait))
    with device.current():
        for event in events:
            device.call("cuEventCreate", ctypes.byref(event), 0, doing=doing)
        try:
            for _ in range(times):
                pause(device).launch(1, 1, table, stream, doing)
                device.call("cuEventRecord", events[0], stream, doing=doing)
                for _ in range(LAUNCHES):
                    action()
                device.call("cuEventRecord", events[1], stream, doing=doing)
                device.call("cuEventSynchronize", events[1], doing=doing)
                passed = ctypes.c_float()
                device.call("cuEventElapsedTime", ctypes.byref(passed), *events, doing=doing)
                found.append(passed.value / 1000 / LAUNCHES)
        finally:
            for event in events:
                device.driver.code("cuEventDestroy_v2", event)
    return sorted(found)[len(found) // 2]
