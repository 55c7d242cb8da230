# What utils/quickstart and utils/check share; to be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

# LLVM's CMake package wants zlib and zstd, which llvm-19-dev does not bring.
build_packages=(cmake g++ libzstd-dev lld-19 llvm-19-dev llvm-19-tools ninja-build python3 zlib1g-dev)
# The browser shows the page of -pass-report to its test.
# The Python package is built in a virtual environment.
test_packages=(chromium clang-format-19 googletest python3-dev python3-numpy python3-venv)

step() {
  printf '\n== %s\n' "$*"
}

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    command -v sudo >/dev/null || die "neither root nor sudo; please install: ${missing[*]}"
    sudo "$@"
  fi
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_packages PACKAGE...: installs those that are not there yet.
install_packages() {
  local package missing=()
  command -v dpkg-query >/dev/null || die "this script knows Debian packages only; it needs: $*"
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  step "Installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 update </dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 \
    -o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}" </dev/null
}

# configure_release [CMAKE-ARGUMENT...]
configure_release() {
  step "Configuring build/release"
  (cd "$root" && cmake --preset release "$@" </dev/null)
}

# build_release [TARGET...]
build_release() {
  step "Building ${*:-build/release}"
  (cd "$root" && cmake --build --preset release ${1:+--target "$@"} </dev/null)
}
