"""Random errors put into src/equamo, one at a time: does a test fail? `make mutate` runs it."""
