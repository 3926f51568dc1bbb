/* paper: a document is a paper whose runs can be counted, or is refused with a sentence. */
#include "base/json.h"
#include "campaign/results.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

static void try(json_t *document, bool quick)
{
    struct cs_error err = {0};
    struct cs_paper *paper = cs_paper_create(document, "fuzz", "fuzz.json", quick, NULL, &err);

    if (!paper == !err.text[0])
        abort();
    if (paper && (cs_results_cells(paper) < 0 || cs_results_cells(paper) > CS_PAPER_CELLS))
        abort();
    cs_paper_destroy(paper);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *document = cs_json_load_memory("fuzz.json", data, size, NULL);

    if (!document)
        return 0;
    try(document, false);
    try(document, true);
    json_decref(document);
    return 0;
}
