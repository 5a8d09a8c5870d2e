// Times grid-rbd's kernels on states from a file: grid_run N in.bin out.bin
#include HEADER
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
using namespace grid;
typedef float T;
static const int n = NUM_JOINTS;
template <typename F> float best(F f) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  f(); cudaDeviceSynchronize();
  if (cudaGetLastError() != cudaSuccess) return 1e30f;
  std::vector<float> t;
  for (int k = 0; k < 7; k++) {
    cudaEventRecord(a); for (int j = 0; j < 5; j++) f(); cudaEventRecord(b); cudaEventSynchronize(b);
    float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms / 5);
  }
  if (cudaGetLastError() != cudaSuccess) return 1e30f;
  std::sort(t.begin(), t.end()); return t[3];
}
int main(int argc, char **argv) {
  int N = atoi(argv[1]);
  std::vector<T> in(4 * n * (size_t)N);
  FILE *f = fopen(argv[2], "rb"); if (fread(in.data(), sizeof(T), in.size(), f) != in.size()) return 2; fclose(f);
  robotModel<T> *model = init_robotModel<T>();
  gridData<T, GRID_DATA_DYNAMICS> *d = init_gridData<T, GRID_DATA_DYNAMICS>(N);
  cudaMemcpy(d->d_q_qd_u, in.data(), sizeof(T) * 3 * n * N, cudaMemcpyHostToDevice);
  cudaMemcpy(d->d_qdd, in.data() + 3 * (size_t)n * N, sizeof(T) * n * N, cudaMemcpyHostToDevice);
  cudaMemset(d->d_f_ext, 0, 0);
  const T g = -9.81f; const int TIER = GRID_DEFAULT_RESOURCE_TIER;
  int slots = d->workspace_timestep_slots > 0 ? d->workspace_timestep_slots : N;
  FILE *out = fopen(argv[3], "wb"); std::vector<T> h;
  int grids[] = {N, 65536, 16384, 4096, 1320, 264};
  int threads[] = {32, 64, 96, 128, 192, 352};
  const char *names[] = {"inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives", "forward_dynamics_derivatives"};
  printf("{\"slots\": %d", slots);
  for (int which = 0; which < 4; which++) {
    // qdd is the input of ID and of its gradient, the output of FD
    if (which == 2) cudaMemcpy(d->d_qdd, in.data() + 3 * (size_t)n * N, sizeof(T) * n * N, cudaMemcpyHostToDevice);
    float least = 1e30f; int bg = 0, bt = 0;
    auto go = [&](int G, int th) {
      if (which == 0) inverse_dynamics_kernel<T, TIER><<<G, th, INVERSE_DYNAMICS_DYNAMIC_SHARED_MEM_BYTES<T>()>>>(d->d_c, d->d_q_qd_u, 3 * n, d->d_qdd, d->d_f_ext, model, g, N);
      if (which == 1) forward_dynamics_kernel<T, TIER><<<std::min(G, slots), th, FORWARD_DYNAMICS_DYNAMIC_SHARED_MEM_BYTES<T, TIER>()>>>(d->d_qdd, d->d_workspace, d->d_q_qd_u, 3 * n, d->d_f_ext, model, g, N);
      if (which == 2) inverse_dynamics_gradient_kernel<T, TIER><<<std::min(G, slots), th, INVERSE_DYNAMICS_GRADIENT_DYNAMIC_SHARED_MEM_BYTES<T, TIER>()>>>(d->d_dc_du, d->d_workspace, d->d_q_qd_u, 3 * n, d->d_qdd, d->d_f_ext, model, g, N);
      if (which == 3) forward_dynamics_gradient_kernel<T, TIER><<<std::min(G, slots), th, FORWARD_DYNAMICS_GRADIENT_DYNAMIC_SHARED_MEM_BYTES<T, TIER>()>>>(d->d_df_du, d->d_workspace, d->d_q_qd_u, 3 * n, d->d_f_ext, model, g, N);
    };
    for (int G : grids) for (int th : threads) {
      float ms = best([&] { go(std::min(G, N), th); });
      if (ms < least) { least = ms; bg = G; bt = th; }
    }
    go(std::min(bg, N), bt); cudaDeviceSynchronize();
    T *r = which == 0 ? d->d_c : which == 1 ? d->d_qdd : which == 2 ? d->d_dc_du : d->d_df_du;
    h.resize(1000 * (size_t)(which < 2 ? n : 2 * n * n));
    cudaMemcpy(h.data(), r, sizeof(T) * h.size(), cudaMemcpyDeviceToHost);
    fwrite(h.data(), sizeof(T), h.size(), out);
    printf(", \"%s\": {\"ms\": %g, \"grid\": %d, \"threads\": %d}", names[which], least, bg, bt);
  }
  printf(", \"error\": \"%s\"}\n", cudaGetErrorString(cudaGetLastError()));
  fclose(out); return 0;
}
