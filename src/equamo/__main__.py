"""`python -m equamo` is the command `equamo`."""

from equamo.cli import main

if __name__ == "__main__":
    main()
