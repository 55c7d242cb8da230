//===- CompilationConfig.h - Targets and their devices ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The targets to compile for, the device for operations without constraints,
// and the device for shapes. Numbers virtual devices, and joins them: a virtual
// device may leave its index or its memory scope open.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_DEVICES_COMPILATIONCONFIG_H
#define RELAY_LIB_TRANSFORMS_DEVICES_COMPILATIONCONFIG_H

#include "relay/IR/Context.h"
#include "relay/Pass/PassContext.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

/// The number of a virtual device in a CompilationConfig. 0 leaves everything
/// open; all others have a device type and a target.
using DeviceNumber = uint32_t;
constexpr DeviceNumber OpenDevice = 0;

class CompilationConfig {
public:
  /// The options of a pass, as text.
  struct Options {
    ArrayRef<std::string> Targets; ///< pieces between commas
    ArrayRef<std::string> Host;    ///< likewise, of one target
    StringRef DefaultDevice;       ///< a name, or empty
    int64_t FallbackDeviceType;    ///< a number of DLPack, or 0
  };

  /// Reports wrong options as errors.
  static FailureOr<CompilationConfig> create(PassContext &PC, const Options &O);

  /// Returns the device for operations without constraints.
  DeviceNumber getDefault() const { return Default; }
  /// Returns the device for shapes.
  DeviceNumber getHost() const { return Host; }

  /// Returns the number of \p Device, a VirtualDevice, or none if it leaves
  /// everything open. A device without target gets the target of its type. Sets
  /// \p Problem and returns an open device if there is none.
  DeviceNumber getNumber(Attr Device, std::string &Problem);
  /// Returns \p Device as an attribute.
  Attr getAttr(DeviceNumber Device);
  /// Returns `cuda:0`, with the memory scope if there is one.
  std::string describe(DeviceNumber Device) const;

  /// Returns the device that \p A and \p B both allow; none if they conflict.
  std::optional<DeviceNumber> join(DeviceNumber A, DeviceNumber B);
  /// Returns \p Device; the parts that it leaves open are those of \p Other.
  DeviceNumber getDefaulted(DeviceNumber Device, DeviceNumber Other);
  /// Returns true if the memory scopes of \p A and \p B conflict.
  bool haveDifferentScopes(DeviceNumber A, DeviceNumber B) const;
  bool hasScope(DeviceNumber Device) const {
    return !Devices[Device].Scope.empty();
  }

private:
  struct VirtualDevice {
    int64_t Type = -1;
    int64_t Index = -1;
    Attr Target;
    StringRef Scope; ///< of a string of the Context
  };

  explicit CompilationConfig(Context &Ctx) : Ctx(&Ctx) {
    Devices.push_back({});
    Attrs.push_back({});
  }
  LogicalResult setTargets(PassContext &PC, const Options &O);
  LogicalResult setDefault(const Options &O);
  DeviceNumber number(const VirtualDevice &Device);
  DeviceNumber numberAttr(Attr Device, std::string &Problem);
  Attr getTarget(int64_t Type) const;
  Attr getCanonicalTarget(Attr Target);
  std::string listDevices() const;

  Context *Ctx;
  SmallVector<std::pair<int64_t, Attr>, 2> Targets; ///< by device type
  SmallVector<Attr, 4> KnownTargets;
  llvm::DenseMap<Attr, DeviceNumber> Numbers;
  SmallVector<VirtualDevice, 8> Devices;
  llvm::DenseMap<std::tuple<int64_t, int64_t, Attr, StringRef>, DeviceNumber>
      NumbersByParts;
  SmallVector<Attr, 8> Attrs; ///< of Devices; null until needed
  DeviceNumber Default = OpenDevice, Host = OpenDevice;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_DEVICES_COMPILATIONCONFIG_H
