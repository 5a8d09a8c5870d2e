"""Motion: simulations, batches of them in machine code, and what they tell about energy."""
