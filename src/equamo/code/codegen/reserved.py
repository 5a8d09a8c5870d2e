"""Names that generated code must not give to anything of its own, as data.

Every list is the union over the languages, since a name is the same in all of them. The tests ask the
compilers and interpreters themselves (`gcc -dM -E`, `iskeyword`, `globalThis`, `dir(builtins)`) and the
generated files, so that a word that is missing here is found.
"""

from __future__ import annotations

import re
from typing import Final

_C = """
auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while main asm fortran typeof typeof_unqual printf
"""
_CPP = """
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await
co_return co_yield compl concept consteval constexpr constinit const_cast contract_assert decltype delete
dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or
or_eq private protected public reinterpret_cast requires static_assert static_cast template this
thread_local throw true try typeid typename using virtual wchar_t xor xor_eq std Eigen Real Vector
Matrix
"""
# Macros of the C library, and of headers that people include before ours.
_MACROS = """
BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CLOCKS_PER_SEC CMPLX CMPLXF CMPLXL DECIMAL_DIG EOF
EXIT_FAILURE EXIT_SUCCESS FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO HUGE_VAL HUGE_VALF HUGE_VALL I
INFINITY LITTLE_ENDIAN L_ctermid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAX_CANON MAX_INPUT MINSIGSTKSZ
M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN
NFDBITS NGREG NSIG NULL PDP_ENDIAN PIPE_BUF P_tmpdir SEEK_CUR SEEK_END SEEK_SET TIMER_ABSTIME
TIME_UTC alloca assert complex errno fpclassify isalnum isalpha isascii isblank iscntrl isdigit
isfinite isgraph isgreater isgreaterequal isinf isless islessequal islessgreater islower isnan
isnormal isprint ispunct isspace isunordered isupper isxdigit linux math_errhandling offsetof
signbit stderr stdin stdout toascii unix
setjmp sigsetjmp WEOF DOMAIN SING OVERFLOW UNDERFLOW TLOSS PLOSS MAXFLOAT
AIO_PRIO_DELTA_MAX BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX CHARCLASS_NAME_MAX CHAR_MAX
CHAR_MIN COLL_WEIGHTS_MAX DELAYTIMER_MAX EXPR_NEST_MAX FILENAME_MAX FOPEN_MAX HOST_NAME_MAX LINE_MAX
LLONG_MAX LLONG_MIN LOGIN_NAME_MAX LONG_MAX LONG_MIN MB_CUR_MAX MB_LEN_MAX MQ_PRIO_MAX NAME_MAX
NGROUPS_MAX PATH_MAX PTHREAD_KEYS_MAX PTHREAD_STACK_MIN PTRDIFF_MAX PTRDIFF_MIN RAND_MAX RE_DUP_MAX
RTSIG_MAX SCHAR_MAX SCHAR_MIN SEM_VALUE_MAX SHRT_MAX SHRT_MIN SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIZE_MAX
SSIZE_MAX TMP_MAX TTY_NAME_MAX UCHAR_MAX ULLONG_MAX ULONG_MAX USHRT_MAX WCHAR_MAX WCHAR_MIN WINT_MAX
WINT_MIN XATTR_LIST_MAX XATTR_NAME_MAX XATTR_SIZE_MAX
E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG
EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED
ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN
EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED
EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN
ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET
ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK
ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN
ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP
EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG
EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE
ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL
near far small huge cdecl pascal interface TRUE FALSE IN OUT OPTIONAL CONST VOID ERROR
B0 B1 F PI HALF_PI TWO_PI EULER DEG_TO_RAD RAD_TO_DEG min max round sq bit
"""
_MATLAB = """
break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endfor
endfunction endif endparfor endswitch endwhile endclassdef endenumeration endevents endmethods
endproperties endspmd enumeration events for function global if methods otherwise parfor persistent
properties arguments endarguments return spmd switch try until unwind_protect
unwind_protect_cleanup while ans eps i j e Inf inf NaN nan NA pi nargin nargout varargin varargout
error numel zeros ones double single true false mexFunction reshape isempty
"""
_JAVASCRIPT = """
arguments await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null
package private protected public return static super switch this throw true try typeof undefined
var void while with yield Math NaN Infinity Number Array Float32Array Float64Array RangeError check_size
default_parameters
"""
_PYTHON = """
False None True and as assert async await break class continue def del elif else except finally for from
global if import in is lambda nonlocal not or pass raise return try while with yield case match type
np print range len abs float int
"""
# Functions that the generated code calls; CasADi's words for what a function is made of.
_CALLED = """
sin cos tan sqrt exp log tanh fabs abs sign asin acos atan atan2 sinf cosf tanf sqrtf expf logf tanhf
fabsf asinf acosf atanf atan2f null jac hess
"""
RESERVED: Final = frozenset(
    " ".join((_C, _CPP, _MACROS, _MATLAB, _JAVASCRIPT, _PYTHON, _CALLED)).split()
)
# Families of macros, and what the templates define for themselves. A number behind a name that is not of
# a family must not make one of it.
_FAMILIES: Final = re.compile(
    r"(?:casadi|CASADI|EQUAMO|EIGEN|equamo)(?:_\w*)?|(?:PRI|SCN)[dioxXu](?:\d|FAST|LEAST|MAX|PTR)\w*"
    r"|U?INT(?:_FAST|_LEAST)?(?:\d+|MAX|PTR)?_(?:MIN|MAX|WIDTH|C|T)"
    r"|(?:FE|FP|FLT|DBL|LDBL|LC|PTHREAD|CLOCK|TIMER)_[A-Z]\w*|va_(?:arg|copy|end|start)"
    r"|(?:be|le)\d+toh|hto[bl]e\d+|(?:is[a-z]+|toascii)_l|W(?:IF|EXIT|NO|STOP|TERM|UN|CONT)[A-Z]+"
)

# Further names that a function of a file must not have: what stands beside the functions in some
# language, what their tests call, and `then`, by which JavaScript would take a module for a promise.
_BESIDE = """
real sign selftest example mex casadi solver default_parameters default_parameter_values
InverseDynamicsSolver checked DTYPE GOLDEN DEFAULT_PARAMETERS then
"""
_BUILTINS = """
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError
FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError
OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError
RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError
UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
UnicodeWarning UserWarning ValueError Warning ZeroDivisionError aiter all anext any ascii bin bool
breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir
divmod enumerate eval exec exit filter format frozenset getattr globals hasattr hash help hex id input
isinstance issubclass iter license list locals map memoryview next object oct open ord pow property quit
repr reversed set setattr slice sorted staticmethod str sum super tuple vars zip
"""
BESIDE: Final = frozenset(" ".join((_BESIDE, _BUILTINS)).split())

# Names with an underscore that belong to the C library or to Octave: NAME of a robot and the name of a
# function must not make one of them.
_LIBRARY = """
aligned_alloc at_quick_exit blkcnt_t blksize_t caddr_t clock_t clockid_t daddr_t dev_t div_t
double_t drand48_data drand48_r ecvt_r end_ptr erand48_r explicit_bzero fcvt_r fd_mask fd_set
float_t fpos_t fsblkcnt_t fsfilcnt_t fsid_t gid_t id_t initstate_r ino_t jrand48_r key_t lcong48_r
ldiv_t lgamma_r lgammaf_r lgammal_r lldiv_t locale_t loff_t lrand48_r mode_t mrand48_r nlink_t
nrand48_r off_t on_exit open_memstream pid_t posix_memalign qecvt_r qfcvt_r quad_t quick_exit
rand_deg rand_r rand_sep rand_type random_data random_r register_t seed48_r setstate_r sigset_t
size_t srand48_r srandom_r ssize_t strcasecmp_l strcoll_l strerror_l strerror_r strncasecmp_l
strtok_r strxfrm_l suseconds_t time_t timer_t tmpnam_r tv_nsec tv_sec tv_usec u_char u_int u_long
u_quad_t u_short uid_t va_list wchar_t
add_input_event_hook arch_fit arch_rnd arch_test arma_rnd auto_repeat_debug_command autoreg_matrix
available_graphics_toolkits base64_decode base64_encode beep_on_error bug_report
built_in_docstrings_file canonicalize_file_name cmdline_options command_line_path common_size
commutation_matrix compare_versions completion_append_char completion_matches
confirm_recursive_rmdir crash_dumps_octave_core daspk_options dasrt_options dassl_options
debian_missing_handler debug_java debug_on_error debug_on_interrupt debug_on_warning dir_encoding
dir_in_loadpath disable_diagonal_matrix disable_permutation_matrix disable_range discrete_cdf
discrete_inv discrete_pdf discrete_rnd do_string_escapes doc_cache_create doc_cache_file
duplication_matrix edit_history empirical_cdf empirical_inv empirical_pdf empirical_rnd errno_list
error_ids file_in_loadpath file_in_path fixed_point_format freqz_plot get_first_help_sentence
get_help_text get_help_text_from_file get_home_directory gnuplot_binary graphics_toolkit gui_mainfcn
have_window_system history_control history_file history_save history_size
history_timestamp_format_string ignore_function_time_stamp info_file info_program
is_absolute_filename is_dq_string is_function_handle is_leap_year is_rooted_relative_filename
is_same_file is_sq_string is_valid_file_id java_get java_matrix_autoconversion java_set
java_unsigned_autoconversion jupyter_notebook list_in_columns list_primes loaded_graphics_toolkits
ls_command lsode_options make_absolute_filename makeinfo_program matrix_type max_recursion_depth
max_stack_depth missing_component_hook missing_function_hook native_float_format nth_element
octave_core_file_limit octave_core_file_name octave_core_file_options optimize_diagonal_matrix
optimize_permutation_matrix optimize_range optimize_subsasgn_calls output_precision
page_output_immediately page_screen_output print_empty_dimensions print_struct_array_contents
print_usage program_invocation_name program_name quad_options readline_re_read_init_file
readline_read_init_file register_graphics_toolkit remove_input_event_hook run_count run_history
save_default_options save_header_format_string save_precision sighup_dumps_octave_core
sigquit_dumps_octave_core sigterm_dumps_octave_core silent_functions size_equal sparse_auto_mutate
spectral_adf spectral_xdf split_long_rows string_fill_char struct_levels_to_print
suppress_verbose_help_message svd_driver terminal_size texi_macros_file tilde_expand
undo_string_escapes unicode_idx user_config_dir user_data_dir warning_ids whos_line_format yes_or_no
"""
LIBRARY: Final = frozenset(_LIBRARY.split())
_LIBRARY_FAMILIES: Final = re.compile(
    r"u?_?u?int(?:_fast|_least)?(?:\d+|max|ptr)_t|pthread_(?:\w+_)?t|arc4random_\w+|\w+_unlocked"
)

# File names that a compiler or an interpreter would take for its own, and those that Windows keeps.
_FILES = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath
threads time uchar wchar wctype unistd pthread features alloca endian memory strings malloc values
mex matrix casadi numpy con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1
lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9
"""
FILES: Final = frozenset(_FILES.split())


def is_reserved(name: str) -> bool:
    """Whether nothing in a generated file may have this name.

    >>> is_reserved("for"), is_reserved("FP_ZERO"), is_reserved("casadi_w"), is_reserved("theta")
    (True, True, True, False)
    """
    return name in RESERVED or is_of_family(name)


def is_of_family(name: str) -> bool:
    """Whether a name belongs to a family of reserved ones, such as FP_ZERO to FP_…"""
    return _FAMILIES.fullmatch(name) is not None


def is_of_library(name: str) -> bool:
    """Whether a name with an underscore belongs to the C library or to Octave.

    >>> is_of_library("size_t"), is_of_library("print_usage"), is_of_library("arm_gravity")
    (True, True, False)
    """
    return name in LIBRARY or _LIBRARY_FAMILIES.fullmatch(name) is not None or is_reserved(name)
