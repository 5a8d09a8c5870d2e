"""Handlers of XLA's foreign function interface: layout of its structs, version, names of targets."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import equamo as eq
from equamo.code.jit import engine
from equamo.motion.frameworks.jax_handler import (
    HEADER,
    MAJOR,
    METADATA,
    OFFSETS,
    handler_ir,
    read_version,
    target,
    version,
)


def compiled() -> eq.Compiled:
    return eq.compile(eq.derive(eq.load("rr_arm")))


def test_offsets_are_those_of_the_header(tmp_path: Path) -> None:
    fields = [name.split(".") for name in OFFSETS]
    lines = [f'printf("%zu\\n", offsetof({kind}, {field}));' for kind, field in fields]
    source = tmp_path / "offsets.c"
    typedefs = "\n".join(f"typedef struct {kind} {kind};" for kind in {k for k, _ in fields})
    source.write_text(
        f'#include <stdio.h>\n#include "{HEADER}"\n{typedefs}\nint main(void) {{\n'
        + "\n".join(lines)
        + '\nprintf("%d %d ", XLA_FFI_Extension_Metadata, XLA_FFI_API_MAJOR);'
        + '\nprintf("%zu", sizeof(XLA_FFI_Extension_Type));\nreturn 0; }\n'
    )
    program = tmp_path / "offsets"
    include = f"-I{jax.ffi.include_dir()}"
    subprocess.run(["gcc", include, "-o", program, source], check=True, timeout=60)
    found = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
    *offsets, last = found.stdout.split("\n")
    assert list(map(int, offsets)) == list(OFFSETS.values())
    assert last == f"{METADATA} {MAJOR} 4"


def test_the_handler_answers_the_question_for_its_version() -> None:
    """The frame that XLA asks with: no arguments, an extension with a place for the version."""
    text = handler_ir(compiled().function("gravity"), "float64", False, 0)
    loaded = engine.load(engine.object_code(text))
    handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(loaded.address("handler"))
    metadata = (ctypes.c_int32 * 16)(*[-1] * 16)
    extension = (ctypes.c_uint64 * 4)(32, METADATA, 0, ctypes.addressof(metadata))
    frame = (ctypes.c_uint64 * 32)(0, ctypes.addressof(extension))
    assert handler(ctypes.addressof(frame)) is None
    assert (metadata[6], metadata[7]) == version()


@pytest.mark.parametrize(
    ("header", "got"),
    [("#define XLA_FFI_API_MAJOR 1\n#define XLA_FFI_API_MINOR 0\n", "1.0"), ("nothing", "none")],
)
def test_another_interface_is_refused(header: str, got: str) -> None:
    with pytest.raises(eq.EquamoError, match=rf"version 0\.x of .*, got {got}; install"):
        read_version(header)


def test_the_name_of_a_target_is_a_digest_of_its_code() -> None:
    one, two = compiled().function("bias"), compiled().function("bias")
    assert target(one, "float64", True) == target(two, "float64", True)
    names = {
        target(one, "float64", True),
        target(one, "float64", False),
        target(one, "float32", True),
        target(compiled().function("gravity"), "float64", True),
        target(eq.compile(eq.derive(eq.load("rp_arm"))).function("bias"), "float64", True),
    }
    assert len(names) == 5


def test_code_outlives_the_object_that_made_it() -> None:
    f = jax.jit(compiled().to_jax().gravity)
    before = f(jnp.ones(2))
    assert np.array_equal(f(jnp.ones(2)), before)
