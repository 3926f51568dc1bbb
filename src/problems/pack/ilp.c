/* ilp.c - the policy ilp: the integer program of Theorem 4, as printed, for the record.
 *
 * Source: Aupy et al., Theorem 4; docs/spec/pack.md 4.
 *
 *   minimise sum y(b)        packs b = 0 .. n - 1, of which some stay empty
 *   x(i, j, b) = 1 when task i runs on j processors in pack b
 *   every task has one (j, b); a pack has at most K tasks and p processors;
 *   t(i, j) x(i, j, b) <= y(b)
 *
 * Valid but weak: packs can be renumbered at will, and half a task costs half its time.
 * The policy `exact` is the one to use.
 * Invariant: counts below the minimum of a task are fixed to 0.
 * Complexity: n + n^2 p columns; CBC needs seconds at n = 5, p = 6 (docs/spec/pack.md 4).
 *
 * constant  value  unit     found by                      half, double
 * TASKS         5  tasks    CBC at n = 5 takes seconds    not measured
 * COLUMNS     200  columns  x(i, j, b): n = 5, p <= 8      not measured
 * SCALE       100  scaled   absolute tolerances of CBC    not measured
 */
#include "config.h"
#include "problems/pack/policy.h"

#include <math.h>

#define TASKS 5
#define COLUMNS 200

#if CS_HAVE_CBC

#include "problems/pack/cbc.h"
#include "problems/pack/coin.h"

#define SCALE 100.0 /* the longest time becomes this, for CBC's absolute tolerances */

struct ilp {
    const struct cs_pack_instance *in;
    struct cs_pack_cbc *program;
    int tasks, procs;
    double scale;
    int *index; /* of one row */
    double *value;
    int count;
};

/* The columns y(0) .. y(n - 1) come first. */
static int x_of(const struct ilp *m, int i, int j, int b)
{
    return m->tasks + (i * m->procs + j - 1) * m->tasks + b;
}

static bool ilp_runs(const struct ilp *m, int i, int j)
{
    return j >= m->in->tasks->min_procs[i];
}

static void ilp_put(struct ilp *m, int column, double value)
{
    m->index[m->count] = column;
    m->value[m->count++] = value;
}

static void end_row(struct ilp *m, char sense, double rhs)
{
    cs_pack_cbc_row(m->program, m->count, m->index, m->value, sense, rhs);
    m->count = 0;
}

static void add_columns(struct ilp *m)
{
    int count = m->tasks * m->procs * m->tasks;

    for (int b = 0; b < m->tasks; b++)
        cs_pack_cbc_column(m->program, 1, false);
    for (int a = 0; a < count; a++)
        cs_pack_cbc_column(m->program, 0, true);
}

static void add_task_rows(struct ilp *m)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++) {
            for (int b = 0; b < m->tasks; b++)
                ilp_put(m, x_of(m, i, j, b), 1);
        }
        end_row(m, 'E', 1);
        for (int j = 1; j <= m->procs && !ilp_runs(m, i, j); j++) {
            for (int b = 0; b < m->tasks; b++)
                ilp_put(m, x_of(m, i, j, b), 1);
        }
        if (m->count)
            end_row(m, 'E', 0);
    }
}

static void add_pack_rows(struct ilp *m, int b)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++)
            ilp_put(m, x_of(m, i, j, b), 1);
    }
    end_row(m, 'L', m->in->pack_size);
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++)
            ilp_put(m, x_of(m, i, j, b), j);
    }
    end_row(m, 'L', m->procs);
}

static void add_time_rows(struct ilp *m)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++) {
            for (int b = 0; b < m->tasks && ilp_runs(m, i, j); b++) {
                ilp_put(m, x_of(m, i, j, b), cs_pack_time(m->in, i, j) * m->scale);
                ilp_put(m, b, -1);
                end_row(m, 'L', 0);
            }
        }
    }
}

static bool is_in(const struct ilp *m, const double *solution, int i, int b)
{
    for (int j = 1; j <= m->procs; j++) {
        if (solution[x_of(m, i, j, b)] > 0.5)
            return true;
    }
    return false;
}

static void read_plan(const struct ilp *m, const double *solution, struct cs_pack_plan *plan)
{
    for (int b = 0; b < m->tasks; b++) {
        int before = plan->tasks;

        for (int i = 0; i < m->tasks; i++) {
            if (is_in(m, solution, i, b))
                cs_pack_plan_add(plan, i, m->in->tasks->min_procs[i]);
        }
        if (plan->tasks > before)
            cs_pack_plan_close(plan, 0);
    }
}

/* What there is to show when patience ends first. */
static void run_alone(const struct ilp *m, struct cs_pack_plan *plan)
{
    for (int i = 0; i < m->tasks; i++) {
        cs_pack_plan_add(plan, i, m->in->tasks->min_procs[i]);
        cs_pack_plan_close(plan, 0);
    }
}

static double ilp_longest(const struct ilp *m)
{
    double most = 0;

    for (int i = 0; i < m->tasks; i++)
        most = fmax(most, cs_pack_time(m->in, i, m->in->tasks->min_procs[i]));
    return most;
}

static void ilp_init(struct ilp *m, struct cs_arena *scratch)
{
    int columns = m->tasks + m->tasks * m->procs * m->tasks;

    m->program = cs_pack_cbc_create();
    m->scale = SCALE / ilp_longest(m);
    m->index = CS_NEW_ARRAY(scratch, int, columns);
    m->value = CS_NEW_ARRAY(scratch, double, columns);
    add_columns(m);
    add_task_rows(m);
    for (int b = 0; b < m->tasks; b++)
        add_pack_rows(m, b);
    add_time_rows(m);
}

static int ilp_solve(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                     struct cs_pack_plan *plan)
{
    struct ilp m = {.in = in, .tasks = in->tasks->count, .procs = in->tasks->procs};
    double *solution =
        CS_NEW_ARRAY(context->scratch, double, m.tasks + m.tasks * m.procs * m.tasks);

    if (cs_pack_coin_load(context->err))
        return -1;
    ilp_init(&m, context->scratch);
    plan->optimal = cs_pack_cbc_solve(m.program, 0, context, solution) == CS_PACK_CBC_SOLVED;
    cs_pack_cbc_destroy(m.program);
    if (plan->optimal)
        read_plan(&m, solution, plan);
    else
        run_alone(&m, plan);
    cs_pack_plan_share(in, plan, context->scratch);
    plan->bound = plan->optimal ? plan->total : 0;
    return 0;
}

#define MISSING NULL

#else

#define MISSING "install CLP and CBC (coinor-libclp-dev, coinor-libcbc-dev) and build again"

static int ilp_solve(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                     struct cs_pack_plan *plan)
{
    (void)in;
    (void)context;
    (void)plan;
    return 0;
}

#endif

static int plan_ilp(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                    struct cs_pack_plan *plan)
{
    int tasks = in->tasks->count, procs = in->tasks->procs;

    if (tasks > TASKS || procs > COLUMNS / (tasks * tasks))
        return cs_error_set(context->err,
                            "ilp: %d tasks on %d processors are too many for this program: it "
                            "takes at most %d tasks, and tasks x tasks x procs up to %d; exact "
                            "plans far more",
                            tasks, procs, TASKS, COLUMNS);
    return ilp_solve(in, context, plan);
}

const struct cs_pack_policy cs_pack_policy_ilp = {
    .info =
        {
            .name = "ilp",
            .problem = "pack",
            .summary = "the integer program of the paper; up to 5 tasks, for the record",
            .source = "Aupy et al., Theorem 4",
            .missing = MISSING,
            .exact = true,
        },
    .plan = plan_ilp,
};
