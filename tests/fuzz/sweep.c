/* sweep: a document is a sweep whose text gives the same cells again, or is refused with a
 * sentence.  Grids of many cells are left to the unit tests. */
#include "base/json.h"
#include "campaign/experiment.h"
#include "campaign/parameters.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY 20000
#define REFUSED 1e8 /* more than this is refused before it is made */

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* About how many values an axis has. */
static double count_axis(const json_t *axis)
{
    double from = number_of(axis, "from"), to = number_of(axis, "to");

    if (json_is_array(axis))
        return (double)json_array_size(axis);
    if (json_object_get(axis, "step"))
        return fabs((to - from) / number_of(axis, "step"));
    if (json_object_get(axis, "times"))
        return fabs(log(to / from) / log(number_of(axis, "times")));
    return number_of(axis, "count");
}

/* Would somebody who has little time make this grid?  What is refused at once is fine. */
static bool is_small(const json_t *grid)
{
    double product = 1;
    const char *name;
    json_t *axis;

    json_object_foreach((json_t *)(uintptr_t)grid, name, axis)
    {
        double count = count_axis(axis);

        product *= count > 1 ? count : 1;
        if (count > MANY && !(count > REFUSED))
            return false;
    }
    return !(product > MANY) || product > REFUSED;
}

static bool are_small(const json_t *vary)
{
    json_t *grid;
    size_t i;

    if (!json_is_array(vary))
        return is_small(vary);
    json_array_foreach(vary, i, grid) if (!is_small(grid)) return false;
    return true;
}

static bool has_little_work(const json_t *document)
{
    return are_small(json_object_get(document, "vary")) && number_of(document, "replicates") < 100;
}

static struct cs_experiment *make(json_t *document)
{
    struct cs_error err = {{0}};
    struct cs_experiment *sweep = cs_experiment_create(document, "folder/fuzz.json", &err);

    if (!sweep == !err.text[0])
        abort();
    if (sweep && (sweep->count != sweep->combinations * sweep->replicates ||
                  sweep->count > CS_EXPERIMENT_CELLS))
        abort();
    return sweep;
}

static void put_cells(const struct cs_experiment *sweep, struct cs_strbuf *out)
{
    for (int c = 0; c < sweep->count; c += sweep->replicates)
        cs_parameters_put(sweep->cell[c].parameters, out);
}

static void compare(const struct cs_experiment *sweep)
{
    struct cs_strbuf text = CS_STRBUF_INIT, one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    json_t *document;
    struct cs_experiment *again;

    cs_experiment_text(sweep, &text);
    document = cs_json_load_memory("again", text.text, text.length, NULL);
    again = document ? make(document) : NULL;
    if (!again)
        abort();
    put_cells(sweep, &one);
    put_cells(again, &two);
    if (strcmp(one.text, two.text))
        abort();
    cs_experiment_destroy(again);
    json_decref(document);
    cs_strbuf_release(&text);
    cs_strbuf_release(&one);
    cs_strbuf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *document = cs_json_load_memory("fuzz.json", data, size, NULL);
    struct cs_experiment *sweep;

    if (!document)
        return 0;
    if (has_little_work(document)) {
        sweep = make(document);
        if (sweep)
            compare(sweep);
        cs_experiment_destroy(sweep);
    }
    json_decref(document);
    return 0;
}
