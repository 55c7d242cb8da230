// Knows the ops of Relay and one of its own. Compiled with exceptions and RTTI.
#include "relay/IR/Builder.h"
#include "relay/IR/Context.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Ops/RegisterOps.h"

#include "llvm/Support/raw_ostream.h"

#include "Elsewhere.h.inc"

#include "Elsewhere.cpp.inc"

#include <stdexcept>
#include <typeinfo>

namespace {
struct Reader {
  virtual ~Reader() = default;
};
struct OpReader : Reader {
  relay::Context &Ctx;
  explicit OpReader(relay::Context &Ctx) : Ctx(Ctx) {}
  void read(llvm::StringRef Name) const {
    if (!Ctx.lookupOp(Name))
      throw std::runtime_error("no operator " + Name.str());
  }
};
} // namespace

int main() {
  relay::Context Ctx;
  relay::registerAllOps(Ctx);
  relay::registerElsewhereOps(Ctx);
  for (const char *Name : {"nn.conv2d", "elsewhere.swish", "no.such.op"})
    llvm::outs() << Name << ": " << (Ctx.lookupOp(Name) ? "known" : "unknown")
                 << "\n";
  OpReader Ops(Ctx);
  Reader &Any = Ops;
  try {
    dynamic_cast<OpReader &>(Any).read("nn.relu");
    dynamic_cast<OpReader &>(Any).read("no.such.op");
  } catch (const std::runtime_error &Error) {
    llvm::outs() << "caught: " << Error.what() << "\n";
  }
}
