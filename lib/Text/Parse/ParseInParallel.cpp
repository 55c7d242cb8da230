//===- ParseInParallel.cpp - Definitions read on several threads ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trial: the text is cut where a definition seems to begin, and each thread
// reads parts by a parser of its own. A part counts only if the one before
// ends, as the lexer sees it, exactly where it begins: then it was no comment,
// and reading in order would have come there in the same state. What functions
// have to do with each other is looked at afterwards: their names, and those
// that they refer to. The metadata is read once.
//
// The first thing to report, and what depends on the order of the text, ends
// the trial. Then nothing has been reported, what was made is dropped, and the
// text is read again in order.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/IR/Threading.h"
#include <cstring>

using namespace relay;

/// To read an operation, of some 60 characters, costs as much as to visit it
/// several times.
static constexpr size_t CharactersPerVisit = 16;
/// Parts differ in what they hold.
static constexpr size_t PartsPerThread = 8;

std::unique_ptr<Module> Parser::parseInParallel(StringRef Text, Context &Ctx,
                                                const ParserOptions &Options) {
  if (!isWorthThreads(Ctx, PartsPerThread, Text.size() / CharactersPerVisit))
    return nullptr;
  auto M = std::make_unique<Module>(Ctx);
  M->setTyped(false);
  size_t NumLocations = Ctx.getLocations().size();
  Parser P(Text, Ctx, *M, Options);
  P.IsTrial = true;
  if (succeeded(P.parseTrial()))
    return M;
  RELAY_DEBUG(Ctx, 3) << "the text is read in order";
  Ctx.getLocations().truncate(NumLocations);
  return nullptr;
}

/// Type definitions, which functions need, are read first: they stand first in
/// text that was printed.
LogicalResult Parser::parseTrial() {
  advance();
  if (!parseHeader() || IsLegacy)
    return failure();
  while (atDefinition() && !atWord("def"))
    if (!parseDefinition())
      return failure();
  if (!atWord("def") || NumErrors || !Lex.takeSpan().empty())
    return failure();
  std::vector<Part> Parts = splitDefinitions();
  return success(Parts.size() > 1 && succeeded(parseParts(Parts)));
}

/// Where, from \p P on, a line begins with `}` and `def @` follows; null where
/// there is none before \p End.
static const char *findDefinition(const char *P, const char *End) {
  while (const void *Found = std::memchr(P, '}', End - P)) {
    P = static_cast<const char *>(Found) + 1;
    StringRef Rest = StringRef(P, End - P).ltrim();
    if (P[-2] == '\n' && Rest.starts_with("def @"))
      return Rest.begin();
  }
  return nullptr;
}

/// The definitions from the current token on, cut into parts of about one size.
std::vector<Parser::Part> Parser::splitDefinitions() const {
  const char *P = T.Begin;
  const char *End = findMetadata();
  size_t Size = (End - P) / (Ctx.getNumThreads() * PartsPerThread);
  std::vector<Part> Parts;
  while (P) {
    const char *Next = findDefinition(P + std::min<size_t>(Size, End - P), End);
    Parts.push_back({P, Next ? Next : Lex.end()});
    P = Next;
  }
  return Parts;
}

LogicalResult Parser::parseParts(MutableArrayRef<Part> Parts) {
  StringRef Text(Lex.begin(), Lex.end() - Lex.begin());
  std::vector<std::unique_ptr<Parser>> Readers;
  auto MakeWorker = [&]() -> TaskFn {
    auto Reader = std::make_unique<Parser>(Text, Ctx, M, Options);
    Reader->IsTrial = true;
    Reader->Leader = this;
    Parser *R = Reader.get();
    std::lock_guard<std::mutex> Guard(Lock);
    Readers.push_back(std::move(Reader));
    return [R, Parts](size_t I) { return R->parsePart(Parts[I]); };
  };
  if (failed(runTasks(Ctx, Parts.size(), Text.size() / CharactersPerVisit,
                      MakeWorker)))
    return failure();
  return finishTrial(Parts, Readers);
}

LogicalResult Parser::parsePart(Part &P) {
  PartFunctions = &P.Functions;
  Lex.setPosition(P.Begin);
  advance();
  while (T.Begin < P.End && atWord("def") && parseGlobalFunction())
    ;
  bool AtEnd = T.Begin == P.End || (P.End == Lex.end() && atEnd());
  P.End = T.Begin;
  // The next part does not know of a `span=` before it.
  return success(AtEnd && !NumErrors && Lex.takeSpan().empty());
}

/// Makes the functions of \p Parts those of the module, and goes on to what
/// stands behind them.
LogicalResult Parser::finishTrial(MutableArrayRef<Part> Parts,
                                  ArrayRef<std::unique_ptr<Parser>> Readers) {
  for (Part &P : Parts)
    for (std::unique_ptr<Function> &New : P.Functions) {
      if (M.lookupFunction(New->getName()))
        return failure();
      M.addFunction(std::move(New));
    }
  checkTypeNames(); // those in definitions of types
  for (const std::unique_ptr<Parser> &R : Readers) {
    R->checkGlobals();
    R->checkTypeNames();
    NumErrors += R->NumErrors;
  }
  if (NumErrors)
    return failure();
  Lex.setPosition(Parts.back().End);
  advance();
  // References were looked up in the first thing that looks like metadata.
  if (HasMetadata && MetadataAt != T.Begin)
    return failure();
  if (T.is(Tok::Metadata))
    readMetadata();
  if (std::shared_ptr<MetaDocument> D = Meta.takeDocument())
    M.keep(std::move(D));
  if (NumErrors)
    return failure();
  RELAY_DEBUG(Ctx, 3) << "the text is read in " << Parts.size() << " parts";
  return success();
}
