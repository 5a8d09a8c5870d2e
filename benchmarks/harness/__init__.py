"""What benchmarks share: one model for all programs, builds, loops that time them in C, and results."""
