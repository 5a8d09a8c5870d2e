"""Write the finished papers of docs/papers: python scripts/papers.py (needs the package typst)."""

from pathlib import Path

import equamo as eq

FOLDER = Path(__file__).parents[1] / "docs" / "papers"
PAPERS = (("rr_arm", "lagrange"), ("krang", "lagrange"))

for robot, by in PAPERS:
    path = FOLDER / f"{robot}_{by}.pdf"
    paper = eq.paper(eq.load(robot), path, by=by)
    print(f"{path.name}: {len(paper.equations)} equations, {path.stat().st_size:,} bytes")
