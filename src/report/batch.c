/* batch.c - steps in the order of their planned starts, with a wait for each dependency.
 *
 * Simple shell commands: users can read the plan in the script, and change it.
 */
#include "report/batch.h"

#include "base/arena.h"
#include "base/order.h"
#include "base/plain.h"
#include "model/bars.h"

#include <math.h>
#include <string.h>

#define LONGER 1.2 /* times the plan, before the allocation ends */

struct script {
    const struct cs_schedule *schedule;
    const struct cs_batch *batch;
    const struct cs_bar **bar; /* by task */
    int tasks, *order;         /* by planned start, end, index */
    double *edge;              /* processors where a bar begins, or is over; ascending */
    int edges, *last;          /* by edge: the task that has those from there on last, so far; -1 */
    bool *before, *waited;     /* by task: of the present one; already */
    bool *wanted;              /* by task: another task waits for it */
    bool nodes;
    struct cs_strbuf *out;
};

int cs_batch_bars(const struct cs_schedule *schedule, const char *form, const char *piece,
                  const struct cs_bar **of, struct cs_error *err)
{
    const struct cs_bar *bar;
    size_t count;

    bar = cs_schedule_bars(schedule, &count);
    for (size_t b = 0; b < count; b++) {
        if (bar[b].kind != CS_BAR_WORK)
            continue;
        if (of[bar[b].task])
            return cs_error_set(err,
                                "task %s has several bars in the plan, and a %s has one "
                                "%s for each",
                                cs_schedule_task_name(schedule, bar[b].task), form, piece);
        of[bar[b].task] = &bar[b];
    }
    for (int t = 0; t < cs_schedule_tasks(schedule); t++)
        if (!of[t])
            return cs_error_set(err, "task %s is not in the plan",
                                cs_schedule_task_name(schedule, t));
    return 0;
}

void cs_batch_order(const struct cs_bar *const *bar, int tasks, int *order,
                    struct cs_arena *scratch)
{
    double *key = CS_NEW_ARRAY(scratch, double, tasks);
    int *by_end = CS_NEW_ARRAY(scratch, int, tasks);

    for (int t = 0; t < tasks; t++)
        key[t] = bar[t]->end;
    cs_order_ascending(key, tasks, by_end, scratch);
    for (int k = 0; k < tasks; k++)
        key[k] = bar[by_end[k]]->start;
    cs_order_ascending(key, tasks, order, scratch);
    for (int k = 0; k < tasks; k++)
        order[k] = by_end[order[k]];
}

/* Between two edges all processors have the same tasks, and there are few of them however many
 * processors there are. */
static void find_edges(struct script *s, struct cs_arena *arena)
{
    int all = 0;

    for (int t = 0; t < s->tasks; t++)
        all += 2 * s->bar[t]->intervals;
    s->edge = CS_NEW_ARRAY(arena, double, all);
    s->last = CS_NEW_ARRAY(arena, int, all);
    all = 0;
    for (int t = 0; t < s->tasks; t++)
        for (int k = 0; k < s->bar[t]->intervals; k++) {
            s->edge[all++] = s->bar[t]->procs[k].first;
            s->edge[all++] = s->bar[t]->procs[k].last + 1.0;
        }
    cs_order_sort_doubles(s->edge, all, arena);
    for (int k = 0; k < all; k++)
        if (k == 0 || s->edge[k] > s->edge[s->edges - 1])
            s->edge[s->edges++] = s->edge[k];
}

static int edge_at(const struct script *s, int processor)
{
    int low = 0, high = s->edges - 1;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (s->edge[middle] < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Those that the task at this place of the order must wait for, as s->before. */
static void find_before(struct script *s, int place)
{
    const struct cs_bar *bar = s->bar[s->order[place]];

    memset(s->before, 0, (size_t)s->tasks * sizeof *s->before);
    for (int k = 0; k < bar->intervals; k++)
        for (int e = edge_at(s, bar->procs[k].first); s->edge[e] <= bar->procs[k].last; e++) {
            if (s->last[e] >= 0)
                s->before[s->last[e]] = true;
            s->last[e] = s->order[place];
        }
    for (int k = 0; s->batch->graphs && k < place; k++)
        if (s->bar[s->order[k]]->end <= bar->start)
            s->before[s->order[k]] = true;
}

static void find_wanted(struct script *s)
{
    for (int e = 0; e < s->edges; e++)
        s->last[e] = -1;
    for (int k = 0; k < s->tasks; k++) {
        find_before(s, k);
        for (int t = 0; t < s->tasks; t++)
            s->wanted[t] = s->wanted[t] || s->before[t];
    }
    for (int e = 0; e < s->edges; e++)
        s->last[e] = -1;
}

static void batch_put_head(struct script *s)
{
    const int procs = cs_schedule_procs(s->schedule);
    const double minutes = ceil(cs_schedule_makespan(s->schedule) * LONGER / 60);

    cs_strbuf_printf(s->out,
                     "#!/bin/sh\n"
                     "#SBATCH --%s=%d\n"
                     "#SBATCH --time=%.0f\n%s\n",
                     s->nodes ? "nodes" : "ntasks", procs, fmax(1, minutes),
                     s->nodes ? "#SBATCH --exclusive\n#SBATCH --mem=0\n" : "");
    if (s->batch->command) {
        cs_strbuf_puts(s->out, "# Written by: ");
        for (const char *c = s->batch->command; *c; c++)
            cs_strbuf_putc(s->out, *c == '\n' || *c == '\r' ? ' ' : *c);
        cs_strbuf_putc(s->out, '\n');
    }
    cs_strbuf_printf(s->out,
                     "# usage: sbatch FILE COMMAND...\n"
                     "#\n"
                     "# A step of srun for each of %d tasks: COMMAND... NAME %s, its output in "
                     "NAME.out.\n"
                     "# A step begins when those have ended that have its processors before it in "
                     "the plan%s.\n"
                     "# They take %.17g s there.\n\n",
                     s->tasks, s->nodes ? "NODES" : "PROCESSORS",
                     s->batch->graphs ? ", and all\n# that end there before it starts" : "",
                     cs_schedule_makespan(s->schedule));
}

static void put_functions(struct script *s)
{
    cs_strbuf_puts(s->out, "failed=$(mktemp) || exit\n"
                           "trap 'rm -f \"$failed\"' EXIT\n"
                           "[ $# -gt 0 ] || {\n"
                           "    echo 'usage: sbatch FILE COMMAND...' >&2\n"
                           "    exit 2\n"
                           "}\n\n");
    if (s->nodes)
        cs_strbuf_puts(
            s->out, "# Some nodes of the allocation, by their lines, with commas between them.\n"
                    "nodes() {\n"
                    "    scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n \"$1\" | "
                    "paste -s -d , -\n"
                    "}\n\n"
                    "# step NAME NODES LINES COMMAND...\n"
                    "step() {\n"
                    "    name=$1 count=$2 on=$(nodes \"$3\")\n"
                    "    shift 3\n"
                    "    srun -Q --exact --mem=0 --kill-on-bad-exit=1 -N \"$count\" -n \"$count\" "
                    "-w \"$on\" -o \"$name.out\" \\\n"
                    "        \"$@\" </dev/null || echo \"$name\" >>\"$failed\"\n"
                    "}\n\n");
    else
        cs_strbuf_puts(s->out,
                       "# step NAME PROCESSORS COMMAND...\n"
                       "step() {\n"
                       "    name=$1 count=$2\n"
                       "    shift 2\n"
                       "    srun -Q --exact --mem=0 --kill-on-bad-exit=1 -n \"$count\" -c 1 "
                       "-o \"$name.out\" \\\n"
                       "        \"$@\" </dev/null || echo \"$name\" >>\"$failed\"\n"
                       "}\n\n");
}

/* "1,4p;7p" for sed. */
static void put_lines(struct script *s, const struct cs_bar *bar)
{
    for (int k = 0; k < bar->intervals; k++)
        cs_strbuf_printf(s->out, bar->procs[k].first == bar->procs[k].last ? "%s%dp" : "%s%d,%dp",
                         k ? ";" : "", bar->procs[k].first + 1, bar->procs[k].last + 1);
}

static void put_waits(struct script *s)
{
    bool some = false;

    for (int t = 0; t < s->tasks; t++)
        if (s->before[t] && !s->waited[t]) {
            cs_strbuf_printf(s->out, "%s \"$p%d\"", some ? "" : "wait", t);
            some = s->waited[t] = true;
        }
    if (some)
        cs_strbuf_putc(s->out, '\n');
}

/* The name of the output of a task: its name, or "~INDEX", with which no such name begins. */
static void put_label(struct script *s, int task)
{
    const char *name = cs_schedule_task_name(s->schedule, task), *at = name;

    while (cs_plain_is_word(*at) || (at > name && *at && strchr("._-", *at)))
        at++;
    if (*name && !*at && at - name <= 100)
        cs_strbuf_puts(s->out, name);
    else
        cs_strbuf_printf(s->out, "'~%d'", task);
}

static void put_step(struct script *s, int place)
{
    const int task = s->order[place];
    const struct cs_bar *bar = s->bar[task];
    const char *name = cs_schedule_task_name(s->schedule, task);
    const int procs = (int)cs_bar_procs(bar);

    find_before(s, place);
    put_waits(s);
    cs_strbuf_puts(s->out, "step ");
    put_label(s, task);
    cs_strbuf_printf(s->out, " %d ", procs);
    if (s->nodes) {
        cs_strbuf_putc(s->out, '\'');
        put_lines(s, bar);
        cs_strbuf_puts(s->out, "' ");
    }
    cs_strbuf_puts(s->out, "\"$@\" ");
    cs_strbuf_put_shell(s->out, name);
    cs_strbuf_printf(s->out, " %d &\n", procs);
    if (s->wanted[task])
        cs_strbuf_printf(s->out, "p%d=$!\n", task);
}

static void put_all(struct script *s)
{
    batch_put_head(s);
    put_functions(s);
    find_wanted(s);
    for (int k = 0; k < s->tasks; k++)
        put_step(s, k);
    cs_strbuf_puts(s->out, "wait\n\n"
                           "[ ! -s \"$failed\" ] && exit\n"
                           "echo \"these have failed: $(paste -s -d ' ' \"$failed\")\" >&2\n"
                           "exit 1\n");
}

int cs_batch_put(const struct cs_schedule *schedule, const struct cs_batch *batch,
                 struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct script s = {
        .schedule = schedule,
        .batch = batch,
        .tasks = cs_schedule_tasks(schedule),
        .nodes = !strncmp(batch->unit, "node", 4),
        .out = out,
    };
    int status;

    s.bar = CS_NEW_ARRAY(arena, const struct cs_bar *, s.tasks);
    s.order = CS_NEW_ARRAY(arena, int, s.tasks);
    s.before = CS_NEW_ARRAY(arena, bool, s.tasks);
    s.waited = CS_NEW_ARRAY(arena, bool, s.tasks);
    s.wanted = CS_NEW_ARRAY(arena, bool, s.tasks);
    status = cs_batch_bars(schedule, "script", "step", s.bar, err);
    if (!status) {
        cs_batch_order(s.bar, s.tasks, s.order, arena);
        find_edges(&s, arena);
        put_all(&s);
    }
    cs_arena_destroy(arena);
    return status;
}
