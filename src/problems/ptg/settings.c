/* settings.c - platforms by name or file, graphs from files or by a recipe, release times. */
#include "problems/ptg/settings.h"

#include "base/guard.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/watch.h"
#include "problem/problem.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define SITE "grid5000"

/* ---- platforms ---- */

/* A word that is no file is the name of a site, right or wrong. */
static bool is_site(const char *text)
{
    if (strpbrk(text, "./") || !strcmp(text, "-"))
        return false;
    return !strncmp(text, SITE, strlen(SITE)) || access(text, F_OK);
}

static struct cs_platform *read_platform(const char *text, struct cs_error *err)
{
    struct cs_platform *platform =
        is_site(text) ? cs_platform_site(text, err) : cs_platform_read(text, err);

    for (int k = 0; platform && k < platform->clusters; k++)
        if (!(platform->cluster[k].speed > 0)) {
            cs_error_set(err, "%s: cluster %.60s has no speed: task graphs need flop/s", text,
                         platform->cluster[k].name);
            cs_platform_destroy(platform);
            return NULL;
        }
    return platform;
}

static int get_platforms(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                         struct cs_error *err)
{
    const char *text = settings->platform ? settings->platform : settings->sites;
    bool all = !settings->platform && !strcmp(text, SITE);

    for (int i = 0; i < (all ? CS_PTG_SITES : 1); i++) {
        supplied->platform[i] = read_platform(all ? cs_platform_site_name(i) : text, err);
        if (!supplied->platform[i])
            return -1;
        supplied->sites++;
    }
    return 0;
}

/* ---- graphs from files ---- */

/* "0.1", or "0:0.25" to draw from. */
static int read_alpha(const char *text, struct cs_graph_reading *how, struct cs_error *err)
{
    const char *colon = strchr(text, ':');
    struct cs_strbuf low = CS_STRBUF_INIT;
    bool fine;

    cs_strbuf_append(&low, text, colon ? (size_t)(colon - text) : strlen(text));
    fine = cs_number_double(low.text, &how->alpha) == CS_NUMBER_FINE;
    how->alpha_high = how->alpha;
    fine = fine && (!colon || cs_number_double(colon + 1, &how->alpha_high) == CS_NUMBER_FINE);
    fine = fine && how->alpha >= 0 && how->alpha <= how->alpha_high && how->alpha_high <= 1;
    cs_strbuf_release(&low);
    return fine ? 0
                : cs_error_set(err,
                               "--alpha: found \"%.60s\", expected a number from 0 to 1, or two "
                               "with a colon between, such as 0:0.25",
                               text);
}

static double slowest_speed(const struct cs_ptg_input *supplied)
{
    double slowest = INFINITY;

    for (int i = 0; i < supplied->sites; i++)
        for (int k = 0; k < supplied->platform[i]->clusters; k++)
            slowest = fmin(slowest, supplied->platform[i]->cluster[k].speed);
    return slowest;
}

static int read_graphs(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                       const char *const *path, struct cs_error *err)
{
    struct cs_graph_reading how = {
        .seed = (uint64_t)settings->study.seed,
        .speed = isnan(settings->speed) ? slowest_speed(supplied) : settings->speed,
    };

    if (read_alpha(settings->alpha, &how, err))
        return -1;
    for (; *path; path++, how.seed++)
        if (cs_graph_list_read(&supplied->list, *path, &how, err))
            return -1;
    return 0;
}

/* ---- graphs by a recipe ---- */

static const char *random_word(const struct cs_ptg_settings *o)
{
    return o->tasks != CS_PARAM_NONE  ? "tasks"
           : !isnan(o->width)         ? "width"
           : !isnan(o->regular)       ? "regular"
           : !isnan(o->density)       ? "density"
           : o->jump != CS_PARAM_NONE ? "jump"
                                      : NULL;
}

static const char *fft_word(const struct cs_ptg_settings *o)
{
    return o->points != CS_PARAM_NONE ? "points" : NULL;
}

static const char *shape_word(const struct cs_ptg_settings *o)
{
    const char *random = random_word(o), *fft = fft_word(o);

    return random ? random : fft ? fft : o->cost >= 0 ? "cost" : NULL;
}

/* A trap is one graph, with nothing to draw a shape for. */
static int trap_check(const struct cs_ptg_settings *o, struct cs_error *err)
{
    const char *shape = o->family != CS_PTG_RANDOM         ? "family"
                        : o->count > 1                     ? "count"
                        : o->graphs > 1 && o->graphs != 10 ? "graphs"
                                                           : shape_word(o);

    if (cs_trap_check("ptg", "three-partition", o->trap.name, err))
        return -1;
    if (o->study.input)
        return cs_error_set(err, "found input and trap, expected one of them");
    return shape ? cs_error_set(err, "--%s: the trap is one graph with given tasks", shape) : 0;
}

int cs_ptg_generator_check(const struct cs_ptg_settings *settings, struct cs_error *err)
{
    if (settings->trap.name)
        return trap_check(settings, err);
    if (random_word(settings) && settings->family != CS_PTG_RANDOM)
        return cs_error_set(err, "--%s is for --family random", random_word(settings));
    if (fft_word(settings) && settings->family != CS_PTG_FFT)
        return cs_error_set(err, "--%s is for --family fft", fft_word(settings));
    if (settings->combination != CS_PARAM_NONE && shape_word(settings))
        return cs_error_set(err, "--set draws shapes and costs: omit --%s", shape_word(settings));
    return 0;
}

static double real_or(double supplied, double fallback)
{
    return isnan(supplied) ? fallback : supplied;
}

static struct cs_ptg_generator generator_of(const struct cs_ptg_settings *o)
{
    return (struct cs_ptg_generator){
        .family = (enum cs_ptg_family)o->family,
        .cost = o->cost < 0 ? CS_PTG_COST_MIXED : (enum cs_ptg_cost)o->cost,
        .tasks = (int)cs_param_or(o->tasks, 20),
        .width = real_or(o->width, 0.5),
        .regular = real_or(o->regular, 0.8),
        .density = real_or(o->density, 0.2),
        .jump = (int)cs_param_or(o->jump, 1),
        .points = (int)cs_param_or(o->points, 8),
        .seed = (uint64_t)o->study.seed,
    };
}

int cs_ptg_generator_make(const struct cs_ptg_settings *settings, int count,
                          struct cs_graph **graph, struct cs_error *err)
{
    struct cs_ptg_generator generator = generator_of(settings);
    struct cs_strbuf name = CS_STRBUF_INIT;
    int status = 0;

    if (!shape_word(settings)) {
        return cs_ptg_generate_run(generator.seed, generator.family, count,
                                   (int)cs_param_or(settings->combination, 0), graph, err);
    }
    for (int g = 0; g < count && !status; g++, generator.seed++) {
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%s%d", cs_ptg_family_name((int)generator.family), g);
        graph[g] = cs_ptg_generate(name.text, &generator, err);
        status = graph[g] ? cs_watch_settle(cs_watch_calls() ? -1 : 0, err) : -1;
    }
    cs_strbuf_release(&name);
    return status;
}

struct cs_graph *cs_ptg_trap(const struct cs_ptg_settings *o, struct cs_platform **platform,
                             struct cs_error *err)
{
    return cs_trap_graph(&o->trap, (uint64_t)o->study.seed,
                         (uint64_t)cs_param_or(o->combination, 0), platform, err);
}

/* The graph, and its machine unless a platform is named. */
static int make_trap(struct cs_ptg_input *supplied, const struct cs_ptg_settings *o,
                     struct cs_error *err)
{
    const bool named = o->platform || strcmp(o->sites, SITE) != 0;

    supplied->list.graph = cs_block_zero(1, sizeof(struct cs_graph *));
    supplied->list.graph[0] = cs_ptg_trap(o, named ? NULL : &supplied->platform[0], err);
    if (!supplied->list.graph[0])
        return -1;
    supplied->list.graphs = 1;
    if (!named)
        supplied->sites = 1;
    return named ? get_platforms(supplied, o, err) : 0;
}

static int make_graphs(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                       struct cs_error *err)
{
    int count = (int)settings->graphs;

    supplied->list.graph = cs_block_zero((size_t)count, sizeof(struct cs_graph *));
    supplied->list.graphs = count;
    return cs_ptg_generator_make(settings, count, supplied->list.graph, err);
}

/* ---- release times ---- */

static double *times_from_text(const char *text, int *count, struct cs_arena *arena,
                               struct cs_error *err)
{
    struct cs_words list = cs_words_split(text, arena);
    double *time = CS_NEW_ARRAY(arena, double, list.count);

    *count = list.count;
    for (int i = 0; i < list.count; i++)
        if (cs_seconds_parse(list.name[i], &time[i])) {
            cs_error_set(err, "found \"%.60s\", expected a time such as 90, 1.5, 30s or 2m",
                         list.name[i]);
            return NULL;
        }
    return time;
}

/* A list with commas, or one time; else a file. */
static bool is_list(const char *text)
{
    double ignored;

    return strchr(text, ',') || cs_seconds_parse(text, &ignored) == 0;
}

static int times_from_lines(const struct cs_ptg_input *supplied, struct cs_lines *lines,
                            double *time, int *count, struct cs_error *err)
{
    char *line;
    size_t length;
    int more;

    while ((more = cs_lines_next(lines, &line, &length, err)) > 0) {
        while (length > 0 && strchr(" \t", line[length - 1]))
            line[--length] = '\0';
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (*count == supplied->list.graphs)
            return cs_lines_error(lines, err, "there are more times than the %d graphs",
                                  supplied->list.graphs);
        if (cs_seconds_parse(line, &time[*count]))
            return cs_lines_error(
                lines, err, "found \"%.60s\", expected a time such as 90, 1.5, 30s or 2m", line);
        (*count)++;
    }
    return more;
}

static double *times_from_file(const struct cs_ptg_input *supplied, const char *path, int *count,
                               struct cs_arena *arena, struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open(path, err);
    double *time = CS_NEW_ARRAY(arena, double, supplied->list.graphs);
    int status;

    *count = 0;
    if (!lines)
        return NULL;
    status = times_from_lines(supplied, lines, time, count, err);
    cs_lines_close(lines);
    return status ? NULL : time;
}

static int read_release(struct cs_ptg_input *supplied, const char *text, struct cs_arena *arena,
                        struct cs_error *err)
{
    double *time;
    int count;

    if (!text)
        return 0;
    time = is_list(text) ? times_from_text(text, &count, arena, err)
                         : times_from_file(supplied, text, &count, arena, err);
    if (!time)
        return cs_error_prefix(err, "--release");
    if (count != supplied->list.graphs)
        return cs_error_set(err, "--release: found %d times, expected one for each of %d graphs",
                            count, supplied->list.graphs);
    supplied->release = time;
    return 0;
}

/* ---- together ---- */

static int make_instances(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                          struct cs_error *err)
{
    for (int i = 0; i < supplied->sites; i++) {
        supplied->instance[i] = cs_ptg_instance_create(
            supplied->platform[i], supplied->list.graphs,
            (const struct cs_graph *const *)supplied->list.graph, supplied->release, err);
        if (!supplied->instance[i] ||
            cs_ptg_instance_limit(supplied->instance[i], (enum cs_ptg_cores)settings->cores, err))
            return -1;
    }
    return 0;
}

int cs_ptg_input_open(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                      struct cs_arena *arena, struct cs_error *err)
{
    const char *const *path = settings->study.inputs;

    *supplied = (struct cs_ptg_input){0};
    if (!path && settings->study.input)
        path = cs_param_lines(settings->study.input, arena);
    if ((settings->trap.name
             ? make_trap(supplied, settings, err)
             : get_platforms(supplied, settings, err) ||
                   (settings->study.input ? read_graphs(supplied, settings, path, err)
                                          : make_graphs(supplied, settings, err))) ||
        read_release(supplied, settings->release, arena, err))
        return -1;
    return make_instances(supplied, settings, err);
}

void cs_ptg_input_close(struct cs_ptg_input *supplied)
{
    for (int i = 0; i < supplied->sites; i++) {
        cs_ptg_instance_destroy(supplied->instance[i]);
        cs_platform_destroy(supplied->platform[i]);
    }
    cs_graph_list_release(&supplied->list);
    *supplied = (struct cs_ptg_input){0};
}
