// A plugin that says which of its functions is called. NAME is its name, FLAG
// one of its flags; with HOOK it binds a hook that is bound already. The
// environment says what it claims of itself.
#include "relay/Session/Plugin.h"
#include "relay/IR/OpHooks.h"
#include "relay/Ops/NN.h"
#include "relay/Support/Flags.h"
#include "relay/Transforms/Simplify/Expansion.h"
#include <cstdio>
#include <cstdlib>

#ifndef FLAG
#define FLAG "-" NAME "-loud"
#endif

namespace {
enum class Tone { None, High, Low };
struct Flags : relay::FlagGroup {
  explicit Flags(relay::FlagSet &All) : FlagGroup(All, "Sayings") {}
  relay::Flag<bool> Loud{*this, FLAG, "Say it loudly"};
  relay::Flag<Tone> Voice{*this, "-" NAME "-voice", "Say it so",
                          relay::flag::OneOf<Tone>{{"high", Tone::High, "high"},
                                                   {"low", Tone::Low, "low"}}};
  relay::ListFlag<unsigned> Numbers{*this, "-" NAME "-numbers", "Say these too",
                                    relay::flag::CommaSeparated(),
                                    relay::flag::ValueName{"number,..."}};
};
} // namespace

static Flags *Mine;

static void say(const char *What) {
  std::fprintf(stderr, "%s: %s\n", NAME, What);
}
#ifdef HOOK
static relay::Value *keep(relay::Rewriter &, relay::ExpandedResult &Result) {
  return Result.getOp();
}
/// As generated: of an operator that relay-opt expands itself.
static void bindHooks(relay::Context &Ctx) {
  static const relay::OpHookEntry Entries[] = {
      {nullptr, &relay::BatchNormOp::getInfo, "", 10, "keep", "plugin.cpp",
       [] { return reinterpret_cast<relay::AnyHookFn>(&keep); }}};
  Ctx.registerOpHooks(relay::Expansion::Kind, Entries);
}
#else
static void bindHooks(relay::Context &) {}
#endif
static void registerOps(relay::Context &Ctx) {
  say("ops");
  bindHooks(Ctx);
}
static void registerPasses(relay::PassRegistry &) { say("passes"); }
namespace {
class Speaker final : public relay::Instrumentation {
public:
  struct Options : relay::InstrumentationOptions {
    explicit Options(relay::FlagSet &Flags)
        : InstrumentationOptions(Flags, "Sayings") {}
    bool isEnabled() const override { return true; }
  };
  static constexpr llvm::StringLiteral Name = "speaker";

  Speaker(const Options &, const relay::InstrumentationSetup &) {}

  void registerCallbacks(relay::PassContext &) override {
    say("instrumentation");
    if (Mine->Loud)
      say("LOUDLY");
    if (Mine->Voice.isGiven())
      say(Mine->Voice.get() == Tone::High ? "high" : "low");
    for (unsigned N : Mine->Numbers)
      say(std::to_string(N).c_str());
  }
};
} // namespace

static void registerInstrumentations(relay::InstrumentationList &List) {
  List.add<Speaker>(/*Before=*/"dumps");
}
static void registerFlags(relay::FlagSet &All) {
  static Flags F(All);
  Mine = &F;
}

const relay::PluginInfo *relayGetPluginInfo() {
  static relay::PluginInfo Info(
      NAME,
      {registerOps, registerPasses, registerInstrumentations, registerFlags});
  if (const char *Version = std::getenv("PLUGIN_VERSION"))
    Info.Version = Version;
  if (std::getenv("PLUGIN_INTERFACE"))
    Info.Interface = 999;
  if (std::getenv("PLUGIN_LAYOUT"))
    ++Info.Layout;
  return &Info;
}
