"""What dynamics.py needs: one model for all programs, their builds, and loops that time them in C."""
