"""Table of Greek letters by their LaTeX names, for printing, typesetting and reading."""

from __future__ import annotations

from typing import Final

GREEK: Final = {  # as LaTeX typesets them
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "varrho": "ϱ",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

# Keyboards produce ε and φ for epsilon and phi; LaTeX calls these forms variants.
TYPED: Final = {letter: name for name, letter in GREEK.items() if not name.startswith("var")} | {
    "ε": "epsilon",
    "φ": "phi",
}
