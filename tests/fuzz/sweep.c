/* sweep: a document is a sweep whose text gives the same cells again, or is refused with a
 * sentence.  Grids of many cells are left to the unit tests. */
#include "campaign/sweep.h"
#include "base/json.h"
#include "campaign/parameters.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MANY 20000

/* Values of the lists, and counts of the ranges, multiplied: an upper bound of the work. */
static double weigh(const json_t *value)
{
    double weight = 1;
    const char *name;
    json_t *member;
    size_t i;

    if (json_is_array(value))
        json_array_foreach(value, i, member) weight += weigh(member);
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, name, member) weight *=
            json_is_number(member) && json_number_value(member) > 1 ? json_number_value(member)
                                                                    : weigh(member);
        if (json_object_get(value, "step") || json_object_get(value, "times"))
            weight = MANY;
    }
    return weight;
}

static struct cs_sweep *make(json_t *document)
{
    struct cs_error err = {{0}};
    struct cs_sweep *sweep = cs_sweep_create(document, "folder/fuzz.json", &err);

    if (!sweep == !err.text[0])
        abort();
    if (sweep &&
        (sweep->count != sweep->combinations * sweep->replicates || sweep->count > CS_SWEEP_CELLS))
        abort();
    return sweep;
}

static void put_cells(const struct cs_sweep *sweep, struct cs_strbuf *out)
{
    for (int c = 0; c < sweep->count; c += sweep->replicates)
        cs_parameters_put(sweep->cell[c].parameters, out);
}

static void compare(const struct cs_sweep *sweep)
{
    struct cs_strbuf text = CS_STRBUF_INIT, one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    json_t *document;
    struct cs_sweep *again;

    cs_sweep_text(sweep, &text);
    document = cs_json_load_memory("again", text.text, text.length, NULL);
    again = document ? make(document) : NULL;
    if (!again)
        abort();
    put_cells(sweep, &one);
    put_cells(again, &two);
    if (strcmp(one.text, two.text))
        abort();
    cs_sweep_destroy(again);
    json_decref(document);
    cs_strbuf_release(&text);
    cs_strbuf_release(&one);
    cs_strbuf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *document = cs_json_load_memory("fuzz.json", data, size, NULL);
    struct cs_sweep *sweep;

    if (!document)
        return 0;
    if (weigh(json_object_get(document, "vary")) * 1 < MANY + 1) {
        sweep = make(document);
        if (sweep)
            compare(sweep);
        cs_sweep_destroy(sweep);
    }
    json_decref(document);
    return 0;
}
