"""Tables of Denavit and Hartenberg's parameters."""

from dh_texts import TABLE
from equamo.robot.formats.dh_text import read_dh
from fuzz.documents import texts
from fuzz.reader import Reader, file
from fuzz.robot_identities import check_robot

SEEDS = (
    b"theta | d | a | alpha | mass\nq1 | 0 | L1 | 0 | m1\nq2 | 0 | L2 | 90 | 2\n",
    TABLE.encode(),
)


def read(data: bytes) -> None:
    check_robot(read_dh(file(data, "arm.txt")), data)


READERS = [Reader("dh_table", read, texts(SEEDS), SEEDS)]
