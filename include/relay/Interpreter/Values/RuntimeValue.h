//===- RuntimeValue.h - Results of expressions ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A RuntimeValue is a reference-counted handle of a tensor, a tuple, a function
// (a closure, a global function, an operator or a constructor), a value of an
// algebraic data type, or a reference cell. A handle may be used by one thread
// only. Releasing a list of a million elements does not recurse.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_RUNTIMEVALUE_H
#define RELAY_INTERPRETER_VALUES_RUNTIMEVALUE_H

#include "relay/IR/Module.h"
#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

class CompoundObject;
class EvaluationPlan;
class RuntimeObject;

class RuntimeValue {
public:
  enum class Kind : uint8_t {
    Tensor,
    Tuple,
    Closure,        ///< of an Fn operation; fields: its captures
    GlobalFunction, ///< `@f`
    Operator,       ///< `nn.relu`
    Constructor,    ///< `Cons`
    Data,           ///< value of an algebraic data type; fields: arguments
    Reference       ///< field: contents
  };

  /// No value.
  RuntimeValue() = default;
  RuntimeValue(const RuntimeValue &O) : Object(O.Object) { retain(); }
  RuntimeValue(RuntimeValue &&O) : Object(std::exchange(O.Object, nullptr)) {}
  RuntimeValue &operator=(RuntimeValue O) {
    std::swap(Object, O.Object);
    return *this;
  }
  ~RuntimeValue() {
    if (Object)
      release();
  }

  //===--- Making values; \p Meter, if there is one, counts them ----------===//
  RuntimeValue(Tensor T, MemoryMeter *Meter = nullptr);
  static RuntimeValue getTuple(ArrayRef<RuntimeValue> Fields,
                               MemoryMeter *Meter = nullptr);
  static RuntimeValue getClosure(const EvaluationPlan &Code,
                                 ArrayRef<RuntimeValue> Captures,
                                 MemoryMeter *Meter = nullptr);
  static RuntimeValue getFunction(Function &F);
  static RuntimeValue getOperator(const OpInfo &Info);
  static RuntimeValue getConstructor(const Constructor &C);
  static RuntimeValue getData(const Constructor &C,
                              ArrayRef<RuntimeValue> Fields,
                              MemoryMeter *Meter = nullptr);
  static RuntimeValue getReference(RuntimeValue Contents,
                                   MemoryMeter *Meter = nullptr);

  //===--- Reading --------------------------------------------------------===//
  explicit operator bool() const { return Object; }
  inline Kind getKind() const;
  bool is(Kind K) const { return Object && getKind() == K; }
  bool isTensor() const { return is(Kind::Tensor); }
  bool isTuple() const { return is(Kind::Tuple); }
  inline const Tensor &getTensor() const;
  /// The fields of a tuple, data, a closure, or a reference.
  inline ArrayRef<RuntimeValue> getFields() const;
  inline const EvaluationPlan &getClosureCode() const;
  inline Function &getGlobalFunction() const;
  inline const OpInfo &getOperatorInfo() const;
  /// The constructor, of a constructor as a value or of data.
  inline const Constructor &getConstructor() const;
  /// Sets the contents of a reference.
  inline void setContents(RuntimeValue New) const;
  /// Returns the object, for use as a key; not null if there is a value.
  const void *getIdentity() const { return Object; }

  /// Returns `a tensor`, `a tuple`, …: for messages.
  StringRef describe() const;

private:
  friend class RuntimeObject;
  friend class ReferenceList;
  explicit RuntimeValue(RuntimeObject *Object) : Object(Object) { retain(); }
  inline void retain() const;
  inline void release();
  static RuntimeValue getCompound(Kind K, const void *Symbol,
                                  ArrayRef<RuntimeValue> Fields,
                                  MemoryMeter *Meter);
  inline const CompoundObject &getCompound() const;

  RuntimeObject *Object = nullptr;
};

/// The object that handles share: a tensor, or a symbol with fields.
class RuntimeObject {
private:
  friend class RuntimeValue;
  friend class ReferenceList;
  RuntimeObject(RuntimeValue::Kind K, MemoryMeter *Meter)
      : K(K), Meter(Meter) {}
  /// Deletes \p Dead and the objects that only it holds, without recursion.
  static void destroy(RuntimeObject *Dead);

  RuntimeValue::Kind K;
  uint32_t NumHandles = 0;
  MemoryMeterRef Meter;

  friend class TensorObject;
  friend class CompoundObject;
};

class TensorObject : public RuntimeObject {
private:
  friend class RuntimeValue;
  friend class RuntimeObject;
  TensorObject(Tensor T, MemoryMeter *Meter)
      : RuntimeObject(RuntimeValue::Kind::Tensor, Meter), T(std::move(T)) {}
  Tensor T;
};

class CompoundObject : public RuntimeObject {
private:
  friend class RuntimeValue;
  friend class RuntimeObject;
  CompoundObject(RuntimeValue::Kind K, const void *Symbol,
                 ArrayRef<RuntimeValue> Fields, MemoryMeter *Meter)
      : RuntimeObject(K, Meter), Symbol(Symbol), Fields(Fields) {}
  /// EvaluationPlan, Function, OpInfo or Constructor.
  const void *Symbol;
  SmallVector<RuntimeValue, 2> Fields;
};

/// The reference cells of an evaluation; cells that form a cycle are emptied
/// when the list is destroyed.
class ReferenceList {
public:
  ReferenceList() = default;
  ReferenceList(const ReferenceList &) = delete;
  ReferenceList &operator=(const ReferenceList &) = delete;
  ~ReferenceList();
  void add(const RuntimeValue &Reference);

private:
  /// Drops cells that have no other owner.
  void sweep();

  std::vector<RuntimeValue> Cells;
  size_t NextSweep = 1024;
};

//===----------------------------------------------------------------------===//
// Inline definitions
//===----------------------------------------------------------------------===//

inline void RuntimeValue::retain() const {
  if (Object)
    ++Object->NumHandles;
}
inline void RuntimeValue::release() {
  if (--Object->NumHandles == 0)
    RuntimeObject::destroy(Object);
}
inline RuntimeValue::Kind RuntimeValue::getKind() const { return Object->K; }
inline const CompoundObject &RuntimeValue::getCompound() const {
  assert(!isTensor());
  return *static_cast<const CompoundObject *>(Object);
}
inline const Tensor &RuntimeValue::getTensor() const {
  assert(isTensor());
  return static_cast<const TensorObject *>(Object)->T;
}
inline ArrayRef<RuntimeValue> RuntimeValue::getFields() const {
  return getCompound().Fields;
}
inline const EvaluationPlan &RuntimeValue::getClosureCode() const {
  assert(is(Kind::Closure));
  return *static_cast<const EvaluationPlan *>(getCompound().Symbol);
}
inline Function &RuntimeValue::getGlobalFunction() const {
  assert(is(Kind::GlobalFunction));
  return *static_cast<Function *>(const_cast<void *>(getCompound().Symbol));
}
inline const OpInfo &RuntimeValue::getOperatorInfo() const {
  assert(is(Kind::Operator));
  return *static_cast<const OpInfo *>(getCompound().Symbol);
}
inline const Constructor &RuntimeValue::getConstructor() const {
  assert(is(Kind::Constructor) || is(Kind::Data));
  return *static_cast<const Constructor *>(getCompound().Symbol);
}
inline void RuntimeValue::setContents(RuntimeValue New) const {
  assert(is(Kind::Reference));
  static_cast<CompoundObject *>(Object)->Fields[0] = std::move(New);
}

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_RUNTIMEVALUE_H
