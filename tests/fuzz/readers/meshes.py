"""Triangle meshes: STL (text and binary), OBJ with its materials, COLLADA."""

import numpy as np

from equamo.robot.formats.meshes.read import read_mesh
from equamo.robot.model.mesh_file import MeshFile
from fuzz.documents import documents
from fuzz.edits import edit_bytes, edit_text, edit_words, edit_xml
from fuzz.reader import Reader, file
from mesh_files import binary_stl, dae, obj, text_stl

MATERIALS = b"newmtl red\nKd 1 0.25 0\nd 0.5\nnewmtl none\nKd 0 0 1\n"
OBJ = b"mtllib more.mtl\nusemtl red\n" + obj()
STL, DAE = (binary_stl(), text_stl()), (dae(), dae(transform="<scale>2 2 2</scale>"))


def _read(data: bytes, name: str) -> None:
    path = file(data, name)
    surfaces = read_mesh(MeshFile(path.name, str(path), str(path.resolve().parent)))
    assert surfaces
    for x in surfaces:
        assert np.isfinite(x.points).all()
        assert x.faces.min() >= 0
        assert x.faces.max() < len(x.points)


def read_stl(data: bytes) -> None:
    _read(data, "a.stl")


def read_obj(data: bytes) -> None:
    file(MATERIALS, "more.mtl")
    _read(data, "a.obj")


def read_materials(data: bytes) -> None:
    file(data, "more.mtl")
    _read(OBJ, "a.obj")


def read_collada(data: bytes) -> None:
    _read(data, "a.dae")


READERS = [
    Reader("stl", read_stl, documents(STL, edit_bytes, edit_text), STL),
    Reader("obj", read_obj, documents((OBJ,), edit_words, edit_text), (OBJ,)),
    Reader(
        "obj_materials",
        read_materials,
        documents((MATERIALS,), edit_words, edit_text),
        (MATERIALS,),
    ),
    Reader("collada", read_collada, documents(DAE, edit_xml, edit_xml, edit_words), DAE),
]
