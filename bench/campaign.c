/* campaign - what a store costs: microseconds for a cell that does nothing.
 *
 * usage: campaign [DIRECTORY]      where the files go; the current one when not given
 *
 * A turn runs ROUND new cells of a runner that only counts; the ways differ in where results go.
 * The last lines read cells that are there, and compile sweeps.
 */
#include "bench/bench.h"
#include "campaign/experiment.h"
#include "campaign/grid.h"
#include "campaign/store.h"

#include <string.h>
#include <unistd.h>

#define ROUND 1000

static const struct cs_parameter parameters[] = {
    {.name = "policy", .kind = CS_PARAMETER_TEXT, .summary = "any"},
    {.name = "procs", .kind = CS_PARAMETER_INTEGER, .high = 1e9, .summary = "any"},
    {.name = "probability", .kind = CS_PARAMETER_REAL, .high = 1, .summary = "any"},
    {0},
};

static const struct cs_metric metrics[] = {
    {.name = "one", .summary = "1"},
    {.name = "two", .summary = "2"},
    {.name = "three", .summary = "3"},
    {.name = "four", .summary = "4"},
    {.name = "five", .summary = "5"},
    {.name = "six", .summary = "6"},
    {0},
};

static int count(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
                 char *identity, struct cs_error *err)
{
    (void)given;
    (void)keep;
    (void)err;
    for (int m = 0; m < 6; m++)
        value[m] = (double)(seed % 1000) / (m + 1);
    memset(identity, 'a', CS_DIGEST_TEXT - 1);
    identity[CS_DIGEST_TEXT - 1] = '\0';
    return 0;
}

static const struct cs_runner runner = {.name = "bench",
                                        .summary = "nothing",
                                        .parameters = parameters,
                                        .metrics = metrics,
                                        .run = count};

struct way {
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
    struct way *way = data;
    const struct cs_grid_options options = {.threads = way->threads, .store = way->store};
    struct cs_error err = {{0}};

    for (int c = 0; c < ROUND; c++)
        way->cell[c].seed = way->again ? (uint64_t)c : way->seed++;
    check(!cs_grid_run(&runner, way->cell, ROUND, &options, way->value, &err), &err);
}

static struct way *make_way(const char *path, int threads, bool again)
{
    struct way *way = calloc(1, sizeof *way);
    json_t *given =
        json_pack("{s:s,s:i,s:f}", "policy", "easy", "procs", 1000, "probability", 0.25);
    struct cs_error err = {{0}};

    check(way != NULL, &err);
    way->threads = threads;
    way->again = again;
    for (int c = 0; c < ROUND; c++)
        way->cell[c].parameters = given;
    if (!path)
        return way;
    unlink(path);
    way->store = cs_store_open(path, CS_STORE_WRITE, &err);
    check(way->store != NULL, &err);
    return way;
}

static void read_sweep(void *data)
{
    struct cs_error err = {{0}};
    struct cs_experiment *sweep = cs_experiment_create(data, "bench", NULL, &err);

    check(sweep != NULL, &err);
    cs_experiment_destroy(sweep);
}

int main(int argc, char **argv)
{
    struct cs_bench_case way[] = {
        {"no store", run_cells, make_way(NULL, 1, false), 0},
        {"in memory", run_cells, make_way(CS_STORE_MEMORY, 1, false), 0},
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
    way[2].data = make_way("bench-one.db", 1, false);
    way[3].data = make_way("bench-two.db", 2, false);
    setenv("COSCHED_STORE_JOURNAL", "delete", 1);
    way[4].data = make_way("bench-journal.db", 1, false);
    unsetenv("COSCHED_STORE_JOURNAL");
    way[5].data = make_way("bench-again.db", 1, true);
    run_cells(way[5].data);
    cs_bench_compare("1,000 cells that do nothing", way, sizeof way / sizeof *way);
    compile.data = sweep;
    cs_bench_compare("a sweep made into cells", &compile, 1);
    for (size_t w = 0; w < sizeof way / sizeof *way; w++) {
        struct way *one = way[w].data;

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
