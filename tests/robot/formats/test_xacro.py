"""xacro files: expanded, then read as URDF."""

import sys
from pathlib import Path

import pytest

from equamo.errors import EquamoError, FileFormatError, MissingLibraryError
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load

TEXT = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="length" value="{length}"/>
  <xacro:macro name="link" params="name mass">
    <link name="${{name}}"><inertial><origin xyz="${{length / 2}} 0 0"/><mass value="${{mass}}"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial></link>
  </xacro:macro>
  <link name="ground"/>
  <xacro:link name="upper" mass="2"/>
  <xacro:link name="fore" mass="1"/>
  <joint name="q1" type="continuous"><parent link="ground"/><child link="upper"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="q2" type="continuous"><parent link="upper"/><child link="fore"/>
    <origin xyz="${{length}} 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"""


def mass_matrix(tmp_path: Path, length: str) -> list[list[float]]:
    path = tmp_path / "arm.xacro"
    path.write_text(TEXT.format(length=length), encoding="utf-8")
    return derive(load(path)).evaluate("mass_matrix", q=[0, 0]).tolist()


@pytest.mark.needs("xacro")
def test_macros_and_properties_are_expanded(tmp_path: Path) -> None:
    """M11 = Σ I + 2 (l/2)² + 1 (3l/2)², M22 = I + 1 (l/2)² of the stretched arm, by hand."""
    M = mass_matrix(tmp_path, "0.4")
    assert M[0][0] == pytest.approx(0.4 + 2 * 0.2**2 + 0.6**2, rel=1e-12)
    assert M[1][1] == pytest.approx(0.2 + 0.2**2, rel=1e-12)


@pytest.mark.needs("xacro")
def test_a_bad_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "bad.xacro"
    path.write_text(TEXT.format(length="0.4").replace('mass="1"', ""), encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.xacro: xacro could not expand the file"):
        load(path)
    with pytest.raises(EquamoError, match="no such file"):
        load(tmp_path / "none.xacro")


def test_without_the_package_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(
        MissingLibraryError, match=r'reading xacro files needs xacro, .* install "equamo\[xacro\]"'
    ):
        load(tmp_path / "arm.xacro")
