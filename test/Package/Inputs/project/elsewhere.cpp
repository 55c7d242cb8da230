// Knows the ops of Relay and one of its own.
#include "relay/IR/Builder.h"
#include "relay/IR/Context.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Ops/RegisterOps.h"

#include "llvm/Support/raw_ostream.h"

#include "Elsewhere.h.inc"

#include "Elsewhere.cpp.inc"

int main() {
  relay::Context Ctx;
  relay::registerAllOps(Ctx);
  relay::registerElsewhereOps(Ctx);
  for (const char *Name : {"nn.conv2d", "elsewhere.swish", "no.such.op"})
    llvm::outs() << Name << ": " << (Ctx.lookupOp(Name) ? "known" : "unknown") << "\n";
}
