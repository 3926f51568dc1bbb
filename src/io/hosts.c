/* hosts.c - reading and writing cosched-volatile-1. */
#include "io/hosts.h"

#include "base/source.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define CAPACITY_MOST 1000000

static const char *const laws[] = {"markov", "weibull", "lognormal"};
static const char *const states[] = {"up", "reclaimed", "down"};

const char *cs_hosts_law_name(enum cs_hosts_law law)
{
    return laws[law];
}

static int get_int(const struct cs_json_at *at, const char *key, int low, int high, int fallback,
                   int *out, struct cs_error *err)
{
    *out = fallback;
    return cs_json_has(at, key) ? cs_json_get_int(at, key, low, high, out, err) : 0;
}

static int read_application(const struct cs_json_at *root, struct cs_hosts *s, struct cs_error *err)
{
    struct cs_json_at at;

    if (cs_json_member(root, "application", &at, err) ||
        cs_json_keys(&at, "tasks|iterations|program|data|transfers|cap|save_every|save_cost|spares",
                     err) ||
        cs_json_get_int(&at, "tasks", 1, CAPACITY_MOST, &s->tasks, err) ||
        get_int(&at, "iterations", 1, INT_MAX, 10, &s->iterations, err) ||
        get_int(&at, "program", 0, INT_MAX, 0, &s->program, err) ||
        get_int(&at, "data", 0, INT_MAX, 0, &s->data, err) ||
        get_int(&at, "transfers", 1, INT_MAX, CS_HOSTS_HOSTS_MOST, &s->transfers, err) ||
        get_int(&at, "save_every", 0, CS_HOSTS_SLOTS_MOST, 0, &s->save_every, err) ||
        get_int(&at, "save_cost", 0, CS_HOSTS_SLOTS_MOST, 0, &s->save_cost, err) ||
        get_int(&at, "spares", 0, CS_HOSTS_HOSTS_MOST, 0, &s->spares, err))
        return -1;
    return get_int(&at, "cap", 1, CS_HOSTS_SLOTS_MOST, 1000000, &s->cap, err);
}

/* A number of the matrix; the message names the states it leads from and to. */
static int read_probability(const struct cs_json_at *row, int from, int to, double *out,
                            struct cs_error *err)
{
    struct cs_json_at at = cs_json_element(row, (size_t)to);
    double value;

    if (cs_json_double(&at, CS_NUMBER_FINITE, &value, err))
        return -1;
    if (value < 0 || value > 1)
        return cs_json_error(&at, err,
                             "found %.15g, the probability of %s after %s must be from 0 to 1",
                             value, states[to], states[from]);
    *out = value;
    return 0;
}

static int read_chain(const struct cs_json_at *host, struct cs_host *h, struct cs_error *err)
{
    struct cs_json_at chain, row;
    size_t rows, columns;

    if (cs_json_member(host, "chain", &chain, err) || cs_json_array(&chain, &rows, err))
        return -1;
    if (rows != 3)
        return cs_json_error(&chain, err, "found %zu rows, expected 3: up, reclaimed, down", rows);
    for (int i = 0; i < 3; i++) {
        double sum = 0;

        row = cs_json_element(&chain, (size_t)i);
        if (cs_json_array(&row, &columns, err))
            return -1;
        if (columns != 3)
            return cs_json_error(&row, err, "found %zu numbers, expected 3: up, reclaimed, down",
                                 columns);
        for (int j = 0; j < 3; j++) {
            if (read_probability(&row, i, j, &h->chain[i][j], err))
                return -1;
            sum += h->chain[i][j];
        }
        if (fabs(sum - 1) > 1e-9)
            return cs_json_error(&row, err,
                                 "the probabilities after %s add up to %.15g, they must add up "
                                 "to 1",
                                 states[i], sum);
    }
    h->has_chain = true;
    return 0;
}

static int read_trace(const struct cs_json_at *host, struct cs_arena *arena, struct cs_host *h,
                      struct cs_error *err)
{
    struct cs_json_at at;
    struct cs_fleet_strip strip = {.arena = arena};
    struct cs_error wrong = {0};
    const char *text;

    if (cs_json_member(host, "trace", &at, err) || cs_json_string(&at, &text, err))
        return -1;
    if (cs_fleet_strip_text(&strip, text, &wrong))
        return cs_json_error(&at, err, "%s", wrong.text);
    h->trace = cs_fleet_strip_host(&strip, "", arena);
    return 0;
}

static int read_host(const struct cs_json_at *at, struct cs_arena *arena, struct cs_host *h,
                     struct cs_error *err)
{
    *h = (struct cs_host){.slots = 1, .capacity = -1};
    if (cs_json_keys(at, "name|slots|capacity|chain|trace", err) ||
        (cs_json_has(at, "name") && cs_json_get_string(at, "name", &h->name, err)) ||
        get_int(at, "slots", 1, INT_MAX, 1, &h->slots, err) ||
        get_int(at, "capacity", 0, CAPACITY_MOST, -1, &h->capacity, err) ||
        (cs_json_has(at, "chain") && read_chain(at, h, err)) ||
        (cs_json_has(at, "trace") && read_trace(at, arena, h, err)))
        return -1;
    if (!h->has_chain && !h->trace.runs)
        return cs_json_error(at, err,
                             "the availability of the host is missing: give \"chain\" or "
                             "\"trace\"");
    if (h->name)
        h->name = cs_arena_strdup(arena, h->name);
    return 0;
}

/* All hosts have a trace, as long as the first's, or none has. */
static int check_traces(const struct cs_json_at *list, struct cs_hosts *s, struct cs_error *err)
{
    s->slots = cs_fleet_host_slots(&s->host[0].trace);
    for (int q = 1; q < s->hosts; q++) {
        struct cs_json_at at = cs_json_element(list, (size_t)q);
        int64_t slots = cs_fleet_host_slots(&s->host[q].trace);

        if ((slots > 0) != (s->slots > 0))
            return cs_json_error(&at, err,
                                 "the host has %s trace and the first has %s: all must have one, "
                                 "or none",
                                 slots ? "a" : "no", slots ? "none" : "one");
        if (slots != s->slots)
            return cs_json_error(&at, err,
                                 "the trace has %lld slots and that of the first host %lld: all "
                                 "must be as long",
                                 (long long)slots, (long long)s->slots);
    }
    return 0;
}

static int read_hosts(const struct cs_json_at *root, struct cs_hosts *s, struct cs_error *err)
{
    struct cs_host *host;
    struct cs_json_at list;
    size_t count;

    if (cs_json_member(root, "hosts", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (!count || count > CS_HOSTS_HOSTS_MOST)
        return cs_json_error(&list, err, "found %zu hosts, expected 1 to %d", count,
                             CS_HOSTS_HOSTS_MOST);
    host = CS_NEW_ARRAY(s->arena, struct cs_host, count);
    s->host = host;
    s->hosts = (int)count;
    for (size_t q = 0; q < count; q++) {
        struct cs_json_at at = cs_json_element(&list, q);

        if (read_host(&at, s->arena, &host[q], err))
            return -1;
    }
    return check_traces(&list, s, err);
}

static int read_law(const struct cs_json_at *root, struct cs_hosts *s, struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    s->shape = NAN;
    if (!cs_json_has(root, "law"))
        return cs_json_has(root, "shape")
                   ? cs_json_error(root, err, "\"shape\" means nothing without \"law\"")
                   : 0;
    if (cs_json_member(root, "law", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    while (s->law <= CS_HOSTS_LOGNORMAL && strcmp(word, laws[s->law]))
        s->law++;
    if (s->law > CS_HOSTS_LOGNORMAL)
        return cs_json_error(&at, err, "found \"%.60s\", expected markov, weibull or lognormal",
                             word);
    if (s->law == CS_HOSTS_MARKOV)
        return 0;
    return cs_json_get_double(root, "shape", CS_NUMBER_POSITIVE, &s->shape, err);
}

static int read_format(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (cs_json_member(root, "format", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    if (strcmp(word, CS_HOSTS_FORMAT))
        return cs_json_error(&at, err, "found \"%.60s\", expected %s", word, CS_HOSTS_FORMAT);
    return 0;
}

static int hosts_read_all(const struct cs_json_at *root, struct cs_hosts *s, struct cs_error *err)
{
    s->source = "";
    s->slot = NAN;
    if (cs_json_keys(root, "format|source|known|slot|law|shape|application|hosts", err) ||
        read_format(root, err) ||
        (cs_json_has(root, "source") && cs_json_get_string(root, "source", &s->source, err)) ||
        (cs_json_has(root, "slot") &&
         cs_json_get_double(root, "slot", CS_NUMBER_POSITIVE, &s->slot, err)) ||
        cs_known_get(root, &s->known, s->arena, err) || read_law(root, s, err) ||
        read_application(root, s, err))
        return -1;
    s->source = cs_arena_strdup(s->arena, s->source);
    return read_hosts(root, s, err);
}

struct cs_hosts *cs_hosts_from_json(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_hosts *s = CS_NEW(arena, struct cs_hosts);

    s->arena = arena;
    if (hosts_read_all(root, s, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    return s;
}

static struct cs_hosts *from_document(const char *name, json_t *document, struct cs_error *err)
{
    const struct cs_json_at root = cs_json_root(name, document);
    CS_JSON_HOLD(document);

    return document ? cs_hosts_from_json(&root, err) : NULL;
}

struct cs_hosts *cs_hosts_read(const char *path, struct cs_error *err)
{
    return from_document(cs_source_name(path), cs_json_load(path, err), err);
}

struct cs_hosts *cs_hosts_read_memory(const char *name, const void *bytes, size_t size,
                                      struct cs_error *err)
{
    return from_document(name, cs_json_load_memory(name, bytes, size, err), err);
}

void cs_hosts_destroy(struct cs_hosts *scenario)
{
    if (scenario)
        cs_arena_destroy(scenario->arena);
}

/* Writing. */

static void put_application(const struct cs_hosts *s, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "application");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "tasks", s->tasks);
    cs_jsonw_put_int(w, "iterations", s->iterations);
    cs_jsonw_put_int(w, "program", s->program);
    cs_jsonw_put_int(w, "data", s->data);
    cs_jsonw_put_int(w, "transfers", s->transfers);
    cs_jsonw_put_int(w, "cap", s->cap);
    if (s->save_every) {
        cs_jsonw_put_int(w, "save_every", s->save_every);
        cs_jsonw_put_int(w, "save_cost", s->save_cost);
    }
    if (s->spares)
        cs_jsonw_put_int(w, "spares", s->spares);
    cs_jsonw_close(w);
}

static void put_chain(const struct cs_host *h, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "chain");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < 3; i++) {
        cs_jsonw_open_flat(w, '[');
        for (int j = 0; j < 3; j++)
            cs_jsonw_double(w, h->chain[i][j]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* "u12 d3" */
static void put_trace(const struct cs_host *h, struct cs_jsonw *w)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int64_t i = 0; i < h->trace.runs; i++)
        cs_strbuf_printf(&text, "%s%c%" PRId64, i ? " " : "",
                         cs_fleet_letter(h->trace.run[i].state),
                         h->trace.run[i].end - cs_fleet_run_begin(&h->trace, i));
    cs_jsonw_put_string(w, "trace", text.text);
    cs_strbuf_release(&text);
}

static void put_host(const struct cs_host *h, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    if (h->name)
        cs_jsonw_put_string(w, "name", h->name);
    cs_jsonw_put_int(w, "slots", h->slots);
    if (h->capacity >= 0)
        cs_jsonw_put_int(w, "capacity", h->capacity);
    if (h->has_chain)
        put_chain(h, w);
    if (h->trace.runs)
        put_trace(h, w);
    cs_jsonw_close(w);
}

void cs_hosts_put(const struct cs_hosts *s, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "format", CS_HOSTS_FORMAT);
    if (s->source[0])
        cs_jsonw_put_string(w, "source", s->source);
    if (s->known)
        cs_known_put(s->known, w);
    if (!isnan(s->slot))
        cs_jsonw_put_double(w, "slot", s->slot);
    if (s->law != CS_HOSTS_MARKOV) {
        cs_jsonw_put_string(w, "law", laws[s->law]);
        cs_jsonw_put_double(w, "shape", s->shape);
    }
    put_application(s, w);
    cs_jsonw_key(w, "hosts");
    cs_jsonw_open(w, '[');
    for (int q = 0; q < s->hosts; q++)
        put_host(&s->host[q], w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
