"""What an edit changes: numbers, shown equations, or the structure."""

import pytest

from equamo.publish.studio import model_text
from equamo.publish.studio.model_text import ModelText
from studio_requests import PENDULUM, ask

LITERAL = PENDULUM.replace('mass = "m"', "mass = 2").replace("0 0 -L", "0 0.25 -0.5")


def digests(text: str) -> tuple[str, str]:
    found = ask("check", text)
    return found["structure"], found["shown"]


@pytest.mark.parametrize(
    ("text", "before", "after", "structure", "shown"),
    [
        (PENDULUM, "value = 2", "value = 3", True, True),
        (PENDULUM, "L = 0.5", "L = 0.7", True, True),
        (PENDULUM, "# A pendulum.", "# A long pendulum.", True, True),
        (PENDULUM, '"0 0 -L"', '"0 0 L"', False, False),
        (PENDULUM, 'axis = "y"', 'axis = "x"', False, False),
        (LITERAL, "mass = 2", "mass = 2.5", True, False),
        (LITERAL, "0 0.25 -0.5", "0 0.3 -0.6", True, False),
        (LITERAL, "0 0.25 -0.5", "0.1 0.25 -0.5", False, False),  # a zero shortens the equations
        (LITERAL, "mass = 2", "mass = 0", False, False),
    ],
)
def test_what_an_edit_changes(
    text: str, before: str, after: str, structure: bool, shown: bool
) -> None:
    assert before in text
    old, new = digests(text), digests(text.replace(before, after, 1))
    assert (old[0] == new[0], old[1] == new[1]) == (structure, shown)


def test_numbers_are_parameters_of_the_programs() -> None:
    found = ask("programs", LITERAL, functions=["mass_matrix"])
    assert found["parameters"] == ["m", "L", "mass of bob", "com y of bob", "com z of bob", "g"]
    numbers = found["numbers"]["parameters"]
    assert (numbers["mass of bob"], numbers["com z of bob"]) == (2.0, -0.5)
    assert found["functions"]["mass_matrix"]["arguments"] == ["q", "parameters"]


def test_programs_with_parameters_compute_the_same() -> None:
    model = ModelText(LITERAL)
    lifted, literal = model.program_equations(), model.equations()
    values = {**model.program_robot.values}
    assert literal.gravity[0].subs(literal.robot.values) is lifted.gravity[0].subs(values)
    assert literal.mass_matrix[0, 0].subs(literal.robot.values) is (
        lifted.mass_matrix[0, 0].subs(values)
    )


def test_a_name_of_the_file_is_not_taken() -> None:
    text = LITERAL.replace("[parameters]", '[parameters]\n"mass of bob" = 7')
    assert ask("check", text)["numbers"]["parameters"]["mass of bob"] == 7


def test_a_number_that_must_stay_one_is_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(data: object) -> tuple[dict[str, object], dict[str, int]]:
        return {"equamo": 1}, {"mass of bob": 2}

    monkeypatch.setattr(model_text, "lifted", refused)
    model = ModelText(LITERAL)
    assert model.program_robot is model.robot
    assert not model.literals
    assert model.structure == model.shown
