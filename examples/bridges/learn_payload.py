"""PyTorch learns from torques what Panda holds: python learn_payload.py panda.urdf"""

import sys

import torch

import equamo as eq


def main() -> None:
    panda = eq.load(sys.argv[1]).add_mass("panda_hand", "payload", com="0 0 lever")
    arm = eq.compile(eq.derive(panda)).to_torch()

    # Simulated measurements: torques at 500 states, with noise.
    torch.manual_seed(1)
    q, v, vdot = (torch.randn(500, n, dtype=torch.float64) for n in (9, 9, 9))
    held = {"payload": 1.37, "lever": 0.12}  # [kg], [m]
    measured = arm.inverse_dynamics(q, v, vdot, values=held)
    measured += 0.05 * torch.randn_like(measured)

    guess = torch.tensor([0.1, 0.0], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([guess], line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        torques = arm.inverse_dynamics(q, v, vdot, values=dict(zip(held, guess, strict=True)))
        error = ((torques - measured) ** 2).mean()
        error.backward()
        return error

    print(f"before: {loss():.4f} N²m²")
    optimiser.step(loss)
    print(f"after:  {loss():.4f} N²m²")
    print(f"payload {guess[0]:.4f} kg, lever {guess[1]:.4f} m")
    assert (guess - torch.tensor(list(held.values()))).abs().max() < 2e-3


if __name__ == "__main__":
    main()
