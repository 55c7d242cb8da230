//===- Passes.cpp - Passes in Python --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes of passes and of PassContext. relay_opt.passes adds decorators
// and the passes of TVM by name.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "PassObjects.h"
#include "relay/Transforms/Partition/TargetSupport.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace relay;
using namespace relay::python;

static std::string getPipeline(const PassObject &Self) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Self.get().printPipeline(OS);
  return Text;
}

/// Makes the compiler \p Name known to AnnotateTarget, which does not reject it
/// then if it supports no operator: as a fact, it does not support
/// annotations.
static void declareCompiler(nb::handle Name) {
  Work W;
  Context &Ctx = getContext();
  OpHookEntry Entry;
  Entry.Op = Ctx.lookupOp("annotation.compiler_begin");
  Entry.Key = intern(Name);
  Entry.Level = 0;
  Entry.Name = "AnnotateTarget";
  Entry.Source = "relay_opt";
  if (!OpFacts<TargetSupport>(Ctx, Entry.Key).empty())
    return;
  if (llvm::Error E = addOpFact<TargetSupport>(Ctx, Entry, false))
    W.raise(ErrorKind::Pipeline, std::move(E));
}

/// Visits the members of \p Self, an ObjectT, for the garbage collector.
template <typename ObjectT>
static int traverseObject(PyObject *Self, visitproc Visit, void *Arg) {
  if (int Result = Visit(reinterpret_cast<PyObject *>(Py_TYPE(Self)), Arg))
    return Result;
  if (!nb::inst_ready(Self))
    return 0;
  return nb::inst_ptr<ObjectT>(Self)->traverse(Visit, Arg);
}

template <typename ObjectT> static int clearObject(PyObject *Self) {
  if (nb::inst_ready(Self))
    nb::inst_ptr<ObjectT>(Self)->clear();
  return 0;
}

template <typename ObjectT> static PyType_Slot *getCollectorSlots() {
  static PyType_Slot Slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverseObject<ObjectT>)},
      {Py_tp_clear, reinterpret_cast<void *>(clearObject<ObjectT>)},
      {0, nullptr}};
  return Slots;
}

static void bindContext(nb::module_ &M) {
  nb::class_<PassContextObject>(
      M, "PassContext", "The environment in which passes run.",
      nb::intrusive_ptr<PassContextObject>(
          [](PassContextObject *Self, PyObject *Object) noexcept {
            Self->set_self_py(Object);
          }),
      nb::type_slots(getCollectorSlots<PassContextObject>()))
      .def(nb::init<unsigned, nb::object, nb::object, nb::object, nb::object,
                    nb::object>(),
           nb::arg("opt_level") = PassContext::DefaultOptLevel,
           nb::arg("required_pass").none() = nb::none(),
           nb::arg("disabled_pass").none() = nb::none(),
           nb::arg("instruments").none() = nb::none(),
           nb::arg("config").none() = nb::none(),
           nb::arg("target").none() = nb::none())
      .def_static("current", &PassContextObject::current)
      .def("__enter__",
           [](PassContextObject &Self) {
             Self.enter();
             return PassContextObject::Ref(&Self);
           })
      .def("__exit__", [](PassContextObject &Self, nb::args) { Self.exit(); })
      .def_static("_set_ambient_target", &PassContextObject::setAmbientTarget,
                  nb::arg("target").none())
      .def("override_instruments", &PassContextObject::overrideInstruments,
           nb::arg("instruments").none())
      .def_ro("opt_level", &PassContextObject::OptLevel)
      .def_ro("required_pass", &PassContextObject::Required)
      .def_ro("disabled_pass", &PassContextObject::Disabled)
      .def_ro("instruments", &PassContextObject::Instruments)
      .def_ro("config", &PassContextObject::Config);
}

void relay::python::bindPasses(nb::module_ &M) {
  nb::class_<PassInfoObject>(M, "PassInfo", "Information about a pass.")
      .def(
          "__init__",
          [](PassInfoObject *Self, unsigned OptLevel, const std::string &Name,
             nb::object Required) {
            new (Self) PassInfoObject();
            Self->Name = Name;
            Self->OptLevel = OptLevel;
            if (!Required.is_none())
              Self->Required = nb::cast<std::vector<std::string>>(Required);
          },
          nb::arg("opt_level"), nb::arg("name"),
          nb::arg("required").none() = nb::none())
      .def_ro("name", &PassInfoObject::Name)
      .def_ro("opt_level", &PassInfoObject::OptLevel)
      .def_ro("required", &PassInfoObject::Required)
      .def_prop_ro("traceable", [](const PassInfoObject &) { return false; });
  nb::class_<PassObject>(M, "Pass", "A pass on modules.")
      .def(nb::init<const std::string &>(), nb::arg("pipeline"))
      .def_prop_ro("info",
                   [](const PassObject &Self) {
                     return PassInfoObject(Self.get().getInfo());
                   })
      .def_prop_ro("pipeline", getPipeline)
      .def_prop_ro(
          "_is_function_pass",
          [](const PassObject &Self) { return isa<FunctionPass>(&Self.get()); })
      .def("__call__", &PassObject::run, nb::arg("mod"));
  nb::class_<CallbackPassObject, PassObject>(
      M, "CallbackPass",
      nb::type_slots(getCollectorSlots<CallbackPassObject>()))
      .def(nb::init<nb::object, const std::string &, unsigned,
                    std::vector<std::string>, bool>())
      .def("__call__", &CallbackPassObject::run, nb::arg("mod"));
  nb::class_<SequentialObject, PassObject>(M, "SequentialBase")
      .def(nb::init<nb::list, unsigned, const std::string &,
                    std::vector<std::string>>());
  bindContext(M);
  M.def("set_log_levels", [](const std::string &Levels) {
    Work W;
    Engine &E = Engine::get();
    if (llvm::Error Err =
            E.getLog().set(Levels, E.getContext(), E.getRegistry()))
      W.raise(ErrorKind::Pipeline, std::move(Err));
  });
  M.def("declare_compiler", declareCompiler, nb::arg("name"));
  M.def("pass_infos", [] {
    nb::list All;
    for (StringRef Name : Engine::get().getRegistry().getArguments()) {
      const PassInfo *Info = Engine::get().getRegistry().lookupArgument(Name);
      if (Info)
        All.append(nb::make_tuple(toPython(Info->Argument),
                                  toPython(Info->Name), Info->OptLevel));
    }
    return All;
  });
}
