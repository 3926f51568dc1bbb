/* ptg.h - the parts of "plan ptg". */
#ifndef CS_CLI_PTG_H
#define CS_CLI_PTG_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "io/graph_list.h"

#include <cosched/ptg.h>

/* A strategy and what came of it. */
struct cs_ptg_way {
    const char *name; /* with its parameters, as given */
    struct cs_ptg_request request;
    const double *own, *own_contended;   /* by graph: makespans alone */
    struct cs_ptg_plan *plan, *replayed; /* replayed: NULL unless asked for */
    struct cs_ptg_metrics *metrics, *contended;
};

/* One call of the command. */
struct cs_ptg_job {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    struct cs_platform *platform;
    struct cs_graph_list list;
    const double *release;    /* by graph; NULL: all at 0 */
    const char *const *label; /* by graph: names that are told apart */
    struct cs_ptg_instance *instance;
    struct cs_ptg_options options;
    enum cs_ptg_mode mode;
    bool replay;
    double *own, *own_contended; /* by graph: makespans alone, by shares; NULL until asked for */
    struct cs_ptg_bounds bounds;
    int ways;
    struct cs_ptg_way *way;
};

/* The graphs, the platform, the options and the strategies; -1 with err. */
int cs_ptg_job_read(struct cs_ptg_job *job, struct cs_error *err);

/* Plans and replays; -1 with err. */
int cs_ptg_job_run(struct cs_ptg_job *job, struct cs_error *err);

void cs_ptg_job_release(struct cs_ptg_job *job);

/* Does --strategy name more than one? */
bool cs_ptg_job_several(const struct cs_arguments *args);

/* Above the lower bound, as a fraction. */
double cs_ptg_job_gap(const struct cs_ptg_job *job, double makespan);

/* plan_ptg_show.c: what was found, in one of the formats. */
void cs_plan_ptg_show(const struct cs_ptg_job *job, enum cs_format format, struct cs_strbuf *out);

/* plan_ptg_files.c: --schedule and --gantt: is the line right (usage), can they be written, and
 * writing them; -1 with err. */
int cs_plan_ptg_check_line(const struct cs_arguments *args, struct cs_error *err);
int cs_plan_ptg_check_outputs(const struct cs_arguments *args, struct cs_error *err);
int cs_plan_ptg_files(const struct cs_ptg_job *job, struct cs_error *err);

#endif
