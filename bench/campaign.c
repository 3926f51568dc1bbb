/* campaign - what a store costs: microseconds for a cell that does nothing.
 *
 * usage: campaign [DIRECTORY]      where the files go; the current one when not given
 *
 * A turn runs ROUND new cells of an empty problem; the variants differ in where results go.
 * The last lines read stored cells, and compile sweeps.
 */
#include "bench/bench.h"
#include "campaign/experiment.h"
#include "campaign/grid.h"
#include "campaign/store.h"

#include <string.h>
#include <unistd.h>

#define ROUND 1000

struct options {
    struct cs_study_options study;
    const char *policy;
    int64_t procs;
    double probability;
};

static const struct cs_param params[] = {
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .summary = "any",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct options, policy)},
    {.name = "procs",
     .kind = CS_PARAM_INTEGER,
     .high = 1e9,
     .summary = "any",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct options, procs)},
    {.name = "probability",
     .kind = CS_PARAM_REAL,
     .high = 1,
     .summary = "any",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct options, probability)},
    {0},
};

static double value_of(const struct cs_study *study, const void *outcome)
{
    (void)outcome;
    return (double)(study->options->seed % 1000);
}

static const struct cs_value values[] = {
    {.name = "one", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {.name = "two", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {.name = "three", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {.name = "four", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {.name = "five", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {.name = "six", .summary = "any", .in = CS_IN_EXPERIMENTS, .of = value_of},
    {0},
};

static struct cs_study *open_study(const void *options, const struct cs_study_context *context,
                                   struct cs_error *err);

static int run(struct cs_study *study, const struct cs_study_progress *progress,
               struct cs_error *err)
{
    (void)study;
    (void)progress;
    (void)err;
    return 0;
}

static void identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    (void)study;
    memset(text, 'a', CS_DIGEST_TEXT - 1);
    text[CS_DIGEST_TEXT - 1] = '\0';
}

static const struct cs_problem problem = {
    .name = "bench",
    .summary = "nothing",
    .param = params,
    .value = values,
    .options = sizeof(struct options),
    .outcome = 1,
    .open = open_study,
    .run = run,
    .identify = identify,
};

static struct cs_study *open_study(const void *options, const struct cs_study_context *context,
                                   struct cs_error *err)
{
    struct cs_study *study = cs_study_create(&problem, options, sizeof *study);

    (void)context;
    (void)err;
    study->variants = 1;
    study->runs = 1;
    return study;
}

struct variant {
    struct cs_store *store; /* or NULL */
    int threads;
    bool again; /* always the same cells */
    struct cs_cell cell[ROUND];
    double value[ROUND * 6];
    uint64_t seed;
};

static void check(bool fine, const struct cs_error *err)
{
    if (fine)
        return;
    fprintf(stderr, "campaign: %s\n", err->text);
    exit(1);
}

static void run_cells(void *data)
{
    struct variant *variant = data;
    const struct cs_grid_options options = {.threads = variant->threads, .store = variant->store};
    struct cs_error err = {0};

    for (int c = 0; c < ROUND; c++)
        variant->cell[c].seed = variant->again ? (uint64_t)c : variant->seed++;
    check(!cs_grid_run(&problem, variant->cell, ROUND, &options, variant->value, &err), &err);
}

static struct variant *make_variant(const char *path, int threads, bool again)
{
    struct variant *variant = calloc(1, sizeof *variant);
    json_t *supplied =
        json_pack("{s:s,s:i,s:f}", "policy", "easy", "procs", 1000, "probability", 0.25);
    struct cs_error err = {0};

    check(variant != NULL, &err);
    variant->threads = threads;
    variant->again = again;
    for (int c = 0; c < ROUND; c++)
        variant->cell[c].parameters = supplied;
    if (!path)
        return variant;
    unlink(path);
    variant->store = cs_store_open(path, CS_STORE_WRITE, &err);
    check(variant->store != NULL, &err);
    return variant;
}

static void read_sweep(void *data)
{
    struct cs_error err = {0};
    struct cs_experiment *sweep = cs_experiment_create(data, "bench", NULL, &err);

    check(sweep != NULL, &err);
    cs_experiment_destroy(sweep);
}

int main(int argc, char **argv)
{
    struct cs_bench_case variant[] = {
        {"no store", run_cells, make_variant(NULL, 1, false), 0},
        {"in memory", run_cells, make_variant(CS_STORE_MEMORY, 1, false), 0},
        {"in a file", run_cells, NULL, 0},
        {"in a file, two threads", run_cells, NULL, 0},
        {"in a file, rollback journal", run_cells, NULL, 0},
        {"in a file, all there already", run_cells, NULL, 0},
    };
    struct cs_bench_case compile = {"1,000 combinations", read_sweep, NULL, 0};
    json_t *sweep =
        json_loads("{\"problem\": \"rigid\", \"set\": {\"policy\": \"easy\"}, \"vary\": "
                   "{\"jobs\": {\"from\": 1, \"to\": 1000, \"step\": 1}}}",
                   0, NULL);

    if (argc > 1 && chdir(argv[1]))
        return 1;
    variant[2].data = make_variant("bench-one.db", 1, false);
    variant[3].data = make_variant("bench-two.db", 2, false);
    setenv("COSCHED_STORE_JOURNAL", "delete", 1);
    variant[4].data = make_variant("bench-journal.db", 1, false);
    unsetenv("COSCHED_STORE_JOURNAL");
    variant[5].data = make_variant("bench-again.db", 1, true);
    run_cells(variant[5].data);
    cs_bench_compare("1,000 cells that do nothing", variant, sizeof variant / sizeof *variant);
    compile.data = sweep;
    cs_bench_compare("a sweep made into cells", &compile, 1);
    for (size_t w = 0; w < sizeof variant / sizeof *variant; w++) {
        struct variant *one = variant[w].data;

        cs_store_close(one->store);
        json_decref(one->cell[0].parameters);
        free(one);
    }
    json_decref(sweep);
    unlink("bench-one.db");
    unlink("bench-two.db");
    unlink("bench-journal.db");
    unlink("bench-again.db");
    return 0;
}
