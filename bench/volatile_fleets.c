/* volatile_fleets - reading an event table of the size of the archive's LANL trace (3,577 nodes,
 * 43,000 failures in nine years) at several lengths of slots, fitting
 * lifetime models, a table of least expected cost for a job with a deadline, and the cost of a slot
 * under proactive-rate.
 */
#include "base/rng.h"
#include "base/strbuf.h"
#include "bench/bench.h"
#include "io/availability.h"
#include "problems/spot/table.h"
#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/simulate.h"

#include <math.h>

#define NODES 3577
#define FAILURES 43000
#define YEARS (9 * 365 * 86400.0)
#define HOSTS 24
#define SLOTS 2000

struct table {
    struct cs_strbuf text;
    double slot;
    int hosts;
};

static void write_events(struct cs_strbuf *out)
{
    struct cs_rng rng;

    cs_rng_init(&rng, 1, 2, 3);
    for (int i = 0; i < FAILURES; i++) {
        int node = (int)(NODES * pow(cs_rng_uniform(&rng), 2));
        double from = floor(YEARS * cs_rng_uniform(&rng));
        double to = from + floor(60 + 40000 * cs_rng_uniform(&rng));

        cs_strbuf_printf(out, "%d\t0\t%d\t0\tn\t0\t%.0f\t%.0f\tNULL\n", i, node, from, to);
    }
}

static struct cs_fleet *read_runs(const struct table *t)
{
    const struct cs_fleet_bytes file = {"events", t->text.text, t->text.length, NULL, 0};
    const struct cs_fleet_options options = {.slot = t->slot, .hosts = t->hosts};
    struct cs_error err = {0};
    struct cs_fleet *fleet = cs_fleet_read_memory(&file, &options, &err);

    if (!fleet) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return fleet;
}

static void runs(void *data)
{
    cs_fleet_destroy(read_runs(data));
}

static void compare_reading(const struct table *all)
{
    struct table hour = *all, minute = *all, second = *all;
    const struct cs_bench_case variant[] = {
        {"slots of 1 h", runs, &hour, 0},
        {"slots of 1 min", runs, &minute, 0},
        {"slots of 1 s", runs, &second, 0},
    };

    hour.slot = 3600;
    minute.slot = 60;
    second.slot = 1;
    cs_bench_compare("reading an event table of 3,577 nodes and 43,000 failures", variant, 3);
}

struct fit {
    const struct cs_fleet *fleet;
    enum cs_fit_lifetime_model model;
};

static void fit(void *data)
{
    const struct fit *f = data;

    cs_volatile_lifetime_model_destroy(cs_volatile_lifetime_model_fit(
        f->fleet, f->model, CS_FIT_POOL_ZONE, 0, f->fleet->slots / 2, NULL));
}

static void compare_fits(const struct table *t)
{
    struct cs_fleet *fleet = read_runs(t);
    struct fit one[CS_FIT_LIFETIME_MODELS - 1];
    struct cs_bench_case variant[CS_FIT_LIFETIME_MODELS - 1];

    for (int m = 0; m < CS_FIT_LIFETIME_MODELS - 1; m++) {
        one[m] = (struct fit){fleet, (enum cs_fit_lifetime_model)(m + 1)};
        variant[m] = (struct cs_bench_case){cs_volatile_model_name(one[m].model), fit, &one[m], 0};
    }
    cs_bench_compare("lifetime models from the first half, slots of 1 min", variant,
                     CS_FIT_LIFETIME_MODELS - 1);
    cs_fleet_destroy(fleet);
}

static void fill_table(void *data)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_spot_phases phases = {8, 1.0 / 8, {{0.1, 0.02}, {0.1, 0.02}}};

    cs_bench_keep(cs_spot_table_create(data, &phases, arena, NULL));
    cs_arena_destroy(arena);
}

/* 24 hosts that fail every 500 slots, five tasks, two a host. */
struct rate {
    struct cs_volatile_instance *in;
    struct cs_volatile_lifetime_model lifetime_model;
    struct cs_volatile_survival law;
    double co_failure;
    bool proactive;
};

static struct cs_volatile_instance *make_hosts(int save_every)
{
    const struct cs_volatile_application app = {.tasks = 5,
                                                .iterations = 100000,
                                                .program = 5,
                                                .data = 1,
                                                .transfers = 4,
                                                .cap = SLOTS,
                                                .save_every = save_every,
                                                .save_cost = 1};
    struct cs_volatile_host host[HOSTS] = {{0}};
    struct cs_error err = {0};

    for (int q = 0; q < HOSTS; q++)
        host[q] = (struct cs_volatile_host){
            .slots = 20 + 10 * (q % 3),
            .capacity = 2,
            .chain = {{0.998, 0, 0.002}, {0, 1, 0}, {0.02, 0, 0.98}},
        };
    return cs_volatile_instance_create(HOSTS, host, &app, &err);
}

static void simulate(void *data)
{
    struct rate *r = data;
    struct cs_error err = {0};
    int count;
    struct cs_volatile_request request = {.lifetime_model =
                                              r->law.b > 0 ? &r->lifetime_model : NULL};
    struct cs_volatile_source *source = cs_volatile_source_markov(r->in, 1, 2);
    struct cs_volatile_outcome out;

    cs_policy_parse(r->proactive ? "proactive-rate" : "rate", cs_volatile_policies(&count), count,
                    &request.call, &err);
    cs_volatile_simulate(r->in, &request, source, &out, &err);
    cs_bench_keep(&out);
    cs_volatile_source_destroy(source);
}

static void compare_rates(void)
{
    static const char *const name[] = {"rate, chains", "proactive-rate, chains",
                                       "proactive-rate, log-normal",
                                       "proactive-rate, log-normal, checkpoints"};
    struct rate one[4];
    struct cs_bench_case variant[4];

    for (int i = 0; i < 4; i++) {
        one[i] =
            (struct rate){.in = make_hosts(i == 3 ? 10 : 0), .proactive = i > 0, .co_failure = 0.1};
        if (i > 1)
            one[i].law = (struct cs_volatile_survival){
                .kind = CS_VOLATILE_SURVIVAL_LOG_NORMAL, .a = 5.5, .b = 1.2};
        one[i].lifetime_model =
            (struct cs_volatile_lifetime_model){.kind = CS_VOLATILE_LIFETIME_MODEL_LAWS,
                                                .pools = 1,
                                                .law = &one[i].law,
                                                .co_failure = &one[i].co_failure};
        variant[i] = (struct cs_bench_case){name[i], simulate, &one[i], 0};
    }
    cs_bench_compare("2,000 slots of 24 hosts, 5 tasks", variant, 4);
    for (int i = 0; i < 4; i++)
        cs_volatile_instance_destroy(one[i].in);
}

int main(void)
{
    struct table t = {.text = CS_STRBUF_INIT, .slot = 60};
    struct cs_spot_job job = {886, 1107, 4, 0.3, 1};
    const struct cs_bench_case table = {"48 h of work in 60 h, ticks of 195 s", fill_table, &job,
                                        0};

    write_events(&t.text);
    compare_reading(&t);
    compare_fits(&t);
    cs_bench_compare("a table of least expected cost", &table, 1);
    compare_rates();
    cs_strbuf_release(&t.text);
    return 0;
}
