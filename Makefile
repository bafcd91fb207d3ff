# SPDX-License-Identifier: MIT
# A thin front of meson:
#
#   make          build/reckon and the library, with what is installed beside them
#   make all      that, the tests, the examples and the measurements
#   make test     the tests, of the largest a sample, with two compilers and sanitizers; SEED=2 makes it another sample
#   make test-all all of them, in all builds
#   make run      the account of GPT-2 XL on one page
#   make bench    measurements
#   make wasm     build/wasm/reckon.wasm, the library for a page (docs/web.md)
#   make page     build/reckon.html, the page: one file that works from disk (docs/web.md)
#   make dist     build/reckon-VERSION.tar.xz: the sources, with the page built
#   make wheel    the Python package: build/wheel/*.whl and its sources
#   make fuzz     looks for inputs that break a property, FUZZ_SECONDS=60 for each target of tests/fuzz
#   make tidy     clang-tidy with the path analyzer, which takes minutes
#   make format   clang-format over all C files
#   make install  the command, the library, reckon.h and what goes with them:
#                 make install PREFIX=/usr/local LIBDIR=lib DESTDIR=
#   make clean    removes build/

.DEFAULT_GOAL := build
.PHONY: build all test test-all run bench wasm page dist wheel fuzz format install clean tidy

PREFIX ?= /usr/local
LIBDIR ?= lib
DESTDIR ?=

build:
	@tools/need-packages build
	@tools/build build installed

all:
	@tools/need-packages build
	@tools/build build 'all meson-test-prereq meson-benchmark-prereq'

test:
	@tools/need-packages test
	@tools/test

test-all:
	@tools/need-packages test-all
	@tools/test --all

run: build
	@build/reckon gpt2-xl

bench: build
	meson test -C build --benchmark --verbose

wasm:
	@tools/need-packages wasm
	@tools/wasm build/wasm

page:
	@tools/need-packages page
	@tools/wasm build/wasm
	@tools/page build/wasm/reckon.wasm build/reckon.html

dist: build page
	@tools/dist build

wheel:
	@tools/need-packages wheel
	@tools/wheel

fuzz:
	@tools/need-packages test
	@tools/fuzz

format:
	@tools/need-packages format
	find src include examples tests tools bench -name '*.[ch]' | xargs clang-format -i

# reckon.pc says where the library lies, so that the folder has to be known before it is made.
install: build
	@meson configure build --prefix "$(abspath $(PREFIX))" --libdir "$(LIBDIR)"
	@tools/build build installed
	meson install -C build --no-rebuild $(if $(DESTDIR),--destdir "$(abspath $(DESTDIR))")

tidy:
	@tools/need-packages format
	FULL=1 tests/house/tidy .

clean:
	rm -rf build
