"""Panels of the studio in a browser: editor, forms, sliders, comparison, files, small screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio_pages import Studio, open_studio
from urdf_texts import EVERYTHING

pytestmark = pytest.mark.studio


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Studio]:
    (folder / "arm.urdf").write_text(EVERYTHING, "utf-8")
    opened = open_studio("rr_arm", folder)
    yield opened
    assert opened.page.messages == []
    opened.close()


@pytest.fixture(autouse=True)
def fresh(studio: Studio) -> Iterator[None]:
    """Each test starts with the text that the studio was opened with."""
    yield
    studio.page.evaluate("equamo.editor.setText(equamo.editor.history[0].text)")
    studio.settled()


def text_of(studio: Studio) -> str:
    return studio.page.evaluate("equamo.editor.text")


def test_names_are_completed_and_undone(studio: Studio) -> None:
    before = text_of(studio)
    studio.type('parent = "upper"', 'parent = "')
    studio.page.wait_for("equamo.session.check && !equamo.session.check.ok")
    studio.page.call("Input.insertText", text="up")
    options = studio.page.wait_for(
        "((x) => !x.hidden && x.textContent)(document.getElementById('completion'))",
    )
    assert options == "upper"
    studio.page.key("Enter")
    assert 'parent = "upper' in text_of(studio)
    assert studio.page.evaluate("document.getElementById('completion').hidden")
    for _ in range(6):
        studio.page.call(
            "Input.dispatchKeyEvent", type="keyDown", key="z", code="KeyZ", modifiers=2
        )
        studio.page.call("Input.dispatchKeyEvent", type="keyUp", key="z", code="KeyZ", modifiers=2)
    assert text_of(studio) == before


def test_a_form_edits_the_text(studio: Studio) -> None:
    studio.tab("bodies")
    studio.click("[data-body=fore] summary")
    selector = "[data-path='bodies.1.com']"
    studio.page.wait_for(f'document.querySelector("{selector}") !== null')
    studio.fill(selector, "Lc2 0 Lc1")
    studio.page.wait_for("equamo.editor.text.includes('com = \"Lc2 0 Lc1\"')")
    assert "description" in text_of(studio)  # all else stays
    studio.settled()
    studio.tab("text")


def test_a_slider_moves_a_parameter_and_then_the_text(studio: Studio) -> None:
    studio.tab("parameters")
    row = "[data-parameter=m2]"
    studio.page.wait_for(f"document.querySelector('{row} input[type=range]') !== null")
    before = studio.value("#entry-value")
    studio.page.evaluate(
        f"""(() => {{ const x = document.querySelector("{row} input[type=range]"); x.value = 2.5;
        x.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()"""
    )
    assert studio.value("#entry-value") != before  # at once
    assert "m2 = { value = 1," in text_of(studio)
    studio.page.evaluate(
        f"""document.querySelector("{row} input[type=range]")
        .dispatchEvent(new Event("change", {{ bubbles: true }}))"""
    )
    studio.page.wait_for("equamo.editor.text.includes('m2 = { value = 2.5,')")
    studio.tab("text")


def test_two_versions_are_compared(studio: Studio) -> None:
    studio.tab("compare")
    studio.click("#keep")
    studio.type("Lc2 0 0", "Lc2 0 Lc1")
    studio.page.wait_for("equamo.session.good.includes('Lc2 0 Lc1')")
    studio.settled()
    studio.click("#compare")
    studio.page.wait_for("document.querySelector('#differences table') !== null")
    found = studio.value("#differences")
    assert "bodies[2].com" in found
    assert "changed" in found


def test_every_tab_has_its_result(studio: Studio) -> None:
    expected = {
        "linear": "Poles [1/s]",
        "steps": "steps by ",
        "code": "#include",
        "proof": "identities are proved",
    }
    for name, text in expected.items():
        studio.tab(name)
        studio.page.wait_for(
            f"document.getElementById('panel-{name}').textContent.includes({text!r})"
        )
        assert studio.page.evaluate(
            f"document.querySelector('#panel-{name} [data-error]') === null"
        )
    languages = studio.page.evaluate(
        "[...document.querySelectorAll('#panel-code [data-language]')].map((x) => x.dataset.language)"
    )
    assert languages == ["c", "cpp", "numpy", "matlab", "javascript"]
    studio.tab("code")
    studio.click("[data-language=numpy]")
    studio.page.wait_for(
        "document.querySelector('#code pre')?.textContent.includes('import numpy')"
    )
    studio.tab("equations")
    studio.page.evaluate("document.getElementById('find-closed').click()")
    studio.page.wait_for("document.querySelector('.closed-form math') !== null")


def test_the_proof_is_checked_in_the_browser(studio: Studio) -> None:
    studio.tab("proof")
    studio.page.wait_for("!document.getElementById('check-here').hidden")
    studio.click("#check-here")
    studio.page.wait_for("document.getElementById('check')?.dataset.verdict === 'accepted'")


def test_a_urdf_of_the_folder_is_opened_and_a_model_saved(studio: Studio, folder: Path) -> None:
    studio.page.call("Input.dispatchKeyEvent", type="keyDown", key="s", code="KeyS", modifiers=2)
    studio.page.wait_for("document.getElementById('state').textContent.includes('Saved')")
    assert (folder / "rr_arm.toml").read_text("utf-8") == text_of(studio)
    before = text_of(studio)
    studio.choose("#open", "arm.urdf")
    studio.page.wait_for("document.getElementById('robot-name').textContent === 'r'")
    studio.settled()
    assert studio.page.evaluate("equamo.editor.model.file") is None
    studio.page.evaluate("equamo.editor.travel(-1)")  # the model before, with its file
    studio.settled()
    assert text_of(studio) == before
    assert studio.page.evaluate("equamo.editor.model.file") == "rr_arm.toml"


def test_a_file_that_another_program_changed_is_not_replaced(studio: Studio, folder: Path) -> None:
    leave = "window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert studio.page.evaluate(leave)
    studio.page.evaluate("equamo.editor.setText(equamo.editor.text + '# not saved')")
    assert not studio.page.evaluate(leave)  # the browser asks
    (folder / "rr_arm.toml").write_text("changed elsewhere")
    asked = "window.confirm = (text) => { window.asked = text; return false; }"
    studio.page.evaluate(f"{asked}; equamo.files.store()")
    studio.page.wait_for("window.asked?.includes('rr_arm.toml')")
    assert (folder / "rr_arm.toml").read_text() == "changed elsewhere"


def test_names_are_text_and_never_elements(studio: Studio) -> None:
    before = text_of(studio)
    name = "<img src=x onerror=alert(1)>"
    studio.type('name = "rr_arm"', f'name = "{name}"')
    studio.type('name = "upper"', f'name = "{name}"')
    studio.type('parent = "upper"', f'parent = "{name}"')
    studio.page.wait_for(f"equamo.session.derived.robot.name === {name!r}")
    studio.settled()
    for tab in ("bodies", "text", "check", "steps", "code", "equations"):
        studio.tab(tab)
    studio.page.wait_for("equamo.session.task === null")
    assert studio.page.evaluate("document.querySelectorAll('img').length") == 0
    studio.page.evaluate(f"equamo.editor.setText({before!r})")
    studio.page.wait_for("equamo.session.derived.robot.name === 'rr_arm'")
    studio.settled()


def test_a_derivation_is_cancelled_and_the_next_one_works(studio: Studio) -> None:
    before = studio.page.evaluate("equamo.session.derived.robot.name")
    studio.page.evaluate("equamo.session.derive(); equamo.session.cancel()")
    studio.page.wait_for("equamo.session.task === null")
    assert studio.page.evaluate("equamo.session.derived.robot.name") == before
    studio.page.evaluate("equamo.session.derive()")
    studio.settled()


def test_fields_have_names_and_tabs_answer_the_arrow_keys(studio: Studio) -> None:
    nameless = studio.page.evaluate(
        """[...document.querySelectorAll("input, select, textarea, [role=tablist], section")]
        .filter((x) => !x.ariaLabel && !x.labels?.length && !x.hidden)
        .map((x) => x.outerHTML.slice(0, 120))"""
    )
    assert nameless == []
    studio.tab("equations")
    studio.page.evaluate("document.getElementById('tab-equations').focus()")
    studio.page.key("ArrowRight")
    assert studio.page.evaluate("document.activeElement.id") == "tab-proof"
    assert studio.page.evaluate("document.getElementById('panel-equations').hidden")


def test_a_narrow_screen_shows_one_panel_at_a_time(studio: Studio) -> None:
    studio.page.resize(400, 800, touch=True)
    for k, name in enumerate(("model", "robot", "results")):
        studio.page.evaluate(f"document.querySelectorAll('#panels button')[{k}].click()")
        shown = studio.page.evaluate(
            "[...document.querySelectorAll('.panel')].filter((x) => x.offsetWidth).map((x) => x.id)"
        )
        assert shown == [f"{name}-panel"]
        width = studio.page.evaluate("document.documentElement.scrollWidth")
        assert width == 400
    studio.page.resize(1500, 950)


def test_dark_colours_follow_the_reader(studio: Studio) -> None:
    def paper() -> str:
        return studio.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = paper()
    studio.page.scheme("dark")
    assert paper() != light
    studio.page.scheme("light")
