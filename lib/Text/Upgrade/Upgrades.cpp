//===- Upgrades.cpp - Calls of older releases of TVM ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of changes between releases, and the implementation of its rules.
// New attributes whose default is the behaviour of older releases need no rule:
// they are absent, and the default applies.
//
//===----------------------------------------------------------------------===//

#include "Upgrades.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"

using namespace relay;

using Kind = UpgradeKind;

/// The rules in the order of application; a renamed operator continues with the
/// rules of its new name.
static constexpr UpgradeRule Rules[] = {
    // Renamed and removed operators.
    {"contrib.adaptive_avg_pool2d", 6, 6, Kind::RenameOperator, "",
     "nn.adaptive_avg_pool2d"},
    {"contrib.adaptive_max_pool2d", 6, 6, Kind::RenameOperator, "",
     "nn.adaptive_max_pool2d"},
    {"_contrib_reverse_reshape", 6, 6, Kind::RenameOperator, "",
     "contrib_reverse_reshape"},
    {"contrib.ndarray_size", 6, 6, Kind::ReshapeResult, "", ""},
    {"contrib.ndarray_size", 6, 6, Kind::RenameOperator, "", "ndarray_size"},
    {"nn.contrib_conv2d_NCHWc_int8", 6, 6, Kind::RenameOperator, "",
     "nn.contrib_conv2d_NCHWc"},
    {"memory.invoke_tvm_op", 6, 6, Kind::RenameOperator, "",
     "vm.invoke_tvm_op"},
    {"memory.shape_func", 6, 6, Kind::RenameOperator, "", "vm.shape_func"},
    {"image.resize", 6, 6, Kind::AlignCorners, "align_corners",
     "coordinate_transformation_mode"},
    {"image.resize", 6, 7, Kind::AddAttribute, "rounding_method", "\"\""},
    {"image.resize", 6, 7, Kind::ReplaceValue, "method", "bilinear=linear"},
    {"image.resize", 6, 7, Kind::ReplaceValue, "method", "bicubic=cubic"},
    {"image.resize", 6, 7, Kind::RenameOperator, "", "image.resize2d"},
    {"dyn.image.resize", 7, 7, Kind::AddAttribute, "rounding_method", "\"\""},
    {"dyn.image.resize", 7, 7, Kind::ReplaceValue, "method", "bilinear=linear"},
    {"dyn.image.resize", 7, 7, Kind::ReplaceValue, "method", "bicubic=cubic"},
    {"dyn.image.resize", 7, 7, Kind::RenameOperator, "", "dyn.image.resize2d"},
    {"scatter", 7, 11, Kind::AddAttribute, "reduction", "\"update\""},
    {"scatter", 7, 11, Kind::RenameOperator, "", "scatter_elements"},
    {"scatter_add", 7, 11, Kind::AddAttribute, "reduction", "\"add\""},
    {"scatter_add", 7, 11, Kind::RenameOperator, "", "scatter_elements"},
    {"nn.contrib_conv2d_winograd_nnpack_without_weight_transform", 6, 6,
     Kind::RemoveOperator, "", "no operator replaces it"},
    {"vision.multibox_detection", 6, 6, Kind::RemoveOperator, "",
     "it had no implementation"},
    {"log1p", 6, 6, Kind::RemoveOperator, "", "it had no implementation"},

    // Attributes whose text has another meaning.
    // 0.8 always printed the attributes.
    {"nn.batch_matmul", 6, 8, Kind::AddAttribute, "transpose_b", "True", 0,
     /*ChangesShapes=*/true},
    {"nn.conv2d_transpose", 6, 7, Kind::SwapLayout, "kernel_layout", "", 0,
     /*ChangesShapes=*/true},
    {"nn.conv2d_transpose", 8, 11, Kind::AddAttribute, "kernel_layout",
     "\"OIHW\"", 0, /*ChangesShapes=*/true},
    {"nn.conv1d_transpose", 6, 11, Kind::SwapLayout, "kernel_layout", "", 0,
     /*ChangesShapes=*/true},
    {"nn.conv3d_transpose", 6, 11, Kind::SwapLayout, "kernel_layout", "", 0,
     /*ChangesShapes=*/true},
    {"qnn.requantize", 6, 8, Kind::AddAttribute, "rounding", "\"UPWARD\""},
    {"topk", 6, 6, Kind::InPlace, "k", ""},
    {"topk", 6, 6, Kind::AddAttribute, "k", "1"},

    // Attributes that became operands.
    {"nn.pad", 6, 7, Kind::FloatOperand, "pad_value", "0", 1},
    {"vision.get_valid_counts", 6, 7, Kind::FloatOperand, "score_threshold",
     "0", 1},
    {"vision.get_valid_counts", 6, 7, Kind::AddAttribute, "score_threshold",
     "None"},
    {"vision.get_valid_counts", 6, 6, Kind::KeepFields, "", "", 2},
    {"vision.non_max_suppression", 6, 6, Kind::RemoveOperator, "",
     "it had no operand `indices`"},
    {"vision.non_max_suppression", 7, 7, Kind::FloatOperand, "iou_threshold",
     "0.5", 4},
    {"vision.non_max_suppression", 7, 7, Kind::DropAttribute, "max_output_size",
     ""},
    {"qnn.quantize", 6, 6, Kind::FloatOperand, "output_scale", "", 1},
    {"qnn.quantize", 6, 6, Kind::IntOperand, "output_zero_point", "", 2},
    {"qnn.dequantize", 6, 6, Kind::FloatOperand, "input_scale", "", 1},
    {"qnn.dequantize", 6, 6, Kind::IntOperand, "input_zero_point", "", 2},
    {"qnn.requantize", 6, 6, Kind::FloatOperand, "input_scale", "", 1},
    {"qnn.requantize", 6, 6, Kind::IntOperand, "input_zero_point", "", 2},
    {"qnn.requantize", 6, 6, Kind::FloatOperand, "output_scale", "", 3},
    {"qnn.requantize", 6, 6, Kind::IntOperand, "output_zero_point", "", 4},
    {"qnn.conv2d", 6, 6, Kind::IntOperand, "input_zero_point", "", 2},
    {"qnn.conv2d", 6, 6, Kind::IntOperand, "kernel_zero_point", "", 3},
    {"qnn.conv2d", 6, 6, Kind::FloatOperand, "input_scale", "", 4},
    {"qnn.conv2d", 6, 6, Kind::FloatOperand, "kernel_scale", "", 5},
    {"qnn.dense", 6, 6, Kind::IntOperand, "input_zero_point", "", 2},
    {"qnn.dense", 6, 6, Kind::IntOperand, "kernel_zero_point", "", 3},
    {"qnn.dense", 6, 6, Kind::FloatOperand, "input_scale", "", 4},
    {"qnn.dense", 6, 6, Kind::FloatOperand, "kernel_scale", "", 5},
    {"qnn.concatenate", 6, 6, Kind::FloatTuple, "input_scales", "", 1},
    {"qnn.concatenate", 6, 6, Kind::IntTuple, "input_zero_points", "", 2},
    {"qnn.concatenate", 6, 6, Kind::FloatOperand, "output_scale", "", 3},
    {"qnn.concatenate", 6, 6, Kind::IntOperand, "output_zero_point", "", 4},
    {"qnn.add", 6, 6, Kind::FloatOperand, "lhs_scale", "", 2},
    {"qnn.add", 6, 6, Kind::IntOperand, "lhs_zero_point", "", 3},
    {"qnn.add", 6, 6, Kind::FloatOperand, "rhs_scale", "", 4},
    {"qnn.add", 6, 6, Kind::IntOperand, "rhs_zero_point", "", 5},
    {"qnn.add", 6, 6, Kind::FloatOperand, "output_scale", "", 6},
    {"qnn.add", 6, 6, Kind::IntOperand, "output_zero_point", "", 7},
    {"qnn.mul", 6, 6, Kind::FloatOperand, "lhs_scale", "", 2},
    {"qnn.mul", 6, 6, Kind::IntOperand, "lhs_zero_point", "", 3},
    {"qnn.mul", 6, 6, Kind::FloatOperand, "rhs_scale", "", 4},
    {"qnn.mul", 6, 6, Kind::IntOperand, "rhs_zero_point", "", 5},
    {"qnn.mul", 6, 6, Kind::FloatOperand, "output_scale", "", 6},
    {"qnn.mul", 6, 6, Kind::IntOperand, "output_zero_point", "", 7},
    {"memory.alloc_tensor", 6, 6, Kind::AddOperand, "offset", "0", 1},
    {"dyn.image.resize2d", 7, 8, Kind::AddOperand, "roi", "[0f, 0f, 0f, 0f]",
     2},

    // Renamed attributes, attributes of another form, and those without a
    // default.
    {"image.resize1d", 8, 8, Kind::AddAttribute, "roi", "[0f, 0f]"},
    {"image.resize2d", 6, 8, Kind::AddAttribute, "roi", "[0f, 0f, 0f, 0f]"},
    {"image.resize3d", 7, 7, Kind::AddAttribute, "rounding_method", "\"\""},
    {"image.resize3d", 7, 7, Kind::ReplaceValue, "method", "trilinear=linear"},
    {"image.resize3d", 7, 8, Kind::AddAttribute, "roi",
     "[0f, 0f, 0f, 0f, 0f, 0f]"},
    {"contrib_reverse_reshape", 6, 7, Kind::DropAttribute, "reverse", ""},
    {"reshape", 6, 7, Kind::DropAttribute, "reverse", ""},
    {"on_device", 6, 8, Kind::Device, "device_type", "virtual_device"},
    {"on_device", 8, 8, Kind::RenameAttribute, "is_fixed", "constrain_result"},
    {"device_copy", 6, 8, Kind::Device, "src_dev_type", "src_virtual_device"},
    {"device_copy", 6, 8, Kind::Device, "dst_dev_type", "dst_virtual_device"},
    {"memory.alloc_storage", 6, 8, Kind::Device, "device_type",
     "virtual_device"},
    {"nn.contrib_conv2d_gemm_weight_transform", 7, 14, Kind::RenameAttribute,
     "tile_rows", "tile_N"},
    {"nn.contrib_conv2d_gemm_weight_transform", 7, 14, Kind::RenameAttribute,
     "tile_cols", "tile_K"},
    {"strided_slice", 6, 6, Kind::AddAttribute, "strides", "[]"},
    {"strided_slice", 6, 7, Kind::AddAttribute, "axes", "None"},
    {"dyn.strided_slice", 7, 7, Kind::AddAttribute, "axes", "None"},
    {"qnn.dequantize", 6, 13, Kind::AddAttribute, "out_dtype", "\"float32\""},
};

std::optional<unsigned> relay::parseRelease(StringRef Text) {
  unsigned Release;
  if (!Text.consume_front("0.") || Text.getAsInteger(10, Release) ||
      Release < ReleaseRange::First || Release > ReleaseRange::Last)
    return std::nullopt;
  return Release;
}

bool Upgrader::hasRules(StringRef Operator, ReleaseRange R) {
  return llvm::any_of(Rules, [&](const UpgradeRule &Rule) {
    return Rule.Last >= R.Min && Rule.First <= R.Max &&
           Rule.Operator == Operator;
  });
}

const UpgradeRule *Upgrader::findRule(StringRef Operator, StringRef Name) {
  const auto *Found = llvm::find_if(Rules, [&](const UpgradeRule &Rule) {
    return Rule.Operator == Operator && Rule.Name == Name;
  });
  return Found == std::end(Rules) ? nullptr : Found;
}

StringRef Upgrader::getNewName(StringRef Old) {
  for (const UpgradeRule &Rule : Rules)
    if (Rule.Kind == Kind::RenameOperator && Rule.Operator == Old)
      return Rule.Text;
  return Old;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

void Upgrader::remark(const char *At, const Twine &What) {
  std::string Text = What.str();
  if (Quiet || llvm::is_contained(Remarks, Text))
    return;
  Remarks.push_back(Text);
  Report(Severity::Remark, At, Text);
}

/// Describes the effect of \p Rule, which is the same for all calls.
static std::string describeRule(const UpgradeRule &Rule) {
  auto Quote = [](StringRef Text) { return ("`" + Text + "`").str(); };
  std::string Operator = Quote(Rule.Operator);
  std::string Attribute = "attribute " + Quote(Rule.Name) + " of " + Operator;
  switch (Rule.Kind) {
  case Kind::RenameOperator:
    return Operator + " is read as " + Quote(Rule.Text);
  case Kind::DropAttribute:
    return Attribute + " is dropped";
  case Kind::RenameAttribute:
  case Kind::AlignCorners:
  case Kind::Device:
    return Attribute + " is read as " + Quote(Rule.Text);
  case Kind::AddAttribute:
    return Operator + " without " + Quote(Rule.Name) + " is read with " +
           Quote((Rule.Name + "=" + Rule.Text).str());
  case Kind::ReplaceValue:
    return Attribute + ": \"" + Rule.Text.split('=').first.str() +
           "\" is read as \"" + Rule.Text.split('=').second.str() + "\"";
  case Kind::SwapLayout:
    return Attribute + " is read with O and I swapped";
  case Kind::FloatOperand:
  case Kind::IntOperand:
  case Kind::FloatTuple:
  case Kind::IntTuple:
    return Attribute + " is read as an operand";
  case Kind::AddOperand:
    return Operator + " without the operand " + Quote(Rule.Name) +
           " is read with " + Quote(Rule.Text);
  case Kind::ReshapeResult:
    return "the result of " + Operator + " is reshaped to rank 1";
  case Kind::KeepFields:
    return "the result of " + Operator + " is read as its first fields";
  case Kind::RemoveOperator:
  case Kind::InPlace:
    return "";
  }
  llvm_unreachable("unknown kind of rule");
}

//===----------------------------------------------------------------------===//
// Applicability of rules
//===----------------------------------------------------------------------===//

static AttrText *findAttr(CallParts &Call, StringRef Name) {
  auto *It = llvm::find_if(Call.Attributes,
                           [&](const AttrText &A) { return A.Name == Name; });
  return It == Call.Attributes.end() ? nullptr : It;
}
static const AttrText *findAttr(const CallParts &Call, StringRef Name) {
  return findAttr(const_cast<CallParts &>(Call), Name);
}

static const AttrField *findField(Context &Ctx, StringRef Operator,
                                  StringRef Name) {
  const OpInfo *Info = Ctx.lookupOp(Operator);
  if (!Info || !Info->Attributes)
    return nullptr;
  int I = Info->Attributes->getFieldIndex(Name);
  return I < 0 ? nullptr : &Info->Attributes->Fields[I];
}

/// Parses a value of the table: `True`, `None`, `1`, `"a"`, `[0f, 0f]`. The
/// elements of lists are 0f.
static Attr readRuleValue(Context &Ctx, StringRef Text) {
  if (Text == "True")
    return Attr::getBool(true);
  if (Text == "None")
    return {};
  if (Text.consume_front("\""))
    return Ctx.getString(Text.drop_back());
  if (Text.consume_front("[")) {
    SmallVector<StringRef, 6> Parts;
    Text.drop_back().split(Parts, ',', -1, /*KeepEmpty=*/false);
    assert(llvm::all_of(Parts, [](StringRef P) { return P.trim() == "0f"; }) &&
           "lists of the table contain only zeros");
    return Ctx.getArray(SmallVector<Attr, 6>(Parts.size(), Ctx.getFloat(0)));
  }
  int64_t Int = 0;
  double Double = 0;
  if (!Text.getAsInteger(10, Int))
    return Ctx.getInt(Int);
  Text.getAsDouble(Double);
  return Ctx.getFloat(Double, DType::getFloat(64));
}

/// Returns whether \p Rule applies to \p Call. If only some of the possible
/// releases \p R have the rule, a call that is invalid today decides it;
/// otherwise the rule may be open.
Upgrader::Answer Upgrader::applies(const UpgradeRule &Rule,
                                   const CallParts &Call,
                                   ReleaseRange R) const {
  if (Rule.Operator != Call.Operator || Rule.Last < R.Min || Rule.First > R.Max)
    return Answer::No;
  bool Surely = Rule.First <= R.Min && R.Max <= Rule.Last;
  const AttrText *Written = findAttr(Call, Rule.Name);
  const AttrField *Field = findField(Ctx, Call.Operator, Rule.Name);
  auto If = [](bool Holds) { return Holds ? Answer::Yes : Answer::No; };
  switch (Rule.Kind) {
  case Kind::RenameOperator:
    return If(Surely || !Ctx.lookupOp(Rule.Operator));
  case Kind::RemoveOperator:
    return If(Surely && !Written);
  case Kind::DropAttribute:
  case Kind::RenameAttribute:
    return If(Written && !Field);
  case Kind::Device:
    return If(!Field && (Written || (Surely && !findAttr(Call, Rule.Text))));
  case Kind::AlignCorners:
    return If(Surely || Written);
  case Kind::AddAttribute:
    if (Written)
      return Answer::No;
    if (Surely || (Field && Field->isRequired()) ||
        !Ctx.lookupOp(Rule.Operator))
      return Answer::Yes;
    return Answer::Open;
  case Kind::ReplaceValue:
    return If(Written && Written->Value.isString() &&
              Written->Value.getString() == Rule.Text.split('=').first);
  case Kind::SwapLayout:
    if (!Written || !Written->Value.isString())
      return Answer::No;
    return Surely ? Answer::Yes : Answer::Open;
  case Kind::FloatOperand:
  case Kind::IntOperand:
  case Kind::FloatTuple:
  case Kind::IntTuple:
    return If(Call.Operands.size() <= Rule.Index &&
              (Surely || Written || Call.Operands.size() == Rule.Index));
  case Kind::AddOperand: {
    const OpInfo *Info = Ctx.lookupOp(Rule.Operator);
    return If(Info && int64_t(Call.Operands.size()) + 1 == Info->NumOperands);
  }
  case Kind::ReshapeResult:
  case Kind::KeepFields:
    return If(Surely);
  case Kind::InPlace:
    return Answer::No;
  }
  llvm_unreachable("unknown kind of rule");
}

std::optional<bool> Upgrader::upgrade(CallParts &Call, ReleaseRange R,
                                      bool TakeOpen, CreateFn Create) {
  bool IsOpen = false;
  for (const UpgradeRule &Rule : Rules) {
    Answer A = applies(Rule, Call, R);
    if (A == Answer::Open && Rule.ChangesShapes) {
      IsOpen = true;
      if (TakeOpen)
        A = Answer::Yes;
    }
    if (A != Answer::Yes)
      continue;
    if (!apply(Rule, Call, Create))
      return std::nullopt;
    if (!TakeOpen && Told.insert(&Rule).second)
      remark(Call.At, describeRule(Rule));
  }
  return IsOpen;
}

//===----------------------------------------------------------------------===//
// Application of rules
//===----------------------------------------------------------------------===//

static StringRef swapOutputAndInput(Context &Ctx, StringRef Layout) {
  std::string Swapped = Layout.str();
  for (char &C : Swapped)
    C = C == 'O' ? 'I' : C == 'I' ? 'O' : C;
  return Ctx.getString(Swapped).getString();
}

bool Upgrader::apply(const UpgradeRule &Rule, CallParts &Call,
                     CreateFn Create) {
  AttrText *A = findAttr(Call, Rule.Name);
  switch (Rule.Kind) {
  case Kind::RenameOperator:
    Call.Operator = Rule.Text;
    return true;
  case Kind::RemoveOperator:
    return fail(Call, "`" + Rule.Operator +
                          "` of older releases of TVM cannot be upgraded: " +
                          Rule.Text);
  case Kind::DropAttribute:
    Call.Attributes.erase(A);
    return true;
  case Kind::RenameAttribute:
    A->Name = Rule.Text;
    return true;
  case Kind::AddAttribute:
    Call.Attributes.push_back(
        {Rule.Name, readRuleValue(Ctx, Rule.Text), Call.At, Call.At});
    return true;
  case Kind::ReplaceValue:
    A->Value = Ctx.getString(Rule.Text.split('=').second);
    return true;
  case Kind::SwapLayout:
    A->Value = Ctx.getString(swapOutputAndInput(Ctx, A->Value.getString()));
    return true;
  case Kind::AlignCorners: {
    bool Align = !A || A->Value == Attr::getBool(true) ||
                 (A->Value.isInt() && A->Value.getInt() == 1);
    if (!A)
      A = &Call.Attributes.emplace_back(AttrText{"", {}, Call.At, Call.At});
    A->Name = Rule.Text;
    A->Value = Ctx.getString(Align ? "align_corners" : "asymmetric");
    return true;
  }
  case Kind::Device: {
    Attr Type = A ? A->Value : Ctx.getInt(1);
    if (!Type.isInt())
      return fail(Call, "attribute `" + Rule.Name + "` of `" + Call.Operator +
                            "` takes the number of a device");
    Attr Device = makeDevice(Call, Type);
    A = findAttr(Call, Rule.Name); // other attributes may have moved
    if (!A)
      A = &Call.Attributes.emplace_back(AttrText{"", {}, Call.At, Call.At});
    A->Name = Rule.Text;
    A->Value = Device;
    return true;
  }
  case Kind::FloatOperand:
  case Kind::IntOperand:
  case Kind::FloatTuple:
  case Kind::IntTuple:
  case Kind::AddOperand:
    return addOperand(Rule, Call, Create);
  case Kind::ReshapeResult:
  case Kind::KeepFields:
    Call.ForResult.push_back(&Rule);
    return true;
  case Kind::InPlace:
    return true;
  }
  llvm_unreachable("unknown kind of rule");
}

/// Returns the device of a number, and of the attribute `device_id` if there is
/// one.
Attr Upgrader::makeDevice(CallParts &Call, Attr Type) {
  int64_t Id = 0;
  auto *It = llvm::find_if(Call.Attributes, [](const AttrText &A) {
    return A.Name == "device_id" && A.Value.isInt();
  });
  if (It != Call.Attributes.end()) {
    Id = It->Value.getInt();
    Call.Attributes.erase(It);
  }
  DType Int64 = DType::getInt(64);
  return Ctx.getObject(
      "VirtualDevice",
      {{Ctx.getString("device_type_int"), Ctx.getInt(Type.getInt(), Int64)},
       {Ctx.getString("memory_scope"), Ctx.getString("")},
       {Ctx.getString("target"), Attr()},
       {Ctx.getString("virtual_device_id"), Ctx.getInt(Id, Int64)}});
}

Value *Upgrader::makeScalar(Attr Value, bool IsFloat, CreateFn Create) {
  if (!Value.isInt() && !Value.isFloat())
    return nullptr;
  double AsDouble = Value.isInt() ? double(Value.getInt()) : Value.getFloat();
  if (!IsFloat && (!Value.isInt() || Value.getInt() != int32_t(AsDouble)))
    return nullptr;
  Attr Data = IsFloat
                  ? Ctx.getScalarConstant(DType::getFloat(32), AsDouble)
                  : Ctx.getScalarConstant(DType::getInt(32), Value.getInt());
  return Create(ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, Data));
}

/// A constant of float32 of shape `(N)`, all zero.
static Attr makeZeroVector(Context &Ctx, size_t N) {
  auto *T = cast<TensorType>(
      Ctx.getTensorType({Dim::get(int32_t(N))}, DType::getFloat(32)));
  return Ctx.getConstant(T, TensorBuffer::allocateZeros(N * sizeof(float)));
}

bool Upgrader::addOperand(const UpgradeRule &Rule, CallParts &Call,
                          CreateFn Create) {
  AttrText *A = findAttr(Call, Rule.Name);
  Attr From = A ? A->Value : Attr();
  const char *At = A ? A->ValueAt : Call.At;
  if (!A && !Rule.Text.empty())
    From = readRuleValue(Ctx, Rule.Text);
  else if (!A)
    return fail(Call, "`" + Call.Operator +
                          "` of older releases of TVM needs the attribute `" +
                          Rule.Name + "`");
  else
    Call.Attributes.erase(A);
  bool IsFloat =
      Rule.Kind == Kind::FloatOperand || Rule.Kind == Kind::FloatTuple;
  Value *New = nullptr;
  if (Rule.Kind == Kind::AddOperand) {
    Attr Data = From.isArray()
                    ? makeZeroVector(Ctx, From.getArray().size())
                    : Ctx.getScalarConstant(DType::getInt(64), From.getInt());
    New = Create(ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, Data));
  } else if (Rule.Kind == Kind::FloatOperand || Rule.Kind == Kind::IntOperand) {
    New = makeScalar(From, IsFloat, Create);
  } else if (From.isArray()) {
    SmallVector<Value *, 8> Fields;
    for (Attr Element : From.getArray())
      Fields.push_back(makeScalar(Element, IsFloat, Create));
    if (!llvm::is_contained(Fields, nullptr))
      New = Create(TupleOp::getInfo(), Fields, nullptr);
  }
  if (!New) {
    Report(Severity::Error, At,
           "attribute `" + Rule.Name + "` of `" + Call.Operator +
               "` is not a valid operand");
    return false;
  }
  size_t Place = std::min<size_t>(Rule.Index, Call.Operands.size());
  Call.Operands.insert(Call.Operands.begin() + Place, New);
  return true;
}

Operation *Upgrader::finish(const CallParts &Call, Operation *Op,
                            CreateFn Create) {
  for (const UpgradeRule *Rule : Call.ForResult) {
    if (Rule->Kind == Kind::KeepFields) {
      SmallVector<Value *, 2> Fields;
      for (unsigned I = 0; I != Rule->Index; ++I)
        Fields.push_back(Create(TupleGetItemOp::getInfo(), Op,
                                TupleGetItemAttrs::get(Ctx, I)));
      Op = Create(TupleOp::getInfo(), Fields, nullptr);
      continue;
    }
    const OpInfo *Reshape = Ctx.lookupOp("reshape");
    SmallVector<Attr, 2> Slots(
        Ctx.getDefaultAttrs(*Reshape->Attributes)->getSlots());
    Slots[Reshape->Attributes->getFieldIndex("newshape")] =
        Ctx.getArray({Attr(Ctx.getInt(1))});
    Op = Create(*Reshape, Op, Ctx.getAttrs(*Reshape->Attributes, Slots));
  }
  return Op;
}
