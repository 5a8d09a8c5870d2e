"""Printed equations: claims files (TOML), their formulas as text and as LaTeX, mappings of programs."""

from zlib import crc32

from claims_texts import FILE
from equamo.review.claims import audit
from equamo.review.claims.claims_file import read_claims
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.matching.mapping import comments, read_mapping
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.text_reader import read_text
from fuzz.documents import texts
from fuzz.edits import edit_toml, words_of
from fuzz.reader import Reader, file, text

FILES = (
    b'[[claims]]\nid = "a"\nplace = "eq. 1"\nprinted = "sin(a)**2 = 1 - cos(a)**2"\n',
    FILE.encode(),
)
TEXTS = (
    b"cross([a, 0, 0], [0, b, 0])*2 = [0; 0; c]",
    b"dt(w) = J*w - [0; 0; 1] = skew(w)*w + @linear_velocity(fore, at=[0, 0, 1])",
    b"sum(k, 1, 2, v[k])*det([1, 2; 3, 4]) + subs(x**2, x=3)' + block([a, b]; [c, d])",
)
WORDS = (
    'cross ( ) [ ] , ; : \' a b 1 2 0 + - * / ** @ = diff sum {k} k sin dt block skew "s" `q` det π ² '
    "identity zeros coefficient subs rot_x 99 trace unskew 0.1 1e9 diag norm2 ^ jacobian partial"
)
LATEX = (
    rb"\frac{1}{2} m_S d \sin\phi \dot{\psi} = 0",
    rb"\begin{bmatrix} \frac{1}{2} m c \\ \sin^2 \theta \end{bmatrix}^T \mathbf{R} \times \ddot{x}_{1}",
    rb"\left( a + b \right)^{2} \cdot \sqrt{x} - \cos(q_1 + q_2) \, \begin{array}{cc} 1 & 2 \end{array}",
)
LATEX_WORDS = (
    r"\frac \sin \dot \ddot { } ( ) [ ] ^ _ x y m 2 13 + - = & \\ \begin{bmatrix} \end{bmatrix} \theta "
    r"\mathbf \left \right \times \cdot \sqrt T 1 ' , % \begin{array}{cc} \pi \end{array} \text{ \tag{1}"
)
MAPPINGS = (
    b'[outputs]\nM = "mass_matrix"\nx = ["q", "v"]\n',
    b'by = "kane"\n[outputs]\n"f.M" = "mass_matrix"\n[inputs]\nx = "q1"\n[values]\nm1 = 2\n',
)
COMMENTS = (
    b"/* equamo: M = mass_matrix; x = q, v */ double M[4];",
    b"% equamo: c = coriolis_matrix*v\n",
)
PROGRAMS = (
    b"/* equamo: M = mass_matrix; x = q, v */\nvoid f(const double *x, double M[2][2]) {"
    b" M[0][0] = x[0]; M[0][1] = M[1][0] = cos(x[1]); M[1][1] = 2; }\n",
)


def read_file(data: bytes) -> None:
    claims = read_claims(file(data, "claims.toml"))
    if crc32(data) % 4 == 0:
        audit(claims, seed=1)


def _value(source: object) -> None:
    evaluation = Evaluation(PlainScope())
    for side in source.sides:  # type: ignore[attr-defined]
        evaluation.value(side)


def read_plain(data: bytes) -> None:
    _value(read_text(text(data)))


def read_tex(data: bytes) -> None:
    _value(read_latex(text(data), ("x", "y", "m")))


def read_names(data: bytes) -> None:
    read_mapping(file(data, "mapping.toml"))


def read_comments(data: bytes) -> None:
    comments(text(data), ("arm.c", "arm.py", "arm.m")[crc32(data) % 3])


def read_program(data: bytes) -> None:
    audit(robot="rr_arm", code=file(data, "arm.c"), seed=1)


READERS = [
    Reader("audited_program", read_program, texts(PROGRAMS), PROGRAMS, 2),
    Reader("claims_file", read_file, texts(FILES, edit_toml, edit_toml), FILES),
    Reader("claim_text", read_plain, texts(TEXTS, words_of(WORDS)), TEXTS[:1], 20),
    Reader("claim_latex", read_tex, texts(LATEX, words_of(LATEX_WORDS)), LATEX[:1], 20),
    Reader("code_mapping", read_names, texts(MAPPINGS, edit_toml), MAPPINGS[:1]),
    Reader("code_comments", read_comments, texts(COMMENTS), COMMENTS),
]
