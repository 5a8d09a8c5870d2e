"""`make sbom`: `closure` (the packages), `licences` (the policy) and the bill of materials of both."""
