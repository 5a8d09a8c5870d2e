"""The certificate of kernels for GPUs: complete, saved, proved again; errors are refuted."""

import json
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from cuda_setting import gpu  # noqa: F401
from equamo.code.jit.cuda import module as module_file
from equamo.code.jit.cuda.code import DeviceCode
from equamo.code.jit.cuda.device import device
from equamo.code.jit.cuda.layout import Access, chosen, sizes_of
from equamo.code.jit.cuda.variants import Variant
from equamo.errors import FileFormatError
from equamo.mechanics.certificate import check_file

ROUNDED, IR = "constants rounded once", "LLVM IR = program"


def called(make: Any, **options: Any) -> eq.Compiled:
    """Functions of which some were called on a GPU: small and large batches, of both dtypes."""
    setting = make()
    fast = setting.compiled(**options)
    x = setting.states(2000, 3)
    setting.call(fast, "inverse_dynamics", *setting.on_device(*x))
    setting.call(fast, "gravity", setting.on_device(x[0].astype("float32"))[0])
    setting.call(fast, "forward_dynamics", *setting.on_device(*(y[:100] for y in x)))
    return fast


def test_there_are_two_lines_for_each_kernel(gpu: Any) -> None:  # noqa: F811
    certificate = called(gpu).certificate(seed=1)
    assert certificate.ok, str(certificate)
    kernels = (
        "inverse_dynamics, float64, GPU (rows rows rows value rows)",
        "gravity, float32, GPU (rows value rows)",
        "forward_dynamics, float64, GPU (rows rows rows value strided)",
    )
    names = [line.name for line in certificate.lines]
    assert names[3:] == [f"{k}: {what}" for k in kernels for what in (ROUNDED, IR)]
    assert "LLVM's code generation for PTX" in str(certificate)


def test_a_kernel_in_parts_is_certified(gpu: Any) -> None:  # noqa: F811
    setting = gpu("iiwa")
    fast = setting.compiled()
    x = setting.on_device(*setting.states(64, 3))
    setting.call(fast, "forward_dynamics", *x)
    certificate = fast.certificate(seed=1)
    assert certificate.ok, str(certificate)
    assert certificate.lines[-1].name.endswith("strided, 8 parts): LLVM IR = program")


def test_a_kernel_whose_values_wait_is_certified(gpu: Any) -> None:  # noqa: F811
    setting = gpu("iiwa")
    code = DeviceCode(setting.cpu.function("forward_dynamics").machine_code, device(0))
    access: tuple[Access, ...] = ("strided",) * 5
    layout = chosen(access, sizes_of(code.code.program), "float64", 128)
    made = code.module(layout, Variant(1, 128, False, 1, 60))
    assert made.placed.parked > 0
    assert made.prove().verdict == "proved"
    assert made.name.endswith(", 60 values in registers)")
    assert module_file.DeviceModule.from_data(made.code, made.to_data()) == made


def test_code_of_the_disk_cache_is_compared_with_its_ir(
    gpu: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called(gpu)
    again = called(gpu)
    assert again.certificate(seed=1).ok
    original = module_file.thread_ir
    monkeypatch.setattr(module_file, "thread_ir", lambda *x, **y: original(*x, **y) + "; changed\n")
    third = called(gpu)
    verdicts = {x.name: x.proof for x in third.certificate(seed=1).lines}
    found = verdicts["gravity, float32, GPU (rows value rows): LLVM IR = program"]
    assert found.verdict == "refuted"
    assert "made from another module" in found.reason


def test_another_constant_is_refuted(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    setting = gpu()
    own = {"half": eq.parse("q1/3")}
    fast = setting.compiled(functions=own, cache=False)
    setting.fake.function = eq.compile(setting.eom, functions=own).function("half")
    fast.half(setting.on_device(*setting.states(2000, 1))[0])
    assert fast.certificate(seed=1).ok
    original = module_file.thread_ir
    third, more = "0x3FD5555555555555", "0x3FD5555555555556"

    def changed(*x: Any, **y: Any) -> str:
        return original(*x, **y).replace(third, more)

    monkeypatch.setattr(module_file, "thread_ir", changed)
    fast = setting.compiled(functions=own, cache=False)
    fast.half(setting.on_device(*setting.states(2000, 1))[0])
    verdicts = [x.proof.verdict for x in fast.certificate(seed=1).lines]
    assert verdicts == ["proved", "refuted", "refuted"]


def test_a_saved_certificate_is_proved_again_without_a_gpu(tmp_path: Path, gpu: Any) -> None:  # noqa: F811
    path = tmp_path / "c.json"
    called(gpu).certificate(seed=1).save(path)
    assert check_file(path).ok


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("access", "rows"), ("access", ["rows"]), ("access", ["lines", "value", "rows"]),
        ("dtype", "float16"), ("short", 1), ("waiting", {}),
        ("threads", 31), ("threads", True), ("parts", 0), ("parts", 65),
    ],
)  # fmt: skip
def test_forged_modules_are_refused(key: str, value: Any, gpu: Any) -> None:  # noqa: F811
    fast = called(gpu)
    code = fast.function("gravity").machine_code
    (made,) = code.on_devices
    data = json.loads(json.dumps(made.to_data()))
    assert module_file.DeviceModule.from_data(code, data) == made
    with pytest.raises(FileFormatError, match="a GPU module must have access"):
        module_file.DeviceModule.from_data(code, {**data, key: value})
