# SPDX-License-Identifier: MIT
# A thin front of meson:
#
#   make         build/reckon
#   make test    everything, with two compilers and their sanitizers
#   make run     an example
#   make bench   measurements
#   make format  clang-format over all C files
#   make clean   removes build/

.DEFAULT_GOAL := build
.PHONY: build test run bench format clean

build:
	@tools/need-packages build
	@[ -f build/build.ninja ] || meson setup build
	@ninja -C build

test:
	@tools/need-packages test
	@tools/test

run: build
	build/reckon flops gpt2-xl

bench: build
	meson test -C build --benchmark --verbose

format:
	@tools/need-packages format
	find src include tests tools bench -name '*.[ch]' | xargs clang-format -i

clean:
	rm -rf build
