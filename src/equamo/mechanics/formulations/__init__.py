"""Five formulations, each derived independently. In reading order: derivation (the result of each),
kane, lagrange with energy_steps (lines for readers), projected_newton_euler, gibbs_appell,
recursive; maggi (chosen speeds by projection), boltzmann_hamel (chosen speeds from energies) and
lagrange_multipliers (loops and held contacts)."""
