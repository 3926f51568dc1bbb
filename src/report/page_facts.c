/* page_facts.c - facts about a schedule above its chart. */
#include "check/check.h"
#include "model/energy.h"
#include "report/human.h"
#include "report/page_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VIOLATIONS 20

/* One fact: its name, its value, and what makes it precise ("" for nothing). */
static void put_fact(struct cs_jsonw *w, const char *name, const char *value, const char *detail)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", name);
    cs_jsonw_put_string(w, "value", value);
    if (detail[0])
        cs_jsonw_put_string(w, "detail", detail);
    cs_jsonw_close(w);
}

/* Text under way: a value and its detail. */
struct words {
    struct cs_strbuf value, detail;
};

static void page_facts_say(struct cs_jsonw *w, const char *name, struct words *words)
{
    put_fact(w, name, words->value.text, words->detail.text);
    cs_strbuf_clear(&words->value);
    cs_strbuf_clear(&words->detail);
}

static void say_count(struct cs_jsonw *w, const char *name, long long count, struct words *words)
{
    cs_human_count(&words->value, count);
    page_facts_say(w, name, words);
}

static void page_facts_put_time(const struct cs_page_scene *scene, double seconds,
                                struct words *words)
{
    if (scene->slots) {
        cs_human_units(&words->value, llround(seconds), "slot");
        return;
    }
    cs_human_duration(&words->value, seconds);
    cs_human_digits(&words->detail, seconds, 9);
    cs_strbuf_puts(&words->detail, " s");
}

/* How far a value is above its bound, or that it is proven to be the best one. */
static void put_gap(struct cs_jsonw *w, double value, double bound, bool optimal,
                    struct words *words)
{
    if (optimal || value <= bound) {
        put_fact(w, "Gap", "none", "proven optimal");
        return;
    }
    cs_human_percent(&words->value, value / bound - 1, 1);
    cs_strbuf_puts(&words->detail, "at most above the best");
    page_facts_say(w, "Gap", words);
}

static void put_makespan(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const struct cs_schedule_file *file = scene->file;
    const double makespan = cs_schedule_makespan(scene->schedule);

    page_facts_put_time(scene, makespan, words);
    page_facts_say(w, "Makespan", words);
    if (file->spot)
        return;
    if (!(scene->bound > 0)) {
        put_fact(w, "Lower bound", "none", "not in the file");
        return;
    }
    page_facts_put_time(scene, scene->bound, words);
    page_facts_say(w, "Lower bound", words);
    put_gap(w, makespan, scene->bound, file->pack && file->pack->optimal, words);
}

static void put_use(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const struct cs_gantt *g = &scene->gantt;
    double all = g->procs * (g->end - g->begin), idle = 1 - g->busy / all;

    cs_human_percent(&words->value, g->busy / all, 1);
    cs_human_percent(&words->detail, idle > 1e-9 ? idle : 0, 1);
    cs_strbuf_puts(&words->detail, " idle");
    page_facts_say(w, "Utilisation", words);
}

/* Resources of a general bag besides processors. */
static void put_bag_use(struct cs_jsonw *w, const struct cs_bag_declared *bag, struct words *words)
{
    for (int r = 0; r < bag->uses; r++) {
        if (!strcmp(bag->use[r].name, "procs"))
            continue;
        cs_human_percent(&words->value, bag->use[r].value, 1);
        cs_strbuf_puts(&words->detail, "mean use");
        page_facts_say(w, bag->use[r].name, words);
    }
}

static void page_facts_put_energy(struct cs_jsonw *w, const struct cs_energy *energy,
                                  struct words *words)
{
    cs_human_fixed(&words->value, energy->total / 3.6e6, 3);
    cs_strbuf_puts(&words->value, " kWh");
    cs_human_percent(&words->detail, energy->idle / energy->total, 1);
    cs_strbuf_puts(&words->detail, " idle power");
    page_facts_say(w, "Energy", words);
}

static void put_pack(struct cs_jsonw *w, const struct cs_pack_declared *pack, struct words *words)
{
    if (pack->packs)
        say_count(w, "Packs", pack->packs, words);
    if (isfinite(pack->relative_cost)) {
        cs_human_fixed(&words->value, pack->relative_cost, 3);
        cs_strbuf_puts(&words->detail, "1 is one after the other");
        page_facts_say(w, "Relative cost", words);
    }
}

static void put_rigid(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const struct cs_rigid_declared *rigid = scene->file->rigid;
    long long failures = 0;

    if (rigid->priority[0])
        put_fact(w, "Priority", rigid->priority, "");
    for (int i = 0; rigid->failures && i < cs_schedule_tasks(scene->schedule); i++)
        failures += rigid->failures[i];
    if (rigid->scenario >= 0 && (failures || !rigid->submit)) {
        cs_strbuf_printf(&words->detail, "scenario %d", rigid->scenario);
        say_count(w, "Failures", failures, words);
    }
}

static void put_share(struct cs_jsonw *w, const char *name, const struct cs_page_scene *scene,
                      enum cs_ribbons_share share, struct words *words)
{
    const struct cs_ribbons *s = &scene->stream;

    cs_human_percent(&words->value, s->share[share] / (s->procs * s->end), 1);
    cs_strbuf_puts(&words->detail, "of processor time");
    page_facts_say(w, name, words);
}

static void put_malleable(struct cs_jsonw *w, const struct cs_page_scene *scene,
                          struct words *words)
{
    int failures_hit = 0;

    for (int i = 0; i < scene->faults; i++)
        failures_hit += scene->fault[i].failures_hit;
    if (failures_hit < scene->faults) {
        cs_human_count(&words->detail, scene->faults - failures_hit);
        cs_strbuf_puts(&words->detail, " of them harmless");
    }
    say_count(w, "Failures", scene->faults, words);
    put_share(w, "Lost work", scene, CS_RIBBONS_LOST, words);
    put_share(w, "Checkpoints", scene, CS_RIBBONS_CHECKPOINT, words);
    put_share(w, "Moves", scene, CS_RIBBONS_MOVE, words);
}

static void put_volatile(struct cs_jsonw *w, const struct cs_volatile_declared *trial,
                         struct words *words)
{
    cs_strbuf_printf(&words->value, "%d of %d", trial->completed, trial->iterations);
    cs_human_units(&words->detail, trial->tasks, "task");
    cs_strbuf_puts(&words->detail, " each");
    page_facts_say(w, "Iterations", words);
    say_count(w, "Configurations", trial->configurations, words);
}

static int by_cost(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* No run costs less than its ticks of work at the cheapest ticks of the market. */
static double spot_bound(const struct cs_spot_declared *d, struct cs_arena *arena)
{
    double *cost = CS_NEW_ARRAY(arena, double, d->ticks), sum = 0;

    for (int t = 0; t < d->ticks; t++) {
        const double spot = d->price ? d->price[t] : d->spot;

        cost[t] = d->there[t] && spot < d->demand ? spot : d->demand;
    }
    qsort(cost, (size_t)d->ticks, sizeof *cost, by_cost);
    for (int t = 0; t < d->work; t++)
        sum += t < d->ticks ? cost[t] : cost[d->ticks - 1];
    return sum;
}

static void put_spot(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const struct cs_spot_declared *d = scene->file->spot;
    const double bound = d->ticks > 0 ? spot_bound(d, scene->arena) : 0;

    cs_human_digits(&words->value, d->cost, 4);
    page_facts_say(w, "Cost", words);
    if (bound > 0) {
        cs_human_digits(&words->value, bound, 4);
        cs_strbuf_puts(&words->detail, "work in the cheapest slots");
        page_facts_say(w, "Lower bound", words);
        put_gap(w, d->cost, bound, false, words);
    }
    say_count(w, "Starts", d->starts, words);
    cs_human_duration(&words->value, d->deadline * d->tick);
    if (d->late > 0) {
        cs_human_duration(&words->detail, d->late * d->tick);
        cs_strbuf_puts(&words->detail, " late");
    }
    page_facts_say(w, "Deadline", words);
}

/* The prediction of a dry run has the form of an executed run. */
static bool page_facts_ran(const struct cs_schedule_file *file)
{
    return file->observed && strcmp(file->observed->engine, "dry") != 0;
}

static void put_observed(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const int tasks = scene->gantt.tasks, left = scene->file->observed->unfinished;

    cs_strbuf_printf(&words->value, "%d of %d", tasks - left, tasks);
    if (left) {
        cs_human_units(&words->detail, left, "task");
        cs_strbuf_puts(&words->detail, " did not");
    }
    page_facts_say(w, "Ended well", words);
}

static void put_problem(struct cs_jsonw *w, const struct cs_page_scene *scene, struct words *words)
{
    const struct cs_schedule_file *file = scene->file;

    if (page_facts_ran(file))
        put_observed(w, scene, words);
    if (file->pack)
        put_pack(w, file->pack, words);
    if (file->moldable && file->moldable->bag)
        put_bag_use(w, file->moldable->bag, words);
    if (file->rigid)
        put_rigid(w, scene, words);
    if (file->malleable)
        put_malleable(w, scene, words);
    if (file->ptg)
        say_count(w, "Graphs", file->ptg->graphs, words);
    if (file->trial)
        put_volatile(w, file->trial, words);
    if (file->spot)
        put_spot(w, scene, words);
}

/* "Applications that widen and narrow: 6 tasks in 1,707 bars on 64 nodes · local" */
static void put_lead(struct cs_jsonw *w, const struct cs_page_scene *scene, struct cs_strbuf *text)
{
    static const struct {
        const char *problem, *words;
    } about[] = {
        {"pack", "Packs of applications"},
        {"moldable", "Applications without barriers"},
        {"malleable", "Applications that widen and narrow"},
        {"ptg", "Task graphs that share clusters"},
        {"rigid", "Jobs that may have to run again"},
        {"volatile", "Iterations on hosts that come and go"},
        {"spot", "A job with a deadline on spot and on-demand instances"},
    };
    const struct cs_platform *platform = cs_schedule_platform(scene->schedule);
    const char *words = "A schedule";

    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (!strcmp(about[i].problem, cs_schedule_problem(scene->schedule)))
            words = about[i].words;
    if (scene->file->rigid && scene->file->rigid->submit)
        words = "Jobs that arrive";
    cs_strbuf_printf(text, "%s: ", words);
    cs_human_units(text, scene->gantt.tasks, scene->slots ? "iteration" : "task");
    cs_strbuf_puts(text, " in ");
    cs_human_units(text, (long long)scene->gantt.bars, "bar");
    cs_strbuf_puts(text, " on ");
    cs_human_units(text, scene->gantt.procs, scene->unit);
    if (platform && platform->clusters > 1) {
        cs_strbuf_puts(text, " of ");
        cs_human_units(text, platform->clusters, "cluster");
    }
    if (scene->file->policy[0])
        cs_strbuf_printf(text, " \xc2\xb7 %s", scene->file->policy);
    if (page_facts_ran(scene->file))
        cs_strbuf_puts(text, " \xc2\xb7 observed");
    cs_jsonw_put_string(w, "lead", text->text);
    cs_strbuf_clear(text);
}

/* The verdict as a fact, the first violations as text. */
static void put_check(struct cs_jsonw *w, const struct cs_check_report *report)
{
    cs_jsonw_key(w, "check");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "total", (int64_t)report->total);
    cs_jsonw_key(w, "violations");
    cs_jsonw_open(w, '[');
    for (size_t i = 0; i < report->count; i++)
        cs_jsonw_string(w, report->item[i].text);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

void cs_page_scene_put_facts(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    struct words words = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_check_report *report = cs_check_report_create(MOST_VIOLATIONS);

    cs_check_file(scene->file, report);
    put_lead(w, scene, &words.value);
    cs_jsonw_key(w, "facts");
    cs_jsonw_open(w, '[');
    put_makespan(w, scene, &words);
    put_use(w, scene, &words);
    if (scene->file->energy)
        page_facts_put_energy(w, &scene->file->energy->energy, &words);
    put_problem(w, scene, &words);
    cs_jsonw_close(w);
    put_check(w, report);
    cs_check_report_destroy(report);
    cs_strbuf_release(&words.value);
    cs_strbuf_release(&words.detail);
}
