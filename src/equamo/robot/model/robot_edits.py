"""Methods of Robot that return modified copies; `edits` has the algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from .arguments import Number
from .force import ForceElement

if TYPE_CHECKING:
    from .body import Body
    from .robot import Robot


class RobotEdits:
    """Base of Robot with the methods that return a modified copy."""

    def lock(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Robot:
        """Copy with coordinates held at values.

        Their joints become fixed, and force elements along their speeds are removed.

        Args:
            values: Numbers or parameters by coordinate, such as {"q_torso": 0}.
            **named: The same as keywords, such as q_torso=0.

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown coordinate.
            ModelError: A value depends on a coordinate, only some coordinates of a joint are locked, or
                a joint moves together with others that are not locked.

        >>> from equamo.robot.library import load
        >>> [x.name for x in load("rr_arm").lock(q1="pi/2").q]
        ['q2']
        """
        from .edits import lock, merged

        return lock(cast("Robot", self), merged("lock", values, named))

    def attach(self, tool: Robot | Body, to: str, prefix: str = "") -> Robot:
        """Copy with a body, or all bodies of another robot, attached to a body.

        Args:
            tool: Body or robot to attach.
            to: Body to attach it to, or "world".
            prefix: Text before the names of the attached bodies.

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown body `to`.
            ModelError: The tool cannot be attached, or its parameters contradict those of the robot.
        """
        from .edits import attach

        return attach(cast("Robot", self), tool, to, prefix)

    def add_mass(self, body: str, mass: Any, com: Any = "0 0 0", inertia: Any = "0 0 0") -> Robot:
        """Copy with mass added to a body.

        Args:
            body: Body that carries the mass.
            mass: Added mass [kg].
            com: Its centre of mass in the frame of the body [m].
            inertia: Its inertia about its centre of mass, in the axes of the body [kg m²].

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown body.
        """
        from .edits import add_mass

        return add_mass(cast("Robot", self), body, mass, com, inertia)

    def add_frame(self, name: str, body: str, at: Any = "0 0 0", rotation: Any = None) -> Robot:
        """Copy with a frame fixed to a body, such as the tip of a tool.

        The frame has everything that the frame of a body has: pose, Jacobians, compiled functions and
        generated code; it is also written to files. The equations of motion do not change.

        Args:
            name: Name of the frame; it must be new.
            body: Body, frame or "world" that it is fixed to.
            at: Origin in the frame of `body` [m].
            rotation: 3×3 matrix, or angles "α β γ" of Rx(α) Ry(β) Rz(γ); by default none.

        Returns:
            The new robot.

        Raises:
            ModelError: The name is already used, or a quantity is not valid.
            UnknownNameError: Unknown body.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> arm = load("rr_arm").add_frame("tip", body="fore", at="L2 0 0")
        >>> derive(arm).frame("tip").position()[0].closed_form()
        L1*cos(q1) + L2*cos(q1 + q2)
        """
        from .edits import add_frame

        return add_frame(cast("Robot", self), name, body, at, rotation)

    def with_forces(
        self, *forces: ForceElement | Iterable[ForceElement], only: bool = False
    ) -> Robot:
        """Copy with force elements added; an element replaces one of the same name.

        Args:
            *forces: Force elements, or lists of them.
            only: Remove all other elements, including actuators.

        Returns:
            The new robot. Inputs of removed elements are also removed from its default state.

        Raises:
            ModelError: An argument is not a force element, or two have the same name.
            UnknownNameError: An element refers to an unknown body, coordinate or speed.

        >>> from equamo.robot.model.forces import joint_damper
        >>> from equamo.robot.library import load
        >>> [f.name for f in load("rr_arm").with_forces(joint_damper("q1", "d1")).forces]
        ['tau1', 'tau2', 'damper_q1']
        """
        from .edits import with_forces

        return with_forces(cast("Robot", self), forces, only)

    def with_values(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Robot:
        """Copy with other default values of parameters.

        Args:
            values: Numbers by parameter, such as {"m1": 2}.
            **named: The same as keywords, such as m1=2.

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown parameter.
            ModelError: A value is not a number.
        """
        from .edits import merged, with_values

        return with_values(cast("Robot", self), merged("with_values", values, named, "m1"))

    def with_home(self, values: Mapping[str, Number] | None = None, /, **named: Number) -> Robot:
        """Copy with another default state.

        Args:
            values: Numbers by coordinate, speed or input, such as {"q1": 1}; the others stay the same.
            **named: The same as keywords, such as q1=1.

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown coordinate, speed or input.
            ModelError: A value is not a number.
        """
        from .edits import merged, with_home

        return with_home(cast("Robot", self), merged("with_home", values, named))

    def in_mode(self, mode: Mapping[str, str] | None = None, /, **named: str) -> Robot:
        """Copy in which contacts are held to the ground or open.

        Args:
            mode: "stick" or "open" by contact, such as {"LF": "stick"}.
            **named: The same as keywords, such as LF="stick". All other contacts are open.

        Returns:
            The new robot.

        Raises:
            UnknownNameError: Unknown contact or mode.
            ModelError: The robot has chosen speeds, which do not fit another mode.

        >>> from equamo.robot.model import Body, Robot, contact, free
        >>> box = Robot("box", [Body("box", free("b"), mass="m")], contacts=[contact("foot", "box")])
        >>> [row.name for row in box.in_mode(foot="stick").rows]
        ['foot x', 'foot y', 'foot z']
        """
        from .edits import in_mode, merged

        return in_mode(cast("Robot", self), merged("in_mode", mode, named))

    def with_speeds(self, speeds: Any = "auto", rows: Iterable[str] | None = None) -> Robot:
        """Copy with other chosen speeds that satisfy the constraints, loops and held contacts.

        Args:
            speeds: Joint speeds to keep, such as "dq1 dq2", formulas by name, "auto" to choose
                independent joint speeds, or None for the joint speeds themselves.
            rows: Names of the equations of loops and contacts to use; by default all. The others must
                follow from these on φ = 0, which is the case for overconstrained mechanisms.

        Returns:
            The new robot.

        Raises:
            ConstraintError: The speeds do not fit the constraints.
            UnknownNameError: Unknown equation.

        >>> from equamo.robot.model import Body, Robot, loop, revolute
        >>> bar = Body("bar", revolute("q1"), mass="m", com="L 0 0")
        >>> slider = Body("slider", revolute("q2"), mass="M", com="L 0 0")
        >>> rod = loop("rod", "bar", "L 0 0", to="slider", to_at="L 0 0", joint="distance", length="a")
        >>> Robot("pair", [bar, slider], loops=[rod]).with_speeds("dq1").v
        (dq1,)
        """
        from .edits import with_speeds

        return with_speeds(cast("Robot", self), speeds, rows)
