// A program with one place for each kind of mutant, and places that are none.
#include <cstdio>
#include <cstdlib>

static constexpr int Limit = 3;

static int subtract(int From, int What) { return From - What; }

static bool isSmall(int X, bool Enabled) {
  if (X < Limit && Enabled)
    return true;
  return false;
}

static void report(int X) {
  if (X == 7)
    return;
  std::printf("%d\n", X); // not a place: no two arguments have one type
}

static int unreached(int X) { return X > 0 ? X : 0; }

int main(int Argc, char **Argv) {
  static_assert(Limit > 1, "not a place");
  int X = Argc > 1 ? std::atoi(Argv[1]) : 5;
  if (Argc == 9)
    return unreached(X);
  if (isSmall(X, /*Enabled=*/true))
    X = subtract(X, 10);
  report(X);
  return 0;
}
