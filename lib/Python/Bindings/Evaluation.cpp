//===- Evaluation.cpp - Evaluation and parameters in Python ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates functions on arrays and tuples of arrays, and reads and writes
// dictionaries of parameters.
//
//===----------------------------------------------------------------------===//

#include "ModuleObject.h"
#include "Objects.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Text/Metadata/Parameters.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

/// Values nest no deeper than this, so that the conversions may recurse.
static constexpr unsigned MaxDepth = 1000;

static RuntimeValue toValue(nb::handle Object, unsigned Depth = 0) {
  if (nb::isinstance<ArrayObject>(Object)) {
    const ConstantData &Data = *nb::cast<ArrayObject &>(Object).Data.get();
    if (Data.isOpaque())
      throw nb::value_error(Data.describeMissingData().c_str());
    return Tensor::get(Data);
  }
  if (!nb::isinstance<nb::tuple>(Object) || Depth == MaxDepth)
    throw nb::type_error("an argument is an Array or a tuple of arguments");
  SmallVector<RuntimeValue, 4> Fields;
  for (nb::handle Field : Object)
    Fields.push_back(toValue(Field, Depth + 1));
  return RuntimeValue::getTuple(Fields);
}

static nb::object fromValue(const RuntimeValue &V, unsigned Depth = 0) {
  if (V.isTensor()) {
    const Tensor &T = V.getTensor();
    Context &Ctx = Engine::get().getContext();
    TensorType *Ty = Ctx.getTensorType(T.getShape(), T.getDType());
    return nb::cast(ArrayObject(Ctx.getConstant(Ty, T.getBytes())));
  }
  if (!V.isTuple() || Depth == MaxDepth)
    throw nb::type_error(
        ("the result is " + V.describe() + ", which Python cannot hold")
            .str()
            .c_str());
  nb::list Fields;
  for (const RuntimeValue &Field : V.getFields())
    Fields.append(fromValue(Field, Depth + 1));
  return nb::tuple(Fields);
}

static nb::object evaluateFunction(ModuleObject &Self, const std::string &Name,
                                   nb::list Args) {
  Work W;
  Module &M = Self.getTypedIR(W);
  Function *F = M.lookupFunction(M.getContext().intern(Name));
  if (!F)
    throw nb::value_error(("the module has no function @" + Name).c_str());
  SmallVector<RuntimeValue, 8> Values;
  for (nb::handle Arg : Args)
    Values.push_back(toValue(Arg));
  FailureOr<RuntimeValue> Result = failure();
  Evaluator TheEvaluator(M);
  {
    nb::gil_scoped_release Release;
    Result = TheEvaluator.evaluate(*F, Values);
  }
  if (failed(Result))
    W.raise(TheEvaluator.hasHitLimit() ? ErrorKind::Limit : ErrorKind::Pass,
            TheEvaluator.getError(), "evaluation");
  return fromValue(*Result);
}

static nb::bytes saveParams(nb::dict Params) {
  std::vector<std::string> Names;
  std::vector<NamedArray> Arrays;
  Names.reserve(Params.size()); // the arrays refer to them
  for (auto [Name, Value] : Params) {
    Names.push_back(nb::cast<std::string>(nb::str(Name)));
    NamedArray Array;
    Array.Name = Names.back();
    Array.Value = nb::cast<ArrayObject &>(Value).Data.get();
    Arrays.push_back(Array);
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeParameters(OS, Arrays);
  return nb::bytes(Text.data(), Text.size());
}

static nb::dict loadParams(nb::bytes Data) {
  Work W;
  std::shared_ptr<const llvm::MemoryBuffer> File =
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(Data.c_str(), Data.size()),
                                           "parameters");
  auto Arrays = readParameters(File->getBuffer());
  if (!Arrays)
    W.raise(ErrorKind::Parse, Arrays.takeError());
  nb::dict Result;
  for (const NamedArray &Array : *Arrays) {
    llvm::Expected<Attr> Value =
        readSavedArray(Engine::get().getContext(), Array.Saved, File);
    if (!Value)
      W.raise(ErrorKind::Parse, Value.takeError());
    Result[toPython(Array.Name)] = nb::cast(ArrayObject(*Value));
  }
  return Result;
}

void relay::python::bindEvaluation(nb::module_ &M) {
  M.def("evaluate", evaluateFunction, nb::arg("mod"), nb::arg("function"),
        nb::arg("args"));
  M.def("save_params", saveParams);
  M.def("load_params", loadParams);
}
