/* api: bytes are calls of public functions, right and wrong, one after the other. */
#include "foreign/calls.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    calls_run(data, size < 4096 ? size : 4096);
    return 0;
}
