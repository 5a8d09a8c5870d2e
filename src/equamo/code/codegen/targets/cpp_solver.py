"""Class with the methods of a ROS 2 inverse-dynamics solver plugin, on the functions of the header.

The methods are those of `inverse_dynamics_solver::InverseDynamicsSolver` (Petrone, Ferrentino and
Chiacchio, version 2), which a plugin overrides; `initialize`, which takes a ROS type, is left to the
user.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .c_text import block_comment
from .package import Package, Routine

NEEDED: Final = ("mass_matrix", "bias", "gravity", "inverse_dynamics")

_CLASS: Final = """#ifndef {guard}
#define {guard}

#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

#include "{name}.hpp"

namespace equamo {{
namespace {name} {{

/* Base: the abstract class of the plugins, or a class of your own with the same virtual methods. */
template <class Base>
class InverseDynamicsSolver : public Base {{
public:
    Eigen::MatrixXd getInertiaMatrix(const Eigen::VectorXd& joint_positions) const override
    {{
        return {mass_matrix};
    }}

    Eigen::VectorXd getCoriolisVector(const Eigen::VectorXd& joint_positions,
                                      const Eigen::VectorXd& joint_velocities) const override
    {{
        return {bias};
    }}

    Eigen::VectorXd getGravityVector(const Eigen::VectorXd& joint_positions) const override
    {{
        return {gravity};
    }}
{friction}
    /* M a + C v + g, less the passive forces: friction that the robot has is part of it. */
    Eigen::VectorXd getTorques(const Eigen::VectorXd& joint_positions,
                               const Eigen::VectorXd& joint_velocities,
                               const Eigen::VectorXd& joint_accelerations) const override
    {{
        return {inverse_dynamics};
    }}

    std::tuple<Eigen::MatrixXd, Eigen::VectorXd, Eigen::VectorXd> getDynamicParameters(
            const Eigen::VectorXd& joint_positions,
            const Eigen::VectorXd& joint_velocities) const override
    {{
        return {{getInertiaMatrix(joint_positions),
                getCoriolisVector(joint_positions, joint_velocities),
                getGravityVector(joint_positions)}};
    }}
{parameters}
private:
    template <int n>
    static Vector<n> checked(const Eigen::VectorXd& x, const char *what)
    {{
        if (x.size() != n) {{
            throw std::invalid_argument(std::string("{name}: ") + what + " must have " +
                                        std::to_string(n) + " entries, got " +
                                        std::to_string(x.size()));
        }}
        return x.template cast<Real>();
    }}
{member}}};

}} /* namespace {name} */
}} /* namespace equamo */

#endif /* {guard} */
"""
_FRICTION: Final = """
    Eigen::VectorXd getFrictionVector(const Eigen::VectorXd& joint_velocities) const override
    {{
        return {body};
    }}
"""
_PARAMETERS: Final = """
    /* Parameters, in the order in which the header lists them. */
    void setParameters(const Vector<{n}>& parameters)
    {{
        parameters_ = parameters;
    }}
"""
_NAMES: Final = {"q": "joint_positions", "v": "joint_velocities", "vdot": "joint_accelerations"}


def solver(package: Package) -> str | None:
    """Text of the class; None if the header does not have the functions for it.

    There, friction is a function of the velocities only: if the passive forces depend on the
    positions (springs), this method is left to the user.
    """
    found = {n: package.routine(n) for n in NEEDED}
    routines = {n: r for n, r in found.items() if r is not None}
    known = {*_NAMES, "parameters"}
    if len(routines) < len(NEEDED) or any(
        a.name not in known for r in routines.values() for a in r.arguments
    ):
        return None
    head = [
        f"{package.name}_solver.hpp: methods of a ROS 2 inverse-dynamics solver on {package.name}.hpp",
        *package.provenance,
    ]
    parameters = len(package.quantities.get("parameters", ()))
    # Without defaults, results are NaN until the parameters are set.
    nan = f"Vector<{parameters}>::Constant(std::numeric_limits<Real>::quiet_NaN())"
    default = nan if package.defaults("parameters") is None else "default_parameters()"
    return (
        block_comment(head)
        + "\n"
        + _CLASS.format(
            guard=f"EQUAMO_{package.name}_HPP_SOLVER",
            name=package.name,
            friction=_friction(package),
            parameters=_PARAMETERS.format(n=parameters) if parameters else "",
            member=f"\n    Vector<{parameters}> parameters_ = {default};\n" if parameters else "",
            **{n: _called(r) for n, r in routines.items()},
        )
    )


def _called(r: Routine, sign: str = "", known: Mapping[str, str] = _NAMES) -> str:
    """The function at the arguments of the method, converted to the number type of the interface."""
    given = [
        "parameters_"
        if a.name == "parameters"
        else f'checked<{len(a)}>({known[a.name]}, "{known[a.name]}")'
        if a.name in known
        else f"Vector<{len(a)}>::Zero()"
        for a in r.arguments
    ]
    text = f"{sign}{r.name}({', '.join(given)}).template cast<double>()"
    return text.replace(", checked", ",\n                checked")


def _friction(package: Package) -> str:
    """Friction on the left-hand side; the header's passive forces are on the right."""
    r = package.routine("passive_force")
    if r is None:
        return "\n    /* getFrictionVector is yours: passive_force was not generated. */\n"
    if any(_reads(r, a.name) for a in r.arguments if a.name not in ("v", "parameters")):
        return (
            "\n    /* getFrictionVector is yours: the passive forces depend on the positions. */\n"
        )
    return _FRICTION.format(body=_called(r, "-", {"v": "joint_velocities"}))


def _reads(r: Routine, argument: str) -> bool:
    """Whether the value of a function depends on an argument."""
    k = next(k for k, a in enumerate(r.program.arguments) if a.name == argument)
    return any(isinstance(i.leaf, tuple) and i.leaf[0] == k for i in r.program.instructions)
