#!/bin/sh
# Installs what building and testing need and this machine lacks: Debian or Ubuntu packages, then the npm
# development packages of package-lock.json. Installs nothing when nothing is missing. Without the right to
# install packages it prints the one command that somebody with it must run.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "setup: $*"; }

has() { command -v "$1" >/dev/null 2>&1; }

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# The clang that the package "clang" stands for, as its version is in the names of its runtime libraries.
clang_version() {
  if has clang; then
    clang --version | sed -n '1s/.*version \([0-9]*\).*/\1/p'
  else
    apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1
  fi
}

packages() {
  echo gcc libc6-dev make clang clang-format llvm lld cppcheck emscripten binaryen wasi-libc libcmocka-dev \
    flatbuffers-compiler wabt git gcc-arm-none-eabi libnewlib-arm-none-eabi
  # gcc -m32 needs its own headers and libraries, which only x86-64 has.
  [ "$(dpkg --print-architecture)" != amd64 ] || echo gcc-multilib
  has "${CHROMIUM:-chromium}" || echo chromium
  version=$(clang_version)
  [ -z "$version" ] || echo "libclang-rt-$version-dev libclang-rt-$version-dev-wasm32"
}

missing() { for package in $(packages); do installed "$package" || echo "$package"; done; }

if ! has dpkg-query; then
  say 'this is neither Debian nor Ubuntu: install gcc, clang, lld, llvm, emscripten, binaryen, a WASI sysroot' \
    '(WASI_SDK_PATH), cmocka, cppcheck, clang-format, flatc, wabt, arm-none-eabi-gcc and chromium yourself; going on'
elif [ -n "$(missing)" ]; then
  as=''
  [ "$(id -u)" = 0 ] || as=sudo
  if [ -n "$as" ] && ! sudo -n true 2>/dev/null; then
    say 'packages are missing; run this, then try again:'
    # shellcheck disable=SC2046
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends" $(missing)
    exit 1
  fi
  say 'installing packages; this takes a few minutes the first time'
  $as apt-get -qq update
  # shellcheck disable=SC2046
  $as env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $(missing) >/dev/null
  [ -z "$(missing)" ] || { say "could not install: $(missing | tr '\n' ' ')"; exit 1; }
fi

oldest=20.19
node -e "const [a, b] = process.versions.node.split('.').map(Number), [c, d] = '$oldest'.split('.').map(Number);
  process.exit(a > c || (a === c && b >= d) ? 0 : 1)" || { say "Node.js $oldest or newer is needed, this is $(node --version)"; exit 1; }

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  say 'installing the npm development packages'
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
