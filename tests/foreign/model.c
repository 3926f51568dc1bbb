/* model.c - calls of what all problems share: workloads, platforms, graphs, fleets, schedules. */
#include "base/error.h"
#include "calls.h"
#include "check/check.h"
#include "model/fleet.h"
#include "model/graph.h"
#include "model/platform.h"
#include "model/policy.h"
#include "model/profile.h"
#include "model/schedule.h"

#include <cosched/fit.h>
#include <cosched/workload.h>
#include <math.h>

static void end_workload(void *w)
{
    cs_workload_destroy(w);
}

static void end_platform(void *p)
{
    cs_platform_destroy(p);
}

static void end_graph(void *g)
{
    cs_graph_destroy(g);
}

static void end_fleet(void *f)
{
    cs_fleet_destroy(f);
}

static void end_schedule(void *s)
{
    cs_schedule_destroy(s);
}

static struct cs_profile profile_of(struct caller *c)
{
    static const int procs[] = {1, 2, 4, 8}, mixed[] = {1, 4, 2, 8}, runs[] = {1, 1, 1, 1};
    static const double seconds[] = {8, 5, 3, 2.5}, odd[] = {8, NAN, -1, 0};

    return (struct cs_profile){
        .kind = c->tame ? CS_PROFILE_AMDAHL
                        : (enum cs_profile_kind)whole(c, CS_PROFILE_TABLE, CS_PROFILE_DOWNEY),
        .fewer = CS_FEWER_SCALE,
        .count = count(c, 4),
        .procs = is_wild(c) ? mixed : procs,
        .seconds = is_wild(c)   ? odd
                   : is_wild(c) ? NULL
                                : seconds,
        .runs = is_wild(c) ? runs : NULL,
        .run = is_wild(c) ? seconds : NULL,
        .seq_time = real(c, 1, 100),
        .seq_fraction = real(c, 0, 1),
        .overhead = real(c, 0, 0.1),
        .exponent = real(c, 0, 1),
        .parallelism = real(c, 1, 50),
        .sigma = real(c, 0, 2),
    };
}

static void workload_create(struct caller *c)
{
    static const char *const names[] = {"a", "b", "c", "d"}, *const twice[] = {"a", "b", "a", ""};
    struct cs_profile profile[4];
    struct cs_workload *w;

    for (int i = 0; i < 4; i++)
        profile[i] = profile_of(c);
    w = cs_workload_create(count(c, 4),
                           is_wild(c)   ? NULL
                           : is_wild(c) ? twice
                                        : names,
                           is_wild(c) ? NULL : profile, err_of(c));
    reported(c, !w);
    keep(c, WORKLOAD, w, end_workload);
}

static void workload_files(struct caller *c)
{
    const struct cs_workload_options options = {.size = sizeof options,
                                                .fill = (enum cs_profile_fill)whole(c, 0, 1)};
    struct cs_workload *w = cs_workload_read(word(c, "/dev/null"), &options, err_of(c));

    keep(c, WORKLOAD, w, end_workload);
    cs_workload_write(pick(c, WORKLOAD), word(c, "note"), "/dev/null", err_of(c));
    cs_workload_write(pick(c, WORKLOAD), NULL, c->tame ? "/dev/null" : "/dev/full", err_of(c));
}

static void fits(struct caller *c)
{
    const struct cs_profile profile = profile_of(c);
    const struct cs_workload *w = pick(c, WORKLOAD);
    struct cs_fit fit[32];
    enum cs_fit_kind used[32];

    cs_fit_profile(is_wild(c) ? NULL : &profile, fit, err_of(c));
    if (!w || w->count <= 32)
        keep(c, WORKLOAD,
             cs_fit_workload(w, (enum cs_fit_kind)whole(c, 0, 2), fit, is_wild(c) ? NULL : used,
                             err_of(c)),
             end_workload);
    cs_profile_time(is_wild(c) ? NULL : &profile, whole(c, 1, 9));
    if (w)
        cs_profile_origin(&w->profile[0], whole(c, 1, 9));
    cs_fit_kind_name((enum cs_fit_kind)whole(c, 0, 2));
    cs_time_origin_name((enum cs_time_origin)whole(c, 1, 4));
}

static void platform_create(struct caller *c)
{
    const struct cs_cluster cluster[] = {
        {word(c, "east"),
         few(c, 8),
         real(c, 1e9, 2e9),
         0,
         real(c, 1e6, 1e9),
         0,
         0,
         {0, 0, 0, 0, 0}},
        {word(c, "west"),
         few(c, 8),
         real(c, 1e9, 2e9),
         0,
         real(c, 1e6, 1e9),
         0,
         0,
         {0, 0, 0, 0, 0}},
    };
    const struct cs_backbone backbone = {false, real(c, 1e6, 1e9), real(c, 0, 1)};
    struct cs_platform *p;

    p = cs_platform_create_grid(word(c, "grid"), word(c, "node"), count(c, 2), cluster,
                                is_wild(c) ? NULL : &backbone, err_of(c));
    reported(c, !p);
    keep(c, PLATFORM, p, end_platform);
    p = cs_platform_create(word(c, "node"), count(c, 2), is_wild(c) ? NULL : cluster, err_of(c));
    reported(c, !p);
    keep(c, PLATFORM, p, end_platform);
    p = cs_platform_homogeneous(word(c, "node"), whole(c, 1, 16), err_of(c));
    reported(c, !p);
    keep(c, PLATFORM, p, end_platform);
}

static void platform_more(struct caller *c)
{
    struct cs_platform *p = cs_platform_site(word(c, "grid5000-nancy"), err_of(c));

    reported(c, !p);
    keep(c, PLATFORM, p, end_platform);
    keep(c, PLATFORM, cs_platform_copy(pick(c, PLATFORM)), end_platform);
    cs_platform_cluster_of(pick(c, PLATFORM), whole(c, 0, 9));
    cs_platform_site_name(whole(c, 0, 4));
    p = cs_platform_read(word(c, "/dev/null"), err_of(c));
    keep(c, PLATFORM, p, end_platform);
}

static void graph_create(struct caller *c)
{
    const struct cs_graph_task task[] = {
        {.name = word(c, "x"), .flops = real(c, 1e9, 1e10), .alpha = real(c, 0, 1)},
        {.name = word(c, "y"), .flops = real(c, 1e9, 1e10), .alpha = real(c, 0, 1)},
        {.name = word(c, "z"), .flops = real(c, 1e9, 1e10), .alpha = real(c, 0, 1)},
    };
    const struct cs_graph_arc arc[] = {
        {whole(c, 0, 0), whole(c, 1, 2), real(c, 0, 1e6)},
        {whole(c, 1, 1), whole(c, 2, 2), real(c, 0, 1e6)},
    };
    struct cs_graph *g =
        cs_graph_create(word(c, "graph"), c->tame ? 3 : count(c, 3), is_wild(c) ? NULL : task,
                        count(c, 2), is_wild(c) ? NULL : arc, err_of(c));

    reported(c, !g);
    keep(c, GRAPH, g, end_graph);
}

static void graph_more(struct caller *c)
{
    const struct cs_graph_reading how = CS_GRAPH_READING;
    const struct cs_graph *g = pick(c, GRAPH);
    const int procs[3] = {1, 2, 1};
    double bottom[3];

    keep(c, GRAPH, cs_graph_read(word(c, "/dev/null"), &how, err_of(c)), end_graph);
    reported(c, cs_graph_write(pick(c, GRAPH), target(c), err_of(c)) != 0);
    cs_graph_task_time(g ? &g->task[0] : NULL, whole(c, 1, 4), real(c, 1e9, 2e9));
    if (!g || g->tasks <= 3)
        cs_graph_critical_path(g, is_wild(c) ? NULL : procs, 1e9, is_wild(c) ? NULL : bottom);
}

static void fleet_create(struct caller *c)
{
    const char *const text[] = {word(c, "u12 d3 u5"), word(c, "u20"), word(c, "d1 r4 u15")};
    const char *const path[] = {"/dev/null", word(c, "/nowhere")};
    struct cs_fleet *f =
        cs_fleet_create_text(count(c, 3), is_wild(c) ? NULL : text, real(c, 1, 60), err_of(c));

    reported(c, !f);
    if (f) {
        cs_fleet_run_at(is_wild(c) ? NULL : &f->host[0], whole(c, 0, 25));
        cs_fleet_run_begin(is_wild(c) ? NULL : &f->host[0], whole(c, 0, 3));
    }
    keep(c, FLEET, f, end_fleet);
    keep(c, FLEET, cs_fleet_read(is_wild(c) ? NULL : path, count(c, 1), NULL, err_of(c)),
         end_fleet);
    cs_fleet_letter((enum cs_fleet_state)whole(c, 0, 3));
}

static void schedule_create(struct caller *c)
{
    const char *const name[] = {word(c, "a"), "b", word(c, "c")};

    keep(
        c, SCHEDULE,
        cs_schedule_create(word(c, "pack"), whole(c, 4, 16), count(c, 3), is_wild(c) ? NULL : name),
        end_schedule);
}

static void schedule_add(struct caller *c)
{
    const struct cs_interval set[] = {{whole(c, 0, 1), whole(c, 1, 2)}, {3, whole(c, 3, 3)}};
    const struct cs_bar bar = {
        .kind = (enum cs_bar_kind)whole(c, CS_BAR_WORK, CS_BAR_KIND_LAST),
        .task = whole(c, 0, 2),
        .attempt = whole(c, 1, 2),
        .group = whole(c, 0, 1),
        .start = real(c, 0, 9),
        .end = real(c, 9, 20),
        .intervals = count(c, 2),
        .procs = is_wild(c) ? NULL : set,
    };
    struct cs_schedule *s = pick(c, SCHEDULE);

    reported(c, cs_schedule_add(s, is_wild(c) ? NULL : &bar, err_of(c)) != 0);
    if (!c->tame)
        reported(c, cs_schedule_set_platform(s, pick(c, PLATFORM), err_of(c)) != 0);
}

static void schedule_ask(struct caller *c)
{
    const struct cs_schedule *s = pick(c, SCHEDULE);
    size_t bars;

    cs_schedule_bars(s, is_wild(c) ? NULL : &bars);
    cs_schedule_platform(s);
    cs_schedule_problem(s);
    cs_schedule_procs(s);
    cs_schedule_tasks(s);
    cs_schedule_task_name(s, whole(c, 0, 2));
    cs_schedule_makespan(s);
    cs_bar_kind_name((enum cs_bar_kind)whole(c, 1, CS_BAR_KIND_LAST));
}

static void errors(struct caller *c)
{
    cs_error_set(is_wild(c) ? NULL : err_of(c), "%s", "a sentence");
    cs_error_set_as(is_wild(c) ? NULL : err_of(c), CS_ERROR_POLICY, "%s", "a sentence");
    cs_error_set_at(is_wild(c) ? NULL : err_of(c), CS_ERROR_INPUT, is_wild(c) ? NULL : "a file",
                    whole(c, 0, 9), "%s", "a sentence");
    cs_error_pass(is_wild(c) ? NULL : err_of(c),
                  is_wild(c) ? NULL : &(struct cs_error){"a sentence", CS_ERROR_POLICY, "", 0});
    cs_error_prefix(is_wild(c) ? NULL : &c->err, "%d", whole(c, 0, 9));
}

const struct call model_calls[] = {
    {"workload_create", workload_create},
    {"workload_files", workload_files},
    {"fits", fits},
    {"platform_create", platform_create},
    {"platform_more", platform_more},
    {"graph_create", graph_create},
    {"graph_more", graph_more},
    {"fleet_create", fleet_create},
    {"schedule_create", schedule_create},
    {"schedule_add", schedule_add},
    {"schedule_ask", schedule_ask},
    {"errors", errors},
    {NULL, NULL},
};
