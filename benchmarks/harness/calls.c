/* Loops that time code with a plain interface. Each goes over many states, `passes` times, and returns seconds. */
#include <stdint.h>
#include <time.h>

enum { MOST = 16 }; /* arrays of a function */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ours, one state a call: arrays[k] has widths[k] numbers a state; the last is the result, always in one place. */
double time_kernel(void (*kernel)(void **), long arrays, double **array, const long *widths, long count,
                   long passes) {
  void *args[MOST];
  const double begin = now();
  for (long pass = 0; pass < passes; ++pass)
    for (long i = 0; i < count; ++i) {
      for (long k = 0; k < arrays; ++k) args[k] = array[k] + i * widths[k];
      kernel(args);
    }
  return now() - begin;
}

/* Ours, a batch: one call for all states. */
double time_batch(void (*batch)(void **, int64_t *, int64_t, int64_t), double **array, int64_t *strides,
                  long count, long passes) {
  const double begin = now();
  for (long pass = 0; pass < passes; ++pass) batch((void **)array, strides, 0, count);
  return now() - begin;
}

/* CasADi's generated C: the first arrays are arguments, the last is the result. */
double time_casadi(int (*function)(const double **, double **, long long *, double *, int), long arrays,
                   double **array, const long *widths, double *work, long count, long passes) {
  const double *args[MOST];
  double *results[MOST];
  const double begin = now();
  for (long pass = 0; pass < passes; ++pass)
    for (long i = 0; i < count; ++i) {
      for (long k = 0; k < arrays - 1; ++k) args[k] = array[k] + i * widths[k];
      results[0] = array[arrays - 1];
      function(args, results, 0, work, 0);
    }
  return now() - begin;
}
