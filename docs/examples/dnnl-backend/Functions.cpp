// Functions of one operand that Relay writes with several operators, and oneDNN
// computes by one: gelu, x * 0.5 * (1 + erf(x / sqrt(2))), and swish,
// x * sigmoid(x).

#include "Lowering.h"
#include "relay/IR/Operation.h"
#include <cmath>

using namespace backend;

namespace {

/// Follows the users of a tensor, and collects the nodes of the function.
class FunctionFinder {
public:
  FunctionFinder(const Lowering &L, TensorId X) : L(L), X(X) {}
  std::optional<FunctionMatch> findGelu();
  std::optional<FunctionMatch> findSwish();

private:
  /// Returns the only user of \p T if it is the operator \p Name.
  std::optional<unsigned> follow(TensorId T, StringRef Name);
  /// Returns the constant that node \p N combines with \p T.
  std::optional<double> getConstant(unsigned N, TensorId T) const;
  bool hasOperands(unsigned N, TensorId A, TensorId B) const;
  bool isScaled(unsigned N) const;

  const Lowering &L;
  TensorId X;
  FunctionMatch Match;
};

} // namespace

static bool isNear(double Value, double Expected) {
  return std::abs(Value - Expected) < 1e-6;
}

std::optional<unsigned> FunctionFinder::follow(TensorId T, StringRef Name) {
  std::optional<unsigned> User = L.getOpenUser(T);
  if (!User || L.getNode(*User).Op->getName() != Name)
    return std::nullopt;
  Match.Nodes.push_back(*User);
  return User;
}

std::optional<double> FunctionFinder::getConstant(unsigned N,
                                                  TensorId T) const {
  unsigned Index = L.getOperand(N, 0) == T ? 1 : 0;
  if (L.getNode(N).Operands.size() != 2 || L.getOperand(N, 1 - Index) != T)
    return std::nullopt;
  const relay::ConstantData *Data = L.getConstant(L.getOperand(N, Index));
  if (!Data || relay::Tensor::get(*Data).getNumElements() != 1)
    return std::nullopt;
  return relay::Tensor::get(*Data).copy().getDouble();
}

bool FunctionFinder::hasOperands(unsigned N, TensorId A, TensorId B) const {
  return (L.getOperand(N, 0) == A && L.getOperand(N, 1) == B) ||
         (L.getOperand(N, 0) == B && L.getOperand(N, 1) == A);
}

/// Returns true if node \p N is X / sqrt(2).
bool FunctionFinder::isScaled(unsigned N) const {
  StringRef Name = L.getNode(N).Op->getName();
  std::optional<double> C = getConstant(N, X);
  if (!C)
    return false;
  return (Name == "multiply" && isNear(*C, std::sqrt(0.5))) ||
         (Name == "divide" && L.getOperand(N, 0) == X &&
          isNear(*C, std::sqrt(2.0)));
}

/// Matches (X * (erf(X / sqrt(2)) + 1)) * 0.5 and (X * 0.5) * (erf(..) + 1).
std::optional<FunctionMatch> FunctionFinder::findGelu() {
  ArrayRef<unsigned> Users = L.getTwoUsers(X);
  if (Users.empty() || !isScaled(Users[0]) == !isScaled(Users[1]))
    return std::nullopt;
  unsigned Scaled = isScaled(Users[0]) ? Users[0] : Users[1];
  unsigned Other = Users[0] + Users[1] - Scaled;
  Match.Nodes.push_back(Scaled);
  auto Erf = follow(L.getResult(Scaled), "erf");
  auto Sum = Erf ? follow(L.getResult(*Erf), "add") : std::nullopt;
  if (!Sum || !isNear(getConstant(*Sum, L.getResult(*Erf)).value_or(0), 1))
    return std::nullopt;
  auto Product = follow(L.getResult(*Sum), "multiply");
  if (!Product)
    return std::nullopt;
  TensorId Factor = X;
  if (Other != *Product) { // X * 0.5
    Factor = L.getResult(Other);
    if (L.getNode(Other).Op->getName() != "multiply" ||
        !isNear(getConstant(Other, X).value_or(0), 0.5) ||
        L.getOpenUser(Factor) != Product)
      return std::nullopt;
    Match.Nodes.push_back(Other);
  }
  if (!hasOperands(*Product, Factor, L.getResult(*Sum)))
    return std::nullopt;
  Match.Result = L.getResult(*Product);
  if (Factor == X) {
    auto Half = follow(Match.Result, "multiply");
    if (!Half || !isNear(getConstant(*Half, Match.Result).value_or(0), 0.5))
      return std::nullopt;
    Match.Result = L.getResult(*Half);
  }
  Match.Function = {dnnl_eltwise_gelu_erf};
  return Match;
}

std::optional<FunctionMatch> FunctionFinder::findSwish() {
  ArrayRef<unsigned> Users = L.getTwoUsers(X);
  if (Users.empty())
    return std::nullopt;
  bool IsFirst = L.getNode(Users[0]).Op->getName() == "sigmoid";
  unsigned Sigmoid = Users[IsFirst ? 0 : 1];
  if (L.getNode(Sigmoid).Op->getName() != "sigmoid")
    return std::nullopt;
  Match.Nodes.push_back(Sigmoid);
  auto Product = follow(L.getResult(Sigmoid), "multiply");
  if (!Product || !hasOperands(*Product, X, L.getResult(Sigmoid)))
    return std::nullopt;
  Match.Result = L.getResult(*Product);
  Match.Function = {dnnl_eltwise_swish, 1};
  return Match;
}

std::optional<FunctionMatch> backend::findFunction(const Lowering &L,
                                                   TensorId X) {
  if (!L.isFloat(X) || L.getShape(X).empty())
    return std::nullopt;
  std::optional<FunctionMatch> Match = FunctionFinder(L, X).findGelu();
  if (!Match)
    Match = FunctionFinder(L, X).findSwish();
  if (!Match || L.getShape(Match->Result) != L.getShape(X))
    return std::nullopt;
  return Match;
}
