/* MuJoCo's own C functions over many states: the parts of mj_inverse and mj_forward that are rigid-body
   dynamics. No contacts, constraints, actuators, passive forces or sensors are computed. */
#include <mujoco/mujoco.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void position(const mjModel *m, mjData *d, const double *q) {
  memcpy(d->qpos, q, sizeof(double) * (size_t)m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

static void velocity(const mjModel *m, mjData *d, const double *v) {
  memcpy(d->qvel, v, sizeof(double) * (size_t)m->nv);
  mj_comVel(m, d);
}

mjModel *robot_new(const char *path, mjData **data, int *sizes, char *error, int length) {
  mjModel *m = mj_loadXML(path, NULL, error, length);
  if (!m) return NULL;
  *data = mj_makeData(m);
  sizes[0] = m->nq, sizes[1] = m->nv;
  return m;
}

void robot_delete(mjModel *m, mjData *d) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

/* 0 inverse dynamics, 1 mass matrix (dense), 2 forward dynamics; x: accelerations or generalized forces */
double robot_time(const mjModel *m, mjData *d, int function, const double *q, const double *v,
                  const double *x, long count, long passes, double *result) {
  const int n = m->nv;
  const double begin = now();
  for (long pass = 0; pass < passes; ++pass)
    for (long i = 0; i < count; ++i) {
      position(m, d, q + i * m->nq);
      if (function == 1) {
        mj_makeM(m, d);
        mj_fullM(m, d, result);
        continue;
      }
      velocity(m, d, v + i * n);
      if (function == 0) { /* τ = M v̇ + c */
        memcpy(d->qacc, x + i * n, sizeof(double) * (size_t)n);
        mj_rne(m, d, 1, result);
        continue;
      }
      mj_makeM(m, d); /* M = Lᵀ D L ,  v̇ = M⁻¹ (τ − c) */
      mj_factorM(m, d);
      mj_rne(m, d, 0, d->qfrc_bias);
      for (int k = 0; k < n; ++k) d->qfrc_smooth[k] = x[i * n + k] - d->qfrc_bias[k];
      mj_solveM(m, d, result, d->qfrc_smooth, 1);
    }
  return now() - begin;
}
