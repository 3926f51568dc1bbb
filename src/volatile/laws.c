/* laws.c - laws and chains of hosts that come and go, for programs: as JSON, and as a scenario. */
#include "volatile/laws.h"

#include "base/guard.h"
#include "base/plain.h"
#include "volatile/fit.h"
#include "volatile/hosts.h"

#include <math.h>
#include <string.h>

/* ---- hosts, one by one ---- */

/* About the mean number of up slots between two times down. */
static int64_t usual_workload(const struct cs_fleet_host *host)
{
    int64_t ups = 0, lives = 1;

    for (int64_t i = 0; i < host->runs; i++) {
        if (host->run[i].state == CS_FLEET_UP)
            ups += host->run[i].end - cs_fleet_run_begin(host, i);
        lives += i > 0 && host->run[i].state == CS_FLEET_DOWN;
    }
    return ups / lives;
}

static int64_t at_least_one(int64_t slots)
{
    return slots < 1 ? 1 : slots;
}

static int fit_hosts(const struct cs_fleet *fleet, int64_t given, struct cs_volatile_fit *fit,
                     struct cs_error *err)
{
    for (int q = 0; q < fleet->hosts; q++) {
        int64_t middle = given ? given : usual_workload(&fleet->host[q]);
        const int64_t workload[] = {at_least_one(middle / 4), at_least_one(middle),
                                    at_least_one(4 * middle)};

        if (cs_volatile_fit_host(&fleet->host[q], workload, &fit[q], err))
            return cs_error_prefix(err, "host %s", fleet->host[q].name);
    }
    return 0;
}

static void put_numbered(struct cs_jsonw *w, const char *word, int number, double value)
{
    char key[40];

    cs_plain_print(key, sizeof key, "%s_%d", word, number);
    cs_jsonw_put_double(w, key, value);
}

static void put_law(struct cs_jsonw *w, const struct cs_volatile_fit_state *up, int l)
{
    static const char *const words[][2] = {{"weibull_shape", "weibull_scale"},
                                           {"lognormal_sigma", "lognormal_median"}};
    static const char *const distances[] = {"geometric_distance", "weibull_distance",
                                            "lognormal_distance"};
    const struct cs_volatile_fit_law *law = &up->law[l];
    bool there = up->best >= 0 && !isnan(law->distance);

    for (int k = 0; l > CS_VOLATILE_FIT_GEOMETRIC && k < 2; k++)
        cs_jsonw_put_double(w, words[l - 1][k],
                            !there ? NAN
                            : k    ? law->holding.scale
                                   : law->holding.parameter);
    cs_jsonw_put_double(w, distances[l], there ? law->distance : NAN);
}

static void put_up(struct cs_jsonw *w, const struct cs_volatile_fit_state *up)
{
    static const char *const names[] = {"geometric", "weibull", "log-normal"};

    cs_jsonw_put_int(w, "intervals", up->intervals);
    cs_jsonw_put_double(w, "mean_slots", up->intervals ? up->mean : NAN);
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        put_law(w, up, l);
    cs_jsonw_put_string(w, "best", up->best >= 0 ? names[up->best] : NULL);
}

static void put_chain(struct cs_jsonw *w, const struct cs_volatile_fit *f)
{
    static const char letters[] = "urd";

    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        for (int j = 0; j < CS_VOLATILE_STATES; j++)
            cs_jsonw_put_double(w, (char[]){'p', '_', letters[i], letters[j], 0}, f->chain[i][j]);
}

static void put_host(struct cs_jsonw *w, const char *name, const struct cs_volatile_fit *f)
{
    static const char *const states[] = {"up", "reclaimed", "down"};
    static const char *const aics[] = {"geometric_aic", "weibull_aic", "lognormal_aic"};
    const struct cs_volatile_fit_state *up = &f->state[CS_VOLATILE_UP];

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "host", name);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        cs_jsonw_put_double(w, states[i], (double)f->state[i].slots / (double)f->slots);
    put_up(w, up);
    for (int i = 0; i < CS_VOLATILE_FIT_FORECASTS; i++) {
        put_numbered(w, "workload", i + 1, (double)f->forecast[i].workload);
        put_numbered(w, "predicted", i + 1, f->forecast[i].predicted);
        put_numbered(w, "found", i + 1, f->forecast[i].found);
    }
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        cs_jsonw_put_double(w, aics[l], up->law[l].aic);
    put_chain(w, f);
    cs_jsonw_close(w);
}

static int put_hosts(const struct cs_fleet *fleet, int64_t workload, struct cs_jsonw *w,
                     struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit *fit = CS_NEW_ARRAY(arena, struct cs_volatile_fit, fleet->hosts);
    int status = fit_hosts(fleet, workload, fit, err);

    if (!status) {
        cs_jsonw_open(w, '[');
        for (int q = 0; q < fleet->hosts; q++)
            put_host(w, fleet->host[q].name, &fit[q]);
        cs_jsonw_close(w);
    }
    cs_arena_destroy(arena);
    return status;
}

/* ---- what is asked ---- */

static int check(const struct cs_volatile_laws_options *how, struct cs_error *err)
{
    if (cs_ask_size("the options of laws", how->size, sizeof *how, err))
        return -1;
    if (!cs_volatile_model_name(how->belief))
        return cs_error_set(err, "there is no belief %d", (int)how->belief);
    if ((int)how->pooling < 0 || how->pooling > CS_VOLATILE_POOL_HOST)
        return cs_error_set(err, "pooling cannot be %d", (int)how->pooling);
    if (how->workload < 0 || how->workload > 100000000)
        return cs_error_set(err, "workload cannot be %lld: expected up to 100000000 slots",
                            (long long)how->workload);
    return 0;
}

char *cs_volatile_laws(const struct cs_fleet *fleet, const struct cs_volatile_laws_options *how,
                       struct cs_error *err)
{
    CS_ASK(fleet && fleet->hosts > 0, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_volatile_laws_options none = {.size = sizeof none};
    const struct cs_volatile_laws_options *options = how ? how : &none;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    struct cs_volatile_laws_asked asked = {.fleet = fleet};

    if (check(options, err))
        return NULL;
    asked.belief = options->belief ? options->belief : CS_VOLATILE_MODEL_LOG_NORMAL;
    asked.pooling = options->pooling;
    asked.workload = options->workload;
    if (options->each ? put_hosts(fleet, options->workload, &w, err)
                      : cs_volatile_laws_put_pools(&asked, &w, err)) {
        cs_strbuf_release(&out);
        return NULL;
    }
    cs_jsonw_end(&w);
    return cs_strbuf_take(&out);
}

/* ---- a scenario ---- */

static void put_scenario(const struct cs_fleet *fleet, const struct cs_volatile_fit *fit,
                         struct cs_arena *arena, struct cs_strbuf *out)
{
    struct cs_host *host = CS_NEW_ARRAY(arena, struct cs_host, fleet->hosts);
    const struct cs_hosts s = {
        .source = "fitted by cosched fit availability",
        .slot = fleet->slot,
        .tasks = 5,
        .iterations = 10,
        .program = 5,
        .data = 1,
        .transfers = 5,
        .cap = 1000000,
        .shape = NAN,
        .hosts = fleet->hosts,
        .host = host,
        .slots = fleet->slots,
    };
    struct cs_jsonw w = cs_jsonw_begin(out);

    for (int q = 0; q < fleet->hosts; q++) {
        host[q] = (struct cs_host){.name = fleet->host[q].name,
                                   .slots = 1,
                                   .capacity = -1,
                                   .has_chain = true,
                                   .trace = fleet->host[q]};
        memcpy(host[q].chain, fit[q].chain, sizeof host[q].chain);
    }
    cs_hosts_put(&s, &w);
    cs_jsonw_end(&w);
}

char *cs_volatile_scenario(const struct cs_fleet *fleet, struct cs_error *err)
{
    CS_ASK(fleet && fleet->hosts > 0, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit *fit = CS_NEW_ARRAY(arena, struct cs_volatile_fit, fleet->hosts);
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = fit_hosts(fleet, 0, fit, err);

    if (!status)
        put_scenario(fleet, fit, arena, &out);
    cs_arena_destroy(arena);
    return status ? NULL : cs_strbuf_take(&out);
}
