//===- ParseInParallel.cpp - Parallel parsing of definitions --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trial: the text is split where a definition seems to begin, and each thread
// parses parts with its own parser. A part is valid only if the previous part
// ends, in the view of the lexer, exactly where it begins: then it did not
// begin in a comment, and sequential parsing would have reached it in the same
// state. Relations between functions are checked afterwards: their names, and
// the names that they refer to. The metadata is read once.
//
// The first error, and any dependence on the order of the text, ends the trial.
// Nothing has been reported by then; the results are dropped, and the text is
// parsed again sequentially.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/IR/Threading.h"
#include <cstring>

using namespace relay;

/// Parsing an operation, of some 60 characters, costs as much as visiting it
/// several times.
static constexpr size_t CharactersPerVisit = 16;
/// Parts have different contents.
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

/// Type definitions, which functions need, are parsed first: in printed text
/// they come first.
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

/// Returns the first position at or after \p P of a line that begins with `}`
/// and is followed by `def @`; null if there is none before \p End.
static const char *findDefinition(const char *P, const char *End) {
  while (const void *Found = std::memchr(P, '}', End - P)) {
    P = static_cast<const char *>(Found) + 1;
    StringRef Rest = StringRef(P, End - P).ltrim();
    if (P[-2] == '\n' && Rest.starts_with("def @"))
      return Rest.begin();
  }
  return nullptr;
}

/// Returns the definitions from the current token on, split into parts of about
/// equal size.
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
  // The next part must not miss a `span=` before it.
  return success(AtEnd && !NumErrors && Lex.takeSpan().empty());
}

/// Moves the functions of \p Parts to the module, and continues with the text
/// after them.
LogicalResult Parser::finishTrial(MutableArrayRef<Part> Parts,
                                  ArrayRef<std::unique_ptr<Parser>> Readers) {
  for (Part &P : Parts)
    for (std::unique_ptr<Function> &New : P.Functions) {
      if (M.lookupFunction(New->getName()))
        return failure();
      M.addFunction(std::move(New));
    }
  checkTypeNames(); // names in type definitions
  for (const std::unique_ptr<Parser> &R : Readers) {
    R->checkGlobals();
    R->checkTypeNames();
    NumErrors += R->NumErrors;
  }
  if (NumErrors)
    return failure();
  Lex.setPosition(Parts.back().End);
  advance();
  // References were resolved in the first text that resembles metadata.
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
