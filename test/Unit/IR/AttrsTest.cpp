//===- AttrsTest.cpp - Attributes of operations ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attrs: uniquing, lookup, defaults.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class AttrsTest : public IRTest {
protected:
  const AttrsInfo &getInfo() { return *Ctx.lookupOp("test.attrs")->Attributes; }
};

TEST_F(AttrsTest, Uniqued) {
  Attr Slots[] = {Ctx.getInt(2), Attr(), Ctx.getFloat(1, DType::getFloat(64)),
                  Ctx.getString("NCHW")};
  const Attrs *A = Ctx.getAttrs(getInfo(), Slots);
  EXPECT_EQ(A, Ctx.getAttrs(getInfo(), Slots));
  Slots[0] = Ctx.getInt(4);
  const Attrs *B = Ctx.getAttrs(getInfo(), Slots);
  EXPECT_NE(A, B);
  EXPECT_EQ(B->getSlot(0), Ctx.getInt(4));
}

TEST_F(AttrsTest, LookupByName) {
  const Attrs *A = Ctx.getDefaultAttrs(getInfo());
  EXPECT_EQ(A->lookup("axis"), Ctx.getInt(0));
  EXPECT_FALSE(A->lookup("layout"));
  EXPECT_FALSE(A->lookup("nothing"));
  EXPECT_EQ(getInfo().getFieldIndex("alpha"), 2);
  EXPECT_EQ(getInfo().getFieldIndex("nothing"), -1);
}

TEST_F(AttrsTest, Defaults) {
  const Attrs *A = Ctx.getDefaultAttrs(getInfo());
  EXPECT_EQ(A, Ctx.getDefaultAttrs(getInfo()));
  EXPECT_EQ(A->getSlot(0), Ctx.getInt(0));
  EXPECT_FALSE(A->getSlot(1));
  EXPECT_EQ(A->getSlot(2), Ctx.getFloat(1e-05, DType::getFloat(64)));
  EXPECT_FALSE(A->getSlot(3));
}

TEST_F(AttrsTest, DictsOfUndeclaredNames) {
  Attr K = Ctx.getString("Primitive"), L = Ctx.getString("Composite");
  const Attrs *A = Ctx.getDictAttrs({{K, Ctx.getInt(1)}, {L, K}});
  EXPECT_TRUE(A->isDict());
  EXPECT_EQ(A->lookup("Primitive"), Ctx.getInt(1));
  EXPECT_EQ(A->lookup("Composite"), K);
  EXPECT_FALSE(A->lookup("Compiler"));
  EXPECT_EQ(A, Ctx.getDictAttrs({{K, Ctx.getInt(1)}, {L, K}}));
}

TEST_F(AttrsTest, Registration) {
  EXPECT_EQ(Ctx.lookupOp("test.neg")->NumOperands, 1);
  EXPECT_EQ(Ctx.lookupOp("test.none"), nullptr);
  OpInfo Again;
  Again.Name = "test.neg";
  EXPECT_FALSE(Ctx.registerOp(Again));
  EXPECT_EQ(Ctx.lookupAttrsInfo("test.Attrs"), &getInfo());
  SmallVector<StringRef> Names = Ctx.getOperatorNames();
  EXPECT_EQ(ArrayRef(Names),
            ArrayRef<StringRef>({"test.add", "test.attrs", "test.effect",
                                 "test.longer", "test.neg"}));
  const OpInfo &Unknown = Ctx.getOrCreateUnregisteredOp("my.op");
  EXPECT_EQ(&Unknown, &Ctx.getOrCreateUnregisteredOp("my.op"));
  EXPECT_FALSE(Unknown.isRegistered());
  EXPECT_EQ(Ctx.getOperatorNames().size(), 5u);
  EXPECT_EQ(&Ctx.getOrCreateUnregisteredOp("test.neg"),
            Ctx.lookupOp("test.neg"));
}

/// Defaults of fields, which are texts in the grammar of attributes.
TEST_F(AttrsTest, DefaultsOfEachKind) {
  auto Read = [&](FieldKind Kind, const char *Text) {
    AttrField Field = {"f", Kind, Text};
    AttrField Fields[] = {Field};
    static std::vector<std::unique_ptr<AttrsInfo>> Infos;
    static std::vector<std::vector<AttrField>> Lists;
    Lists.emplace_back(Fields, Fields + 1);
    Infos.push_back(
        std::make_unique<AttrsInfo>(AttrsInfo{"test.Defaults", Lists.back()}));
    return Ctx.getDefaultAttrs(*Infos.back())->getSlot(0);
  };
  DType I64 = DType::getInt(64);
  EXPECT_FALSE(Read(FieldKind::OptInt, "None"));
  EXPECT_EQ(Read(FieldKind::Bool, "True"), Attr::getBool(true));
  EXPECT_EQ(Read(FieldKind::Bool, "False"), Attr::getBool(false));
  EXPECT_EQ(Read(FieldKind::Int, "-1"), Ctx.getInt(-1));
  EXPECT_EQ(Read(FieldKind::Int, "2147483647"), Ctx.getInt(2147483647));
  EXPECT_EQ(Read(FieldKind::Int, "2147483648"), Ctx.getInt(2147483648, I64));
  EXPECT_EQ(Read(FieldKind::Int, "7i64"), Ctx.getInt(7, I64));
  EXPECT_EQ(Read(FieldKind::Double, "1e-05f"),
            Ctx.getFloat(1e-5, DType::getFloat(64)));
  EXPECT_EQ(Read(FieldKind::DType, "\"int8\""), Attr::get(DType::getInt(8)));
  EXPECT_EQ(Read(FieldKind::String, "\"NCHW\""), Ctx.getString("NCHW"));
  EXPECT_EQ(Read(FieldKind::Object, "{}"), Ctx.getDict({}));
  EXPECT_EQ(Read(FieldKind::Object, "True"), Attr::getBool(true));
  EXPECT_EQ(Read(FieldKind::Object, "0.5f"), Ctx.getFloat(0.5));
  EXPECT_EQ(Read(FieldKind::IntArray, "[]"), Ctx.getArray(ArrayRef<Attr>()));
  EXPECT_EQ(Read(FieldKind::IntArray, "[1, 2i64]"),
            Ctx.getArray({Ctx.getInt(1), Ctx.getInt(2, I64)}));
  EXPECT_EQ(Read(FieldKind::FloatArray, "[0.5f]"),
            Ctx.getArray({Ctx.getFloat(0.5)}));
  EXPECT_EQ(Read(FieldKind::IntMatrix, "[[1, 2], [3]]"),
            Ctx.getArray({Ctx.getArray({Ctx.getInt(1), Ctx.getInt(2)}),
                          Ctx.getArray({Ctx.getInt(3)})}));
}

} // namespace
