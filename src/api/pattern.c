/* pattern.c - cs_pattern: options and results as JSON. */
#include "model/pattern.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/jsonw.h"

#include <cosched/case.h>

#include <math.h>
#include <string.h>

#define DOWNTIME 60 /* seconds, as in other commands */
#define RUNS_MOST 100000000

struct request {
    struct cs_pattern_costs costs;
    int segments, chunks; /* 0: the best to the first order */
    double work;          /* of the pattern; NaN: the best */
    int64_t scenarios, seed;
};

static int pattern_read_number(const struct cs_json_at *root, const char *key, double *out,
                               struct cs_error *err)
{
    return cs_json_has(root, key) ? cs_json_get_double(root, key, CS_NUMBER_FINITE, out, err) : 0;
}

static int pattern_read_costs(const struct cs_json_at *root, struct cs_pattern_costs *c,
                              struct cs_error *err)
{
    const struct {
        const char *key;
        double *to;
    } number[] = {
        {"verification", &c->verification},
        {"memory_checkpoint", &c->memory},
        {"disk_checkpoint", &c->disk},
        {"downtime", &c->downtime},
        {"memory_recovery", &c->memory_recovery},
        {"disk_recovery", &c->disk_recovery},
        {"silent_rate", &c->silent},
        {"fail_stop_rate", &c->fail_stop},
        {"fatal_share", &c->fatal},
    };

    *c = (struct cs_pattern_costs){
        .downtime = DOWNTIME, .memory_recovery = NAN, .disk_recovery = NAN};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (pattern_read_number(root, number[i].key, number[i].to, err))
            return -1;
    if (isnan(c->memory_recovery))
        c->memory_recovery = c->memory;
    if (isnan(c->disk_recovery))
        c->disk_recovery = c->disk;
    return cs_pattern_costs_check(c, err);
}

static int pattern_read_whole(const struct cs_json_at *root, const char *key, int64_t low,
                              int64_t high, int64_t *out, struct cs_error *err)
{
    struct cs_json_at at;

    return cs_json_has(root, key) &&
                   (cs_json_member(root, key, &at, err) || cs_json_int64(&at, low, high, out, err))
               ? -1
               : 0;
}

static int pattern_read(const struct cs_json_at *root, struct request *request,
                        struct cs_error *err)
{
    int64_t segments = 0, chunks = 0;

    *request = (struct request){.work = NAN, .seed = 1};
    if (cs_json_keys(root,
                     "verification|memory_checkpoint|disk_checkpoint|downtime|memory_recovery|"
                     "disk_recovery|silent_rate|fail_stop_rate|fatal_share|segments|chunks|work|"
                     "scenarios|seed",
                     err) ||
        pattern_read_costs(root, &request->costs, err) ||
        pattern_read_whole(root, "segments", 1, 1000000, &segments, err) ||
        pattern_read_whole(root, "chunks", 1, 1000000, &chunks, err) ||
        pattern_read_number(root, "work", &request->work, err) ||
        pattern_read_whole(root, "scenarios", 1, RUNS_MOST, &request->scenarios, err) ||
        pattern_read_whole(root, "seed", 0, INT64_C(1) << 53, &request->seed, err))
        return -1;
    if (!segments != !chunks)
        return cs_error_set(err, "--segments, --chunks: give both, or neither");
    if (request->work <= 0)
        return cs_error_set(err, "--work: %g is not a positive number of seconds", request->work);
    if (!isnan(request->work) && !segments)
        return cs_error_set(err, "--work: only with --segments and --chunks");
    request->segments = (int)segments;
    request->chunks = (int)chunks;
    return 0;
}

static void pattern_put_first(const struct cs_pattern *p, double overhead, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "first_order");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "segments", p->segments);
    cs_jsonw_put_int(w, "chunks", p->chunks);
    cs_jsonw_put_double(w, "work", (double)p->segments * p->chunks * p->work);
    cs_jsonw_put_double(w, "overhead", overhead);
    cs_jsonw_close(w);
}

static void pattern_put_best(const struct request *request, const struct cs_pattern *p,
                             struct cs_jsonw *w)
{
    cs_jsonw_key(w, "best");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "segments", p->segments);
    cs_jsonw_put_int(w, "chunks", p->chunks);
    cs_jsonw_put_double(w, "chunk", p->work);
    cs_jsonw_put_double(w, "work", (double)p->segments * p->chunks * p->work);
    cs_jsonw_put_double(w, "expected", cs_pattern_expected(&request->costs, p));
    cs_jsonw_put_double(w, "overhead", cs_pattern_overhead(&request->costs, p));
    cs_jsonw_close(w);
}

static void pattern_put_simulated(const struct request *request, const struct cs_pattern *p,
                                  struct cs_jsonw *w)
{
    struct cs_stats stats;

    cs_jsonw_key(w, "simulated");
    if (!request->scenarios) {
        cs_jsonw_null(w);
        return;
    }
    stats = cs_pattern_simulate(&request->costs, p, (uint64_t)request->seed, request->scenarios);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "runs", request->scenarios);
    cs_jsonw_put_double(w, "mean", cs_stats_mean(&stats));
    cs_jsonw_put_double(w, "confidence95", cs_stats_confidence(&stats));
    cs_jsonw_close(w);
}

/* The pattern whose expectation is printed: that of the options, else the best. */
static struct cs_pattern pattern_chosen(const struct request *request,
                                        const struct cs_pattern *first)
{
    const int segments = request->segments ? request->segments : first->segments;
    const int chunks = request->chunks ? request->chunks : first->chunks;

    if (isnan(request->work))
        return cs_pattern_best(&request->costs, segments, chunks);
    return (struct cs_pattern){segments, chunks, request->work / segments / chunks};
}

static void pattern_put(const struct request *request, struct cs_strbuf *out)
{
    double overhead;
    struct cs_pattern first = cs_pattern_first_order(&request->costs, &overhead), chosen;
    struct cs_jsonw w = cs_jsonw_begin(out);

    if (request->segments) {
        first = (struct cs_pattern){request->segments, request->chunks, 0};
        first.work = cs_pattern_first_order_work(&request->costs, request->segments,
                                                 request->chunks, &overhead);
    }
    chosen = pattern_chosen(request, &first);
    cs_jsonw_open(&w, '{');
    pattern_put_first(&first, overhead, &w);
    pattern_put_best(request, &chosen, &w);
    pattern_put_simulated(request, &chosen, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

char *cs_pattern(const char *options, struct cs_error *err)
{
    CS_ASK(options, err, NULL);
    CS_GUARD(err, NULL);
    json_t *json = cs_json_load_memory("options", options, strlen(options), err);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_json_at root;
    struct request request;
    int status;

    if (!json)
        return NULL;
    root = cs_json_root("options", json);
    status = pattern_read(&root, &request, err);
    json_decref(json);
    if (status)
        return NULL;
    pattern_put(&request, &text);
    return cs_strbuf_take(&text);
}
