/* Records of keepers: whatever is in them, they are read, and only a whole one has an end. */
#include "run/record.h"

#include "base/bug.h"
#include "fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_run_record record;

    cs_run_record_read((const char *)data, size, &record);
    CS_REQUIRE(memchr(record.host, '\0', sizeof record.host) != NULL);
    CS_REQUIRE(memchr(record.boot, '\0', sizeof record.boot) != NULL);
    CS_REQUIRE(!record.closed || (record.claimed && record.program.ended));
    if (record.closed)
        CS_REQUIRE(*cs_run_outcome_name(cs_run_record_outcome(&record)) != '\0');
    return 0;
}
