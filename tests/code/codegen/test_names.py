"""Names in generated code: identifiers everywhere, never two alike, never a reserved word."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr import symbol
from equamo.code.codegen.names import LONGEST, Names, ValueNames, identifier, injective
from equamo.code.codegen.reserved import RESERVED, is_reserved
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument
from equamo.mechanics.kinematics.quantity_name import QuantityName
from peer_urdf import FOLDER

pytestmark = pytest.mark.needs("pinocchio")

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# Texts that meet each other after sanitising, words of the languages, and anything at all.
TEXTS = st.one_of(
    st.text(min_size=1, max_size=200),
    st.text("ab_/. -12", min_size=1, max_size=8),
    st.text("a_", min_size=60, max_size=130),
    st.sampled_from(sorted(RESERVED)),
    st.sampled_from(
        ("casadi", "casadi_w", "EIGEN", "equamo", "FP", "FP_ZERO", "INT8_C", "va_arg", "LC_A")
    ),
    st.sampled_from(sorted(RESERVED)).map(lambda w: f"{w}_"),
)


def is_fit(name: str) -> bool:
    return (
        IDENTIFIER.fullmatch(name) is not None
        and len(name) <= LONGEST
        and not is_reserved(name)
        and "__" not in name
    )


@pytest.mark.ci
@given(st.lists(TEXTS, max_size=30), st.booleans())
def test_any_texts_become_different_identifiers(texts: list[str], fold_case: bool) -> None:
    names = injective(texts, fold_case=fold_case)
    assert set(names) == set(texts)
    assert all(map(is_fit, names.values()))
    keys = [n.casefold() if fold_case else n for n in names.values()]
    assert len(set(keys)) == len(keys)


@given(st.lists(st.tuples(st.booleans(), TEXTS), max_size=60))
def test_parts_and_wholes_never_meet(asked: list[tuple[bool, str]]) -> None:
    names = Names(["q", "v"])
    found = [names.part(text) if part else names.new(text) for part, text in asked]
    assert len({"q", "v", *found}) == len(found) + 2
    assert all(map(is_fit, found))


@given(st.text(min_size=1, max_size=100))
def test_an_identifier_is_a_fixed_point(text: str) -> None:
    assert identifier(identifier(text)) == identifier(text)


def test_good_names_are_kept() -> None:
    good = ["w_fore_z", "q_1l", "L1", "theta", "M_0_1"]
    assert list(injective(good).values()) == good
    assert injective(["left/knee", "left_knee"])["left_knee"] == "left_knee"


@given(st.lists(st.text("abq/_.θ ", min_size=1, max_size=6), min_size=1, max_size=9, unique=True))
def test_values_of_a_program_have_different_names(texts: list[str]) -> None:
    symbols = [symbol(f"x{t}") for t in texts]
    total = symbols[0]
    outputs = []
    for a, b in pairwise([*symbols, symbols[0]]):
        total = total * a + b
        outputs.append(total)
    given_names = {y: QuantityName(texts[i % len(texts)]) for i, y in enumerate(outputs)}
    program = lower("f", [Argument("x", tuple(symbols))], {"y": outputs}, given_names)
    names = ValueNames(program)
    found = [names[i] for i in range(len(program.instructions))]
    assert len({"x", "y", *found}) == len(found) + 2
    assert all(map(is_fit, found))


def test_joint_names_of_real_robots() -> None:
    files = sorted(FOLDER.rglob("*.urdf"))
    assert len(files) > 50
    names = {
        str(e.get("name"))
        for f in files
        for e in ElementTree.parse(f).getroot().iter()
        if e.tag in ("joint", "link") and e.get("name")
    }
    strange = [n for n in names if not n.isidentifier()]
    assert len(strange) >= 74
    found = injective(sorted(names))
    assert len(set(found.values())) == len(names)
    assert all(map(is_fit, found.values()))
    assert all(found[n] == n for n in names if is_fit(n) and not n.endswith("_"))


def test_case_matters_unless_a_language_folds_it() -> None:
    assert injective(["q", "Q"]) == {"q": "q", "Q": "Q"}
    assert injective(["q", "Q"], fold_case=True) == {"q": "q", "Q": "Q_2"}


def test_a_frame_whose_name_looks_like_a_derivative() -> None:
    from equamo.code.codegen.targets.package import meaning

    assert meaning("pose_x_derivatives") == meaning("pose_hand")
    assert meaning("pose_derivatives_hand") == "Jacobians of pose"
    assert meaning("mass_matrix_product_derivatives") == "Jacobians of mass_matrix_product"
