// Pinocchio behind four C functions: a model from plain arrays, and calls of one algorithm over many states.
//
// The joints are told one by one and not read from a file, so that nothing but headers is needed: the
// libraries of the wheel are built for another alignment of Eigen's matrices than -march=native has.
#include "pinocchio/fwd.hpp"

#include "pinocchio/multibody.hpp"

#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"

#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace pin = pinocchio;
using Eigen::Map;
using Eigen::VectorXd;
using RowMatrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

namespace {

struct Robot {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<VectorXd> q, v, x;  // x: accelerations or generalized forces
};

pin::JointModel joint(int kind, const Eigen::Vector3d & axis) {
  switch (kind) {  // the order of KINDS in models.py
  case 0: return pin::JointModelRX();
  case 1: return pin::JointModelRY();
  case 2: return pin::JointModelRZ();
  case 3: return pin::JointModelRevoluteUnaligned(axis);
  case 4: return pin::JointModelRUBX();
  case 5: return pin::JointModelRUBY();
  case 6: return pin::JointModelRUBZ();
  case 7: return pin::JointModelPX();
  case 8: return pin::JointModelPY();
  case 9: return pin::JointModelPZ();
  case 10: return pin::JointModelPrismaticUnaligned(axis);
  case 11: return pin::JointModelFreeFlyer();
  case 12: return pin::JointModelSpherical();
  default: throw std::invalid_argument("no such joint");
  }
}

void fill(std::vector<VectorXd> & rows, const double * numbers, long count, long width) {
  rows.clear();
  for (long i = 0; i < count; ++i)
    rows.push_back(Map<const VectorXd>(numbers + i * width, width));
}

template <typename Call>
double seconds(const Robot & robot, long passes, Call call) {
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (long pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < robot.q.size(); ++i) call(robot.q[i], robot.v[i], robot.x[i]);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return double(end.tv_sec - begin.tv_sec) + 1e-9 * double(end.tv_nsec - begin.tv_nsec);
}

// Full matrix of one whose upper triangle is filled.
Eigen::MatrixXd mirrored(const Eigen::MatrixXd & upper) {
  Eigen::MatrixXd M = upper.triangularView<Eigen::Upper>();
  M.triangularView<Eigen::StrictlyLower>() = M.transpose();
  return M;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// Joint i (0 … count-1) hangs on joint parents[i] (-1: the world). Of each: a placement (rotation by rows,
// then translation), an axis, and an inertia (mass, centre of mass, tensor about it by rows).
Robot * robot_new(long count, const int * parents, const int * kinds, const double * placements,
                  const double * axes, const double * inertias, const double * gravity) {
  auto * robot = new Robot;
  robot->model.gravity.linear() = Map<const Eigen::Vector3d>(gravity);
  for (long i = 0; i < count; ++i) {
    const double *P = placements + 12 * i, *Y = inertias + 13 * i;
    const pin::SE3 placement(Map<const RowMatrix3>(P), Map<const Eigen::Vector3d>(P + 9));
    const auto index = robot->model.addJoint(
      pin::JointIndex(parents[i] + 1), joint(kinds[i], Map<const Eigen::Vector3d>(axes + 3 * i)),
      placement, "joint" + std::to_string(i));
    const Eigen::Matrix3d tensor = Map<const RowMatrix3>(Y + 4);
    const pin::Inertia inertia(Y[0], Map<const Eigen::Vector3d>(Y + 1), tensor);
    robot->model.appendBodyToJoint(index, inertia, pin::SE3::Identity());
  }
  robot->data = std::make_unique<pin::Data>(robot->model);
  return robot;
}

void robot_delete(Robot * robot) { delete robot; }

void robot_states(Robot * robot, long count, const double * q, const double * v, const double * x) {
  fill(robot->q, q, count, robot->model.nq);
  fill(robot->v, v, count, robot->model.nv);
  fill(robot->x, x, count, robot->model.nv);
}

// Seconds for `passes` calls at each state; the result of the last call is written to `result`.
// 0 rnea; 1, 2 crba and 3, 4 aba with quantities in the frames of the bodies, of the world; 5, 6 derivatives of
// rnea and aba, three matrices by columns, one after the other.
double robot_time(Robot * robot, int function, long passes, double * result) {
  const pin::Model & model = robot->model;
  pin::Data & data = *robot->data;
  const auto local = pin::Convention::LOCAL, world = pin::Convention::WORLD;
  const long n = model.nv;
  using V = const VectorXd &;
  double time = 0;
  switch (function) {
  case 0: time = seconds(*robot, passes, [&](V q, V v, V a) { pin::rnea(model, data, q, v, a); }); break;
  case 1: time = seconds(*robot, passes, [&](V q, V, V) { pin::crba(model, data, q, local); }); break;
  case 2: time = seconds(*robot, passes, [&](V q, V, V) { pin::crba(model, data, q, world); }); break;
  case 3: time = seconds(*robot, passes, [&](V q, V v, V t) { pin::aba(model, data, q, v, t, local); }); break;
  case 4: time = seconds(*robot, passes, [&](V q, V v, V t) { pin::aba(model, data, q, v, t, world); }); break;
  case 5: time = seconds(*robot, passes, [&](V q, V v, V a) { pin::computeRNEADerivatives(model, data, q, v, a); }); break;
  case 6: time = seconds(*robot, passes, [&](V q, V v, V t) { pin::computeABADerivatives(model, data, q, v, t); }); break;
  default: return -1;
  }
  if (function > 4) {
    using Eigen::MatrixXd;
    const bool inverse = function == 5;
    Map<MatrixXd>(result, n, n) = inverse ? MatrixXd(data.dtau_dq) : MatrixXd(data.ddq_dq);
    Map<MatrixXd>(result + n * n, n, n) = inverse ? MatrixXd(data.dtau_dv) : MatrixXd(data.ddq_dv);
    Map<MatrixXd>(result + 2 * n * n, n, n) = mirrored(inverse ? MatrixXd(data.M) : MatrixXd(data.Minv));
  }
  else if (function == 0) Map<VectorXd>(result, n) = data.tau;
  else if (function > 2) Map<VectorXd>(result, n) = data.ddq;
  else Map<Eigen::MatrixXd>(result, n, n) = mirrored(data.M);
  return time;
}
}
#pragma GCC visibility pop
