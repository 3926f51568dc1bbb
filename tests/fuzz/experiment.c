/* experiment: a document is an experiment whose text gives the same cells again, or is refused with
 * a sentence.  Grids of many cells are left to the unit tests. */
#include "campaign/experiment.h"
#include "base/json.h"
#include "campaign/parameters.h"
#include "campaign/store.h"
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

static struct cs_experiment *make(json_t *document, bool quick)
{
    const struct cs_experiment_how how = {.name = "fuzz", .quick = quick};
    struct cs_error err = {0};
    struct cs_experiment *experiment =
        cs_experiment_create(document, "folder/fuzz.json", &how, &err);
    int count = 0;

    if (!experiment == !err.text[0])
        abort();
    for (int c = 0; experiment && c < experiment->combinations; c++)
        count += experiment->combination[c].count;
    if (experiment && (experiment->count != count || count > CS_EXPERIMENT_CELLS))
        abort();
    return experiment;
}

static void put_cells(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    for (int c = 0; c < experiment->combinations; c++)
        cs_parameters_put(experiment->cell[experiment->combination[c].first].parameters, out);
}

static void compare(const struct cs_experiment *experiment)
{
    struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_strbuf one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    struct cs_document document = cs_experiment_document(experiment, text);
    struct cs_experiment *again = cs_experiment_compile(&document, NULL);

    if (!again)
        abort();
    put_cells(experiment, &one);
    put_cells(again, &two);
    if (strcmp(one.text, two.text))
        abort();
    cs_experiment_destroy(again);
    cs_strbuf_release(&text[0]);
    cs_strbuf_release(&text[1]);
    cs_strbuf_release(&one);
    cs_strbuf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *document = cs_json_load_memory("fuzz.json", data, size, NULL);

    if (!document)
        return 0;
    for (int quick = 0; quick < 2 && has_little_work(document); quick++) {
        struct cs_experiment *experiment = make(document, quick);

        if (experiment)
            compare(experiment);
        cs_experiment_destroy(experiment);
    }
    json_decref(document);
    return 0;
}
