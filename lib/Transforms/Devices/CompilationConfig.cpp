//===- CompilationConfig.cpp - Targets and their devices ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompilationConfig.h.
//
//===----------------------------------------------------------------------===//

#include "CompilationConfig.h"
#include "relay/Pass/Target.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Names of devices
//===----------------------------------------------------------------------===//

/// Devices of DLPack that TVM names.
static constexpr struct {
  int64_t Type;
  StringLiteral Name;
} DeviceNames[] = {{1, "cpu"},      {2, "cuda"},          {3, "cuda_host"},
                   {4, "opencl"},   {7, "vulkan"},        {8, "metal"},
                   {9, "vpi"},      {10, "rocm"},         {11, "rocm_host"},
                   {12, "ext_dev"}, {13, "cuda_managed"}, {14, "oneapi"},
                   {15, "webgpu"},  {16, "hexagon"},      {32, "aocl"}};

static std::string getDeviceName(int64_t Type) {
  for (const auto &Device : DeviceNames)
    if (Device.Type == Type)
      return Device.Name.str();
  return "device_type " + std::to_string(Type);
}

/// Returns the number of the device \p Name; 0 if there is none.
static int64_t getDeviceType(StringRef Name) {
  for (const auto &Device : DeviceNames)
    if (Device.Name == Name)
      return Device.Type;
  return 0;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Returns \p Value of \p Option as TVM's targets store it; null for an empty
/// list and for False, which stand for an absent value.
static Attr getOptionAttr(Context &Ctx, const PassOptionInfo &Option,
                          const PassOptionValue &Value) {
  SmallVector<Attr> Items;
  for (const PassOptionScalar &Item : Value.Items) {
    if (auto *Flag = std::get_if<bool>(&Item))
      Items.push_back(*Flag
                          ? makeBox(Ctx, "runtime.BoxBool", Attr::getBool(true))
                          : Attr());
    else if (auto *Text = std::get_if<std::string>(&Item))
      Items.push_back(Ctx.getString(*Text));
    else if (Option.Kind == PassOptionKind::Enum)
      Items.push_back(Ctx.getString(Option.Values[std::get<int64_t>(Item)]));
    else
      Items.push_back(
          makeBox(Ctx, "runtime.BoxInt",
                  Ctx.getInt(std::get<int64_t>(Item), DType::getInt(64))));
  }
  if (Option.Shape == PassOptionShape::List)
    return Items.empty() ? Attr() : Ctx.getArray(ArrayRef<Attr>(Items));
  return Items.empty() ? Attr() : Items.front();
}

/// TVM compiles for the machine that it runs on, if the processor is not given.
/// Here that is one machine, so that results are the same on all.
static constexpr StringLiteral DefaultTriple = "x86_64-pc-linux-gnu";

static Attr getTargetAttrs(Context &Ctx, const Target &T) {
  SmallVector<NamedAttr> Entries;
  for (const PassOptionInfo &Option : T.getInfo().Options) {
    std::optional<PassOptionValue> Value = T.getValue(Option.Name);
    if (!Value || Option.Name == Target::KeysOption)
      continue;
    if (Attr A = getOptionAttr(Ctx, Option, *Value))
      Entries.push_back({Ctx.getString(Option.Name), A});
  }
  bool HasProcessor = llvm::any_of(Entries, [](const NamedAttr &E) {
    return E.first.getString() == "mcpu" || E.first.getString() == "mtriple";
  });
  if (T.getName() == "llvm" && !HasProcessor)
    Entries.push_back({Ctx.getString("mtriple"), Ctx.getString(DefaultTriple)});
  return Ctx.getDict(Entries);
}

/// Returns \p T as TVM's Target object, with the target \p Host for its host
/// code, if that is not null.
static Attr getTargetAttr(Context &Ctx, const Target &T, Attr Host) {
  // Lookups of hooks begin with the name. In TVM the device comes first, and
  // the name is a key only if it is declared.
  SmallVector<Attr> Keys;
  auto addKey = [&](StringRef Key) {
    if (!llvm::is_contained(Keys, Ctx.getString(Key)))
      Keys.push_back(Ctx.getString(Key));
  };
  if (auto Device =
          T.getOption<std::optional<std::string>>(Target::DeviceOption))
    addKey(*Device);
  for (StringRef Key : T.getKeys())
    if (Key != T.getName() || llvm::is_contained(T.getInfo().Keys, Key))
      addKey(Key);
  Attr Kind = Ctx.getObject(
      "TargetKind", {{Ctx.getString("repr_str"), Ctx.getString(T.getName())}});
  return Ctx.getObject(
      "Target", {{Ctx.getString("attrs"), getTargetAttrs(Ctx, T)},
                 {Ctx.getString("features"), Ctx.getDict({})},
                 {Ctx.getString("host"), Host},
                 {Ctx.getString("keys"), Ctx.getArray(ArrayRef<Attr>(Keys))},
                 {Ctx.getString("kind"), Kind},
                 {Ctx.getString("tag"), Ctx.getString("")}});
}

/// Returns true if \p A and \p B, parts of targets, are equal but for the order
/// of their attributes.
static bool isSameTarget(Attr A, Attr B) {
  SmallVector<std::pair<Attr, Attr>, 16> Worklist{{A, B}};
  while (!Worklist.empty()) {
    auto [L, R] = Worklist.pop_back_val();
    if (L == R)
      continue;
    if (!L || !R || L.getKind() != R.getKind())
      return false;
    if (L.getKind() == Attr::Kind::Dict) {
      if (L.getDict().size() != R.getDict().size())
        return false;
      for (const auto &[Key, Value] : L.getDict())
        Worklist.push_back({Value, R.lookup(Key.getString())});
    } else if (L.getKind() == Attr::Kind::Object &&
               L.getTypeKey() == R.getTypeKey()) {
      for (const auto &[Key, Value] : L.getFields())
        Worklist.push_back({Value, R.lookup(Key.getString())});
    } else {
      return false;
    }
  }
  return true;
}

Attr CompilationConfig::getCanonicalTarget(Attr Target) {
  for (Attr Known : KnownTargets)
    if (isSameTarget(Known, Target))
      return Known;
  KnownTargets.push_back(Target);
  return Target;
}

Attr CompilationConfig::getTarget(int64_t Type) const {
  for (const auto &[TargetType, Target] : Targets)
    if (TargetType == Type)
      return Target;
  return {};
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static LogicalResult emitOptionError(Context &Ctx, StringRef Option,
                                     const Twine &Problem) {
  return Ctx.emitError({},
                       "option '" + Option + "' of plan-devices: " + Problem);
}

/// Parses targets from the pieces of \p Text between commas: a piece that is
/// the name of a target begins it.
static FailureOr<SmallVector<Target, 2>>
parseTargets(PassContext &PC, StringRef Option, ArrayRef<std::string> Pieces) {
  SmallVector<std::string, 2> Texts;
  for (const std::string &Piece : Pieces) {
    bool Begins = Texts.empty() ||
                  PC.getRegistry().lookupTarget(StringRef(Piece).trim()) ||
                  StringRef(Piece).contains(' ');
    if (Begins)
      Texts.push_back(Piece);
    else
      Texts.back() += "," + Piece;
  }
  SmallVector<Target, 2> Targets;
  for (const std::string &Text : Texts) {
    llvm::Expected<Target> T = Target::parse(Text, PC.getRegistry());
    if (!T) {
      (void)emitOptionError(PC.getContext(), Option,
                            llvm::toString(T.takeError()));
      return failure();
    }
    if (std::string Problem = T->describeIgnoredOption(); !Problem.empty())
      PC.getContext().getDiagnostics().emitWarning(
          {}, "option '" + Option + "' of plan-devices: " + Problem);
    Targets.push_back(std::move(*T));
  }
  return Targets;
}

/// As in TVM, the host is the first processor of the targets.
static const Target *findHost(ArrayRef<const Target *> Targets) {
  for (const Target *T : Targets)
    if (T->getInfo().DeviceType == 1 || T->getInfo().DeviceType == 16)
      return T;
  return nullptr;
}

LogicalResult CompilationConfig::setTargets(PassContext &PC, const Options &O) {
  std::string Fallback[] = {"llvm"};
  auto Given = parseTargets(PC, "targets", O.Targets);
  auto GivenHost = parseTargets(PC, "host", O.Host);
  auto Others = parseTargets(PC, "targets", Fallback);
  if (failed(Given) || failed(GivenHost) || failed(Others))
    return failure();
  if (GivenHost->size() > 1)
    return emitOptionError(*Ctx, "host", "expects one target");
  SmallVector<const Target *, 2> All;
  for (const Target &T : *Given)
    All.push_back(&T);
  if (All.empty())
    All.push_back(PC.getTarget() ? PC.getTarget() : &Others->front());
  const Target *HostTarget =
      GivenHost->empty() ? findHost(All) : &GivenHost->front();
  if (!HostTarget)
    HostTarget = &Others->front();
  Attr HostAttr = getCanonicalTarget(getTargetAttr(*Ctx, *HostTarget, {}));
  Host = number({HostTarget->getInfo().DeviceType, 0, HostAttr, ""});
  for (const Target *T : All) {
    int64_t Type = T->getInfo().DeviceType;
    if (!getTarget(Type))
      Targets.push_back(
          {Type, getCanonicalTarget(getTargetAttr(*Ctx, *T, HostAttr))});
  }
  return success();
}

std::string CompilationConfig::listDevices() const {
  SmallVector<std::string> Names;
  for (const auto &[Type, Target] : Targets)
    Names.push_back(getDeviceName(Type));
  return llvm::join(Names, ", ");
}

LogicalResult CompilationConfig::setDefault(const Options &O) {
  int64_t Type = Targets.size() == 1 ? Targets.front().first : 1;
  std::string Problem;
  if (!O.DefaultDevice.empty()) {
    Type = getDeviceType(O.DefaultDevice);
    if (!getTarget(Type))
      return emitOptionError(*Ctx, "default-device",
                             "no target is for '" + O.DefaultDevice +
                                 "'; the targets are for " + listDevices());
  } else if (O.FallbackDeviceType) {
    Type = O.FallbackDeviceType;
    if (!getTarget(Type))
      return Ctx->emitError({}, "config 'relay.fallback_device_type': no "
                                "target is for " +
                                    getDeviceName(Type) +
                                    "; the targets are for " + listDevices());
  } else if (!getTarget(Type)) {
    return emitOptionError(*Ctx, "default-device",
                           "is needed, since no target is for cpu; the targets "
                           "are for " +
                               listDevices());
  }
  Default = number({Type, 0, getTarget(Type), ""});
  return success();
}

FailureOr<CompilationConfig> CompilationConfig::create(PassContext &PC,
                                                       const Options &O) {
  CompilationConfig Config(PC.getContext());
  if (failed(Config.setTargets(PC, O)) || failed(Config.setDefault(O)))
    return failure();
  return Config;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Attr CompilationConfig::getAttr(DeviceNumber Device) {
  if (Attrs[Device])
    return Attrs[Device];
  const VirtualDevice &D = Devices[Device];
  return Attrs[Device] = Ctx->getObject(
             "VirtualDevice",
             {{Ctx->getString("device_type_int"),
               Ctx->getInt(D.Type, DType::getInt(64))},
              {Ctx->getString("memory_scope"), Ctx->getString(D.Scope)},
              {Ctx->getString("target"), D.Target},
              {Ctx->getString("virtual_device_id"),
               Ctx->getInt(D.Index, DType::getInt(64))}});
}

DeviceNumber CompilationConfig::number(const VirtualDevice &Device) {
  auto [It, IsNew] = NumbersByParts.try_emplace(
      {Device.Type, Device.Index, Device.Target, Device.Scope}, Devices.size());
  if (!IsNew)
    return It->second;
  Devices.push_back(Device);
  Attrs.push_back({});
  return Devices.size() - 1;
}

static int64_t getIntField(Attr Object, StringRef Name) {
  Attr Value = Object.lookup(Name);
  return Value && Value.isInt() ? Value.getInt() : -1;
}

DeviceNumber CompilationConfig::numberAttr(Attr Device, std::string &Problem) {
  if (Device.getKind() != Attr::Kind::Object ||
      Device.getTypeKey() != "VirtualDevice") {
    Problem = "expects a virtual device";
    return OpenDevice;
  }
  Attr Scope = Device.lookup("memory_scope");
  VirtualDevice D{getIntField(Device, "device_type_int"),
                  getIntField(Device, "virtual_device_id"),
                  Device.lookup("target"),
                  Scope && Scope.isString() ? Scope.getString() : StringRef()};
  bool HasTarget = bool(D.Target);
  if (D.Type <= 0) {
    if (D.Index >= 0 || HasTarget || !D.Scope.empty())
      Problem = "the virtual device has no device type";
    return OpenDevice;
  }
  if (D.Index < 0)
    D.Index = -1;
  D.Target = HasTarget ? getCanonicalTarget(D.Target) : getTarget(D.Type);
  if (!D.Target) {
    Problem = "no target is for " + getDeviceName(D.Type) +
              "; the targets are for " + listDevices();
    return OpenDevice;
  }
  DeviceNumber N = number(D);
  if (HasTarget && !Attrs[N])
    Attrs[N] = Device;
  return N;
}

DeviceNumber CompilationConfig::getNumber(Attr Device, std::string &Problem) {
  if (!Device)
    return OpenDevice;
  if (auto It = Numbers.find(Device); It != Numbers.end())
    return It->second;
  DeviceNumber N = numberAttr(Device, Problem);
  if (Problem.empty())
    Numbers[Device] = N;
  return N;
}

std::string CompilationConfig::describe(DeviceNumber Device) const {
  const VirtualDevice &D = Devices[Device];
  if (Device == OpenDevice)
    return "any device";
  std::string Text = getDeviceName(D.Type);
  if (D.Index >= 0)
    Text += ":" + std::to_string(D.Index);
  if (D.Target == Devices[Host].Target &&
      !isSameTarget(D.Target, getTarget(D.Type)))
    Text += " of the host";
  if (!D.Scope.empty())
    Text += " in memory '" + D.Scope.str() + "'";
  return Text;
}

std::optional<DeviceNumber> CompilationConfig::join(DeviceNumber A,
                                                    DeviceNumber B) {
  if (A == B || B == OpenDevice)
    return A;
  if (A == OpenDevice)
    return B;
  const VirtualDevice &L = Devices[A], &R = Devices[B];
  if (L.Type != R.Type || L.Target != R.Target ||
      (L.Index >= 0 && R.Index >= 0 && L.Index != R.Index) ||
      haveDifferentScopes(A, B))
    return std::nullopt;
  return number({L.Type, L.Index >= 0 ? L.Index : R.Index, L.Target,
                 L.Scope.empty() ? R.Scope : L.Scope});
}

bool CompilationConfig::haveDifferentScopes(DeviceNumber A,
                                            DeviceNumber B) const {
  const VirtualDevice &L = Devices[A], &R = Devices[B];
  return !L.Scope.empty() && !R.Scope.empty() && L.Scope != R.Scope;
}

DeviceNumber CompilationConfig::getDefaulted(DeviceNumber Device,
                                             DeviceNumber Other) {
  if (Device == OpenDevice || Device == Other)
    return Other;
  const VirtualDevice &D = Devices[Device], &O = Devices[Other];
  return number({D.Type, D.Index >= 0 ? D.Index : O.Index, D.Target,
                 D.Scope.empty() ? O.Scope : D.Scope});
}
