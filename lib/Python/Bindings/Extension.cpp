//===- Extension.cpp - The extension module -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point of relay_opt._relay_opt. The classes have their own files.
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "Objects.h"
#include "relay/Support/Version.h"
#include <nanobind/intrusive/counter.inl>

using namespace relay;
using namespace relay::python;
using namespace nanobind::literals;

/// Registers what happens round os.fork().
static void registerFork() {
  nb::object Register = nb::module_::import_("os").attr("register_at_fork");
  Register("before"_a = nb::cpp_function([] { Engine::get().prepareFork(); }),
           "after_in_parent"_a =
               nb::cpp_function([] { Engine::get().continueParent(); }),
           "after_in_child"_a =
               nb::cpp_function([] { Engine::get().continueChild(); }));
}

NB_MODULE(_relay_opt, M) {
  nb::intrusive_init(
      [](PyObject *Object) noexcept {
        nb::gil_scoped_acquire Acquire;
        if (Acquire.is_valid())
          Py_INCREF(Object);
      },
      [](PyObject *Object) noexcept {
        nb::gil_scoped_acquire Acquire;
        if (Acquire.is_valid())
          Py_DECREF(Object);
      });
  // The Engine keeps the nodes of operators until the process ends.
  nb::set_leak_warnings(false);
  M.attr("__version__") = RELAY_VERSION_STRING;
  bindTypes(M);
  bindAttrs(M);
  bindArrays(M);
  bindExprs(M);
  bindModules(M);
  bindPasses(M);
  bindPipelines(M);
  bindEvaluation(M);
  bindPatterns(M);
  registerFork();
}
