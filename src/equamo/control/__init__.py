"""Control: where a robot can rest, its motion nearby as a linear system, and feedback that holds it."""
