/* volatile_fleets.c - files read into fleets, and laws of their lives. */
#include "base/strbuf.h"
#include "golden/volatile_kit.h"
#include "io/availability.h"
#include "problems/volatile/lifetime_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOSTS 256

int golden_int(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

double golden_real(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

int golden_close(const json_t *want, double got, double tolerance, const char *what,
                 struct cs_error *err)
{
    double expected = json_number_value(want);

    if (!json_is_number(want))
        return cs_error_set(err, "%s is not a number in the file", what);
    if (fabs(got - expected) <= tolerance * fmax(fabs(expected), tolerance))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, expected);
}

struct cs_fleet *golden_fleet(const json_t *json, struct cs_error *err)
{
    const json_t *list = json_object_get(json, "hosts");
    const char *text[HOSTS];
    int hosts = (int)json_array_size(list);

    if (hosts < 1 || hosts > HOSTS) {
        cs_error_set(err, "%d hosts", hosts);
        return NULL;
    }
    for (int q = 0; q < hosts; q++)
        text[q] = json_string_value(json_array_get(list, (size_t)q));
    return cs_fleet_create_text(hosts, text, 1, err);
}

/* Files. */

static void put_host(struct cs_strbuf *out, const struct cs_fleet_host *host)
{
    for (int64_t r = 0; r < host->runs; r++)
        cs_strbuf_printf(out, "%s%c%" PRId64, r ? " " : "", cs_fleet_letter(host->run[r].state),
                         host->run[r].end - cs_fleet_run_begin(host, r));
}

static int check_host(const struct cs_fleet *fleet, const char *name, const char *want,
                      struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    for (int q = 0; q < fleet->hosts; q++)
        if (!strcmp(fleet->host[q].name, name))
            put_host(&text, &fleet->host[q]);
    status = strcmp(text.text, want)
                 ? cs_error_set(err, "host %s is \"%s\", expected \"%s\"", name, text.text, want)
                 : 0;
    cs_strbuf_release(&text);
    return status;
}

static int check_lifetimes(const json_t *want, const struct cs_fleet_life *life, int64_t lifetimes,
                           struct cs_error *err)
{
    const json_t *pair;
    size_t i;

    if ((int64_t)json_array_size(want) != lifetimes)
        return cs_error_set(err, "%" PRId64 " lives, expected %zu", lifetimes,
                            json_array_size(want));
    json_array_foreach(want, i, pair)
    {
        if (json_number_value(json_array_get(pair, 0)) != life[i].length ||
            json_boolean_value(json_array_get(pair, 1)) != life[i].ended)
            return cs_error_set(err, "life %zu is %g, %s", i, life[i].length,
                                life[i].ended ? "ended" : "cut off");
    }
    return 0;
}

static int check_prices(const json_t *want, const struct cs_fleet_zone *zone, struct cs_error *err)
{
    const json_t *price;
    size_t i;

    if ((int64_t)json_array_size(want) != zone->prices)
        return cs_error_set(err, "%" PRId64 " prices, expected %zu", zone->prices,
                            json_array_size(want));
    json_array_foreach(want, i, price)
    {
        if (json_number_value(price) != zone->price[i])
            return cs_error_set(err, "price %zu is %g", i, zone->price[i]);
    }
    return 0;
}

static int check_fleet(const struct cs_fleet *fleet, const json_t *expect, struct cs_error *err)
{
    const json_t *hosts = json_object_get(expect, "hosts"), *want;
    const struct cs_fleet_zone *zone = &fleet->zone[0];
    const char *name;

    if (fleet->slots != golden_int(expect, "slots") || fleet->hosts != (int)json_object_size(hosts))
        return cs_error_set(err, "%d hosts in %" PRId64 " slots, expected %zu in %d", fleet->hosts,
                            fleet->slots, json_object_size(hosts), golden_int(expect, "slots"));
    json_object_foreach((json_t *)(uintptr_t)hosts, name, want)
    {
        if (check_host(fleet, name, json_string_value(want), err))
            return -1;
    }
    want = json_object_get(expect, "nested");
    if (want && json_boolean_value(want) != zone->nested)
        return cs_error_set(err, "the fleet is%s nested", zone->nested ? "" : " not");
    want = json_object_get(expect, "lives");
    if (want && check_lifetimes(want, zone->life, zone->lifetimes, err))
        return -1;
    want = json_object_get(expect, "prices");
    return json_is_array(want) ? check_prices(want, zone, err) : 0;
}

int golden_fleet_read(const json_t *json, struct cs_error *err)
{
    const json_t *text = json_object_get(json, "text"),
                 *component = json_object_get(json, "component");
    const struct cs_fleet_bytes file = {"text", json_string_value(text), json_string_length(text),
                                        json_string_value(component),
                                        json_string_length(component)};
    const struct cs_fleet_options options = {.slot = golden_real(json, "slot")};
    struct cs_fleet *fleet = cs_fleet_read_memory(&file, &options, err);
    int status = fleet ? check_fleet(fleet, json_object_get(json, "expect"), err) : -1;

    cs_fleet_destroy(fleet);
    return status;
}

/* Laws. */

struct laws {
    const json_t *json, *expect;
    double tolerance;
    struct cs_volatile_history history;
    const struct cs_fleet_life *life;
    int64_t lifetimes;
    struct cs_volatile_survival law[CS_VOLATILE_SURVIVAL_KINDS];
    double co_failure, frailty[HOSTS];
    struct cs_arena *arena;
};

static const char *const law_key[] = {"exponential", "weibull", "log_normal", "product_limit"};

static int check_number(const struct laws *l, const json_t *object, const char *key, double got,
                        struct cs_error *err)
{
    return golden_close(json_object_get(object, key), got, l->tolerance, key, err);
}

static int check_steps(const struct laws *l, const json_t *want, struct cs_error *err)
{
    const struct cs_volatile_survival *law = &l->law[CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT];
    const json_t *length = json_object_get(want, "length"),
                 *sum = json_object_get(want, "log_survival");

    if ((int)json_array_size(length) != law->steps)
        return cs_error_set(err, "%d steps, expected %zu", law->steps, json_array_size(length));
    for (size_t i = 0; i < json_array_size(length); i++)
        if (golden_close(json_array_get(length, i), law->length[i], 0, "length", err) ||
            golden_close(json_array_get(sum, i), law->log[i], l->tolerance, "log_survival", err))
            return cs_error_prefix(err, "step %zu", i);
    return check_number(l, want, "tail_hazard", law->a, err);
}

static int check_parameters(const struct laws *l, struct cs_error *err)
{
    static const char *const key[][2] = {{"rate"}, {"shape", "scale"}, {"mu", "sigma"}};

    for (int k = 0; k < CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT; k++) {
        const json_t *want = json_object_get(l->expect, law_key[k]);

        if (check_number(l, want, key[k][0], l->law[k].a, err) ||
            (key[k][1] && check_number(l, want, key[k][1], l->law[k].b, err)) ||
            check_number(l, want, "log_likelihood", l->law[k].log_likelihood, err))
            return cs_error_prefix(err, "%s", law_key[k]);
    }
    return check_steps(l, json_object_get(l->expect, law_key[3]), err);
}

static int check_ages(const struct laws *l, struct cs_error *err)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(l->expect, "log_survival_given_age"), i, row)
    {
        double age = golden_real(row, "age"), more = golden_real(row, "more");

        for (int k = 0; k < CS_VOLATILE_SURVIVAL_KINDS; k++)
            if (check_number(l, row, law_key[k],
                             cs_volatile_survival_log(&l->law[k], age + more) -
                                 cs_volatile_survival_log(&l->law[k], age),
                             err))
                return cs_error_prefix(err, "age %g, %g more", age, more);
    }
    return 0;
}

static int check_together(const struct laws *l, struct cs_error *err)
{
    struct cs_volatile_lifetime_model lifetime_model = {
        .kind = CS_VOLATILE_LIFETIME_MODEL_LAWS,
        .law = &l->law[CS_VOLATILE_SURVIVAL_LOG_NORMAL],
        .co_failure = &l->co_failure,
        .pools = 1,
        .frailty = l->frailty,
    };
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(l->expect, "together"), i, row)
    {
        const json_t *host = json_object_get(row, "hosts"), *age = json_object_get(row, "ages");
        int count = (int)json_array_size(host), member[HOSTS];
        double log_p[HOSTS];

        for (int k = 0; k < count; k++) {
            member[k] = (int)json_integer_value(json_array_get(host, (size_t)k));
            log_p[k] = cs_volatile_lifetime_model_stay(
                &lifetime_model, NULL, member[k], json_number_value(json_array_get(age, (size_t)k)),
                golden_real(row, "more"));
        }
        if (check_number(l, row, "log_probability",
                         cs_volatile_lifetime_model_together(&lifetime_model, count, member, log_p),
                         err))
            return cs_error_prefix(err, "together %zu", i);
    }
    return 0;
}

static int check_laws(struct laws *l, struct cs_error *err)
{
    const json_t *frailty = json_object_get(l->expect, "frailty");

    if (check_lifetimes(json_object_get(l->expect, "lives"), l->life, l->lifetimes, err))
        return -1;
    for (int k = 0; k < CS_VOLATILE_SURVIVAL_KINDS; k++)
        l->law[k] = cs_volatile_survival_fit((enum cs_volatile_survival_kind)k, l->life,
                                             l->lifetimes, l->arena);
    l->co_failure = cs_volatile_co_failure(&l->history);
    for (int q = 0; q < l->history.hosts; q++) {
        l->frailty[q] =
            cs_volatile_frailty(&l->history, q, &l->law[CS_VOLATILE_SURVIVAL_LOG_NORMAL]);
        if (golden_close(json_array_get(frailty, (size_t)q), l->frailty[q], l->tolerance, "frailty",
                         err))
            return cs_error_prefix(err, "host %d", q);
    }
    if (check_number(l, l->expect, "co_failure", l->co_failure, err))
        return -1;
    return check_parameters(l, err) || check_ages(l, err) || check_together(l, err) ? -1 : 0;
}

int golden_fleet_laws(const json_t *json, struct cs_error *err)
{
    struct cs_fleet *fleet = golden_fleet(json, err);
    struct laws l = {.json = json,
                     .expect = json_object_get(json, "expect"),
                     .tolerance = golden_real(json, "tolerance"),
                     .arena = cs_arena_create()};
    int status = -1;

    if (fleet) {
        l.history = (struct cs_volatile_history){fleet, 0, fleet->hosts, golden_int(json, "from"),
                                                 golden_int(json, "to")};
        l.life = cs_volatile_lifetimes(&l.history, &l.lifetimes, l.arena);
        status = check_laws(&l, err);
    }
    cs_arena_destroy(l.arena);
    cs_fleet_destroy(fleet);
    return status;
}
