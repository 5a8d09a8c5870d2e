"""Generated code, read back by proofs: six languages, LLVM's printout, object files."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import equamo as eq
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.prove_code import prove_code
from equamo.code.codegen.readers import read
from equamo.code.codegen.targets import Package
from equamo.code.codegen.text_proof import prove_code_file
from equamo.code.jit import engine, ir_reader, object_file
from equamo.mechanics.equations import EquationsOfMotion
from fuzz.documents import documents, texts
from fuzz.edits import edit_bytes
from fuzz.reader import Lazy, Reader, file, text
from read_code import programs

GOLDEN = Path(__file__).parents[2] / "golden"
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "kinetic_energy")
LANGUAGES = {
    "c": "rr_arm.c", "casadi": "rr_arm_casadi.c", "cpp": "rr_arm.hpp", "javascript": "rr_arm.mjs",
    "matlab": "rr_arm_mass_matrix.m", "numpy": "rr_arm.py",
}  # fmt: skip
IR = """define double @f(double %x, ptr %p) nounwind {
  %a = fmul double %x, 2.0
  store double %a, ptr %p
  ret double %a
}"""


@cache
def _equations() -> EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


@cache
def _package() -> Package:
    return package_of(_equations(), FUNCTIONS)


def _golden(language: str) -> bytes:
    return (GOLDEN / language / f"{LANGUAGES[language]}.txt").read_bytes()


def _read(language: str) -> Callable[[bytes], None]:
    def read_language(data: bytes) -> None:
        package = _package()
        if language == "c":
            file((GOLDEN / "c" / "rr_arm.h.txt").read_bytes(), "rr_arm.h")
        path = file(data, LANGUAGES[language])
        meant = programs(package, language)
        code = read(path, meant.get)
        list(prove_code_file(code, meant.get, package.quantities, package.dtype))

    return read_language


def read_header(data: bytes) -> None:
    file(data, "rr_arm.h")
    path = file(_golden("c"), "rr_arm.c")
    read(path, programs(_package(), "c").get)


def read_claimed(data: bytes) -> None:
    """`prove_code` answers for any file: a text that is not understood is not proved."""
    assert str(prove_code(_equations(), [file(data, "rr_arm.py")]))


def read_printout(data: bytes) -> None:
    ir_reader.read(text(data))


def read_object(data: bytes) -> None:
    object_file.read(data)


def _printouts() -> list[bytes]:
    return [engine.printout(IR).encode()]


def _objects() -> list[bytes]:
    machines = (None, engine.WINDOWS, engine.MACOS)  # ELF here, COFF, Mach-O
    return [engine.object_code(IR, x) for x in machines]


def _language(name: str) -> Reader:
    seeds = Lazy(lambda: [_golden(name)])
    return Reader(f"generated_{name}", _read(name), texts(seeds), seeds, 4)


HEADERS = Lazy(lambda: [(GOLDEN / "c" / "rr_arm.h.txt").read_bytes()])
CLAIMED, PRINTOUTS, OBJECTS = Lazy(lambda: [_golden("numpy")]), Lazy(_printouts), Lazy(_objects)
READERS = [
    *map(_language, LANGUAGES),
    Reader("generated_header", read_header, texts(HEADERS), HEADERS, 4),
    Reader("code_to_prove", read_claimed, texts(CLAIMED), CLAIMED, 3),
    Reader("llvm_printout", read_printout, texts(PRINTOUTS), PRINTOUTS),
    Reader("object_file", read_object, documents(OBJECTS, edit_bytes), OBJECTS),
]
