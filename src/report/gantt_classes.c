/* gantt_classes.c - classes of bars as the owners of colours: by user, width, wait, kind, ... */
#include "base/order.h"
#include "base/plain.h"
#include "io/names.h"
#include "model/bars.h"
#include "report/gantt_parts.h"

#include <math.h>
#include <string.h>

enum { CLASSES = 5, USERS = 11 };

/* Facts for the classes of a task: its most processors, when it first started, its attempts. */
struct task_facts {
    double procs, start, work;
    int attempts;
    bool lost; /* its last bar is lost work */
};

static struct task_facts *gantt_classes_facts(const struct cs_gantt *g)
{
    struct task_facts *fact = CS_NEW_ARRAY(g->arena, struct task_facts, g->tasks);

    for (size_t b = 0; b < g->bars; b++) {
        const struct cs_bar *bar = &g->bar[b];
        struct task_facts *f = &fact[bar->task];
        double procs = (double)cs_bar_procs(bar);

        f->start = f->attempts ? fmin(f->start, bar->start) : bar->start;
        f->procs = fmax(f->procs, procs);
        f->work += procs * (bar->end - bar->start);
        if (bar->attempt >= f->attempts)
            f->lost = bar->kind == CS_BAR_LOST;
        f->attempts = bar->attempt > f->attempts ? bar->attempt : f->attempts;
    }
    return fact;
}

/* The first class whose limit the value does not exceed. */
static int class_up_to(double value, const double *limit)
{
    int c = 0;

    while (c < CLASSES - 1 && value > limit[c])
        c++;
    return c;
}

static int class_of(const struct cs_gantt *g, const struct task_facts *fact, int task)
{
    static const double share[] = {0.01, 0.05, 0.2, 0.5}, wait[] = {0, 600, 3600, 43200};
    const double *submit = g->options.submit;

    switch (g->options.color_by) {
    case CS_COLOR_WIDTH:
        return class_up_to(fact->procs / g->procs, share);
    case CS_COLOR_WAIT:
        return class_up_to(fact->start - (submit ? submit[task] : 0), wait);
    case CS_COLOR_STATE:
        return fact->lost ? 2 : fact->attempts > 1;
    default:
        return 0;
    }
}

static void gantt_classes_put(struct cs_gantt *g, int classes, const char *const *name)
{
    const struct task_facts *fact = gantt_classes_facts(g);
    int *owner = CS_NEW_ARRAY(g->arena, int, g->tasks);

    for (int i = 0; i < g->tasks; i++)
        owner[i] = class_of(g, &fact[i], i);
    g->options.owners = classes;
    g->options.owner = owner;
    g->options.owner_name = name;
}

/* A class for each of the users with most processor time, and one for the others together. */
static int gantt_classes_users(struct cs_gantt *g, struct cs_error *err)
{
    struct cs_names *names = cs_names_create(g->arena);
    const struct task_facts *fact = gantt_classes_facts(g);
    int *owner = CS_NEW_ARRAY(g->arena, int, g->tasks), *place, *order, users;
    const char *const *name, **listed = CS_NEW_ARRAY(g->arena, const char *, USERS + 1);
    char *others = CS_NEW_ARRAY(g->arena, char, 32);
    double *work;

    if (!g->options.user)
        return cs_error_set(err, "the tasks of this schedule have no users");
    for (int i = 0; i < g->tasks; i++)
        owner[i] = cs_names_add(names, g->options.user[i] ? g->options.user[i] : "");
    name = cs_names_list(names, &users);
    work = CS_NEW_ARRAY(g->arena, double, users);
    place = CS_NEW_ARRAY(g->arena, int, users);
    order = CS_NEW_ARRAY(g->arena, int, users);
    for (int i = 0; i < g->tasks; i++)
        work[owner[i]] += fact[i].work;
    cs_order_descending(work, users, order, g->arena);
    for (int u = 0; u < users; u++) {
        const bool own = u < USERS || users == USERS + 1;

        place[order[u]] = own ? u : USERS;
        if (own)
            listed[u] = name[order[u]][0] ? name[order[u]] : "unknown user";
    }
    if (users > USERS + 1) {
        cs_plain_print(others, 32, "%d other users", users - USERS);
        listed[USERS] = others;
    }
    for (int i = 0; i < g->tasks; i++)
        owner[i] = place[owner[i]];
    g->options.owners = users < USERS + 1 ? users : USERS + 1;
    g->options.owner = owner;
    g->options.owner_name = listed;
    return 0;
}

static const char *const *kind_names(struct cs_gantt *g)
{
    const char **name = CS_NEW_ARRAY(g->arena, const char *, CS_GANTT_KINDS);

    for (int kind = CS_BAR_WORK; kind < CS_GANTT_KINDS; kind++)
        name[kind] = cs_gantt_kind_label((enum cs_bar_kind)kind);
    return name;
}

/* One colour for all tasks, that of their problem in every chart. */
static int gantt_classes_problem(struct cs_gantt *g, struct cs_error *err)
{
    static const char *const problem[] = {"pack", "moldable", "malleable", "ptg", "rigid", "spot"};
    enum { PROBLEMS = sizeof problem / sizeof *problem };
    const char **name = CS_NEW_ARRAY(g->arena, const char *, PROBLEMS + 1);
    const char *own = cs_schedule_problem(g->schedule);
    int *owner = CS_NEW_ARRAY(g->arena, int, g->tasks), at = 0;

    if (!own[0])
        return cs_error_set(err, "this schedule names no problem");
    while (at < PROBLEMS && strcmp(problem[at], own) != 0)
        at++;
    name[at] = own;
    for (int i = 0; i < g->tasks; i++)
        owner[i] = at;
    g->options.owners = PROBLEMS + 1;
    g->options.owner = owner;
    g->options.owner_name = name;
    return 0;
}

int cs_gantt_classify(struct cs_gantt *g, struct cs_error *err)
{
    static const char *const width[CLASSES] = {"at most 1 % of the machine", "1 to 5 %",
                                               "5 to 20 %", "20 to 50 %", "more than 50 %"};
    static const char *const wait[CLASSES] = {"no wait", "up to 10 min", "up to 1 h", "up to 12 h",
                                              "more than 12 h"};
    static const char *const state[] = {"ended at the first try", "ended at a later try",
                                        "did not end"};

    switch (g->options.color_by) {
    case CS_COLOR_USER:
        return gantt_classes_users(g, err);
    case CS_COLOR_PROBLEM:
        return gantt_classes_problem(g, err);
    case CS_COLOR_KIND:
        g->options.owners = CS_GANTT_KINDS;
        g->options.owner_name = kind_names(g);
        return 0;
    case CS_COLOR_TASK:
        return 0;
    default:
        break;
    }
    g->ordered = g->options.color_by != CS_COLOR_STATE;
    gantt_classes_put(g, g->ordered ? CLASSES : 3,
                      g->options.color_by == CS_COLOR_WIDTH  ? width
                      : g->options.color_by == CS_COLOR_WAIT ? wait
                                                             : state);
    return 0;
}
