/* fuzz.h - what a fuzz target defines: read these bytes, and survive. */
#ifndef CS_TESTS_FUZZ_FUZZ_H
#define CS_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
