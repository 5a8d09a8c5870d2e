"""Which wrong intermediate makes a result wrong."""

from equamo.review.claims import audit, claim


def test_a_cause_is_found_through_abbreviations() -> None:
    """The formula is computed with what its abbreviations stand for, not with their names."""
    claims = [
        claim("v", "eq. 1", ["-L1*sin(q1)*dq1 - Lc2*sin(q1 + q2)*(dq1 + dq2)",
                             "L1*cos(q1)*dq1 + Lc2*cos(q1 + q2)*(dq1 - dq2)", 0],
              "linear_velocity(fore, at=com)", name="v2"),
        claim("T", "eq. 2", None, "body_kinetic_energy(fore)",
              made_from="m2*v2'*v2/2 + I2*W**2/2", definitions={"W": "dq1 + dq2"}),
    ]  # fmt: skip
    report = audit(claims, "rr_arm", seed=1)
    assert report["T"].entries[0].causes == ("v2, entry 2 (eq. 1)",)
