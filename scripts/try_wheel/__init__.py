"""`make wheel`: `contents` (what the archives hold), `environment` (an empty one) and `smoke`."""
