// Pinocchio with closed loops: the model of pinocchio.cpp, rigid constraints, and calls of constraintDynamics.
#include "pinocchio.cpp"

#include "pinocchio/algorithm/constrained-dynamics.hpp"
#include "pinocchio/algorithm/proximal.hpp"

namespace {

struct Closed {
  std::vector<pin::RigidConstraintModel> models;
  std::vector<pin::RigidConstraintData> datas;
  pin::ProximalSettings settings;
};

pin::SE3 placed(const double * P) {
  return pin::SE3(Map<const RowMatrix3>(P), Map<const Eigen::Vector3d>(P + 9));
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// Constraint i holds a point (sizes[i] = 3) or a frame (6) of joint first[i] at one of joint second[i]; joints
// are counted as in robot_new, -1 is the world. Rows that depend on each other need mu > 0.
Closed * loops_new(Robot * robot, long count, const int * sizes, const int * first, const double * at,
                   const int * second, const double * to_at, double mu, double accuracy, int iterations) {
  auto * closed = new Closed;
  for (long i = 0; i < count; ++i) {
    const auto type = sizes[i] == 3 ? pin::CONTACT_3D : pin::CONTACT_6D;
    closed->models.emplace_back(type, robot->model, pin::JointIndex(first[i] + 1), placed(at + 12 * i),
                                pin::JointIndex(second[i] + 1), placed(to_at + 12 * i), pin::LOCAL);
    closed->datas.emplace_back(closed->models.back());
  }
  closed->settings = pin::ProximalSettings(accuracy, mu, iterations);
  pin::initConstraintDynamics(robot->model, *robot->data, closed->models, closed->datas);
  return closed;
}

void loops_delete(Closed * closed) { delete closed; }

// Seconds for `passes` calls at each state; the acceleration of the last call is written to `result`.
double loops_time(Robot * robot, Closed * closed, long passes, double * result) {
  using V = const VectorXd &;
  const double time = seconds(*robot, passes, [&](V q, V v, V tau) {
    pin::constraintDynamics(robot->model, *robot->data, q, v, tau, closed->models, closed->datas,
                            closed->settings);
  });
  Map<VectorXd>(result, robot->model.nv) = robot->data->ddq;
  return time;
}
}
#pragma GCC visibility pop
