//===- TextBuffer.h - Output without formatting -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer of a stream: the printer copies fragments into it, and flushes it
// when it is full.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PRINT_TEXTBUFFER_H
#define RELAY_LIB_TEXT_PRINT_TEXTBUFFER_H

#include "relay/Text/Parse/Literals.h"
#include <cstring>
#include <memory>

namespace relay {

class TextBuffer {
public:
  /// Text after \p Limit characters is dropped.
  TextBuffer(raw_ostream &OS, uint64_t Limit)
      : OS(&OS), Storage(new char[Capacity]), Cur(Storage.get()),
        End(Cur + Capacity), Left(Limit) {}
  ~TextBuffer() { flush(); }

  TextBuffer &operator<<(StringRef Text) {
    if (LLVM_UNLIKELY(size_t(End - Cur) < Text.size()))
      return writeSlow(Text);
    copy(Cur, Text.data(), Text.size());
    Cur += Text.size();
    return *this;
  }
  TextBuffer &operator<<(const char *Text) { return *this << StringRef(Text); }
  TextBuffer &operator<<(char C) {
    if (LLVM_UNLIKELY(Cur == End))
      flush();
    *Cur++ = C;
    return *this;
  }
  TextBuffer &operator<<(uint32_t Number) {
    if (LLVM_UNLIKELY(size_t(End - Cur) < MaxNumberLength))
      flush();
    Cur = writeUnsigned(Cur, Number);
    return *this;
  }

  void redirect(raw_ostream &NewOS) {
    flush();
    OS = &NewOS;
  }
  raw_ostream &getStream() {
    flush();
    return *OS;
  }
  /// The offset in the stream of the next character.
  uint64_t tell() const { return OS->tell() + (Cur - Storage.get()); }
  /// Returns true if flushed text was dropped.
  bool hasOverflowed() const { return Overflowed; }
  /// Drops all further text.
  void noteOverflow() { Overflowed = true; }
  void flush() {
    write(StringRef(Storage.get(), Cur - Storage.get()));
    Cur = Storage.get();
  }

private:
  static constexpr size_t Capacity = 1 << 16;

  /// Copies \p Size bytes. Most fragments are short: two overlapping copies of
  /// fixed size are cheaper than a call.
  static void copy(char *To, const char *From, size_t Size) {
    if (Size > 16) {
      std::memcpy(To, From, Size);
    } else if (Size >= 8) {
      std::memcpy(To, From, 8);
      std::memcpy(To + Size - 8, From + Size - 8, 8);
    } else if (Size >= 4) {
      std::memcpy(To, From, 4);
      std::memcpy(To + Size - 4, From + Size - 4, 4);
    } else {
      for (size_t I = 0; I != Size; ++I)
        To[I] = From[I];
    }
  }

  void write(StringRef Text) {
    Overflowed |= Text.size() > Left;
    if (LLVM_UNLIKELY(Overflowed))
      return;
    Left -= Text.size();
    OS->write(Text.data(), Text.size());
  }

  TextBuffer &writeSlow(StringRef Text) {
    flush();
    if (Text.size() > Capacity) {
      write(Text);
      return *this;
    }
    copy(Cur, Text.data(), Text.size());
    Cur += Text.size();
    return *this;
  }

  raw_ostream *OS;
  std::unique_ptr<char[]> Storage;
  char *Cur;
  char *End;
  uint64_t Left;
  bool Overflowed = false;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_PRINT_TEXTBUFFER_H
