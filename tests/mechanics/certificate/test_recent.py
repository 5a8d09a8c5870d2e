"""Certificates that were made in this process are found again, for the same robot only."""

import equamo as eq
from equamo.mechanics.certificate import proved
from equamo.mechanics.certificate.recent import KEPT, recall, remember


def test_a_robot_of_the_same_data_is_recalled() -> None:
    certificate = eq.prove(eq.load("rr_arm"))
    assert recall(certificate.robot) is certificate
    assert recall(eq.load("rr_arm")) is certificate
    assert proved(eq.load("rr_arm")) is certificate


def test_other_numbers_are_another_robot() -> None:
    eq.prove(eq.load("rr_arm"))
    other = eq.load("rr_arm").with_values(m1=7)
    assert recall(other) is None
    assert proved(other).robot is other


def test_a_weaker_proof_is_not_kept() -> None:
    robot = eq.load("rp_arm").with_values(m1=8)
    eq.prove(robot, error_bits=20)
    assert recall(robot) is None


def test_only_so_many_are_kept() -> None:
    first = eq.prove(eq.load("rr_arm").with_values(m1=9))
    other = eq.prove(eq.load("rp_arm"))
    for _ in range(KEPT):
        remember(other)
    assert recall(first.robot) is None
